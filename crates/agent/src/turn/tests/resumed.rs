//! A conversation that is taken up again: the person, the budget, and the note to the model.

use super::presets::language;
use super::*;
use crate::{Preset, Trigger};
use llm::{Anthropic, Chat, Gemini, Marks, ServerKind, Sidecar, SidecarBlock, Wire, caps};

/// A turn of `preset` that died while a tool ran, as the next start reads it back.
fn died(preset: Preset) -> Transcript {
    let mut turn = Turn::new(TurnSetup { caps: language(), ..setup(Policy::preset(preset), Mode::Assist) });
    turn.step(start("list the robots"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    turn.step(calls(&[("a", "list_robots", "{}")]), at(10));
    let lines: String =
        turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
    let mut transcript = Transcript::load(&lines).transcript;
    let open = transcript.open_calls();
    let closed: Vec<_> = open.into_iter().map(|call| (call.clone(), call.interrupted(Does::Read, None))).collect();
    transcript.repair(&closed, WALL_MS).into_iter().for_each(|entry| transcript.push(entry));
    transcript
}

fn taken_up(preset: Preset, transcript: Transcript) -> Turn {
    Turn::new(TurnSetup { caps: language(), transcript, ..setup(Policy::preset(preset), Mode::Assist) })
}

/// Presence of a continuation's text in the system text and in the messages of the first call with `input`.
fn told(preset: Preset, transcript: Transcript, input: Input) -> (bool, bool) {
    let sent = requests(&mut taken_up(preset, transcript), vec![input, Input::Context(Vec::new())]);
    let continuation = crate::continuation();
    let in_system = sent[0].system.iter().any(|text| text.contains(continuation));
    (in_system, words(&sent[0]).contains(continuation))
}

/// Input that the station sends when a person has a paused turn go on.
fn resumes() -> Input {
    let message = json!({
        "trigger": Trigger::Resume, "origin": "system", "role": "operator", "text": "go on", "trust": "typed", "room": null,
    });
    Input::Start(serde_json::from_value(message).unwrap())
}

#[test]
fn s_46_x_11_the_first_words_after_a_restart_are_told_that_the_conversation_goes_on() {
    let words = || start("please open line 4 of the readme");
    assert_eq!(told(Preset::Operator, died(Preset::Operator), words()), (false, true));
    assert_eq!(told(Preset::Investigator, died(Preset::Investigator), words()), (true, false));
    for preset in [Preset::Companion, Preset::Vault, Preset::Chat] {
        assert_eq!(told(preset, died(preset), words()), (false, false), "{preset:?}");
    }
    let mut first = taken_up(Preset::Operator, died(Preset::Operator));
    let done = super::presets::side(Purpose::JudgeAdequacy, "DONE: it was said");
    requests(&mut first, vec![words(), Input::Context(Vec::new()), says("It is a title."), done]);
    assert!(first.has_ended());
    let again =
        requests(&mut taken_up(Preset::Operator, first.into_transcript()), vec![words(), Input::Context(Vec::new())]);
    let times = super::words(&again[0]).matches(crate::continuation()).count();
    assert_eq!(times, 1, "it is said once and stays said");
}

#[test]
fn s_46_k_04_a_person_has_a_paused_turn_go_on_and_the_model_is_told() {
    let paused = crate::testing::transcript("user go\nreply I look");
    assert_eq!(told(Preset::Operator, paused.clone(), resumes()), (false, true));
    assert_eq!(told(Preset::Investigator, paused.clone(), resumes()), (true, false));
    let mut turn = taken_up(Preset::Operator, paused);
    turn.step(resumes(), at(0));
    let kinds: Vec<EntryKind> = turn.transcript().entries()[2..].iter().map(|entry| entry.kind.clone()).collect();
    assert_eq!(kinds, [EntryKind::Marker(Marker::Resumed), EntryKind::User]);
}

#[test]
fn h_26_a_resumed_turn_has_all_its_calls_again_and_the_context_still_ends_it() {
    let setup = |transcript| {
        let mut policy = Policy::preset(Preset::Investigator);
        policy.budget.calls = 3;
        TurnSetup { caps: language(), transcript, ..setup(policy, Mode::Assist) }
    };
    let read = |id: &str| calls(&[(id, "list_robots", "{}")]);
    let full = |input| used(input, Usage { in_fresh: 100_000, ..Usage::default() });
    let opening = || vec![start("and why?"), Input::Context(Vec::new())];
    let choices = |inputs: Vec<Input>| -> Vec<llm::ToolChoice> {
        let mut turn = Turn::new(setup(died(Preset::Investigator)));
        let inputs = opening().into_iter().chain(inputs).collect();
        requests(&mut turn, inputs).into_iter().map(|request| request.choice).collect()
    };
    use llm::ToolChoice::{Auto, None};
    let spends = choices(vec![read("b"), done("b", "{}"), read("c"), done("c", "{}")]);
    assert_eq!(spends, [Auto, Auto, None], "three calls, whatever the dead turn had used");
    assert_eq!(choices(vec![full(read("b")), done("b", "{}")]), [Auto, None], "the window is the same");
}

/// A conversation of one provider, as it is on disk.
fn said_by_anthropic() -> (llm::Caps, String) {
    let made_by = caps(ServerKind::Anthropic, "claude", "https://api.anthropic.com", "claude-opus-4-8");
    let sidecar = Sidecar {
        provider: made_by.provider.clone(),
        api: made_by.api,
        model: made_by.name.clone(),
        base: made_by.base.clone(),
        response_id: Some("msg_1".into()),
        stop: Stop::ToolUse,
        usage_raw: json!({}),
        blocks: vec![
            SidecarBlock::Thinking { s: "secret thought".into(), sig: Some("c2lnbmF0dXJl".into()) },
            SidecarBlock::Text { s: "I look.".into(), sig: None },
            SidecarBlock::Call {
                id: CallId("toolu_01".into()),
                name: "list_robots".into(),
                args_raw: "{ }".into(),
                sig: None,
            },
        ],
        calls_left_out: 0,
    };
    let call = ReplyBlock::Call { id: CallId("toolu_01".into()), name: "list_robots".into(), args_raw: "{ }".into() };
    let blocks = vec![ReplyBlock::Text("I look.".into()), call];
    let reply = Reply { blocks, stop: Stop::ToolUse, usage: Usage::default(), sidecar: Some(sidecar) };
    let mut turn =
        Turn::new(TurnSetup { caps: made_by.clone(), ..setup(Policy::preset(Preset::Investigator), Mode::Assist) });
    let inputs = vec![
        start("go"),
        Input::Context(Vec::new()),
        Input::ModelDone { purpose: Purpose::Main, reply },
        done("toolu_01", r#"{"seen":1}"#),
        says("It is idle."),
    ];
    requests(&mut turn, inputs);
    let lines = turn.transcript().entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
    (made_by, lines)
}

#[test]
fn h_23_what_one_provider_said_is_loaded_for_whichever_is_configured_now() {
    let (made_by, lines) = said_by_anthropic();
    let of = |kind, base: &str, model: &str| caps(kind, "now", base, model);
    let wires: [(Box<dyn Wire>, bool); 4] = [
        (Box::new(Anthropic::new(made_by)), true),
        (Box::new(Anthropic::new(of(ServerKind::Anthropic, "https://api.anthropic.com", "claude-sonnet-4-5"))), false),
        (Box::new(Gemini::new(of(ServerKind::Gemini, "https://g", "gemini-3-pro-preview"))), false),
        (Box::new(Chat::new(of(ServerKind::LlamaCpp, "http://127.0.0.1/v1", "qwen3-8b"))), false),
    ];
    for (wire, is_own) in wires {
        let transcript = Transcript::load(&lines).transcript;
        let setup = setup(Policy::preset(Preset::Investigator), Mode::Assist);
        let mut turn = Turn::new(TurnSetup { caps: wire.caps().clone(), transcript, ..setup });
        let sent = requests(&mut turn, vec![start("and why?"), Input::Context(Vec::new())]);
        let (http, _) = wire.encode(&sent[0], &Marks::default()).unwrap();
        let body = String::from_utf8(http.body).unwrap();
        let name = &wire.caps().name;
        for said in ["I look.", "list_robots", "seen", "It is idle.", "and why?"] {
            assert!(body.contains(said), "{name}: {said} is missing in {body}");
        }
        for own in ["secret thought", "c2lnbmF0dXJl"] {
            assert_eq!(body.contains(own), is_own, "{name}: {own} in {body}");
        }
    }
}
