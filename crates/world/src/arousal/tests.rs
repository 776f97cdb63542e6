use super::*;
use robot::Now;

const REACTIVE: Autonomous = Autonomous { reactive: true, failed: false };
const FAILED: Autonomous = Autonomous { reactive: true, failed: true };

fn at(secs: u64) -> Instant {
    Instant::from_millis(secs * 1_000)
}

fn rule(name: &str) -> AlertId {
    AlertId(format!("al-{name}"))
}

fn aroused(level: f64) -> Arousal {
    Arousal { level, ..Arousal::default() }
}

#[test]
fn a_01_the_beat_gets_faster_with_arousal_and_stays_above_five_seconds() {
    for (level, beat_ms) in [(0.0, 60_000), (2.0, 20_000), (3.0, 15_000), (11.0, 5_000), (20.0, 5_000)] {
        assert_eq!(aroused(level).beat_after(at(0)).mono_ms(), beat_ms, "{level}");
    }
    let mut arousal = Arousal::default();
    (0..100).for_each(|_| arousal.stir(Boost::LinkLost));
    assert_eq!(arousal.level(), 20.0);
}

#[test]
fn a_02_a_calm_beat_leaves_seven_tenths_and_at_last_nothing() {
    let mut arousal = aroused(10.0);
    let mut now = at(0);
    arousal.tick(now);
    let mut beat = |arousal: &mut Arousal| {
        now = arousal.beat_after(now);
        arousal.tick(now);
        arousal.level()
    };
    let expected = [7.0, 4.9, 3.43];
    assert!(expected.iter().all(|expected| (beat(&mut arousal) - expected).abs() < 1e-12));
    arousal.stir(Boost::Schedule);
    let stirred = arousal.level();
    assert_eq!(beat(&mut arousal), stirred, "a beat after a message is not calm");
    (0..30).for_each(|_| {
        beat(&mut arousal);
    });
    assert_eq!(arousal.level(), 0.0);
}

#[test]
fn a_03_what_happens_raises_the_level_by_so_much() {
    for (boost, expected) in
        [(Boost::Fallback, 2.0), (Boost::Message, 2.0), (Boost::Schedule, 1.0), (Boost::LinkLost, 3.0)]
    {
        let (mut stirred, mut told) = (Arousal::default(), Arousal::default());
        stirred.stir(boost);
        told.tell("it happened", boost, at(0));
        assert_eq!((stirred.level(), told.level()), (expected, expected), "{boost:?}");
    }
    let rule_of = |boost: serde_json::Value| -> crate::AlertRule {
        let mut rule = serde_json::json!({ "predicate": "x = 1" });
        rule["arousal_boost"] = boost;
        rule.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        serde_json::from_value(rule).unwrap()
    };
    let mut arousal = Arousal::default();
    arousal.fired(&rule("a"), rule_of(serde_json::Value::Null).arousal_boost, at(0));
    assert_eq!(arousal.level(), 2.0, "of a rule that says nothing of it");
    let now = Now { station: at(0), wall_ms: 0 };
    for (boost, is_allowed) in [(0.0, true), (100.0, true), (100.5, false), (-0.5, false), (f64::NAN, false)] {
        let mut rule = rule_of(serde_json::Value::Null);
        rule.arousal_boost = boost;
        let registered = crate::test_support::Rig::default().world.register_alert(AlertId("al-1".into()), rule, now);
        assert_eq!(registered.is_ok(), is_allowed, "{boost}");
    }
}

#[test]
fn a_04_a_beat_by_itself_starts_nothing() {
    let mut arousal = aroused(20.0);
    for secs in 0..3_600 {
        arousal.tick(at(secs));
        assert_eq!(arousal.start(true, at(secs)), None);
    }
}

#[test]
fn a_05_one_default_alert_wakes_a_smaller_one_waits_for_company() {
    let mut arousal = Arousal::default();
    arousal.fired(&rule("a"), 1.0, at(0));
    assert_eq!(arousal.start(true, at(0)), None);
    arousal.fired(&rule("b"), 2.0, at(1));
    let causes = vec![WakeCause::Rule(rule("a")), WakeCause::Rule(rule("b"))];
    assert_eq!(arousal.start(true, at(1)), Some(causes), "both are told in one turn");
}

