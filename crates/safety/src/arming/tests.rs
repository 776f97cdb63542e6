use expect_test::{Expect, expect};
use robot::Instant;

use crate::fixtures::*;
use crate::{ConstraintKind, EscapeProgress, Fresh, Limits};

fn check(scene: Scene, expected: Expect) {
    // The gripper has a limit of its own, so that only the arm's set is in question.
    let scene = scene.with(ConstraintKind::MaxForce(20.0));
    let problem = scene.limits().arming_problem(&scene.state, NOW);
    expected.assert_eq(&problem.map_or_else(String::new, |problem| format!("{}: {problem}", problem.code())));
}

#[test]
fn a_complete_set_may_be_armed() {
    check(scene(), expect![""]);
}

#[test]
fn an_incomplete_set_may_not() {
    check(
        scene().only(&[]),
        expect!["empty_set: actuator arm has no workspace constraint, and may not move without one"],
    );
    let scene = scene();
    let problem = scene.limits().arming_problem(&scene.state, NOW).unwrap();
    expect!["actuator gripper has no max_force constraint, and may not move without one"]
        .assert_eq(&problem.to_string());
}

#[test]
fn an_incomplete_set_may_for_as_long_as_an_administrator_lets_it() {
    let until =
        |ms: u64| move |state: &mut crate::RobotState| state.unconstrained_until = Some(Instant::from_millis(ms));
    check(scene().only(&[]).state(until(10_001)), expect![""]);
    let missing = expect!["empty_set: actuator arm has no workspace constraint, and may not move without one"];
    check(scene().only(&[]).state(until(10_000)), missing);
    let inside = expect!["inconsistent_set: the robot is where con-0 does not allow it to be"];
    check(scene().only(&[zone([0.0; 3], 1.0)]).state(until(10_001)), inside);
}

#[test]
fn g9_a_workspace_without_room_may_not_be_armed() {
    check(
        scene().with(zone([0.0; 3], 16.0)),
        expect!["inconsistent_set: con-1 covers the whole workspace of actuator arm"],
    );
    check(
        scene().with(zone([0.0; 3], 15.0)),
        expect!["inconsistent_set: the robot is where con-1 does not allow it to be"],
    );
    check(
        scene().with(keep_out([-10.0; 3], [10.0; 3])),
        expect!["inconsistent_set: con-1 covers the whole workspace of actuator arm"],
    );
    check(
        scene().with(keep_out([-10.0, -10.0, -10.0], [10.0, 10.0, 8.0])),
        expect!["inconsistent_set: the robot is where con-1 does not allow it to be"],
    );
    check(
        scene_with_body().with(cube(0.08)),
        expect!["inconsistent_set: the workspaces of actuator arm leave no place for the robot (con-1 among them)"],
    );
    let corner = ConstraintKind::Workspace { x: [1.0, 2.0], y: [1.0, 2.0], z: [1.0, 2.0] };
    check(
        scene().with(cube(0.5)).with(corner),
        expect!["inconsistent_set: the workspaces of actuator arm leave no place for the robot (con-2 among them)"],
    );
}

#[test]
fn the_measured_pose_must_be_fresh_and_inside() {
    check(
        scene().at([9.5, 0.0, 0.0]),
        expect!["inconsistent_set: the robot is where con-room does not allow it to be"],
    );
    check(
        scene().with(zone([1.0, 0.0, 0.0], 0.5)).at([0.8, 0.0, 0.0]),
        expect!["inconsistent_set: the robot is where con-1 does not allow it to be"],
    );
    check(
        scene().state(|state| state.pose = Fresh::NEVER),
        expect![
            "no_fresh_pose: nobody knows where the robot is: its pose is too old, not finite or in an unknown frame"
        ],
    );
}

#[test]
fn a_robot_of_switches_needs_neither_pose_nor_constraints() {
    let mut manifest = scene().manifest;
    manifest.actuators.retain(|actuator| actuator.kind == robot::ActuatorKind::Switch);
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    assert_eq!(limits.arming_problem(&scene().state(|state| state.pose = Fresh::NEVER).state, NOW), None);
}

#[test]
fn g6_only_a_place_that_is_left_may_be_armed_to_escape_from() {
    let escapes = |scene: Scene| {
        let scene = scene.with(ConstraintKind::MaxForce(20.0));
        scene.limits().arming_problem(&scene.state, NOW).is_some_and(|problem| problem.allows_escape())
    };
    assert!(escapes(scene().at([9.5, 0.0, 0.0])));
    assert!(!escapes(scene().at([9.5, 0.0, 0.0]).state(|state| state.pose = Fresh::NEVER)));
    assert!(!escapes(scene().with(zone([0.0; 3], 16.0))));
    assert!(!escapes(scene().only(&[])));
}

#[test]
fn g6_an_escape_that_goes_deeper_is_noticed_and_so_is_its_end() {
    let scene = || scene().with(zone([0.4, 0.0, 0.0], 0.5));
    let progress = |x: f64| {
        let scene = scene().at([x, 0.0, 0.0]);
        scene.limits().escape_progress(&pose("base_link", [0.0; 3]), &scene.state, NOW)
    };
    assert_eq!(progress(-0.05), EscapeProgress::Outside);
    assert_eq!(progress(0.0049), EscapeProgress::Outside);
    assert_eq!(progress(0.0051), EscapeProgress::Deeper);
    assert_eq!(progress(-0.11), EscapeProgress::Inside);
    assert_eq!(progress(f64::NAN), EscapeProgress::Deeper);
}

#[test]
fn a_set_is_complete_if_every_actuator_has_its_minimum() {
    let complete = |scene: Scene| scene.limits().is_complete();
    assert!(complete(scene().with(ConstraintKind::MaxForce(20.0))));
    assert!(!complete(scene()), "the gripper has none");
    assert!(!complete(scene().only(&[ConstraintKind::MaxForce(20.0)])), "the arm has no workspace");
    let mut arm = jointed();
    arm.manifest.actuators[0].kind = robot::ActuatorKind::Joints;
    let only_force = arm.only(&[ConstraintKind::MaxForce(20.0)]);
    assert!(complete(only_force), "the manifest limits each joint of an actuator that is all joints");
}

#[test]
fn g6_an_escape_is_too_fast_beyond_its_own_speed_and_what_a_robot_at_rest_may_show() {
    let limits = scene().limits();
    for (speed_mps, too_fast) in [(0.0, false), (0.1099, false), (-0.1099, false), (0.1101, true), (-0.1101, true)] {
        let scene = scene().state(|state| state.speeds.velocity = Fresh::at(speed_mps, NOW));
        assert_eq!(limits.is_too_fast_to_escape(&scene.state, NOW), too_fast, "{speed_mps}");
    }
    let at = |speed| scene().state(|state| state.speeds.velocity = speed).state;
    assert!(limits.is_too_fast_to_escape(&at(Fresh::at(f64::NAN, NOW)), NOW));
    assert!(!limits.is_too_fast_to_escape(&at(Fresh::NEVER), NOW), "nothing shows it to move");
}
