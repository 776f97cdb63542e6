//! Turns that begin with what was said in a room: they wait behind everybody else, and end in one message there.

use std::sync::Arc;

use agent::{CancelReason, Policy, Speaker, SystemParts, ToolSpec};
use llm::Block;
use memory::MemoryError;
use robot::{ConversationId, Role, Trust};

use super::{Start, TurnRunner, turn_id};
use crate::conversations::room_of;
use crate::rooms::{OfRoom, Talk};
use crate::runner::AgentRunner;

/// Turns of rooms that may wait: rooms leave most places to the desk.
const ROOM_STARTS_MAX: usize = 4;

impl TurnRunner {
    /// Ends the turn of the room `session`, also one that waits: its people may end no other.
    pub(crate) fn cancel_in_room(&self, session: &ConversationId) {
        self.running.look(|current| {
            if current.session == *session {
                current.cancel(CancelReason::Operator);
            }
        });
        while let Some(start) = self.of_rooms.take_of(session) {
            self.running.note_ended(start.turn);
        }
    }

    /// Queues the turn that `talk` begins; false if as many wait as may.
    pub(crate) async fn hear_room(&self, talk: Talk) -> Result<bool, MemoryError> {
        if self.of_rooms.count() >= ROOM_STARTS_MAX {
            return Ok(false);
        }
        // A place of the desk's queue, so that rooms and people together stay within one bound.
        let Some(place) = self.queue.reserve() else { return Ok(false) };
        let conversation = self.conversations.opened(&talk.of.room.session()).await?;
        let start = Start::of(turn_id(), talk.message, conversation);
        self.of_rooms.push(Start { room: Some(talk.of), ..start }, place);
        Ok(true)
    }
}

impl OfRoom {
    /// The room that `session` is the conversation of, for a turn of which no more is known: one that goes on with what
    /// an earlier one has left. Its answer begins no turn elsewhere.
    pub(super) fn of_session(runner: &AgentRunner, session: &ConversationId) -> Option<Self> {
        let room = runner.rooms.get(&room_of(session)?).ok()?;
        Some(Self { room, history: String::new(), until: 0, hop: u8::MAX })
    }

    /// The tools of `all` that a turn of a room may call; the others are not even shown.
    pub(super) fn tools(mut all: Vec<ToolSpec>) -> Vec<ToolSpec> {
        let speaker = Speaker { role: Role::Operator, in_room: true };
        all.retain(|tool| tool.scope.refusal(speaker).is_none());
        all
    }

    /// The policy of such a turn: nothing is remembered either way, and it speaks once, at its end.
    pub(super) fn bound(policy: Policy) -> Policy {
        let mut policy = policy.in_room();
        policy.agency.says = 0;
        policy
    }

    /// The system text for a turn in this room.
    pub(super) fn system(&self, runner: &AgentRunner, parts: SystemParts) -> SystemParts {
        let (room, site) = (&self.room.id, &runner.site);
        let workspace = format!(
            "You are in the room {room} of site {site}, where operators of several stations speak. Your answer is posted \
             there once. Nobody there can approve anything: what moves a robot is asked of the people at this station's desk."
        );
        SystemParts { workspace, missions: Vec::new(), ..parts.in_room() }
    }

    /// The earlier lines of the room, as a block of untrusted text.
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
    pub(super) fn answer(self, runner: &Arc<AgentRunner>, text: String) {
        let task_runner = Arc::clone(runner);
        runner.runtime.spawn(async move {
            tokio::select! {
                () = task_runner.runtime.ended.cancelled() => {}
                () = self.room.answer(&task_runner, self.hop, &text) => {}
            }
        });
    }
}
