use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Sse, SseEvent};

#[test]
fn w_05_every_line_end_ends_a_line() {
    let expected = expect![[r#"
        event=a data="1"
        event=- data="2"
    "#]];
    for stream in ["event: a\ndata: 1\n\ndata: 2\n\n", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n"] {
        check(stream, &expected);
    }
    check("event: a\rdata: 1\r\rdata: 2\r\r", &expected);
    check("event: a\rdata: 1\n\r\ndata: 2\r\n\n", &expected);
}

#[test]
fn w_05_comments_and_unknown_fields_are_ignored() {
    check(
        ": OPENROUTER PROCESSING\n\nid: 7\nretry: 10\nfresh\ndata: x\n\n",
        &expect![[r#"
        event=- data="x"
    "#]],
    );
}

#[test]
fn w_05_data_lines_join_with_line_feeds() {
    check(
        "data: a\ndata:b\ndata\ndata:  c\n\n",
        &expect![[r#"
        event=- data="a\nb\n\n c"
    "#]],
    );
}

#[test]
fn w_05_an_event_without_its_blank_line_is_discarded() {
    check(
        "data: a\n\ndata: half\n",
        &expect![[r#"
        event=- data="a"
    "#]],
    );
}

#[test]
fn w_05_a_name_without_data_is_no_event() {
    check(
        "event: ping\n\ndata: a\n\n",
        &expect![[r#"
        event=- data="a"
    "#]],
    );
}

#[test]
fn w_05_a_byte_order_mark_is_skipped_once() {
    check(
        "\u{feff}data: a\n\n\u{feff}data: b\n\n",
        &expect![[r#"
        event=- data="a"
    "#]],
    );
}

#[test]
fn w_05_broken_utf_8_does_not_fail() {
    let mut sse = Sse::default();
    let events = sse.push(b"data: \xff\xc3\n\n");
    assert_eq!(events, [SseEvent { event: None, data: "\u{fffd}\u{fffd}".into() }]);
}

proptest! {
    #[test]
    fn w_05_any_split_gives_the_same_events(cuts in prop::collection::vec(0_usize..120, 0..12)) {
        let stream = "event: grün\r\ndata: {\"s\":\"日本 🤖\"}\r\n\r\n: note\rdata: é\rdata: ü\n\ndata: [DONE]\n\n";
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < stream.len()).collect();
        cuts.sort_unstable();
        cuts.push(stream.len());
        let (mut sse, mut events, mut from) = (Sse::default(), Vec::new(), 0);
        for to in cuts {
            events.extend(sse.push(&stream.as_bytes()[from..to]));
            from = to;
        }
        prop_assert_eq!(events, Sse::default().push(stream.as_bytes()));
    }
}

/// The same whole and byte by byte.
fn check(stream: &str, expected: &Expect) {
    let whole = Sse::default().push(stream.as_bytes());
    let mut sse = Sse::default();
    let single: Vec<SseEvent> = stream.bytes().flat_map(|byte| sse.push(&[byte])).collect();
    assert_eq!(whole, single);
    let lines =
        whole.iter().map(|event| format!("event={} data={:?}\n", event.event.as_deref().unwrap_or("-"), event.data));
    expected.assert_eq(&lines.collect::<String>());
}
