use robot::Trust;
use world::{AgeBasis, Flags, Key, ProviderId};

use super::*;

fn entry(key: &str, value: Scalar, age_ms: u64) -> Arc<Entry> {
    let observed_at = Instant::from_millis(10_000 - age_ms);
    Arc::new(Entry {
        key: Key::new(key).unwrap(),
        value,
        unit: None,
        confidence: None,
        observed_at,
        source_ms: None,
        received_at: observed_at,
        received_ms: 0,
        sample_n: None,
        age_basis: AgeBasis::Received,
        max_age_ms: 1_000,
        source: "lab/cam-1".into(),
        instance: None,
        provider: ProviderId("cp-1".into()),
        mission: None,
        origin: world::ValueOrigin::Measured,
        trust: Trust::Typed,
        changed_at: observed_at,
        seq: 1,
        flags: Flags::default(),
        lost_source: false,
        age_before_ms: 0,
    })
}

/// The arm stands at (1, 0) in `map`; the way is 1 m along x from there.
fn check(entries: &[Arc<Entry>], expected: PersonSeen) {
    let manifest = Manifest::parse(include_str!("../../../../sim/manifests/arm-1.toml"), "arm-1").unwrap();
    let people = People::among(entries, Instant::from_millis(10_000));
    let seen = people.near(&manifest, &manifest.default_frame, &[[0.0; 3], [1.0, 0.0, 0.5]]);
    assert_eq!(seen, expected, "{people:?}");
}

fn text(words: &str) -> Scalar {
    Scalar::Text(words.into())
}

#[test]
fn a_fresh_person_without_coordinates_is_somewhere() {
    use PersonSeen::{Nobody, Somewhere};
    check(&[], Nobody);
    check(&[entry("person.location", text("hallway"), 100)], Somewhere);
    check(&[entry("toddler.location", text("stairs"), 100)], Somewhere);
    check(&[entry("detection.label", text("person"), 100)], Somewhere);
    check(&[entry("person.location", text("hallway"), 1_001)], Nobody);
    check(&[entry("dog.location", text("hallway"), 100)], Nobody);
    check(&[entry("person.present", Scalar::Bool(false), 100)], Nobody);
    check(&[entry("person.count", Scalar::Int(0), 100)], Nobody);
    check(&[entry("person.count", Scalar::Int(2), 100)], Somewhere);
}

#[test]
fn a_person_counts_in_any_case_and_with_a_track_in_the_same_part_of_the_name() {
    use PersonSeen::{Nobody, Somewhere};
    for label in ["Person", "PERSON", "person_3", "Worker-12"] {
        check(&[entry("cam-1.label", text(label), 100)], Somewhere);
    }
    check(&[entry("person_3.location", text("hallway"), 100)], Somewhere);
    check(&[entry("track-7-person.seen", Scalar::Bool(true), 100)], Somewhere);
    check(&[entry("cam-1.label", text("personnel"), 100)], Nobody);
    check(&[entry("person_3.present", Scalar::Bool(false), 100)], Nobody);
}

#[test]
fn a_person_with_coordinates_is_as_far_as_the_nearest_point_of_the_way() {
    let at = |who: &str, x: f64, y: f64| {
        [entry(&format!("{who}.x_m"), Scalar::Float(x), 100), entry(&format!("{who}.y_m"), Scalar::Float(y), 100)]
    };
    check(&at("person", 1.5, 3.0), PersonSeen::At(3.0));
    check(&at("person", 5.0, 0.0), PersonSeen::At(3.0));
    let both: Vec<_> = at("person.a", 1.5, 3.0).into_iter().chain(at("person.b", 1.5, -1.0)).collect();
    check(&both, PersonSeen::At(1.0));
    let one_unknown: Vec<_> =
        at("person.a", 1.5, 3.0).into_iter().chain([entry("person.b.location", text("hallway"), 0)]).collect();
    check(&one_unknown, PersonSeen::Somewhere);
}

impl People {
    /// Somebody for each of `keys`, seen at `now` and there for long.
    pub(in crate::proposals) fn seen_at(now: Instant, keys: &[&str]) -> Self {
        let seen = |key: &&str| {
            let entry = Arc::unwrap_or_clone(entry(key, text("hallway"), 0));
            Arc::new(Entry { observed_at: now, received_at: now, changed_at: now, max_age_ms: 3_600_000, ..entry })
        };
        Self::among(&keys.iter().map(seen).collect::<Vec<_>>(), now)
    }
}
