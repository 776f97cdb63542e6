//! Head of a conversation: the facts that a list shows of it.

use agent::{Content, EntryLine, LineKind, LineRole, Marker, Part};

/// Characters of a title.
const TITLE_CHARS_MAX: usize = 80;

/// A conversation in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The first words of a person in it.
    pub title: Option<String>,
    /// When its first entry was made, UTC milliseconds.
    pub started_ms: Option<i64>,
    /// And its newest.
    pub last_ms: Option<i64>,
    /// Number of messages of people and of the agent.
    pub messages: u64,
    /// Of its newest entry.
    pub epoch: u32,
}

impl Head {
    pub fn of(lines: &[EntryLine]) -> Self {
        let mut head = Self::default();
        lines.iter().for_each(|line| head.note(line));
        head
    }

    /// Takes in one more entry.
    pub fn note(&mut self, line: &EntryLine) {
        self.started_ms.get_or_insert(line.at_ms);
        self.last_ms = Some(line.at_ms);
        self.epoch = line.epoch;
        let words = words(line);
        let speaks = match line.role {
            LineRole::User => line.kind == LineKind::User,
            // A reply that only calls tools has no words, and nobody reads it as a message.
            LineRole::Assistant => !words.is_empty(),
            LineRole::Tool | LineRole::System => false,
        };
        self.messages += u64::from(speaks);
        if line.kind == LineKind::User && self.title.is_none() {
            let in_a_room = said_in_a_room(&words);
            let words = in_a_room.as_deref().unwrap_or_else(|| without_envelope(&words));
            let mut title: String = words.chars().take(TITLE_CHARS_MAX).collect();
            if title.len() < words.len() {
                title.push('…');
            }
            self.title = Some(title);
        }
    }
}

/// The words of an entry; the call of one that has none is no word.
pub(super) fn words(line: &EntryLine) -> String {
    let said = match &line.content {
        Some(Content::Text(text)) => text.clone(),
        Some(Content::Parts(parts)) => {
            let texts = parts.iter().map(|Part::Text { text, .. }| text.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        None => String::new(),
    };
    match &line.marker {
        // The marker holds all that is left of a reply that was cut off.
        Some(Marker::Cancelled { partial, .. } | Marker::CutByLength { partial } | Marker::Refused { partial, .. }) => {
            partial.clone()
        }
        Some(Marker::Epoch { .. } | Marker::MaskLine { .. } | Marker::Flushed | Marker::Resumed) | None => said,
    }
}

/// `[Desk (@dana, Operator) 2026-03-08 17:15 UTC] move …` without the part in brackets.
pub(super) fn without_envelope(text: &str) -> &str {
    let body = text.strip_prefix("[Desk (").and_then(|rest| rest.split_once("] "));
    body.map_or(text, |(_, body)| body)
}

/// The first words of a room, with who said them: `eva@north: good morning`.
fn said_in_a_room(text: &str) -> Option<String> {
    let (_, said) = text.strip_prefix("[Room ")?.split_once("] ")?;
    Some(said.lines().next()?.replace("<user_message>", "").replace("</user_message>", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_14_a_title_has_no_envelope() {
        let room = "[Room ops (+1m 2026-03-08 17:15 UTC)] eva@north: <user_message>go</user_message>\n[Room ops …";
        assert_eq!(said_in_a_room(room).as_deref(), Some("eva@north: go"));
        assert_eq!(said_in_a_room("[Desk (@dana, Operator) …] go"), None);
        assert_eq!(without_envelope("[Desk (@dana, Operator) 2026-03-08 17:15 UTC] go"), "go");
    }
}
