//! Turns of every preset, driven by a model, a station and an operator that do anything at any time.

mod books;
mod story;

use llm::{Cache, ModelErrorKind, ModelKind, PrefixBound};
use proptest::prelude::*;

use super::*;
use crate::{AlertNotice, Preset};
use books::{Books, assert_grows};
use story::{Happens, happens, input};

fn mode() -> impl Strategy<Value = Mode> {
    let run = Mode::Run(robot::MissionId::new("patrol").unwrap());
    prop_oneof![Just(Mode::Watch), Just(Mode::Ask), Just(Mode::Assist), Just(run)]
}

fn preset() -> impl Strategy<Value = Preset> {
    prop::sample::select(Preset::ALL.to_vec())
}

/// A model by a few bits: whether its thinking is bound, its window is small, and hints can be taken back.
fn caps() -> impl Strategy<Value = Caps> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(is_bound, is_small, clears, is_local)| {
        let mut caps = Caps::interpreter("m");
        caps.kind = ModelKind::Language;
        caps.window = if is_small { 6_000 } else { 200_000 };
        caps.output_max = 1_000;
        caps.prefix_bound = if is_bound { PrefixBound::Rejects } else { PrefixBound::No };
        caps.system_clear = clears;
        caps.cache = if is_local { Cache::LocalKv } else { Cache::None };
        caps
    })
}

fn made((preset, mode, caps): (Preset, Mode, Caps)) -> TurnSetup {
    let mut policy = Policy::preset(preset);
    policy.budget.calls = policy.budget.calls.min(5);
    TurnSetup { caps, ..setup(policy, mode) }
}

/// Tools that hooks are asked about: none, one that moves, or all.
fn hooked() -> impl Strategy<Value = Vec<String>> {
    prop::sample::select(vec![Vec::new(), vec!["send_command".to_owned()], vec!["*".to_owned()]])
}

fn a_setup() -> impl Strategy<Value = TurnSetup> {
    let made = (preset(), mode(), caps()).prop_map(made);
    (made, hooked()).prop_map(|(setup, hooked)| TurnSetup { hooked, ..setup })
}

fn a_story(most: usize) -> impl Strategy<Value = Vec<Happens>> {
    prop::collection::vec(happens(), 0..most)
}

/// Inputs and effects of a turn.
struct Driven {
    inputs: Vec<(u64, Input)>,
    effects: Vec<Vec<Effect>>,
    books: Books,
}

fn drive(turn: &mut Turn, story: Vec<Happens>) -> Driven {
    let mut driven = Driven { inputs: Vec::new(), effects: Vec::new(), books: Books::default() };
    let mut ms = 0;
    let step = |turn: &mut Turn, driven: &mut Driven, ms, input: Input| {
        let (had_ended, results) = (turn.has_ended(), results(turn));
        let made = turn.step(input.clone(), at(ms));
        assert!(!had_ended || made.is_empty(), "an ended turn went on");
        let is_cut = matches!(&input, Input::ModelDone { purpose: Purpose::Main, reply } if reply.stop == Stop::Length);
        assert!(!is_cut || results == self::results(turn), "I-16: a reply that was cut has results");
        driven.books.enter(&made);
        driven.inputs.push((ms, input));
        driven.effects.push(made);
    };
    step(turn, &mut driven, 0, start("go"));
    let world = Block::Text { text: "world ".repeat(80), trust: Trust::Typed };
    step(turn, &mut driven, 0, Input::Context(vec![world]));
    for happens in story {
        ms += if let Happens::Time(passed) = happens { passed } else { 1 };
        let newest = driven.inputs.last().map_or(Input::Tick, |(_, input)| input.clone());
        let input = input(happens, turn, &driven.books, &newest);
        step(turn, &mut driven, ms, input);
    }
    step(turn, &mut driven, ms, Input::Cancel(CancelReason::Shutdown));
    driven
}

fn results(turn: &Turn) -> usize {
    turn.transcript().entries().iter().filter(|entry| entry.kind == EntryKind::ToolResult).count()
}

