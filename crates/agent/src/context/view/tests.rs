mod properties;

use expect_test::{Expect, expect};
use llm::{Api, Block, CallId, RequestMessage, Sidecar, SidecarBlock, Speaker, Stop, Thinking, ThinkingOff};
use robot::{ConversationId, Origin, Trust};
use serde_json::json;

use super::*;
use crate::context::stable::{Fixed, first_difference, stable_bytes};
use crate::testing::{call, push, result, text, transcript};
use crate::{Covered, EntryPlace, EpochReason, MaskMove, NudgeChannel, Preset, mask_move};

pub(super) fn frame(preset: Preset) -> Frame {
    let mut caps = Caps::interpreter("m");
    caps.api = Api::AnthropicMessages;
    (caps.provider, caps.base, caps.window, caps.output_max) = ("main".into(), "https://m".into(), 100_000, 8_192);
    (caps.sampling, caps.choice_required) = (true, Choice::Yes);
    let tool =
        ToolDecl { name: "look".into(), description: "Looks.".into(), input_schema: json!({ "type": "object" }) };
    Frame {
        session: ConversationId::from("s"),
        system: vec!["You are main.".into()],
        tools: Arc::new([tool]),
        policy: Policy::preset(preset),
        caps,
        data_bearing: BTreeSet::new(),
        quote_key: QuoteKey::default(),
    }
}

pub(super) fn form() -> CallForm {
    CallForm { is_final: false, with_tools: true, profile: Profile::Deliberate, nudges: Vec::new() }
}

pub(super) fn sidecar(blocks: Vec<SidecarBlock>) -> Arc<Sidecar> {
    let (provider, model, base) = ("main".into(), "m".into(), "https://m".into());
    let (api, stop) = (Api::AnthropicMessages, Stop::ToolUse);
    Arc::new(Sidecar {
        provider,
        api,
        model,
        base,
        response_id: None,
        stop,
        usage_raw: json!({}),
        blocks,
        calls_left_out: 0,
    })
}

pub(super) fn thinking(words: &str) -> SidecarBlock {
    SidecarBlock::Thinking { s: words.into(), sig: Some("c2ln".into()) }
}

/// Prints what the model is shown.
fn check(preset: Preset, transcript: &Transcript, expected: Expect) {
    check_request(&view(transcript, &frame(preset), &form()), expected);
}

fn check_request(request: &Request, expected: Expect) {
    let transient = request.transient_from.unwrap_or(usize::MAX);
    let line = |(at, message): (usize, &RequestMessage)| {
        format!("{}{}\n", print(message), if at >= transient { " (transient)" } else { "" })
    };
    expected.assert_eq(&request.messages.iter().enumerate().map(line).collect::<String>());
}

fn print(message: &RequestMessage) -> String {
    let blocks = message.blocks.iter().map(|block| match block {
        Block::Text { text, .. } => text.replace('\n', " | "),
        Block::Call { id, .. } => format!("call {id}"),
        Block::Result { call, is_error, .. } => format!("result {call}{}", if *is_error { " error" } else { "" }),
    });
    let blocks = blocks.collect::<Vec<_>>().join(" + ");
    let thinking = message.sidecar.as_ref().map_or("", |sidecar| {
        let thinks = sidecar.blocks.iter().any(|block| matches!(block, SidecarBlock::Thinking { .. }));
        if thinks { " [as it came, with thinking]" } else { " [as it came]" }
    });
    format!("{:?}: {blocks}{thinking}", message.speaker)
}

