//! Rows about joint goals.

use serde_json::json;

use super::*;
use crate::PathChecked;

fn joints_named(names: &[&str], positions_rad: &[f64], speed_radps: f64) -> Value {
    let motion = json!({"joints": {"names": names, "positions_rad": positions_rad, "speed_radps": speed_radps}});
    json!({"robot": "arm-1", "actuator": "arm", "motion": motion})
}

#[test]
fn a_joint_goal_is_judged_by_the_ball_the_tool_can_get_to() {
    // 0.7 m * 0.2 rad + 0.4 m * 0.1 rad = 0.18 m at 1.1 m * 0.1 rad/s.
    let verdict = jointed().judge(jointed().command(joints(&[0.2, -0.1], 0.1)));
    assert_eq!((verdict.overall, verdict.path_checked), (Overall::Allow, PathChecked::Ball));
    let near = |gap: f64| jointed().with(zone([0.5 + 0.18 + gap, 0.0, 0.0], 0.5));
    let stopping_m = 0.11 * 0.2 + 0.11 * 0.11 / 3.0;
    check(near(stopping_m + 1e-6), joints(&[0.2, -0.1], 0.1), ALLOWED);
    check(
        near(0.01),
        joints(&[0.2, -0.1], 0.1),
        expect![
            "StoppingDistance | Denied: stopping from 0.11 m/s takes 0.03 m, and forbidden zone con-1 leaves 10.0 mm; 0.05 m/s is allowed."
        ],
    );
    check(
        near(-0.05),
        joints(&[0.2, -0.1], 0.1),
        expect![
            "NotProvable | Denied: the joints can move the tool by up to 0.18 m, and only 0.10 m can be shown to be safe."
        ],
    );
    check(
        jointed().with(zone([0.3, 0.0, 0.0], 0.5)),
        joints(&[0.2, -0.1], 0.1),
        expect![
            "ForbiddenZone | Denied: the way passes 0.30 m from the centre of forbidden zone con-1 of 0.50 m, 0.20 m too near at (0.00, 0.00, 0.00)."
        ],
    );
}

#[test]
fn the_speed_of_a_joint_goal_is_that_of_the_tool_at_most() {
    check(jointed().with(ConstraintKind::MaxVelocity(0.56)), joints(&[0.1, 0.1], 0.5), ALLOWED);
    check(
        jointed().with(ConstraintKind::MaxVelocity(0.5)),
        joints(&[0.1, 0.1], 0.5),
        expect!["Velocity | Denied: the speed 0.55 m/s is over the limit 0.50 m/s by 0.05 m/s."],
    );
    let mut without = joints(&[0.1, 0.1], 0.5);
    without["motion"]["joints"].as_object_mut().unwrap().remove("speed_radps");
    check(
        jointed(),
        without,
        expect![
            "MissingVelocity | Denied: the command has no speed, and the limit is 2.00 rad/s. The command has no speed, and the limit is 1.00 rad/s. The command has no speed, and the limit is 100.00 m/s."
        ],
    );
}

#[test]
fn every_joint_keeps_to_the_manifests_limits_and_to_registered_ones() {
    check(
        jointed(),
        joints(&[1.6, 0.0], 0.1),
        expect!["JointLimit | Denied: joint shoulder at 1.60 rad is over its limit 1.50 rad by 0.10 rad."],
    );
    check(
        jointed(),
        joints(&[0.0, 0.0], 1.5),
        expect![
            "JointLimit | Denied: the speed of joint shoulder 1.50 rad/s is over the limit 1.00 rad/s by 0.50 rad/s."
        ],
    );
    let params = r#"{"joint": "elbow", "position_rad": [-0.5, 0.5], "velocity_radps": 0.2}"#;
    let elbow = || jointed().with(crate::parse_params("joint_limits", params).unwrap());
    check(elbow(), joints(&[0.0, -0.5], 0.2), ALLOWED);
    check(
        elbow(),
        joints(&[0.0, -0.6], 0.2),
        expect!["JointLimit | Denied: joint elbow at -0.60 rad is under its limit -0.50 rad by 0.10 rad."],
    );
}

