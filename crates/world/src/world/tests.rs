use super::*;
use crate::test_support::{CAMERA, Rig, compile, detections, now, plain};
use crate::{AgeBasis, Freshness};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use robot::{RejectReason, Row, Scalar, Scanned, Trust};
use serde_json::{Value, json};

/// Sends one document through the documented example and expects entries and counted rejects.
fn check(document: &Value, expected: &Expect) {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    rig.send("cp-1", CAMERA, 1_000, document);
    let confidence =
        |entry: &Arc<Entry>| entry.confidence.map_or("unknown".into(), |confidence| confidence.to_string());
    let entries = rig.world.entries().map(|entry| format!("{} = {} ({})", entry.key, entry.value, confidence(entry)));
    let rejects = rig.rejects("cp-1").into_iter().map(|(reason, count)| format!("{reason:?} {count}"));
    expected.assert_eq(&entries.chain(rejects).collect::<Vec<_>>().join(", "));
}

#[test]
fn cw_05_the_documented_example() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    let sample = json!({"label": "person", "confidence": 0.92, "zone": "hallway"});
    let changes = rig.send("cp-1", CAMERA, 1_000, &sample);
    let entry = rig.entry("person.location");
    assert_eq!((&entry.value, entry.confidence), (&Scalar::Text("hallway".into()), Some(0.92)));
    assert_eq!((&*entry.source, entry.age_basis, entry.trust), (CAMERA, AgeBasis::Received, Trust::Text));
    assert_eq!((entry.seq, entry.age_ms(now(4_000).station), entry.max_age_ms), (1, 3_000, 30_000));
    assert_eq!(changes.entries.len(), 1);
    assert_eq!(changes.next_due, Some(Instant::from_millis(22_001)));
}

#[test]
fn ws_24_rows_fan_out_and_the_surer_of_two_with_one_key_counts() {
    check(
        &json!([
            {"label": "person", "confidence": 0.85, "zone": "kitchen"},
            {"label": "person", "confidence": 0.9, "zone": "hallway"},
            {"label": "person", "confidence": 0.9, "zone": "stairs"},
            {"label": "dog", "confidence": 0.95, "zone": "street"},
        ]),
        &expect!["dog.location = street (0.95), person.location = hallway (0.9)"],
    );
    check(&json!([]), &expect![""]);
}

#[test]
fn ws_45_counts_every_reject_by_name() {
    check(&json!({"label": "dog", "confidence": 0.5, "zone": "street"}), &expect!["Filtered 1"]);
    check(&json!({"label": "{label}", "confidence": 0.9, "zone": "street"}), &expect!["KeyRejected 1"]);
    check(&json!({"confidence": 0.9, "zone": "street"}), &expect!["KeyRejected 1"]);
    check(&json!({"label": "dog", "confidence": 0.9}), &expect!["MissingValue 1"]);
    check(&json!({"label": "dog", "confidence": 0.9, "zone": {"id": 1}}), &expect!["NotScalar 1"]);
    check(&json!({"label": "dog", "confidence": 1e9, "zone": "street"}), &expect!["BadConfidence 1"]);
    let mut rig = Rig::with(&[("cp-1", detections())]);
    rig.apply(&ProviderId("cp-1".into()), CAMERA, 0, &Err(RejectReason::Undecodable));
    rig.apply(&ProviderId("cp-1".into()), CAMERA, 0, &Ok(Scanned { rows: vec![Row::default()], ..Scanned::default() }));
    assert_eq!(rig.rejects("cp-1"), [(RejectReason::Undecodable, 1), (RejectReason::Filtered, 1)]);
}

#[test]
fn cw_04_a_bad_sample_does_not_spoil_the_next() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    for label in [json!("{label}"), json!("a\nb"), Value::Null] {
        rig.send("cp-1", CAMERA, 0, &json!({"label": label, "confidence": 0.9, "zone": "street"}));
    }
    rig.send("cp-1", CAMERA, 1, &json!({"label": "dog", "confidence": 0.9, "zone": "street"}));
    assert_eq!(
        (rig.shown().as_str(), rig.rejects("cp-1")),
        ("dog.location = street", vec![(RejectReason::KeyRejected, 3)])
    );
}

