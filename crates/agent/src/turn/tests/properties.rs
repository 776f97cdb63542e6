//! Turns driven by a model, a station and an operator that do anything at any time.

use super::*;
use llm::{Request, RequestMessage};
use proptest::prelude::*;

/// What happens next. Numbers pick among the calls that are open.
#[derive(Debug, Clone)]
enum Happens {
    Reply(Vec<ReplyBlock>, Stop),
    Done(usize, ToolOutcome),
    Decided(usize, Decision),
    Proposed(usize),
    Time(u64),
    Failed,
    Cancelled(CancelReason),
    Noise(Box<Input>),
}

fn block() -> impl Strategy<Value = ReplyBlock> {
    let id = prop_oneof![Just("a"), Just("b"), Just("c"), Just("a-2"), Just("")];
    let name = prop_oneof![
        3 => Just("list_robots"),
        2 => Just("remember_note"),
        4 => Just("send_command"),
        1 => Just("stop_all"),
        1 => Just("stop_robot"),
        1 => Just("no_such_tool"),
    ];
    let args =
        prop_oneof![Just("{}"), Just(MOVE), Just(MOVE_ROVER), Just(r#"{"text":"x"}"#), Just("[]"), Just("{\"robot\":")];
    prop_oneof![
        1 => "[a-z ]{0,3}".prop_map(ReplyBlock::Text),
        4 => (id, name, args).prop_map(|(id, name, args)| ReplyBlock::Call {
            id: CallId(id.into()),
            name: name.into(),
            args_raw: args.into(),
        }),
    ]
}

fn outcome() -> impl Strategy<Value = ToolOutcome> {
    let json = prop_oneof![Just("{}"), Just("[1]"), Just("7"), Just("not json")];
    (json, any::<bool>(), any::<bool>()).prop_map(|(json, is_error, refused)| ToolOutcome {
        json: json.into(),
        is_error,
        refused,
        trust: Trust::Text,
        spill: None,
    })
}

fn happens() -> impl Strategy<Value = Happens> {
    let stop = prop_oneof![4 => Just(Stop::ToolUse), 1 => Just(Stop::End), 1 => Just(Stop::Length)];
    let decision = prop_oneof![
        3 => Just(Decision::Approved),
        1 => Just(Decision::Rejected("no".into())),
        1 => Just(Decision::Expired),
        1 => Just(Decision::Void),
    ];
    let reason = prop_oneof![Just(CancelReason::Operator), Just(CancelReason::StopAll)];
    let noise = prop_oneof![
        Just(start("again")),
        Just(Input::Context(Vec::new())),
        Just(done("zz", "{}")),
        Just(decided("zz", Decision::Approved)),
        Just(Input::Tick),
        Just(Input::Spoken),
    ];
    prop_oneof![
        8 => (prop::collection::vec(block(), 0..5), stop).prop_map(|(blocks, stop)| Happens::Reply(blocks, stop)),
        10 => (0..4_usize, outcome()).prop_map(|(pick, outcome)| Happens::Done(pick, outcome)),
        4 => (0..4_usize, decision).prop_map(|(pick, decision)| Happens::Decided(pick, decision)),
        2 => (0..4_usize).prop_map(Happens::Proposed),
        2 => (0..40_000_u64).prop_map(Happens::Time),
        1 => Just(Happens::Failed),
        1 => reason.prop_map(Happens::Cancelled),
        2 => noise.prop_map(|input| Happens::Noise(Box::new(input))),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Watch), Just(Mode::Ask), Just(Mode::Assist)]
}

/// A station that keeps the books the loop must not contradict.
#[derive(Default)]
struct Books {
    /// Calls of the newest reply, in order, that have not been dispatched.
    order: Vec<CallId>,
    open: Vec<crate::ToolCall>,
    requests: Vec<Request>,
    started: usize,
    ended: usize,
}

impl Books {
    /// I-12: what is not a stop is dispatched in the order of the reply.
    fn dispatch(&mut self, call: &crate::ToolCall) {
        let at = self.order.iter().position(|id| *id == call.id);
        let at = at.unwrap_or_else(|| panic!("{call:?} is out of order or runs twice"));
        if call.name.starts_with("stop") {
            self.order.remove(at);
        } else {
            self.order.drain(..=at);
        }
        self.open.push(call.clone());
    }

    fn enter(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Call { request, .. } => {
                    assert!(self.open.is_empty(), "the model is called while {:?} is open", self.open);
                    assert_legal(request);
                    self.requests.push(request.clone());
                }
                Effect::Run(wave) => {
                    for call in wave {
                        let stop = call.name.starts_with("stop");
                        let alone = wave.len() == 1 && self.open.is_empty();
                        assert!(call.effect == Does::Read || alone, "{call:?} does not run alone");
                        assert!(!admit::actuates(call.effect) || stop, "{call:?} runs without a decision");
                    }
                    wave.iter().for_each(|call| self.dispatch(call));
                }
                Effect::Ask { call, .. } => {
                    assert!(self.open.is_empty(), "{call:?} is asked while {:?} is open", self.open);
                    self.dispatch(call);
                }
                Effect::Emit(Event::CallStarted { .. }) => self.started += 1,
                Effect::Emit(Event::CallEnded { call, .. }) => {
                    self.ended += 1;
                    self.open.retain(|open| open.id != *call);
                }
                Effect::Append { entry, .. } => {
                    let line = serde_json::to_string(entry).unwrap();
                    if entry.kind == EntryKind::Assistant {
                        self.order = calls_of(entry);
                    }
                    assert!(!line.contains("[Hint]") && !line.contains("[Budget]"), "a nudge is on disk: {line}");
                }
                Effect::Prefetch { .. }
                | Effect::Emit(_)
                | Effect::Wake { .. }
                | Effect::Abort
                | Effect::Warm(_)
                | Effect::End(_) => {}
            }
        }
    }

    fn pick(&self, pick: usize) -> CallId {
        self.open.get(pick % self.open.len().max(1)).map_or(CallId("none".into()), |call| call.id.clone())
    }

    fn input(&self, happens: Happens) -> Input {
        match happens {
            Happens::Reply(blocks, stop) => reply(&blocks, stop),
            Happens::Done(pick, outcome) => Input::ToolDone { call: self.pick(pick), outcome },
            Happens::Decided(pick, decision) => Input::Decided { call: self.pick(pick), decision },
            Happens::Proposed(pick) => Input::Proposed { call: self.pick(pick), proposal: json!({"id": "pr-1"}) },
            Happens::Time(_) => Input::Tick,
            Happens::Failed => Input::ModelFailed {
                purpose: Purpose::Main,
                error: llm::ModelError::own(llm::ModelErrorKind::Transport, "gone"),
            },
            Happens::Cancelled(reason) => Input::Cancel(reason),
            Happens::Noise(input) => *input,
        }
    }
}

