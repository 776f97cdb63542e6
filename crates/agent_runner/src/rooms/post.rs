//! This station's own messages in its rooms: people's by an operation, the agent's by the answer of its turn.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use agent::{RawMessage, RoomLine};
use bridge::{BridgeCode, BridgeError, RoomMessage};
use memory::{MemoryError, StoredRoomMessage};
use robot::{Instant, Role, RoomId};

use super::hear::Arrival;
use super::{OWN, Room};
use crate::code::AgentCode;
use crate::operation_names::POST_ROOM;
use crate::runner::AgentRunner;
use runtime::audit::AuditEntry;
use runtime::error::{ErrorKind, OpError};
use runtime::session::Session;
use runtime::wire::{RoomPosted, Tag};

/// Messages of one station in one room within [`WITHIN`]: what every other station lets in.
const POSTS_MAX: usize = 20;
const WITHIN: Duration = Duration::from_secs(60);
/// The least time between two of them: others let in one a second, as they arrive.
const POST_EVERY: Duration = Duration::from_millis(1_100);
/// Characters of an answer; what is longer is cut.
const ANSWER_CHARS_MAX: usize = 4_000;
/// The mark at the end of an answer that was cut.
const CUT_MARK: &str = "… [cut]";

/// The speaker of a message of this station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Speaker {
    name: String,
    is_admin: bool,
    /// 0 for a person, else how many answers of agents there were with this one.
    hop: u8,
}

/// This station's newest number in a room, and the times at which it spoke.
#[derive(Debug)]
pub(super) struct Posting {
    seq: u64,
    posted: VecDeque<Instant>,
}

impl Speaker {
    /// Whoever calls.
    pub fn of(by: &Session, role: Role) -> Self {
        let name = match by.agent() {
            Some(agent) if by.is_agent() => agent.to_string(),
            Some(_) | None => by.actor().to_owned(),
        };
        Self { name, is_admin: role == Role::Admin, hop: u8::from(by.is_agent()) }
    }
}

impl Posting {
    /// Goes on after the number `seq`.
    pub fn after(seq: u64) -> Self {
        Self { seq, posted: VecDeque::new() }
    }

    /// Takes a place at `now`: how long to wait for it, or none if there are too many.
    fn place(&mut self, now: Instant) -> Option<Duration> {
        self.posted.retain(|at| now.since(*at) < WITHIN);
        if self.posted.len() >= POSTS_MAX {
            return None;
        }
        let at = self.posted.back().map_or(now, |last| last.plus(POST_EVERY).max(now));
        self.posted.push_back(at);
        Some(at.since(now))
    }

    /// The next number: a station that has lost its count goes on above it all the same.
    fn next(&mut self, wall_ms: i64) -> u64 {
        self.seq = (self.seq + 1).max(u64::try_from(wall_ms).unwrap_or_default());
        self.seq
    }
}

impl Room {
    /// Says `text` in the room. It is on its way when this returns, and on disk here: if the disk takes it no more, the
    /// answer says so, and is no error, because everybody has it and would have it twice.
    pub async fn post(
        self: &Arc<Self>,
        runner: &Arc<AgentRunner>,
        speaker: Speaker,
        text: &str,
    ) -> Result<RoomPosted, OpError> {
        let text = text.trim().to_owned();
        let line = RoomLine { name: speaker.name.clone(), text: text.clone(), at_ms: 0, since_ms: None };
        line.sanitised().map_err(|error| OpError::bad_input(AgentCode::BadMessage, "text", error.to_string()))?;
        // Held while it waits for its place, so that numbers rise in the order of sending.
        let mut posting = self.posting.lock().await;
        let wait = posting.place(runner.runtime.clock.now().station).ok_or_else(too_many)?;
        tokio::time::sleep(wait).await;
        let now = runner.runtime.clock.now();
        let seq = posting.next(now.wall_ms);
        // On disk before it is used: other stations drop a number that comes twice.
        self.agent.db.note_room_seq(self.id.as_str(), OWN, seq).await?;
        let message = RoomMessage { room: self.id.clone(), sender: speaker.name.clone(), seq, hop: speaker.hop, text };
        self.put(message.clone()).await?;
        drop(posting);
        let stored = StoredRoomMessage {
            n: 0,
            room: self.id.to_string(),
            station: OWN.to_owned(),
            sender: speaker.name.clone(),
            hop: speaker.hop,
            text: message.text.clone(),
            at_ms: now.wall_ms,
            waits: speaker.hop == 0 && self.answers,
        };
        let kept = self.agent.db.add_room_messages(&[stored]).await;
        if let Err(error) = &kept {
            self.agent.storage.note_failed(&runner.runtime, &self.agent.id, error);
        }
        let posted = posted(&self.id, kept);
        runner.runtime.bus.changed(Tag::Transcript);
        if speaker.hop == 0 {
            let said = self.own_message(&speaker, &message, posted.n, now.station);
            // A full queue means a flood from outside: what was said is shown, and begins no turn here.
            let _ = self.arrivals.try_send(Arrival::Own(said));
        }
        Ok(posted)
    }

