//! P5: the check of a straight way against many zones, and the plainest loop over the same zones; judging such a way as
//! a whole; and compiling a set.

use robot::{
    ActuatorId, Command, CommandId, FrameId, Instant, LeaseToken, Manifest, ParseContext, RawCommand, Source,
    StationId, WorkspaceBox, parse_command,
};
use safety::{Constraint, ConstraintKind, Fresh, Limits, Overall, Pose, RobotState, SourceTimes, Speeds, judge};
use serde_json::json;

use crate::measure::{add, compare, latencies, now};
use crate::report::Row;

const MANIFEST: &str = include_str!("../../../crates/sim/manifests/rover-1.toml");
/// The moment of every judgement.
const NOW: Instant = Instant::from_millis(10_000);
/// Half of the site's length, breadth and height: what the rover's manifest holds for possible.
const SITE_M: [f64; 3] = [50.0, 50.0, 10.0];
/// The longest step on an axis from the start of a way to its end: a few of the zones it could meet.
const STEP_M: f64 = 1.5;
/// The room to stop that every way needs.
const STOPPING_M: f64 = 0.2;
/// The most that rounding may add to a zone; the engine denies rather than trust it.
const ROUNDING_M: f64 = 1e-9;
/// Different ways; each run takes the next.
const WAYS: usize = 512;
/// Ways on which both must find the same zones.
const COMPARED: usize = 1_000_000;
/// The most constraints a robot may have, less those of its manifest.
const ZONES_MAX: usize = 9_990;
/// Sets that are compiled one after the other.
const COMPILED: u64 = 15;

/// Rows for both sizes, and for compiling the greater.
pub fn rows() -> Vec<Row> {
    let manifest = manifest();
    let sizes = [(1_000, "≥ 10×, p99 < 1 µs"), (ZONES_MAX, "≥ 100×, p99 < 1 µs")];
    let mut rows: Vec<Row> = sizes.into_iter().flat_map(|(count, goal)| checked(&manifest, count, goal)).collect();
    let mut compiled = latencies();
    let constraints = zones(ZONES_MAX);
    for version in 0..COMPILED {
        let started = now();
        let limits = Limits::compile(&manifest, &constraints, version).unwrap();
        add(&mut compiled, started.elapsed());
        drop(limits);
    }
    let what = format!("compile a set of {ZONES_MAX} zones");
    rows.push(Row { id: "§19", what, against: None, latencies: compiled, goal: "< 50 ms" });
    rows
}

/// The rover, let loose on the whole site.
fn manifest() -> Manifest {
    let mut manifest = Manifest::parse(MANIFEST, "rover-1").unwrap();
    let [x, y, z] = SITE_M.map(|half_m| [-half_m, half_m]);
    manifest.limits.workspace = Some(WorkspaceBox { x, y, z });
    manifest
}

/// A straight way.
#[derive(Clone, Copy)]
struct Segment {
    start_m: [f64; 3],
    goal_m: [f64; 3],
}

/// A zone as the plain loop sees it: body, error, margin and the room to stop are part of its radius.
#[derive(Clone, Copy)]
struct Ball {
    center: [f64; 3],
    radius: f64,
}

fn checked(manifest: &Manifest, count: usize, goal: &'static str) -> [Row; 2] {
    let constraints = zones(count);
    let limits = Limits::compile(manifest, &constraints, 1).unwrap();
    let balls: Vec<Ball> = constraints.iter().filter_map(|zone| ball(&zone.kind, manifest)).collect();
    let base = ActuatorId::new("base").unwrap();
    let swept = |way: Segment| limits.sweep_segment(&base, way.start_m, way.goal_m, STOPPING_M);
    let plain = |way: Segment| balls.iter().filter(|ball| ball.meets(way)).count();
    let mut dice = Dice(count as u64);
    for _ in 0..COMPARED {
        let way = dice.segment();
        // The sweep names the nearest zone that is clear as well.
        assert_eq!(swept(way), plain(way) + 1, "{COMPARED} ways through {count} zones");
    }
    let ways: Vec<Segment> = (0..WAYS).map(|_| dice.segment()).collect();
    let compared = compare(WAYS, |run| plain(ways[run]), |run| swept(ways[run]));
    let what = format!("a way against {count} zones; {COMPARED} the same");
    [Row::compared("P5", what, "plain loop", compared, goal), judged(manifest, &limits, &ways, count)]
}

