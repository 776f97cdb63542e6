//! Costs of a sample on the thread that receives it, without a network.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use bridge::Scanner;
use robot::{Field, Instant, Now, Row, Sample, Scalar, Scanned};
use serde_json::{Value, json};
use world::{AlertId, Provider, ProviderId, Snapshot, World};

use crate::measure::compare;
use crate::report::Row as Line;

/// A detection of 130 bytes.
pub const PAYLOAD: &str = r#"{"label":"person","confidence":0.92,"zone":"hallway","bearing_rad":0.4812,"camera":"cam-1","frame_id":"map","track":18234,"n":1}"#;
/// Keys and rules of a large site.
const MANY: usize = 10_000;
/// Runs of each arm in a quarter of a round.
const RUNS: usize = 20_000;

pub fn rows() -> Vec<Line> {
    vec![whole_way(), map_insert(), rules(), publishing()]
}

pub fn provider(id: &str) -> Provider {
    let config = json!({
        "topic_pattern": "lab/*/vision/detections", "world_state_key_template": "{label}.location",
        "value_field": "zone", "filter": "confidence>0.8", "max_keys": MANY,
    });
    Provider::compile(ProviderId(id.into()), serde_json::from_value(config).unwrap()).unwrap()
}

pub fn rule(world: &mut World, n: usize, key: &str) {
    let rule = serde_json::from_value(json!({ "predicate": format!("{key} = 'stairs'") })).unwrap();
    world.register_alert(AlertId(format!("al-{n}")), rule, Now::default()).unwrap();
}

pub fn sample(n: u64) -> Sample {
    Sample {
        key_expr: Arc::from("lab/cam-1/vision/detections"),
        encoding: Arc::from("application/json"),
        payload: Arc::from(PAYLOAD.as_bytes()),
        stamp_ms: None,
        received: Instant(n * 1_000),
        received_ms: 1_772_000_000_000,
        n,
    }
}

const fn now(sample: &Sample) -> Now {
    Now { station: sample.received, wall_ms: sample.received_ms }
}

/// PF-01: decode, filter, key, world, rule; against the same through a document.
fn whole_way() -> Line {
    let world = || {
        let mut world = World::new();
        world.add_provider(provider("cp-1")).unwrap();
        rule(&mut world, 0, "person.location");
        world
    };
    let id = ProviderId("cp-1".into());
    let (mut by_document, mut by_walk) = (world(), world());
    let mut scanner = Scanner::new(provider("cp-1").plan());
    let (mut at_a, mut at_b) = (sample(0), sample(0));
    let compared = compare(
        RUNS,
        |_| {
            at_a.received = Instant(at_a.received.0 + 1_000);
            let document: Value = serde_json::from_slice(&at_a.payload).unwrap();
            let text = |name: &str| Field::Scalar(Scalar::Text(document[name].as_str().unwrap().to_owned()));
            let confidence = Field::Scalar(Scalar::Float(document["confidence"].as_f64().unwrap()));
            let row = Row { fields: vec![text("zone"), confidence, text("label")] };
            let scanned = Scanned { rows: vec![row], ..Scanned::default() };
            black_box(by_document.apply(&id, &at_a, Ok(&scanned), now(&at_a)));
        },
        |_| {
            at_b.received = Instant(at_b.received.0 + 1_000);
            black_box(by_walk.apply(&id, &at_b, scanner.scan(&at_b), now(&at_b)));
        },
    );
    let what = format!("one detection of {} bytes to world and rule", PAYLOAD.len());
    Line::compared("PF-01", what, "through a document", compared, "B < C, ratio > 1; about 1 µs")
}

fn keyed(n: usize, at: u64) -> (Sample, Scanned) {
    let text = |text: String| Field::Scalar(Scalar::Text(text));
    let row =
        Row { fields: vec![text("hallway".into()), Field::Scalar(Scalar::Float(0.92)), text(format!("person-{n}"))] };
    (sample(at), Scanned { rows: vec![row], ..Scanned::default() })
}