#[test]
fn a_05_a_start_waits_thirty_seconds_after_the_last_turn_and_for_nothing_but_an_end() {
    let mut arousal = Arousal::default();
    arousal.fired(&rule("a"), 2.0, at(0));
    assert!(arousal.start(true, at(0)).is_some());
    arousal.fired(&rule("b"), 2.0, at(1));
    assert_eq!(arousal.start(true, at(100)), None, "the first one still runs");
    arousal.ended(REACTIVE, at(100));
    assert_eq!(arousal.start(true, at(129)), None);
    assert!(arousal.start(true, at(130)).is_some());
}

#[test]
fn a_05_a_start_is_dropped_when_nothing_behind_it_holds_any_more() {
    let mut arousal = Arousal::default();
    arousal.fired(&rule("a"), 2.0, at(0));
    arousal.fired(&rule("b"), 2.0, at(0));
    arousal.drop_cause(&rule("a"));
    assert!(arousal.is_queued());
    arousal.drop_cause(&rule("b"));
    assert_eq!(arousal.start(true, at(60)), None);
    arousal.fired(&rule("c"), 2.0, at(60));
    arousal.tell("a failure", Boost::Fallback, at(60));
    arousal.drop_cause(&rule("c"));
    let told = vec![WakeCause::Told("a failure".into())];
    assert_eq!(arousal.start(true, at(60)), Some(told), "what only has to be told stays");
}

#[test]
fn r_07_a_fire_without_a_boost_wakes_nobody() {
    let mut arousal = aroused(5.0);
    arousal.fired(&rule("a"), 0.0, at(0));
    assert_eq!(arousal.start(true, at(0)), None);
}

#[test]
fn a_06_three_failures_keep_turns_away_for_five_minutes_and_a_success_forgets_them() {
    let mut arousal = Arousal::default();
    for (secs, failed) in [(0, true), (100, true), (200, false), (300, true), (400, true)] {
        arousal.note_start(at(secs));
        arousal.ended(Autonomous { failed, ..REACTIVE }, at(secs));
        assert!(!arousal.is_breaker_open(at(secs)));
    }
    arousal.ended(FAILED, at(500));
    arousal.fired(&rule("a"), 2.0, at(500));
    assert_eq!(arousal.start(true, at(799)), None);
    assert!(arousal.start(true, at(800)).is_some());
    arousal.ended(FAILED, at(900));
    assert!(!arousal.is_breaker_open(at(900)), "it closed with nothing counted");
}

#[test]
fn a_07_twenty_turns_in_an_hour_and_none_without_a_budget() {
    let mut arousal = Arousal::default();
    let mut started = Vec::new();
    for secs in 0..7_200 {
        arousal.fired(&rule("a"), 2.0, at(secs));
        if arousal.start(true, at(secs)).is_some() {
            started.push(secs);
            arousal.ended(REACTIVE, at(secs));
        }
    }
    let in_hour = |from: u64| started.iter().filter(|secs| (from..from + 3_600).contains(*secs)).count();
    assert!((0..3_600).all(|from| in_hour(from) <= 20));
    assert_eq!((in_hour(0), in_hour(3_600)), (20, 20));
    arousal.fired(&rule("a"), 2.0, at(20_000));
    assert_eq!(arousal.start(false, at(20_000)), None);
    assert!(arousal.start(true, at(20_000)).is_some());
}

#[test]
fn a_05_only_a_turn_about_an_alert_keeps_the_next_one_away() {
    let mut arousal = Arousal::default();
    arousal.note_start(at(0));
    arousal.fired(&rule("a"), 2.0, at(1));
    arousal.ended(Autonomous { reactive: false, failed: false }, at(10));
    assert!(arousal.start(true, at(10)).is_some(), "the end of a job's turn is no reason to wait");
}

#[test]
fn a_08_what_made_room_is_put_back_without_more_going_on() {
    let mut arousal = Arousal::default();
    arousal.put_back(WakeCause::Rule(rule("a")), at(0));
    assert_eq!(arousal.level(), 0.0);
    assert_eq!(arousal.start(true, at(0)), Some(vec![WakeCause::Rule(rule("a"))]));
    arousal.ended(REACTIVE, at(1));
    arousal.put_back(WakeCause::Rule(rule("a")), at(1));
    assert_eq!(arousal.start(true, at(30)), None, "the distance to the last turn holds");
    arousal.drop_cause(&rule("a"));
    assert_eq!(arousal.start(true, at(60)), None, "a condition that is false brings nothing back");
}

