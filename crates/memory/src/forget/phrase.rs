//! A phrase that somebody typed in order to forget it, found however it is written: in any case, in any Unicode normal
//! form, plain or as JSON, across the end of a line. Accents count as they were typed.

use std::collections::HashMap;
use std::fmt::Write;
use std::io::Read;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// In a shorter phrase, longer words that happen to contain it are other words.
const PART_CHARS_MIN: usize = 4;
/// Bytes that the compiled phrase may take; a phrase of the longest query takes a quarter.
const COMPILED_BYTES_MAX: usize = 64 << 20;
/// Phrases of up to twelve characters that one expression finds.
const TOGETHER_MAX: usize = 100;
/// Letters that are written as one character: `ffi` is the longest such word.
const JOINED_CHARS_MAX: usize = 3;
/// Bytes of a file that are looked through at once.
const PART_BYTES: usize = 256 * 1024;
/// Bytes that one character of the phrase may take in a file: six marks, each escaped many times.
const CHAR_BYTES_MAX: usize = 64;
/// Bytes before and behind a match that say whether it is a whole word.
const CONTEXT_BYTES: usize = 8;

/// Fields of JSON whose words are the program's own, whatever they are: without them nobody can read the line or row.
const STRUCTURE: [&str; 26] = [
    "id",
    "v",
    "at",
    "kind",
    "type",
    "role",
    "trust",
    "state",
    "status",
    "tier",
    "codec",
    "origin",
    "operation",
    "session",
    "turn",
    "cause",
    "tool_call_id",
    "agent",
    "decided_by",
    "provider",
    // Fields that say where a context finds its values.
    "topic_pattern",
    "world_state_key_template",
    "value_field",
    "confidence_field",
    "timestamp_field",
    "rows",
];

/// Every character of the basic plane that is another spelling of one to three plain ones, by those.
static SPELLINGS: LazyLock<HashMap<Vec<char>, Vec<char>>> = LazyLock::new(|| {
    let mut spellings: HashMap<Vec<char>, Vec<char>> = HashMap::new();
    for c in ('\u{21}'..='\u{ffff}').filter(|c| !c.is_whitespace()) {
        let plain = folded(&c.to_string());
        if plain != [c] && (1..=2 * JOINED_CHARS_MAX).contains(&plain.len()) {
            spellings.entry(plain).or_default().push(c);
        }
    }
    spellings
});

/// Finds a phrase, or any of several of one kind, and takes it out.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    regex: Regex,
    /// Characters of the longest.
    chars: usize,
    /// In a longer word it is another word.
    is_short: bool,
}

/// The longer words containing a phrase that count as a find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Those with a phrase that is long enough to tell.
    Telling,
    /// All: where columns stand back to back, no word end can be seen.
    Any,
}

/// The place of a match in its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// As words of its own.
    Whole,
    /// In a longer word.
    Part,
    /// Another letter: an accent follows that was not typed.
    Other,
}

impl Phrase {
    /// A phrase of at least one visible character; none if there is no such character, or it is too long to look for.
    pub fn of(text: &str) -> Option<Self> {
        Self::over(&[folded(text.trim())])
    }

