//! Parts of a request that the interpreter reads: the newest words it may obey, the calls made for them, and the
//! robot that was named last. Text of tools, sensors and rooms is never read as a command.

use robot::Origin;
use serde_json::Value;

use super::grammar::{Command, StopTarget, parse_line};
use super::stopping::StopDone;
use crate::{Block, CallId, RequestMessage, Speaker};

/// The utterance to answer.
#[derive(Debug, Clone)]
pub(super) enum Utterance<'a> {
    /// The words of an operator, without their envelope.
    Command(&'a str),
    /// An alert.
    Alert(Value),
    /// Something else that nobody at a desk has said, for example a late decision.
    Event(Value),
    /// Words of a room, which are no commands.
    Room,
    /// Words that a hook has put in the place of somebody's, which are no commands either.
    Hook,
    Nothing,
}

/// A call made since, and its result.
#[derive(Debug, Clone)]
pub(super) struct Made<'a> {
    id: &'a CallId,
    pub name: &'a str,
    pub args_raw: &'a str,
    pub result: Option<Value>,
    pub is_error: bool,
}

/// A request, as the interpreter sees it.
#[derive(Debug, Clone)]
pub(super) struct Dialog<'a> {
    pub said: Utterance<'a>,
    /// The stop that the station has carried out for these words.
    pub stopped: Option<StopDone>,
    pub made: Vec<Made<'a>>,
    /// Calls of the whole conversation so far.
    pub calls_before: usize,
    earlier: &'a [RequestMessage],
}

impl<'a> Dialog<'a> {
    pub fn read(messages: &'a [RequestMessage]) -> Self {
        let calls_before = messages.iter().flat_map(calls).count();
        let newest = messages.iter().enumerate().rev().find_map(|(at, message)| Some((at, said(message)?)));
        let Some((at, said)) = newest else {
            return Self { said: Utterance::Nothing, stopped: None, made: Vec::new(), calls_before, earlier: &[] };
        };
        let since = messages.get(at + 1..).unwrap_or_default();
        let (stopped, said) = match said {
            Utterance::Command(text) => {
                let (stopped, text) = StopDone::read(text);
                (stopped, Utterance::Command(text))
            }
            Utterance::Alert(_) | Utterance::Event(_) | Utterance::Room | Utterance::Hook | Utterance::Nothing => {
                (None, said)
            }
        };
        Self { said, stopped, made: made(since), calls_before, earlier: messages.get(..at).unwrap_or_default() }
    }

    /// The result of the first call of `name` since, if there is one.
    pub fn result(&self, name: &str) -> Option<&Made<'a>> {
        self.made.iter().find(|made| made.name == name)
    }

    /// The result of this very call since, if there is one that did not fail.
    pub fn answer(&self, name: &str, args_raw: &str) -> Option<&Value> {
        let made = self.made.iter().find(|made| made.name == name && made.args_raw == args_raw);
        made.filter(|made| !made.is_error)?.result.as_ref()
    }

    /// The robot named last before the newest words, as written or as it was called.
    pub fn last_robot(&self) -> Option<String> {
        self.earlier.iter().rev().find_map(|message| match said(message) {
            Some(Utterance::Command(text)) => robot_in(text),
            Some(
                Utterance::Alert(_) | Utterance::Event(_) | Utterance::Room | Utterance::Hook | Utterance::Nothing,
            )
            // A call of the interpreter names the robot by its full id, also where a person wrote `it`.
            | None => calls(message).last().and_then(|(_, _, args)| robot_of(args)),
        })
    }

    /// The newest list of robots in the conversation, however old: good for their ids, not for their state.
    pub fn known_robots(&self) -> Option<Value> {
        let made = made(self.earlier);
        made.into_iter().rev().find(|made| made.name == "list_robots" && !made.is_error)?.result
    }
}

/// The robot a command names, `it` aside.
pub(super) fn robot_word(command: &Command) -> Option<&str> {
    let word = match command {
        Command::Motion { robot, .. }
        | Command::Status(Some(robot))
        | Command::Idle(Some(robot))
        | Command::Stop(StopTarget::Robot(robot)) => robot,
        Command::Help(_)
        | Command::Status(None)
        | Command::Idle(None)
        | Command::World(_)
        | Command::Missions(_)
        | Command::Mission { .. }
        | Command::Stop(StopTarget::All | StopTarget::Unclear(_))
        | Command::Constraints(_)
        | Command::AddConstraint { .. }
        | Command::Remember { .. }
        | Command::Note(_)
        | Command::Belief { .. }
        | Command::Recall(_)
        | Command::Forget(_)
        | Command::Why(_)
        | Command::Schedule { .. }
        | Command::Draft(_)
        | Command::Alerts
        | Command::Proposals
        | Command::Person(_) => return None,
    };
    (!word.eq_ignore_ascii_case("it")).then_some(word)
}

fn said(message: &RequestMessage) -> Option<Utterance<'_>> {
    // State of the world may stand in front of the words in the same message; the words are its last block.
    let text = match (message.speaker, message.blocks.last()?) {
        (Speaker::User, Block::Text { text, .. }) => text,
        (Speaker::User, Block::Call { .. } | Block::Result { .. }) | (Speaker::Assistant | Speaker::System, _) => {
            return None;
        }
    };
    match message.origin {
        Origin::Operator(_) => Some(Utterance::Command(without_envelope(text))),
        Origin::System => {
            // Notes of the loop are plain text; only an event is JSON with a trigger.
            let event: Value = serde_json::from_str(text).ok()?;
            let is_alert = event.get("trigger")?.as_str()? == "alert";
            Some(if is_alert { Utterance::Alert(event) } else { Utterance::Event(event) })
        }
        Origin::Room(_) => Some(Utterance::Room),
        Origin::Tool(_) => Some(Utterance::Hook),
        Origin::Agent | Origin::Sensor(_) => None,
    }
}

/// `[Desk (@dana, Operator) 2026-03-08 17:15 UTC] move …` without the part in brackets.
fn without_envelope(text: &str) -> &str {
    let body = text.strip_prefix("[Desk (").and_then(|rest| rest.split_once("] "));
    // Text without an envelope is read as it stands, so that no order is lost for its form.
    body.map_or(text, |(_, body)| body)
}

fn robot_in(text: &str) -> Option<String> {
    parse_line(StopDone::read(text).1)
        .iter()
        .rev()
        .filter_map(|parsed| robot_word(parsed.as_ref().ok()?))
        .next()
        .map(str::to_owned)
}

fn robot_of(args_raw: &str) -> Option<String> {
    let args: Value = serde_json::from_str(args_raw).ok()?;
    Some(args.get("robot")?.as_str()?.to_owned())
}

fn calls(message: &RequestMessage) -> impl Iterator<Item = (&CallId, &str, &str)> {
    message.blocks.iter().filter_map(|block| match block {
        Block::Call { id, name, args_raw } => Some((id, name.as_str(), args_raw.as_str())),
        Block::Text { .. } | Block::Result { .. } => None,
    })
}

fn made(messages: &[RequestMessage]) -> Vec<Made<'_>> {
    let mut all: Vec<Made> = Vec::new();
    for message in messages {
        all.extend(calls(message).map(|(id, name, args_raw)| Made {
            id,
            name,
            args_raw,
            result: None,
            is_error: false,
        }));
        for block in &message.blocks {
            let Block::Result { call, json, is_error, .. } = block else { continue };
            if let Some(made) = all.iter_mut().find(|made| made.id == call) {
                made.result = serde_json::from_str(json).ok();
                made.is_error = *is_error;
            }
        }
    }
    all
}
