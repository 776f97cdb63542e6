//! The predicate language: one for provider filters, where names are paths into a row, and for alert rules, where they
//! are world keys.
//!
//! Truth has three values, text that does not parse is refused, and what a rule has to remember (`for`, `release`)
//! lives outside the compiled predicate in a [`Memory`], so that the same predicate can be replayed.

mod evaluate;
mod parse;
mod print;

use std::fmt;

use robot::{FieldPath, Scalar};

use crate::Key;

pub use evaluate::{Facts, Memory, Truth};

/// A predicate over a row; passes it only if true.
pub type Filter = Predicate<FieldPath>;
/// A predicate over the world state.
pub type Rule = Predicate<Key>;

/// A compiled predicate.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate<N> {
    root: Node,
    names: Vec<N>,
    /// Number of `for` clauses; each has a place in the memory.
    holds: usize,
    /// Number of `release` clauses; each has a place in the memory.
    releases: usize,
}

/// The error for a text that is no predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateError {
    /// Character position from 1 of the first character that cannot be.
    pub column: usize,
    /// The text that stands there.
    pub found: String,
    /// Tokens that could have stood there.
    pub expected: Vec<&'static str>,
    /// A hint at what was probably meant.
    pub hint: Option<&'static str>,
}

impl std::error::Error for PredicateError {}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: found {}, expected {}", self.column, self.found, self.expected.join(" or "))?;
        match self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// A name in a predicate: a path into a row, or a world key.
pub trait Name: PartialEq + Sized {
    /// True if the predicate is over the world state, which has time, freshness and confidence.
    const IN_RULES: bool;
    /// Makes the name from its steps; an error is what was expected.
    fn from_steps(steps: &Steps) -> Result<Self, &'static str>;
    /// The steps it was made from.
    fn steps(&self) -> Steps;
}

/// A name as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// Number of leading `$`.
    pub dollars: usize,
    /// Names and indices.
    pub steps: Vec<robot::PathStep>,
}

impl<N: Name> Predicate<N> {
    /// Reads the text form. At most 2,048 characters, 64 comparisons, nesting 16.
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        parse::parse(text)
    }

    /// The paths or keys it names, each once.
    #[must_use]
    pub fn names(&self) -> &[N] {
        &self.names
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Held { node: Box<Node>, for_ms: u64, place: usize },
    State { test: StateTest, name: usize },
    Comparison(Comparison),
}

/// Asks about the entry instead of its value; never unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateTest {
    /// There is an entry.
    Exists,
    /// It is live or aging.
    Fresh,
    /// It is stale or lost.
    Stale,
    /// It is lost.
    Lost,
}

impl StateTest {
    const ALL: [(&'static str, Self); 4] =
        [("exists", Self::Exists), ("fresh", Self::Fresh), ("stale", Self::Stale), ("lost", Self::Lost)];
}

#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    name: usize,
    of_confidence: bool,
    op: Op,
    literal: Scalar,
    release: Option<Release>,
}

/// A deadband: once true, the comparison stays so until the value is back at `threshold`.
#[derive(Debug, Clone, PartialEq)]
struct Release {
    threshold: Scalar,
    place: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Op {
    /// Longer spellings first, so that `<=` is not read as `<`.
    const SPELLED: [(&'static str, Self); 7] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessEqual),
        (">=", Self::GreaterEqual),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    const fn is_ordering(self) -> bool {
        match self {
            Self::Equal | Self::NotEqual => false,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => true,
        }
    }
}

/// Words that are no name unless quoted.
const KEYWORDS: [&str; 11] =
    ["AND", "OR", "NOT", "for", "release", "exists", "fresh", "stale", "lost", "true", "false"];

/// A character of an unquoted name.
fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests;
