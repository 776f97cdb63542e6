//! Rooms: where operators of several stations speak over Zenoh, and where the agent answers them. What comes from
//! a room is untrusted text: it can begin a turn that speaks, and decides nothing.

mod budget;
mod drops;
mod hear;
mod members;
mod post;
mod talk;

pub(crate) use post::Speaker;
pub(crate) use talk::{OfRoom, Talk};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use bridge::signing::PublicKey;
use bridge::{RoomPublisher, Subscription, room_key};
use memory::StoredRoomMessage;
use robot::{AgentId, ConversationId, RoomId, StationId, Trust};
use tokio::sync::mpsc;

use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::conversations::room_session;
use crate::runner::AgentError;
use crate::runner::AgentRunner;
use drops::Drops;
use hear::Arrival;
use post::Posting;
use runtime::config::{MemberKey, RoomSettings, RoomsSettings};
use runtime::error::OpError;
use runtime::lock::{lock, read, write};
use runtime::wire::{RoomMemberRow, RoomMessageRow, RoomPage, RoomRow};

/// Messages that one page of a room holds.
pub(crate) const MESSAGES_MAX: u32 = 500;
/// Messages of one room that may wait to be looked at: as many as are looked at in three seconds.
const ARRIVALS_MAX: usize = 64;

/// The rooms of a station.
pub(crate) struct Rooms {
    settings: RoomsSettings,
    open: RwLock<BTreeMap<RoomId, Arc<Room>>>,
    /// Those in which nobody can speak, and why.
    closed: RwLock<BTreeMap<RoomId, OpError>>,
}

/// A room in which this station speaks.
pub(crate) struct Room {
    pub id: RoomId,
    /// The agent that it belongs to.
    pub agent: Arc<AgentUnit>,
    answers: bool,
    hops_max: u8,
    /// The stations that may speak, with the keys they sign with.
    members: RwLock<BTreeMap<StationId, MemberKey>>,
    /// The agent's name in the room.
    name: AgentId,
    /// True if a message must name the agent to be answered.
    mention: bool,
    publisher: Arc<RoomPublisher>,
    posting: tokio::sync::Mutex<Posting>,
    drops: Arc<Drops>,
    /// The newest sequence number of each member, and when it was heard in this run, UTC milliseconds.
    heard: Mutex<BTreeMap<String, Counted>>,
    /// To whoever lets messages in.
    arrivals: mpsc::Sender<Arrival>,
    _subscription: Subscription,
}

/// The newest number of a member, and the time it was heard, UTC milliseconds.
#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    seq: u64,
    heard_ms: Option<i64>,
}

impl Rooms {
    pub fn new(settings: RoomsSettings) -> Self {
        Self { settings, open: RwLock::default(), closed: RwLock::default() }
    }

    /// Opens every room. One that belongs to an agent that is not there is closed, and says so.
    pub async fn start(&self, runner: &Arc<AgentRunner>) -> Result<(), AgentError> {
        for (id, settings) in &self.settings {
            let agent = match &settings.agent {
                Some(agent) => runner.agents.get(agent),
                None => runner.agents.first(),
            };
            match agent {
                Ok(agent) => {
                    let room = Room::open(runner, id.clone(), settings.clone(), agent).await?;
                    write(&self.open).insert(id.clone(), room);
                }
                Err(error) => {
                    tracing::warn!(room = %id, error = error.message, "a room stays closed");
                    // Shown in its row: the other rooms and the agents start all the same.
                    write(&self.closed).insert(id.clone(), error);
                }
            }
        }
        Ok(())
    }

    pub fn get(&self, id: &RoomId) -> Result<Arc<Room>, OpError> {
        if let Some(room) = read(&self.open).get(id) {
            return Ok(Arc::clone(room));
        }
        match read(&self.closed).get(id) {
            Some(why) => Err(OpError::new(AgentCode::RoomClosed, format!("The room {id} is closed: {}", why.message))),
            None => Err(OpError::not_found(AgentCode::RoomNotFound, "room", id)),
        }
    }

