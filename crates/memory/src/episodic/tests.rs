use super::*;

pub(super) fn episode(number: u32, at_ms: i64, content: &str) -> Episode {
    let by = EpisodeOrigin { name: "operator(dana)".to_owned(), trust: Trust::Trusted };
    Episode::new(format!("ep-{number:06}"), at_ms, EpisodeRole::User, content.to_owned(), by)
}

#[test]
fn e2_01_a_record_is_the_line_that_is_documented() {
    let written = Episode {
        mission: Some("childproof-home".into()),
        role: EpisodeRole::Alert,
        origin: "sensor(toddler.near_stairs)".into(),
        trust: Trust::Typed,
        ..episode(1, 1_771_592_602_180, "toddler.near_stairs became true (0.94)")
    };
    let line = written.line();
    assert_eq!(
        line,
        concat!(
            r#"{"v":1,"id":"ep-000001","at":"2026-02-20T13:03:22.180Z","role":"alert","#,
            r#""content":"toddler.near_stairs became true (0.94)","origin":"sensor(toddler.near_stairs)","#,
            r#""trust":"typed","mission":"childproof-home","session":null,"entry":null,"cause":null}"#
        )
    );
    assert_eq!(Episode::parse(&line), Some(written));
}

#[test]
fn e2_01_content_that_does_not_fit_a_line_is_cut() {
    for content in ["ä".repeat(50_000), "\u{1}".repeat(30_000), "x".repeat(70_000)] {
        let written = episode(1, 0, &content);
        let line = written.line();
        assert!(line.len() <= LINE_BYTES_MAX && line.len() > LINE_BYTES_MAX / 2, "{}", line.len());
        let read = Episode::parse(&line).unwrap();
        assert!(content.starts_with(read.said()) && read.content.ends_with(CUT_MARK));
    }
}

#[test]
fn e2_02_a_long_text_is_cut_at_a_character() {
    assert_eq!(cut_to("öffnen", 6), "öffnen");
    assert_eq!(cut_to("öffnen bitte", 9), "öf… [cut]");
}