fn filled(rules: usize) -> (World, Vec<(Sample, Scanned)>) {
    let mut world = World::new();
    world.add_provider(provider("cp-1")).unwrap();
    let rows: Vec<_> = (0..MANY).map(|n| keyed(n, n as u64)).collect();
    for (sample, scanned) in &rows {
        world.apply(&ProviderId("cp-1".into()), sample, Ok(scanned), now(sample));
    }
    (0..rules).for_each(|n| rule(&mut world, n, &format!("person-{n}.location")));
    (world, rows)
}

/// PF-02: rows into the world, against rows into a hash map.
fn map_insert() -> Line {
    let (mut world, mut rows) = filled(0);
    let mut map: HashMap<String, (Scalar, f64)> = HashMap::new();
    let id = ProviderId("cp-1".into());
    let mut at = MANY as u64;
    let names: Vec<String> = (0..MANY).map(|n| format!("person-{n}.location")).collect();
    let compared = compare(
        RUNS,
        |run| map.insert(names[run % MANY].clone(), (Scalar::Text("hallway".into()), 0.92)),
        |run| {
            let (sample, scanned) = &mut rows[run % MANY];
            at += 1;
            sample.received = Instant(at * 1_000);
            world.apply(&id, sample, Ok(scanned), now(sample))
        },
    );
    Line::compared("PF-02", "a row into a world of 10,000 keys".into(), "hash map", compared, "p50 <= 1 µs: 1 M/s")
}

/// PF-03: what rules on other keys cost.
fn rules() -> Line {
    let id = ProviderId("cp-1".into());
    let ((mut few, mut rows_a), (mut many, mut rows_b)) = (filled(10), filled(MANY));
    let (mut at_a, mut at_b) = (MANY as u64, MANY as u64);
    let mut apply = |world: &mut World, rows: &mut [(Sample, Scanned)], at: &mut u64, run: usize| {
        let (sample, scanned) = &mut rows[run % MANY];
        *at += 1;
        sample.received = Instant(*at * 1_000);
        // Another value each time, so that the rule on the key has to look.
        if let Some(Field::Scalar(confidence)) = scanned.rows[0].fields.get_mut(1) {
            *confidence = Scalar::Float(0.81 + (*at % 100) as f64 / 1_000.0);
        }
        black_box(world.apply(&id, sample, Ok(scanned), now(sample)));
    };
    let apply = std::cell::RefCell::new(&mut apply);
    let compared = compare(
        RUNS,
        |run| (apply.borrow_mut())(&mut few, &mut rows_a, &mut at_a, run),
        |run| (apply.borrow_mut())(&mut many, &mut rows_b, &mut at_b, run),
    );
    Line::compared("PF-03", "an update with 10,000 rules".into(), "with 10 rules", compared, "ratio >= 0.83")
}

/// PF-06: publishing one change among 10,000 keys, against one among 100.
fn publishing() -> Line {
    let snapshot = |keys: usize| {
        let mut world = World::new();
        world.add_provider(provider("cp-1")).unwrap();
        for n in 0..keys {
            let (sample, scanned) = keyed(n, n as u64);
            world.apply(&ProviderId("cp-1".into()), &sample, Ok(&scanned), now(&sample));
        }
        let mut snapshot = Snapshot::default();
        let all = world.take_changed();
        snapshot.take_over(&all);
        let ones: Vec<world::Changed> = all
            .entries
            .iter()
            .map(|entry| world::Changed { entries: vec![Arc::clone(entry)], ..world::Changed::default() })
            .collect();
        (arc_swap::ArcSwap::from_pointee(snapshot), ones)
    };
    let publish = |published: &arc_swap::ArcSwap<Snapshot>, changed: &world::Changed| {
        let mut next = Snapshot::clone(&published.load());
        next.take_over(changed);
        published.store(Arc::new(next));
    };
    let ((small, ones_a), (large, ones_b)) = (snapshot(100), snapshot(MANY));
    let compared = compare(
        RUNS,
        |run| publish(&small, &ones_a[run % ones_a.len()]),
        |run| publish(&large, &ones_b[run % ones_b.len()]),
    );
    Line::compared("PF-06", "one change published, 10,000 keys".into(), "100 keys", compared, "ratio >= 0.5")
}
