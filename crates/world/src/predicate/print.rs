//! The printed form of a predicate: the one that is shown, and that reads back as the same predicate.

use std::fmt::{self, Write};

use robot::{FieldPath, PathStep, Scalar};

use super::{Comparison, KEYWORDS, Name, Node, Op, Predicate, StateTest, Steps, is_name_char};
use crate::Key;

impl<N: Name> fmt::Display for Predicate<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, &self.root, &self.names)
    }
}

impl<N: Name> Predicate<N> {
    /// One clause of this predicate in printed form.
    pub(super) fn print(&self, node: &Node) -> String {
        fmt::from_fn(|f| write_node(f, node, &self.names)).to_string()
    }
}

fn write_node<N: Name>(f: &mut fmt::Formatter<'_>, node: &Node, names: &[N]) -> fmt::Result {
    match node {
        Node::Any(nodes) => write_joined(f, " OR ", node, nodes, names),
        Node::All(nodes) => write_joined(f, " AND ", node, nodes, names),
        Node::Not(inner) => {
            f.write_str("NOT ")?;
            write_child(f, node, inner, names)
        }
        Node::Held { node: inner, for_ms, .. } => {
            write_child(f, node, inner, names)?;
            f.write_str(" for ")?;
            write_duration(f, *for_ms)
        }
        Node::State { test, name } => {
            let word = StateTest::ALL.iter().find(|(_, other)| other == test).map_or("", |(word, _)| word);
            write!(f, "{word}(")?;
            write_name(f, *name, names)?;
            f.write_char(')')
        }
        Node::Comparison(comparison) => write_comparison(f, comparison, names),
    }
}

fn write_joined<N: Name>(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    parent: &Node,
    nodes: &[Node],
    names: &[N],
) -> fmt::Result {
    for (i, node) in nodes.iter().enumerate() {
        if i > 0 {
            f.write_str(word)?;
        }
        write_child(f, parent, node, names)?;
    }
    Ok(())
}

fn write_child<N: Name>(f: &mut fmt::Formatter<'_>, parent: &Node, child: &Node, names: &[N]) -> fmt::Result {
    if binding(child) > binding(parent) {
        return write_node(f, child, names);
    }
    f.write_char('(')?;
    write_node(f, child, names)?;
    f.write_char(')')
}

/// Binding strength of a node; a child that binds no tighter than its parent needs parentheses.
const fn binding(node: &Node) -> u8 {
    match node {
        Node::Any(_) => 0,
        Node::All(_) => 1,
        Node::Not(_) => 2,
        Node::Held { .. } => 3,
        Node::State { .. } | Node::Comparison(_) => 4,
    }
}

fn write_duration(f: &mut fmt::Formatter<'_>, ms: u64) -> fmt::Result {
    for (unit_ms, unit) in [(3_600_000, "h"), (60_000, "min"), (1_000, "s")] {
        if ms.is_multiple_of(unit_ms) {
            return write!(f, "{} {unit}", ms / unit_ms);
        }
    }
    write!(f, "{ms} ms")
}

fn write_comparison<N: Name>(f: &mut fmt::Formatter<'_>, comparison: &Comparison, names: &[N]) -> fmt::Result {
    write_name(f, comparison.name, names)?;
    if comparison.of_confidence {
        f.write_str("@confidence")?;
    }
    let op = match comparison.op {
        Op::Equal => "=",
        Op::NotEqual => "!=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Greater => ">",
        Op::GreaterEqual => ">=",
    };
    write!(f, " {op} ")?;
    write_literal(f, &comparison.literal)?;
    match &comparison.release {
        Some(release) => {
            f.write_str(" release ")?;
            write_literal(f, &release.threshold)
        }
        None => Ok(()),
    }
}

fn write_literal(f: &mut fmt::Formatter<'_>, literal: &Scalar) -> fmt::Result {
    match literal {
        Scalar::Int(int) => write!(f, "{int}"),
        // The debug form keeps a decimal point or an exponent, so that it reads back as the same kind of number.
        Scalar::Float(float) => write!(f, "{float:?}"),
        Scalar::Bool(truth) => write!(f, "{truth}"),
        Scalar::Text(text) => write_quoted(f, text),
    }
}

fn write_name<N: Name>(f: &mut fmt::Formatter<'_>, name: usize, names: &[N]) -> fmt::Result {
    let Some(name) = names.get(name) else { return Ok(()) };
    let Steps { dollars, steps } = name.steps();
    f.write_str(&"$".repeat(dollars))?;
    for (i, step) in steps.iter().enumerate() {
        match step {
            PathStep::Index(index) => write!(f, "[{index}]")?,
            PathStep::Name(part) => {
                if i > 0 || dollars > 0 {
                    f.write_char('.')?;
                }
                write_part(f, part)?;
            }
        }
    }
    Ok(())
}

fn write_part(f: &mut fmt::Formatter<'_>, part: &str) -> fmt::Result {
    if !part.is_empty() && part.chars().all(is_name_char) && !KEYWORDS.contains(&part) {
        return f.write_str(part);
    }
    write_quoted(f, part)
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('\'')?;
    for c in text.chars() {
        match c {
            '\\' | '\'' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('\'')
}

impl Name for FieldPath {
    const IN_RULES: bool = false;

    fn from_steps(steps: &Steps) -> Result<Self, &'static str> {
        let mut text = "$".repeat(steps.dollars);
        for (i, step) in steps.steps.iter().enumerate() {
            match step {
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
                PathStep::Name(name) => {
                    if i > 0 || steps.dollars > 0 {
                        text.push('.');
                    }
                    // Quoted in any case, so that no character of a name is read as syntax.
                    let escaped = name.replace('\\', "\\\\").replace('\'', "\\'");
                    text.push_str(&format!("'{escaped}'"));
                }
            }
        }
        Self::parse(&text).map_err(|error| error.expected)
    }

    fn steps(&self) -> Steps {
        let dollars = if self.starts_in_raw() { 2 } else { usize::from(self.starts_in_document()) };
        Steps { dollars, steps: self.steps().to_vec() }
    }
}

impl Name for Key {
    const IN_RULES: bool = true;

    fn from_steps(steps: &Steps) -> Result<Self, &'static str> {
        const EXPECTED: &str = "a world key of a-z, 0-9, '_' and '-' joined by dots";
        let mut parts = Vec::new();
        for step in &steps.steps {
            match step {
                // A dot inside a quoted part would silently become a separator.
                PathStep::Name(name) if !name.contains('.') => parts.push(name.as_str()),
                PathStep::Name(_) | PathStep::Index(_) => return Err(EXPECTED),
            }
        }
        if steps.dollars > 0 {
            return Err(EXPECTED);
        }
        Self::new(&parts.join(".")).map_err(|_| EXPECTED)
    }

    fn steps(&self) -> Steps {
        Steps { dollars: 0, steps: self.as_str().split('.').map(|part| PathStep::Name(part.into())).collect() }
    }
}
