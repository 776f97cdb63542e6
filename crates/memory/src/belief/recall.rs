//! The beliefs that join a turn: those its words are about, then what changed last.

use std::collections::HashSet;
use std::sync::Arc;

use robot::Trust;
use world::key_form;

use super::{Belief, BeliefState, Book, ConfirmedBy};

/// First line of the block.
const HEADER: &str = "[Beliefs]";
/// The most beliefs a turn is given.
const BELIEFS_MAX: usize = 20;
/// The most characters of them, header included.
const CHARS_MAX: usize = 2_000;
/// Words of the message that are looked at; a longer one names its subject early.
const WORDS_MAX: usize = 512;
/// The longest value in a line, in characters.
const VALUE_CHARS_MAX: usize = 120;

/// Beliefs for the context of a turn. Free text is apart because it has to stand inside a boundary and taints the turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recalled {
    /// The header, and the trusted beliefs; empty if there are none.
    pub vouched: String,
    /// The untrusted beliefs; empty if there are none.
    pub text: String,
}

/// Chooses for a turn that began with `words`. Same book, words and time, same bytes.
#[must_use]
pub fn recall(book: &Book, words: &str, now_ms: i64) -> Recalled {
    let named = subjects(words);
    let about = named.iter().flat_map(|form| book.newest_about(form));
    // The header is ASCII, so its bytes are its characters.
    let mut room = Room { beliefs: BELIEFS_MAX, chars: CHARS_MAX - HEADER.len() };
    let mut seen = HashSet::new();
    let (mut vouched, mut text) = (Vec::new(), Vec::new());
    for belief in about.chain(book.newest()) {
        // An agent may hold 50,000 beliefs; looking at the rest would find no room.
        if room.beliefs == 0 {
            break;
        }
        if !seen.insert(&belief.id) || belief.state_at(now_ms) == BeliefState::Faded {
            continue;
        }
        let line = line(belief, now_ms);
        if room.takes(&line) {
            match belief.trust {
                Trust::Trusted | Trust::Typed => vouched.push(line),
                Trust::Text => text.push(line),
            }
        }
    }
    if !vouched.is_empty() {
        vouched.insert(0, HEADER.to_owned());
    }
    Recalled { vouched: vouched.join("\n"), text: text.join("\n") }
}

/// The space that is left to fill.
struct Room {
    beliefs: usize,
    chars: usize,
}

impl Room {
    /// A line that does not fit is left out, and a shorter one may follow.
    fn takes(&mut self, line: &str) -> bool {
        let chars = line.chars().count() + 1;
        let fits = self.beliefs > 0 && chars <= self.chars;
        if fits {
            *self = Self { beliefs: self.beliefs - 1, chars: self.chars - chars };
        }
        fits
    }
}

/// Every word that may name a subject, in order, each once: robots, missions and parts of keys are words too.
fn subjects(words: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut seen = HashSet::new();
    let forms = words.split(|c: char| !is_name(c)).filter_map(key_form).take(WORDS_MAX);
    forms.filter(|form| seen.insert(form.clone())).collect()
}

fn line(belief: &Arc<Belief>, now_ms: i64) -> String {
    let (subject, predicate) = (name(&belief.subject), name(&belief.predicate));
    let mut value: String = belief.value.chars().take(VALUE_CHARS_MAX).collect();
    if value.len() < belief.value.len() {
        // The ellipsis takes the place of a character, so that the bound holds.
        value.pop();
        value.push('…');
    }
    let confidence = (belief.confidence_at(now_ms) * 100.0).round() / 100.0;
    let said = match belief.state_at(now_ms) {
        BeliefState::Held => "",
        BeliefState::Weak => ", weak",
        BeliefState::Faded => ", faded",
        BeliefState::Challenged => ", challenged",
    };
    let (age, by) = (age(now_ms.saturating_sub(belief.last_confirmed_ms)), by(belief.confirmed_by));
    // Quoted and escaped: a value with line ends could imitate further beliefs.
    let value = serde_json::Value::String(value);
    format!("{subject} {predicate} = {value} (confidence: {confidence}, confirmed: {age} ago by {by}{said})")
}

/// A name as it is if it looks like one, else in quotes.
fn name(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if text.chars().all(is_plain) { text.to_owned() } else { serde_json::Value::String(text.to_owned()).to_string() }
}

fn by(confirmed_by: ConfirmedBy) -> &'static str {
    match confirmed_by {
        ConfirmedBy::Person => "a person",
        ConfirmedBy::Sensor => "a sensor",
        ConfirmedBy::Agent => "the agent",
        ConfirmedBy::Machine => "a program",
        ConfirmedBy::External => "an untrusted source",
    }
}

/// A duration in its greatest whole unit.
fn age(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}min", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests;
