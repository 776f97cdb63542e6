use super::*;

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
    arousal.ended(false, at(100));
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
        arousal.ended(failed, at(secs));
        assert!(!arousal.is_breaker_open(at(secs)));
    }
    arousal.ended(true, at(500));
    arousal.fired(&rule("a"), 2.0, at(500));
    assert_eq!(arousal.start(true, at(799)), None);
    assert!(arousal.start(true, at(800)).is_some());
    arousal.ended(true, at(900));
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
            arousal.ended(false, at(secs));
        }
    }
    let in_hour = |from: u64| started.iter().filter(|secs| (from..from + 3_600).contains(*secs)).count();
    assert!((0..3_600).all(|from| in_hour(from) <= 20));
    assert_eq!((in_hour(0), in_hour(3_600)), (20, 20));
    arousal.fired(&rule("a"), 2.0, at(20_000));
    assert_eq!(arousal.start(false, at(20_000)), None);
    assert!(arousal.start(true, at(20_000)).is_some());
}
