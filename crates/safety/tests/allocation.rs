//! A judgement allocates nothing, whatever it decides and however many zones there are.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use robot::{CommandId, FrameId, Instant, LeaseToken, Manifest, ParseContext, RawCommand, Source, StationId};
use safety::{Constraint, ConstraintKind, Fresh, Limits, Overall, Pose, RobotState, SourceTimes, Speeds, judge};
use serde_json::json;

const MANIFEST: &str = r#"
schema = 1
id = "rover-1"
site = "lab"
gate = "reference"
supervision = "required"
default_frame = "map"
hardware_estop = "red button on the back"
public_key = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
body = { bounding_radius_m = 0.3, localisation_error_m = 0.05, margin_m = 0.05 }
envelope = { x_m = [-50.0, 50.0], y_m = [-50.0, 50.0], z_m = [-5.0, 5.0] }
limits = { speed_mps_max = 1.0, angular_radps_max = 1.5, acceleration_mps2_max = 2.0, goal_jump_m_max = 30.0, workspace = { x = [-50.0, 50.0], y = [-50.0, 50.0], z = [-5.0, 5.0] } }
stop = { behaviour = "hold", carries_load = false, ack_ms = 300, reaction_s = 0.2, decel_mps2 = 1.5, standstill_mps = 0.01, standstill_radps = 0.02 }
state = [{ kind = "pose", key = "lab/rover-1/out/state/pose", codec = "json", max_age_ms = 500 }]
[[actuators]]
id = "base"
kind = "base"
key = "lab/rover-1/cmd/act/base"
force = "rated"
"#;
const NOW: Instant = Instant::from_millis(10_000);

fn zones(count: u32) -> Vec<Constraint> {
    let zone = |i: u32| Constraint {
        id: robot::ConstraintId::new(format!("con-{i}")).unwrap(),
        robot: None,
        mission: None,
        actuator: None,
        frame: None,
        kind: ConstraintKind::ForbiddenZone {
            center: [f64::from(i % 100) - 49.5, f64::from(i / 100) + 2.0, 0.0],
            radius: 0.4,
        },
        created_by: "dana".into(),
        reason: None,
    };
    (0..count).map(zone).collect()
}

fn check(count: u32, goal_m: [f64; 3], expected: Overall) {
    let manifest = Manifest::parse(MANIFEST, "rover-1").unwrap();
    let limits = Limits::compile(&manifest, &zones(count), 1).unwrap();
    let pose = Pose { frame: FrameId::new("map").unwrap(), position_m: [0.0; 3], orientation: None };
    let state = RobotState {
        snapshot_seq: 1,
        heard: SourceTimes::at_hand(&manifest, NOW),
        pose: Fresh::at(pose, NOW),
        speeds: Speeds { gate: Fresh::at(0.0, NOW), ..Speeds::default() },
        joints: Fresh::NEVER,
        transforms: Vec::new(),
        set_points: Vec::new(),
        armed: true,
        escape_only: false,
        commissioning: safety::Commissioning::Complete,
        unconstrained_until: None,
        latched: false,
        latch_generation: 0,
        epoch: 1,
    };
    let raw: RawCommand = serde_json::from_value(json!({
        "robot": "rover-1", "actuator": "base", "motion": {"pose_goal": {"position_m": goal_m, "speed_mps": 0.1}}
    }))
    .unwrap();
    let context = ParseContext {
        fresh_id: CommandId(uuid::Uuid::from_u128(5)),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: NOW,
        approval: None,
    };
    let command = robot::parse_command(&raw, &manifest, context).unwrap();
    let mut verdict = None;
    let counted = allocation_counter::measure(|| verdict = Some(judge(&limits, &state, command, NOW)));
    assert_eq!(verdict.unwrap().overall, expected, "{count} zones, to {goal_m:?}");
    assert_eq!(counted.count_total, 0, "{count} zones, to {goal_m:?}");
}

#[test]
fn f15_a_judgement_allocates_nothing() {
    for count in [10, 255, 256, 1_000] {
        check(count, [0.0, -5.0, 0.0], Overall::Allow);
        check(count, [-45.0 + 20.0, 2.0, 0.0], if count > 24 { Overall::Deny } else { Overall::Allow });
    }
}
