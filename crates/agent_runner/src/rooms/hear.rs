//! The way in of a room: messages are tested, counted, gathered, let in or not, kept, and handed to the agent. One task
//! for each room, so that messages keep their order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use agent::{Event, Ingress, IngressPolicy, Ingressed, RawMessage, RoomLine, name};
use bridge::signing::SignedSample;
use bridge::{BridgeError, ROOM_MESSAGE_BYTES_MAX, RoomMessage, RoomMessageError, Subscription};
use memory::{MemoryError, StoredRoomMessage};
use robot::{StationId, TurnId};
use tokio::sync::mpsc;

use super::budget::Budget;
use super::drops::{Drops, drop_of, step_of};
use super::talk::{Talk, is_named};
use super::{OWN, Room};
use crate::runner::AgentError;
use crate::runner::AgentRunner;
use runtime::wire::{Fact, RoomDrop, Tag};

/// Greatest age of kept messages that the agent is told at a start, milliseconds.
const WAITING_MS: i64 = 24 * 60 * 60 * 1_000;
/// Greatest number of them.
const WAITING_MAX: u32 = 50;

/// A message to be let in.
pub(super) enum Arrival {
    /// A message from the network, of which nothing is believed yet.
    Signed(SignedSample),
    /// A person's message from this station, with its number: it is kept already.
    Own((RawMessage, i64)),
}

/// The way in of one room.
struct Ear {
    room: Arc<Room>,
    ingress: Ingress,
    /// Messages on which the ingress has not decided yet, by id; as many as it gathers.
    gathered: BTreeMap<String, StoredRoomMessage>,
}

/// Hands on what other stations put on the room's key, as much of it as is looked at.
pub(super) async fn subscribe(
    runner: &Arc<AgentRunner>,
    key_expr: &str,
    arrivals: mpsc::Sender<Arrival>,
    drops: Arc<Drops>,
) -> Result<Subscription, BridgeError> {
    let budget = Budget::default();
    let on_message = move |message: SignedSample| {
        // Length and number first: to test a signature costs far more, and anybody can send.
        let dropped = if message.sample.payload.len() > ROOM_MESSAGE_BYTES_MAX {
            Some(RoomDrop::TooLarge)
        } else if !budget.admit(message.sample.received) || arrivals.try_send(Arrival::Signed(message)).is_err() {
            Some(RoomDrop::TooMany)
        } else {
            None
        };
        if let Some(why) = dropped.filter(|why| drops.count(*why)) {
            tracing::warn!(?why, "a message of a room is not looked at");
        }
    };
    runner.runtime.link.subscribe_signed(key_expr, on_message).await
}

/// Begins to let in what arrives; goes on with what an earlier run has left waiting.
pub(super) async fn start(
    runner: &Arc<AgentRunner>,
    room: &Arc<Room>,
    policy: IngressPolicy,
    mut arriving: mpsc::Receiver<Arrival>,
) -> Result<(), AgentError> {
    let mut ear = Ear::open(runner, room, policy).await?;
    let runner = Arc::clone(runner);
    runner.runtime.tasks.clone().spawn(async move {
        loop {
            let now = runner.runtime.clock.now().station;
            let wait = ear.ingress.due().map_or(Duration::MAX, |due| due.since(now));
            let let_in = tokio::select! {
                () = runner.runtime.ended.cancelled() => return,
                arrival = arriving.recv() => match arrival {
                    Some(arrival) => ear.take(&runner, arrival).await,
                    None => return,
                },
                () = sleep(wait) => ear.ingress.tick(runner.runtime.clock.now().station),
            };
            for ingressed in let_in {
                ear.settle(&runner, ingressed).await;
            }
        }
    });
    Ok(())
}

impl Ear {
    async fn open(runner: &AgentRunner, room: &Arc<Room>, policy: IngressPolicy) -> Result<Self, MemoryError> {
        let now = runner.runtime.clock.now();
        let listed = BTreeSet::from([room.id.to_string()]);
        let policy = IngressPolicy { mention: room.mention, ..policy };
        let mut ingress = Ingress::new(policy, BTreeSet::new(), listed).with_hops_max(room.hops_max);
        let since_ms = now.wall_ms.saturating_sub(WAITING_MS);
        let waiting = room.agent.db.room_waiting(room.id.as_str(), since_ms, WAITING_MAX).await?;
        let raw = waiting.into_iter().map(|stored| {
            let ago_ms = u64::try_from(now.wall_ms.saturating_sub(stored.at_ms)).unwrap_or_default();
            let at = now.station.minus(Duration::from_millis(ago_ms));
            RawMessage { id: format!("kept/{}", stored.n), ..raw(&stored, room, at) }
        });
        ingress.put_back(raw.collect(), now.station);
        Ok(Self { room: Arc::clone(room), ingress, gathered: BTreeMap::new() })
    }

