use super::*;
use crate::test_support::{Rig, now, plain};
use crate::{Freshness, World};
use serde_json::json;

/// Entries stored by a run that ended at `ms`.
fn stored(ms: u64) -> Vec<StoredEntry> {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.send("cp-1", "lab/x/x", ms, &json!({"v": 1, "confidence": 0.5}));
    rig.world.entries().map(|entry| entry.stored(now(ms))).collect()
}

#[test]
fn ws_17_what_was_stored_is_stale_or_lost_by_the_wall_clock_and_never_live() {
    for (stored_ms, loaded_ms, expected) in [
        (1_000, 1_000, Freshness::Stale),
        (1_000, 50_000, Freshness::Stale),
        (1_000, 51_001, Freshness::Lost),
        (9_000, 1_000, Freshness::Lost),
    ] {
        let mut rig = Rig::default();
        rig.world.restore(stored(stored_ms), now(loaded_ms));
        assert_eq!(rig.freshness("x", loaded_ms), expected, "stored at {stored_ms}, loaded at {loaded_ms}");
        assert!(rig.entry("x").flags.restored);
        assert_eq!(rig.world.take_changed().entries.len(), 1, "everybody is shown what was left");
    }
}

#[test]
fn ws_17_a_restored_entry_ages_on_and_goes_a_day_after_it_was_lost() {
    let mut rig = Rig::default();
    rig.world.restore(stored(0), now(40_000));
    assert_eq!(
        (rig.entry("x").age_ms(now(45_000).station), rig.entry("x").observed_ms(now(45_000))),
        (45_000, now(0).wall_ms)
    );
    rig.tick(45_000);
    assert_eq!((rig.tick(50_000).entries.len(), rig.tick(50_001).entries.len()), (0, 1));
    assert_eq!(rig.tick(86_450_001).removed.len(), 1);
}

#[test]
fn ws_17_restored_entries_fire_no_rule_and_the_first_row_replaces_them() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.world.restore(stored(0), now(20_000));
    rig.alert("al-1", json!({"predicate": "x = 1"}), 20_000);
    assert_eq!(rig.fired_ms(), [0_u64; 0]);
    rig.send("cp-1", "lab/other/x", 21_000, &json!({"v": 2}));
    let entry = rig.entry("x");
    assert_eq!((entry.flags.restored, entry.seq, rig.world.claims("x").count()), (false, 2, 1));
    rig.send("cp-1", "lab/other/x", 22_000, &json!({"v": 1}));
    assert_eq!(rig.fired_ms(), [22_000]);
}

#[test]
fn ws_17_ws_47_a_provider_that_is_removed_takes_along_what_an_earlier_run_left() {
    let mut rig = Rig::default();
    rig.world.restore(stored(0), now(20_000));
    rig.world.add_provider(crate::test_support::compile("cp-1", plain("x")).unwrap()).unwrap();
    assert!(rig.world.remove_provider(&ProviderId("cp-1".into())));
    assert_eq!((rig.tick(21_000).removed.len(), rig.shown().as_str()), (1, ""));
}

#[test]
fn ws_15_of_a_key_that_moved_twice_the_newest_is_given_and_the_other_counted() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", plain("y"))]);
    let mut apply = |id: &str, ms, value| {
        let document = json!({"v": value});
        let id = ProviderId(id.into());
        let plan = rig.world.provider(&id).unwrap().plan().clone();
        let sample = crate::test_support::sample("lab/x", ms);
        rig.world.apply(&id, &sample, Ok(&crate::test_support::scanned(&plan, &document)), now(ms));
    };
    apply("cp-1", 0, 1);
    apply("cp-2", 1, 7);
    apply("cp-1", 2, 2);
    apply("cp-1", 3, 3);
    let changed = rig.world.take_changed();
    let entries: Vec<_> = changed.entries.iter().map(|entry| format!("{} = {}", entry.key, entry.value)).collect();
    assert_eq!((entries.join(", ").as_str(), changed.conflated), ("x = 3, y = 7", 2));
    assert_eq!(changed.points.len(), 4, "the history has every value");
    assert_eq!(rig.world.take_changed(), Changed::default());
}