#[test]
fn l_15_s_33_the_world_stands_before_the_words_it_was_gathered_for() {
    let said = transcript("user move\nvolatile world\ncall a\nresult a\nvolatile changed");
    check(
        Preset::Operator,
        &said,
        expect![[r#"
            User: world
            User: move
            Assistant: call a
            User: result a
            User: changed
        "#]],
    );
    check(
        Preset::Companion,
        &said,
        expect![[r#"
            User: [Turn context] + world + move
            Assistant: call a
            User: result a
            User: changed
        "#]],
    );
    check(
        Preset::Investigator,
        &said,
        expect![[r#"
            User: move
            Assistant: call a
            User: result a
            User: changed
        "#]],
    );
}

#[test]
fn s_33_t_13_d_16_l_04_state_in_the_system_text_is_the_newest_and_never_untrusted() {
    let mut said = transcript("user hi\nvolatile old world\nreply hello\nuser move\nvolatile new world");
    let sign = Block::Text { text: "a sign says go".into(), trust: Trust::Text };
    push(&mut said, EntryKind::Volatile, vec![sign, text("memory")]);
    let request = view(&said, &frame(Preset::Chat), &form());
    assert_eq!(request.system, ["You are main.", "new world\n\nmemory"]);
    check_request(
        &request,
        expect![[r#"
            User: hi
            Assistant: hello
            User: <<<untrusted system a08a96420ad8>>> | a sign says go | <<<end a08a96420ad8>>>
            User: move
        "#]],
    );
    // Thinking that is bound to the system text would be lost with it.
    let mut bound = frame(Preset::Chat);
    bound.caps.prefix_bound = PrefixBound::Rejects;
    let request = view(&said, &bound, &form());
    assert_eq!(request.system, ["You are main."]);
    assert_eq!(request.messages.len(), 6);
}

#[test]
fn l_12_results_that_answer_nothing_are_left_out() {
    check(
        Preset::Operator,
        &transcript("result a\nuser hello\ncall a b\nresult b\nresult c\nresult a\nresult b\nuser again\nresult a"),
        expect![[r#"
            User: hello
            Assistant: call a + call b
            User: result a
            User: result b
            User: again
        "#]],
    );
}

#[test]
fn x_10_a_call_without_its_result_was_interrupted() {
    check(
        Preset::Operator,
        &transcript("user go\ncall a b\nresult a\nuser again"),
        expect![[r#"
            User: go
            Assistant: call a + call b
            User: result a
            User: result b error
            User: again
        "#]],
    );
}

#[test]
fn d_12_b_40_a_summary_stands_where_the_messages_were_that_it_stands_for() {
    let mut said = transcript("user one\nreply a\nuser two\nreply b\nuser three");
    push(&mut said, EntryKind::Summary(Covered { from: 1, to: 3 }), vec![text("first")]);
    push(&mut said, EntryKind::Summary(Covered { from: 1, to: 4 }), vec![text("second")]);
    check(
        Preset::Operator,
        &said,
        expect![[r#"
            User: one
            User: [Previous conversation summary] + second
            User: three
        "#]],
    );
}

#[test]
fn l_22_a_refused_exchange_stays_on_disk_and_leaves_the_view() {
    let mut said = transcript("user one\nreply a\nuser bad\nvolatile world");
    push(&mut said, EntryKind::Marker(Marker::Refused { from: 2, partial: "I can".into() }), Vec::new());
    push(&mut said, EntryKind::User, vec![text("two")]);
    check(
        Preset::Operator,
        &said,
        expect![[r#"
            User: one
            Assistant: a
            User: two
        "#]],
    );
}

#[test]
fn s_17_s_18_old_results_are_masked_in_the_view_and_whole_on_disk() {
    let mut said = transcript("user one");
    for number in 0..12 {
        push(&mut said, EntryKind::Assistant, vec![call(&format!("c{number}"))]);
        let json = json!({ "text": "x".repeat(3_000) }).to_string();
        push(&mut said, EntryKind::ToolResult, vec![result(&format!("c{number}"), &json)]);
    }
    let frame = frame(Preset::Chat);
    let MaskMove { marker, .. } = mask_move(&said, &frame.policy, &frame.data_bearing).unwrap();
    push(&mut said, EntryKind::Marker(marker), Vec::new());
    let jsons: Vec<String> = view(&said, &frame, &form())
        .messages
        .into_iter()
        .flat_map(|message| message.blocks)
        .filter_map(|block| match block {
            Block::Result { json, .. } => Some(json),
            Block::Text { .. } | Block::Call { .. } => None,
        })
        .collect();
    let cleared = jsons.iter().filter(|json| json.as_str() == r#"{"cleared":"[Tool: look - OK]"}"#).count();
    assert_eq!((cleared, jsons.len()), (2, 12));
}

#[test]
fn e_07_s_32_h_35_how_a_hint_reaches_the_model() {
    let check = |channel, bound, mid, clear, expected| {
        let mut frame = frame(Preset::Operator);
        frame.policy.nudge = channel;
        frame.caps.prefix_bound = if bound { PrefixBound::Drops } else { PrefixBound::No };
        (frame.caps.system_mid, frame.caps.system_clear) = (mid, clear);
        assert_eq!(NudgeWay::of(&frame.policy, &frame.caps), expected, "{channel:?} {bound} {mid} {clear}");
    };
    check(NudgeChannel::Auto, false, true, true, NudgeWay::ClearedSystem);
    check(NudgeChannel::Auto, true, true, true, NudgeWay::ClearedSystem);
    check(NudgeChannel::Auto, false, true, false, NudgeWay::RemovedUser);
    check(NudgeChannel::Auto, true, true, false, NudgeWay::KeptSystem);
    check(NudgeChannel::Auto, true, false, false, NudgeWay::KeptUser);
    check(NudgeChannel::RemovedUser, false, true, true, NudgeWay::RemovedUser);
    check(NudgeChannel::RemovedUser, true, true, false, NudgeWay::KeptUser);
    check(NudgeChannel::KeptUser, false, true, true, NudgeWay::KeptUser);
    check(NudgeChannel::PromptItem, false, false, false, NudgeWay::InSystem);
    check(NudgeChannel::PromptItem, true, false, false, NudgeWay::KeptUser);
    check(NudgeChannel::SystemSuffix, false, false, false, NudgeWay::InSystem);
    let kept = [NudgeWay::ClearedSystem, NudgeWay::RemovedUser, NudgeWay::InSystem].map(NudgeWay::is_kept);
    assert_eq!((kept, NudgeWay::KeptUser.is_kept(), NudgeWay::KeptSystem.is_kept()), ([false; 3], true, true));
}

#[test]
fn e_07_h_37_a_transient_hint_is_the_tail_of_one_request() {
    let said = transcript("user go\nnudge stay");
    let form = CallForm { nudges: vec!["[Budget] 10 of 12".into()], ..form() };
    check_request(
        &view(&said, &frame(Preset::Operator), &form),
        expect![[r#"
            User: go
            User: stay
            User: [Budget] 10 of 12 (transient)
        "#]],
    );
    let mut frame = frame(Preset::Chat);
    let in_system = view(&said, &frame, &form);
    assert_eq!((in_system.system.len(), in_system.transient_from), (2, None));
    frame.policy.nudge = NudgeChannel::Auto;
    (frame.caps.prefix_bound, frame.caps.system_mid) = (PrefixBound::Rejects, true);
    let kept = view(&said, &frame, &super::tests::form());
    assert_eq!(kept.messages[1].speaker, Speaker::System);
}

#[test]
fn wp_01_wp_04_i_08_a_reply_goes_back_as_it_came_to_the_model_that_made_it() {
    let mut said = transcript("user go");
    push(&mut said, EntryKind::Assistant, vec![call("ours-2")]);
    push(&mut said, EntryKind::ToolResult, vec![result("ours-2", "{}")]);
    let theirs =
        SidecarBlock::Call { id: CallId("call:1".into()), name: "look".into(), args_raw: "{}".into(), sig: None };
    let mut entries = said.entries().to_vec();
    entries[1].sidecar = Some(sidecar(vec![thinking("hm"), theirs]));
    let mut said = Transcript::default();
    entries.into_iter().for_each(|entry| said.push(entry));
    check(
        Preset::Operator,
        &said,
        expect![[r#"
            User: go
            Assistant: call call:1 [as it came, with thinking]
            User: result call:1
        "#]],
    );
    let mut other = frame(Preset::Operator);
    other.caps.base = "https://proxy".into();
    check_request(
        &view(&said, &other, &form()),
        expect![[r#"
            User: go
            Assistant: call ours-2
            User: result ours-2
        "#]],
    );
}

#[test]
fn wp_02_broken_arguments_are_sent_as_an_empty_object() {
    let mut said = transcript("user go");
    let call = |args: &str| Block::Call { id: CallId(args.into()), name: "look".into(), args_raw: args.into() };
    push(&mut said, EntryKind::Assistant, vec![call("{\"a\": 1.0e0}"), call("{\"a\":"), call("[1]")]);
    let request = view(&said, &frame(Preset::Operator), &form());
    let args: Vec<&str> = request.messages[1]
        .blocks
        .iter()
        .map(|block| match block {
            Block::Call { args_raw, .. } => args_raw.as_str(),
            Block::Text { .. } | Block::Result { .. } => unreachable!("calls"),
        })
        .collect();
    assert_eq!(args, ["{\"a\": 1.0e0}", "{}", "{}"]);
}

/// Replies with thinking, in two turns; the second is open.
fn thought() -> Transcript {
    let mut said = transcript("user one\nreply a\nuser two\nvolatile world\ncall c\nresult c");
    let mut entries = said.entries().to_vec();
    entries[1].sidecar = Some(sidecar(vec![thinking("first")]));
    entries[4].sidecar = Some(sidecar(vec![thinking("second")]));
    said = Transcript::default();
    entries.into_iter().for_each(|entry| said.push(entry));
    said
}

#[test]
fn e_04_e_05_thinking_older_than_the_epoch_leaves_all_together_but_not_that_of_the_open_turn() {
    let mut said = thought();
    let mut frame = frame(Preset::Operator);
    frame.caps.prefix_bound = PrefixBound::Rejects;
    assert!(!view(&said, &frame, &form()).drop_blocks);
    said.push(said.next_epoch(0, EpochReason::Compaction));
    let request = view(&said, &frame, &form());
    assert!(request.drop_blocks, "the past was edited inside a turn");
    assert_eq!(request.epoch, 1);
    check_request(
        &request,
        expect![[r#"
            User: one
            Assistant: a [as it came]
            User: world
            User: two
            Assistant: call c [as it came, with thinking]
            User: result c
        "#]],
    );
    push(&mut said, EntryKind::Assistant, vec![text("done")]);
    said.push(said.next_epoch(0, EpochReason::Compaction));
    let request = view(&said, &frame, &form());
    assert!(request.drop_blocks, "for the rest of the conversation");
    let with_thinking = request.messages.iter().filter(|message| print(message).contains("with thinking")).count();
    assert_eq!(with_thinking, 0);
}

#[test]
fn e_08_h_06_s_21_only_the_last_call_forbids_tools_and_no_model_is_asked_for_what_it_cannot() {
    let check = |preset, is_final, required, expected: ToolChoice| {
        let mut frame = frame(preset);
        frame.caps.choice_required = required;
        let request = view(&transcript("user go"), &frame, &CallForm { is_final, ..form() });
        assert_eq!((request.choice, request.tools.len()), (expected, 1), "{preset:?} {is_final}");
    };
    for preset in [Preset::Vault, Preset::Investigator, Preset::Operator] {
        check(preset, false, Choice::Yes, ToolChoice::Auto);
        check(preset, true, Choice::Yes, ToolChoice::None);
    }
    check(Preset::Chat, true, Choice::Yes, ToolChoice::Auto);
    check(Preset::Companion, false, Choice::Yes, ToolChoice::Required);
    check(Preset::Companion, true, Choice::Yes, ToolChoice::Required);
    for choice in [Choice::Ignored, Choice::Unreliable, Choice::Rejected] {
        check(Preset::Companion, false, choice, ToolChoice::Auto);
    }
    let bare = CallForm { is_final: true, with_tools: false, ..form() };
    let bare = view(&transcript("user go"), &frame(Preset::Vault), &bare);
    assert_eq!((bare.choice, bare.tools.len()), (ToolChoice::None, 0));
}

#[test]
fn b_02_b_03_s_48_s_55_t_22_thinking_output_and_temperature() {
    let check = |preset, profile, output_max, thinking, temperature| {
        let request = view(&transcript("user go"), &frame(preset), &CallForm { profile, ..form() });
        let sampling = request.sampling.map(|sampling| sampling.temperature);
        assert_eq!((request.output_max, request.thinking, sampling), (output_max, thinking, temperature), "{preset:?}");
    };
    check(Preset::Companion, Profile::Reflex, 512, ThinkingWish::Off, None);
    check(Preset::Companion, Profile::Deliberate, 8_192, ThinkingWish::Own, None);
    check(Preset::Operator, Profile::Reflex, 512, ThinkingWish::Off, None);
    check(Preset::Operator, Profile::Deliberate, 4_096, ThinkingWish::Own, None);
    check(Preset::Chat, Profile::Deliberate, 4_096, ThinkingWish::Own, Some(0.7));
    check(Preset::Vault, Profile::Deliberate, 8_192, ThinkingWish::Own, None);
    let mut frame = frame(Preset::Chat);
    frame.caps.sampling = false;
    assert_eq!(view(&transcript("user go"), &frame, &form()).sampling, None);
}

#[test]
fn s_38_h_28_wb_05_where_cache_marks_are_wished() {
    let check = |preset, messages, system, transient| {
        let marks = view(&transcript("user go"), &frame(preset), &form()).marks;
        assert_eq!(marks, MarkWish { messages, system, transient }, "{preset:?}");
    };
    check(Preset::Companion, false, false, TransientMark::BeforeTransient);
    check(Preset::Vault, false, true, TransientMark::BeforeTransient);
    check(Preset::Investigator, true, false, TransientMark::SecondToLast);
    check(Preset::Chat, false, false, TransientMark::BeforeTransient);
    check(Preset::Operator, true, true, TransientMark::BeforeTransient);
}

#[test]
fn d_06_d_14_d_15_a_warm_request_is_the_beginning_of_the_next_one() {
    let mut said = transcript("user one\nreply a");
    let mut frame = frame(Preset::Vault);
    let warmed = warm(&said, &frame);
    assert_eq!((warmed.output_max, warmed.tools.len(), warmed.transient_from), (1, 1, None));
    frame.caps.user_last = true;
    let padded = warm(&said, &frame);
    assert_eq!(padded.transient_from, Some(2));
    assert_eq!(print(&padded.messages[2]), "User: .");
    push(&mut said, EntryKind::User, vec![text("two")]);
    assert_eq!(first_difference(&padded, &view(&said, &frame, &form())), None);
}

#[test]
fn h_24_s_46_a_resumed_session_is_told_so_in_the_system_text() {
    let mut said = transcript("user one\nreply a");
    let blocks = |said: &Transcript, preset| view(said, &frame(preset), &form()).system.len();
    assert_eq!(blocks(&said, Preset::Investigator), 1);
    push(&mut said, EntryKind::Marker(Marker::Resumed), Vec::new());
    let request = view(&said, &frame(Preset::Investigator), &form());
    assert!(request.system[1].starts_with("[Continuation]") && request.messages.len() == 2);
    for preset in [Preset::Companion, Preset::Vault, Preset::Chat, Preset::Operator] {
        assert_eq!(blocks(&said, preset), 1, "{preset:?}");
    }
}

#[test]
fn e_01_e_03_what_an_epoch_fixes() {
    let said = transcript("user one");
    let first = frame(Preset::Operator);
    let fixed = |frame: &Frame| Fixed::of(&view(&said, frame, &form()), &frame.caps);
    let check = |change: &dyn Fn(&mut Frame), expected| {
        let mut next = frame(Preset::Operator);
        change(&mut next);
        assert_eq!(fixed(&first).change(&fixed(&next)), expected);
    };
    check(&|_| {}, None);
    check(&|frame| frame.system[0].push('!'), Some(EpochReason::SystemChanged));
    check(&|frame| frame.tools = Arc::new([]), Some(EpochReason::ToolsChanged));
    check(&|frame| frame.caps.base.push('x'), Some(EpochReason::ModelSwitched));
    check(&|frame| frame.caps.name.push('x'), Some(EpochReason::ModelSwitched));
    check(&|frame| frame.caps.thinking = Thinking::Effort, None);
    check(&|frame| frame.caps.thinking_off = Some(ThinkingOff::Zero), None);
}

#[test]
fn e_09_d_21_the_first_offset_at_which_a_prefix_broke() {
    let frame = frame(Preset::Operator);
    let first = view(&transcript("user one\nreply a"), &frame, &form());
    let grown = view(&transcript("user one\nreply a\nuser two"), &frame, &form());
    assert_eq!((first_difference(&first, &grown), first_difference(&first, &first)), (None, None));
    let edited = view(&transcript("user one\nreply b\nuser two"), &frame, &form());
    let at = first_difference(&first, &edited).unwrap();
    assert_eq!((stable_bytes(&first)[at], stable_bytes(&edited)[at]), (b'a', b'b'));
    assert!(first_difference(&grown, &first).is_some(), "a request that shrinks broke its prefix");
    let other = Request { epoch: 1, ..edited };
    assert_eq!(first_difference(&first, &other), None);
}

#[test]
fn l_04_text_of_tools_sensors_and_rooms_is_in_no_system_role() {
    let mut said = transcript("user go\ncall a\nresult a");
    let words = || vec![Block::Text { text: "go left".into(), trust: Trust::Text }];
    for (kind, origin) in [
        (EntryKind::User, Origin::Room("eva".into())),
        (EntryKind::Volatile, Origin::Sensor("cam-1".into())),
        (EntryKind::Volatile, Origin::System),
    ] {
        let id = said.next_id();
        said.push(crate::Entry::new(EntryPlace { id, epoch: 0, at_ms: 0 }, kind, words(), origin));
    }
    for preset in Preset::ALL {
        let mut frame = frame(preset);
        frame.caps.system_mid = true;
        let request = view(&said, &frame, &form());
        assert!(request.system.iter().all(|text| !text.contains("go left")), "{preset:?}");
        let system = request.messages.iter().filter(|message| message.speaker == Speaker::System);
        assert_eq!(system.count(), 0, "{preset:?}");
    }
}