fn calls_of(entry: &crate::Entry) -> Vec<CallId> {
    entry
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Call { id, .. } => Some(id.clone()),
            Block::Text { .. } | Block::Result { .. } => None,
        })
        .collect()
}

/// I-01: each call has exactly one result, right after its message, in order.
fn assert_legal(request: &Request) {
    let mut due: Vec<CallId> = Vec::new();
    let mut seen: Vec<CallId> = Vec::new();
    for message in &request.messages {
        for block in &message.blocks {
            match block {
                Block::Result { call, .. } => {
                    assert!(!due.is_empty() && due.remove(0) == *call, "result of {call} is out of place");
                }
                Block::Call { id, .. } => {
                    assert!(!seen.contains(id), "call id {id} twice");
                    seen.push(id.clone());
                    due.push(id.clone());
                }
                Block::Text { .. } => {
                    let in_reply = message.speaker == llm::Speaker::Assistant;
                    assert!(in_reply || due.is_empty(), "words before the results of {due:?}");
                }
            }
        }
    }
    assert!(due.is_empty(), "no result of {due:?}");
}

/// I-02: without their transient tails the older request is the beginning of the newer one.
fn assert_grows(older: &Request, newer: &Request) {
    let stable = |request: &Request| -> Vec<RequestMessage> {
        let end = request.transient_from.unwrap_or(request.messages.len());
        request.messages[..end].to_vec()
    };
    assert_eq!((older.epoch, &older.system), (newer.epoch, &newer.system));
    assert!(newer.tools.is_empty() || older.tools == newer.tools, "the tool list changed");
    assert!(stable(newer).starts_with(&stable(older)), "the past was edited:\n{older:#?}\n{newer:#?}");
}

