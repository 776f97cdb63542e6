//! The investigator: what each call is sent, what a reply comes to, and how it ends when something goes wrong.

use super::presets::language;
use super::*;
use crate::{Preset, Why};
use llm::{Api, ModelError, ModelErrorKind, Sidecar, SidecarBlock};

fn investigator(most_calls: u32) -> TurnSetup {
    let mut policy = Policy::preset(Preset::Investigator);
    policy.budget.calls = most_calls;
    TurnSetup { caps: language(), ..setup(policy, Mode::Assist) }
}

fn begun(most_calls: u32) -> Turn {
    let mut turn = Turn::new(investigator(most_calls));
    turn.step(start("go"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    turn
}

fn read(id: &str) -> Input {
    calls(&[(id, "list_robots", "{}")])
}

fn with_call(words: &str, stop: Stop) -> Input {
    let call = ReplyBlock::Call { id: CallId("a".into()), name: "list_robots".into(), args_raw: "{}".into() };
    reply(&[ReplyBlock::Text(words.into()), call], stop)
}

#[test]
fn h_02_l_21_i_06_each_call_has_all_that_was_said_and_equal_tools_and_only_the_last_forbids_them() {
    let mut turn = Turn::new(investigator(3));
    let inputs = vec![start("go"), Input::Context(Vec::new()), read("a"), done("a", "{}"), read("b"), done("b", "{}")];
    let sent = requests(&mut turn, inputs);
    let choices: Vec<_> = sent.iter().map(|request| request.choice.clone()).collect();
    assert_eq!(choices, [llm::ToolChoice::Auto, llm::ToolChoice::Auto, llm::ToolChoice::None]);
    let tools = |request: &Request| serde_json::to_vec(&request.tools.iter().collect::<Vec<_>>()).unwrap();
    for pair in sent.windows(2) {
        assert_eq!((&pair[0].system, tools(&pair[0])), (&pair[1].system, tools(&pair[1])));
        assert_eq!(crate::first_difference(&pair[0], &pair[1]), None);
    }
    let said: Vec<usize> =
        sent.iter().map(|request| request.transient_from.unwrap_or(request.messages.len())).collect();
    assert_eq!(said, [1, 3, 5], "a reply and its result more with every call");
}

/// Effects of the first reply of a turn, without those that only tell.
fn check_reply(input: Input, expected: &[&str]) {
    let effects = begun(50).step(input, at(10));
    let acts = effects.iter().filter_map(|effect| match effect {
        Effect::Run(_) | Effect::Call { .. } | Effect::End(_) | Effect::Append { .. } => Some(print(effect)),
        Effect::Prefetch { .. }
        | Effect::PrefixBroken { .. }
        | Effect::Hook(_)
        | Effect::Ask { .. }
        | Effect::Emit(_)
        | Effect::Wake { .. }
        | Effect::Abort
        | Effect::Warm(_) => None,
    });
    assert_eq!(acts.collect::<Vec<_>>(), expected);
}

#[test]
fn h_09_h_10_h_11_h_12_what_a_reply_holds_decides_what_follows() {
    check_reply(says("It is idle."), &["Append 1", "End Answered"]);
    check_reply(with_call("I look.", Stop::ToolUse), &["Append 1", "Run a"]);
    check_reply(read("a"), &["Append 1", "Run a"]);
    check_reply(reply(&[], Stop::End), &["Call nudged"]);
}

#[test]
fn h_16_h_14_what_nobody_expected_gives_what_there_is_and_everything_is_kept() {
    for kind in [ModelErrorKind::Protocol, ModelErrorKind::Cancelled] {
        let mut turn = begun(50);
        turn.step(with_call("The arm is idle so far.", Stop::ToolUse), at(10));
        turn.step(done("a", r#"{"seen":1}"#), at(20));
        let error = ModelError::own(kind, "half a reply");
        let failed = || Input::ModelFailed { purpose: Purpose::Main, error: error.clone() };
        let mut effects = turn.step(failed(), at(30));
        if kind == ModelErrorKind::Protocol {
            let told: Vec<String> = effects.iter().map(print).collect();
            assert_eq!(told, ["Emit Restart in 1000 ms", "Wake 1030"], "what nobody could read is asked for once more");
            turn.step(Input::Tick, at(1_030));
            effects = turn.step(failed(), at(1_040));
        }
        let told: Vec<String> = effects.iter().map(print).collect();
        let calls = if kind == ModelErrorKind::Protocol { 3 } else { 2 };
        let ended = format!("Emit TurnEnded Partial(Unexpected) after {calls} calls");
        let expected = [
            "Emit ModelFailed \"half a reply\"",
            "Emit Delivered 1 \"The arm is idle so far.\"",
            &ended,
            "End Partial(Unexpected)",
        ];
        assert_eq!(told, expected, "{kind:?}");
        let lines: String =
            turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        assert_eq!(Transcript::load(&lines).transcript.entries().len(), 3, "words, reply and result");
        let mut wordless = begun(50);
        let mut effects = wordless.step(failed(), at(10));
        if kind == ModelErrorKind::Protocol {
            wordless.step(Input::Tick, at(1_010));
            effects = wordless.step(failed(), at(1_020));
        }
        assert!(effects.contains(&Effect::End(Outcome::Partial(Why::Unexpected))));
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Emit(Event::Delivered { .. }))), "{effects:?}");
    }
}

#[test]
fn h_17_a_reply_stays_as_it_came_words_and_calls_in_one_turn_of_the_model() {
    let caps = language();
    let args = r#"{ "prefix" : "door",  "limit": 1.0 }"#;
    let sidecar = Sidecar {
        provider: caps.provider.clone(),
        api: Api::Builtin,
        model: caps.name.clone(),
        base: caps.base.clone(),
        response_id: Some("r-1".into()),
        stop: Stop::ToolUse,
        usage_raw: json!({ "input_tokens": 3 }),
        blocks: vec![SidecarBlock::Text { s: "I look.".into(), sig: None }],
        calls_left_out: 0,
    };
    let call = |id: &str, args: &str| ReplyBlock::Call {
        id: CallId(id.into()),
        name: "list_world_state".into(),
        args_raw: args.into(),
    };
    let blocks = vec![ReplyBlock::Text("I look.".into()), call("a", args), call("b", "{}")];
    let reply = Reply { blocks, stop: Stop::ToolUse, usage: Usage::default(), sidecar: Some(sidecar.clone()) };
    let mut turn = Turn::new(investigator(50));
    let inputs = vec![
        start("go"),
        Input::Context(Vec::new()),
        Input::ModelDone { purpose: Purpose::Main, reply },
        done("a", "{}"),
        done("b", "{}"),
    ];
    let sent = requests(&mut turn, inputs);
    let entry = &turn.transcript().entries()[1];
    assert_eq!(entry.blocks.len(), 3, "{entry:?}");
    assert_eq!(entry.sidecar.as_deref(), Some(&sidecar));
    let replies: Vec<_> =
        sent[1].messages.iter().filter(|message| message.speaker == llm::Speaker::Assistant).collect();
    assert_eq!((replies.len(), &replies[0].blocks), (1, &entry.blocks));
    assert!(matches!(&entry.blocks[1], Block::Call { args_raw, .. } if args_raw == args), "byte for byte");
}

#[test]
fn h_36_k_02_what_is_told_is_what_is_billed_summed_over_all_calls() {
    let first = Usage { in_fresh: 100, cache_write_5m: 40, out: 10, ..Usage::default() };
    let second = Usage { in_fresh: 5, cache_read: 140, out: 20, ..Usage::default() };
    let mut turn = begun(50);
    let inputs = vec![used(read("a"), first), done("a", "{}"), used(says("It is idle."), second)];
    let effects = inputs.into_iter().flat_map(|input| turn.step(input, at(10)));
    let total = |effect| match effect {
        Effect::Emit(Event::Usage { total, .. } | Event::TurnEnded { usage: total, .. }) => Some(total),
        Effect::Emit(_)
        | Effect::Prefetch { .. }
        | Effect::PrefixBroken { .. }
        | Effect::Call { .. }
        | Effect::Hook(_)
        | Effect::Run(_)
        | Effect::Ask { .. }
        | Effect::Append { .. }
        | Effect::Wake { .. }
        | Effect::Abort
        | Effect::Warm(_)
        | Effect::End(_) => None,
    };
    let totals: Vec<Usage> = effects.filter_map(total).collect();
    let whole = Usage { in_fresh: 105, cache_write_5m: 40, cache_read: 140, out: 30, ..Usage::default() };
    assert_eq!(totals, [first, whole, whole], "every token of every call, however it was billed");
}