/// Times a whole judgement of the same ways; the sweep is one part of it.
fn judged(manifest: &Manifest, limits: &Limits, ways: &[Segment], count: usize) -> Row {
    let commands: Vec<(RobotState, Command)> =
        ways.iter().map(|way| (state(manifest, *way), command(manifest, *way))).collect();
    let (mut whole, mut allowed) = (latencies(), 0);
    for (state, command) in &commands {
        let command = command.clone();
        let started = now();
        let verdict = judge(limits, state, command, NOW);
        add(&mut whole, started.elapsed());
        allowed += usize::from(verdict.overall == Overall::Allow);
    }
    let what = format!("the whole judgement of those, {allowed} of {WAYS} allowed");
    Row { id: "–", what: format!("{what}, {count} zones"), against: None, latencies: whole, goal: "–" }
}

/// Zones of 5 cm to 50 cm, strewn over the site.
fn zones(count: usize) -> Vec<Constraint> {
    let mut dice = Dice(1);
    let zone = |i: usize| Constraint {
        id: format!("con-{i}").parse().unwrap(),
        robot: None,
        mission: None,
        actuator: None,
        frame: None,
        kind: ConstraintKind::ForbiddenZone { center: dice.place(), radius: 0.05 + 0.45 * dice.unit() },
        created_by: "dana".into(),
        reason: None,
    };
    (0..count).map(zone).collect()
}

fn ball(kind: &ConstraintKind, manifest: &Manifest) -> Option<Ball> {
    let ConstraintKind::ForbiddenZone { center, radius } = kind else { return None };
    let body = &manifest.body;
    let inflation_m = body.bounding_radius_m + body.localisation_error_m + body.margin_m + ROUNDING_M;
    Some(Ball { center: *center, radius: radius + inflation_m + STOPPING_M })
}

impl Ball {
    /// True if the way comes into the ball: the plainest way to say it.
    fn meets(&self, way: Segment) -> bool {
        let along: [f64; 3] = std::array::from_fn(|i| way.goal_m[i] - way.start_m[i]);
        let to: [f64; 3] = std::array::from_fn(|i| self.center[i] - way.start_m[i]);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let part = (dot(to, along) / dot(along, along)).clamp(0.0, 1.0);
        let off: [f64; 3] = std::array::from_fn(|i| to[i] - part * along[i]);
        dot(off, off) <= self.radius * self.radius
    }
}

/// A sequence of numbers that a seed repeats; SplitMix64.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn place(&mut self) -> [f64; 3] {
        SITE_M.map(|half_m| (2.0 * self.unit() - 1.0) * half_m)
    }

    fn segment(&mut self) -> Segment {
        let start_m = self.place();
        let step = start_m.map(|part| part + (2.0 * self.unit() - 1.0) * STEP_M);
        Segment { start_m, goal_m: std::array::from_fn(|i| step[i].clamp(-SITE_M[i], SITE_M[i])) }
    }
}

fn state(manifest: &Manifest, way: Segment) -> RobotState {
    let pose = Pose { frame: FrameId::new("map").unwrap(), position_m: way.start_m, orientation: None };
    RobotState {
        heard: SourceTimes::at_hand(manifest, NOW),
        pose: Fresh::at(pose, NOW),
        speeds: Speeds { gate: Fresh::at(0.0, NOW), ..Speeds::default() },
        armed: true,
        epoch: 1,
        ..RobotState::default()
    }
}

fn command(manifest: &Manifest, way: Segment) -> Command {
    let motion = json!({ "pose_goal": { "position_m": way.goal_m, "speed_mps": 0.1 } });
    let raw = json!({ "robot": "rover-1", "actuator": "base", "motion": motion });
    let raw: RawCommand = serde_json::from_value(raw).unwrap();
    let context = ParseContext {
        fresh_id: CommandId(uuid::Uuid::from_u128(5)),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: NOW,
        approval: None,
    };
    parse_command(&raw, manifest, context).unwrap()
}
