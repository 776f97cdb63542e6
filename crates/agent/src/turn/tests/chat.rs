//! The chat design: its tools call by call, how it ends, and how a conversation begins anew.

use super::presets::{language, side};
use super::*;
use crate::{Layer, Permission, Preset, RoomLine, Rule, Scope};

const LOOK: &str = "list the robots and remember them";

fn chat() -> TurnSetup {
    TurnSetup { caps: language(), ..setup(Policy::preset(Preset::Chat), Mode::Assist) }
}

fn begun(setup: TurnSetup, message: Message) -> Turn {
    let mut turn = Turn::new(setup);
    turn.step(Input::Start(message), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    turn
}

fn dana(role: Role) -> Message {
    Message::operator("dana", role, LOOK).unwrap()
}

/// The same words in a room.
fn eva() -> Message {
    let line = RoomLine { name: "eva".into(), text: LOOK.into(), at_ms: WALL_MS, since_ms: None };
    Message::room("ops", vec![line]).unwrap()
}

/// Outcome of a call of `remember_note` by `message`, with `scope` on the tool and a rule that says `verdict`.
fn check_call(message: &Message, scope: Scope, verdict: Permission, args: &str, expected: &str) {
    let mut setup = chat();
    setup.policy.tools.select.when = SelectWhen::All;
    setup.rules = vec![Rule { layer: Layer::Site, tool: "remember_note".into(), verdict }];
    setup.tools.iter_mut().filter(|tool| tool.name == "remember_note").for_each(|tool| tool.scope = scope);
    let mut turn = begun(setup, message.clone());
    let effects = turn.step(calls(&[("a", "remember_note", args)]), at(10));
    if effects.iter().any(|effect| matches!(effect, Effect::Run(_))) {
        turn.step(done("a", &json!({ "text": "x".repeat(60_000) }).to_string()), at(20));
    }
    let result = turn.transcript().entries().iter().flat_map(|entry| &entry.blocks).find_map(|block| match block {
        Block::Result { json, .. } => Some(json.clone()),
        Block::Text { .. } | Block::Call { .. } => None,
    });
    let result: serde_json::Value = serde_json::from_str(&result.unwrap()).unwrap();
    let came_to = result["code"].as_str().map_or_else(|| format!("cut {}", result["cut"]), str::to_owned);
    assert_eq!(came_to, expected, "{scope:?} {verdict:?} {args} by {message:?}");
}

#[test]
fn t_18_l_24_a_call_is_validated_then_scoped_then_permitted_then_run_and_cut() {
    use Permission::{Allow, Deny};
    let room = eva();
    let desk = dana(Role::Operator);
    let (bad, good) = ("{}", r#"{"text":"x"}"#);
    check_call(&room, Scope::Direct, Deny, bad, "invalid_arguments");
    check_call(&desk, Scope::Room, Deny, good, "out_of_scope");
    check_call(&desk, Scope::Anywhere, Deny, good, "rule_forbids");
    check_call(&desk, Scope::Anywhere, Allow, good, "cut true");
    check_call(&desk, Scope::Direct, Allow, good, "cut true");
    check_call(&room, Scope::Room, Allow, good, "cut true");
    check_call(&desk, Scope::Admin, Allow, good, "out_of_scope");
    check_call(&dana(Role::Admin), Scope::Admin, Allow, good, "cut true");
}

#[test]
fn t_15_t_18_what_is_not_for_this_place_is_not_declared_either() {
    let declared = |message: Message| -> Vec<String> {
        let mut setup = chat();
        let scope = |name: &str| match name {
            "remember_note" => Scope::Direct,
            "list_robots" => Scope::Admin,
            _ => Scope::Anywhere,
        };
        setup.tools.iter_mut().for_each(|tool| tool.scope = scope(&tool.name));
        setup.policy.tools.select.always = vec!["*".into()];
        let mut turn = Turn::new(setup);
        let sent = requests(&mut turn, vec![Input::Start(message), Input::Context(Vec::new())]);
        sent[0].tools.iter().map(|tool| tool.name.clone()).collect()
    };
    let has = |message, name: &str| declared(message).contains(&name.to_owned());
    assert_eq!((has(eva(), "remember_note"), has(dana(Role::Operator), "remember_note")), (false, true));
    assert_eq!((has(dana(Role::Operator), "list_robots"), has(dana(Role::Admin), "list_robots")), (false, true));
}

#[test]
fn t_19_a_tool_has_thirty_seconds_and_the_model_is_told_that_it_took_longer() {
    let mut turn = begun(chat(), dana(Role::Operator));
    turn.step(calls(&[("a", "list_robots", "{}")]), at(10));
    assert!(turn.step(Input::Tick, at(30_009)).is_empty());
    let effects = turn.step(Input::Tick, at(30_010));
    let asked = effects.iter().find_map(|effect| {
        let Effect::Call { request, .. } = effect else { return None };
        Some(words(request))
    });
    assert!(asked.unwrap().ends_with(r#"{"code":"timed_out","message":"no result within 30 s"}"#));
}

#[test]
fn t_21_a_turn_ends_with_the_first_reply_that_calls_nothing() {
    let ends = |input| {
        let mut turn = begun(chat(), dana(Role::Operator));
        turn.step(input, at(10));
        turn.has_ended()
    };
    let text = |stop| reply(&[ReplyBlock::Text("All idle.".into())], stop);
    for stop in [Stop::End, Stop::ToolUse, Stop::StopSequence, Stop::Other("eos".into())] {
        assert!(ends(text(stop.clone())), "{stop:?}");
        assert!(ends(reply(&[], stop)));
    }
    assert!(!ends(calls(&[("a", "list_robots", "{}")])));
}

const DAY_MS: u64 = 86_400_000;

/// A chat of yesterday in which the words of `lines` were said.
fn yesterday(setup: TurnSetup, lines: &str) -> (Turn, String) {
    let mut turn = Turn::new(TurnSetup { transcript: crate::testing::transcript(lines), ..setup });
    let played = play(&mut turn, vec![(DAY_MS, Input::Start(dana(Role::Operator)))]);
    (turn, played)
}

#[test]
fn t_09_t_07_t_08_s_44_a_chat_that_ended_is_summed_up_remembered_and_begun_anew() {
    let (mut turn, played) = yesterday(chat(), "user where is the dock?\nreply In the hall.");
    assert_eq!(played, "Call Summary\n");
    let summary = "Topics: the dock, which stands in the hall.";
    let played = play(
        &mut turn,
        vec![
            (DAY_MS + 5, Input::Tick),
            (DAY_MS + 10, side(Purpose::Summary, summary)),
            (DAY_MS + 15, done("flush-2-0", "{}")),
            (DAY_MS + 20, Input::Context(Vec::new())),
            (DAY_MS + 30, says("All idle.")),
        ],
    );
    expect![[r#"

        Run flush-2-0; Append 2; Emit EpochChanged 0-1 SessionReset; Append 3; Emit TurnStarted; Wake 87000010; Prefetch "list the robots and remember them"

        Call
        Append 4; Emit Delivered 4 "All idle."; Emit TurnEnded Answered after 1 calls; End Answered
    "#]].assert_eq(&played);
    let (mut turn, _) = yesterday(chat(), "user where is the dock?\nreply In the hall.");
    let effects = turn.step(side(Purpose::Summary, summary), at(DAY_MS));
    let remembered = &ran(&effects)[0];
    let note = json!({ "title": "Conversation before 2026-03-09", "text": summary });
    assert_eq!((remembered.name.as_str(), &remembered.args), ("remember_note", &note));
    let sent = requests(&mut turn, vec![Input::Context(Vec::new())]);
    assert_eq!(sent[0].messages.len(), 1, "nothing of yesterday is shown");
    assert!(words(&sent[0]).ends_with(LOOK));
}

#[test]
fn t_09_what_nobody_can_sum_up_is_remembered_in_a_few_lines_and_what_was_said_stays_said() {
    let said = "user where is the dock?\nreply In the hall.";
    let (mut turn, _) = yesterday(chat(), said);
    let error = llm::ModelError::own(llm::ModelErrorKind::Transport, "gone");
    let effects = turn.step(Input::ModelFailed { purpose: Purpose::Summary, error }, at(DAY_MS));
    let remembered = ran(&effects)[0].args["text"].as_str().unwrap_or_default().contains("where is the dock?");
    assert!(remembered, "{effects:?}");
    let (mut turn, _) = yesterday(chat(), said);
    turn.step(Input::Cancel(CancelReason::Shutdown), at(DAY_MS));
    assert!(turn.has_ended());
    assert!(turn.transcript().entries().iter().any(|entry| entry.kind == EntryKind::User && entry.id == 2));
    let kept = TurnSetup { policy: Policy::operator(), ..chat() };
    let (turn, played) = yesterday(kept, said);
    assert!(!played.contains("Summary") && turn.transcript().epoch() == 0, "a desk begins anew by hand only");
}

#[test]
fn t_26_after_an_overflow_the_same_message_is_sent_again() {
    let mut setup = chat();
    setup.transcript = crate::testing::transcript("user old words\nreply older answer");
    let mut turn = Turn::new(setup);
    let error = llm::ModelError::own(llm::ModelErrorKind::Overflow, "too long");
    let failed = Input::ModelFailed { purpose: Purpose::Main, error };
    let inputs = vec![Input::Start(dana(Role::Operator)), Input::Context(Vec::new()), failed];
    let sent = requests(&mut turn, inputs);
    assert_eq!(sent.len(), 2);
    let shown = words(&sent[1]);
    assert!(shown.starts_with("[Previous conversation summary]") && shown.ends_with(LOOK), "{shown}");
}

#[test]
fn t_37_in_a_room_nothing_is_remembered_and_no_strategy_is_told() {
    let parts = crate::SystemParts {
        strategy: "STRATEGY".into(),
        memory: "MEMORY".into(),
        soul: "SOUL".into(),
        owner: "OWNER".into(),
        user: "CURRENT-USER".into(),
        ..crate::SystemParts::default()
    };
    let policy = Policy::preset(Preset::Chat).in_room();
    let system =
        |parts| Turn::new(TurnSetup { system: parts, policy: policy.clone(), ..chat() }).frame.system.join("\n");
    let (direct, room) = (system(parts.clone()), system(parts.in_room()));
    for (text, in_room) in
        [("STRATEGY", false), ("MEMORY", false), ("CURRENT-USER", false), ("SOUL", true), ("OWNER", true)]
    {
        assert_eq!((direct.contains(text), room.contains(text)), (true, in_room), "{text}");
    }
    assert_eq!(
        (policy.prefetch.hits, policy.prefetch.feed, policy.memory.lines, policy.memory.daily_lines),
        (0, 0, 0, 0)
    );
    let full = |policy: &Policy| {
        crate::pressure(
            policy,
            crate::Standing::TurnStart,
            false,
            &crate::Load { used: 60, room: 100, messages: 30, mask_frees: None, can_compact: true, can_flush: true },
            &crate::Relieved::default(),
        )
    };
    let desk = Policy::operator();
    assert_eq!(
        (full(&desk), full(&desk.in_room())),
        (crate::Step::Flush, crate::Step::Call),
        "no fact is taken from a room"
    );
}

#[test]
fn t_38_a_line_that_cannot_be_read_is_left_out_and_the_turn_goes_on() {
    let lines: String = crate::testing::transcript("user one\nreply a")
        .entries()
        .iter()
        .map(|entry| format!("{}\n{{\"id\": 7, \"ki\n", serde_json::to_string(entry).unwrap()))
        .collect();
    let loaded = Transcript::load(&lines);
    assert_eq!((loaded.skipped, loaded.transcript.entries().len()), (2, 2));
    let mut turn = begun(TurnSetup { transcript: loaded.transcript, ..chat() }, dana(Role::Operator));
    let effects = turn.step(says("All idle."), at(10));
    assert!(effects.contains(&Effect::End(Outcome::Answered)), "{effects:?}");
}

#[test]
fn t_31_a_chat_that_is_too_long_begins_anew_with_a_summary_and_its_last_twenty_messages() {
    let said: String = (0..40).map(|number| format!("user question {number} {}\n", "x".repeat(1_500))).collect();
    let mut setup = chat();
    setup.caps.window = 20_000;
    setup.transcript = crate::testing::transcript(&said);
    let mut turn = Turn::new(setup);
    let summary = "Topics: forty questions, which nobody answered.";
    let opening = vec![Input::Start(dana(Role::Operator)), Input::Context(Vec::new())];
    assert!(requests(&mut turn, opening).is_empty(), "a summary comes first");
    let sent = requests(&mut turn, vec![side(Purpose::Summary, summary)]);
    assert_eq!(sent[0].messages.len(), 21);
    assert!(words(&sent[0]).starts_with(&format!("[Previous conversation summary]\n{summary}\nquestion 21")));
    assert!(words(&sent[0]).ends_with(LOOK));
    let begins = EntryKind::Marker(Marker::Epoch { from: 0, to: 1, reason: crate::EpochReason::SessionReset });
    assert!(turn.transcript().entries().iter().any(|entry| entry.kind == begins));
    assert_eq!(turn.transcript().entries().len(), 40 + 3, "all of it stays on disk");
}
