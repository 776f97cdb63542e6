//! A conversation that has ended by itself, by the clock or by silence: it is summed up, remembered and begun anew
//! before the message that comes next.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use llm::Block;
use robot::Now;

use super::Turn;
use super::state::Phase;
use crate::context::visible::VisibleEntries;
use crate::{Compaction, Effect, EntryKind, EpochReason, Fact, Message, Purpose, stale};

/// Characters that one note may hold.
const NOTE_CHARS_MAX: usize = 2_000;

impl Turn {
    /// True if the conversation does not go on with a message that comes now.
    pub(super) fn is_stale(&self) -> bool {
        let shown = VisibleEntries::of(&self.log.transcript).entries;
        let Some(newest) = shown.iter().rfind(|entry| entry.kind == EntryKind::User) else { return false };
        let session = &self.policy().session;
        // A time that no calendar has is no reason to give a conversation up.
        let times = timestamp(newest.at_ms).zip(timestamp(self.log.now.wall_ms));
        times.is_some_and(|(last, now)| stale(session, last, now, &self.zone).is_some())
    }

    /// Has the conversation summed up, if somebody can do that, and begins it anew with `message`.
    pub(super) fn renew(&mut self, message: Message) {
        let whole = Compaction::whole(&self.log.transcript);
        // Without money or a language model nobody writes a summary; the conversation begins anew all the same.
        let asks = self.has_language_model() && self.spent().is_none();
        match whole.filter(|_| asks) {
            Some(whole) => {
                let request = whole.request(self.side());
                self.log.effects.push(Effect::Call { purpose: Purpose::Summary, request });
                self.state.phase = Phase::Renewing(Box::new(message));
            }
            None => self.renewed(None, &message),
        }
    }

    /// Keeps what the conversation came to, leaves it behind and takes the message.
    pub(super) fn renewed(&mut self, answer: Option<&str>, message: &Message) {
        let whole = Compaction::whole(&self.log.transcript);
        if let Some((whole, title)) = whole.zip(title(self.log.now, &self.zone)).filter(|_| self.may_remember()) {
            let tainted = whole.trust() == robot::Trust::Text;
            let texts = whole.summary(answer).into_iter().filter_map(|block| match block {
                Block::Text { text, .. } => Some(text),
                Block::Call { .. } | Block::Result { .. } => None,
            });
            self.remember(notes(&title, &texts.collect::<String>()), tainted);
        }
        self.log.change_epoch(EpochReason::SessionReset);
        self.begin(message);
    }
}

/// A text in as many notes as it needs.
fn notes(title: &str, text: &str) -> Vec<Fact> {
    let chars: Vec<char> = text.chars().collect();
    let parts = chars.chunks(NOTE_CHARS_MAX).zip(1..);
    let note = |(part, number): (&[char], u32)| {
        let title = if number == 1 { title.to_owned() } else { format!("{title}, part {number}") };
        Fact { title, text: part.iter().collect() }
    };
    parts.map(note).collect()
}

fn timestamp(wall_ms: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(wall_ms).ok()
}

fn title(now: Now, zone: &TimeZone) -> Option<String> {
    let day = timestamp(now.wall_ms)?.to_zoned(zone.clone()).date();
    Some(format!("Conversation before {day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_09_a_long_summary_is_remembered_whole_in_several_notes() {
        let lengths = |chars: usize| -> Vec<(String, usize)> {
            let notes = notes("Talk", &"ä".repeat(chars));
            notes.into_iter().map(|note| (note.title, note.text.chars().count())).collect()
        };
        assert_eq!(lengths(2_000), [("Talk".to_owned(), 2_000)]);
        assert_eq!(lengths(2_001), [("Talk".to_owned(), 2_000), ("Talk, part 2".to_owned(), 1)]);
    }
}
