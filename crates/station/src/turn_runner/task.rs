//! The end of what a turn has begun and what goes on after its call: a motion. Its conversation is told, and a language
//! model may hear of it in a turn of its own.

use std::sync::Arc;

use agent::{EntryLine, Message, TaskNotice};
use llm::{Block, ModelKind};
use memory::MemoryError;

use super::TurnRunner;
use crate::agents::AgentUnit;
use crate::proposals::TaskEnd;
use crate::station::Station;
use runtime::lock::lock;
use runtime::wire::{Tag, word};

/// The notice of the end of a motion that `operation` began in `session`.
pub(super) fn notice(session: &str, operation: &str, end: TaskEnd) -> TaskNotice {
    let TaskEnd { command, robot, progress } = end;
    TaskNotice {
        task: command.to_string(),
        operation: operation.to_owned(),
        about: Some(robot.to_string()),
        session: session.to_owned(),
        state: word(&progress.step),
        reason: progress.reason(),
    }
}

impl TurnRunner {
    /// Tells the agent of an end. The conversation gets its line once no turn writes into it. The command interpreter
    /// decides nothing by itself, so that a turn of its own would be one for nobody.
    pub(super) fn task_ended(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>, notice: TaskNotice) {
        if agent.model(station).kind == ModelKind::Language {
            self.wake_with(Message::task(&notice));
        }
        tell(station, agent, &notice.session, vec![notice.block()]);
    }
}

/// Tells the conversation `session` something once no turn writes into it; it stands before the words that come next.
pub(super) fn tell(station: &Arc<Station>, agent: &Arc<AgentUnit>, session: &str, blocks: Vec<Block>) {
    let (station, agent, session) = (Arc::clone(station), Arc::clone(agent), session.to_owned());
    station.runtime.tasks.clone().spawn(async move {
        let noted = tokio::select! {
            () = station.runtime.ended.cancelled() => return,
            noted = note(&station, &agent, &session, blocks) => noted,
        };
        if let Err(error) = noted {
            tracing::warn!(error = &error as &dyn std::error::Error, "a conversation is not told of an end");
        }
    });
}

async fn note(station: &Station, agent: &AgentUnit, session: &str, blocks: Vec<Block>) -> Result<(), MemoryError> {
    let _no_turn = agent.turns.turns.lock().await;
    let conversation = agent.turns.conversations.opened(session).await?;
    let entry = lock(&conversation.transcript).told(station.runtime.clock.now().wall_ms, blocks);
    agent.turns.conversations.append(&conversation, EntryLine::from(entry.clone()), false).await?;
    lock(&conversation.transcript).push(entry);
    station.runtime.bus.changed(Tag::Transcript);
    Ok(())
}
