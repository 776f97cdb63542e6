use super::*;
use crate::test_support::{Rig, detections, now, plain};
use crate::{Warning, WarningCode};
use proptest::prelude::*;
use serde_json::{Value, json};

mod outliving;

/// One rule over the plain key `x`, and values at times in milliseconds; null sends nothing. When does it fire?
fn fired(rule: Value, steps: &[(u64, Value)]) -> Vec<u64> {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert("al-1", rule, 0);
    for (ms, value) in steps {
        if value.is_null() {
            rig.tick(*ms);
        } else {
            rig.send("cp-1", "lab/x/x", *ms, &json!({"v": value}));
        }
    }
    rig.fired_ms()
}

#[test]
fn cw_09_a_rule_with_confidence() {
    for (predicate, value, confidence, fires) in [
        ("x = true AND confidence > 0.85", json!(true), 0.95, true),
        ("x = true AND confidence > 0.85", json!(true), 0.5, false),
        ("x = 'true' AND confidence > 0.85", json!(true), 0.95, true),
        ("x = 'true' AND confidence > 0.85", json!("true"), 0.95, true),
    ] {
        let mut rig = Rig::with(&[("cp-1", plain("x"))]);
        rig.alert("al-1", json!({"predicate": predicate}), 0);
        rig.send("cp-1", "lab/x/x", 0, &json!({"v": value, "confidence": confidence}));
        assert_eq!(!rig.fires.is_empty(), fires, "{predicate} with {value} at {confidence}");
    }
}

#[test]
fn w7_r_01_a_value_true_for_a_moment_fires() {
    assert_eq!(fired(json!({"predicate": "x = 1"}), &[(0, json!(0)), (100, json!(1)), (101, json!(0))]), [100]);
}

#[test]
fn r_04_a_rule_that_stays_active_never_fires_again() {
    let steps: Vec<_> = (0..200).map(|i| (i * 1_000, json!(1))).collect();
    assert_eq!(fired(json!({"predicate": "x = 1"}), &steps), [0]);
}

#[test]
fn cw_10_r_04_keeps_back_edges_inside_the_debounce() {
    let edges = [(0, 1), (5_000, 0), (10_000, 1), (15_000, 0), (70_000, 1)].map(|(ms, value)| (ms, json!(value)));
    assert_eq!(fired(json!({"predicate": "x = 1"}), &edges), [0, 70_000]);
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert("al-1", json!({"predicate": "x = 1"}), 0);
    for (ms, value) in edges {
        rig.send("cp-1", "lab/x/x", ms, &json!({"v": value}));
    }
    let row = &rig.world.alerts(now(71_000))[0];
    assert_eq!((row.fires, row.suppressed, row.state), (2, 1, AlertState::Active));
}

#[test]
fn r_04_an_edge_that_waited_fires_once_if_it_is_still_true() {
    let mut steps: Vec<_> = vec![(0, json!(1)), (1_000, json!(0))];
    steps.extend((2..10).map(|i| (i * 1_000, json!(1))));
    steps.extend([(10_000, Value::Null), (30_000, Value::Null)]);
    assert_eq!(fired(json!({"predicate": "x = 1", "debounce_secs": 10}), &steps), [0, 10_000]);
}

#[test]
fn cw_10_boosts_of_rules_on_one_write_are_both_reported() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert("al-1", json!({"predicate": "x = 1", "arousal_boost": 1}), 0);
    rig.alert("al-2", json!({"predicate": "x > 0", "arousal_boost": 2, "description": "up"}), 0);
    rig.send("cp-1", "lab/x/x", 5, &json!({"v": 1, "confidence": 0.9}));
    assert_eq!(rig.fires.iter().map(|fire| fire.arousal_boost).sum::<f64>(), 3.0);
    let value = AlertValue {
        key: Key::new("x").unwrap(),
        value: Scalar::Int(1),
        confidence: Some(0.9),
        age_ms: 0,
        source: "lab/x/x".into(),
        received_ms: now(5).wall_ms,
        n: Some(5),
        provider: ProviderId("cp-1".into()),
    };
    assert_eq!((&rig.fires[1].values, rig.fires[1].description.as_deref()), (&vec![value], Some("up")));
}

