use serde_json::{Value, json};

use super::*;
use crate::fixtures::*;
use crate::{ConstraintKind, Overall};

fn envelope(change: impl FnOnce(&mut Value)) -> Envelope {
    let mut bounds = json!({
        "actuator": "arm", "workspace": { "x": [-1, 1], "y": [-1, 1], "z": [-1, 1] },
        "speed_mps_max": 0.3, "force_n_max": 5.0,
    });
    change(&mut bounds);
    serde_json::from_value(bounds).unwrap()
}

fn check_in(scene: &Scene, envelope: &Envelope, command: Value, expected: bool) {
    let parsed = scene.command(command.clone());
    let verdict = scene.judge(parsed.clone());
    assert_eq!(verdict.overall, Overall::Allow, "{}", verdict.sentence());
    let frames = |from: &FrameId, to: &FrameId| scene.manifest.static_transform(from, to);
    let start = scene.state.pose.last_known().map(|pose| &pose.value);
    let covered = envelope.covers(&parsed, &verdict, start, frames, &scene.manifest.default_frame);
    assert_eq!(covered, expected, "{command} in {envelope:?}");
}

fn limited() -> Scene {
    scene().with(ConstraintKind::MaxVelocity(1.0)).with(ConstraintKind::MaxForce(10.0))
}

fn check(command: Value, expected: bool) {
    check_in(&limited(), &envelope(|_| {}), command, expected);
}

#[test]
fn a_motion_is_inside_if_its_whole_way_its_speed_and_its_force_are() {
    let gentle = |motion: Value| with_force(5.0, motion);
    check(gentle(goal([0.9, 0.0, 0.0], 0.3)), true);
    check(gentle(goal([1.1, 0.0, 0.0], 0.3)), false);
    check(gentle(goal([0.9, 0.0, 0.0], 0.31)), false);
    check(with_force(5.1, goal([0.9, 0.0, 0.0], 0.3)), false);
    check(gentle(path(&[[0.5, 0.0, 0.0], [0.5, 0.5, 0.0]], 0.3)), true);
    check(gentle(path(&[[1.5, 0.0, 0.0], [0.5, 0.5, 0.0]], 0.3)), false);
    check(gentle(velocity([0.1, 0.0, 0.0], [0.0; 3])), false);
    check(with_force(1.0, grip(Some(0.1))), false);
}

#[test]
fn a_robot_that_starts_outside_or_is_not_measured_is_outside() {
    let command = || with_force(1.0, goal([0.9, 0.0, 0.0], 0.1));
    check_in(&limited().at([1.5, 0.0, 0.0]), &envelope(|_| {}), command(), false);
    check_in(&limited(), &envelope(|bounds| bounds["frame"] = json!("nowhere")), command(), false);
    // In `map` the arm stands at x = 1, the edge of the box.
    check_in(&limited(), &envelope(|bounds| bounds["frame"] = json!("map")), command(), false);
    check_in(
        &limited(),
        &envelope(|bounds| bounds["frame"] = json!("map")),
        with_force(1.0, goal([-0.5, 0.0, 0.0], 0.1)),
        true,
    );
}

#[test]
fn without_a_bound_of_force_only_motion_without_force_is_inside() {
    let unbounded = envelope(|bounds| bounds["force_n_max"] = Value::Null);
    let no_limit = scene().with(ConstraintKind::MaxVelocity(1.0));
    check_in(&no_limit, &unbounded, goal([0.5, 0.0, 0.0], 0.1), true);
    check_in(&no_limit, &unbounded, with_force(1.0, goal([0.5, 0.0, 0.0], 0.1)), false);
    check_in(&limited(), &unbounded, with_force(1.0, goal([0.5, 0.0, 0.0], 0.1)), false);
}

#[test]
fn a_gripper_needs_a_known_speed_and_a_switch_has_none() {
    let of = |actuator: &str| envelope(|bounds| bounds["actuator"] = json!(actuator));
    check_in(&limited(), &of("gripper"), with_force(1.0, grip(Some(0.1))), true);
    let unlimited = scene().with(ConstraintKind::MaxForce(10.0));
    check_in(&unlimited, &of("gripper"), with_force(1.0, grip(None)), false);
    check_in(&limited(), &of("lamp"), switch(), true);
}

#[test]
fn bounds_that_bound_nothing_are_refused() {
    assert_eq!(envelope(|_| {}).check(), Ok(()));
    for (change, field) in [
        (json!({ "workspace": { "x": [1, -1], "y": [-1, 1], "z": [-1, 1] } }), "envelope.workspace.x"),
        (json!({ "workspace": { "x": [-1, 1], "y": [-1, 1], "z": [-1, 1e5] } }), "envelope.workspace.z"),
        (json!({ "workspace": { "x": [-1, 1], "y": [1, 1], "z": [-1, 1] } }), "envelope.workspace.y"),
        (json!({ "speed_mps_max": 0 }), "envelope.speed_mps_max"),
        (json!({ "speed_mps_max": 101 }), "envelope.speed_mps_max"),
        (json!({ "force_n_max": -1 }), "envelope.force_n_max"),
        (json!({ "force_n_max": 0 }), "envelope.force_n_max"),
    ] {
        let changed = envelope(|bounds| {
            for (key, value) in change.as_object().unwrap() {
                bounds[key] = value.clone();
            }
        });
        assert_eq!(changed.check().map_err(|error| error.field), Err(field), "{change}");
    }
}