    /// Takes a message in, unless it is none.
    async fn take(&mut self, runner: &Arc<AgentRunner>, arrival: Arrival) -> Vec<Ingressed> {
        let (message, stored) = match arrival {
            Arrival::Own((message, n)) => {
                let stored = StoredRoomMessage { n, ..stored(&message, OWN, &message.sender, 0) };
                (message, stored)
            }
            Arrival::Signed(signed) => {
                match self.room.heard_by_key(&signed) {
                    Ok((member, message)) => match self.heard(runner, &member, message).await {
                        Ok(taken) => taken,
                        Err(why) => return self.drop(runner, &member.to_string(), why),
                    },
                    // The same list of members may stand at every station.
                    Err(RoomMessageError::BadSignature) if signed.is_by(&runner.runtime.key.public()) => {
                        return Vec::new();
                    }
                    Err(error) => return self.mishear(runner, error),
                }
            }
        };
        self.gathered.insert(message.id.clone(), stored);
        self.ingress.take(message)
    }

    /// A message of a member, if it is new and can be read.
    async fn heard(
        &self,
        runner: &AgentRunner,
        member: &StationId,
        message: RoomMessage,
    ) -> Result<(RawMessage, StoredRoomMessage), RoomDrop> {
        let now = runner.runtime.clock.now();
        if !self.room.counts_on(member, message.seq, now.wall_ms) {
            return Err(RoomDrop::Repeated);
        }
        let noted = self.room.agent.db.note_room_seq(self.room.id.as_str(), member.as_str(), message.seq).await;
        if let Err(error) = noted {
            // Until the next one is noted, a restart would let this one in again.
            tracing::warn!(room = %self.room.id, error = &error as &dyn std::error::Error, "a sequence is not noted");
        }
        // Only the key says which station speaks; what comes before the sign is that station's own word.
        let sender = name(&message.sender).replace('@', "");
        let line = RoomLine { name: sender.clone(), text: message.text.clone(), at_ms: 0, since_ms: None };
        line.sanitised().map_err(|_| RoomDrop::BadText)?;
        let stored = StoredRoomMessage {
            n: 0,
            room: self.room.id.to_string(),
            station: member.to_string(),
            sender,
            hop: message.hop,
            text: runner.runtime.redaction.without_secrets(message.text.trim()),
            at_ms: now.wall_ms,
            waits: self.room.answers,
        };
        let id = format!("{member}/{}", message.seq);
        Ok((RawMessage { id, ..raw(&stored, &self.room, now.station) }, stored))
    }

    fn mishear(&self, runner: &AgentRunner, error: RoomMessageError) -> Vec<Ingressed> {
        let why = match error {
            RoomMessageError::TooLarge => RoomDrop::TooLarge,
            RoomMessageError::Schema => RoomDrop::Unreadable,
            RoomMessageError::BadSignature => {
                let sentence = format!("No member of the room {} has signed a message in it.", self.room.id);
                runner.sensing.alarms.note_forged_in(&self.room.id, sentence);
                RoomDrop::BadSignature
            }
        };
        self.drop(runner, "unknown", why)
    }

    /// Counts and tells what is not let in.
    fn drop(&self, runner: &AgentRunner, id: &str, why: RoomDrop) -> Vec<Ingressed> {
        if self.room.drops.count(why) {
            tracing::warn!(room = %self.room.id, id, ?why, "a message of a room is not let in");
        }
        let event = Event::Dropped { step: step_of(why) };
        let (agent, session, turn) = (self.room.agent.id.clone(), self.room.session(), TurnId::from(id));
        runner.runtime.bus.fact(Fact::Turn { agent, session, turn, event }, Some(Tag::Transcript));
        Vec::new()
    }

