//! A turn told again from its inputs.

use super::presets::language;
use super::*;
use crate::{Preset, Record};

fn told() -> (TurnSetup, Record, Vec<Vec<Effect>>) {
    let setup = TurnSetup { caps: language(), ..setup(Policy::operator(), Mode::Assist) };
    let mut turn = Turn::new(setup.clone());
    let mut record = Record::default();
    let inputs = [
        (0, start("go")),
        (1, Input::Context(Vec::new())),
        (2, Input::Delta(Delta::Thinking("hm".into()))),
        (10, calls(&[("a", "list_world_state", r#"{"prefix":"door"}"#), ("b", "send_command", MOVE)])),
        (20, done("a", r#"{"door":"open"}"#)),
        (30, decided("b", Decision::Approved)),
        (40, done("b", r#"{"state":"received"}"#)),
        (50, says("It moves.")),
    ];
    let effects = inputs.into_iter().map(|(ms, input)| {
        record.note(&input, at(ms));
        turn.step(input, at(ms))
    });
    let effects = effects.collect();
    (setup, record, effects)
}

#[test]
fn l_03_recorded_inputs_are_a_replay() {
    let (setup, record, effects) = told();
    let loaded = Record::load(&record.lines().unwrap()).unwrap();
    assert_eq!(loaded, record);
    assert_eq!(loaded.replay(setup), effects);
    assert!(Record::load("{\"at\":").is_err());
}

#[test]
fn l_03_a_fork_goes_its_own_way_and_its_tools_answer_from_the_record() {
    let (setup, record, _) = told();
    let policy = Policy::preset(Preset::Investigator);
    let (mut turn, effects) = record.fork(TurnSetup { policy, ..setup }, 1);
    assert_eq!(turn.transcript().next_id(), 2);
    let Some(Effect::Run(wave)) = effects.iter().find(|effect| matches!(effect, Effect::Run(_))) else {
        panic!("no wave in {effects:?}")
    };
    let outcome = record.answer(&wave[0]).unwrap();
    assert_eq!(outcome.json, r#"{"door":"open"}"#);
    let other = ToolCall { args: json!({"prefix": "oven"}), ..wave[0].clone() };
    assert_eq!(record.answer(&other), None);
    let effects = turn.step(Input::ToolDone { call: wave[0].id.clone(), outcome }, at(15));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Ask { .. })), "{effects:?}");
}
