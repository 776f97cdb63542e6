//! Turns that begin with what was said in a room: they wait behind everybody else, and end in one message there.

use std::sync::Arc;

use agent::{FlushTo, Policy, SystemParts, ToolSpec};
use llm::Block;
use memory::MemoryError;
use robot::Trust;

use super::{Desk, Start, turn_id};
use crate::rooms::{OfRoom, Talk};
use crate::station::Station;

/// Turns of rooms that may wait: rooms leave most places to the desk.
const ROOM_STARTS_MAX: usize = 4;

/// What a turn of a room may call. Nothing here reads what was said or decided at the desk, and nothing writes what the
/// agent remembers.
const TOOLS: &[&str] = &[
    "check_command",
    "create_proposal",
    "explain_verdict",
    "hold_robot",
    "list_alarms",
    "list_alerts",
    "list_constraints",
    "list_missions",
    "list_robots",
    "list_rooms",
    "list_verdicts",
    "list_world_state",
    "pause_all_missions",
    "pause_mission",
    "read_output",
    "safety_status",
    "send_command",
    "stop_all",
    "stop_robot",
];

impl Desk {
    /// Queues the turn that `talk` begins; false if as many wait as may.
    pub(crate) async fn hear_room(&self, talk: Talk) -> Result<bool, MemoryError> {
        if self.of_rooms.count() >= ROOM_STARTS_MAX {
            return Ok(false);
        }
        let Some(place) = self.queue.reserve() else { return Ok(false) };
        let conversation = self.conversations.opened(&talk.of.room.session()).await?;
        let start = Start::of(turn_id(), talk.message, conversation);
        self.of_rooms.push(Start { room: Some(talk.of), ..start }, place);
        Ok(true)
    }
}

impl OfRoom {
    /// The tools of `all` that a turn of a room may call.
    pub(super) fn tools(mut all: Vec<ToolSpec>) -> Vec<ToolSpec> {
        all.retain(|tool| TOOLS.contains(&tool.name.as_str()));
        all
    }

    /// The policy of such a turn: what it learns is not remembered, and it speaks once, at its end.
    pub(super) fn bound(mut policy: Policy) -> Policy {
        policy.compact.flush = FlushTo::Off;
        policy.agency.says = 0;
        policy
    }

    /// What the system text says of where it is.
    pub(super) fn system(&self, station: &Station, parts: SystemParts) -> SystemParts {
        let (room, site) = (&self.room.id, &station.site);
        let workspace = format!(
            "You are in the room {room} of site {site}, where operators of several stations speak. Your answer is posted \
             there once. Nobody there can approve anything: what moves a robot is asked of the people at this station's desk."
        );
        SystemParts { workspace, missions: Vec::new(), ..parts }
    }

    /// What was said before, as a block that nobody vouches for.
    pub(super) fn history(&self) -> Option<Block> {
        let text = format!("[Room {} before]\n{}", self.room.id, self.history);
        (!self.history.is_empty()).then_some(Block::Text { text, trust: Trust::Text })
    }

    /// The turn has begun: what it was told waits no more.
    pub(super) async fn note_heard(&self) {
        let noted = self.room.agent.db.note_room_heard(self.room.id.as_str(), self.until).await;
        if let Err(error) = noted {
            // The next start has it read along once more.
            tracing::warn!(room = %self.room.id, error = &error as &dyn std::error::Error, "what was heard is kept");
        }
    }

    /// Posts the answer beside everything else.
    pub(super) fn answer(self, station: &Arc<Station>, text: String) {
        let station = Arc::clone(station);
        station.clone().spawn(async move {
            tokio::select! {
                () = station.ended.cancelled() => {}
                () = self.room.answer(&station, self.hop, &text) => {}
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations;

    #[test]
    fn c_02_a_turn_of_a_room_reads_no_memory_belief_proposal_or_transcript_and_writes_none() {
        let names: Vec<String> = OfRoom::tools(operations::tools()).into_iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len(), "every name is that of a tool: {names:?}");
        for name in ["memory_search", "get_belief", "list_proposals", "remember_note", "update_belief", "post_room"] {
            assert!(operations::tool(name).is_some(), "{name} is no tool any more");
            assert!(!names.iter().any(|listed| listed == name), "{name} is offered in a room");
        }
    }
}
