//! Robots' names, as people say them.

use super::table::{BESIDE, is_in};
use super::{WORDS, Word, Words, folded};

/// Words of a robot's id that stand one behind the other, at most: `pick and place 2`.
const WORDS_MAX: usize = 5;

/// A robot's id, as it is recognised in words.
pub(super) struct Name<'a> {
    id: &'a str,
    /// Its letters and digits.
    joined: String,
    /// Lengths of the beginnings of them that people use: `rover` of `rover-1`.
    begins: Vec<usize>,
}

impl<'a> Name<'a> {
    pub fn of(id: &'a str) -> Self {
        let (mut joined, mut begins) = (String::new(), Vec::new());
        for part in id.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            joined.push_str(&folded(part));
            begins.push(joined.len());
        }
        begins.pop();
        // A single letter is a word like any other.
        begins.retain(|length| *length > 1);
        Self { id, joined, begins }
    }

    fn begins_with(&self, said: &str) -> bool {
        self.begins.contains(&said.len()) && self.joined.starts_with(said)
    }
}

/// The names of a clause.
#[derive(Default)]
pub(super) struct Found {
    /// Ids of the robots.
    pub ids: Vec<String>,
    /// One of them could be two robots'.
    pub is_unclear: bool,
    /// One of them is only the beginning of an id.
    pub has_begun: bool,
}

/// Marks the words that name robots.
pub(super) fn find_names(words: &mut [Word], names: &[Name]) -> Found {
    let (mut found, mut at) = (Found::default(), 0);
    while at < words.len() {
        let longest = WORDS_MAX.min(words.len() - at);
        // The longest first: one robot's id may begin with the whole id of another.
        let named = (1..=longest).rev().find_map(|length| {
            let said: String = words[at..at + length].iter().map(|word| word.text.as_str()).collect();
            let exact: Vec<&Name> = names.iter().filter(|name| name.joined == said).collect();
            let is_plain = length == 1 && is_plain(&said);
            let begun = || names.iter().filter(|name| !is_plain && name.begins_with(&said)).collect();
            let is_begun = exact.is_empty();
            let meant: Vec<&Name> = if is_begun { begun() } else { exact };
            (!meant.is_empty()).then_some((length, meant, is_begun))
        });
        let Some((length, meant, is_begun)) = named else {
            at += 1;
            continue;
        };
        match meant.as_slice() {
            [name] => found.ids.push(name.id.to_owned()),
            // A name that two robots have is nobody's, and all robots stop (decision 0099).
            _ => found.is_unclear = true,
        }
        found.has_begun |= is_begun;
        words[at..at + length].iter_mut().for_each(|word| word.names = true);
        at += length;
    }
    found
}

/// True if a word means something else than a robot that begins with it: `quick` and `stop` of `stop-bot`.
fn is_plain(word: &str) -> bool {
    let stops = |words: &Words| words.stop.iter().chain(&words.at_end).any(|phrase| phrase.as_slice() == [word]);
    is_in(BESIDE, word) || WORDS.iter().any(stops)
}
