//! Tables of single turns; `properties` drives turns at random.

use super::*;
use crate::testing::WALL_MS;
use crate::{Decision, ToolCall, ToolOutcome};
use expect_test::{Expect, expect};
use llm::{Block, CallId, Reply, ReplyBlock, Stop};
use robot::{ConversationId, Effect as Does, Instant, Role, Stops, Trust};
use serde_json::json;

mod calls;
mod chat;
mod circles;
mod companion;
mod ends;
mod epochs;
mod failures;
mod gate;
mod hooks;
mod investigator;
mod people;
mod prefix;
mod presets;
mod properties;
mod replays;
mod resumed;
mod rows;
mod vault;

pub(super) fn tools() -> Vec<ToolSpec> {
    let spec = |name: &str, effect, stops, required: &[&str], optional: &[&str]| {
        let fields: serde_json::Map<_, _> =
            required.iter().chain(optional).map(|field| ((*field).to_owned(), json!({}))).collect();
        let schema =
            json!({"type": "object", "properties": fields, "required": required, "additionalProperties": false});
        ToolSpec { stops, ..ToolSpec::new(name, "", schema, effect) }
    };
    vec![
        spec("stop_robot", Does::Actuate, Stops::Named, &["robot"], &[]),
        spec("stop_all", Does::Actuate, Stops::All, &[], &["reason"]),
        spec("send_command", Does::Actuate, Stops::No, &["robot"], &["actuator", "frame", "motion", "force_n"]),
        spec("list_world_state", Does::Read, Stops::No, &[], &["prefix", "limit"]),
        spec("list_robots", Does::Read, Stops::No, &[], &[]),
        spec("remember_note", Does::Write, Stops::No, &["text"], &[]),
    ]
}

pub(super) fn setup(policy: Policy, mode: Mode) -> TurnSetup {
    TurnSetup {
        session: ConversationId::from("s-1"),
        transcript: Transcript::default(),
        policy,
        mode,
        rules: Vec::new(),
        hooked: Vec::new(),
        caps: Caps::interpreter("scripted"),
        side: None,
        tools: tools(),
        system: crate::SystemParts { identity: "Be careful.".into(), ..crate::SystemParts::default() },
        surroundings: Surroundings::default(),
        zone: TimeZone::UTC,
        bills: Bills::default(),
        quote_key: crate::QuoteKey::default(),
    }
}

pub(super) fn at(ms: u64) -> Now {
    Now { station: Instant::from_millis(ms), wall_ms: WALL_MS + i64::try_from(ms).unwrap() }
}

pub(super) fn start(text: &str) -> Input {
    Input::Start(Message::operator("dana", Role::Operator, text).unwrap())
}

pub(super) fn says(text: &str) -> Input {
    reply(&[ReplyBlock::Text(text.into())], Stop::End)
}

pub(super) fn calls(calls: &[(&str, &str, &str)]) -> Input {
    let blocks: Vec<_> = calls
        .iter()
        .map(|(id, name, args)| ReplyBlock::Call {
            id: CallId((*id).into()),
            name: (*name).into(),
            args_raw: (*args).into(),
        })
        .collect();
    reply(&blocks, Stop::ToolUse)
}

pub(super) fn reply(blocks: &[ReplyBlock], stop: Stop) -> Input {
    Input::ModelDone {
        purpose: Purpose::Main,
        reply: Reply { blocks: blocks.to_vec(), stop, usage: Usage::default(), sidecar: None },
    }
}

pub(super) fn done(call: &str, json: &str) -> Input {
    let outcome =
        ToolOutcome { json: json.into(), is_error: false, refused: false, trust: Trust::Trusted, spill: None };
    Input::ToolDone { call: CallId(call.into()), outcome }
}

fn refused(call: &str, json: &str) -> Input {
    let outcome = ToolOutcome { json: json.into(), is_error: false, refused: true, trust: Trust::Trusted, spill: None };
    Input::ToolDone { call: CallId(call.into()), outcome }
}

fn decided(call: &str, decision: Decision) -> Input {
    Input::Decided { call: CallId(call.into()), decision }
}

/// Usage follows every reply and would hide the rest.
fn is_told(effect: &Effect) -> bool {
    !matches!(effect, Effect::Emit(Event::Usage { .. }))
}

/// One line an effect: enough to see order and content.
fn print(effect: &Effect) -> String {
    let ids = |calls: &[crate::ToolCall]| calls.iter().map(|call| call.id.0.clone()).collect::<Vec<_>>().join(" ");
    match effect {
        Effect::Prefetch { text, .. } => format!("Prefetch {text:?}"),
        Effect::Call { purpose: Purpose::Main, request } => print_request(request),
        Effect::Call { purpose, .. } => format!("Call {purpose:?}"),
        Effect::PrefixBroken { at } => format!("PrefixBroken {at}"),
        Effect::Hook(call) => format!("Hook {}", call.id),
        Effect::Run(calls) => format!("Run {}", ids(calls)),
        Effect::Ask { call, until, .. } => format!("Ask {} until {}", call.id, until.mono_ms()),
        Effect::Append { entry, synced } => {
            format!("Append {}{}", entry.id, if *synced { " synced" } else { "" })
        }
        Effect::Emit(event) => format!("Emit {}", print_event(event)),
        Effect::Wake { at } => format!("Wake {}", at.mono_ms()),
        Effect::Abort => "Abort".into(),
        Effect::Warm(_) => "Warm".into(),
        Effect::End(outcome) => format!("End {outcome:?}"),
    }
}