    /// All of `texts`, in as few expressions as can be made.
    pub fn any_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let mut plain: Vec<Vec<char>> = texts.into_iter().map(folded).filter(|plain| is_visible(plain)).collect();
        // Of two that begin alike the longer one is meant.
        plain.sort_by_key(|plain| std::cmp::Reverse(plain.len()));
        plain.dedup();
        let (long, short): (Vec<_>, Vec<_>) = plain.into_iter().partition(|plain| plain.len() >= PART_CHARS_MIN);
        long.chunks(TOGETHER_MAX).chain(short.chunks(TOGETHER_MAX)).filter_map(Self::over).collect()
    }

    fn over(plain: &[Vec<char>]) -> Option<Self> {
        if !plain.iter().all(|plain| is_visible(plain)) {
            return None;
        }
        let patterns: Vec<String> = plain.iter().map(|plain| pattern(plain)).collect();
        let regex = RegexBuilder::new(&patterns.join("|")).size_limit(COMPILED_BYTES_MAX).build();
        let regex = regex.inspect_err(|error| tracing::warn!(%error, "a phrase cannot be looked for")).ok()?;
        let chars = plain.iter().map(Vec::len).max().unwrap_or(0);
        Some(Self { regex, chars, is_short: chars < PART_CHARS_MIN })
    }

    /// True if it is too short to count inside a longer word, except where the ends of words are unknown.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// True if it stands in `bytes` as words of its own.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.matches(bytes).next().is_some()
    }

    /// True if it stands in `bytes` at all: as words of its own, or in a longer word if it is long enough to tell.
    pub fn is_part_of(&self, bytes: &[u8], parts: Parts) -> bool {
        self.regex.find_iter(bytes).any(|found| self.counts(around(bytes, &found.range()), parts))
    }

    /// The same for what `reader` gives.
    pub fn is_read_from(&self, mut reader: impl Read, parts: Parts) -> std::io::Result<bool> {
        // A match may lie across two reads: as much is kept as the longest spelling and its surroundings take.
        let overlap = self.chars * CHAR_BYTES_MAX + CONTEXT_BYTES;
        let mut bytes: Vec<u8> = Vec::with_capacity(PART_BYTES + overlap);
        loop {
            let read = reader.by_ref().take(PART_BYTES as u64).read_to_end(&mut bytes)?;
            if self.is_part_of(&bytes, parts) {
                return Ok(true);
            }
            if read == 0 {
                return Ok(false);
            }
            let done = bytes.len().saturating_sub(overlap);
            bytes.drain(..done);
        }
    }

    /// `text` with `mark` in the place of the phrase; none if it does not hold it. Of JSON only the words are replaced:
    /// neither names of fields nor the program's own words.
    pub fn replaced(&self, text: &str, mark: &str) -> Option<String> {
        if !self.is_in(text.as_bytes()) {
            return None;
        }
        // A bare number or a quoted word is valid JSON too, and is treated as the text it is.
        let is_json = matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'['));
        match serde_json::from_str::<Value>(text) {
            Ok(mut value @ (Value::Object(_) | Value::Array(_))) if is_json => {
                self.replace_in(&mut value, mark).then(|| value.to_string())
            }
            Ok(_) | Err(_) => self.replaced_bytes(text.as_bytes(), mark).map(|bytes| lossy(&bytes)),
        }
    }

    /// The same for bytes that may be no text.
    pub fn replaced_bytes(&self, bytes: &[u8], mark: &str) -> Option<Vec<u8>> {
        let mut kept = Vec::with_capacity(bytes.len());
        let mut end = 0;
        for found in self.matches(bytes) {
            kept.extend_from_slice(&bytes[end..found.start]);
            kept.extend_from_slice(mark.as_bytes());
            end = found.end;
        }
        kept.extend_from_slice(&bytes[end..]);
        (end > 0).then_some(kept)
    }

    fn replace_in(&self, value: &mut Value, mark: &str) -> bool {
        match value {
            Value::String(text) => match self.replaced(text, mark) {
                Some(kept) => {
                    *text = kept;
                    true
                }
                None => false,
            },
            // No short circuit: every item has to be looked at.
            Value::Array(items) => items.iter_mut().fold(false, |changed, item| self.replace_in(item, mark) | changed),
            Value::Object(fields) => {
                let is_words = |name: &String| holds_words(fields, name, &fields[name]);
                let words: Vec<String> = fields.keys().filter(|name| is_words(name)).cloned().collect();
                let mut changed = false;
                for name in words {
                    changed |= fields.get_mut(&name).is_some_and(|field| self.replace_in(field, mark));
                }
                changed
            }
            Value::Number(number) if self.is_in(number.to_string().as_bytes()) => {
                *value = Value::from(mark);
                true
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn matches<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let ranges = self.regex.find_iter(bytes).map(|found| found.range());
        // Inside a longer word it is another word (decision 0072).
        ranges.filter(|range| around(bytes, range) == Found::Whole)
    }

    fn counts(&self, found: Found, parts: Parts) -> bool {
        match found {
            Found::Whole => true,
            Found::Part => !self.is_short || parts == Parts::Any,
            Found::Other => false,
        }
    }
}

/// True if a field of `fields` holds words that may be replaced: not the program's own, nor the name of a tool that was
/// called.
pub(super) fn holds_words(fields: &Map<String, Value>, name: &str, field: &Value) -> bool {
    let is_called = name == "name" && fields.contains_key("arguments");
    !field.is_string() || !(STRUCTURE.contains(&name) || is_called)
}

fn is_visible(plain: &[char]) -> bool {
    plain.iter().any(|c| c.is_alphanumeric())
}

/// Looks at the characters before and behind a match.
fn around(bytes: &[u8], found: &Range<usize>) -> Found {
    let before = &bytes[found.start.saturating_sub(CONTEXT_BYTES)..found.start];
    let behind = &bytes[found.end..bytes.len().min(found.end + CONTEXT_BYTES)];
    let next = chars(behind).next();
    if next.is_some_and(is_combining_mark) {
        return Found::Other;
    }
    // `\n` before a word of JSON is the end of a line, not the letter n.
    let is_escape = matches!(before, [.., b'\\', b'n' | b't' | b'r']);
    let last = (0..before.len()).rev().find_map(|at| std::str::from_utf8(&before[at..]).ok());
    let follows_word = last.and_then(|text| text.chars().next()).is_some_and(|c| c.is_alphanumeric()) && !is_escape;
    if follows_word || next.is_some_and(char::is_alphanumeric) { Found::Part } else { Found::Whole }
}

/// The characters at the start of `bytes`, as far as they are text.
fn chars(bytes: &[u8]) -> impl Iterator<Item = char> + '_ {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text in lower case, each letter apart from its marks. Upper case first takes apart the sharp s and ligatures.
fn folded(text: &str) -> Vec<char> {
    let upper = text.nfkd().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).nfkd().collect()
}

