use expect_test::{Expect, expect};
use robot::{FrameId, Motion};
use serde_json::Value;

use super::*;
use crate::fixtures::*;
use crate::{ConstraintKind, Fresh, Measured, SetPoint};

fn check(scene: Scene, raw: Value, expected: Expect) {
    let command = scene.command(raw);
    expected.assert_eq(&scene.outcome(command));
}

/// As `check`, for numbers that no raw command can carry: `change` sets them after the parser's test.
fn check_changed(scene: Scene, raw: Value, change: impl FnOnce(&mut Command), expected: Expect) {
    let mut command = scene.command(raw);
    change(&mut command);
    expected.assert_eq(&scene.outcome(command));
}

fn workspace(x: [f64; 2], y: [f64; 2], z: [f64; 2]) -> ConstraintKind {
    ConstraintKind::Workspace { x, y, z }
}

fn set_position(command: &mut Command, position: [f64; 3]) {
    let Motion::PoseGoal { position_m, .. } = &mut command.motion else { panic!("no goal") };
    *position_m = position;
}

const ALLOWED: Expect = expect!["Allowed: every limit holds."];
const ALLOWED_BARE: Expect = expect!["Allowed: no limit applies."];

mod bounds;
mod escape;
mod geometry;
mod joints;
mod kinds;
mod moving;

#[test]
fn b3_speed_and_force_have_limits() {
    let scene = || scene().with(ConstraintKind::MaxVelocity(0.3)).with(ConstraintKind::MaxForce(10.0));
    check(scene(), with_force(5.0, goal([1.0, 0.0, 0.0], 0.2)), ALLOWED);
    check(
        scene(),
        with_force(5.0, goal([1.0, 0.0, 0.0], 0.5)),
        expect!["Velocity | Denied: the speed 0.50 m/s is over the limit 0.30 m/s by 0.20 m/s."],
    );
    check(
        scene(),
        with_force(15.0, goal([1.0, 0.0, 0.0], 0.2)),
        expect!["Force | Denied: the force 15.0 N is over the limit 10.0 N by 5.0 N."],
    );
}

#[test]
fn n1_n2_a_position_that_is_not_finite_is_denied() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let mut position = [0.1; 3];
            position[axis] = number;
            let scene = scene();
            let mut command = scene.command(goal([0.1; 3], 0.0));
            set_position(&mut command, position);
            let outcome = scene.outcome(command);
            assert!(outcome.starts_with("NonFinite"), "{position:?}: {outcome}");
        }
    }
}

#[test]
fn n6_a_missing_speed_is_denied() {
    check(
        scene(),
        goal_without_speed([0.1, 0.0, 0.0]),
        expect!["MissingVelocity | Denied: the command has no speed, and the limit is 100.00 m/s."],
    );
}

#[test]
fn a_duration_counts_as_twice_the_mean_speed() {
    let timed = |duration_s: f64| {
        let mut raw = goal_without_speed([2.0, 0.0, 0.0]);
        raw["motion"]["pose_goal"]["duration_s"] = duration_s.into();
        raw
    };
    check(scene().with(ConstraintKind::MaxVelocity(0.5)), timed(8.0), ALLOWED);
    check(
        scene().with(ConstraintKind::MaxVelocity(0.5)),
        timed(7.9),
        expect!["Velocity | Denied: the speed 0.51 m/s is over the limit 0.50 m/s by 0.01 m/s."],
    );
}

#[test]
fn n7_speeds_are_compared_by_norm_and_never_negative() {
    let scene = || scene().with(ConstraintKind::MaxVelocity(0.3));
    check(
        scene(),
        velocity([0.25, 0.25, 0.0], [0.0; 3]),
        expect!["Velocity | Denied: the speed 0.35 m/s is over the limit 0.30 m/s by 0.05 m/s."],
    );
    check(
        scene(),
        velocity([0.2, 0.2, 0.0], [1.2, 1.2, 0.0]),
        expect!["Velocity | Denied: the angular speed 1.70 rad/s is over the limit 1.50 rad/s by 0.20 rad/s."],
    );
    let negative = |command: &mut Command| {
        let Motion::PoseGoal { speed_mps, .. } = &mut command.motion else { panic!("no goal") };
        *speed_mps = Some(-0.1);
    };
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        negative,
        expect!["Velocity | Denied: the speed -0.10 m/s is below 0."],
    );
}

