//! Contents that a turn fixes, and those that the next one of the same conversation keeps.

use super::*;
use crate::{EpochReason, Policy, Prefix, Preset};

fn language(policy: Policy, transcript: Transcript) -> TurnSetup {
    let mut caps = Caps::interpreter("m");
    (caps.kind, caps.window) = (ModelKind::Language, 200_000);
    TurnSetup { caps, transcript, ..setup(policy, Mode::Ask) }
}

/// Runs a turn with one answer; the reasons of its epochs, its first request and what was said.
fn run(setup: TurnSetup, words: &str) -> (Vec<EpochReason>, Request, Transcript) {
    let mut turn = Turn::new(setup);
    let mut effects = Vec::new();
    let routed = Input::ModelDone {
        purpose: Purpose::Router,
        reply: Reply {
            blocks: vec![ReplyBlock::Text("CHAT".into())],
            stop: Stop::End,
            usage: Usage::default(),
            sidecar: None,
        },
    };
    for input in [start(words), Input::Context(Vec::new()), routed, says("It is so.")] {
        effects.extend(turn.step(input, at(0)));
    }
    assert!(turn.has_ended(), "{effects:?}");
    let (mut reasons, mut request) = (Vec::new(), None);
    for effect in effects {
        if let Effect::Emit(Event::EpochChanged { reason, .. }) = effect {
            assert!(request.is_none(), "an epoch begins before its first request");
            reasons.push(reason);
        } else if let Effect::Call { purpose: Purpose::Main, request: made } = effect {
            request.get_or_insert(made);
        }
    }
    (reasons, request.unwrap(), turn.into_transcript())
}

#[test]
fn e_01_e_03_an_epoch_begins_when_system_tools_or_model_are_others() {
    let check = |change: &dyn Fn(&mut TurnSetup), expected: &[EpochReason]| {
        let (reasons, _, said) = run(language(Policy::operator(), Transcript::default()), "tell me how that feels");
        assert_eq!(reasons, [], "the first request begins nothing");
        let mut next = language(Policy::operator(), said);
        change(&mut next);
        let (reasons, request, _) = run(next, "and how it feels now");
        assert_eq!(reasons, expected);
        assert_eq!(request.epoch, u32::try_from(expected.len()).unwrap());
    };
    check(&|_| {}, &[]);
    check(&|setup| setup.policy.prompt.prefix = Prefix::EachCall, &[]);
    let renamed = |setup: &mut TurnSetup| {
        setup.policy.prompt.prefix = Prefix::EachCall;
        setup.system.identity.push('!');
    };
    check(&renamed, &[EpochReason::SystemChanged]);
    check(&|setup| setup.tools.truncate(3), &[EpochReason::ToolsChanged]);
    check(&|setup| setup.caps.name.push('2'), &[EpochReason::ModelSwitched]);
}

#[test]
fn b_17_p_01_agency_tools_are_declared_where_the_policy_has_them() {
    let names = |preset| {
        let setup = language(Policy::preset(preset), Transcript::default());
        Turn::new(setup).frame.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>()
    };
    let has = |preset, name: &str| names(preset).contains(&name.to_owned());
    assert!(has(Preset::Companion, "end_turn") && has(Preset::Operator, "say") && !has(Preset::Operator, "end_turn"));
    assert!(!has(Preset::Vault, "say"));
    assert!(names(Preset::Companion).is_sorted());
}

#[test]
fn s_26_e_01_tools_are_chosen_once_an_epoch_and_a_message_at_a_time_in_a_chat() {
    let many = |preset, transcript| {
        let mut setup = language(Policy::preset(preset), transcript);
        let spec = |number: usize| {
            let about = ["Counts parcels on a shelf.", "Opens a gate of the yard."][number % 2];
            ToolSpec::new(&format!("tool_{number:03}"), about, json!({ "type": "object" }), Does::Read)
        };
        setup.tools.extend((0..120).map(spec));
        setup
    };
    let declared = |request: &Request| request.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    let (_, first, said) = run(many(Preset::Operator, Transcript::default()), "please count all parcels on that shelf");
    let (reasons, second, _) = run(many(Preset::Operator, said), "please open that gate of the yard");
    assert_eq!((declared(&first), reasons), (declared(&second), Vec::new()));
    assert!(first.tools.len() < 60 && declared(&first).contains(&"stop_all".to_owned()));
    let mut few = many(Preset::Operator, Transcript::default());
    few.tools.truncate(3);
    let (_, first, said) = run(few, "please count all parcels on that shelf");
    let mut other = many(Preset::Operator, said);
    other.caps.name.push('2');
    let (reasons, second, _) = run(other, "please count all parcels on that shelf");
    assert_eq!(reasons, [EpochReason::ModelSwitched]);
    assert!(first.tools.len() < second.tools.len(), "another model has its own: {:?}", declared(&second));
    let (_, first, said) = run(many(Preset::Chat, Transcript::default()), "please count all parcels on that shelf");
    let (reasons, second, _) = run(many(Preset::Chat, said), "please open that gate of the yard");
    assert_ne!(declared(&first), declared(&second));
    assert_eq!(reasons, [EpochReason::ToolsChanged]);
}

#[test]
fn e_06_a_mission_that_begins_is_told_in_the_state_and_the_system_text_stays() {
    let (_, first, said) = run(language(Policy::operator(), Transcript::default()), "tell me how that feels");
    let mut next = language(Policy::operator(), said);
    next.system.missions.push("[Mission patrol]".into());
    let (reasons, second, _) = run(next, "and how it feels now");
    assert_eq!((reasons, second.system), (Vec::new(), first.system));
    let told =
        second.messages.iter().flat_map(|message| &message.blocks).any(
            |block| matches!(block, Block::Text { text, .. } if text.ends_with("changed]\nNow: [Mission patrol]")),
        );
    assert!(told);
}

#[test]
fn e_09_a_past_that_was_edited_in_its_epoch_is_told_and_the_call_is_made() {
    let context = || Input::Context(vec![crate::testing::text("door = open")]);
    let second_turn = |change: &dyn Fn(&mut TurnSetup)| {
        let mut first = Turn::new(language(Policy::operator(), Transcript::default()));
        requests(&mut first, vec![start("status"), context(), calls(&[("a", "list_robots", "{}")])]);
        requests(&mut first, vec![done("a", "{}"), says("There are two.")]);
        assert!(first.has_ended());
        let mut setup = language(Policy::operator(), first.into_transcript());
        change(&mut setup);
        let mut turn = Turn::new(setup);
        turn.step(start("status"), at(0));
        turn.step(context(), at(0))
    };
    let broken = |effects: &[Effect]| -> Vec<u64> {
        let at = effects.iter().filter_map(|effect| {
            let Effect::PrefixBroken { at } = effect else { return None };
            Some(*at)
        });
        at.collect()
    };
    assert_eq!(broken(&second_turn(&|_| {})), Vec::<u64>::new(), "what only grew is whole");
    // Somebody changed a setting between two turns, and no epoch began.
    let effects = second_turn(&|setup| setup.policy.volatile = crate::VolatilePlace::Nowhere);
    assert!(matches!(broken(&effects)[..], [at] if at > 0), "{:?}", broken(&effects));
    assert!(matches!(effects.last(), Some(Effect::Call { .. })), "it is made all the same");
    let new_epoch = second_turn(&|setup| {
        setup.policy.volatile = crate::VolatilePlace::Nowhere;
        setup.caps.name.push('2');
    });
    assert_eq!(broken(&new_epoch), Vec::<u64>::new(), "another epoch has another beginning");
}