    fn own_message(&self, speaker: &Speaker, message: &RoomMessage, n: i64, at: Instant) -> (RawMessage, i64) {
        let said = RawMessage {
            id: format!("{OWN}/{}", message.seq),
            room: Some(self.id.to_string()),
            sender: speaker.name.clone(),
            is_signed_in: true,
            is_admin: speaker.is_admin,
            mentions: super::talk::is_named(&message.text, self.name.as_str()),
            hop: speaker.hop,
            text: message.text.clone(),
            at,
        };
        (said, n)
    }

    async fn put(&self, message: RoomMessage) -> Result<(), OpError> {
        let publisher = Arc::clone(&self.publisher);
        let put = tokio::task::spawn_blocking(move || publisher.put(&message)).await;
        match put {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(not_put(&error)),
            Err(error) => Err(OpError::new(BridgeCode::NotPut, error.to_string()).of_kind(ErrorKind::Internal)),
        }
    }

    /// Posts the answer of a turn: once, whole or cut, as the agent's word.
    pub async fn answer(self: &Arc<Self>, runner: &Arc<AgentRunner>, hop: u8, text: &str) {
        let by = Session::of_agent(&self.agent.id);
        let speaker = Speaker { name: self.name.to_string(), is_admin: false, hop };
        // A place in the audit first: nothing is said that could not be put on record.
        let room = runner.runtime.audit.reserve();
        let posted = match &room {
            Ok(_) => self.post(runner, speaker, &cut(text)).await,
            Err(error) => Err(error.clone()),
        };
        let outcome = posted.as_ref().map_or_else(|error| error.code.as_str(), |_| "ok");
        let ended = AuditEntry::by(&by, POST_ROOM, outcome).about(format!("room={}", self.id));
        match room {
            Ok(room) => drop(room.note(ended)),
            Err(_) => runner.runtime.audit.note_done(ended),
        }
        if let Err(error) = posted {
            tracing::warn!(room = %self.id, error = error.message, "an answer did not reach its room");
            runner
                .runtime
                .bus
                .event("room_answer_lost", format!("The answer did not reach the room {}: {}", self.id, error.message));
        }
    }
}

/// An answer that every station reads whole.
fn cut(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= ANSWER_CHARS_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(ANSWER_CHARS_MAX - CUT_MARK.chars().count()).collect();
    format!("{kept}{CUT_MARK}")
}

/// The confirmation of a message that was said, and kept here or not; without a number it is kept later if it begins a
/// turn.
fn posted(room: &RoomId, kept: Result<Vec<i64>, MemoryError>) -> RoomPosted {
    let (n, message) = match kept {
        Ok(numbers) => (numbers.first().copied().unwrap_or_default(), format!("Said in {room}")),
        Err(error) => (
            0,
            format!("Said in {room}. It is not kept at this station: {error}. Everybody has it; do not say it again."),
        ),
    };
    RoomPosted { room: room.clone(), n, message }
}

fn too_many() -> OpError {
    OpError::new(
        AgentCode::RateLimited,
        format!("This station has said {POSTS_MAX} things in this room within a minute."),
    )
}

fn not_put(error: &BridgeError) -> OpError {
    OpError::new(error.code(), format!("Nothing was said: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_04_a_station_speaks_as_often_as_the_others_listen() {
        let (mut posting, at) = (Posting::after(7), Instant::from_millis);
        let waits: Vec<u128> = (0..3).filter_map(|_| posting.place(at(5_000))).map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [0, 1_100, 2_200]);
        assert_eq!(posting.place(at(20_000)), Some(Duration::ZERO));
        assert_eq!((4..POSTS_MAX).filter(|_| posting.place(at(40_000)).is_some()).count(), POSTS_MAX - 4);
        assert_eq!(posting.place(at(40_000)), None);
        assert_eq!(posting.place(at(140_000)), Some(Duration::ZERO));
    }

    #[test]
    fn what_everybody_has_read_is_answered_as_said_also_if_the_disk_does_not_take_it() {
        let room = RoomId::new("ops").unwrap();
        assert_eq!(posted(&room, Ok(vec![7])), RoomPosted { room: room.clone(), n: 7, message: "Said in ops".into() });
        let full = MemoryError::Unreadable { table: "room_message", row: "7".into(), message: "disk full".into() };
        let answer = posted(&room, Err(full));
        assert!(answer.n == 0 && answer.message.starts_with("Said in ops. It is not kept"), "{}", answer.message);
    }

    #[test]
    fn c_06_a_number_rises_whatever_the_clock_or_the_disk_has_lost() {
        let mut posting = Posting::after(7);
        assert_eq!([posting.next(5), posting.next(1_000), posting.next(900)], [8, 1_000, 1_001]);
    }

    #[test]
    fn c_03_a_long_answer_is_cut_and_says_so() {
        assert_eq!(cut(" short "), "short");
        let long = cut(&"ä".repeat(4_001));
        assert_eq!((long.chars().count(), long.ends_with(CUT_MARK)), (ANSWER_CHARS_MAX, true));
    }
}
