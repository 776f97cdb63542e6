//! Evaluation: allocates nothing and cannot fail.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::time::Duration;

use robot::{FieldPath, Instant, Scalar};

use super::{Comparison, Name, Node, Op, Predicate, Release, StateTest};

/// True, false, or not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It is not so.
    False,
    /// The data does not say.
    Unknown,
    /// It is so.
    True,
}

impl Truth {
    const fn not(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }

    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::True, Self::True) => Self::True,
        }
    }

    const fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

/// Present values of a predicate's names; a name is its index in [`Predicate::names`].
pub trait Facts {
    /// The usable value, if there is one.
    fn value(&self, name: usize) -> Option<&Scalar>;
    /// The confidence of the value, if known.
    fn confidence(&self, name: usize) -> Option<f64>;
    /// The answer to a question about the entry itself.
    fn is(&self, name: usize, test: StateTest) -> bool;
}

/// Memory of one rule between evaluations.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Memory {
    /// Since when the inside of each `for` has been true.
    true_since: Vec<Option<Instant>>,
    /// For each comparison with `release`, true while it is inside its deadband.
    engaged: Vec<bool>,
    due: Option<Instant>,
}

impl Memory {
    /// A memory in which nothing has been true yet.
    pub fn of<N>(predicate: &Predicate<N>) -> Self {
        Self { true_since: vec![None; predicate.holds], engaged: vec![false; predicate.releases], due: None }
    }

    /// The earliest moment at which a `for` would end without a new sample.
    #[must_use]
    pub const fn due(&self) -> Option<Instant> {
        self.due
    }
}

impl<N: Name> Predicate<N> {
    /// The truth at `at`, which must not be before the last evaluation with the same memory.
    pub fn evaluate(&self, facts: &impl Facts, memory: &mut Memory, at: Instant) -> Truth {
        memory.due = None;
        evaluate(&self.root, facts, memory, at)
    }
}

impl Predicate<FieldPath> {
    /// The first of the clauses joined by AND that is not true, in printed form.
    pub(crate) fn failing_clause(&self, facts: &impl Facts) -> Option<String> {
        let clauses = match &self.root {
            Node::All(clauses) => clauses.as_slice(),
            root @ (Node::Any(_) | Node::Not(_) | Node::Held { .. } | Node::State { .. } | Node::Comparison(_)) => {
                std::slice::from_ref(root)
            }
        };
        // The grammar of filters has neither `for` nor `release`, so that there is nothing to remember.
        let mut memory = Memory::default();
        let mut fails = |clause: &&Node| evaluate(clause, facts, &mut memory, Instant::default()) != Truth::True;
        clauses.iter().find(|clause| fails(clause)).map(|clause| self.print(clause))
    }
}

/// Looks at every branch even when the result is decided, because branches remember.
fn evaluate(node: &Node, facts: &impl Facts, memory: &mut Memory, at: Instant) -> Truth {
    match node {
        Node::Any(nodes) => nodes.iter().fold(Truth::False, |truth, node| truth.or(evaluate(node, facts, memory, at))),
        Node::All(nodes) => nodes.iter().fold(Truth::True, |truth, node| truth.and(evaluate(node, facts, memory, at))),
        Node::Not(node) => evaluate(node, facts, memory, at).not(),
        Node::Held { node, for_ms, place } => {
            let inner = evaluate(node, facts, memory, at);
            hold(inner, Duration::from_millis(*for_ms), *place, memory, at)
        }
        Node::State { test, name } => facts.is(*name, *test).into(),
        Node::Comparison(comparison) => compare(comparison, facts, memory),
    }
}

fn hold(inner: Truth, length: Duration, place: usize, memory: &mut Memory, at: Instant) -> Truth {
    let Some(since) = memory.true_since.get_mut(place) else { return Truth::Unknown };
    // Unknown ends the span too: `for` asks for data without a gap.
    if inner != Truth::True {
        *since = None;
        return inner;
    }
    let end = since.get_or_insert(at).plus(length);
    if at >= end {
        return Truth::True;
    }
    // False and not unknown: the data does say that it has not been true for long enough.
    memory.due = Some(memory.due.map_or(end, |due| due.min(end)));
    Truth::False
}

fn compare(comparison: &Comparison, facts: &impl Facts, memory: &mut Memory) -> Truth {
    let confidence;
    let value = if comparison.of_confidence {
        confidence = facts.confidence(comparison.name).map(Scalar::Float);
        confidence.as_ref()
    } else {
        facts.value(comparison.name)
    };
    let Some(value) = value else { return Truth::Unknown };
    match comparison.op {
        Op::Equal => equal(value, &comparison.literal).into(),
        Op::NotEqual => (!equal(value, &comparison.literal)).into(),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let Some(holds) = holds(comparison.op, value, &comparison.literal) else { return Truth::Unknown };
            match &comparison.release {
                Some(release) => deadband(comparison.op, holds, value, release, memory),
                None => holds.into(),
            }
        }
    }
}

fn deadband(op: Op, holds_now: bool, value: &Scalar, release: &Release, memory: &mut Memory) -> Truth {
    let Some(engaged) = memory.engaged.get_mut(release.place) else { return Truth::Unknown };
    *engaged = holds_now || (*engaged && holds(op, value, &release.threshold) == Some(true));
    (*engaged).into()
}

/// True if `value op bound` holds; `None` if either is no number.
fn holds(op: Op, value: &Scalar, bound: &Scalar) -> Option<bool> {
    let order = order(value, bound)?;
    Some(match op {
        Op::Equal => order == Ordering::Equal,
        Op::NotEqual => order != Ordering::Equal,
        Op::Less => order == Ordering::Less,
        Op::LessEqual => order != Ordering::Greater,
        Op::Greater => order == Ordering::Greater,
        Op::GreaterEqual => order != Ordering::Less,
    })
}

fn order(a: &Scalar, b: &Scalar) -> Option<Ordering> {
    match (a, b) {
        // As floats, integers beyond 2^53 would lose their last digits.
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(b)),
        (a, b) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// Two numbers that differ by less than this share are the same number, sent through different encodings.
const EQUAL_WITHIN: f64 = 1e-9;

fn equal(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        // Some sources send numbers as text; a literal means the same either way.
        (Scalar::Text(text), other) | (other, Scalar::Text(text)) => spells(other, text),
        (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
        (Scalar::Bool(_), Scalar::Int(_) | Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool(_)) => {
            false
        }
        (Scalar::Int(_) | Scalar::Float(_), Scalar::Int(_) | Scalar::Float(_)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= EQUAL_WITHIN * a.abs().max(b.abs()).max(1.0),
            (None, _) | (_, None) => false,
        },
    }
}

/// True if the text form of `scalar` is `text`; found without building it.
fn spells(scalar: &Scalar, text: &str) -> bool {
    let mut rest = Unmatched(text);
    write!(rest, "{scalar}").is_ok() && rest.0.is_empty()
}

/// The rest of a text whose beginning has been written.
struct Unmatched<'a>(&'a str);

impl Write for Unmatched<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }
}
