//! The end of what a turn has begun and what goes on after its call: a motion. Its conversation is told, and a language
//! model may hear of it in a turn of its own.

use std::sync::Arc;

use agent::{EntryLine, Message, TaskNotice};
use llm::{Block, ModelKind};
use memory::MemoryError;
use robot::ConversationId;

use super::TurnRunner;
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::surroundings::TaskEnd;
use runtime::lock::lock;
use runtime::wire::{Tag, word};

/// The notice of the end of a motion that `operation` began in `session`.
pub(super) fn notice(session: &ConversationId, operation: &str, end: TaskEnd) -> TaskNotice {
    let TaskEnd { command, robot, step, reason } = end;
    TaskNotice {
        task: command.to_string(),
        operation: operation.to_owned(),
        about: Some(robot.to_string()),
        session: session.clone(),
        state: word(&step),
        reason,
    }
}

impl TurnRunner {
    /// Tells the agent of an end. The conversation gets its line once no turn writes into it. The command interpreter
    /// decides nothing by itself, so that a turn of its own would be one for nobody.
    pub(super) fn task_ended(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>, notice: TaskNotice) {
        if agent.model(runner).kind == ModelKind::Language {
            self.wake_with(Message::task(&notice));
        }
        tell(runner, agent, &notice.session, vec![notice.block()]);
    }
}

/// Tells the conversation `session` something once no turn writes into it; it stands before the words that come next.
pub(super) fn tell(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>, session: &ConversationId, blocks: Vec<Block>) {
    let (runner, agent, session) = (Arc::clone(runner), Arc::clone(agent), session.clone());
    runner.runtime.tasks.clone().spawn(async move {
        let noted = tokio::select! {
            () = runner.runtime.ended.cancelled() => return,
            noted = note(&runner, &agent, &session, blocks) => noted,
        };
        if let Err(error) = noted {
            tracing::warn!(error = &error as &dyn std::error::Error, "a conversation is not told of an end");
        }
    });
}

async fn note(
    runner: &AgentRunner,
    agent: &AgentUnit,
    session: &ConversationId,
    blocks: Vec<Block>,
) -> Result<(), MemoryError> {
    // A turn that runs works on a copy of the transcript, which would take the place of this line at its end.
    let _no_turn = agent.turns.turns.lock().await;
    let conversation = agent.turns.conversations.opened(session).await?;
    let entry = lock(&conversation.transcript).told(runner.runtime.clock.now().wall_ms, blocks);
    agent.turns.conversations.append(&conversation, EntryLine::from(entry.clone()), false).await?;
    lock(&conversation.transcript).push(entry);
    runner.runtime.bus.changed(Tag::Transcript);
    Ok(())
}