fn now(secs: u64, wall_ms: i64) -> Now {
    Now { station: at(secs), wall_ms }
}

#[test]
fn a_06_a_07_a_restart_gives_no_turns_back_and_closes_no_breaker() {
    let mut arousal = Arousal::default();
    for secs in 0..20 {
        arousal.note_start(at(1_000 + secs));
        arousal.ended(if secs < 17 { REACTIVE } else { FAILED }, at(1_000 + secs));
    }
    assert!(arousal.is_breaker_open(at(1_020)));
    let stored = serde_json::to_string(&arousal.record(now(1_020, 5_000_000))).unwrap();
    // The computer was started anew: its clock begins at nothing.
    let restored = |secs: u64| {
        let mut arousal =
            Arousal::restored(&serde_json::from_str(&stored).unwrap(), now(4_000, 5_000_000 + 1_000 * secs as i64));
        arousal.fired(&rule("a"), 2.0, at(4_000));
        arousal
    };
    assert!(restored(298).is_breaker_open(at(4_000)));
    assert!(!restored(299).is_breaker_open(at(4_000)));
    assert_eq!(restored(3_579).start(true, at(4_000)), None, "twenty started within the hour");
    assert!(restored(3_580).start(true, at(4_000)).is_some());
}

#[test]
fn a_02_the_time_without_a_station_was_calm() {
    let check = |level: f64, down_ms: i64, expected: f64| {
        let record = ArousalRecord { level, at_ms: 0, ..ArousalRecord::default() };
        let found = Arousal::restored(&record, now(9_000, down_ms)).level();
        assert!((found - expected).abs() < 1e-9, "{level} after {down_ms} ms: {found}");
    };
    check(2.0, 19_999, 2.0);
    check(2.0, 20_000, 1.4);
    check(2.0, 45_000, 0.98);
    check(10.0, 86_400_000, 0.0);
    // A clock that was set back, and a file that was edited.
    check(2.0, -5_000, 2.0);
    check(f64::NAN, 0, 0.0);
    check(900.0, 0, 20.0);
}

/// A day of an agent: alerts that come and go, turns that take time, cost money and fail, people who speak.
#[test]
fn i_19_in_a_day_of_alerts_turns_are_few_and_cost_no_more_than_the_budget() {
    const CALL_MICROUSD: u64 = 40_000;
    const DAY_MICROUSD: u64 = 10_000_000;
    for seed in 0..20_u64 {
        let mut random = Random(seed + 1);
        let (mut arousal, mut started, mut ends_at) = (Arousal::default(), Vec::new(), None);
        let mut spent = 0_u64;
        let rules: Vec<AlertId> = (0..8).map(|n| rule(&n.to_string())).collect();
        for secs in 0..86_400 {
            let now = at(secs);
            if random.below(30) == 0 {
                arousal.fired(&rules[random.below(8) as usize], (random.below(60) as f64) / 10.0, now);
            }
            if random.below(300) == 0 {
                arousal.drop_cause(&rules[random.below(8) as usize]);
            }
            if random.below(2_000) == 0 {
                arousal.stir(Boost::Message);
            }
            arousal.tick(now);
            if ends_at.is_some_and(|(end, _)| end <= secs) {
                let (_, failed) = ends_at.take().unwrap();
                arousal.ended(Autonomous { reactive: true, failed }, now);
            }
            if ends_at.is_none() && arousal.start(spent < DAY_MICROUSD, now).is_some() {
                started.push(secs);
                // A meter that is full blocks the next call of a turn.
                let calls = (1 + random.below(12)).min((DAY_MICROUSD - spent).div_ceil(CALL_MICROUSD));
                spent += calls * CALL_MICROUSD;
                ends_at = Some((secs + 1 + random.below(120), random.below(5) == 0));
            }
        }
        let in_hour = |from: &u64| started.iter().filter(|at| (*from..from + 3_600).contains(*at)).count();
        let most = started.iter().map(in_hour).max().unwrap_or_default();
        assert!(!started.is_empty() && most <= 20, "seed {seed}: {most} turns in an hour");
        assert!(spent <= DAY_MICROUSD, "seed {seed}: {spent} micro-dollars");
    }
}

/// A small generator: the same seed gives the same day.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
