//! The room around the tool that a motion without a known way may take up.

use robot::{Command, Instant, JointName, Manifest, Motion, StateKind};
use safety::RobotState;

/// The farthest that a motion of unknown way takes the tool from where it is, metres; not a number if nobody can tell.
pub(super) fn reach_m(manifest: &Manifest, command: &Command, state: &RobotState, now: Instant) -> f64 {
    match &command.motion {
        Motion::Joints { names, positions_rad, .. } => {
            let age_ms_max = manifest.state_source(StateKind::Joints).map_or(0, |source| source.max_age_ms);
            let measured = state.joints.get(now, age_ms_max).ok();
            let actuator = manifest.actuators.iter().find(|actuator| actuator.id == command.actuator);
            let of_joint = |(name, goal): (&JointName, &f64)| {
                let joint = actuator?.joints.iter().find(|joint| joint.name == *name)?;
                Some(joint.reach_m * (goal - measured?.of(name)?).abs())
            };
            names.iter().zip(positions_rad).map(|joint| of_joint(joint).unwrap_or(f64::NAN)).sum()
        }
        Motion::Velocity { linear_mps, .. } => speed_mps(*linear_mps) * f64::from(command.ttl_ms) / 1_000.0,
        // These have no way only where their frame has no place in that of the pose.
        Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } => f64::NAN,
        Motion::Gripper { .. } | Motion::Switch { .. } => 0.0,
    }
}

fn speed_mps([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}

#[cfg(test)]
mod tests {
    use robot::{CommandId, LeaseToken, ParseContext, RawCommand, Source, StationId, parse_command};
    use safety::{Fresh, JointPositions};
    use serde_json::{Value, json};

    use super::*;

    const NOW: Instant = Instant::from_millis(10_000);

    /// The reach of a motion of the arm, whose joints stood at their middle `age_ms` ago.
    fn reach_of(actuator: &str, motion: &Value, age_ms: u64) -> f64 {
        let manifest = Manifest::parse(include_str!("../../../sim/manifests/arm-1.toml"), "arm-1").unwrap();
        let names = ["turn", "lift", "boom"].map(|name| JointName::new(name).unwrap());
        let measured = JointPositions { names: names.into(), positions: [0.0, 0.5, 1.0].into() };
        let joints = Fresh::at(measured, Instant::from_millis(10_000 - age_ms));
        let state = RobotState { joints, ..RobotState::default() };
        let raw = json!({ "robot": "arm-1", "actuator": actuator, "ttl_ms": 500, "motion": motion });
        let raw: RawCommand = serde_json::from_value(raw).unwrap();
        let context = ParseContext {
            fresh_id: CommandId(uuid::Uuid::from_u128(5)),
            source: Source::Agent,
            lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
            issued_at: NOW,
            approval: None,
        };
        reach_m(&manifest, &parse_command(&raw, &manifest, context).unwrap(), &state, NOW)
    }

    #[test]
    fn joints_reach_as_far_as_all_of_them_turn_and_slide_together() {
        let goal = |turn: f64, lift: f64, boom: f64| json!({ "joints": { "names": ["turn", "lift", "boom"], "positions_rad": [turn, lift, boom], "speed_radps": 0.2 } });
        assert!((reach_of("arm", &goal(-0.6, 0.4, 1.3), 0) - (0.6 * 2.75 + 0.1 + 0.3)).abs() < 1e-9);
        assert_eq!(reach_of("arm", &goal(0.0, 0.5, 1.0), 0), 0.0);
        assert!(reach_of("arm", &goal(0.0, 0.5, 1.0), 501).is_nan(), "nobody knows where the joints are");
    }

    #[test]
    fn driving_by_hand_reaches_as_far_as_it_goes_until_its_time_is_over_and_fingers_reach_nowhere() {
        let drive = json!({ "velocity": { "linear_mps": [0.0, 0.3, 0.4], "angular_radps": [0.0, 0.0, 0.0] } });
        assert!((reach_of("arm", &drive, 0) - 0.25).abs() < 1e-9);
        assert_eq!(reach_of("gripper", &json!({ "gripper": { "opening_m": 0.04 } }), 0), 0.0);
    }
}
