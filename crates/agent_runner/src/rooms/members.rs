//! Stations that may speak in a room: a list of keys, kept in `config.toml`.

use bridge::signing::SignedSample;
use bridge::{RoomMessage, RoomMessageError, hear_room};
use robot::StationId;
use toml_edit::DocumentMut;

use super::Room;
use crate::runner::AgentRunner;
use runtime::config::{MemberKey, Settings, put, table_at};
use runtime::error::OpError;
use runtime::lock::{read, write};
use runtime::wire::Tag;

impl Room {
    /// Reads a message, and says which member has signed it.
    pub(super) fn heard_by_key(&self, signed: &SignedSample) -> Result<(StationId, RoomMessage), RoomMessageError> {
        let members = read(&self.members);
        hear_room(signed, &self.id, members.iter().map(|(member, key)| (member, &key.0)))
    }

    /// Lets `member` speak with this key, or no longer. On disk when this returns, and in force.
    pub async fn set_member(
        &self,
        runner: &AgentRunner,
        member: &StationId,
        key: Option<MemberKey>,
    ) -> Result<String, OpError> {
        let written = key.map(|key| key.0.to_string().into());
        let path = ["rooms", self.id.as_str(), "members"];
        let change = |document: &mut DocumentMut| {
            put(table_at(document, &path)?, member.as_str(), written);
            Some(())
        };
        let take = |mut settings: Settings| {
            // As the file says now, which somebody may have edited besides.
            *write(&self.members) = settings.rooms.remove(&self.id).unwrap_or_default().members;
        };
        runner.models.file().edit(change, take).await?;
        runner.runtime.bus.changed(Tag::Transcript);
        let may = if key.is_some() { "may speak" } else { "may no longer speak" };
        Ok(format!("{member} {may} in {}", self.id))
    }
}
