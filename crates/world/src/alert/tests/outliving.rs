//! State that outlives an edge, a rule and a run: debounce, quota, history; and the rules that a write looks at.

use super::*;
use crate::{RuleCondition, RuleHistory, RuleNews, RuleQueue, RuleRecord};

const RULE: &str = "al-1";

fn id(name: &str) -> AlertId {
    AlertId(name.into())
}

fn rule(predicate: &str) -> AlertRule {
    serde_json::from_value(json!({ "predicate": predicate })).unwrap()
}

/// A world over the key `x` in which the rule `x = 1` has fired at 1,000 s.
fn fired_at_1_000_s() -> Rig {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert(RULE, json!({"predicate": "x = 1"}), 0);
    set(&mut rig, 1_000, 1);
    set(&mut rig, 1_001, 0);
    rig
}

fn set(rig: &mut Rig, secs: u64, value: i64) {
    rig.send("cp-1", "lab/x/x", secs * 1_000, &json!({"v": value}));
}

/// The next run: the same rules and records, a station clock that started anew.
fn restarted(rig: &Rig, wall_secs: i64, records: &[RuleRecord]) -> Rig {
    let mut next = Rig::with(&[("cp-1", plain("x"))]);
    let wall_ms = now(0).wall_ms + wall_secs * 1_000;
    let started = Now { station: robot::Instant::from_millis(200_000_000), wall_ms };
    for row in rig.world.alerts(now(0)) {
        let record = records.iter().find(|record| record.id == row.id);
        let history = record.map(|record| RuleHistory::of_record(record, started)).unwrap_or_default();
        next.world.remember_rule(row.mission_id.clone(), row.predicate.clone(), history, started);
        next.world.register_alert(row.id, rule(&row.predicate), started).unwrap();
    }
    next
}

#[test]
fn cw_10_r_05_w10_a_restart_shortens_no_debounce() {
    let rig = fired_at_1_000_s();
    let record = rig.world.rule_record(&id(RULE)).unwrap();
    assert_eq!(record.last_fired_ms, Some(now(1_000_000).wall_ms));
    // Down for a while; the rule is true at once, and fires when its 60 s are over on the wall clock.
    for (down_for_s, fires_after_ms) in [(10, 50_000), (59, 1_000), (60, 0), (-500, 60_000)] {
        let mut next = restarted(&rig, 1_000 + down_for_s, std::slice::from_ref(&record));
        let begin_ms = 200_000_000;
        next.send("cp-1", "lab/x/x", begin_ms, &json!({"v": 1}));
        for ms in (0..=61_000).step_by(5_000) {
            next.send("cp-1", "lab/x/x", begin_ms + ms, &json!({"v": 1}));
        }
        let fired: Vec<u64> = next.fired_ms().iter().map(|ms| ms - begin_ms).collect();
        assert_eq!(fired, [fires_after_ms], "down for {down_for_s} s");
        assert_eq!(next.world.alerts(now(begin_ms))[0].fires, 2, "the count goes on");
    }
}

#[test]
fn w10_a_rule_registered_anew_goes_on_with_its_debounce_for_a_day() {
    for (anew_after_s, fires) in [(1, false), (59, true), (86_500, true)] {
        let mut rig = fired_at_1_000_s();
        assert!(rig.world.remove_alert(&id(RULE), now(1_001_000)));
        rig.fires.clear();
        let secs = 1_001 + anew_after_s;
        rig.alert("al-2", json!({"predicate": "x=1"}), secs * 1_000);
        set(&mut rig, secs, 1);
        assert_eq!(!rig.fires.is_empty(), fires, "anew after {anew_after_s} s");
        assert_eq!(rig.world.alerts(now(secs * 1_000))[0].fires, u64::from(fires), "counts are the rule's own");
    }
}

#[test]
fn r_09_an_update_keeps_the_debounce_and_a_new_predicate_starts_clear() {
    let mut rig = fired_at_1_000_s();
    set(&mut rig, 1_002, 1);
    let row = |rig: &Rig| rig.world.alerts(now(1_003_000)).remove(0);
    let before = row(&rig);
    assert_eq!((before.state, before.version), (AlertState::Active, 1));
    let same = AlertRule { arousal_boost: 1.0, ..rule("x = 1") };
    rig.world.update_alert(&id(RULE), same, now(1_003_000)).unwrap();
    let after = row(&rig);
    assert_eq!((after.state, after.last_fired_at, after.version), (AlertState::Active, before.last_fired_at, 2));
    let (_, changes) = rig.world.update_alert(&id(RULE), rule("x > 0"), now(1_004_000)).unwrap();
    assert!(changes.fires.is_empty() && changes.moves[0].edges == 1, "an edge, kept back by the debounce");
    assert_eq!(row(&rig).last_fired_at, before.last_fired_at);
    let refused = rig.world.update_alert(&id("al-9"), rule("x = 2"), now(1_004_000)).unwrap_err();
    assert_eq!(refused.code(), "alert_not_found");
    rig.alert("al-2", json!({"predicate": "x = 3"}), 1_005_000);
    let refused = rig.world.update_alert(&id(RULE), rule("x=3"), now(1_005_000)).unwrap_err();
    assert_eq!(refused.code(), "duplicate_alert");
}

