//! Memory of one conversation while messages come in.

use std::collections::VecDeque;
use std::time::Duration;

use robot::Instant;

use super::RawMessage;

/// Messages that are gathered at most.
const GATHERED_MAX: usize = 20;
/// The time of gathering may become so many times as long.
const WINDOWS_MAX: u32 = 3;
/// Ids that are remembered.
const IDS_MAX: usize = 500;
/// Messages that wait to be read along.
const WAITING_MAX: usize = 50;
/// Longest time that they wait.
const WAITING: Duration = Duration::from_secs(24 * 60 * 60);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
/// Times of messages that are remembered: more than any rate lets through in a minute.
const TIMES_MAX: usize = 1_000;

/// One conversation.
#[derive(Debug, Clone, Default)]
pub(super) struct Chat {
    gathered: Vec<RawMessage>,
    /// Time at which the first of them came, and time at which they are let go.
    window: Option<(Instant, Instant)>,
    ids: VecDeque<String>,
    waiting: VecDeque<RawMessage>,
    /// Senders of admitted messages, each with its time.
    admitted: VecDeque<(String, Instant)>,
    last_at: Instant,
}

impl Chat {
    /// Adds a message to those that are gathered. True if there is no place for another one.
    pub fn gather(&mut self, message: RawMessage, debounce_ms: u32) -> bool {
        let now = message.at;
        let wait = Duration::from_millis(debounce_ms.into());
        let began = self.window.map_or(now, |(began, _)| began);
        // Every message makes the wait longer, but nobody can hold the others back for ever.
        let until = now.plus(wait).min(began.plus(wait * WINDOWS_MAX));
        self.window = Some((began, until));
        self.last_at = now;
        self.gathered.push(message);
        self.gathered.len() >= GATHERED_MAX
    }

    pub const fn last_at(&self) -> Instant {
        self.last_at
    }

    pub fn due(&self) -> Option<Instant> {
        self.window.map(|(_, until)| until)
    }

    pub fn take_gathered(&mut self) -> Vec<RawMessage> {
        self.window = None;
        std::mem::take(&mut self.gathered)
    }

    /// False if a message of this id came before.
    pub fn is_new(&mut self, id: &str) -> bool {
        if self.ids.iter().any(|known| known == id) {
            return false;
        }
        if self.ids.len() >= IDS_MAX {
            self.ids.pop_front();
        }
        self.ids.push_back(id.to_owned());
        true
    }

    /// True if sender and conversation stay within their rates, a second and a minute; the message then counts.
    pub fn is_within_rate(&mut self, message: &RawMessage, per_s: Option<u32>, per_min: Option<u32>) -> bool {
        let now = message.at;
        self.admitted.retain(|(_, at)| now.since(*at) < MINUTE);
        let by_sender =
            self.admitted.iter().filter(|(who, at)| *who == message.sender && now.since(*at) < SECOND).count();
        let stays = |count: usize, most: Option<u32>| {
            most.is_none_or(|most| u32::try_from(count).is_ok_and(|count| count < most))
        };
        let fits = stays(by_sender, per_s) && stays(self.admitted.len(), per_min) && self.admitted.len() < TIMES_MAX;
        // Refused messages do not count, or a sender who keeps trying would be locked out for good.
        if fits {
            self.admitted.push_back((message.sender.clone(), now));
        }
        fits
    }

    pub fn wait(&mut self, message: RawMessage, now: Instant) {
        self.forget_old(now);
        if self.waiting.len() >= WAITING_MAX {
            self.waiting.pop_front();
        }
        self.waiting.push_back(message);
    }

    pub fn take_history(&mut self, now: Instant) -> Vec<RawMessage> {
        self.forget_old(now);
        std::mem::take(&mut self.waiting).into()
    }

    fn forget_old(&mut self, now: Instant) {
        self.waiting.retain(|message| now.since(message.at) < WAITING);
    }
}
