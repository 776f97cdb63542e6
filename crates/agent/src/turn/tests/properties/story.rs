//! Stories of a turn: replies of any kind, tools, people, time and failures, in any order.

use llm::{Delta, ModelErrorKind};
use proptest::prelude::*;

use super::*;
use crate::HookVerdict;

/// The next event. Numbers pick among the calls that are open.
#[derive(Debug, Clone)]
pub(super) enum Happens {
    /// The model whose answer is waited for says this.
    Reply(Vec<ReplyBlock>, Stop),
    /// The side call that is waited for says this; the conversation itself gets it as plain text.
    Words(String),
    Done(usize, ToolOutcome),
    Decided(usize, Decision),
    Hooked(usize, HookVerdict),
    Proposed(usize),
    Time(u64),
    Failed(ModelErrorKind, Option<u64>),
    Cancelled(CancelReason),
    Steered(String),
    Billed(u64),
    Noise(Box<Input>),
    /// The newest input arrives once more.
    Twice,
}

fn block() -> impl Strategy<Value = ReplyBlock> {
    let id = prop_oneof![Just("a"), Just("b"), Just("c"), Just("a-2"), Just("")];
    let name = prop_oneof![
        3 => Just("list_robots"),
        2 => Just("remember_note"),
        4 => Just("send_command"),
        1 => Just("stop_all"),
        1 => Just("stop_robot"),
        1 => Just("say"),
        1 => Just("wait"),
        1 => Just("think"),
        1 => Just("end_turn"),
        1 => Just("no_such_tool"),
    ];
    let args = prop_oneof![
        Just("{}"),
        Just(MOVE),
        Just(MOVE_ROVER),
        Just(r#"{"text":"x"}"#),
        Just(r#"{"seconds":3}"#),
        Just("[]"),
        Just("{\"robot\":")
    ];
    prop_oneof![
        1 => "[a-z ]{0,30}".prop_map(ReplyBlock::Text),
        4 => (id, name, args).prop_map(|(id, name, args)| ReplyBlock::Call {
            id: CallId(id.into()),
            name: name.into(),
            args_raw: args.into(),
        }),
    ]
}

fn outcome() -> impl Strategy<Value = ToolOutcome> {
    let json = prop_oneof![Just("{}".to_owned()), Just("[1]".into()), Just("not json".into()), Just("x".repeat(3_000))];
    let trust = prop_oneof![Just(Trust::Trusted), Just(Trust::Text)];
    (json, any::<bool>(), any::<bool>(), trust).prop_map(|(json, is_error, refused, trust)| ToolOutcome {
        json,
        is_error,
        refused,
        trust,
        spill: None,
    })
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("DONE: it reflects the results".to_owned()),
        Just("CONTINUE: the file is missing".to_owned()),
        Just("CHAT".to_owned()),
        Just(r#"[{"title":"dock","text":"It is in the hall."}]"#.to_owned()),
        Just("The operator wants the rover at the dock. It is on its way.".to_owned()),
        Just("I will look at it now.".to_owned()),
    ]
}

fn failure() -> impl Strategy<Value = Happens> {
    let kind = prop_oneof![
        3 => Just(ModelErrorKind::Transport),
        2 => Just(ModelErrorKind::RateLimit),
        2 => Just(ModelErrorKind::Overflow),
        1 => Just(ModelErrorKind::PrefixBound),
        1 => Just(ModelErrorKind::Auth),
        1 => Just(ModelErrorKind::Refused),
    ];
    (kind, prop::option::of(0..70_000_u64)).prop_map(|(kind, wait)| Happens::Failed(kind, wait))
}

fn noise() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(start("again")),
        Just(Input::Context(Vec::new())),
        Just(Input::Context(vec![Block::Text { text: "door = open".into(), trust: Trust::Text }])),
        Just(Input::Delta(Delta::Text("wor".into()))),
        Just(Input::Delta(Delta::Restart)),
        Just(done("zz", "{}")),
        Just(decided("zz", Decision::Approved)),
        Just(Input::Tick),
        Just(Input::Spoken),
        Just(Input::Reworded),
        Just(Input::Denied { hook: crate::Hook::PromptBefore, reason: "no".into() }),
        Just(Input::Progress { call: CallId("a".into()), text: "half".into() }),
        Just(Input::ModelDone { purpose: Purpose::MicroTurn, reply: silent() }),
    ]
}

