//! The grammar, read from left to right in one pass. Every error names the first character that cannot be.

mod token;

use robot::{PathStep, Scalar};

use self::token::Cursor;
use super::{Comparison, KEYWORDS, Name, Node, Op, Predicate, PredicateError, Release, StateTest, Steps};
use crate::state::key::RESERVED;

/// The longest predicate, in characters; also of its printed form, so that what is shown can be entered again.
const CHARS_MAX: usize = 2_048;
/// The most comparisons and state tests.
const COMPARISONS_MAX: usize = 64;
/// The deepest nesting of parentheses.
const NESTING_MAX: usize = 16;
/// Legal length of a `for`, milliseconds.
const FOR_MS: std::ops::RangeInclusive<f64> = 10.0..=86_400_000.0;

pub(super) fn parse<N: Name>(text: &str) -> Result<Predicate<N>, PredicateError> {
    let mut parser =
        Parser { cursor: Cursor::new(text), names: Vec::new(), bare_confidence: None, counts: Counts::default() };
    if parser.cursor.len() > CHARS_MAX {
        return Err(parser.cursor.error_at(CHARS_MAX, &["at most 2,048 characters"]));
    }
    let root = parser.any()?;
    if !parser.cursor.at_end() {
        return Err(parser.cursor.error(parser.after_clause()));
    }
    // Only at the end is it known how many keys the rule names.
    if let Some(at) = parser.bare_confidence.filter(|_| parser.names.len() != 1) {
        return Err(parser.cursor.error_at(at, &["key@confidence, because the rule does not name exactly one key"]));
    }
    let Counts { holds, releases, .. } = parser.counts;
    let predicate = Predicate { root, names: parser.names, holds, releases };
    if predicate.to_string().chars().count() > CHARS_MAX {
        return Err(parser.cursor.error_at(parser.cursor.len(), &["at most 2,048 characters in the printed form"]));
    }
    Ok(predicate)
}

#[derive(Default)]
struct Counts {
    comparisons: usize,
    nesting: usize,
    holds: usize,
    releases: usize,
}

struct Parser<N> {
    cursor: Cursor,
    names: Vec<N>,
    /// Position of a bare `confidence`: it means the confidence of the only key, if there is only one.
    bare_confidence: Option<usize>,
    counts: Counts,
}

impl<N: Name> Parser<N> {
    fn any(&mut self) -> Result<Node, PredicateError> {
        let mut nodes = vec![self.all()?];
        while self.cursor.eat_word("OR") {
            nodes.push(self.all()?);
        }
        Ok(one_or(nodes, Node::Any))
    }

    fn all(&mut self) -> Result<Node, PredicateError> {
        let mut nodes = vec![self.not()?];
        while self.cursor.eat_word("AND") {
            nodes.push(self.not()?);
        }
        Ok(one_or(nodes, Node::All))
    }

    fn not(&mut self) -> Result<Node, PredicateError> {
        // In a loop, because recursion would let a row of NOTs use up the stack.
        let mut negated = false;
        while self.cursor.eat_word("NOT") {
            negated = !negated;
        }
        let node = self.held()?;
        if !negated {
            return Ok(node);
        }
        // Two negations cancel out, in three-valued logic too; so no printed form has them.
        Ok(if let Node::Not(inner) = node { *inner } else { Node::Not(Box::new(node)) })
    }

    fn held(&mut self) -> Result<Node, PredicateError> {
        let node = self.primary()?;
        if !N::IN_RULES || !self.cursor.eat_word("for") {
            return Ok(node);
        }
        let for_ms = self.duration_ms()?;
        self.counts.holds += 1;
        Ok(Node::Held { node: Box::new(node), for_ms, place: self.counts.holds - 1 })
    }

