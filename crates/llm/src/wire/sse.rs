//! Server-sent events out of bytes, however these are split (WHATWG HTML, section 9.2.6).

use super::halves::Halves;

#[cfg(test)]
mod tests;

/// One event: everything up to its blank line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// Its name, if it has one.
    pub event: Option<String>,
    /// Its data lines, joined with line feeds.
    pub data: String,
}

/// Reads events. What has not seen its blank line when the stream ends is lost: it may be half an event.
#[derive(Debug, Default)]
pub(crate) struct Sse {
    line: Vec<u8>,
    event: Option<String>,
    data: Option<Vec<u8>>,
    /// The last byte was a carriage return, so a line feed now belongs to the same line end.
    after_return: bool,
    /// A byte order mark may stand only before the first line.
    begun: bool,
    halves: Halves,
    /// Events so far.
    events: u64,
}

impl Sse {
    /// Takes the next bytes and gives the events that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                other => self.line.push(*other),
            }
        }
        events
    }

    /// True once an event has arrived.
    pub const fn has_events(&self) -> bool {
        self.events > 0
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with("\u{feff}".as_bytes()) {
            line.drain(.."\u{feff}".len());
        }
        if line.is_empty() {
            let event = self.event.take();
            let data = self.data.take()?;
            self.events += 1;
            return Some(SseEvent { event, data: self.halves.mend(&text(&data)).into_owned() });
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let name = &line[..colon.unwrap_or(line.len())];
        let value = colon.map_or(&[][..], |at| &line[at + 1..]);
        // One blank behind the colon belongs to the format and not to the value.
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            },
            b"event" => self.event = Some(text(value)),
            // A comment, or a field that no provider needs.
            _ => {}
        }
        None
    }
}

/// Only whole lines come here, so no character is split.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
