use super::*;
use crate::test_support::{CAMERA, Rig, compile, detections, now, plain};
use crate::{Freshness, Notice};
use serde_json::{Value, json};

fn id(text: &str) -> ProviderId {
    ProviderId(text.into())
}

#[test]
fn ws_47_a_changed_provider_judges_the_next_row_and_keeps_what_it_could_have_written() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    let see = |rig: &mut Rig, ms, label: &str| {
        rig.send("cp-1", CAMERA, ms, &json!({"label": label, "confidence": 0.9, "zone": "hallway"}));
    };
    see(&mut rig, 0, "person");
    let mut config = detections();
    config["filter"] = json!("label = dog");
    rig.world.replace_provider(compile("cp-1", config.clone()).unwrap()).unwrap();
    see(&mut rig, 1_000, "person");
    see(&mut rig, 1_000, "dog");
    assert_eq!(rig.shown(), "dog.location = hallway, person.location = hallway");
    assert_eq!(rig.entry("person.location").observed_at.mono_ms(), 0);
    config["world_state_key_template"] = json!("{label}.place");
    rig.world.replace_provider(compile("cp-1", config).unwrap()).unwrap();
    assert_eq!((rig.tick(2_000).removed.len(), rig.shown().as_str()), (2, ""));
}

#[test]
fn ws_47_nothing_is_replaced_that_is_not_there_or_equals_another() {
    let mut rig = Rig::with(&[("cp-1", detections()), ("cp-2", plain("x"))]);
    let refused = |rig: &mut Rig, id, config| rig.world.replace_provider(compile(id, config).unwrap()).unwrap_err();
    assert_eq!(refused(&mut rig, "cp-3", plain("y")).code, "context_not_found");
    let error = refused(&mut rig, "cp-2", detections());
    assert_eq!((error.code.as_str(), error.existing), ("duplicate_context", Some(id("cp-1"))));
    assert!(rig.world.replace_provider(compile("cp-2", plain("x")).unwrap()).is_ok(), "it may stay as it is");
}

#[test]
fn ws_46_a_paused_provider_takes_nothing_and_its_entries_age_in_silence() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert("al-1", json!({"predicate": "stale(x)", "debounce_secs": 1}), 0);
    rig.send("cp-1", "lab/x/x", 1_000, &json!({"v": 1}));
    let changes = rig.world.set_provider_paused(&id("cp-1"), true, now(2_000)).unwrap();
    assert_eq!((rig.seen(changes).entries.len(), rig.entry("x").flags.paused), (1, true));
    rig.send("cp-1", "lab/x/x", 3_000, &json!({"v": 2}));
    rig.tick(20_000);
    assert_eq!((rig.shown().as_str(), rig.freshness("x", 20_000)), ("x = 1", Freshness::Stale));
    assert_eq!(rig.fired_ms(), [0_u64; 0], "what is paused raises nothing");
    let changes = rig.world.set_provider_paused(&id("cp-1"), false, now(21_000)).unwrap();
    rig.seen(changes);
    rig.send("cp-1", "lab/x/x", 21_000, &json!({"v": 3}));
    assert_eq!((rig.shown().as_str(), rig.entry("x").flags.paused), ("x = 3", false));
}

#[test]
fn ws_46_what_an_ended_provider_wrote_stays_until_it_is_long_lost() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    assert!(rig.world.end_provider(&id("cp-1")) && !rig.world.end_provider(&id("cp-1")));
    rig.tick(60_000);
    assert_eq!((rig.shown().as_str(), rig.freshness("x", 60_000)), ("x = 1", Freshness::Lost));
}

#[test]
fn ws_44_too_many_keys_is_told_once_until_a_person_has_looked() {
    let mut config = plain("x");
    config["world_state_key_template"] = json!("{k}.x");
    config["max_keys"] = json!(1);
    let mut rig = Rig::with(&[("cp-1", config)]);
    let told = |rig: &mut Rig, ms: u64| rig.send("cp-1", "lab/x/x", ms, &json!({"k": ms, "v": 1})).notices;
    assert_eq!(told(&mut rig, 1), []);
    assert_eq!(told(&mut rig, 2), [Notice::TooManyKeys { provider: id("cp-1"), keys_max: 1 }]);
    assert_eq!(told(&mut rig, 3), []);
    rig.world.acknowledge_keys(&id("cp-1"));
    assert_eq!(told(&mut rig, 4).len(), 1);
    assert_eq!(rig.world.provider_stats(&id("cp-1")).unwrap().keys_replaced, 3);
}

