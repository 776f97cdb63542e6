//! The words of one command, and the quantities among them.

use super::grammar::Complaint;

/// A unit and what one of it is in SI.
type Unit = (&'static str, f64);

/// Lengths, in metres.
pub(super) const LENGTH: &[Unit] = &[("m", 1.0), ("cm", 0.01), ("mm", 0.001)];
/// Speeds, in metres per second.
pub(super) const SPEED: &[Unit] = &[("m/s", 1.0), ("cm/s", 0.01), ("mm/s", 0.001)];
/// Forces, in newtons.
pub(super) const FORCE: &[Unit] = &[("n", 1.0)];

/// Words that say nothing here.
const FILLERS: [&str; 2] = ["please", "the"];

/// The words of one command that have not been understood yet.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    /// As written, for values that have to stay as they are.
    command: &'a str,
    words: Vec<&'a str>,
    next: usize,
}

/// A number as written, with its unit if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantity {
    number: f64,
    unit: Option<f64>,
}

impl Quantity {
    /// In SI units; a number without a unit takes `fallback`, or counts as SI.
    pub fn si(self, fallback: Option<f64>) -> f64 {
        self.number * self.unit.or(fallback).unwrap_or(1.0)
    }

    /// The unit's size, if one was written.
    pub fn unit(self) -> Option<f64> {
        self.unit
    }
}

impl<'a> Words<'a> {
    /// Splits one command, leaving out a leading slash, final marks, brackets, commas and words that say nothing.
    pub fn new(command: &'a str) -> Self {
        let command =
            command.trim().trim_start_matches('/').trim_end_matches(|c: char| ".!?".contains(c) || c.is_whitespace());
        let words = command
            .split(|c: char| c.is_whitespace() || ",()".contains(c))
            .filter(|word| !word.is_empty() && !FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler)))
            .collect();
        Self { command, words, next: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.next >= self.words.len()
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    pub fn take(&mut self) -> Option<&'a str> {
        let word = self.peek();
        self.next += usize::from(word.is_some());
        word
    }

    /// Takes `phrase`, of one or more words, if it comes next.
    pub fn take_phrase(&mut self, phrase: &str) -> bool {
        let rest = self.words.get(self.next..).unwrap_or_default();
        let parts: Vec<&str> = phrase.split(' ').collect();
        let matches =
            rest.len() >= parts.len() && parts.iter().zip(rest).all(|(part, word)| part.eq_ignore_ascii_case(word));
        if matches {
            self.next += parts.len();
        }
        matches
    }

    /// Takes the words before the first `=`, and all that stands behind it as it was written.
    pub fn assignment(&mut self) -> Option<(Vec<&'a str>, &'a str)> {
        let (before, value) = self.command.split_once('=')?;
        let named = Words::new(before).words.get(self.next..)?.to_vec();
        self.next = self.words.len();
        let value = value.trim();
        (!value.is_empty()).then_some((named, value))
    }

    /// Whether the next word begins with a number, finite or not.
    pub fn has_number(&self) -> bool {
        self.peek().is_some_and(|word| split_number(word).is_some())
    }

    /// Takes a number and its unit, joined or as two words.
    pub fn quantity(&mut self, what: &'static str, units: &[Unit]) -> Result<Quantity, Complaint> {
        let expected = || {
            let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
            Complaint::Expected(format!("{what} in {}", names.join(", ")))
        };
        let word = self.take().ok_or_else(expected)?;
        let (number, suffix) = split_number(word).ok_or_else(expected)?;
        if !number.is_finite() {
            return Err(Complaint::NotFinite(word.to_owned()));
        }
        let unit = if suffix.is_empty() {
            let unit = self.peek().and_then(|word| unit_of(word, units));
            self.next += usize::from(unit.is_some());
            unit
        } else {
            Some(unit_of(suffix, units).ok_or_else(expected)?)
        };
        Ok(Quantity { number, unit })
    }
}

fn unit_of(word: &str, units: &[Unit]) -> Option<f64> {
    units.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, size)| *size)
}

/// The longest beginning of `word` that is a number, and the rest.
fn split_number(word: &str) -> Option<(f64, &str)> {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    ends.filter_map(|end| Some((word[..end].parse().ok()?, &word[end..]))).next()
}
