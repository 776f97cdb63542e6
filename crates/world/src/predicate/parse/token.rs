//! Position of the parser in the text, and the tokens that can be read there. Blanks before a token are skipped.

use robot::Scalar;

use crate::predicate::{PredicateError, is_name_char};

/// Words of other languages, and what they are called here.
const HINTS: [(&str, &str); 7] = [
    ("and", "write AND"),
    ("&&", "write AND"),
    ("or", "write OR"),
    ("||", "write OR"),
    ("not", "write NOT"),
    ("!", "write NOT"),
    ("null", "use exists(…)"),
];

/// Integers up to here are exact as a float, so a number with a fraction of zero can be read as an integer.
const EXACT_INT_MAX: f64 = 9_007_199_254_740_992.0;

pub(super) struct Cursor {
    chars: Vec<char>,
    at: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Self {
        Self { chars: text.chars().collect(), at: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    /// Index of the next token.
    pub(super) fn here(&mut self) -> usize {
        while self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.here() == self.chars.len()
    }

    /// Reads `symbol`, which is no word.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let here = self.here();
        let found = symbol.chars().enumerate().all(|(i, c)| self.chars.get(here + i) == Some(&c));
        if found {
            self.at += symbol.chars().count();
        }
        found
    }

    /// Reads `word` if that is the whole next word.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        // The whole word is compared: a name may begin with AND.
        let found = self.peek_word() == word;
        if found {
            self.at += word.chars().count();
        }
        found
    }

    /// The next word; empty if something else stands here.
    pub(super) fn peek_word(&mut self) -> String {
        let here = self.here();
        self.chars.iter().skip(here).take_while(|c| is_name_char(**c)).collect()
    }

    /// Reads an array index.
    pub(super) fn index(&mut self) -> Result<usize, PredicateError> {
        self.here();
        let digits = self.digits();
        digits.parse().map_err(|_| self.error_at(self.at - digits.len(), &["an index"]))
    }

    /// Reads a finite number, if one stands here.
    pub(super) fn number(&mut self) -> Result<Option<Scalar>, PredicateError> {
        let start = self.here();
        let mut text = String::new();
        // Names may begin with a minus as well, so it counts only before a digit.
        if self.peek(0) == Some('-') && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            text.push('-');
            self.at += 1;
        }
        if !self.peek(0).is_some_and(|c| c.is_ascii_digit()) {
            return Ok(None);
        }
        text.push_str(&self.digits());
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            text.push('.');
            text.push_str(&self.digits());
        }
        text.push_str(&self.exponent());
        match read_number(&text) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error_at(start, &["a number that fits 64 bits"])),
        }
    }

    fn exponent(&mut self) -> String {
        let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
        if !matches!(self.peek(0), Some('e' | 'E')) || !self.peek(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
            return String::new();
        }
        let mark: String = self.chars.iter().skip(self.at).take(1 + sign).collect();
        self.at += 1 + sign;
        mark + &self.digits()
    }

    /// Reads a text in single or double quotes, if one stands here.
    pub(super) fn quoted(&mut self) -> Result<Option<String>, PredicateError> {
        self.here();
        let Some(quote @ ('\'' | '"')) = self.peek(0) else { return Ok(None) };
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek(0) {
                None => return Err(self.error(&["the closing quote"])),
                Some('\\') => text.push(self.escape()?),
                Some(c) => {
                    self.at += 1;
                    if c == quote {
                        return Ok(Some(text));
                    }
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, PredicateError> {
        let escaped = match self.peek(1) {
            Some(c @ ('\\' | '\'' | '"')) => Some(c),
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('u') => {
                let digits: String = self.chars.iter().skip(self.at + 2).take(4).collect();
                let all_hex = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_hexdigit());
                self.at += 4;
                u32::from_str_radix(&digits, 16).ok().filter(|_| all_hex).and_then(char::from_u32)
            }
            Some(_) | None => None,
        };
        self.at += 2;
        escaped.ok_or_else(|| self.error_at(self.at.min(self.chars.len()), &[r"one of \\ \' \n \t \uXXXX"]))
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn digits(&mut self) -> String {
        let digits: String = self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_digit()).collect();
        self.at += digits.len();
        digits
    }

    /// The next token cannot be.
    pub(super) fn error(&mut self, expected: &[&'static str]) -> PredicateError {
        let here = self.here();
        self.error_at(here, expected)
    }

    /// The error for text at index `at` that cannot stand there.
    pub(super) fn error_at(&self, at: usize, expected: &[&'static str]) -> PredicateError {
        let found = self.found(at);
        let hint = HINTS.iter().find(|(word, _)| *word == found).map(|(_, hint)| *hint);
        let found = if found.is_empty() { "the end".into() } else { format!("{found:?}") };
        PredicateError { column: at + 1, found, expected: expected.to_vec(), hint }
    }

    fn found(&self, at: usize) -> String {
        let word: String = self.chars.iter().skip(at).take_while(|c| is_name_char(**c)).take(40).collect();
        if !word.is_empty() {
            return word;
        }
        let doubled = matches!(self.chars.get(at..at + 2), Some(['&', '&'] | ['|', '|']));
        self.chars.iter().skip(at).take(1 + usize::from(doubled)).collect()
    }
}

/// An integer if it is one exactly, else a finite float.
fn read_number(text: &str) -> Option<Scalar> {
    // As a float, an integer beyond 2^53 would lose its last digits.
    if let Ok(int) = text.parse() {
        return Some(Scalar::Int(int));
    }
    let float: f64 = text.parse().ok()?;
    if !float.is_finite() {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and inside the exact integers")]
    Some(if float.fract() == 0.0 && float.abs() <= EXACT_INT_MAX {
        Scalar::Int(float as i64)
    } else {
        Scalar::Float(float)
    })
}
