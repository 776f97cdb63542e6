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

use crate::{
    BoxFuture, CallId, Caps, Model, ModelError, ModelKind, Reply, ReplyBlock, Request, Stop, ToolChoice, Usage,
};
use dialog::Dialog;
use plan::Next;

/// More than the longest answer: the list of twenty world rows.
const OUTPUT_TOKENS_MAX: u32 = 4096;

/// The command interpreter.
#[derive(Debug, Clone)]
pub struct CommandModel {
    caps: Caps,
}

impl Default for CommandModel {
    fn default() -> Self {
        let caps = Caps {
            name: "quarterdeck-commands".to_owned(),
            kind: ModelKind::Interpreter,
            output_max: OUTPUT_TOKENS_MAX,
        };
        Self { caps }
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
        match (plan::next(&dialog), request.choice) {
            (Next::Call(calls), ToolChoice::Auto) => {
                let blocks = calls.into_iter().zip(dialog.calls_before + 1..).map(|(planned, number)| {
                    let id = CallId(format!("c{number}"));
                    ReplyBlock::Call { id, name: planned.name.to_owned(), args_raw: planned.args_raw }
                });
                Reply { blocks: blocks.collect(), stop: Stop::ToolUse, usage: Usage::default() }
            }
            (Next::Call(_), ToolChoice::None) => {
                say("The calls of this turn are used up. Give the rest as a new command.".to_owned())
            }
            (Next::Say(text), ToolChoice::Auto | ToolChoice::None) => say(text),
        }
    }
}

impl Model for CommandModel {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn call(&self, request: Request) -> BoxFuture<'_, Result<Reply, ModelError>> {
        Box::pin(ready(Ok(self.reply(&request))))
    }
}

fn say(text: String) -> Reply {
    Reply { blocks: vec![ReplyBlock::Text(text)], stop: Stop::End, usage: Usage::default() }
}

#[cfg(test)]
mod tests;
