//! Reads values out of the tree: each that is wrong is told with its place, and the others are read all the same.

use std::fmt::Display;
use std::ops::RangeInclusive;

use robot::IdError;
use serde::de::DeserializeOwned;
use world::PredicateError;
use world::predicate::Rule;

use super::names;
use crate::format::yaml::{Entry, Node, Plain, Value};
use crate::problem::{Fault, Faults, Located, ProblemCode, Span};

/// Tells what is wrong, with the path of the key that is being read.
pub(crate) struct Reader<'f> {
    faults: &'f mut Faults,
    path: String,
}

/// The entries of a mapping whose keys are all known.
pub(crate) struct Fields<'n> {
    entries: &'n [Entry],
    pub span: Span,
}

impl<'n> Fields<'n> {
    /// The value of a key; none if it is left out or `null`.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.given(key).filter(|node| !node.is_null())
    }

    /// The value of a key, also if it is `null`.
    pub fn given(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }
}

impl<'f> Reader<'f> {
    pub fn new(faults: &'f mut Faults) -> Self {
        Self { faults, path: String::new() }
    }

    /// Reads something below the present key; `step` is what its path adds.
    pub fn within<T>(&mut self, step: impl Display, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        let step = step.to_string();
        if length > 0 && !step.is_empty() && !step.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(&step);
        let value = read(self);
        self.path.truncate(length);
        value
    }

    /// Tells what is wrong at a place.
    pub fn fault(&mut self, code: ProblemCode, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.faults.add(Fault::new(code, span, message, help).about(&self.path));
    }