/// An expression for every spelling of a folded text.
fn pattern(plain: &[char]) -> String {
    const BLANKS: &str = r"(?:\s|\\{1,8}[nrt]|\\{1,8}u00(?:0[9aAdD]|[aA]0)){1,16}";
    let mut pattern = String::new();
    let mut at = 0;
    while at < plain.len() {
        if plain[at].is_whitespace() {
            pattern.push_str(BLANKS);
            at += plain[at..].iter().take_while(|c| c.is_whitespace()).count();
        } else {
            let end = cluster_end(plain, at);
            pattern.push_str(&spelled(&plain[at..end]));
            at = end;
        }
    }
    pattern
}

/// The end of the letter at `at`, including its marks and the letters it may be joined to.
fn cluster_end(plain: &[char], at: usize) -> usize {
    let with_marks = |end: usize| end + plain[end..].iter().take_while(|c| is_combining_mark(**c)).count();
    let joined = (2..=JOINED_CHARS_MAX).rev().find(|count| {
        plain
            .get(at..at + count)
            .is_some_and(|letters| SPELLINGS.contains_key(letters) && !letters.iter().any(|c| is_combining_mark(*c)))
    });
    with_marks(at + joined.unwrap_or(1))
}

/// Every way to write `letters`: joined or apart, plain or escaped.
fn spelled(letters: &[char]) -> String {
    let ways = (1..=letters.len()).filter_map(|count| {
        let (first, rest) = letters.split_at(count);
        let plain = (count == 1).then(|| first[0]);
        let written: Vec<char> = plain.into_iter().chain(SPELLINGS.get(first).into_iter().flatten().copied()).collect();
        let rest = if rest.is_empty() { String::new() } else { spelled(rest) };
        (!written.is_empty()).then(|| format!("{}{rest}", any_of(&written)))
    });
    format!("(?:{})", ways.collect::<Vec<_>>().join("|"))
}

fn any_of(written: &[char]) -> String {
    let mut ways = String::from("(?:");
    for (n, c) in written.iter().enumerate() {
        if n > 0 {
            ways.push('|');
        }
        match c {
            // JSON within JSON within JSON puts a backslash before each of them.
            '"' => ways.push_str(r#"\\{0,8}""#),
            '\\' => ways.push_str(r"\\{1,16}"),
            _ => ways.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        if !c.is_ascii() {
            ways.push('|');
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing into a text cannot fail.
                let _ = write!(ways, r"\\{{1,8}}u(?i-u:{unit:04x})");
            }
        }
    }
    ways.push(')');
    ways
}

#[cfg(test)]
mod tests;
