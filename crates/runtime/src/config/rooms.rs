//! The `[rooms]` part of `config.toml`: rooms for operators of several stations, their members, and their agents.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use bridge::signing::PublicKey;
use robot::{AgentId, RoomId, StationId};
use serde::Deserialize;

/// Rooms of a station.
const ROOMS_MAX: usize = 16;
/// Stations of a room: each is a key that a message may have to be tested with.
const MEMBERS_MAX: usize = 32;
/// Range of `hops_max`.
const HOPS: RangeInclusive<u8> = 0..=8;

/// All rooms by id.
pub type RoomsSettings = BTreeMap<RoomId, RoomSettings>;

/// One room.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RoomSettings {
    /// The agent that the room belongs to; the first one if left out.
    pub agent: Option<AgentId>,
    /// The agent's name in the room, `@name`; its id if left out.
    pub name: Option<AgentId>,
    /// True if the agent answers.
    pub answers: bool,
    /// True if it must be named to answer; as its policy says if left out.
    pub mention: Option<bool>,
    /// The highest hop count of a message that may begin a turn, 0 to 8; each agent's answer is one hop.
    pub hops_max: u8,
    /// The stations that may speak in it, as this one calls them, with the keys they sign with.
    pub members: BTreeMap<StationId, MemberKey>,
}

/// The key that a member signs with, written `ed25519:BASE64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MemberKey(pub PublicKey);

impl TryFrom<String> for MemberKey {
    type Error = bridge::signing::KeyError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

impl Default for RoomSettings {
    fn default() -> Self {
        Self { agent: None, name: None, answers: true, mention: None, hops_max: 0, members: BTreeMap::new() }
    }
}

/// Refuses what could not be carried out as it stands; says the key and what was expected.
pub(super) fn check(rooms: &RoomsSettings) -> Result<(), String> {
    if rooms.len() > ROOMS_MAX {
        return Err(format!("rooms: at most {ROOMS_MAX} rooms"));
    }
    for (id, room) in rooms {
        if !HOPS.contains(&room.hops_max) {
            let (low, high) = (HOPS.start(), HOPS.end());
            return Err(format!("rooms.{id}.hops_max is {}; it is {low} to {high}", room.hops_max));
        }
        if room.members.len() > MEMBERS_MAX {
            return Err(format!("rooms.{id}.members: at most {MEMBERS_MAX} stations"));
        }
        let is_used_before = |(at, (_, key)): (usize, (&StationId, &MemberKey))| {
            room.members.values().take(at).any(|other| other == key)
        };
        if room.members.iter().enumerate().any(is_used_before) {
            return Err(format!(
                "rooms.{id}.members: two stations have the same key, so one could speak for the other"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    const KEY: &str = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    const OTHER: &str = "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=";

    fn check(text: &str, expected: Result<(), &str>) {
        let found = Settings::parse(text).map(drop);
        let is_as_expected = match (&found, expected) {
            (Ok(()), Ok(())) => true,
            (Err(found), Err(expected)) => found.contains(expected),
            (Ok(()), Err(_)) | (Err(_), Ok(())) => false,
        };
        assert!(is_as_expected, "{text}: {found:?}");
    }

    #[test]
    fn c_06_a_room_names_its_members_by_key_and_every_number_has_a_range() {
        check(
            &format!("[rooms.ops]\nhops_max = 8\n[rooms.ops.members]\nnorth = \"{KEY}\"\nsouth = \"{OTHER}\""),
            Ok(()),
        );
        check("[rooms.ops]\nhops_max = 9", Err("rooms.ops.hops_max is 9; it is 0 to 8"));
        check("[rooms.ops.members]\nnorth = \"secret\"", Err("no public key"));
        check(&format!("[rooms.ops.members]\nnorth = \"{KEY}\"\nsouth = \"{KEY}\""), Err("the same key"));
        check("[rooms.Ops]", Err("room id"));
        check("[rooms.ops]\nanswer = true", Err("unknown field"));
        let many: String = (0..=ROOMS_MAX).map(|n| format!("[rooms.r{n}]\n")).collect();
        check(&many, Err("at most 16 rooms"));
    }
}