    /// Every room, by id.
    pub fn rows(&self, runner: &AgentRunner) -> Vec<RoomRow> {
        let (open, closed) = (read(&self.open), read(&self.closed));
        let row = |(id, settings): (&RoomId, &RoomSettings)| {
            let room = open.get(id);
            let members = room.map_or_else(|| settings.members.clone(), |room| read(&room.members).clone());
            let agent = room.map(|room| room.agent.id.clone()).or_else(|| settings.agent.clone());
            RoomRow {
                room: id.clone(),
                key_expr: room_key(runner.site.as_str(), id),
                name: room.map(|room| room.name.to_string()),
                agent,
                session: room_session(id),
                answers: settings.answers,
                mention: room.is_none_or(|room| room.mention),
                listened_to: room.is_some_and(|room| room.publisher.is_listened_to()),
                members: members.iter().map(|(member, key)| member_row(room, member, &key.0)).collect(),
                dropped: room.map(|room| room.drops.rows()).unwrap_or_default(),
                problem: closed.get(id).map(|error| error.message.clone()),
                problem_code: closed.get(id).map(|error| error.code.to_string()),
            }
        };
        self.settings.iter().map(row).collect()
    }
}

impl Room {
    async fn open(
        runner: &Arc<AgentRunner>,
        id: RoomId,
        settings: RoomSettings,
        agent: Arc<AgentUnit>,
    ) -> Result<Arc<Self>, AgentError> {
        let key_expr = room_key(runner.site.as_str(), &id);
        let publisher = Arc::new(runner.runtime.link.room_publisher(runner.site.as_str(), &id, &runner.runtime.key)?);
        // Read before anything is heard: an old message must not count as new.
        let seqs = agent.db.room_seqs(id.as_str()).await?;
        let own = seqs.get(OWN).copied().unwrap_or_default();
        let counted = |(member, seq)| (member, Counted { seq, heard_ms: None });
        let (arrivals, arriving) = mpsc::channel(ARRIVALS_MAX);
        let drops = Arc::new(Drops::default());
        let subscription = hear::subscribe(runner, &key_expr, arrivals.clone(), Arc::clone(&drops)).await?;
        let policy = agent.policy(runner).ingress;
        let room = Arc::new(Self {
            name: settings.name.clone().unwrap_or_else(|| agent.id.clone()),
            mention: settings.mention.unwrap_or(policy.mention),
            id,
            agent,
            answers: settings.answers,
            hops_max: settings.hops_max,
            members: RwLock::new(settings.members),
            publisher,
            posting: tokio::sync::Mutex::new(Posting::after(own)),
            drops,
            heard: Mutex::new(seqs.into_iter().map(counted).collect()),
            arrivals,
            _subscription: subscription,
        });
        hear::start(runner, &room, policy, arriving).await?;
        Ok(room)
    }

    /// The conversation in which its agent answers.
    pub fn session(&self) -> ConversationId {
        room_session(&self.id)
    }

    /// The newest messages, oldest first.
    pub async fn page(&self, before: Option<i64>, limit: u32) -> Result<RoomPage, OpError> {
        let messages = self.agent.db.room_messages(self.id.as_str(), before, limit).await?;
        Ok(RoomPage { room: self.id.clone(), messages: messages.into_iter().map(message_row).collect() })
    }

    /// The member that has this key counts on. False if its number was there before.
    fn counts_on(&self, member: &StationId, seq: u64, at_ms: i64) -> bool {
        let mut heard = lock(&self.heard);
        let counted = heard.entry(member.to_string()).or_default();
        // A message that somebody has recorded and sends again has an old number.
        let is_new = seq > counted.seq;
        if is_new {
            *counted = Counted { seq, heard_ms: Some(at_ms) };
        }
        is_new
    }
}

/// Key of this station's own sequence among those of the members.
const OWN: &str = "";

fn member_row(room: Option<&Arc<Room>>, member: &StationId, key: &PublicKey) -> RoomMemberRow {
    let heard_ms = room.and_then(|room| lock(&room.heard).get(member.as_str())?.heard_ms);
    RoomMemberRow { station: member.clone(), public_key: key.to_string(), heard_ms }
}

fn message_row(message: StoredRoomMessage) -> RoomMessageRow {
    RoomMessageRow {
        n: message.n,
        at_ms: message.at_ms,
        station: Some(message.station).filter(|station| station != OWN),
        sender: message.sender,
        by_agent: message.hop > 0,
        text: message.text,
        trust: Trust::Text,
    }
}
