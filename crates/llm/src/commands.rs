//! `quarterdeck-commands`: a deterministic interpreter behind the [`Model`] trait. No key, no network, no price.
//! It obeys the newest words of an operator and nothing else, and what it does goes through the same loop,
//! permissions and safety engine as the calls of any other model.

mod answer;
mod asks;
mod dialog;
mod grammar;
mod intents;
mod motion;
mod names;
mod plan;
mod robots;
mod side_calls;
mod stopping;
mod words;

use std::future::ready;
use std::sync::Arc;

use crate::{
    BoxFuture, CallId, Caps, Delta, DeltaSink, Model, ModelError, Reply, ReplyBlock, Request, Stop, ToolChoice, Usage,
};
use dialog::Dialog;
use plan::{Next, Planned};
pub use stopping::{StopAsked, StopDone, stop_asked};

/// The command interpreter.
#[derive(Debug, Clone)]
pub struct CommandModel {
    caps: Caps,
    beside: Option<SideCall>,
}

/// A call that a turn makes beside its conversation. The request does not name it, so the model is made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideCall {
    /// Decides on the kind of answer that a message wants.
    Router,
    /// Judges an answer: is it one?
    Judge,
    /// Summarises the conversation.
    Summary,
    /// Picks facts that will still matter later.
    Flush,
}

impl Default for CommandModel {
    fn default() -> Self {
        Self { caps: Caps::interpreter("quarterdeck-commands"), beside: None }
    }
}

impl CommandModel {
    /// The interpreter for calls beside a conversation: it obeys nothing in them.
    #[must_use]
    pub fn beside(call: SideCall) -> Self {
        Self { beside: Some(call), ..Self::default() }
    }

    /// True if the operator's words hold a command that stops robots, in any form that is understood.
    #[must_use]
    pub fn says_stop(text: &str) -> bool {
        stop_asked(text, &[]).is_some()
    }

    /// Every operation it may call. A row of its grammar whose operation does not exist would be a promise nobody
    /// keeps, so the operation table is tested against this list.
    pub const OPERATIONS: [&str; 23] = [
        "check_command",
        "create_proposal",
        "draft_mission",
        "explain_verdict",
        "get_belief",
        "list_alerts",
        "list_constraints",
        "list_missions",
        "list_proposals",
        "list_robots",
        "list_verdicts",
        "list_world_state",
        "memory_search",
        "pause_mission",
        "remember_note",
        "resume_mission",
        "safety_status",
        "schedule_task",
        "send_command",
        "stop_all",
        "stop_robot",
        "update_belief",
        "why_idle",
    ];

    /// Checks that every command of `text` can be read; the error is the interpreter's own complaint.
    pub fn check(text: &str) -> Result<(), String> {
        let line = grammar::parse_line(text);
        if line.is_empty() {
            return Err(answer::NOTHING_SAID.to_owned());
        }
        let complaints: Vec<String> =
            line.iter().filter_map(|read| read.as_ref().err()).map(answer::complaint).collect();
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
    }

    /// The reply to `request`. Equal requests get equal replies, byte for byte.
    #[must_use]
    pub fn reply(&self, request: &Request) -> Reply {
        if let Some(call) = self.beside {
            return say(side_calls::answer(call, &request.messages));
        }
        let dialog = Dialog::read(&request.messages);
        match plan::next(&dialog) {
            // A stop is called whatever the request allows.
            Next::Call(calls) if request.choice != ToolChoice::None || calls.iter().all(Planned::is_stop) => {
                let blocks = calls.into_iter().zip(dialog.calls_before + 1..).map(|(planned, number)| {
                    // Numbered over the whole conversation, so that no id is given twice in it.
                    let id = CallId(format!("c{number}"));
                    ReplyBlock::Call { id, name: planned.name.to_owned(), args_raw: planned.args_raw }
                });
                Reply { blocks: blocks.collect(), stop: Stop::ToolUse, usage: Usage::default(), sidecar: None }
            }
            // The turn has no call left for these; a person has to know that nothing of them was done.
            Next::Call(_) => say("The calls of this turn are used up. Give the rest as a new command.".to_owned()),
            Next::Say(text) => say(text),
        }
    }
}

impl Model for CommandModel {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn call(&self, request: Request, deltas: Arc<DeltaSink>) -> BoxFuture<'_, Result<Reply, ModelError>> {
        let reply = self.reply(&request);
        // The reply is there at once; the future exists for the sake of the trait.
        for block in &reply.blocks {
            if let ReplyBlock::Text(text) = block {
                deltas(Delta::Text(text.clone()));
            }
        }
        Box::pin(ready(Ok(reply)))
    }
}

fn say(text: String) -> Reply {
    Reply { blocks: vec![ReplyBlock::Text(text)], stop: Stop::End, usage: Usage::default(), sidecar: None }
}

#[cfg(test)]
mod tests;