/// Drives one turn; gives its inputs with their times, its effects, and what it wrote.
fn drive(turn: &mut Turn, story: Vec<Happens>) -> (Vec<(u64, Input)>, Vec<Vec<Effect>>, Books) {
    let mut books = Books::default();
    let (mut inputs, mut effects, mut ms) = (Vec::new(), Vec::new(), 0);
    let mut step = |turn: &mut Turn, books: &mut Books, ms, input: Input| {
        let had_ended = turn.has_ended();
        let made = turn.step(input.clone(), at(ms));
        assert!(!had_ended || made.is_empty(), "an ended turn went on");
        books.enter(&made);
        inputs.push((ms, input));
        effects.push(made);
    };
    step(turn, &mut books, 0, start("go"));
    step(turn, &mut books, 0, Input::Context(vec![Block::Text { text: "world".into(), trust: Trust::Typed }]));
    for happens in story {
        ms += if let Happens::Time(passed) = happens { passed } else { 1 };
        let input = books.input(happens);
        step(turn, &mut books, ms, input);
    }
    step(turn, &mut books, ms, Input::Cancel(CancelReason::Shutdown));
    (inputs, effects, books)
}

fn setup_in(mode: Mode) -> TurnSetup {
    let mut policy = Policy::operator();
    policy.budget.calls = 4;
    setup(policy, mode)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn i_01_i_02_i_03_i_12_every_request_is_legal_and_grows(mode in mode(), story in prop::collection::vec(happens(), 0..40)) {
        let mut turn = Turn::new(setup_in(mode));
        let (_, effects, books) = drive(&mut turn, story);
        for pair in books.requests.windows(2) {
            assert_grows(&pair[0], &pair[1]);
        }
        let policy = setup_in(mode).policy;
        let most = policy.budget.calls * (1 + policy.empty.nudges) + 1;
        prop_assert!(books.requests.len() <= most as usize, "I-10: {} model calls", books.requests.len());
        prop_assert!(books.open.is_empty() && books.started <= books.ended);
        let ends = effects.iter().flatten().filter(|effect| matches!(effect, Effect::End(_))).count();
        prop_assert_eq!(ends, 1);
    }

    #[test]
    fn i_09_the_next_turn_is_legal_after_any_end(
        mode in mode(),
        first in prop::collection::vec(happens(), 0..25),
        second in prop::collection::vec(happens(), 0..25),
    ) {
        let mut turn = Turn::new(setup_in(mode));
        let (_, _, books) = drive(&mut turn, first);
        let lines: String =
            turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        let loaded = Transcript::load(&lines);
        prop_assert_eq!((&loaded.transcript, loaded.skipped), (turn.transcript(), 0));
        let mut next = Turn::new(TurnSetup { transcript: loaded.transcript, ..setup_in(mode) });
        let (_, _, next_books) = drive(&mut next, second);
        if let (Some(last), Some(first)) = (books.requests.last(), next_books.requests.first()) {
            prop_assert!(last.tools.is_empty() || last.tools == first.tools);
            assert_grows(&Request { tools: first.tools.clone(), ..last.clone() }, first);
        }
    }

    #[test]
    fn i_15_the_same_inputs_have_the_same_effects(mode in mode(), story in prop::collection::vec(happens(), 0..30)) {
        let (inputs, effects, _) = drive(&mut Turn::new(setup_in(mode)), story);
        let mut again = Turn::new(setup_in(mode));
        let replayed: Vec<Vec<Effect>> = inputs.into_iter().map(|(ms, input)| again.step(input, at(ms))).collect();
        prop_assert_eq!(replayed, effects);
    }

    #[test]
    fn l_01_a_crash_at_any_byte_leaves_a_legal_conversation(
        mode in mode(),
        story in prop::collection::vec(happens(), 0..25),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut turn = Turn::new(setup_in(mode));
        drive(&mut turn, story);
        let bytes: Vec<u8> =
            turn.transcript().entries().iter().flat_map(|entry| serde_json::to_vec(entry).unwrap().into_iter().chain([b'\n'])).collect();
        let kept = String::from_utf8_lossy(&bytes[..cut.index(bytes.len())]).into_owned();
        let transcript = Transcript::load(&kept).transcript;
        drive(&mut Turn::new(TurnSetup { transcript, ..setup_in(mode) }), Vec::new());
    }
}