#[test]
fn w8_silence_clears_nothing_and_fires_nothing() {
    let rule = json!({"predicate": "x = 1", "debounce_secs": 1});
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert("al-1", rule.clone(), 0);
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    let state = |rig: &mut Rig, ms| {
        rig.tick(ms);
        rig.world.alerts(now(ms))[0].state
    };
    assert_eq!(state(&mut rig, 10_000), AlertState::Active);
    assert_eq!(state(&mut rig, 10_001), AlertState::Held);
    assert_eq!(state(&mut rig, 50_001), AlertState::Clear);
    assert_eq!(rig.fired_ms(), [0]);
    assert_eq!(fired(rule.clone(), &[(0, json!(1)), (20_000, json!(1))]), [0], "back from Held is no edge");
    assert_eq!(fired(rule, &[(0, json!(1)), (60_000, json!(1))]), [0, 60_000], "back after a loss is one");
}

#[test]
fn cw_20_a_for_ends_without_a_new_sample() {
    let steps = [(0, 51), (4_000, 51), (4_050, 0), (4_100, 51)].map(|(ms, value)| (ms, json!(value)));
    let ends = [&steps[..], &[(9_500, Value::Null)]].concat();
    assert_eq!(fired(json!({"predicate": "x > 50 for 5 s"}), &ends), [9_100]);
}

#[test]
fn q_10_a_value_that_goes_stale_breaks_a_for() {
    let steps = [(0, json!(1)), (60_000, Value::Null)];
    assert_eq!(fired(json!({"predicate": "x = 1 for 11 s"}), &steps), [0_u64; 0]);
    assert_eq!(fired(json!({"predicate": "x = 1 for 9 s"}), &steps), [9_000]);
}

#[test]
fn r_02_names_several_keys_and_reads_them_from_one_world() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", plain("y"))]);
    rig.alert("al-1", json!({"predicate": "x = 1 AND y = 1"}), 0);
    rig.send("cp-1", "lab/x/x", 1, &json!({"v": 1}));
    rig.send("cp-2", "lab/x/y", 2, &json!({"v": 1}));
    assert_eq!(rig.fired_ms(), [2]);
}

#[test]
fn r_03_what_is_true_already_is_the_first_edge() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    rig.alert("al-1", json!({"predicate": "x = 1"}), 500);
    rig.alert("al-2", json!({"predicate": "x >= 1"}), 20_000);
    assert_eq!(rig.fired_ms(), [500], "stale data is no first edge");
    let id = AlertId("al-1".into());
    assert!(rig.world.remove_alert(&id, now(20_000)));
    assert!(!rig.world.remove_alert(&id, now(20_000)));
    assert_eq!(rig.world.alerts(now(0)).len(), 1);
}

#[test]
fn cw_11_r_10_says_which_keys_nothing_can_write() {
    for (template, dangling) in
        [("front_door.status", false), ("front_door.{what}", false), ("{thing}.status", false), ("{thing}", true)]
    {
        let mut config = detections();
        config["world_state_key_template"] = json!(template);
        let mut rig = Rig::with(&[("cp-1", config)]);
        let warnings = rig.alert("al-1", json!({"predicate": "front_door.status = 'open'"}), 0);
        let codes: Vec<_> = warnings.iter().map(|Warning { code, .. }| *code).collect();
        assert_eq!(codes == [WarningCode::DanglingKey], dangling, "{template}");
        assert_eq!(rig.world.alerts(now(0))[0].dangling_keys.is_empty(), !dangling);
    }
}

