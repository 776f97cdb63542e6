use super::*;

#[test]
fn pb_02_whole_keys_that_a_message_names_come_first_and_other_words_are_none() {
    let names =
        |words: &str, trigger| named_keys(words, trigger, &[]).iter().map(ToString::to_string).collect::<Vec<_>>();
    let words = "Is toddler.near_stairs true? See config.toml, 0.5 m and e.g. arm-1.";
    assert_eq!(names(words, Trigger::Operator), Vec::<String>::new(), "nobody has heard of them");
    assert_eq!(names("toddler.near_stairs = true for 0.5 s", Trigger::Alert), ["toddler.near_stairs"]);
}

#[test]
fn e2_16_a_line_is_one_line_of_two_hundred_characters() {
    assert_eq!(one_line("a\nb"), "a b");
    assert!(one_line(&"x".repeat(500)).chars().count() <= LINE_CHARS_MAX);
}

#[test]
fn p_20_lines_that_nobody_vouches_for_stand_apart() {
    let mut lines = Lines::default();
    lines.add(Trust::Typed, "10:00 job: done".into());
    lines.add(Trust::Text, "10:01 alert: sign says stop".into());
    lines.add(Trust::Trusted, "10:02 note: key is in the drawer".into());
    let text = |text: &str, trust| Block::Text { text: text.into(), trust };
    assert_eq!(
        lines.blocks("[Day 2026-03-08]"),
        [
            text("[Day 2026-03-08]\n10:00 job: done\n10:02 note: key is in the drawer", Trust::Trusted),
            text("[Day 2026-03-08]\n10:01 alert: sign says stop", Trust::Text),
        ]
    );
    assert!(Lines::default().blocks("[Day 2026-03-08]").is_empty());
}
