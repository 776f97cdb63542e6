//! Rows that a screen can show of a turn from its events and entries alone.

use super::presets::{language, side};
use super::*;

/// A chat as a screen builds it: rows in order, each kept up to date by the events about it.
#[derive(Default)]
struct Screen {
    rows: Vec<String>,
    /// Calls that run or are asked about, by row and since when.
    open: Vec<(CallId, usize, u64)>,
}

impl Screen {
    fn row(&mut self, text: String) -> usize {
        self.rows.push(text);
        self.rows.len() - 1
    }

    /// Takes what one step told at `ms`.
    fn take(&mut self, effects: &[Effect], ms: u64) {
        for effect in effects {
            match effect {
                Effect::Append { entry, .. } => self.entry(entry),
                Effect::Emit(event) => self.event(event, ms),
                Effect::Prefetch { .. }
                | Effect::PrefixBroken { .. }
                | Effect::Call { .. }
                | Effect::Hook(_)
                | Effect::Run(_)
                | Effect::Ask { .. }
                | Effect::Wake { .. }
                | Effect::Abort
                | Effect::Warm(_)
                | Effect::End(_) => {}
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        if let (EntryKind::User, Origin::Operator(name)) = (&entry.kind, &entry.origin) {
            self.row(format!("operator {name}"));
        }
        // A call that was refused before it could run has no row of its own yet.
        for block in &entry.blocks {
            let Block::Result { call, json, is_error, .. } = block else { continue };
            let row = self.open.iter().find(|(open, ..)| open == call).map(|(_, row, _)| *row);
            let row = row.unwrap_or_else(|| self.row(format!("denial {:?}", entry.origin)));
            self.rows[row].push_str(&format!(" = {json}{}", if *is_error { " (error)" } else { "" }));
        }
    }

    fn event(&mut self, event: &Event, ms: u64) {
        match event {
            Event::CallStarted { call, name, args, effect } => {
                let row = match self.open.iter().find(|(open, ..)| open == call) {
                    Some((_, row, _)) => *row,
                    None => self.row(String::new()),
                };
                self.rows[row] = format!("tool {name} {args} {effect:?}");
                self.open.retain(|(open, ..)| open != call);
                self.open.push((call.clone(), row, ms));
            }
            Event::Asked { call, name, args, .. } => {
                let row = self.row(format!("card {name} {args}"));
                self.open.push((call.clone(), row, ms));
            }
            Event::CallEnded { call, duration_ms, .. } => {
                if let Some((_, row, since)) = self.open.iter().find(|(open, ..)| open == call) {
                    assert_eq!(ms - since, *duration_ms, "a screen counts the same time");
                    self.rows[*row].push_str(&format!(" after {duration_ms} ms"));
                }
            }
            Event::Delivered { text, model, .. } => {
                self.row(format!("agent ({}) {text}", model.name));
            }
            Event::Nudge { text } => {
                self.row(format!("system {text}"));
            }
            Event::EpochChanged { reason, .. } => {
                self.row(format!("system {reason:?}"));
            }
            Event::TurnStarted { .. }
            | Event::Routed { .. }
            | Event::Context { .. }
            | Event::TextDelta { .. }
            | Event::ThinkingDelta { .. }
            | Event::CallProgress { .. }
            | Event::Usage { .. }
            | Event::Warn { .. }
            | Event::Compacted { .. }
            | Event::Restart { .. }
            | Event::Dropped { .. }
            | Event::ModelFailed { .. }
            | Event::Ignored { .. }
            | Event::TurnEnded { .. } => {}
        }
    }
}

#[test]
fn v_02_every_row_of_a_chat_is_told_with_what_it_shows() {
    let mut turn = Turn::new(TurnSetup { caps: language(), ..setup(Policy::operator(), Mode::Assist) });
    let mut screen = Screen::default();
    let steps = vec![
        (0, start("status, then move one")),
        (0, Input::Context(Vec::new())),
        (10, calls(&[("a", "list_world_state", r#"{"prefix":"door"}"#), ("x", "arm_robot", "{}")])),
        (2_500, done("a", r#"{"door":"open"}"#)),
        (2_600, calls(&[("b", "send_command", MOVE)])),
        (9_600, decided("b", Decision::Approved)),
        (9_700, refused("b", r#"{"state":"denied"}"#)),
        (9_800, says("")),
        (9_900, says("It was denied.")),
        (9_950, side(Purpose::JudgeGrounded, "DONE: it says so")),
    ];
    for (ms, input) in steps {
        let effects = turn.step(input, at(ms));
        screen.take(&effects, ms);
    }
    expect![[r#"
        operator dana
        tool list_world_state {"prefix":"door"} Read = {"door":"open"} after 2490 ms
        denial Tool("arm_robot") = {"code":"unknown_tool","message":"there is no tool \"arm_robot\"; nearest: stop_robot, list_robots, wait"} (error)
        tool send_command {"robot":"arm-1"} Actuate = {"state":"denied"} after 100 ms
        system [Hint] Your reply was empty. Answer the operator, or call a tool.
        agent (m) It was denied.
    "#]]
    .assert_eq(&(screen.rows.join("\n") + "\n"));
}