#[test]
fn n16_a_joint_vector_of_other_names_order_or_length_is_refused() {
    for (names, positions) in [
        (&["shoulder", "wrist"][..], &[0.0, 0.0][..]),
        (&["elbow", "shoulder"], &[0.0, 0.0]),
        (&["shoulder"], &[0.0]),
        (&["shoulder", "elbow"], &[0.0]),
        (&["shoulder", "elbow", "elbow"], &[0.0, 0.0, 0.0]),
        (&[], &[]),
    ] {
        let raw: robot::RawCommand = serde_json::from_value(joints_named(names, positions, 0.1)).unwrap();
        let rejection = robot::parse_command(&raw, &jointed().manifest, context()).unwrap_err();
        assert_eq!(rejection.reason, Reason::JointNames, "{names:?} {positions:?}");
    }
    let swapped = |command: &mut Command| {
        let Motion::Joints { names, .. } = &mut command.motion else { panic!("no joints") };
        names.swap(0, 1);
    };
    check_changed(
        jointed(),
        joints(&[0.0, 0.0], 0.1),
        swapped,
        expect![
            "JointNames | Denied: the joints do not match the robot: expected every joint of the actuator, in its order."
        ],
    );
}

#[test]
fn without_fresh_joints_nothing_can_be_shown() {
    check(
        jointed().state(|state| state.joints = Fresh::NEVER),
        joints(&[0.0, 0.0], 0.1),
        expect![
            "NotProvable | Denied: the motion cannot be shown to be safe: expected measured positions of every joint."
        ],
    );
    check(
        jointed().state(|state| state.joints = measured_joints(&["shoulder"], &[0.0])),
        joints(&[0.0, 0.0], 0.1),
        expect![
            "NotProvable | Denied: the motion cannot be shown to be safe: expected measured positions of every joint."
        ],
    );
    let aged = |state: &mut RobotState| {
        state.joints.known_mut().observed = NOW.minus(Duration::from_millis(201));
    };
    check(
        jointed().state(aged),
        joints(&[0.0, 0.0], 0.1),
        expect![
            "NotProvable | Denied: the motion cannot be shown to be safe: expected fresh positions of every joint."
        ],
    );
    check(
        jointed().state(|state| state.joints = measured_joints(&["shoulder", "elbow"], &[f64::NAN, 0.0])),
        joints(&[0.0, 0.0], 0.1),
        expect![
            "NotProvable | Denied: the motion cannot be shown to be safe: expected measured positions of every joint."
        ],
    );
    check(
        jointed().state(|state| state.pose = Fresh::NEVER),
        joints(&[0.0, 0.0], 0.1),
        expect!["NoFreshPose | Denied: the robot's pose is not known."],
    );
}

#[test]
fn a_gripper_that_slides_on_one_joint_keeps_to_its_limits() {
    let fingers = concat!(
        "key = \"lab/arm-1/cmd/act/gripper\"\n",
        "joints = [{ name = \"fingers\", position_m = [0.0, 0.08], velocity_mps = 0.1, reach_m = 1.0 }]"
    );
    let gripper = || scene().of(manifest_with(&[("key = \"lab/arm-1/cmd/act/gripper\"", fingers)]));
    check(gripper(), grip(Some(0.05)), ALLOWED);
    check(
        gripper(),
        grip(Some(0.2)),
        expect!["JointLimit | Denied: the speed of joint fingers 0.20 m/s is over the limit 0.10 m/s by 0.10 m/s."],
    );
    // One that names no speed closes as fast as its fingers can: at 0.1 m/s.
    check(gripper(), grip(None), ALLOWED);
    check(gripper().with(ConstraintKind::MaxVelocity(0.1)), grip(None), ALLOWED);
    check(
        gripper().with(ConstraintKind::MaxVelocity(0.09)),
        grip(None),
        expect!["MissingVelocity | Denied: the command has no speed, and the limit is 0.09 m/s."],
    );
    let slower = r#"{"joint": "fingers", "position_m": [0.0, 0.08], "velocity_mps": 0.05}"#;
    check(
        gripper().with(crate::parse_params("joint_limits", slower).unwrap()),
        grip(None),
        expect!["MissingVelocity | Denied: the command has no speed, and the limit is 0.05 m/s."],
    );
    let mut wide = grip(None);
    wide["motion"]["gripper"]["opening_m"] = json!(0.1);
    check(gripper(), wide, expect!["JointLimit | Denied: joint fingers at 0.10 m is over its limit 0.08 m by 0.02 m."]);
}

