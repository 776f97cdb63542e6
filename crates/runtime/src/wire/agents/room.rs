//! Rooms of several stations on the wire.

use robot::{AgentId, ConversationId, RoomId, StationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One row of `list_rooms`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomRow {
    /// The room.
    pub room: RoomId,
    /// The key expression its messages travel on.
    pub key_expr: String,
    /// The agent it belongs to; null if there is none.
    pub agent: Option<AgentId>,
    /// The agent's name in the room.
    pub name: Option<String>,
    /// The conversation of that agent in which it answers.
    pub session: ConversationId,
    /// True if the agent answers.
    pub answers: bool,
    /// True if it must be named to answer.
    pub mention: bool,
    /// True if another station listens to the room now.
    pub listened_to: bool,
    /// The stations that may speak in it.
    pub members: Vec<RoomMemberRow>,
    /// Messages that were not let in since the start, by reason.
    pub dropped: Vec<RoomDropRow>,
    /// The reason why nobody can speak in it; null if people can.
    pub problem: Option<String>,
    /// The code of that refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem_code: Option<String>,
}

/// A station that may speak in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomMemberRow {
    /// As this station calls it.
    pub station: StationId,
    /// The key it signs with, `ed25519:BASE64`.
    pub public_key: String,
    /// When it was heard last in this run, UTC milliseconds.
    #[ts(type = "number | null")]
    pub heard_ms: Option<i64>,
}

/// Reasons why a message of a room was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RoomDrop {
    /// Too many bytes to look at.
    TooLarge,
    /// More came in a second than is looked at.
    TooMany,
    /// No member has signed it.
    BadSignature,
    /// It is signed, but no message of this room.
    Unreadable,
    /// Its number was there before: it is heard once.
    Repeated,
    /// Nothing, or too much, is left of its words.
    BadText,
    /// The agent's policy lets nobody in here.
    Policy,
    /// Its sender, or the room, speaks too often.
    Rate,
}

/// Number of messages that were not let in for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomDropRow {
    /// The reason.
    pub why: RoomDrop,
    /// Number of messages.
    #[ts(type = "number")]
    pub count: u64,
}

/// The answer of `post_room`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomPosted {
    /// The room.
    pub room: RoomId,
    /// The message's number here.
    #[ts(type = "number")]
    pub n: i64,
    /// A confirmation, as a sentence.
    pub message: String,
}

/// The answer of `set_room_member`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomMemberSet {
    /// A confirmation, as a sentence.
    pub message: String,
}

/// The answer of `read_room`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomPage {
    /// The room.
    pub room: RoomId,
    /// Oldest first.
    pub messages: Vec<RoomMessageRow>,
}

/// A message in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomMessageRow {
    /// Its number here.
    #[ts(type = "number")]
    pub n: i64,
    /// When it came, UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The member it came from; null for this station.
    pub station: Option<String>,
    /// The speaker, as that station calls them.
    pub sender: String,
    /// An agent's words.
    pub by_agent: bool,
    /// The words.
    pub text: String,
    /// Trust level of the words: untrusted text, also from a member.
    pub trust: Trust,
}
