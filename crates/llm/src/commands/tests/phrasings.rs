//! Lines that operators type in words of their own.

use super::*;

const PHRASINGS: &str = include_str!("../../../../../tests/data/phrasings.tsv");
/// Phrasings that may get no answer of use.
const USELESS_MAX: usize = 8;

#[test]
fn m_08_what_people_say_in_their_own_words_is_answered_or_gets_the_command_that_does() {
    let rows: Vec<(&str, &str)> =
        PHRASINGS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    assert!(rows.len() >= 150, "{}", rows.len());
    let useless: Vec<String> = rows
        .iter()
        .filter_map(|(said, useful)| {
            let answer = converse(&[said]);
            (!answer.contains(useful)).then(|| format!("{said:?} should hold {useful:?}:\n{answer}"))
        })
        .collect();
    assert!(useless.len() <= USELESS_MAX, "{} are useless:\n{}", useless.len(), useless.join("\n"));
}

#[test]
fn m_08_no_words_of_ones_own_move_anything() {
    for line in PHRASINGS.lines().filter(|line| !line.starts_with('#')) {
        let Some((said, useful)) = line.split_once('\t') else { continue };
        let answer = converse(&[said]);
        assert!(useful == "> send_command" || !answer.contains("> send_command"), "{said}: {answer}");
    }
}
