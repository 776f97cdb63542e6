use std::time::{Duration, Instant};

use super::*;

const PHRASES: &str = include_str!("../../../../../tests/data/stop-phrases.tsv");
const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];

fn asked(text: &str) -> String {
    match stop_asked(text, &ROBOTS) {
        None => "nothing".to_owned(),
        Some(StopAsked::All) => "all".to_owned(),
        Some(StopAsked::Robots(ids)) => ids.join(","),
    }
}

#[test]
fn m_10_words_for_stop_of_every_language_stop_and_talk_about_stops_does_not() {
    let rows: Vec<Vec<&str>> =
        PHRASES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| asked(row[2]) != row[1])
        .map(|row| format!("{}: {:?} stops {}, not {}", row[0], row[2], asked(row[2]), row[1]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let ways = |tag: &str| rows.iter().filter(|row| row[0] == tag && row[1] != "nothing").count();
    let complete = LANGUAGES.iter().filter(|language| ways(language.tag) >= 10).count();
    assert!(complete >= 10, "ten ways in each of ten languages, not {complete}");
}

#[test]
fn m_10_every_word_of_the_table_stops_by_itself() {
    for language in LANGUAGES {
        for word in language.stop.split(", ").chain(language.at_end.split(", ")).filter(|word| !word.is_empty()) {
            let said = word.replace('…', "rover-1");
            let expected = if word.contains('…') { "rover-1" } else { "all" };
            assert_eq!(asked(&said), expected, "{}: {word}", language.tag);
            assert_eq!(asked(&said.to_uppercase()), expected, "{}: {word}", language.tag);
        }
    }
}

#[test]
fn m_10_a_robot_is_named_in_any_way_and_a_name_of_two_is_nobodys() {
    let check = |robots: &[&str], text: &str, expected: Option<&[&str]>| {
        let expected = expected.map(|ids| match ids {
            [] => StopAsked::All,
            ids => StopAsked::Robots(ids.iter().map(|id| (*id).to_owned()).collect()),
        });
        assert_eq!(stop_asked(text, robots), expected, "{text}");
    };
    check(&ROBOTS, "stop ROVER_1", Some(&["rover-1"]));
    check(&ROBOTS, "stop rover2", Some(&["rover-2"]));
    check(&ROBOTS, "stop the gate", Some(&["gate-1"]));
    check(&ROBOTS, "stop rover and arm-1", Some(&[]));
    check(&ROBOTS, "stop herbert", Some(&[]));
    check(&[], "stop arm-1", Some(&[]));
    check(&["stop-bot"], "status of stop-bot", None);
    check(&["stop-bot", "arm-1"], "stop stop-bot", Some(&["stop-bot"]));
    check(&["quick-bot", "arm-1"], "quick, stop!", Some(&[]));
    check(&ROBOTS, "move rover-1 to 1 2 then stop arm-1", Some(&["arm-1"]));
    check(&ROBOTS, "stop arm-1\nstop rover-1", Some(&["arm-1", "rover-1"]));
    let named = ["pick and place 2", "stop-bot"];
    check(&named, "pick and place 2, stop!", Some(&["pick and place 2"]));
    check(&named, "STOP PICK AND PLACE 2 AND STOP-BOT", Some(&["pick and place 2", "stop-bot"]));
    check(&named, "pick and place 2 is fine stop", Some(&[]));
}

#[test]
fn p_20_the_words_of_a_long_text_take_no_longer_than_the_same_words_in_short_ones() {
    for word in [
        "a ",
        "aaaa ",
        "stop ",
        "do not stop ",
        "rover ",
        "stoppppp ",
        "please ",
        "what is ",
        "an ",
        "停 ",
        "! ",
        "\" ",
    ] {
        let whole = word.repeat(2 * LOOKED_AT_BYTES / word.len());
        let parts: Vec<String> = vec![word.repeat(LOOKED_AT_BYTES / 5 / word.len()); 10];
        let (mut long, mut short) = (Duration::MAX, Duration::MAX);
        // The best of several is what it takes where nobody else runs.
        for _ in 0..5 {
            long = long.min(time(|| drop(stop_asked(&whole, &ROBOTS))));
            short = short.min(time(|| parts.iter().for_each(|part| drop(stop_asked(part, &ROBOTS)))));
        }
        println!("{word:?}: {long:?} and {short:?}");
        assert!(long <= 4 * short, "{word:?} takes {long:?} in one text and {short:?} in ten");
    }
}

#[expect(clippy::disallowed_methods, reason = "what is tested is a time")]
fn time(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}