fn print_request(request: &llm::Request) -> String {
    let choice = if request.choice == llm::ToolChoice::None { " no calls" } else { "" };
    let tools = if request.tools.is_empty() { " no tools" } else { "" };
    let transient = request.transient_from.map(|_| " nudged").unwrap_or_default();
    format!("Call{choice}{tools}{transient}")
}

fn print_event(event: &Event) -> String {
    match event {
        Event::TurnStarted { .. } => "TurnStarted".into(),
        Event::Context { entry } => format!("Context {entry}"),
        Event::CallStarted { call, .. } => format!("CallStarted {call}"),
        Event::Asked { call, .. } => format!("Asked {call}"),
        Event::CallEnded { call, is_error, duration_ms, .. } => {
            format!("CallEnded {call}{} {duration_ms} ms", if *is_error { " error" } else { "" })
        }
        Event::Routed { profile, demand } => format!("Routed {profile:?} {demand:?}"),
        Event::TextDelta { text } => format!("TextDelta {text:?}"),
        Event::ThinkingDelta { text } => format!("ThinkingDelta {text:?}"),
        Event::CallProgress { call, text } => format!("CallProgress {call} {text:?}"),
        Event::Usage { purpose, .. } => format!("Usage {purpose:?}"),
        Event::Warn { meter, used, limit } => format!("Warn {meter:?} {used}/{limit}"),
        Event::EpochChanged { from, to, reason } => format!("EpochChanged {from}-{to} {reason:?}"),
        Event::Compacted { .. } => "Compacted".into(),
        Event::Restart { wait_ms, .. } => format!("Restart in {wait_ms} ms"),
        Event::Dropped { step } => format!("Dropped {step:?}"),
        Event::Nudge { text } => format!("Nudge {text}"),
        Event::Delivered { entry, text, .. } => format!("Delivered {entry} {text:?}"),
        Event::ModelFailed { reason } => format!("ModelFailed {reason:?}"),
        Event::Ignored { input } => format!("Ignored {input}"),
        Event::TurnEnded { outcome, calls, .. } => format!("TurnEnded {outcome:?} after {calls} calls"),
    }
}

/// Runs `inputs` at their times and prints the effects, one list a line, and then every result in the transcript.
fn play(turn: &mut Turn, inputs: Vec<(u64, Input)>) -> String {
    let mut lines = String::new();
    for (ms, input) in inputs {
        let effects: Vec<String> =
            turn.step(input, at(ms)).iter().filter(|effect| is_told(effect)).map(print).collect();
        lines += &format!("{}\n", effects.join("; "));
    }
    for entry in turn.transcript().entries() {
        for block in &entry.blocks {
            if let Block::Result { call, json, .. } = block {
                lines += &format!("{call} = {json}\n");
            }
        }
    }
    lines
}

/// The requests of the conversation itself that `inputs` lead to, one millisecond after another.
fn requests(turn: &mut Turn, inputs: Vec<Input>) -> Vec<Request> {
    let effects = inputs.into_iter().zip(0..).flat_map(|(input, ms)| turn.step(input, at(ms)));
    let request = |effect| {
        let Effect::Call { purpose: Purpose::Main, request } = effect else { return None };
        Some(request)
    };
    effects.collect::<Vec<_>>().into_iter().filter_map(request).collect()
}

/// The calls that `effects` run.
fn ran(effects: &[Effect]) -> Vec<ToolCall> {
    let waves = effects.iter().filter_map(|effect| {
        let Effect::Run(wave) = effect else { return None };
        Some(wave.clone())
    });
    waves.flatten().collect()
}

/// The same reply for so many tokens.
fn used(input: Input, usage: Usage) -> Input {
    let Input::ModelDone { purpose, reply } = input else { panic!("no reply: {input:?}") };
    Input::ModelDone { purpose, reply: Reply { usage, ..reply } }
}