#[test]
fn r_07_a_rule_that_woke_too_often_adds_no_arousal_until_a_person_says_so() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert(RULE, json!({"predicate": "x = 1"}), 0);
    let boosts = |rig: &mut Rig, from_s: u64, times: u64| -> Vec<f64> {
        rig.fires.clear();
        for n in 0..times {
            set(rig, from_s + n * 100, 1);
            rig.world.rules_woke(&[id(RULE)], now((from_s + n * 100) * 1_000));
            set(rig, from_s + n * 100 + 1, 0);
        }
        rig.fires.iter().map(|fire| fire.arousal_boost).collect()
    };
    assert_eq!(boosts(&mut rig, 0, 5), [2.0, 2.0, 2.0, 0.0, 0.0]);
    let row = rig.world.alerts(now(500_000)).remove(0);
    assert_eq!((row.quota_left, row.woke_too_often, row.fires), (0, true, 5));
    let record = rig.world.rule_record(&id(RULE)).unwrap();
    let next = restarted(&rig, 500, &[record]);
    assert_eq!(next.world.alerts(now(200_000_000))[0].quota_left, 0, "a restart gives none back");
    assert!(rig.world.clear_wakes(&id(RULE)));
    assert_eq!(boosts(&mut rig, 600, 1), [2.0]);
}

#[test]
fn r_07_twelve_turns_a_day() {
    let mut history = RuleHistory::default();
    let mut woke = Vec::new();
    for minutes in 0..3_000_u64 {
        let at = now(minutes * 60_000);
        if history.quota_left(at) > 0 {
            history.woke(at);
            woke.push(minutes);
        }
    }
    assert!(woke.iter().all(|from| woke.iter().filter(|at| (*from..from + 60).contains(*at)).count() <= 3));
    assert!(woke.iter().all(|from| woke.iter().filter(|at| (*from..from + 1_440).contains(*at)).count() <= 12));
    assert!(woke.len() >= 24);
}

#[test]
fn r_11_rules_of_a_mission_that_does_not_run_are_out_of_force() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let mission = robot::MissionId::new("patrol").unwrap();
    rig.alert(RULE, json!({"mission_id": "patrol", "predicate": "x = 1"}), 0);
    set(&mut rig, 1, 1);
    assert_eq!(rig.world.pause_rules(&mission, now(2_000)), [id(RULE)]);
    let row = rig.world.alerts(now(2_000)).remove(0);
    assert_eq!((row.state, row.paused), (AlertState::Clear, true));
    let looked = row.evaluations;
    set(&mut rig, 100, 0);
    set(&mut rig, 101, 1);
    assert_eq!(rig.world.alerts(now(101_000))[0].evaluations, looked);
    let changes = rig.world.resume_rules(&mission, now(102_000));
    assert_eq!((changes.fires.len(), changes.moves[0].edges), (1, 1), "true already: the first edge");
    assert!(rig.world.pause_rules(&robot::MissionId::new("other").unwrap(), now(103_000)).is_empty());
}

#[test]
fn al_07_what_suppresses_an_alarm_is_watched_too() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", plain("y"))]);
    let alarm = json!({
        "cause": "Something has happened.", "consequence": "damage", "response": "Do something about it.",
        "time_to_respond_secs": 300, "suppress_when": "y = 1",
    });
    rig.alert(RULE, json!({"predicate": "x = 1", "alarm": alarm}), 0);
    let moved = |changes: &crate::test_support::Seen| {
        let told: Vec<_> = changes.moves.iter().map(|moved| (moved.condition, moved.suppressed)).collect();
        told
    };
    let changes = rig.send("cp-1", "lab/x/x", 1, &json!({"v": 1}));
    assert_eq!(moved(&changes), [(RuleCondition::True, false)], "unknown does not suppress");
    let changes = rig.send("cp-2", "lab/x/y", 2, &json!({"v": 1}));
    assert_eq!(moved(&changes), [(RuleCondition::True, true)]);
    let changes = rig.send("cp-2", "lab/x/y", 3, &json!({"v": 0}));
    assert_eq!(moved(&changes), [(RuleCondition::True, false)]);
}