#[test]
fn n8_a_speed_that_is_not_finite_is_denied() {
    for number in [f64::NAN, f64::INFINITY] {
        let scene = scene();
        let mut command = scene.command(velocity([0.1, 0.0, 0.0], [0.0; 3]));
        command.motion = Motion::Velocity { linear_mps: [number, 0.0, 0.0], angular_radps: [0.0; 3] };
        let outcome = scene.outcome(command);
        assert!(outcome.starts_with("NonFinite"), "{outcome}");
    }
    let measured_nan = scene().state(|state| state.speeds.velocity = Fresh::at(f64::NAN, NOW));
    check(
        measured_nan,
        goal([0.1, 0.0, 0.0], 0.1),
        expect![
            "StoppingDistance | Denied: stopping from an unknown speed takes an unknown amount, and workspace x leaves 8.90 m."
        ],
    );
}

/// Every number of a motion.
fn numbers(motion: &mut Motion) -> Vec<&mut f64> {
    match motion {
        Motion::PoseGoal { position_m, speed_mps, duration_s, .. } => {
            position_m.iter_mut().chain(speed_mps).chain(duration_s).collect()
        }
        Motion::Path { points_m, speed_mps } => points_m.iter_mut().flatten().chain(speed_mps).collect(),
        Motion::Velocity { linear_mps, angular_radps } => linear_mps.iter_mut().chain(angular_radps).collect(),
        Motion::Joints { positions_rad, speed_radps, .. } => positions_rad.iter_mut().chain(speed_radps).collect(),
        Motion::Gripper { opening_m, speed_mps } => std::iter::once(opening_m).chain(speed_mps).collect(),
        Motion::Escape { position_m, speed_mps } => position_m.iter_mut().chain(speed_mps).collect(),
        Motion::Switch { .. } => vec![],
    }
}

#[test]
fn n1_n8_each_number_of_each_motion_must_be_finite() {
    let mut timed = goal([0.1, 0.0, 0.0], 0.1);
    timed["motion"]["pose_goal"]["duration_s"] = 9.0.into();
    let path = path(&[[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]], 0.1);
    let way = velocity([0.1, 0.0, 0.0], [0.0; 3]);
    let out = escape([0.1, 0.0, 0.0], 0.05);
    for (raw, expected) in
        [(timed, 5), (path, 7), (way, 6), (joints(&[0.1, 0.1], 0.1), 3), (grip(Some(0.1)), 2), (out, 4)]
    {
        let scene = jointed();
        let command = scene.command(raw);
        assert_eq!(numbers(&mut command.motion.clone()).len(), expected);
        for place in 0..expected {
            let mut poisoned = command.clone();
            *numbers(&mut poisoned.motion)[place] = f64::NAN;
            let outcome = scene.outcome(poisoned);
            assert!(outcome.contains("NonFinite"), "number {place} of {:?}: {outcome}", command.motion);
        }
    }
}

#[test]
fn n9_a_force_is_required_and_never_negative() {
    let scene = || scene().with(ConstraintKind::MaxForce(10.0));
    check(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["MissingForce | Denied: the command has no force, and the limit is 10.0 N."],
    );
    let set = |force_n: f64| move |command: &mut Command| command.force_n = Some(force_n);
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        set(-1.0),
        expect!["Force | Denied: the force -1.0 N is below 0."],
    );
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        set(f64::NAN),
        expect!["NonFinite | Force | Denied: a number is not finite. The force is no number, and the limit is 10.0 N."],
    );
    // 20 m/s is no 20 N.
    check(
        scene().at([8.0, 0.0, 0.0]),
        with_force(5.0, velocity([-20.0, 0.0, 0.0], [0.0; 3])),
        expect![
            "StoppingDistance | Denied: stopping from 20.00 m/s takes 137.33 m, and workspace x leaves 1.00 m; 1.46 m/s is allowed."
        ],
    );
}

