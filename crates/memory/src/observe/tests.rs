use robot::Scalar;
use world::{AgeBasis, Flags, ProviderId};

use super::*;
use crate::belief::{Applied, BeliefName, Statement};

/// One second of both clocks.
const SECOND_MS: u64 = 1_000;

fn now(ms: u64) -> Now {
    Now { station: Instant::from_millis(ms), wall_ms: i64::try_from(ms).unwrap() }
}

fn entry(key: &str, value: Scalar, at_ms: u64) -> Entry {
    let at = Instant::from_millis(at_ms);
    Entry {
        key: Key::new(key).unwrap(),
        value,
        unit: None,
        confidence: Some(0.9),
        observed_at: at,
        source_ms: None,
        received_at: at,
        received_ms: now(at_ms).wall_ms,
        sample_n: None,
        age_basis: AgeBasis::Received,
        max_age_ms: 150_000,
        source: "lab/cam-1/out/detections".into(),
        instance: None,
        provider: ProviderId("cp-1".into()),
        mission: None,
        origin: world::ValueOrigin::Measured,
        trust: Trust::Typed,
        changed_at: at,
        seq: 1,
        flags: Flags::default(),
        lost_source: false,
        age_before_ms: 0,
    }
}

fn text(value: &str) -> Scalar {
    Scalar::Text(value.into())
}

fn belief((subject, predicate): (&str, &str), value: &str) -> Belief {
    let name = BeliefName { subject, predicate };
    let said = Statement { value: value.into(), confidence: Some(0.6), ..Statement::default() };
    let author = Author { by: ConfirmedBy::Agent, name: "agent".into(), evidence: None };
    Belief::create(BeliefId::new("belief-1"), name, &said, &author, 0).unwrap().belief
}

/// Drives one belief "cup location = kitchen" with `values` shown every `every_ms`, and gives the times of its
/// confirmations and contradictions.
fn driven(values: &[Scalar], every_ms: u64, until_ms: u64) -> Vec<(u64, Applied)> {
    let (mut observer, mut book, mut told) = (Observer::default(), Book::default(), Vec::new());
    book.put(Arc::new(belief(("cup", "location"), "kitchen")), 0);
    for at_ms in (0..=until_ms).step_by(100) {
        let mut changes = Vec::new();
        if at_ms % every_ms == 0 {
            let value = values[usize::try_from(at_ms / every_ms).unwrap() % values.len()].clone();
            let held = Arc::clone(book.get("belief-1").unwrap());
            changes.extend(observer.observe(&held, &Arc::new(entry("cup.location", value, at_ms)), now(at_ms)));
        }
        changes.extend(observer.tick(&book, now(at_ms)));
        for change in changes {
            told.push((at_ms / SECOND_MS, change.applied));
            book.put(Arc::new(change.belief), 0);
        }
    }
    told
}

#[test]
fn bl_09_fast_and_slow_sensors_move_a_belief_alike() {
    use Applied::{Confirmed, Contradicted};
    for every_ms in [100, 100_000] {
        let confirmed = driven(&[text("kitchen")], every_ms, 700_000);
        assert_eq!(confirmed, [(0, Confirmed), (300, Confirmed), (600, Confirmed)], "{every_ms}");
        let contradicted = driven(&[text("bedroom")], every_ms, 700_000);
        assert_eq!(contradicted.len(), 3, "{every_ms}: {contradicted:?}");
        assert!(contradicted.iter().all(|(_, applied)| *applied == Contradicted) && contradicted[0].0 == 2);
    }
}

#[test]
fn bl_09_a_value_that_is_gone_within_two_seconds_contradicts_nothing() {
    let told = driven(&[text("bedroom"), text("kitchen")], 1_000, 60_000);
    assert_eq!(told, [(1, Applied::Confirmed)]);
    let jitter = [Scalar::Float(51.0), Scalar::Float(51.2), Scalar::Float(50.9)];
    let mut observer = Observer::default();
    let mut book = Book::default();
    book.put(Arc::new(belief(("oven", "temperature"), "20")), 0);
    let mut contradicted = 0;
    for at_ms in (0..10_000).step_by(100) {
        let value = jitter[usize::try_from(at_ms / 100 % 3).unwrap()].clone();
        let held = Arc::clone(book.get("belief-1").unwrap());
        observer.observe(&held, &Arc::new(entry("oven.temperature", value, at_ms)), now(at_ms));
        contradicted += observer.tick(&book, now(at_ms)).len();
    }
    assert_eq!(contradicted, 1, "a number that is always another one contradicts like one that stays");
}