#[test]
fn w4_ws_12_confidence_is_a_number_from_0_to_1_or_unknown() {
    let mut config = plain("x");
    for (sent, implicit, configured) in [
        (json!(0.25), Some(Some(0.25)), Some(Some(0.25))),
        (json!(1), Some(Some(1.0)), Some(Some(1.0))),
        (json!("0.9"), None, None),
        (json!(1e9), None, None),
        (json!(-0.1), None, None),
        (json!(true), None, None),
        (json!([0.5]), None, None),
        (Value::Null, None, None),
    ] {
        for (field, expected) in [(Value::Null, implicit), (json!("confidence"), configured)] {
            config["confidence_field"] = field;
            let mut rig = Rig::with(&[("cp-1", config.clone())]);
            rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1, "confidence": sent}));
            assert_eq!(rig.world.entry("x").map(|entry| entry.confidence), expected, "{sent}");
        }
    }
}

#[test]
fn ws_06_is_typed_if_value_and_key_come_from_closed_sets() {
    let mut config = detections();
    let typed = |config: &Value, zone: &str| {
        let mut rig = Rig::with(&[("cp-1", config.clone())]);
        rig.send("cp-1", CAMERA, 0, &json!({"label": "person", "confidence": 0.9, "zone": zone}));
        rig.entry("person.location").trust == Trust::Typed
    };
    assert!(!typed(&config, "hallway"));
    config["closed_sets"] = json!({"zone": ["hallway"]});
    assert!(!typed(&config, "hallway"), "the key part is free text");
    config["closed_sets"] = json!({"zone": ["hallway"], "label": ["person"]});
    assert!(typed(&config, "hallway") && !typed(&config, "Hallway"));
}

#[test]
fn ws_09_a_late_sample_is_never_shown_as_live() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let wall_s = now(100_000).wall_ms / 1_000;
    rig.send_stamped("cp-1", "lab/x/x", 100_000, Some(wall_s - 60), &json!({"v": 1}));
    assert!(rig.entry("x").flags.late && rig.entry("x").flags.untrusted_ts);
    assert_eq!(rig.freshness("x", 100_000), Freshness::Stale);
}

#[test]
fn ws_10_one_source_never_goes_back() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let wall_ms = now(100_000).wall_ms;
    for (stamp_ms, value) in [(-1_000, 1), (-2_000, 2), (-1_000, 3)] {
        rig.send_stamped("cp-1", "lab/x/x", 100_000, Some(wall_ms + stamp_ms), &json!({"v": value}));
    }
    assert_eq!((rig.shown().as_str(), rig.rejects("cp-1")), ("x = 3", vec![(RejectReason::OutOfOrder, 1)]));
}

fn cameras() -> Rig {
    let config = json!({
        "topic_pattern": "lab/*/out",
        "world_state_key_template": "person",
        "value_field": "zone",
        "max_age_secs": 10,
    });
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.send("cp-1", "lab/cam-1/out", 0, &json!({"zone": "hallway", "confidence": 0.92}));
    rig
}

#[test]
fn cw_18_ws_11_a_less_sure_source_is_contested_not_shown() {
    let see = |rig: &mut Rig, ms, confidence| {
        rig.send("cp-1", "lab/cam-2/out", ms, &json!({"zone": "kitchen", "confidence": confidence}));
        (rig.shown(), rig.entry("person").flags.contested)
    };
    assert_eq!(see(&mut cameras(), 1_000, 0.50), ("person = hallway".into(), true));
    assert_eq!(see(&mut cameras(), 1_000, 0.80), ("person = kitchen".into(), true));
    assert_eq!(see(&mut cameras(), 7_500, 0.50), ("person = kitchen".into(), false));
    let mut rig = cameras();
    see(&mut rig, 6_000, 0.50);
    let changes = rig.tick(7_500);
    assert_eq!(
        (rig.shown().as_str(), changes.entries.len()),
        ("person = kitchen", 1),
        "the ticker applies the rule again"
    );
}

#[test]
fn ws_13_every_transition_is_a_change() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    let due = [7_001, 10_001, 50_001];
    for (ms, freshness) in due.into_iter().zip([Freshness::Aging, Freshness::Stale, Freshness::Lost]) {
        assert!(rig.tick(ms - 1).entries.is_empty());
        assert_eq!(rig.tick(ms - 1).next_due, Some(Instant::from_millis(ms)));
        assert_eq!((rig.tick(ms).entries.len(), rig.freshness("x", ms)), (1, freshness));
    }
    assert_eq!(rig.entry("x").seq, 1, "silence is no change of the value");
}