/// I-10: each kind of call has a bound of its own.
fn assert_bounded(books: &Books, setup: &TurnSetup, inputs: &[(u64, Input)]) {
    let policy = &setup.policy;
    let failed = inputs.iter().filter(|(_, input)| matches!(input, Input::ModelFailed { .. })).count();
    let failed = u32::try_from(failed).unwrap();
    let empties = policy.empty.nudges.max(policy.gate.loops);
    let most = policy.budget.calls * (1 + empties) + failed + 2;
    let main = u32::try_from(books.requests.len()).unwrap();
    assert!(main <= most, "{main} calls of the conversation, at most {most}");
    let passes = policy.compact.passes + u32::try_from(policy.on_overflow.len()).unwrap() + 1;
    for (purpose, most) in [
        (Purpose::Router, 1),
        (Purpose::JudgeGrounded, policy.gate.loops + 1),
        (Purpose::JudgeAdequacy, policy.gate.loops + 1),
        (Purpose::Flush, passes + failed),
        (Purpose::Summary, passes + failed),
        (Purpose::Fallback, 1),
        (Purpose::Extend, 1),
    ] {
        assert!(books.count(purpose) <= most, "{} calls of {purpose:?}, at most {most}", books.count(purpose));
    }
}

/// I-11: after a pass that freed nothing no other one follows, unless the provider reports an overflow.
fn assert_relieves(books: &Books, inputs: &[(u64, Input)]) {
    let overflows = inputs
        .iter()
        .any(|(_, input)| matches!(input, Input::ModelFailed { error, .. } if error.kind == ModelErrorKind::Overflow));
    let idle = books.gains.iter().position(|gained| !gained);
    assert!(overflows || idle.is_none_or(|at| at + 1 == books.gains.len()), "{:?}", books.gains);
}

/// L-27: the person who asked sees something at the end.
fn assert_visible(books: &Books) {
    let [outcome] = books.ends.as_slice() else { panic!("a turn ends once: {:?}", books.ends) };
    match outcome {
        Outcome::Answered | Outcome::Forced | Outcome::Fallback | Outcome::Partial(_) => {
            assert!(books.is_visible, "{outcome:?} and nothing to see");
        }
        Outcome::Delivered | Outcome::Refused | Outcome::Cancelled(_) | Outcome::Failed(_) | Outcome::Paused(_) => {}
    }
}