#[test]
fn a_rated_actuator_pushes_with_the_rated_force() {
    let rated = |limit: f64| {
        let force = ("goal_jump_m_max = 30.0", "goal_jump_m_max = 30.0, force_n_max = 60.0");
        scene().of(manifest_with(&[force])).with(ConstraintKind::MaxForce(limit))
    };
    check(rated(60.0), goal([0.1, 0.0, 0.0], 0.1), ALLOWED);
    check(
        rated(50.0),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["Force | Denied: the force 60.0 N is over the limit 50.0 N by 10.0 N."],
    );
}

#[test]
fn n9_an_actuator_whose_commands_carry_a_force_takes_none_without() {
    let key = "key = \"lab/arm-1/cmd/act/arm\"\n";
    let (rated, named) = (format!("{key}force = \"rated\""), format!("{key}force = \"command\""));
    let careful = || scene().of(manifest_with(&[(&rated, &named)]));
    check(
        careful(),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["MissingForce | Denied: the command has no force, and this actuator needs one."],
    );
    check(careful(), with_force(5.0, goal([0.1, 0.0, 0.0], 0.1)), ALLOWED);
    check(
        careful().with(ConstraintKind::MaxForce(10.0)),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["MissingForce | Denied: the command has no force, and the limit is 10.0 N."],
    );
}

#[test]
fn a_switch_pushes_only_if_it_says_so() {
    let limited = || scene().with(ConstraintKind::MaxForce(10.0));
    check(limited(), switch(), ALLOWED_BARE);
    check(limited(), with_force(10.0, switch()), ALLOWED);
    check(
        limited(),
        with_force(10.5, switch()),
        expect!["Force | Denied: the force 10.5 N is over the limit 10.0 N by 0.5 N."],
    );
}

#[test]
fn n15_an_orientation_that_is_no_rotation_is_refused_as_a_verdict() {
    for orientation in [[0.0; 4], [0.0, 0.0, 0.0, 2.0]] {
        let mut raw = goal([0.1, 0.0, 0.0], 0.1);
        raw["motion"]["pose_goal"]["orientation"] = orientation.to_vec().into();
        let raw: robot::RawCommand = serde_json::from_value(raw).unwrap();
        let scene = scene();
        let rejection = robot::parse_command(&raw, &scene.manifest, context()).unwrap_err();
        let id = context().fresh_id;
        let verdict = Verdict::rejected(
            crate::Rejected { raw: &raw, id, rejection: &rejection },
            &scene.limits(),
            &scene.state,
            NOW,
        );
        let expected = "motion.pose_goal.orientation must be a quaternion of length 1.";
        assert!(verdict.sentence().ends_with(expected), "{}", verdict.sentence());
        assert!(verdict.into_approved().is_err());
    }
}

#[test]
fn g7_without_a_fresh_pose_nothing_moves() {
    let aged =
        |ms: u64| scene().state(move |state| state.pose.known_mut().observed = Instant::from_millis(10_000 - ms));
    check(aged(500), goal([0.1, 0.0, 0.0], 0.1), ALLOWED);
    check(
        aged(600),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NoFreshPose | Denied: the pose is 600 ms old, limit 500 ms."],
    );
    check(
        scene().state(|state| state.pose = Fresh::NEVER),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NoFreshPose | Denied: the robot's pose is not known."],
    );
    check(
        scene().at([f64::NAN, 0.0, 0.0]),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NoFreshPose | Denied: the pose is unusable: expected finite coordinates."],
    );
    let ahead = |state: &mut RobotState| state.pose.known_mut().observed = Instant::from_millis(700_000);
    check(
        scene().state(ahead),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NoFreshPose | Denied: the pose is stamped in the future."],
    );
}