#[test]
fn bl_08_only_what_is_surely_true_now_counts() {
    let flags = Flags::default();
    let with = |change: &dyn Fn(&mut Entry)| {
        let mut shown = entry("cup.location", text("kitchen"), 10_000);
        change(&mut shown);
        let mut observer = Observer::default();
        observer.observe(&belief(("cup", "location"), "kitchen"), &Arc::new(shown), now(10_000)).is_some()
    };
    assert!(with(&|_| {}));
    assert!(with(&|entry| entry.confidence = Some(0.5)));
    assert!(with(&|entry| entry.confidence = None));
    assert!(!with(&|entry| entry.confidence = Some(0.49)));
    assert!(!with(&|entry| (entry.confidence, entry.trust) = (None, Trust::Text)));
    assert!(!with(&|entry| entry.flags = Flags { late: true, ..flags }));
    assert!(!with(&|entry| entry.flags = Flags { contested: true, ..flags }));
    assert!(!with(&|entry| entry.flags = Flags { restored: true, ..flags }));
    assert!(!with(&|entry| entry.flags = Flags { paused: true, ..flags }));
    assert!(!with(&|entry| entry.lost_source = true));
    assert!(!with(&|entry| (entry.observed_at, entry.max_age_ms) = (Instant::from_millis(9_000), 1_400)), "aging");
}

#[test]
fn bl_08_a_stale_value_does_not_go_on_contradicting() {
    let (mut observer, mut book) = (Observer::default(), Book::default());
    book.put(Arc::new(belief(("cup", "location"), "kitchen")), 0);
    let held = Arc::clone(book.get("belief-1").unwrap());
    let mut shown = entry("cup.location", text("bedroom"), 0);
    shown.max_age_ms = 2_000;
    assert!(observer.observe(&held, &Arc::new(shown), now(0)).is_none());
    assert!(observer.tick(&book, now(10_000)).is_empty());
}

#[test]
fn bl_12_bl_08_evidence_is_what_was_shown() {
    let held = belief(("cup", "location"), "kitchen");
    let shown = Arc::new(entry("cup.location", text("kitchen"), 5_000));
    let change = Observer::default().observe(&held, &shown, now(5_100)).unwrap();
    let event = change.event.unwrap();
    assert_eq!((event.by.as_str(), change.belief.confirmed_by), ("cup.location", ConfirmedBy::Sensor));
    assert_eq!(
        serde_json::to_value(event.evidence).unwrap(),
        serde_json::json!({
            "key": "cup.location", "value": "kitchen", "confidence": 0.9, "observed_ms": 5_000, "received_ms": 5_000,
            "source": "lab/cam-1/out/detections", "provider": "cp-1",
        })
    );
}

#[test]
fn cw_08_bl_08_a_key_speaks_about_the_belief_that_names_it_else_about_its_own_names() {
    let named = |subject: &str, predicate: &str, observes: Option<&str>| {
        let observes = observes.map(|key| Key::new(key).unwrap());
        Belief { observes, id: BeliefId::new(subject), ..belief((subject, predicate), "v") }
    };
    let mut watched = Watched::default();
    let beliefs = [
        named("Front Door", "Status", None),
        named("arm.shoulder", "angle", None),
        named("cup", "location", None),
        named("mug", "place", Some("cup.location")),
        named("größe", "x", None),
    ];
    beliefs.iter().for_each(|belief| watched.add(belief));
    let by = |watched: &Watched, key: &str| {
        let key = Key::new(key).unwrap();
        let found: Vec<String> = watched.by(&key).iter().map(ToString::to_string).collect();
        assert_eq!(watched.has(&key), !found.is_empty());
        found
    };
    assert_eq!(by(&watched, "front_door.status"), ["Front Door"]);
    assert_eq!(by(&watched, "arm.shoulder.angle"), ["arm.shoulder"]);
    assert_eq!(by(&watched, "cup.location"), ["mug"]);
    assert_eq!(by(&watched, "mug.place"), [""; 0]);
    assert_eq!(by(&watched, "status"), [""; 0], "a key of one part");
    watched.remove(&beliefs[3]);
    assert_eq!(by(&watched, "cup.location"), ["cup"]);
    beliefs.iter().for_each(|belief| watched.remove(belief));
    assert!(watched.by_key.is_empty() && watched.by_names.is_empty());
}

#[test]
fn bl_09_a_restart_shortens_no_interval() {
    let held = belief(("cup", "location"), "kitchen");
    let sensed = held.confirm(&Author { by: ConfirmedBy::Sensor, name: "k".into(), evidence: None }, 1_000).belief;
    let shown = |at_ms| Arc::new(entry("cup.location", text("kitchen"), at_ms));
    let mut observer = Observer::default();
    // The station clock has started anew meanwhile; the wall clock has not.
    let restarted = Now { station: Instant::from_millis(1_000_000), wall_ms: 61_000 };
    observer.know(&sensed, restarted);
    let later = |ms: u64| Now { station: Instant::from_millis(1_000_000 + ms), wall_ms: restarted.wall_ms };
    assert!(observer.observe(&sensed, &shown(1_000_000), later(0)).is_none());
    assert!(observer.observe(&sensed, &shown(1_239_999), later(239_999)).is_none());
    assert!(observer.observe(&sensed, &shown(1_240_000), later(240_000)).is_some());
}
