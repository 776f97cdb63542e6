//! A judgement allocates nothing, so that a lack of memory cannot end it half-way.

use std::alloc::System;

use robot::{
    CommandId, FrameId, Instant, LeaseToken, Manifest, ParseContext, RawCommand, Source, StationId, parse_command,
};
use safety::{Constraint, ConstraintKind, Limits, Measured, Overall, Pose, RobotState, Verdict, judge};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const MANIFEST: &str = include_str!("../../sim/manifests/arm-1.toml");
const NOW: Instant = Instant::from_millis(10_000);
/// The most constraints a robot may have, less those of its manifest.
const ZONES_MAX: usize = 9_990;

/// Zones of a centimetre on a lattice below the robot's floor, where no path of this test comes.
fn zones(count: usize) -> Vec<Constraint> {
    let zone = |i: usize| {
        let at = |step: usize| (i / step % 25) as f64 * 0.05 - 0.6;
        Constraint {
            id: format!("con-{i}").parse().unwrap(),
            robot: None,
            mission: None,
            actuator: None,
            frame: None,
            kind: ConstraintKind::ForbiddenZone { center: [at(1), at(25), at(625) - 3.0], radius: 0.01 },
            created_by: "dana".into(),
            reason: None,
        }
    };
    (0..count).map(zone).collect()
}

/// The verdict on a motion of the simulated arm, and the allocations that making it took.
fn judged(limits: &Limits, manifest: &Manifest, motion: &serde_json::Value) -> (Overall, usize) {
    let raw: RawCommand =
        serde_json::from_value(json!({ "robot": "arm-1", "actuator": "arm", "motion": motion })).unwrap();
    let context = ParseContext {
        fresh_id: CommandId(uuid::Uuid::from_u128(5)),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: NOW,
        approval: None,
    };
    let command = parse_command(&raw, manifest, context).unwrap();
    let pose = Pose { frame: FrameId::new("base_link").unwrap(), position_m: [0.3, 0.0, 0.6], orientation: None };
    let state = RobotState {
        pose: Some(Measured { value: pose, observed: NOW }),
        speed_mps: Some(Measured { value: 0.0, observed: NOW }),
        armed: true,
        epoch: 1,
        ..RobotState::default()
    };
    let region = Region::new(COUNTING);
    let verdict: Verdict = judge(limits, &state, command, NOW);
    let change = region.change();
    (verdict.overall, change.allocations + change.reallocations)
}

fn check(zone_count: usize, cases: &[(serde_json::Value, Overall)]) {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    let limits = Limits::compile(&manifest, &zones(zone_count), 1).unwrap();
    for (motion, expected) in cases {
        let (overall, allocations) = judged(&limits, &manifest, motion);
        assert_eq!((overall, allocations), (*expected, 0), "{zone_count} zones, {motion}");
    }
}

// One test: the counter counts for the whole process, and tests of one binary run side by side.
#[test]
fn f15_a_judgement_allocates_nothing() {
    let goal = |position_m: [f64; 3]| json!({ "pose_goal": { "position_m": position_m, "speed_mps": 0.1 } });
    let cases = [
        (goal([0.35, 0.05, 0.6]), Overall::Allow),
        (goal([50.0, 0.0, 0.6]), Overall::Deny),
        (goal([0.3, 0.0, -3.0]), Overall::Deny),
    ];
    for zone_count in [0, 255, 1_000, ZONES_MAX] {
        check(zone_count, &cases);
    }
}