#[test]
fn c1_joint_limits_fit_the_joint_and_are_never_wider_than_it() {
    let check = |params: &str, expected: Expect| {
        let scene = jointed().with(crate::parse_params("joint_limits", params).unwrap());
        let error = Limits::compile(&scene.manifest, &scene.constraints, 1).unwrap_err();
        expected.assert_eq(&error.to_string());
    };
    check(
        r#"{"joint": "wrist", "position_rad": [-1, 1], "velocity_radps": 1}"#,
        expect!["constraint con-1: params_json.joint: must be a joint of the robot; one of: shoulder, elbow"],
    );
    check(
        r#"{"joint": "elbow", "position_m": [-1, 1], "velocity_mps": 1}"#,
        expect!["constraint con-1: params_json.position_m: does not fit elbow, which turns"],
    );
    check(
        r#"{"joint": "shoulder", "position_rad": [-1, 1.6], "velocity_radps": 1}"#,
        expect!["constraint con-1: params_json.position_rad[1]: must not be wider than the manifest's 1.5"],
    );
    check(
        r#"{"joint": "shoulder", "position_rad": [-1, 1], "velocity_radps": 1.1}"#,
        expect!["constraint con-1: params_json.velocity_radps: must not be wider than the manifest's 1"],
    );
}

#[test]
fn a_joint_is_judged_by_the_end_that_it_is_nearer_to() {
    for (shoulder, limit, margin) in [(1.0, 1.5, 0.5), (-1.0, -1.5, 0.5), (1.75, 1.5, -0.25), (-1.75, -1.5, -0.25)] {
        let scene = jointed();
        let mut command = scene.command(joints(&[1.0, 0.0], 0.1));
        let Motion::Joints { positions_rad, .. } = &mut command.motion else { panic!("no joints") };
        positions_rad[0] = shoulder;
        let items = explain(&scene.limits(), &scene.state, &command, NOW);
        let item =
            items.iter().find(|item| item.reason.args.joint.as_ref().is_some_and(|joint| joint.as_str() == "shoulder"));
        assert_eq!(item.map(|item| (item.limit, item.margin)), Some((limit, margin)), "{shoulder}");
    }
}

#[test]
fn joints_that_are_not_known_are_named_with_their_age() {
    let args = |change: fn(&mut RobotState)| {
        let scene = jointed().state(change);
        let verdict = scene.judge(scene.command(joints(&[0.0, 0.0], 0.1)));
        assert_eq!(verdict.items[0].reason.code, Reason::NotProvable);
        verdict.items[0].reason.args.clone()
    };
    let aged = args(|state| state.joints.known_mut().observed = NOW.minus(Duration::from_millis(201)));
    assert_eq!((aged.age_ms, aged.age_ms_max), (Some(201), Some(200)));
    let missing = args(|state| state.joints = measured_joints(&["shoulder"], &[0.0]));
    assert_eq!(missing.joint.as_ref().map(|joint| joint.as_str()), Some("elbow"));
}