#[test]
fn w9_pf_03_a_write_evaluates_only_the_rules_that_name_its_key() {
    const RULES: usize = 10_000;
    let mut config = plain("any");
    config["topic_pattern"] = json!("lab/x/*");
    config["world_state_key_template"] = json!("{k}.v");
    config["max_keys"] = json!(RULES);
    let mut rig = Rig::with(&[("cp-1", config)]);
    for n in 0..RULES {
        rig.alert(&format!("al-{n}"), json!({"predicate": format!("k{n}.v = 1")}), 0);
    }
    for n in 0..100 {
        rig.send("cp-1", "lab/x/k", 1_000 + n, &json!({"k": "k7", "v": n % 2}));
    }
    let rows = rig.world.alerts(now(2_000));
    let looked: Vec<_> = rows.iter().filter(|row| row.evaluations != 1).map(|row| (&row.id, row.evaluations)).collect();
    assert_eq!(looked, [(&id("al-7"), 101)], "one look at registration, then only those at its own key");
}

#[test]
fn r_08_a_full_queue_merges_and_loses_no_edge() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    rig.alert(RULE, json!({"predicate": "x = 1", "debounce_secs": 1}), 0);
    let mut queue = RuleQueue::default();
    for n in 0..2_000_u64 {
        for (ms, value) in [(0, 1), (500, 0)] {
            let seen = rig.send("cp-1", "lab/x/x", n * 1_000 + ms, &json!({"v": value}));
            let fires = std::mem::take(&mut rig.fires);
            let mut changes = crate::Changes { fires, moves: seen.moves, ..crate::Changes::default() };
            queue.push(&mut changes);
            assert!(changes.fires.is_empty() && changes.moves.is_empty());
        }
    }
    let news = queue.take();
    assert!(news.len() <= 1_026, "{}", news.len());
    let (mut fires, mut edges) = (0, 0);
    for one in &news {
        match one {
            RuleNews::Fired(fire) => fires += fire.merged,
            RuleNews::Moved(moved) => edges += moved.edges,
        }
    }
    assert_eq!((fires, edges), (2_000, 2_000));
    let last = news.iter().rev().find_map(|one| match one {
        RuleNews::Moved(moved) => Some(moved.condition),
        RuleNews::Fired(_) => None,
    });
    assert_eq!(last, Some(RuleCondition::False), "what is known last comes last");
    assert!(queue.take().is_empty());
}

#[test]
fn cw_20_a_deadband_holds_until_it_is_left() {
    let steps = [51, 47, 45, 46, 51].into_iter().zip(0..).map(|(value, n)| (n * 1_000, json!(value)));
    let steps: Vec<_> = steps.collect();
    assert_eq!(fired(json!({"predicate": "x > 50 release 45", "debounce_secs": 1}), &steps), [0, 4_000]);
}

#[test]
fn cw_21_a_rule_sees_a_value_that_the_interval_hides() {
    let mut config = plain("x");
    config["min_interval_secs"] = json!(1);
    let mut rig = Rig::with(&[("cp-1", config)]);
    rig.alert(RULE, json!({"predicate": "x = 2"}), 0);
    for (ms, value) in [(0, 1), (100, 2), (200, 3)] {
        rig.send("cp-1", "lab/x/x", ms, &json!({"v": value}));
    }
    assert_eq!((rig.fired_ms(), rig.shown()), (vec![100], "x = 1".into()));
    rig.tick(1_000);
    assert_eq!(rig.shown(), "x = 3");
}

#[test]
fn r_10_says_which_keys_go_dark_without_a_provider() {
    let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", plain("y"))]);
    rig.alert(RULE, json!({"predicate": "x = 1 AND y = 1 AND z = 1"}), 0);
    let keys = |warnings: Vec<Warning>| -> Vec<_> {
        warnings.into_iter().filter_map(|warning| warning.key.map(|key| key.to_string())).collect()
    };
    assert_eq!(keys(rig.world.dangling_without(&crate::ProviderId("cp-1".into()))), ["x"]);
    assert!(rig.world.dangling_without(&crate::ProviderId("cp-9".into())).is_empty());
}

#[test]
fn al_13_a_rule_without_data_says_nothing_of_its_condition() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let (_, changes) = rig.world.register_alert(id(RULE), rule("x = 1"), now(0)).unwrap();
    assert!(changes.moves.is_empty(), "what was never there was not lost");
    let changes = rig.send("cp-1", "lab/x/x", 1, &json!({"v": 1}));
    assert_eq!(changes.moves.len(), 1);
    rig.tick(10_002);
    let lost = rig.tick(50_002);
    assert_eq!(lost.moves.last().map(|moved| moved.condition), Some(RuleCondition::Lost));
}