    /// Tells that a value is of another type than `expected`, which completes "Expected …".
    pub fn wrong_type<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        if node.value != Value::Refused {
            let message = format!("Expected {expected}, found {}.", node.kind());
            let is_number_in_quotes = matches!(&node.value, Value::Scalar { text, .. } if text.parse::<f64>().is_ok());
            let help = match (expected.contains("text"), is_number_in_quotes) {
                (true, _) if !matches!(node.value, Value::List { .. } | Value::Map { .. }) => {
                    "Put it in quotes.".into()
                }
                (false, true) => "Write it without quotes.".into(),
                _ => format!("Write {expected}."),
            };
            self.fault(ProblemCode::WrongType, node.span, message, help);
        }
        None
    }

    /// Notes a value that is not allowed at its place.
    pub fn out_of_range<T>(&mut self, span: Span, expected: impl Display) -> Option<T> {
        let message = "This value is not allowed here.";
        self.fault(ProblemCode::OutOfRange, span, message, format!("Write {expected}."));
        None
    }

    /// Text without anything else that looks like a value.
    pub fn plain_text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        match node.plain() {
            Some(Plain::Text(text)) => Some(text),
            Some(Plain::Null | Plain::Bool(_) | Plain::Number(_)) | None => self.wrong_type(node, "text"),
        }
    }

    /// Text with a number of characters in `range`.
    pub fn text(&mut self, node: &Node, range: RangeInclusive<usize>) -> Option<String> {
        let text = self.plain_text(node)?;
        // Blanks alone are no text, and yet they count towards its length.
        if range.contains(&text.trim().chars().count()) && text.chars().count() <= *range.end() {
            return Some(text.to_owned());
        }
        self.out_of_range(node.span, format_args!("text of {} to {} characters", range.start(), range.end()))
    }

    /// One line of text.
    pub fn line(&mut self, node: &Node, range: RangeInclusive<usize>) -> Option<String> {
        let text = self.text(node, range)?;
        if text.contains(char::is_control) {
            return self.out_of_range(node.span, "one line");
        }
        Some(text)
    }

    /// An id of some kind.
    pub fn id<T: TryFrom<String, Error = IdError>>(&mut self, node: &Node) -> Option<T> {
        let text = self.plain_text(node)?;
        match T::try_from(text.to_owned()) {
            Ok(id) => Some(id),
            Err(error) => {
                let message = format!("This is no {}.", error.kind);
                let help = "Write 1 to 64 characters of a-z, 0-9, `_` and `-`.";
                self.fault(ProblemCode::BadId, node.span, message, help);
                None
            }
        }
    }

    /// A number in `range`.
    pub fn number(&mut self, node: &Node, range: RangeInclusive<f64>) -> Option<f64> {
        let Some(Plain::Number(number)) = node.plain() else { return self.wrong_type(node, "a number") };
        if range.contains(&number) {
            return Some(number);
        }
        self.out_of_range(node.span, format_args!("a number from {} to {}", range.start(), range.end()))
    }

    /// A whole number in `range`.
    pub fn whole(&mut self, node: &Node, range: RangeInclusive<u32>) -> Option<u32> {
        let number = self.number(node, f64::from(*range.start())..=f64::from(*range.end()))?;
        let Value::Scalar { text, .. } = &node.value else { return None };
        match text.parse() {
            Ok(whole) => Some(whole),
            Err(_) => self.out_of_range(node.span, format_args!("a whole number, such as {}", number.trunc())),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, node: &Node) -> Option<bool> {
        match node.plain() {
            Some(Plain::Bool(flag)) => Some(flag),
            Some(Plain::Null | Plain::Text(_) | Plain::Number(_)) | None => self.wrong_type(node, "true or false"),
        }
    }

    /// One of a few words.
    pub fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let text = self.plain_text(node)?;
        let found = words.iter().find(|(word, _)| *word == text);
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        found.map(|(_, value)| *value).or_else(|| self.out_of_range(node.span, names::one_of(&known)))
    }

    /// A predicate over the world state.
    pub fn rule(&mut self, node: &Node) -> Option<Rule> {
        let text = self.plain_text(node)?;
        match Rule::parse(text) {
            Ok(rule) => Some(rule),
            Err(error) => self.bad_predicate(node, &error),
        }
    }

    /// Tells that a text is no predicate.
    pub fn bad_predicate<T>(&mut self, node: &Node, error: &PredicateError) -> Option<T> {
        let message = format!("This is no predicate: {error}.");
        self.fault(ProblemCode::BadPredicate, node.span, message, "Write a comparison such as `battery.percent > 30`.");
        None
    }

    /// The entries of a list with a number of items in `range`, each with its place. Items that are wrong are left out.
    pub fn list<T>(
        &mut self,
        node: &Node,
        range: RangeInclusive<usize>,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<Located<T>> {
        let Value::List { items, .. } = &node.value else {
            self.wrong_type::<()>(node, "a list");
            return Vec::new();
        };
        if !range.contains(&items.len()) {
            self.out_of_range::<()>(node.span, format_args!("{} to {} entries", range.start(), range.end()));
        }
        let mut found = Vec::new();
        // No more than allowed: a list that is too long is one problem and not thousands.
        for (at, item) in items.iter().enumerate().take(*range.end()) {
            let read = self.within(format_args!("[{at}]"), |reader| read(reader, item));
            found.extend(read.map(|value| Located { value, span: item.span }));
        }
        found
    }

    /// A list that names nothing twice.
    pub fn distinct<T: Ord + Display>(
        &mut self,
        node: &Node,
        range: RangeInclusive<usize>,
        read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<Located<T>> {
        let mut found = self.list(node, range, read);
        let mut seen = std::collections::BTreeSet::new();
        let mut repeated = Vec::new();
        for Located { value, span } in &found {
            if !seen.insert(value) {
                repeated.push((*span, value.to_string()));
            }
        }
        for (span, name) in &repeated {
            self.fault(ProblemCode::DuplicateValue, *span, format!("`{name}` is named a second time."), "Remove it.");
        }
        found.retain(|entry| repeated.iter().all(|(span, _)| *span != entry.span));
        found
    }

    /// The entries of a mapping; a key that is not `known` is told.
    pub fn fields<'n>(&mut self, node: &'n Node, known: &[&str]) -> Option<Fields<'n>> {
        let Value::Map { entries, .. } = &node.value else { return self.wrong_type(node, "a mapping") };
        self.known(entries, known);
        Some(Fields { entries, span: node.span })
    }

    /// Tells which keys are not known.
    pub fn known(&mut self, entries: &[Entry], known: &[&str]) {
        for Entry { key, key_span, .. } in entries {
            if !key.is_empty() && !known.contains(&key.as_str()) {
                self.within(key, |reader| {
                    let (code, message, help) = names::refuse(key, known);
                    reader.fault(code, *key_span, message, help);
                });
            }
        }
    }

    /// Tells that a mapping lacks a key.
    pub fn missing<T>(&mut self, span: Span, key: &str) -> Option<T> {
        self.fault(ProblemCode::WrongType, span, format!("The key `{key}` is missing."), format!("Add `{key}`."));
        None
    }

    /// A value of a type that another crate reads from JSON too, without the keys `hidden`, which only code fills in.
    pub fn foreign<T: DeserializeOwned>(&mut self, node: &Node, hidden: &'static [&'static str]) -> Option<T> {
        match super::decode::decode(node, hidden) {
            Ok(value) => Some(value),
            Err(error) => {
                if !error.is_told() && node.value != Value::Refused {
                    self.within(error.path(), |reader| {
                        reader.fault(error.code, error.span(node), error.message.clone(), error.help.clone());
                    });
                }
                None
            }
        }
    }
}