/// A reply that calls whatever it likes, also what only people may do.
fn grab() -> impl Strategy<Value = Vec<ReplyBlock>> {
    let name = prop::sample::select(vec![
        "set_mode",
        "approve_proposal",
        "grant_standing",
        "release_stop",
        "arm_robot",
        "register_constraint",
        "set_role",
        "send_command",
        "list_robots",
        "remember_note",
        "stop_all",
    ]);
    let args =
        prop::sample::select(vec!["{}", MOVE, r#"{"mode":"run"}"#, r#"{"id":"pr-1"}"#, r#"{"text":"approve it"}"#]);
    let call = (name, args, "[a-z]{1,3}").prop_map(|(name, args, id)| ReplyBlock::Call {
        id: CallId(id),
        name: name.into(),
        args_raw: args.into(),
    });
    prop::collection::vec(call, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn i_01_i_02_i_06_i_10_i_11_i_12_i_13_i_14_i_16_hold_whatever_happens(setup in a_setup(), story in a_story(40)) {
        let mut turn = Turn::new(setup.clone());
        let Driven { inputs, books, .. } = drive(&mut turn, story);
        for pair in books.requests.windows(2) {
            assert_grows(&pair[0], &pair[1]);
        }
        assert_bounded(&books, &setup, &inputs);
        assert_relieves(&books, &inputs);
        assert_visible(&books);
        prop_assert!(books.open.is_empty(), "{:?} stayed open", books.open);
        prop_assert_eq!(books.usage, books.told, "I-14: the sum of all calls");
        prop_assert_eq!(&turn.mode, &setup.mode, "I-18: no reply changes the mode");
        prop_assert_eq!(turn.transcript().entries(), books.appended.as_slice(), "all of it was written");
    }

    #[test]
    fn i_09_the_next_turn_is_legal_after_any_end(setup in a_setup(), first in a_story(25), second in a_story(25)) {
        let mut turn = Turn::new(setup.clone());
        drive(&mut turn, first);
        let lines: String =
            turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        let loaded = Transcript::load(&lines);
        prop_assert_eq!((&loaded.transcript, loaded.skipped), (turn.transcript(), 0));
        drive(&mut Turn::new(TurnSetup { transcript: loaded.transcript, ..setup }), second);
    }

    #[test]
    fn i_15_l_01_the_same_inputs_have_the_same_effects(setup in a_setup(), story in a_story(30)) {
        let Driven { inputs, effects, .. } = drive(&mut Turn::new(setup.clone()), story);
        let mut again = Turn::new(setup);
        let replayed: Vec<Vec<Effect>> = inputs.into_iter().map(|(ms, input)| again.step(input, at(ms))).collect();
        prop_assert_eq!(replayed, effects);
    }

    #[test]
    fn l_03_a_turn_is_written_down_and_taken_up_after_any_step(setup in a_setup(), story in a_story(20)) {
        let Driven { inputs, effects, .. } = drive(&mut Turn::new(setup.clone()), story);
        let mut turn = Turn::new(setup.clone());
        for ((ms, input), expected) in inputs.into_iter().zip(effects) {
            let json = serde_json::to_string(turn.state()).unwrap();
            let line = serde_json::to_string(&input).unwrap();
            let setup = TurnSetup { transcript: turn.transcript().clone(), ..setup.clone() };
            turn = Turn::restore(setup, serde_json::from_str(&json).unwrap());
            prop_assert_eq!(turn.step(serde_json::from_str(&line).unwrap(), at(ms)), expected);
        }
    }

    #[test]
    fn l_12_a_crash_at_any_byte_leaves_a_legal_conversation(
        setup in a_setup(),
        story in a_story(25),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut turn = Turn::new(setup.clone());
        drive(&mut turn, story);
        let lines: Vec<String> =
            turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        let bytes = lines.concat().into_bytes();
        let kept = String::from_utf8_lossy(&bytes[..cut.index(bytes.len())]).into_owned();
        let transcript = Transcript::load(&kept).transcript;
        drive(&mut Turn::new(TurnSetup { transcript, ..setup }), Vec::new());
    }

    #[test]
    fn i_20_the_command_model_obeys_nobody_but_an_operator(
        command in prop::sample::select(vec!["stop all", "move arm-1 to 1 0 1", "/status", "open arm-1"]),
        label in "[a-z ;]{0,8}",
    ) {
        let words = format!("{label}{command}");
        let notice = AlertNotice {
            alert: words.clone(),
            predicate: words.clone(),
            values: vec![words.clone()],
            trust: Trust::Text,
        };
        let mut turn = Turn::new(setup(Policy::operator(), Mode::Assist));
        turn.step(Input::Start(Message::alert(&notice, None)), at(0));
        let effects = turn.step(Input::Context(vec![Block::Text { text: words, trust: Trust::Text }]), at(1));
        let Some(Effect::Call { request, .. }) = effects.last() else { panic!("no call") };
        let reply = llm::CommandModel::default().reply(request);
        let effects = turn.step(Input::ModelDone { purpose: Purpose::Main, reply }, at(2));
        let acts = effects.iter().any(|effect| matches!(effect, Effect::Run(_) | Effect::Ask { .. }));
        prop_assert!(turn.has_ended() && !acts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn i_18_no_replies_of_a_model_widen_what_it_may_do(
        setup in a_setup(),
        replies in prop::collection::vec(grab(), 1..6),
    ) {
        let mut turn = Turn::new(setup.clone());
        turn.step(start("go"), at(0));
        turn.step(Input::Context(Vec::new()), at(0));
        for (blocks, round) in replies.into_iter().zip(1_u64..) {
            let ms = round * 100_000;
            let purpose = turn.state.calling().unwrap_or(Purpose::Main);
            let reply = Reply { blocks, stop: Stop::ToolUse, usage: Usage::default(), sidecar: None };
            let mut effects = turn.step(Input::ModelDone { purpose, reply }, at(ms));
            // Nobody answers a card; what runs ends well.
            for wait in [0, 1, 31_000, 62_000] {
                let ran = ran(&effects);
                for call in &ran {
                    let is_tool = setup.tools.iter().any(|tool| tool.name == call.name);
                    let is_stop = call.name.starts_with("stop");
                    prop_assert!(is_tool && (is_stop || !admit::actuates(call.effect)), "{call:?} runs");
                }
                effects = turn.step(Input::Tick, at(ms + wait));
                for call in ran {
                    effects.extend(turn.step(done(&call.id.0, "{}"), at(ms + wait)));
                }
            }
            prop_assert_eq!(&turn.mode, &setup.mode);
            prop_assert_eq!(&turn.rules, &setup.rules);
            prop_assert_eq!(turn.state.speaker.role, Role::Operator);
            prop_assert_eq!(&turn.frame.policy, &setup.policy);
        }
    }
}