#[test]
fn ws_18_a_day_after_it_was_lost_an_entry_goes() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    let day_ms = 24 * 3_600_000 + 50_000;
    assert!(rig.tick(day_ms).removed.is_empty());
    assert_eq!(rig.tick(day_ms + 1).removed.len(), 1);
    assert_eq!((rig.shown().as_str(), rig.world.tick(now(day_ms + 2)).next_due), ("", None));
}

#[test]
fn w5_cw_21_ws_43_shows_the_last_value_when_the_window_ends() {
    let mut config = plain("x");
    config["min_interval_secs"] = json!(1);
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.alert("al-1", json!({"predicate": "x = 2"}), 0);
    for (ms, value, shown) in [(0, 1, "x = 1"), (100, 2, "x = 1"), (200, 3, "x = 1")] {
        rig.send("cp-1", "lab/x/x", ms, &json!({"v": value}));
        assert_eq!(rig.shown(), shown);
    }
    assert_eq!(rig.fired_ms(), [100], "rules see every value");
    assert_eq!(rig.tick(999).entries.len(), 0);
    assert_eq!((rig.tick(1_000).entries.len(), rig.shown().as_str()), (1, "x = 3"));
    assert_eq!(rig.tick(5_000).entries.len(), 0);
}

#[test]
fn w3_ws_44_a_new_key_replaces_the_one_observed_longest_ago() {
    let mut config = plain("x");
    config["world_state_key_template"] = json!("{k}.x");
    config["max_keys"] = json!(2);
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.alert("al-1", json!({"predicate": "a.x = 9"}), 0);
    let mut send = |ms, key: &str| {
        let removed = rig.send("cp-1", "lab/x/x", ms, &json!({"k": key, "v": 1})).removed;
        (removed.iter().map(ToString::to_string).collect::<Vec<_>>().join(","), rig.shown())
    };
    for (ms, key, removed, shown) in [
        (1, "a", "", "a.x = 1"),
        (2, "b", "", "a.x = 1, b.x = 1"),
        (3, "c", "b.x", "a.x = 1, c.x = 1"),
        (4, "d", "c.x", "a.x = 1, d.x = 1"),
    ] {
        assert_eq!(send(ms, key), (removed.into(), shown.into()));
    }
    rig.alert("al-2", json!({"predicate": "d.x = 9"}), 5);
    rig.send("cp-1", "lab/x/x", 6, &json!({"k": "e", "v": 1}));
    assert_eq!((rig.shown().as_str(), rig.rejects("cp-1")), ("a.x = 1, d.x = 1", vec![(RejectReason::KeysCapped, 1)]));
}

#[test]
fn ws_44_who_gives_way_next_is_forgotten_once_it_is_observed_or_named() {
    let mut config = plain("x");
    config["world_state_key_template"] = json!("{k}.x");
    config["max_keys"] = json!(3);
    let mut rig = Rig::with(&[("cp-1", config)]);
    let send = |rig: &mut Rig, ms, key: &str| {
        rig.send("cp-1", "lab/x/x", ms, &json!({"k": key, "v": 1}));
        rig.shown()
    };
    for (ms, key) in [(1, "a"), (2, "b"), (3, "c")] {
        send(&mut rig, ms, key);
    }
    assert_eq!(send(&mut rig, 4, "d"), "b.x = 1, c.x = 1, d.x = 1");
    send(&mut rig, 5, "b");
    assert_eq!(send(&mut rig, 6, "e"), "b.x = 1, d.x = 1, e.x = 1", "b was observed since");
    assert_eq!(send(&mut rig, 7, "f"), "b.x = 1, e.x = 1, f.x = 1");
    rig.alert("al-1", json!({"predicate": "b.x = 9"}), 7);
    assert_eq!(send(&mut rig, 8, "g"), "b.x = 1, f.x = 1, g.x = 1", "b is named");
}

#[test]
fn ws_40_refuses_an_equal_provider() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    let error = rig.world.add_provider(compile("cp-2", detections()).unwrap()).unwrap_err();
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("duplicate_context", "the provider exists already as cp-1")
    );
}