fn silent() -> Reply {
    Reply { blocks: Vec::new(), stop: Stop::End, usage: Usage::default(), sidecar: None }
}

fn hook_verdict() -> impl Strategy<Value = HookVerdict> {
    prop_oneof![
        3 => Just(HookVerdict::GoOn),
        1 => Just(HookVerdict::Deny("no".into())),
        1 => Just(HookVerdict::Change(json!({"robot": "rover-1"}))),
        1 => Just(HookVerdict::Change(json!({}))),
        1 => Just(HookVerdict::Change(json!({"no": "such"}))),
    ]
}

pub(super) fn happens() -> impl Strategy<Value = Happens> {
    let stop = prop_oneof![
        8 => Just(Stop::ToolUse),
        2 => Just(Stop::End),
        2 => Just(Stop::Length),
        1 => Just(Stop::Pause),
        1 => Just(Stop::WindowExceeded),
    ];
    let decision = prop_oneof![
        3 => Just(Decision::Approved),
        1 => Just(Decision::Rejected("no".into())),
        1 => Just(Decision::Expired),
        1 => Just(Decision::Void),
    ];
    let reason = prop_oneof![Just(CancelReason::Operator), Just(CancelReason::StopAll), Just(CancelReason::Preempted)];
    prop_oneof![
        12 => (prop::collection::vec(block(), 0..5), stop).prop_map(|(blocks, stop)| Happens::Reply(blocks, stop)),
        4 => words().prop_map(Happens::Words),
        12 => (0..4_usize, outcome()).prop_map(|(pick, outcome)| Happens::Done(pick, outcome)),
        8 => (0..4_usize, hook_verdict()).prop_map(|(pick, verdict)| Happens::Hooked(pick, verdict)),
        4 => (0..4_usize, decision).prop_map(|(pick, decision)| Happens::Decided(pick, decision)),
        2 => (0..4_usize).prop_map(Happens::Proposed),
        3 => (0..40_000_u64).prop_map(Happens::Time),
        2 => failure(),
        1 => reason.prop_map(Happens::Cancelled),
        2 => "[a-z]{1,12}".prop_map(Happens::Steered),
        1 => (0..600_000_u64).prop_map(Happens::Billed),
        3 => noise().prop_map(|input| Happens::Noise(Box::new(input))),
        1 => Just(Happens::Twice),
    ]
}

/// The input that `happens` is for `turn`, whose open calls are in `books`.
pub(super) fn input(happens: Happens, turn: &Turn, books: &Books, newest: &Input) -> Input {
    let one_of = |calls: &[ToolCall], pick: usize| {
        calls.get(pick % calls.len().max(1)).map_or(CallId("none".into()), |call| call.id.clone())
    };
    let pick = |pick: usize| one_of(&books.open, pick);
    let purpose = turn.state.calling().unwrap_or(Purpose::Main);
    match happens {
        Happens::Reply(blocks, stop) => Input::ModelDone { purpose, reply: Reply { blocks, stop, ..used() } },
        Happens::Words(words) => {
            Input::ModelDone { purpose, reply: Reply { blocks: vec![ReplyBlock::Text(words)], ..used() } }
        }
        Happens::Done(number, outcome) => Input::ToolDone { call: pick(number), outcome },
        Happens::Hooked(number, verdict) => Input::Hooked { call: one_of(&books.hooked, number), verdict },
        Happens::Decided(number, decision) => Input::Decided { call: pick(number), decision },
        Happens::Proposed(number) => Input::Proposed { call: pick(number), proposal: json!({"id": "pr-1"}) },
        Happens::Time(_) => Input::Tick,
        Happens::Failed(kind, retry_after_ms) => {
            let error = llm::ModelError { retry_after_ms, ..llm::ModelError::own(kind, "gone") };
            Input::ModelFailed { purpose, error }
        }
        Happens::Cancelled(reason) => Input::Cancel(reason),
        Happens::Steered(text) => Input::Steer(Message::operator("dana", Role::Operator, &text).unwrap()),
        Happens::Billed(spent) => {
            Input::Billed(Bills { turn: crate::Bill { spent, limit: Some(500_000) }, ..Bills::default() })
        }
        Happens::Noise(input) => *input,
        Happens::Twice => newest.clone(),
    }
}

/// Each call takes something, so that the sums can be compared.
fn used() -> Reply {
    Reply { usage: Usage { in_fresh: 90, out: 7, ..Usage::default() }, ..silent() }
}