/// All words of a request's messages.
fn words(request: &Request) -> String {
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let texts = blocks.map(|block| match block {
        Block::Text { text, .. } => text.clone(),
        Block::Call { name, args_raw, .. } => format!("{name} {args_raw}"),
        Block::Result { json, .. } => json.clone(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Plays a turn whose model has just been called for the first time.
fn check(policy: Policy, mode: Mode, inputs: Vec<(u64, Input)>, expected: Expect) {
    let mut turn = Turn::new(setup(policy, mode));
    turn.step(start("go"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    expected.assert_eq(&play(&mut turn, inputs));
}

const MOVE: &str = r#"{"robot":"arm-1"}"#;
const MOVE_ROVER: &str = r#"{"robot":"rover-1"}"#;

/// The turn of the specification, with the command model as the model.
#[test]
fn one_whole_turn_from_words_to_an_accepted_command() {
    let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
    let mut lines = String::new();
    let mut step = |ms: u64, input: Input| {
        let effects = turn.step(input, at(ms));
        lines +=
            &format!("{}\n", effects.iter().filter(|effect| is_told(effect)).map(print).collect::<Vec<_>>().join("; "));
        let call = effects.into_iter().find(|effect| matches!(effect, Effect::Call { .. }));
        let Some(Effect::Call { request, .. }) = call else { return None };
        Some(Input::ModelDone { purpose: Purpose::Main, reply: llm::CommandModel::default().reply(&request) })
    };
    step(0, start("move the arm to 0.5 0.2 1.0"));
    let world = "[World State]\nperson.location = \"hallway\" (confidence: 0.92, age: 3s)";
    let context = crate::context_block(WALL_MS, crate::Trigger::Operator, world, Trust::Typed);
    let list_robots = step(4, Input::Context(vec![context])).unwrap();
    step(6, list_robots);
    let robots = json!({"items": [{"id": "arm-1", "state": "armed", "default_frame": "base_link", "frames": ["base_link"],
        "actuators": [{"id": "arm", "kind": "tool", "motions": ["pose_goal"]}]}]});
    let send_command = step(9, done("c1", &robots.to_string())).unwrap();
    step(11, send_command);
    step(9_000, decided("c2", Decision::Approved));
    let answer = step(13_120, done("c2", r#"{"command_id":"0199","state":"received","proposal":{"id":"pr-0199"}}"#));
    step(13_124, answer.unwrap());
    for entry in turn.transcript().entries() {
        lines += &format!("{}\n", serde_json::to_string(entry).unwrap());
    }
    expect![[r#"
        Append 0; Emit TurnStarted; Emit Routed Deliberate Grounded; Wake 600000; Prefetch "move the arm to 0.5 0.2 1.0"
        Append 1; Emit Context 1; Call
        Append 2; Emit CallStarted c1; Run c1; Wake 30006
        Append 3; Emit CallEnded c1 3 ms; Call
        Append 4 synced; Ask c2 until 30011; Emit Asked c2; Wake 30011
        Emit CallStarted c2; Wake 39000
        Append 5; Emit CallEnded c2 4120 ms; Call
        Append 6; Emit Delivered 6 "arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s."; Emit TurnEnded Answered after 3 calls; End Answered
        {"id":0,"epoch":0,"at_ms":1772990120000,"kind":"user","role":"user","origin":"operator(dana)","trust":"trusted","content":"[Desk (@dana, Operator) 2026-03-08 17:15 UTC] move the arm to 0.5 0.2 1.0"}
        {"id":1,"epoch":0,"at_ms":1772990120004,"kind":"volatile","role":"user","origin":"system","trust":"typed","content":"[Context 2026-03-08 17:15:20 UTC, operator]\n[World State]\nperson.location = \"hallway\" (confidence: 0.92, age: 3s)"}
        {"id":2,"epoch":0,"at_ms":1772990120006,"kind":"assistant","role":"assistant","origin":"agent","trust":"trusted","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"list_robots","arguments":"{}"}}]}
        {"id":3,"epoch":0,"at_ms":1772990120009,"kind":"tool_result","role":"tool","origin":"tool(list_robots)","trust":"trusted","tool_call_id":"c1","content":"{\"items\":[{\"actuators\":[{\"id\":\"arm\",\"kind\":\"tool\",\"motions\":[\"pose_goal\"]}],\"default_frame\":\"base_link\",\"frames\":[\"base_link\"],\"id\":\"arm-1\",\"state\":\"armed\"}]}"}
        {"id":4,"epoch":0,"at_ms":1772990120011,"kind":"assistant","role":"assistant","origin":"agent","trust":"trusted","content":"","tool_calls":[{"id":"c2","type":"function","function":{"name":"send_command","arguments":"{\"robot\":\"arm-1\",\"actuator\":\"arm\",\"frame\":\"base_link\",\"motion\":{\"pose_goal\":{\"position_m\":[0.5,0.2,1.0],\"speed_mps\":0.1}}}"}}]}
        {"id":5,"epoch":0,"at_ms":1772990133120,"kind":"tool_result","role":"tool","origin":"tool(send_command)","trust":"trusted","tool_call_id":"c2","content":"{\"command_id\":\"0199\",\"state\":\"received\",\"proposal\":{\"id\":\"pr-0199\"}}"}
        {"id":6,"epoch":0,"at_ms":1772990133124,"kind":"assistant","role":"assistant","origin":"agent","trust":"trusted","content":"arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s."}
    "#]].assert_eq(&lines);
}