#[test]
fn ws_16_value_freshness_and_contest_are_points_of_the_history() {
    let config = json!({
        "topic_pattern": "lab/*/out", "world_state_key_template": "door", "value_field": "v", "max_age_secs": 10,
    });
    let mut rig = Rig::with(&[("cp-1", config)]);
    let mut points = Vec::new();
    let mut send = |rig: &mut Rig, source: &str, ms, value: &str, confidence: f64| {
        points.extend(rig.send("cp-1", source, ms, &json!({"v": value, "confidence": confidence})).points);
    };
    send(&mut rig, "lab/a/out", 0, "open", 0.9);
    send(&mut rig, "lab/a/out", 1_000, "open", 0.9);
    send(&mut rig, "lab/b/out", 2_000, "closed", 0.5);
    send(&mut rig, "lab/a/out", 3_000, "closed", 0.9);
    points.extend(rig.tick(20_000).points);
    let told: Vec<_> = points
        .iter()
        .map(|point| format!("{} {:?} {}", point.received_ms - now(0).wall_ms, point.kind, point.value))
        .collect();
    assert_eq!(
        told,
        [
            "0 Value open",
            "2000 Contest true",
            "3000 Value closed",
            "3000 Contest false",
            "10001 Freshness aging",
            "13001 Freshness stale",
        ]
    );
}

#[test]
fn ws_16_points_that_nobody_asks_for_are_bounded_and_counted() {
    let mut gathered = Gathered::default();
    let mut world = World::new();
    world.restore(stored(0), now(0));
    let entry = world.entry("x").unwrap();
    for _ in 0..POINTS_WAITING_MAX + 5 {
        gathered.log(point(entry, PointKind::Value, None, now(0)));
    }
    assert_eq!((gathered.points.len(), gathered.points_lost), (POINTS_WAITING_MAX, 5));
}

#[test]
fn e2_12_what_is_forgotten_is_neither_claimed_nor_shown_nor_on_its_way_to_the_history() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-3", plain("y"))]);
    rig.alert("al-1", json!({"predicate": "x = secret"}), 0);
    rig.send("cp-1", "lab/b/x", 0, &json!({"v": "plain"}));
    rig.send("cp-1", "lab/a/x", 100, &json!({"v": "secret"}));
    assert_eq!(rig.shown(), "x = secret");
    rig.send("cp-3", "lab/y", 0, &json!({"v": "of y"}));
    let is_secret = |text: &str| text.contains("secret");
    let changes = rig.world.forget(is_secret, now(500));
    let seen = rig.seen(changes);
    assert_eq!(rig.shown(), "x = plain, y = of y", "another source's claim takes its place");
    assert!(seen.points.iter().all(|point| !point.says(is_secret)), "{:#?}", seen.points);
    assert_eq!(seen.moves.len(), 1, "the rule sees that it is gone");
    let changes = rig.world.forget(|text| text == "plain" || text == "of y", now(600));
    let removed = rig.seen(changes).removed;
    assert_eq!(removed.iter().map(Key::as_str).collect::<Vec<_>>(), ["x", "y"]);
    rig.send("cp-1", "lab/a/x", 700, &json!({"v": "secret"}));
    assert_eq!(rig.shown(), "x = secret", "a source that says it again is heard");
}

#[test]
fn e2_12_a_value_that_an_interval_still_shows_is_forgotten_at_once() {
    let mut config = plain("x");
    config["min_interval_secs"] = json!(60);
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.send("cp-1", "lab/x", 0, &json!({"v": "secret"}));
    rig.send("cp-1", "lab/x", 1_000, &json!({"v": "later"}));
    assert_eq!(rig.shown(), "x = secret");
    let changes = rig.world.forget(|text| text == "secret", now(2_000));
    rig.seen(changes);
    assert_eq!(rig.shown(), "x = later");
}
