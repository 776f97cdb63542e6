//! A mission file as text: its front matter, its body, and the position of every byte.

use crate::problem::{Fault, Position, ProblemCode, Span};

/// The largest mission file, in bytes.
pub const FILE_BYTES_MAX: usize = 256 * 1024;
/// The largest front matter, in bytes.
const FRONT_BYTES_MAX: usize = 16 * 1024;
/// The line that opens and closes the front matter.
const FENCE: &str = "---";
/// Some editors put it before everything else.
pub(crate) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The text of a mission file and its parts. What cannot be read as text is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    text: String,
    /// The byte at which each line begins.
    lines: Vec<u32>,
    front: Option<Span>,
    body: Span,
}

impl Source {
    /// Splits a file. Problems do not end it: what can be read is there.
    pub(crate) fn read(bytes: &[u8], fault: &mut Option<Fault>) -> Self {
        let text = text_of(bytes, fault);
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
            .filter_map(|at| u32::try_from(at).ok())
            .collect();
        let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let body = Span::new(start, text.len());
        let mut source = Self { text, lines, front: None, body };
        if fault.is_none() {
            *fault = source.split(start).err();
        }
        source
    }

    /// Finds the two fences.
    fn split(&mut self, start: usize) -> Result<(), Fault> {
        let mut lines = self.text.get(start..).unwrap_or_default().split_inclusive('\n');
        let Some(opening) = lines.next().filter(|line| is_fence(line)) else { return Ok(()) };
        let (from, mut at) = (start + opening.len(), start + opening.len());
        for line in lines {
            if is_fence(line) {
                self.body = Span::new(at + line.len(), self.text.len());
                let front = Span::new(from, at);
                if at - from > FRONT_BYTES_MAX {
                    let message = format!("The front matter has more than {FRONT_BYTES_MAX} bytes.");
                    return Err(Fault::new(ProblemCode::TooLarge, front, message, "Move text below the second `---`."));
                }
                self.front = Some(front);
                return Ok(());
            }
            at += line.len();
        }
        // Empty, because the rest may be front matter: read as text, limits would become words for the agent.
        self.body = Span::new(self.text.len(), self.text.len());
        let opening = Span::new(start, start + FENCE.len());
        let message = "The front matter that begins here has no end.";
        Err(Fault::new(ProblemCode::UnclosedFrontMatter, opening, message, "Write a line `---` behind the last key."))
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The range between the lines `---`; none if the file has no front matter that can be read.
    #[must_use]
    pub const fn front(&self) -> Option<Span> {
        self.front
    }

    /// The text below the front matter; empty if its end is missing.
    #[must_use]
    pub fn body(&self) -> &str {
        self.body.of(&self.text)
    }

    /// The place of [`body`](Self::body).
    #[must_use]
    pub const fn body_span(&self) -> Span {
        self.body
    }

    /// The position of a byte, for people.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.lines.partition_point(|start| usize::try_from(*start).is_ok_and(|start| start <= byte));
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line)).map_or(0, |start| *start as usize);
        // The mark is no character of the first line.
        let start = if self.text.starts_with(BYTE_ORDER_MARK) { start.max(BYTE_ORDER_MARK.len_utf8()) } else { start };
        let before = self.text.get(start..byte).unwrap_or_default();
        let characters = before.chars().count();
        // Characters that UTF-8 spells with four bytes are the ones that UTF-16 spells with two units.
        let pairs = before.bytes().filter(|byte| *byte >= 0xF0).count();
        Position { line: line.max(1), column: characters + 1, column_utf16: characters + pairs + 1 }
    }
}

/// The readable beginning of a file.
fn text_of(bytes: &[u8], fault: &mut Option<Fault>) -> String {
    // Before anything is copied: the size of what is read must not depend on who wrote it.
    if bytes.len() > FILE_BYTES_MAX {
        let message = format!("The file has more than {FILE_BYTES_MAX} bytes.");
        *fault = Some(Fault::new(ProblemCode::TooLarge, Span::default(), message, "Divide it into several missions."));
        return String::new();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let at = Span::new(error.valid_up_to(), error.valid_up_to());
            let message = "From here on the file is not UTF-8.";
            *fault = Some(Fault::new(ProblemCode::NotUtf8, at, message, "Save it as UTF-8."));
            let readable = bytes.get(..error.valid_up_to()).map(<[u8]>::to_vec);
            readable.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
        }
    }
}

/// True if a line opens or closes front matter; blanks may follow.
fn is_fence(line: &str) -> bool {
    line.trim_end_matches([' ', '\t', '\r', '\n']) == FENCE
}