#[test]
fn rules_are_listed_part_by_part_and_one_is_looked_at_by_itself() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    for n in 1..=5 {
        rig.alert(&format!("al-{n}"), json!({"predicate": format!("x = {n}"), "mission_id": "patrol"}), 0);
    }
    rig.send("cp-1", "lab/x/x", 1, &json!({"v": 2}));
    let mut listed: Vec<AlertRow> = Vec::new();
    let mut parts = Vec::new();
    while parts.last().is_none_or(|part| *part == 2) {
        let part = rig.world.alerts_after(listed.last().map(|row| &row.id), 2, now(1));
        parts.push(part.len());
        listed.extend(part);
    }
    assert_eq!((parts.as_slice(), &listed), ([2, 2, 1].as_slice(), &rig.world.alerts(now(1))));
    let state = |id: &str| rig.world.alert_state(&AlertId(id.into()));
    assert_eq!(
        [state("al-1"), state("al-2"), state("al-9")],
        [Some(AlertState::Clear), Some(AlertState::Active), None]
    );
    let mission = robot::MissionId::new("patrol").unwrap();
    assert_eq!(rig.world.rules_in_force(&mission), 5);
    rig.world.pause_rules(&mission, now(2));
    assert_eq!(rig.world.rules_in_force(&mission), 0);
}

fn code(rig: &mut Rig, rule: Value) -> &'static str {
    let rule = serde_json::from_value(rule).unwrap();
    rig.world.register_alert(AlertId("al-2".into()), rule, now(0)).unwrap_err().code().as_str()
}

#[test]
fn r_13_refuses_what_is_wrong_and_what_is_there() {
    let mut rig = Rig::default();
    rig.alert("al-1", json!({"mission_id": "m", "predicate": "x=1"}), 0);
    assert_eq!(code(&mut rig, json!({"predicate": "x="})), "bad_predicate");
    assert_eq!(code(&mut rig, json!({"predicate": "x=2", "debounce_secs": 0.5})), "out_of_range");
    assert_eq!(code(&mut rig, json!({"predicate": "x=2", "arousal_boost": 101})), "out_of_range");
    assert_eq!(code(&mut rig, json!({"predicate": "x=2", "description": "x".repeat(1_025)})), "out_of_range");
    assert_eq!(code(&mut rig, json!({"mission_id": "m", "predicate": "x = 1"})), "duplicate_alert");
    let not_a_number = AlertRule {
        mission_id: None,
        predicate: "x=3".into(),
        debounce_secs: f64::NAN,
        arousal_boost: 2.0,
        description: None,
        alarm: None,
    };
    assert!(rig.world.register_alert(AlertId("al-3".into()), not_a_number, now(0)).is_err());
    assert_eq!(rig.world.alerts(now(0)).len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Against the plainest model of edges and debounce: look every millisecond.
    #[test]
    fn r_04_agrees_with_a_model_that_looks_all_the_time(
        steps in prop::collection::vec((1_u64..900, any::<bool>()), 1..20),
    ) {
        let mut expected = Vec::new();
        let (mut active, mut waits, mut at) = (false, false, 0);
        let mut sent = Vec::new();
        for (pause_ms, truth) in steps {
            at += pause_ms;
            sent.push((at, truth));
        }
        for ms in 0..=at + 3_000 {
            let truth = sent.iter().rev().find(|(sent_ms, _)| *sent_ms <= ms).is_some_and(|(_, truth)| *truth);
            let edge = truth && !active;
            // An edge that waited is decided at the end of the window, on what was true just before.
            if expected.last().is_some_and(|last| *last + 1_000 == ms) && std::mem::take(&mut waits) && active {
                expected.push(ms);
            }
            active = truth;
            match expected.last() {
                Some(last) if ms < last + 1_000 => waits |= edge,
                Some(_) | None if edge => expected.push(ms),
                Some(_) | None => {}
            }
        }
        let mut steps: Vec<_> = sent.iter().map(|(ms, truth)| (*ms, json!(i64::from(*truth)))).collect();
        steps.push((at + 3_000, Value::Null));
        prop_assert_eq!(fired(json!({"predicate": "x = 1", "debounce_secs": 1}), &steps), expected);
    }
}