#[test]
fn ws_47_a_provider_that_goes_takes_its_claims_along() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", detections())]);
    rig.alert("al-1", json!({"predicate": "NOT exists(x)", "debounce_secs": 1}), 0);
    rig.send("cp-1", "lab/x/x", 1_000, &json!({"v": 1}));
    assert!(rig.world.remove_provider(&ProviderId("cp-1".into())));
    assert!(!rig.world.remove_provider(&ProviderId("cp-1".into())));
    assert_eq!(rig.tick(2_000).removed.len(), 1);
    assert_eq!((rig.shown().as_str(), rig.fired_ms()), ("", vec![0, 1_000]));
}

#[test]
fn commands_are_no_observations() {
    let config = json!({"topic_pattern": "lab/**", "world_state_key_template": "x", "value_field": "v"});
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.send("cp-1", "lab/arm-1/cmd/goal", 0, &json!({"v": 1}));
    assert_eq!(rig.shown(), "");
}

#[test]
fn ws_07_a_source_that_is_gone_is_lost_at_once_and_comes_back() {
    let mut config = plain("x");
    config["min_interval_secs"] = json!(60);
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.send("cp-1", "lab/cam-1/out", 0, &json!({"v": 1}));
    let alive = |rig: &mut Rig, source: &str, alive, ms| {
        let changes = rig.world.set_source_alive(source, alive, now(ms));
        rig.seen(changes)
    };
    assert!(alive(&mut rig, "lab/cam", false, 100).entries.is_empty(), "a prefix ends at a chunk");
    assert_eq!(alive(&mut rig, "lab/cam-1", false, 100).entries.len(), 1);
    assert_eq!(rig.freshness("x", 100), Freshness::Lost);
    assert_eq!(alive(&mut rig, "lab/cam-1", true, 200).entries.len(), 1);
    assert_eq!(rig.freshness("x", 200), Freshness::Live);
}

#[test]
fn the_value_rises_in_seq_and_keeps_its_change_time() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    for (ms, value, changed_ms) in [(1, 5, 1), (2, 5, 1), (3, 6, 3)] {
        rig.send("cp-1", "lab/x/x", ms, &json!({"v": value}));
        let entry = rig.entry("x");
        assert_eq!((entry.seq, entry.changed_at.mono_ms()), (ms, changed_ms));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However seldom the ticker comes: what is shown, and when rules fired, is the same.
    #[test]
    fn ws_03_ws_13_the_ticks_between_do_not_matter(
        steps in prop::collection::vec((0_u64..9_000, 0_i64..4, 0_usize..2), 1..30),
        tick_ms in 1_u64..5_000,
    ) {
        let mut config = plain("x");
        config["min_interval_secs"] = json!(2);
        let run = |tick_ms: Option<u64>| {
            let mut rig = Rig::with(&[("cp-1", config.clone())]);
            rig.alert("al-1", json!({"predicate": "x > 1 for 3 s", "debounce_secs": 4}), 0);
            rig.alert("al-2", json!({"predicate": "stale(x) OR x = 0", "debounce_secs": 9}), 0);
            let mut ms = 0;
            for (pause_ms, value, source) in &steps {
                let end = ms + pause_ms;
                while let Some(step) = tick_ms.filter(|step| ms + step < end) {
                    ms += step;
                    rig.tick(ms);
                }
                ms = end;
                rig.send("cp-1", ["lab/a/out", "lab/b/out"][*source], ms, &json!({"v": value}));
            }
            rig.tick(ms + 100_000);
            (rig.shown(), rig.fires)
        };
        prop_assert_eq!(run(None), run(Some(tick_ms)));
    }

    #[test]
    fn no_row_panics_or_writes_an_illegal_key(label: String, zone: String, confidence: f64) {
        let mut rig = Rig::with(&[("cp-1", detections())]);
        rig.send("cp-1", CAMERA, 0, &json!({"label": label, "zone": zone, "confidence": confidence}));
        for entry in rig.world.entries() {
            prop_assert!(Key::new(entry.key.as_str()).is_ok());
            prop_assert!(entry.confidence.is_some_and(|confidence| confidence > 0.8 && confidence <= 1.0));
        }
    }
}
