//! The `[World State]` block of a turn: the world as the agent sees it, in a form of fixed size.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use robot::{Instant, Now, Scalar};

use crate::state::claims::is_typed;
use crate::{Entry, Freshness, Key, ValueOrigin};

/// First line of every block.
const HEADER: &str = "[World State]";
/// The longest text value in a line, in characters.
const VALUE_CHARS_MAX: usize = 120;

/// A rendered block. Its parts are apart because free text has to stand inside a boundary and taints the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The header, and the lines whose values are numbers, booleans and words of closed sets.
    pub typed: String,
    /// The lines that hold free text; empty if there are none.
    pub text: String,
    /// Number of lines that did not fit.
    pub left_out: usize,
    /// The newest change of the world that it knows of.
    pub seq: u64,
    /// The keys of its lines, in the order in which they were chosen.
    pub keys: Vec<Key>,
}

/// A request for a block: what it shows first, and how long it may be.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The keys that began the turn, shown even if nothing is known of them.
    pub trigger_keys: &'a [Key],
    /// The block that was shown before; what moved since then comes next.
    pub since: Option<Since>,
    /// Lines, header and last line included.
    pub lines_max: usize,
    /// Characters, header and last line included.
    pub chars_max: usize,
}

/// An earlier block of the same conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// The newest change of the world that it knew of.
    pub seq: u64,
    /// When it was shown.
    pub at: Instant,
}

impl Since {
    /// True if an entry, or how far it can be taken for the present, is another one than it was shown.
    fn is_before(&self, entry: &Entry, now: Instant) -> bool {
        entry.seq > self.seq || entry.freshness(self.at) != entry.freshness(now)
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)?;
        if !self.text.is_empty() {
            write!(f, "\n{}", self.text)?;
        }
        if self.left_out > 0 {
            write!(f, "\n+{} more", self.left_out)?;
        }
        Ok(())
    }
}

/// Renders `entries`: the trigger's keys first, then what moved since the block before, the rest by name. Same
/// arguments, same bytes.
#[must_use]
pub fn render(entries: &[Arc<Entry>], wanted: &Wanted<'_>, now: Now) -> Block {
    let seq = entries.iter().map(|entry| entry.seq).max().unwrap_or(0);
    let lines = lines(entries, wanted, now);
    if lines.is_empty() {
        let typed = format!("{HEADER}\nnothing known");
        return Block { typed, text: String::new(), left_out: 0, seq, keys: Vec::new() };
    }
    let header_chars = HEADER.chars().count();
    let whole =
        Room { lines: wanted.lines_max.saturating_sub(1), chars: wanted.chars_max.saturating_sub(header_chars) };
    let mut chosen = fitting(&lines, whole);
    // Only a block that leaves something out needs room for its last line.
    if chosen.len() < lines.len() {
        // The greatest number that it can say, so that the room suffices for any other.
        let last_line = format!("\n+{} more", lines.len()).chars().count();
        let rest = Room { lines: whole.lines.saturating_sub(1), chars: whole.chars.saturating_sub(last_line) };
        chosen = fitting(&lines, rest);
    }
    let join = |typed: bool| chosen.iter().filter(move |line| line.is_typed == typed).map(|line| line.text.as_str());
    let typed = std::iter::once(HEADER).chain(join(true)).collect::<Vec<_>>().join("\n");
    let text = join(false).collect::<Vec<_>>().join("\n");
    let keys = chosen.iter().map(|line| line.key.clone()).collect();
    Block { typed, text, left_out: lines.len() - chosen.len(), seq, keys }
}

#[derive(Debug, Clone, Copy)]
struct Room {
    lines: usize,
    chars: usize,
}

struct Line {
    key: Key,
    text: String,
    is_typed: bool,
}

fn lines(entries: &[Arc<Entry>], wanted: &Wanted<'_>, now: Now) -> Vec<Line> {
    let mut by_name: Vec<_> = entries.iter().collect();
    // For the search below, and so that the same world gives the same bytes.
    by_name.sort_by(|a, b| a.key.cmp(&b.key));
    let has_moved = |entry: &&&Arc<Entry>| wanted.since.is_some_and(|since| since.is_before(entry, now.station));
    let moved = by_name.iter().filter(has_moved).map(|entry| &entry.key);
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for key in wanted.trigger_keys.iter().chain(moved).chain(by_name.iter().map(|entry| &entry.key)) {
        if !seen.insert(key) {
            continue;
        }
        let entry = by_name.binary_search_by(|entry| entry.key.cmp(key)).ok().and_then(|i| by_name.get(i));
        let (text, is_typed) = match entry {
            Some(entry) => (line(entry, now), is_typed(entry)),
            None => (format!("{key} = no data yet"), true),
        };
        lines.push(Line { key: key.clone(), text, is_typed });
    }
    lines
}

/// The lines that fit, in order; one that does not fit is left out and the next one tried.
fn fitting(lines: &[Line], mut room: Room) -> Vec<&Line> {
    let mut fits = |line: &&Line| {
        let chars = line.text.chars().count() + 1;
        let fits = room.lines > 0 && chars <= room.chars;
        if fits {
            room = Room { lines: room.lines - 1, chars: room.chars - chars };
        }
        fits
    };
    lines.iter().filter(|line| fits(line)).collect()
}

fn line(entry: &Entry, now: Now) -> String {
    let value = print_value(&entry.value);
    let confidence = entry.confidence.map_or_else(|| "unknown".into(), print_confidence);
    let age_s = entry.age_ms(now.station) / 1_000;
    let mut line = format!("{} = {value} (confidence: {confidence}, age: {age_s}s", entry.key);
    if let Some(unit) = &entry.unit {
        line.push_str(&format!(", unit: {unit}"));
    }
    match entry.origin {
        ValueOrigin::Measured | ValueOrigin::Replay => {}
        ValueOrigin::Estimated => line.push_str(", estimated"),
    }
    match entry.freshness(now.station) {
        Freshness::Live | Freshness::Aging => {}
        Freshness::Stale => line.push_str(", stale"),
        Freshness::Lost | Freshness::Never => line.push_str(", lost"),
    }
    if entry.flags.contested {
        line.push_str(", contested");
    }
    line.push(')');
    line
}

fn print_value(value: &Scalar) -> String {
    match value {
        Scalar::Int(int) => int.to_string(),
        Scalar::Float(float) => print_float(*float),
        Scalar::Bool(truth) => truth.to_string(),
        Scalar::Text(text) => {
            let mut cut: String = text.chars().take(VALUE_CHARS_MAX).collect();
            if cut.len() < text.len() {
                cut.pop();
                cut.push('…');
            }
            // Quoted and escaped: a text with line ends could imitate further entries.
            serde_json::Value::String(cut).to_string()
        }
    }
}

/// Shortest form with at most six significant digits.
fn print_float(float: f64) -> String {
    let rounded: f64 = format!("{float:.5e}").parse().unwrap_or(float);
    let is_plain = rounded == 0.0 || (1e-6..1e15).contains(&rounded.abs());
    if is_plain { rounded.to_string() } else { format!("{rounded:e}") }
}

fn print_confidence(confidence: f64) -> String {
    ((confidence * 100.0).round() / 100.0).to_string()
}

#[cfg(test)]
mod tests;