    /// Does what was decided on messages.
    async fn settle(&mut self, runner: &Arc<AgentRunner>, ingressed: Ingressed) {
        match ingressed {
            Ingressed::Stopped { id, step } => {
                // A message from this station is on its way and shown; it only begins no turn.
                if self.gathered.remove(&id).is_some_and(|stored| stored.station != OWN) {
                    self.drop(runner, &id, drop_of(step));
                }
            }
            Ingressed::Waits { id } => {
                let rows: Vec<StoredRoomMessage> = self.gathered.remove(&id).into_iter().collect();
                self.keep(runner, rows).await;
            }
            Ingressed::Passed { history, messages } => {
                let rows = messages.iter().filter_map(|message| self.gathered.remove(&message.id)).collect();
                // Kept first: no turn is about a message that is not on disk.
                let Some(until) = self.keep(runner, rows).await.filter(|_| self.room.answers) else { return };
                if messages.iter().any(|message| is_cancel(&message.text)) {
                    return self.room.agent.turns.cancel_in_room(&self.room.session());
                }
                if !self.begin_turn(runner, &history, &messages, until).await {
                    let again = history.into_iter().chain(messages).collect();
                    self.ingress.put_back(again, runner.runtime.clock.now().station);
                }
            }
        }
    }

    /// Hands messages to the agent; false if it has enough to do.
    async fn begin_turn(
        &self,
        runner: &AgentRunner,
        history: &[RawMessage],
        messages: &[RawMessage],
        until: i64,
    ) -> bool {
        let begun = match Talk::of(&self.room, history, messages, until, runner.runtime.clock.now()) {
            Ok(talk) => self.room.agent.turns.hear_room(talk).await,
            Err(error) => {
                tracing::warn!(room = %self.room.id, %error, "what was said begins no turn");
                // As if it had begun: the same words would be refused again.
                return true;
            }
        };
        match begun {
            Ok(true) => true,
            Ok(false) => {
                self.drop(runner, "busy", RoomDrop::Rate);
                false
            }
            Err(error) => {
                tracing::error!(room = %self.room.id, error = &error as &dyn std::error::Error, "a turn does not begin");
                false
            }
        }
    }

    /// Keeps what is not kept yet; the newest number, if all of it is on disk.
    async fn keep(&self, runner: &AgentRunner, rows: Vec<StoredRoomMessage>) -> Option<i64> {
        let kept = rows.iter().map(|row| row.n).max()?;
        let fresh: Vec<StoredRoomMessage> = rows.into_iter().filter(|row| row.n == 0).collect();
        let saved = self.room.agent.db.add_room_messages(&fresh).await;
        runner.runtime.bus.changed(Tag::Transcript);
        match saved {
            Ok(numbers) => numbers.into_iter().chain([kept]).max(),
            Err(error) => {
                self.room.agent.storage.note_failed(&runner.runtime, &self.room.agent.id, &error);
                None
            }
        }
    }
}

/// True if a message that names the agent asks for nothing but the end of its turn.
fn is_cancel(text: &str) -> bool {
    text.split_whitespace().filter(|word| !word.starts_with('@')).eq(["/cancel"])
}

/// A kept message as the ingress knows it.
fn raw(stored: &StoredRoomMessage, room: &Room, at: robot::Instant) -> RawMessage {
    let sender =
        if stored.station == OWN { stored.sender.clone() } else { format!("{}@{}", stored.sender, stored.station) };
    RawMessage {
        id: String::new(),
        room: Some(room.id.to_string()),
        sender,
        is_signed_in: stored.station == OWN,
        // Roles are not kept, and those of another station mean nothing here.
        is_admin: false,
        mentions: is_named(&stored.text, room.name.as_str()),
        hop: stored.hop,
        text: stored.text.clone(),
        at,
    }
}

fn stored(message: &RawMessage, station: &str, sender: &str, at_ms: i64) -> StoredRoomMessage {
    StoredRoomMessage {
        n: 0,
        room: message.room.clone().unwrap_or_default(),
        station: station.to_owned(),
        sender: sender.to_owned(),
        hop: message.hop,
        text: message.text.clone(),
        at_ms,
        waits: true,
    }
}

async fn sleep(wait: Duration) {
    if wait == Duration::MAX {
        return std::future::pending().await;
    }
    tokio::time::sleep(wait).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_04_a_room_ends_its_own_turn_by_one_word() {
        for (text, expected) in
            [("@north /cancel", true), ("/cancel @north", true), ("@north /cancel patrol", false), ("cancel", false)]
        {
            assert_eq!(is_cancel(text), expected, "{text}");
        }
    }
}