#[test]
fn t1_a_command_older_than_its_time_to_live_is_denied() {
    let issued = |ms: u64| move |command: &mut Command| command.issued_at = Instant::from_millis(ms);
    check_changed(scene(), goal([0.1, 0.0, 0.0], 0.1), issued(8_000), ALLOWED);
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        issued(7_999),
        expect!["Expired | Denied: the command is 2001 ms old, limit 2000 ms."],
    );
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        issued(610_000),
        expect!["Expired | Denied: the command is stamped in the future."],
    );
}

#[test]
fn c9_a_speed_limit_of_zero_denies_everything_that_moves() {
    let scene = || scene().with(ConstraintKind::MaxVelocity(0.0)).with(ConstraintKind::MaxForce(50.0));
    check(
        scene(),
        with_force(1.0, goal([0.0; 3], 0.0)),
        expect!["Velocity | Denied: the speed limit is 0 m/s, so nothing but a stop passes."],
    );
    check(
        scene(),
        with_force(1.0, grip(None)),
        expect!["Velocity | Denied: the speed limit is 0 m/s, so nothing but a stop passes."],
    );
}

#[test]
fn f1_a_panic_inside_is_a_verdict_that_stops() {
    let broken = Scene { panics: true, ..scene() };
    let verdict = broken.judge(broken.command(goal([0.1, 0.0, 0.0], 0.1)));
    expect!["Denied: the safety engine failed inside, and then allows nothing."].assert_eq(&verdict.sentence());
    assert_eq!(verdict.overall, Overall::ValidatorError(Cause::Panicked));
    assert!(verdict.into_approved().is_err());
    let explained = explain(&broken.limits(), &broken.state, &broken.command(goal([0.1, 0.0, 0.0], 0.1)), NOW);
    assert_eq!(explained.last().map(|item| item.verdict), Some(Overall::ValidatorError(Cause::Panicked)));
    check(
        broken,
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NotProvable | Denied: the safety engine failed inside, and then allows nothing."],
    );
}

#[test]
fn a_robot_that_is_not_armed_or_is_stopped_does_not_move() {
    check(
        scene().state(|state| state.armed = false),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["NotArmed | Denied: the robot is not armed."],
    );
    check(scene().state(|state| state.latched = true), switch(), expect!["Latched | Denied: a stop is in force."]);
    check(scene().state(|state| state.pose = Fresh::NEVER), switch(), ALLOWED_BARE);
}

#[test]
fn an_incomplete_set_lets_nothing_move() {
    check(
        scene().only(&[]),
        goal([0.1, 0.0, 0.0], 0.1),
        expect!["EmptySet | Denied: the constraint set is incomplete: expected a workspace constraint."],
    );
    check(
        scene(),
        with_force(1.0, grip(None)),
        expect!["EmptySet | Denied: the constraint set is incomplete: expected a max_force constraint."],
    );
}

#[test]
fn a_gripper_is_judged_by_force_and_by_speed_if_it_names_one() {
    let scene = || scene().with(ConstraintKind::MaxForce(20.0)).with(ConstraintKind::MaxVelocity(0.1));
    check(
        scene(),
        with_force(10.0, grip(None)),
        expect!["MissingVelocity | Denied: the command has no speed, and the limit is 0.10 m/s."],
    );
    check(
        scene(),
        with_force(10.0, grip(Some(0.2))),
        expect!["Velocity | Denied: the speed 0.20 m/s is over the limit 0.10 m/s by 0.10 m/s."],
    );
    check(
        scene(),
        grip(Some(0.05)),
        expect!["MissingForce | Denied: the command has no force, and the limit is 20.0 N."],
    );
}

