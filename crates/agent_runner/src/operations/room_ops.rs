//! Rooms: which there are, what was said in them, and saying something.

use std::sync::Arc;

use robot::{Effect, Role, RoomId, SharedCode, StationId, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::operation_names::POST_ROOM;
use crate::rooms::{MESSAGES_MAX, Speaker};
use crate::runner::AgentRunner;
use runtime::config::MemberKey;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{RoomMemberSet, RoomPage, RoomPosted, RoomRow};

/// Messages `read_room` gives if no limit is named.
const MESSAGES_DEFAULT: u32 = 100;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "list_rooms",
            Terms(Viewer, Read, ALL, Trust::Text),
            "The rooms of several stations, and what they drop.",
            list_rooms,
        )
        .in_rooms(),
        row("read_room", Terms(Viewer, Read, UI, Trust::Text), "Messages of a room, oldest first.", read_room)
            .example(json!({"room": "north"})),
        row(
            POST_ROOM,
            Terms(Operator, Write, &[robot::Audience::Ui, robot::Audience::Agent], Trust::Text),
            "Says something in a room, to operators of other stations.",
            post_room,
        )
        .in_missions()
        .example(json!({"room": "north", "text": "The dock is free."}))
        .asks(),
        row(
            "set_room_member",
            Terms(Admin, Write, UI, Trust::Text),
            "Lets another station speak in a room, or no longer.",
            set_room_member,
        )
        .example(json!({"room": "north", "station": "dock", "public_key": null})),
    ]
}

async fn list_rooms(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<RoomRow>, OpError> {
    Ok(runner.rooms.rows(&runner))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadRoom {
    /// The room.
    room: RoomId,
    /// Only messages before this one.
    before: Option<i64>,
    /// At most so many, the newest ones, 1 to 500.
    limit: Option<u32>,
}

async fn read_room(runner: Arc<AgentRunner>, _: Session, input: ReadRoom) -> Result<RoomPage, OpError> {
    let limit = input.limit.unwrap_or(MESSAGES_DEFAULT);
    if !(1..=MESSAGES_MAX).contains(&limit) {
        return Err(OpError::bad_input(SharedCode::OutOfRange, "limit", format!("limit is 1 to {MESSAGES_MAX}.")));
    }
    runner.rooms.get(&input.room)?.page(input.before, limit).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PostRoom {
    /// The room.
    room: RoomId,
    /// At most 4,000 characters.
    text: String,
}

async fn post_room(runner: Arc<AgentRunner>, by: Session, input: PostRoom) -> Result<RoomPosted, OpError> {
    let room = runner.rooms.get(&input.room)?;
    let speaker = Speaker::of(&by, by.role(runner.runtime.clock.now().station));
    room.post(&runner, speaker, &input.text).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetRoomMember {
    /// The room.
    room: RoomId,
    /// The other station, as this one calls it.
    station: StationId,
    /// The key it signs with, `ed25519:BASE64`, as its own `session_info` names it; null if it may speak no longer.
    #[schemars(with = "Option<String>")]
    public_key: Option<MemberKey>,
}

async fn set_room_member(runner: Arc<AgentRunner>, _: Session, input: SetRoomMember) -> Result<RoomMemberSet, OpError> {
    let room = runner.rooms.get(&input.room)?;
    let message = room.set_member(&runner, &input.station, input.public_key).await?;
    Ok(RoomMemberSet { message })
}
