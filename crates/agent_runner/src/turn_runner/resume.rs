//! Recovery at a start from a run that ended in the middle: calls get their results on disk, people's messages are
//! heard, an alert is looked into again once its condition is seen to hold. Nothing is run again.

use std::sync::Arc;
use std::time::Duration;

use agent::{EntryLine, Message, OpenCall};
use memory::{MemoryError, PendingMessage, StateKey};
use robot::{Effect, RobotId};
use serde_json::{Value, json};

use super::state::RunningTurn;
use super::steers::{is_heard, role_of};
use super::{Start, turn_id};
use crate::agents::AgentUnit;
use crate::conversations::Conversation;
use crate::runner::AgentRunner;
use runtime::lock::lock;
use runtime::wire::{LinkState, Tag};

/// Longest wait for a sign of life of a robot whose state is to be told.
const ROBOT_WAIT: Duration = Duration::from_secs(5);
/// Pause between two looks for that sign.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Takes up what was left. What a disk does not give stays as it is, and is taken up by the next start.
pub(super) async fn resume(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
    if let Err(error) = try_resume(runner, agent).await {
        tracing::error!(agent = %agent.id, error = &error as &dyn std::error::Error, "the last run is not taken up");
    }
}

async fn try_resume(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) -> Result<(), MemoryError> {
    let interrupted = agent.db.state::<RunningTurn>(StateKey::Turn).await?;
    let mut sessions = agent.turns.conversations.take_unfinished();
    sessions.extend(interrupted.iter().map(|turn| turn.session.clone()));
    for session in sessions {
        let conversation = agent.turns.conversations.opened(&session).await?;
        repair(runner, agent, &conversation).await?;
    }
    if let Some(turn) = interrupted {
        runner.runtime.bus.event_of(
            &agent.id,
            "turn_interrupted",
            format!("A turn of {} ended with the last run.", agent.id),
        );
        // Whoever still names it is told that it has ended, and not that it never was.
        agent.turns.running.note_ended(turn.turn);
        lock(&agent.turns.wakes).take_up(turn.woken);
        // The causes are on disk before the row that holds them goes.
        agent.turns.save_wakes(runner, agent).await;
        agent.db.set_state::<RunningTurn>(StateKey::Turn, None).await?;
    }
    // Messages said since this run began are in the queue already.
    for said in agent.db.said().await?.into_iter().filter(|said| agent.turns.left_said.contains(&said.id)) {
        hear(agent, said).await?;
    }
    Ok(())
}

/// Gives every call without a result an error, and notes that the turn was interrupted.
async fn repair(runner: &Arc<AgentRunner>, agent: &AgentUnit, conversation: &Conversation) -> Result<(), MemoryError> {
    let open = lock(&conversation.transcript).open_calls();
    let mut closed = Vec::with_capacity(open.len());
    for call in open {
        // No operation: a tool of a server or a declared program, neither of which moves a robot.
        let effect = runner.operations.of_agent(&call.name).map_or(Effect::Write, |row| row.effect);
        let robots = match effect {
            Effect::Read | Effect::Write => None,
            Effect::Actuate | Effect::Irreversible => Some(robots_of(runner, &call).await),
        };
        let error = call.interrupted(effect, robots);
        closed.push((call, error));
    }
    let entries = lock(&conversation.transcript).repair(&closed, runner.runtime.clock.now().wall_ms);
    for entry in entries {
        agent.turns.conversations.append(conversation, EntryLine::from(entry), true).await?;
    }
    conversation.reread();
    runner.runtime.bus.changed(Tag::Transcript);
    Ok(())
}

/// States of the robots that a call may have moved, as JSON rows, as soon as they are seen.
async fn robots_of(runner: &Arc<AgentRunner>, call: &OpenCall) -> Value {
    // The operation that makes cards carries the input of the other one in `input`.
    let input = call.args.get("input").unwrap_or(&call.args);
    let named = input.get("robot").and_then(Value::as_str).and_then(|id| RobotId::new(id).ok());
    let motions = || {
        let mut motions = runner.robots.motions();
        motions.retain(|motion| named.as_ref().is_none_or(|robot| *robot == motion.robot));
        motions
    };
    let is_seen = || named.is_none() || motions().iter().any(|motion| motion.link == LinkState::Live);
    let until = runner.runtime.clock.now().station.plus(ROBOT_WAIT);
    // Right after a start no robot has been heard yet, and its state would say nothing.
    while !is_seen() && runner.runtime.clock.now().station < until && !runner.runtime.ended.is_cancelled() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    json!(motions())
}

/// Has what a person said start a turn, unless a transcript holds it.
async fn hear(agent: &AgentUnit, said: PendingMessage) -> Result<(), MemoryError> {
    let conversation = agent.turns.conversations.opened(&said.session).await?;
    let message = Message::operator(&said.actor, role_of(&said.role), &said.text);
    let is_heard = is_heard(&said, &conversation.lines());
    match message {
        Ok(message) if !is_heard => {
            let start = Start::of(turn_id(), message, conversation);
            agent.turns.queue.push_again(Start { said: Some(said.id), ..start });
            Ok(())
        }
        // What stands in a transcript, or cannot be said any more, must not come up again at each start.
        Ok(_) | Err(_) => agent.db.remove_said(&said.id).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::Rig;

    #[tokio::test(flavor = "multi_thread")]
    async fn x_12_what_is_said_while_the_last_run_is_taken_up_is_not_taken_for_its() {
        let rig = Rig::start().await;
        // The desk takes one turn out of the queue, and waits.
        let _turns = rig.agent.turns.turns.lock().await;
        for id in ["sd-1", "sd-2"] {
            let said = PendingMessage {
                id: id.into(),
                session: "desk".into(),
                after_entry: 1,
                actor: "dana".into(),
                role: "operator".into(),
                text: "status".into(),
                said_ms: 1,
            };
            rig.agent.db.add_said(&said).await.unwrap();
        }
        resume(&rig.runner, &rig.agent).await;
        assert_eq!(rig.agent.turns.queue.count(), 0);
        assert_eq!(rig.agent.db.said().await.unwrap().len(), 2, "their own turns take them off the disk");
    }
}