#[test]
fn a_constraint_of_one_actuator_leaves_the_others_alone() {
    let mut bound = scene().with(ConstraintKind::MaxVelocity(0.1)).with(ConstraintKind::MaxForce(20.0));
    bound.constraints[1].actuator = Some(actuator("gripper"));
    check(bound.clone(), with_force(10.0, goal([0.1, 0.0, 0.0], 0.5)), ALLOWED);
    check(
        bound,
        with_force(10.0, grip(Some(0.5))),
        expect!["Velocity | Denied: the speed 0.50 m/s is over the limit 0.10 m/s by 0.40 m/s."],
    );
}

#[test]
fn another_robots_command_is_denied() {
    let other = |command: &mut Command| command.robot = robot::RobotId::new("arm-2").unwrap();
    check_changed(
        scene(),
        goal([0.1, 0.0, 0.0], 0.1),
        other,
        expect!["UnknownActuator | Denied: the actuator is unknown: expected an actuator of this robot."],
    );
}

#[test]
fn of_many_violations_the_worst_are_shown_and_all_are_counted() {
    let crowded = (0..40).fold(scene(), |scene, i| scene.with(zone([1.0, 0.0, 0.0], 0.5 + f64::from(i) / 100.0)));
    let verdict = crowded.judge(crowded.command(goal([1.0, 0.0, 0.0], 0.0)));
    assert_eq!(verdict.violations_total, 40);
    let margins: Vec<_> = verdict.items.iter().filter(|item| item.is_violated()).map(|item| item.margin).collect();
    assert_eq!(margins.len(), crate::verdict::VIOLATIONS_MAX);
    assert!(margins.is_sorted() && (margins[0] + 0.89).abs() < 1e-6, "{margins:?}");
}

#[test]
fn an_approval_ends_with_the_command_or_after_half_a_second() {
    let scene = scene();
    let until = |ttl_ms: u32| {
        let mut command = scene.command(goal([0.1, 0.0, 0.0], 0.1));
        command.ttl_ms = ttl_ms;
        let verdict = scene.judge(command);
        let id = verdict.id;
        let approved = verdict.into_approved().unwrap();
        assert_eq!((approved.set_version(), approved.epoch(), approved.verdict_id()), (3, 1, id));
        approved.valid_until().mono_ms()
    };
    assert_eq!((until(2_000), until(200)), (10_500, 10_200));
}

#[test]
fn of_what_holds_the_tightest_of_each_kind_is_reported_in_the_order_of_kinds_and_suggests_nothing() {
    let scene = scene().with(zone([5.0, 0.0, 0.0], 0.5)).with(keep_out([0.0, 5.0, 0.0], [1.0, 6.0, 1.0]));
    let verdict = scene.judge(scene.command(goal([0.5, 0.0, 0.0], 0.1)));
    let kinds: Vec<_> = verdict.items.iter().map(|item| item.kind).collect();
    assert!(kinds.is_sorted() && kinds.len() > 3, "{kinds:?}");
    assert_eq!(verdict.speed_allowed_mps, None);
    assert!(verdict.items.iter().all(|item| item.nearest_allowed_m.is_none()));
}

#[test]
fn f23_g7_a_pose_that_is_silent_is_said_once_with_its_age_to_all_that_moves() {
    let silent = scene().state(|state| {
        state.heard = crate::SourceTimes::default();
        state.heard.note(0, NOW.minus(Duration::from_millis(600)));
        state.pose.known_mut().observed = NOW.minus(Duration::from_millis(600));
    });
    for raw in [goal([0.1, 0.0, 0.0], 0.1), switch()] {
        let verdict = silent.judge(silent.command(raw));
        assert_eq!((verdict.violations_total, verdict.items[0].reason.code), (1, Reason::NoFreshPose));
        let args = &verdict.items[0].reason.args;
        assert_eq!((args.age_ms, args.age_ms_max), (Some(600), Some(500)));
    }
}