#[test]
fn ws_43_a_held_value_is_shown_at_the_end_of_everything() {
    let mut config = plain("x");
    config["min_interval_secs"] = json!(60);
    let mut rig = Rig::with(&[("cp-1", config)]);
    for (ms, value) in [(0, 1), (100, 2)] {
        rig.send("cp-1", "lab/x/x", ms, &json!({"v": value}));
    }
    assert_eq!(rig.shown(), "x = 1");
    let changes = rig.world.end_intervals(now(200));
    assert_eq!((rig.seen(changes).entries.len(), rig.shown().as_str()), (1, "x = 2"));
}

#[test]
fn ws_07_what_should_be_there_and_never_was_is_awaited() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", detections())]);
    rig.alert("al-1", json!({"predicate": "dog.location = 'street' OR nobody.writes.this = 1"}), 0);
    let awaited = |rig: &Rig| {
        let awaited = rig.world.awaited();
        awaited.iter().map(|awaited| format!("{} from {}", awaited.key, awaited.source)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(awaited(&rig), "dog.location from lab/**/vision/detections, x from lab/x/x");
    rig.send("cp-1", "lab/x/x", 0, &json!({"v": 1}));
    assert_eq!(awaited(&rig), "dog.location from lab/**/vision/detections");
}

#[test]
fn ws_50_a_provider_of_which_nothing_comes_is_told_about_once() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    let mut told: Vec<(u64, Notice)> = Vec::new();
    for second in 0..200 {
        if second >= 160 {
            rig.send("cp-1", CAMERA, second * 1_000, &json!({"label": "dog", "confidence": 0.1, "zone": "street"}));
        }
        told.extend(rig.tick(second * 1_000).notices.into_iter().map(|notice| (second, notice)));
    }
    rig.send("cp-1", CAMERA, 200_000, &json!({"label": "dog", "confidence": 0.1, "zone": "street"}));
    for second in 200..230 {
        rig.send("cp-1", CAMERA, second * 1_000, &json!({"label": "dog", "confidence": 0.1, "zone": "street"}));
        told.extend(rig.tick(second * 1_000).notices.into_iter().map(|notice| (second, notice)));
    }
    let provider = id("cp-1");
    let expected = [(151, Notice::NoSample { provider: provider.clone() }), (220, Notice::RejectsAll { provider })];
    assert_eq!(told, expected);
}

#[test]
fn ws_49_another_provider_of_the_same_keys_is_named() {
    let rig = Rig::with(&[("cp-1", detections())]);
    let mut config: Value = detections();
    config["closed_sets"] = json!({"label": ["person"]});
    config["topic_pattern"] = json!("lab/cam-2/out");
    let warnings = rig.world.warnings_about(&compile("cp-2", config).unwrap());
    assert_eq!(
        warnings.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(),
        ["cp-1 can write the same keys"]
    );
}

#[test]
fn ws_51_rows_may_hold_more_fields_than_a_provider_asks_for() {
    let mut rig = Rig::with(&[("cp-1", detections())]);
    let paths: Vec<FieldPath> =
        ["bearing_rad", "label", "confidence", "x", "zone"].map(|path| FieldPath::parse(path).unwrap()).into();
    rig.world.set_fields(&[id("cp-1")], &paths);
    rig.send("cp-1", CAMERA, 0, &json!({"label": "dog", "confidence": 0.9, "zone": "street", "x": 1}));
    assert_eq!(rig.shown(), "dog.location = street");
}

#[test]
fn ws_51_a_sample_that_was_scanned_before_a_change_is_not_judged_by_the_columns_after_it() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let paths = |names: [&str; 2]| names.map(|name| FieldPath::parse(name).unwrap());
    let document = json!({"v": 1, "w": 2, "confidence": 0.9});
    let old = rig.world.set_fields(&[id("cp-1")], &paths(["v", "confidence"]));
    let plan = rig.world.provider(&id("cp-1")).unwrap().plan().clone();
    let scanned = crate::test_support::scanned(&plan, &document);
    let mut config = plain("x");
    config["value_field"] = json!("w");
    let apply = |rig: &mut Rig, order| {
        let sample = crate::test_support::sample("lab/x/x", 0);
        rig.world.apply_in_order(&id("cp-1"), order, &sample, Ok(&scanned), now(0)).is_some()
    };
    rig.world.replace_provider(compile("cp-1", config).unwrap()).unwrap();
    assert!(!apply(&mut rig, old), "nobody has said in which order its fields stand");
    let new = rig.world.set_fields(&[id("cp-1")], &paths(["confidence", "w"]));
    assert!(!apply(&mut rig, old));
    assert_eq!(rig.shown(), "");
    assert!(apply(&mut rig, new));
}

