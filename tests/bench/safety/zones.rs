//! P5: a path against many zones, judged, and against the plainest loop over the same zones; and compiling a set.

use robot::{
    Command, CommandId, FrameId, Instant, LeaseToken, Manifest, ParseContext, RawCommand, Source, StationId,
    parse_command,
};
use safety::{Constraint, ConstraintKind, Limits, Measured, Overall, Pose, RobotState, judge};
use serde_json::json;

use crate::measure::{add, compare, latencies, now};
use crate::report::Row;

const MANIFEST: &str = include_str!("../../../crates/sim/manifests/arm-1.toml");
/// The moment of every judgement.
const NOW: Instant = Instant::from_millis(10_000);
/// Where the arm is.
const START_M: [f64; 3] = [0.3, 0.0, 0.6];
/// Different paths; each run takes the next.
const PATHS: usize = 512;
/// The most constraints a robot may have, less those of its manifest.
const ZONES_MAX: usize = 9_990;
/// Sets that are compiled one after the other.
const COMPILED: usize = 15;

/// Rows for both sizes, and for compiling the greater.
pub fn rows() -> Vec<Row> {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    let sizes = [(1_000, "≥ 10×, p99 < 1 µs"), (ZONES_MAX, "≥ 100×, p99 < 1 µs")];
    let mut rows: Vec<Row> = sizes.into_iter().map(|(count, goal)| judged(&manifest, count, goal)).collect();
    let mut compiled = latencies();
    let constraints = zones(ZONES_MAX);
    for version in 0..COMPILED {
        let started = now();
        let limits = Limits::compile(&manifest, &constraints, version as u64).unwrap();
        add(&mut compiled, started.elapsed());
        drop(limits);
    }
    let what = format!("compile a set of {ZONES_MAX} zones");
    rows.push(Row { id: "§19", what, against: None, latencies: compiled, goal: "< 50 ms" });
    rows
}

fn judged(manifest: &Manifest, count: usize, goal: &'static str) -> Row {
    let constraints = zones(count);
    let limits = Limits::compile(manifest, &constraints, 1).unwrap();
    let balls: Vec<([f64; 3], f64)> = constraints.iter().filter_map(|zone| ball(&zone.kind, manifest)).collect();
    let state = state();
    let paths: Vec<(Command, [f64; 3])> = (0..PATHS).map(|i| path(manifest, i)).collect();
    for (command, goal_m) in &paths {
        let free = balls.iter().all(|ball| clear_of(*ball, *goal_m));
        let allowed = judge(&limits, &state, command.clone(), NOW).overall == Overall::Allow;
        assert!(free || !allowed, "the judgement allows a path that the plain loop finds inside a zone");
    }
    let compared = compare(
        PATHS,
        |run| balls.iter().filter(|ball| !clear_of(**ball, paths[run].1)).count(),
        |run| judge(&limits, &state, paths[run].0.clone(), NOW).overall,
    );
    Row::compared("P5", format!("judge a segment against {count} zones"), "plain loop", compared, goal)
}

/// Small zones on a lattice through the whole workspace, so that every path comes close to some.
fn zones(count: usize) -> Vec<Constraint> {
    let side = (count as f64).cbrt().ceil() as usize;
    let at = |step: usize, low: f64, high: f64| low + (high - low) * (step as f64 + 0.5) / side as f64;
    let zone = |i: usize| Constraint {
        id: format!("con-{i}").parse().unwrap(),
        robot: None,
        mission: None,
        actuator: None,
        frame: None,
        kind: ConstraintKind::ForbiddenZone {
            center: [at(i % side, -1.0, 1.0), at(i / side % side, -1.0, 1.0), at(i / side / side, 0.0, 1.5)],
            radius: 0.005,
        },
        created_by: "dana".into(),
        reason: None,
    };
    (0..count).map(zone).collect()
}

fn ball(kind: &ConstraintKind, manifest: &Manifest) -> Option<([f64; 3], f64)> {
    let ConstraintKind::ForbiddenZone { center, radius } = kind else { return None };
    Some((*center, radius + manifest.body.bounding_radius_m))
}

/// Whether the segment from the start to `goal_m` stays outside the ball: the plainest way to say it.
fn clear_of((center, radius): ([f64; 3], f64), goal_m: [f64; 3]) -> bool {
    let along: [f64; 3] = std::array::from_fn(|i| goal_m[i] - START_M[i]);
    let to: [f64; 3] = std::array::from_fn(|i| center[i] - START_M[i]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let part = (dot(to, along) / dot(along, along)).clamp(0.0, 1.0);
    let off: [f64; 3] = std::array::from_fn(|i| to[i] - part * along[i]);
    dot(off, off) > radius * radius
}

fn state() -> RobotState {
    let pose = Pose { frame: FrameId::new("base_link").unwrap(), position_m: START_M, orientation: None };
    RobotState {
        pose: Some(Measured { value: pose, observed: NOW }),
        speed_mps: Some(Measured { value: 0.0, observed: NOW }),
        armed: true,
        epoch: 1,
        ..RobotState::default()
    }
}

/// A straight path somewhere into the workspace; the golden ratio spreads the goals evenly without dice.
fn path(manifest: &Manifest, i: usize) -> (Command, [f64; 3]) {
    let spread = |factor: f64| (i as f64 * factor).fract() - 0.5;
    let goal_m = [1.6 * spread(0.618_034), 1.6 * spread(0.414_214), 0.6 + spread(0.732_051)];
    let motion = json!({ "pose_goal": { "position_m": goal_m, "speed_mps": 0.1 } });
    let raw = json!({ "robot": "arm-1", "actuator": "arm", "motion": motion });
    let raw: RawCommand = serde_json::from_value(raw).unwrap();
    let context = ParseContext {
        fresh_id: CommandId(uuid::Uuid::from_u128(5)),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: NOW,
        approval: None,
    };
    (parse_command(&raw, manifest, context).unwrap(), goal_m)
}
