//! Outputs too long for a conversation: the whole goes into a file of the session, its two ends to the model, which
//! reads the rest with `read_output`.

use std::io::Read;
use std::path::{Path, PathBuf};

use agent::ToolOutcome;
use robot::{ConversationId, Trust};

use runtime::config::AgentFolders;
use runtime::error::OpError;
use runtime::wire::{OutputPage, word};

use crate::code::AgentCode;

/// Files of one session.
const FILES_MAX: u32 = 10_000;
/// Bytes of one file: more than any tool of the station gives.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Bytes of a page: with its frame it stays below 4,096 bytes, so that no page is put away itself.
const PAGE_BYTES: usize = 3_584;
/// Bytes on each side of what was looked for.
const AROUND_BYTES: usize = 120;
/// Bytes of what may be looked for.
const PATTERN_BYTES_MAX: usize = 200;

/// The long outputs of one session.
pub struct Outputs {
    folder: PathBuf,
}

impl Outputs {
    /// Those of `session`.
    pub fn of(folders: &AgentFolders, session: &ConversationId) -> Self {
        Self { folder: folders.sessions.join(format!("{session}.out")) }
    }

    /// The outcome with the number under which its whole is kept, if it is longer than `bytes_max`. One that cannot be
    /// kept has none, and the loop cuts it. Writes a file, so it can block.
    pub fn keep(&self, outcome: ToolOutcome, bytes_max: u32) -> ToolOutcome {
        if outcome.json.len() <= bytes_max as usize {
            return outcome;
        }
        let kept = self.put_away(&outcome);
        if let Err(error) = &kept {
            tracing::warn!(%error, "a long output is cut because it cannot be put away");
        }
        ToolOutcome { spill: kept.ok(), ..outcome }
    }

    /// A page of output `n` from byte `offset` on, or the places behind it at which `pattern` stands.
    pub fn read(&self, n: u32, offset: u64, pattern: Option<&str>) -> Result<OutputPage, OpError> {
        let text = self.text(n)?;
        let trust = self.trust(n);
        let start = text.ceil_char_boundary(usize::try_from(offset).unwrap_or(usize::MAX).min(text.len()));
        let (part, next) = match pattern {
            None => page(&text, start),
            Some(pattern) if (1..=PATTERN_BYTES_MAX).contains(&pattern.len()) => places(&text, start, pattern),
            Some(_) => {
                let message = format!("A pattern is 1 to {PATTERN_BYTES_MAX} bytes.");
                return Err(OpError::bad_input(AgentCode::BadPattern, "pattern", message));
            }
        };
        let next_offset = next.map(|next| next as u64);
        Ok(OutputPage { n, offset: start as u64, text: part, next_offset, bytes: text.len() as u64, trust })
    }

    fn put_away(&self, outcome: &ToolOutcome) -> std::io::Result<u32> {
        files::make_folder(&self.folder)?;
        let n = self.next()?;
        // The trust first: an output without one counts as nobody's word.
        files::make(&self.file(n, "trust"), word(&outcome.trust).as_bytes())?;
        files::make(&self.file(n, "txt"), outcome.json.as_bytes())?;
        Ok(n)
    }

    /// Believes output `n` no more than untrusted text, whatever made it. Removes a file, so it can block.
    pub fn distrust(&self, n: u32) -> std::io::Result<()> {
        files::remove(&self.file(n, "trust"))
    }

    /// The number after the largest that any file has.
    fn next(&self) -> std::io::Result<u32> {
        let mut next = 0;
        for entry in std::fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let number = Path::new(&name).file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
            next = number.map_or(next, |number: u32| next.max(number.saturating_add(1)));
        }
        if next < FILES_MAX { Ok(next) } else { Err(std::io::Error::other("too many outputs in this session")) }
    }

    /// The whole of output `n`. Reads a file, so it can block.
    pub fn text(&self, n: u32) -> Result<String, OpError> {
        let failed = |error: std::io::Error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                return OpError::not_found(AgentCode::OutputNotFound, "output", n);
            }
            OpError::new(AgentCode::OutputFailed, format!("Output {n} cannot be read: {error}."))
        };
        let mut bytes = Vec::new();
        let file = files::open(&self.file(n, "txt")).map_err(failed)?;
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(failed)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn trust(&self, n: u32) -> Trust {
        let mut word = String::new();
        let read = files::open(&self.file(n, "trust")).and_then(|file| file.take(16).read_to_string(&mut word));
        match read.map(|_| word.as_str()) {
            Ok("trusted") => Trust::Trusted,
            Ok("typed") => Trust::Typed,
            // A file that is missing, or that somebody has changed, vouches for nothing.
            Ok(_) | Err(_) => Trust::Text,
        }
    }

    fn file(&self, n: u32, ending: &str) -> PathBuf {
        self.folder.join(format!("{n}.{ending}"))
    }
}

fn begin(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// As much of `text` from `start` on as one result may hold, and where the rest begins.
fn page(text: &str, start: usize) -> (String, Option<usize>) {
    let rest = &text[start..];
    let mut part = begin(rest, PAGE_BYTES);
    // Quotes and line ends grow when they are put into JSON.
    while written_bytes(part) > PAGE_BYTES {
        part = begin(part, part.len() / 2);
    }
    let next = start + part.len();
    (part.to_owned(), (next < text.len()).then_some(next))
}

/// The places from `start` on at which `pattern` stands, each on a line with its offset, and where to look on.
fn places(text: &str, start: usize, pattern: &str) -> (String, Option<usize>) {
    let mut found = String::new();
    for (at, _) in text[start..].match_indices(pattern).map(|(at, hit)| (start + at, hit)) {
        let from = text.floor_char_boundary(at.saturating_sub(AROUND_BYTES));
        let to = text.ceil_char_boundary((at + pattern.len() + AROUND_BYTES).min(text.len()));
        let line = format!("{at}: {}\n", &text[from..to]);
        if written_bytes(&found) + written_bytes(&line) > PAGE_BYTES {
            return (found, Some(at));
        }
        found.push_str(&line);
    }
    (found, None)
}

/// Bytes of `text` as a JSON string.
fn written_bytes(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX, |written| written.len())
}

#[cfg(test)]
mod tests;