/// Ten samples of each source whose clock is `behind_ms` behind ours; the notices.
fn stamped(rig: &mut Rig, sources: &[&str], behind_ms: i64) -> Vec<Notice> {
    let mut told = Vec::new();
    for second in 1..=10 {
        for source in sources {
            let stamp = (now(second * 1_000).wall_ms - behind_ms) * 1_000_000;
            let seen = rig.send_stamped("cp-1", source, second * 1_000, Some(stamp), &json!({"v": 1}));
            told.extend(seen.notices);
        }
    }
    told
}

fn clocks(skewed: usize, worst: Option<(&str, i64)>) -> Notice {
    let worst = worst.map(|(source, behind_ms)| SkewedClock { source: source.into(), behind_ms });
    Notice::SourceClocks { provider: id("cp-1"), skewed, worst }
}

fn any_source() -> Value {
    json!({"topic_pattern": "lab/**", "world_state_key_template": "x", "value_field": "v", "max_age_secs": 30})
}

#[test]
fn cw_17_clocks_that_are_off_are_told_by_context_with_the_worst_and_their_number() {
    let mut rig = Rig::with(&[("cp-1", any_source())]);
    assert_eq!(stamped(&mut rig, &["lab/a"], 60_000), [clocks(1, Some(("lab/a", 60_000)))]);
    let mut rig = Rig::with(&[("cp-1", any_source())]);
    let told = stamped(&mut rig, &["lab/a", "lab/b"], 60_000);
    assert_eq!(told.last(), Some(&clocks(2, Some(("lab/b", 60_000)))));
}

/// An act on a context.
type End<'a> = &'a dyn Fn(&mut Rig);

#[test]
fn cw_17_clocks_that_nobody_reads_any_more_are_told_as_no_longer_off() {
    let mut other = any_source();
    other["topic_pattern"] = json!("hall/**");
    let mut same = any_source();
    same["max_age_secs"] = json!(60);
    let ended: [(&str, End<'_>, bool); 5] = [
        ("removed", &|rig| assert!(rig.world.remove_provider(&id("cp-1"))), true),
        ("ended", &|rig| assert!(rig.world.end_provider(&id("cp-1"))), true),
        ("moved", &|rig| rig.world.replace_provider(compile("cp-1", other.clone()).unwrap()).unwrap(), true),
        ("reworded", &|rig| rig.world.replace_provider(compile("cp-1", same.clone()).unwrap()).unwrap(), false),
        ("read on", &|_| {}, false),
    ];
    for (name, end, is_told) in ended {
        let mut rig = Rig::with(&[("cp-1", any_source())]);
        stamped(&mut rig, &["lab/a"], 60_000);
        end(&mut rig);
        let told = rig.tick(11_000).notices.contains(&clocks(0, None));
        assert_eq!(told, is_told, "{name}");
    }
    let mut rig = Rig::with(&[("cp-1", any_source())]);
    stamped(&mut rig, &["lab/a"], 60_000);
    let at = |ms: u64, rig: &mut Rig| rig.tick(10_000 + ms).notices.contains(&clocks(0, None));
    assert!(!at(3_600_000, &mut rig));
    assert!(at(3_601_000, &mut rig), "it has been silent for an hour");
}

#[test]
fn cw_17_a_source_whose_clock_is_forgotten_for_others_is_counted_no_more() {
    let mut rig = Rig::with(&[("cp-1", any_source())]);
    stamped(&mut rig, &["lab/a"], 60_000);
    let others: Vec<String> = (0..1_024).map(|n| format!("lab/other-{n}")).collect();
    let mut told = Vec::new();
    for (source, ms) in others.iter().zip(11_000..) {
        let seen = rig.send_stamped("cp-1", source, ms, Some(now(ms).wall_ms * 1_000_000), &json!({"v": 1}));
        told.extend(seen.notices);
    }
    assert_eq!(told, [clocks(0, None)]);
}
