//! `quarterdeck-commands`: a deterministic interpreter behind the [`Model`] trait. No key, no network, no price.
//! It obeys the newest words of an operator and nothing else, and what it does goes through the same loop,
//! permissions and safety engine as the calls of any other model.

mod answer;
mod dialog;
mod grammar;
mod motion;
mod plan;
mod robots;
mod words;

use std::future::ready;
use std::sync::Arc;

use crate::{
    BoxFuture, CallId, Caps, Delta, DeltaSink, Model, ModelError, Reply, ReplyBlock, Request, Stop, ToolChoice, Usage,
};
use dialog::Dialog;
use plan::Next;

/// The command interpreter.
#[derive(Debug, Clone)]
pub struct CommandModel {
    caps: Caps,
}

impl Default for CommandModel {
    fn default() -> Self {
        Self { caps: Caps::interpreter("quarterdeck-commands") }
    }
}

impl CommandModel {
    /// Every operation it may call. A row of its grammar whose operation does not exist would be a promise nobody
    /// keeps, so the operation table is tested against this list.
    pub const OPERATIONS: [&str; 13] = [
        "check_command",
        "get_belief",
        "list_alerts",
        "list_constraints",
        "list_missions",
        "list_proposals",
        "list_robots",
        "list_world_state",
        "safety_status",
        "send_command",
        "stop_all",
        "stop_robot",
        "update_belief",
    ];

    /// Whether every command of `text` can be read; if not, the interpreter's own complaint.
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
        let dialog = Dialog::read(&request.messages);
        match (plan::next(&dialog), &request.choice) {
            (Next::Call(calls), ToolChoice::Auto | ToolChoice::Required | ToolChoice::Named(_)) => {
                let blocks = calls.into_iter().zip(dialog.calls_before + 1..).map(|(planned, number)| {
                    let id = CallId(format!("c{number}"));
                    ReplyBlock::Call { id, name: planned.name.to_owned(), args_raw: planned.args_raw }
                });
                Reply { blocks: blocks.collect(), stop: Stop::ToolUse, usage: Usage::default(), sidecar: None }
            }
            (Next::Call(_), ToolChoice::None) => {
                say("The calls of this turn are used up. Give the rest as a new command.".to_owned())
            }
            (Next::Say(text), _) => say(text),
        }
    }
}

impl Model for CommandModel {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn call(&self, request: Request, deltas: Arc<DeltaSink>) -> BoxFuture<'_, Result<Reply, ModelError>> {
        let reply = self.reply(&request);
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
