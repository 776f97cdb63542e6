//! Messages on their way in: gathered, told apart, let in or not. Pure: time comes in, and what passes comes out.

mod chat;

use std::collections::{BTreeMap, BTreeSet};

use robot::Instant;

use crate::{DirectPolicy, IngressPolicy, IngressStep, RoomPolicy};
use chat::Chat;

/// Conversations that are followed at a time; the one that was silent longest is forgotten first.
const CHATS_MAX: usize = 256;

/// A message as it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawMessage {
    /// Names it within its conversation.
    pub id: String,
    /// The room it was written in; absent if it was written to the agent alone.
    pub room: Option<String>,
    /// Author, as the channel knows them.
    pub sender: String,
    /// That person is signed in at this station.
    pub is_signed_in: bool,
    /// That person is an admin of this station.
    pub is_admin: bool,
    /// It names the agent.
    pub mentions: bool,
    /// 0 for a person's own words, else how many answers of agents led to it.
    pub hop: u8,
    /// Words of the message.
    pub text: String,
    /// Time of arrival.
    pub at: Instant,
}

/// Outcome of incoming messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ingressed {
    /// They begin a turn, together, oldest first.
    Passed {
        /// Messages of the room that named nobody and wait to be read along.
        history: Vec<RawMessage>,
        /// Messages to be answered.
        messages: Vec<RawMessage>,
    },
    /// It goes no further.
    Stopped {
        /// Its id.
        id: String,
        /// Step at which it was stopped.
        step: IngressStep,
    },
    /// It names nobody: it waits until a message of its room does.
    Waits {
        /// Its id.
        id: String,
    },
}

impl RawMessage {
    /// True if it alone may begin a turn: two agents that answer each other come to an end.
    const fn begins(&self, needs_mention: bool, hops_max: u8) -> bool {
        self.hop <= hops_max && (self.mentions || !needs_mention)
    }
}

/// The way in of one agent.
#[derive(Debug, Clone)]
pub struct Ingress {
    policy: IngressPolicy,
    people: BTreeSet<String>,
    rooms: BTreeSet<String>,
    hops_max: u8,
    chats: BTreeMap<String, Chat>,
}

impl Ingress {
    /// `people` and `rooms` are those on the lists.
    #[must_use]
    pub const fn new(policy: IngressPolicy, people: BTreeSet<String>, rooms: BTreeSet<String>) -> Self {
        Self { policy, people, rooms, hops_max: 0, chats: BTreeMap::new() }
    }

    /// The same, letting words begin a turn that so many answers of agents have led to.
    #[must_use]
    pub fn with_hops_max(self, hops_max: u8) -> Self {
        Self { hops_max, ..self }
    }

    /// Messages that were let in before and that no turn was told of: they wait to be read along with the next ones.
    pub fn put_back(&mut self, messages: Vec<RawMessage>, now: Instant) {
        for message in messages {
            let key = key_of(&message);
            self.make_room(&key);
            self.chats.entry(key).or_default().wait(message, now);
        }
    }

    /// Takes a message in. Those of a room are gathered for a while; direct ones and those of an admin go at once, and
    /// take along what was gathered before.
    pub fn take(&mut self, message: RawMessage) -> Vec<Ingressed> {
        let now = message.at;
        let goes_at_once = message.room.is_none() || message.is_admin || self.policy.debounce_ms == 0;
        let key = key_of(&message);
        self.make_room(&key);
        let chat = self.chats.entry(key.clone()).or_default();
        let is_full = chat.gather(message, self.policy.debounce_ms);
        if goes_at_once || is_full { self.release(&key, now) } else { Vec::new() }
    }

    /// Lets go what was gathered long enough.
    pub fn tick(&mut self, now: Instant) -> Vec<Ingressed> {
        let is_due = |chat: &Chat| chat.due().is_some_and(|due| due <= now);
        let due: Vec<String> = self.chats.iter().filter(|(_, chat)| is_due(chat)).map(|(key, _)| key.clone()).collect();
        due.iter().flat_map(|key| self.release(key, now)).collect()
    }

    /// Time at which [`Self::tick`] has something to do next.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        self.chats.values().filter_map(Chat::due).min()
    }

    /// The fixed order: told apart, policy, rate, mention.
    fn release(&mut self, key: &str, now: Instant) -> Vec<Ingressed> {
        let Some(mut chat) = self.chats.remove(key) else { return Vec::new() };
        let (mut out, mut messages) = (Vec::new(), Vec::new());
        for message in chat.take_gathered() {
            match self.stopped(&mut chat, &message) {
                Some(step) => out.push(Ingressed::Stopped { id: message.id, step }),
                None => messages.push(message),
            }
        }
        // A direct message is meant for the agent, so what was gathered with it need not name anybody.
        let needs_mention = self.policy.mention && messages.iter().all(|message| message.room.is_some());
        if !messages.is_empty() && !messages.iter().any(|message| message.begins(needs_mention, self.hops_max)) {
            for message in messages {
                out.push(Ingressed::Waits { id: message.id.clone() });
                // The message may be what the next one, which names the agent, is about.
                chat.wait(message, now);
            }
        } else if !messages.is_empty() {
            out.push(Ingressed::Passed { history: chat.take_history(now), messages });
        }
        self.chats.insert(key.to_owned(), chat);
        out
    }

    fn stopped(&self, chat: &mut Chat, message: &RawMessage) -> Option<IngressStep> {
        // Looked at first, so that a message that was refused once is not judged again when it is delivered
        // twice.
        if !chat.is_new(&message.id) {
            return Some(IngressStep::Dedupe);
        }
        if !self.admits(message) {
            return Some(IngressStep::Policy);
        }
        let per_s = self.policy.sender_per_s;
        let per_min = self.policy.room_per_min.filter(|_| message.room.is_some());
        (!chat.is_within_rate(message, per_s, per_min)).then_some(IngressStep::Rate)
    }

    fn admits(&self, message: &RawMessage) -> bool {
        match &message.room {
            None => match self.policy.direct {
                DirectPolicy::Open => true,
                DirectPolicy::Allowlist => message.is_admin || self.people.contains(&message.sender),
                DirectPolicy::AdminOnly => message.is_admin,
                DirectPolicy::SignedIn => message.is_signed_in,
                DirectPolicy::Disabled => false,
            },
            Some(room) => match self.policy.rooms {
                RoomPolicy::Open => true,
                RoomPolicy::Allowlist => self.rooms.contains(room),
                RoomPolicy::Disabled => false,
            },
        }
    }

    fn make_room(&mut self, key: &str) {
        if self.chats.contains_key(key) || self.chats.len() < CHATS_MAX {
            return;
        }
        // A full table forgets instead of refusing: silent conversations must not lock out a new one.
        let silent = self.chats.iter().min_by_key(|(_, chat)| chat.last_at()).map(|(key, _)| key.clone());
        if let Some(silent) = silent {
            self.chats.remove(&silent);
        }
    }
}

/// A room, or a person who writes directly; no name of one is a name of the other.
fn key_of(message: &RawMessage) -> String {
    message.room.as_ref().map_or_else(|| format!("@{}", message.sender), |room| format!("#{room}"))
}

#[cfg(test)]
mod tests;