    fn duration_ms(&mut self) -> Result<u64, PredicateError> {
        const UNITS: [(&str, f64); 4] = [("ms", 1.0), ("s", 1_000.0), ("min", 60_000.0), ("h", 3_600_000.0)];
        let start = self.cursor.here();
        let number = self.cursor.number()?.and_then(|number| number.as_f64());
        let number = number.ok_or_else(|| self.cursor.error(&["a number"]))?;
        let Some((_, unit_ms)) = UNITS.iter().find(|(unit, _)| self.cursor.eat_word(unit)) else {
            return Err(self.cursor.error(&["ms", "s", "min", "h"]));
        };
        let ms = number * unit_ms;
        if !FOR_MS.contains(&ms) {
            return Err(self.cursor.error_at(start, &["10 ms to 24 h"]));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside `FOR_MS`")]
        Ok(ms.round() as u64)
    }

    fn primary(&mut self) -> Result<Node, PredicateError> {
        let open = self.cursor.here();
        if self.cursor.eat("(") {
            return self.nested(open);
        }
        self.counts.comparisons += 1;
        if self.counts.comparisons > COMPARISONS_MAX {
            return Err(self.cursor.error(&["at most 64 comparisons"]));
        }
        let word = self.cursor.peek_word();
        match StateTest::ALL.iter().find(|(spelled, _)| *spelled == word) {
            Some((spelled, test)) if N::IN_RULES || *test == StateTest::Exists => {
                self.cursor.eat_word(spelled);
                self.state(*test)
            }
            Some(_) | None => self.comparison(),
        }
    }

    fn nested(&mut self, open: usize) -> Result<Node, PredicateError> {
        self.counts.nesting += 1;
        // Parsing, printing and evaluating recurse once for each level.
        if self.counts.nesting > NESTING_MAX {
            return Err(self.cursor.error_at(open, &["at most 16 nested parentheses"]));
        }
        let node = self.any()?;
        self.counts.nesting -= 1;
        if self.cursor.eat(")") { Ok(node) } else { Err(self.cursor.error(&["AND", "OR", "')'"])) }
    }

    fn state(&mut self, test: StateTest) -> Result<Node, PredicateError> {
        if !self.cursor.eat("(") {
            return Err(self.cursor.error(&["'('"]));
        }
        let (start, steps) = self.steps()?;
        let name = self.name(start, &steps)?;
        if self.cursor.eat(")") { Ok(Node::State { test, name }) } else { Err(self.cursor.error(&["'.'", "')'"])) }
    }

    fn comparison(&mut self) -> Result<Node, PredicateError> {
        let (start, steps) = self.steps()?;
        let bare_confidence = N::IN_RULES && steps.steps == [PathStep::Name(RESERVED.into())];
        let of_confidence = bare_confidence || (N::IN_RULES && self.cursor.eat("@confidence"));
        let name = if bare_confidence {
            self.bare_confidence.get_or_insert(start);
            0
        } else {
            self.name(start, &steps)?
        };
        let Some((_, op)) = Op::SPELLED.iter().find(|(spelled, _)| self.cursor.eat(spelled)) else {
            return Err(self.cursor.error(&["=", "!=", "<", "<=", ">", ">="]));
        };
        let literal = self.literal(*op)?;
        let release = self.release(*op, &literal)?;
        Ok(Node::Comparison(Comparison { name, of_confidence, op: *op, literal, release }))
    }

    fn steps(&mut self) -> Result<(usize, Steps), PredicateError> {
        let start = self.cursor.here();
        let mut dollars = 0;
        while !N::IN_RULES && dollars < 2 && self.cursor.eat("$") {
            dollars += 1;
        }
        let mut steps = Vec::new();
        if dollars == 0 {
            steps.push(PathStep::Name(self.part()?));
        }
        loop {
            if self.cursor.eat(".") {
                steps.push(PathStep::Name(self.part()?));
            } else if !N::IN_RULES && self.cursor.eat("[") {
                steps.push(PathStep::Index(self.cursor.index()?));
                if !self.cursor.eat("]") {
                    return Err(self.cursor.error(&["']'"]));
                }
            } else {
                return Ok((start, Steps { dollars, steps }));
            }
        }
    }

    fn part(&mut self) -> Result<String, PredicateError> {
        if let Some(quoted) = self.cursor.quoted()? {
            return Ok(quoted);
        }
        let word = self.cursor.peek_word();
        if word.is_empty() || KEYWORDS.contains(&word.as_str()) {
            return Err(self.cursor.error(&["a name"]));
        }
        self.cursor.eat_word(&word);
        Ok(word)
    }

    fn name(&mut self, start: usize, steps: &Steps) -> Result<usize, PredicateError> {
        let name = N::from_steps(steps).map_err(|expected| self.cursor.error_at(start, &[expected]))?;
        Ok(self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }))
    }

    fn literal(&mut self, op: Op) -> Result<Scalar, PredicateError> {
        if let Some(number) = self.cursor.number()? {
            return Ok(number);
        }
        if op.is_ordering() {
            return Err(self.cursor.error(&["a number"]));
        }
        if let Some(quoted) = self.cursor.quoted()? {
            return Ok(Scalar::Text(quoted));
        }
        let word = self.cursor.peek_word();
        let starts_well = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts_well || ["AND", "OR", "NOT", "for", "release"].contains(&word.as_str()) {
            return Err(self.cursor.error(&["a number", "true", "false", "a word", "a quoted text"]));
        }
        self.cursor.eat_word(&word);
        Ok(match word.as_str() {
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            _ => Scalar::Text(word),
        })
    }

    fn release(&mut self, op: Op, literal: &Scalar) -> Result<Option<Release>, PredicateError> {
        let before = self.cursor.here();
        if !N::IN_RULES || !self.cursor.eat_word("release") {
            return Ok(None);
        }
        let start = self.cursor.here();
        let threshold = self.cursor.number()?.ok_or_else(|| self.cursor.error(&["a number"]))?;
        let is_safe = |threshold: f64, literal: f64| match op {
            Op::Greater | Op::GreaterEqual => threshold < literal,
            Op::Less | Op::LessEqual => threshold > literal,
            Op::Equal | Op::NotEqual => false,
        };
        if !op.is_ordering() {
            return Err(self.cursor.error_at(before, self.after_clause()));
        }
        if !threshold.as_f64().zip(literal.as_f64()).is_some_and(|(threshold, literal)| is_safe(threshold, literal)) {
            return Err(self.cursor.error_at(start, &["a number on the other side of the threshold"]));
        }
        self.counts.releases += 1;
        Ok(Some(Release { threshold, place: self.counts.releases - 1 }))
    }

    fn after_clause(&self) -> &'static [&'static str] {
        if N::IN_RULES { &["AND", "OR", "for", "the end"] } else { &["AND", "OR", "the end"] }
    }
}

fn one_or(mut nodes: Vec<Node>, join: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        Some(last) => {
            nodes.push(last);
            join(nodes)
        }
        None => join(nodes),
    }
}
