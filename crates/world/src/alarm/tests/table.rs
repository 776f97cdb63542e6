//! The table of states, and what makes an alarm one.

use super::*;
use crate::alarm::terms::TermsError;

/// AL-03, row by row: what each step does in each state. `+` counts, `x` refuses, `=` changes nothing; `L` only if
/// latching.
#[test]
fn al_03_the_table_of_states() {
    use AlarmState::{AckActive, Latched, Normal, UnackActive, UnackReturned};
    let steps = [
        AlarmStep::True { after_loss: false },
        AlarmStep::True { after_loss: true },
        AlarmStep::False,
        AlarmStep::Acknowledge,
        AlarmStep::Reset,
    ];
    let over = |latching| if latching { Latched } else { Normal };
    for latching in [false, true] {
        let over = over(latching);
        let table = [
            (
                Normal,
                [
                    Some((UnackActive, 0)),
                    Some((UnackActive, 0)),
                    Some((Normal, 0)),
                    Some((Normal, 0)),
                    Some((Normal, 0)),
                ],
            ),
            (
                UnackActive,
                [Some((UnackActive, 1)), Some((UnackActive, 1)), Some((UnackReturned, 0)), Some((AckActive, 0)), None],
            ),
            (AckActive, [Some((AckActive, 0)), Some((UnackActive, 1)), Some((over, 0)), Some((AckActive, 0)), None]),
            (
                UnackReturned,
                [Some((UnackActive, 1)), Some((UnackActive, 1)), Some((UnackReturned, 0)), Some((over, 0)), None],
            ),
            (
                Latched,
                [
                    Some((UnackActive, 1)),
                    Some((UnackActive, 1)),
                    Some((Latched, 0)),
                    Some((Latched, 0)),
                    Some((Normal, 0)),
                ],
            ),
        ];
        assert_eq!(table.map(|(state, _)| state), AlarmState::ALL);
        for (state, row) in table {
            for (step, expected) in steps.into_iter().zip(row) {
                let stepped = state.step(step, latching).ok().map(|stepped| (stepped.state, u8::from(stepped.counts)));
                assert_eq!(stepped, expected, "{state:?} {step:?} latching {latching}");
            }
        }
    }
}

#[test]
fn al_02_priority_follows_from_consequence_and_haste() {
    use Consequence::{Damage, Harm, Mission, None};
    for (consequence, in_time, hasty) in [(Harm, 1, 1), (Damage, 2, 1), (Mission, 3, 2), (None, 4, 3)] {
        for (secs, expected) in [(60.0, in_time), (59.9, hasty)] {
            assert_eq!(Priority::of(consequence, secs).number(), expected, "{consequence:?} in {secs} s");
        }
    }
}

fn check(config: serde_json::Value) -> Result<AlarmTerms, TermsError> {
    AlarmTerms::check(&serde_json::from_value(config).unwrap()).map(|(terms, _)| terms)
}

#[test]
fn al_01_a_partly_filled_alarm_is_refused_by_what_is_missing() {
    let whole = serde_json::json!({
        "cause": "A toddler is at the stairs.", "consequence": "harm",
        "response": "Go to the stairs now.", "time_to_respond_secs": 30,
    });
    assert_eq!(check(whole.clone()).unwrap().priority(), Priority::FIRST);
    for field in ["cause", "consequence", "response", "time_to_respond_secs"] {
        let mut part = whole.clone();
        part.as_object_mut().unwrap().remove(field);
        assert_eq!(check(part), Err(TermsError::Incomplete { missing: vec![field] }));
    }
    for (field, value) in [
        ("cause", serde_json::json!("short")),
        ("response", serde_json::json!("x".repeat(501))),
        ("time_to_respond_secs", serde_json::json!(0)),
        ("off_delay_secs", serde_json::json!(3_601)),
    ] {
        let mut wrong = whole.clone();
        wrong[field] = value;
        assert!(matches!(check(wrong), Err(TermsError::OutOfRange { .. })), "{field}");
    }
    let mut wrong = whole;
    wrong["suppress_when"] = serde_json::json!("a >");
    assert!(matches!(check(wrong), Err(TermsError::BadPredicate(_))));
}

/// U-1310: alarm, priority, seconds to respond; and that each says what to do in a sentence.
#[test]
fn al_12_the_table_of_built_in_alarms() {
    let expected = [
        (1, 10.0, "stop_not_confirmed"),
        (1, 10.0, "limit_breached"),
        (2, 300.0, "unconstrained_grant"),
        (2, 300.0, "forged_messages"),
        (2, 300.0, "robot_link_lost"),
        (2, 300.0, "gate_rejects_station"),
        (2, 30.0, "command_no_answer"),
        (1, 600.0, "audit_chain_broken"),
        (2, 30.0, "ui_frozen"),
        (3, 1_800.0, "clock_skew"),
        (3, 1_800.0, "storage_low"),
        (3, 3_600.0, "keychain_locked"),
        (3, 1_800.0, "mission_failed"),
        (3, 1_800.0, "mission_watcher_failed"),
        (3, 1_800.0, "limit_set_changed"),
        (4, 3_600.0, "model_offline"),
        (4, 3_600.0, "spend_limit_reached"),
        (3, 28_800.0, "stop_path_untested"),
        (3, 1_800.0, "too_many_keys"),
        (3, 1_800.0, "job_dead_letter"),
        (2, 600.0, "memory_store_damaged"),
        (2, 600.0, "restored_from_backup"),
        (3, 1_800.0, "forgetting_incomplete"),
        (3, 1_800.0, "request_flood"),
        (3, 300.0, "proposal_unseen"),
        (2, 600.0, "record_missing"),
        (3, 3_600.0, "files_open"),
        (2, 600.0, "config_lost"),
        (2, 600.0, "storage_unwritable"),
        (3, 28_800.0, "certificate_ends"),
        (3, 28_800.0, "gate_manifest_differs"),
    ];
    let found = BuiltIn::ALL.map(|alarm| {
        let terms = alarm.terms();
        assert!(terms.cause.len() >= 10 && terms.response.len() >= 10, "{alarm:?}");
        (terms.priority().number(), terms.time_to_respond_secs, robot::word(&alarm))
    });
    assert_eq!(found.each_ref().map(|(number, secs, code)| (*number, *secs, code.as_str())), expected);
    let urgent = |alarm: BuiltIn| Of::station().urgent(true).definition(alarm, String::new()).priority().number();
    assert_eq!((urgent(BuiltIn::ForgedMessages), urgent(BuiltIn::StorageLow)), (1, 2));
}
