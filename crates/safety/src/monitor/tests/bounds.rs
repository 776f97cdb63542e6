//! Each cause at the last sample that is none and at the next one that is.

use super::*;

/// The causes that the last of the samples tells of.
fn found(scene: &Scene, expected: Expected, told: &[(u64, SceneEvent)]) -> Vec<SafetyCause> {
    let (limits, mut history) = (scene.limits(), History::default());
    for (ms, told) in told {
        tell(&mut history, &limits, expected, (*ms, told));
    }
    history.found().iter().collect()
}

fn edge(
    scene: Scene,
    expected: Expected,
    samples: impl Fn(f64) -> Vec<(u64, SceneEvent)>,
    [last, next]: [f64; 2],
    cause: SafetyCause,
) {
    assert_eq!(found(&scene, expected, &samples(last)), [], "{last:?} is none");
    assert_eq!(found(&scene, expected, &samples(next)), [cause], "{next:?} is one");
}

#[test]
fn speed_and_force_count_beyond_what_two_computations_can_differ_by() {
    let scene = || guarded().with(ConstraintKind::MaxVelocity(0.3)).with(ConstraintKind::MaxForce(10.0));
    let fast = |mps: f64| vec![(0, Velocity([mps, 0.0, 0.0]))];
    edge(scene(), COMMANDED, fast, [0.3 + 0.9e-6, 0.3 + 1.1e-6], SafetyCause::OverSpeed);
    for side in [1.0, -1.0] {
        let hard = move |newtons: f64| vec![(0, Force(side * newtons))];
        edge(scene(), COMMANDED, hard, [10.0 + 0.9e-6, 10.0 + 1.1e-6], SafetyCause::OverForce);
    }
    // The least of several limits counts.
    let two = guarded().with(ConstraintKind::MaxVelocity(0.3)).with(ConstraintKind::MaxVelocity(0.5));
    edge(two, COMMANDED, fast, [0.3, 0.31], SafetyCause::OverSpeed);
}

#[test]
fn f9_a_breach_begins_where_the_body_without_the_margin_leaves_the_limits() {
    let at = |x: f64| vec![(10, At([x, 0.0, 0.0]))];
    edge(guarded(), Expected::default(), at, [8.93 - 1e-9, 8.93 + 1e-9], SafetyCause::Breach);
    let zoned = guarded().with(zone([2.0, 0.0, 0.0], 0.5));
    edge(zoned, Expected::default(), at, [1.43 - 1e-9, 1.43 + 1e-6], SafetyCause::Breach);
}

#[test]
fn a_robot_of_fingers_alone_is_held_to_the_limits_of_its_fingers() {
    let hard = |newtons: f64| vec![(0, Force(newtons))];
    let mut fingers = guarded().manifest;
    fingers.actuators.retain(|actuator| actuator.kind == ActuatorKind::Gripper);
    let scene = guarded().of(fingers).with(ConstraintKind::MaxForce(10.0));
    edge(scene, COMMANDED, hard, [10.0, 10.1], SafetyCause::OverForce);
}

#[test]
fn f9_where_nothing_but_the_gate_measures_a_speed_it_says_that_the_robot_stands_outside() {
    let mut manifest = guarded().manifest;
    manifest.state.retain(|source| source.kind != StateKind::Velocity);
    let scene = guarded().of(manifest).with(zone([1.0, 0.0, 0.0], 0.5));
    let entered = || vec![(0, At([0.4, 0.0, 0.0])), (100, At([0.6, 0.0, 0.0]))];
    let stood = |gate: fn(u64) -> Option<SceneEvent>| {
        let each = (200..=3_000).step_by(100);
        let later = each.flat_map(|ms| gate(ms).into_iter().chain([At([0.6, 0.0, 0.0])]).map(move |told| (ms, told)));
        found(&scene, Expected::default(), &entered().into_iter().chain(later).collect::<Vec<_>>())
    };
    assert_eq!(found(&scene, Expected::default(), &entered()), [SafetyCause::Breach]);
    assert_eq!(stood(|_| Some(Gate(0.0))), []);
    assert_eq!(stood(|_| None), [SafetyCause::Breach], "nobody knows that it stands");
    assert_eq!(stood(|_| Some(Gate(0.5))), [SafetyCause::Breach]);
    assert_eq!(stood(|ms| (ms < 2_000).then_some(Gate(0.0))), [SafetyCause::Breach], "what the gate said is too old");
    let still_shown = [(290, Gate(0.0)), (300, At([0.65, 0.0, 0.0]))];
    let moving: Vec<_> = entered().into_iter().chain(still_shown).collect();
    assert_eq!(found(&scene, Expected::default(), &moving), [SafetyCause::Breach], "its positions show that it moves");
}

#[test]
fn a_breach_ahead_begins_where_the_way_to_stop_reaches_the_limit() {
    // From 0.9 m/s the robot needs 0.18 m + 0.27 m.
    let moving = |x: f64| vec![(0, Velocity([0.9, 0.0, 0.0])), (10, At([x, 0.0, 0.0]))];
    edge(guarded(), COMMANDED, moving, [8.48 - 1e-9, 8.48 + 1e-9], SafetyCause::BreachAhead);
    // From 0.3 m/s, 0.06 m + 0.03 m.
    let slower = |x: f64| vec![(0, Velocity([0.3, 0.0, 0.0])), (10, At([x, 0.0, 0.0]))];
    edge(guarded(), COMMANDED, slower, [8.84 - 1e-9, 8.84 + 1e-9], SafetyCause::BreachAhead);
}

#[test]
fn a_velocity_that_is_too_old_says_nothing_of_standing_still_or_of_what_lies_ahead() {
    let inside = guarded().with(zone([1.0, 0.0, 0.0], 0.5));
    let twice = |velocity_ms: f64| {
        let stood_ms = 1_000 - velocity_ms as u64;
        vec![(500, At([0.6, 0.0, 0.0])), (stood_ms, Velocity([0.0; 3])), (1_000, At([0.6, 0.0, 0.0]))]
    };
    edge(inside, Expected::default(), twice, [500.0, 501.0], SafetyCause::Breach);
    let towards = |age_ms: f64| vec![(1_000 - age_ms as u64, Velocity([0.9, 0.0, 0.0])), (1_000, At([8.6, 0.0, 0.0]))];
    edge(guarded(), COMMANDED, towards, [501.0, 500.0], SafetyCause::BreachAhead);
}

#[test]
fn f11_a_jump_counts_from_a_quarter_of_a_metre_on_if_no_body_moves_that_fast() {
    let jump = |ms: u64| move |x: f64| vec![(0, At([0.0; 3])), (0, Velocity([0.0; 3])), (ms, At([x, 0.0, 0.0]))];
    edge(guarded(), Expected::default(), jump(20), [0.25, 0.25_f64.next_up()], SafetyCause::PoseImplausible);
    // Three times its highest speed of 1 m/s, for 0.2 s.
    edge(guarded(), Expected::default(), jump(200), [0.6 - 1e-9, 0.6 + 1e-9], SafetyCause::PoseImplausible);
    let mut faster = guarded();
    faster.manifest.limits.speed_mps_max = 2.0;
    edge(faster, Expected::default(), jump(200), [1.2 - 1e-9, 1.2 + 1e-9], SafetyCause::PoseImplausible);
}

#[test]
fn f12_two_sources_may_lie_apart_as_far_as_the_manifest_says_and_both_must_be_fresh() {
    let beside = |x: f64| vec![(0, At([0.0; 3])), (10, Second([x, 0.0, 0.0]))];
    edge(guarded(), Expected::default(), beside, [0.05, 0.05_f64.next_up()], SafetyCause::SensorDisagreement);
    let later = |ms: f64| vec![(0, At([0.0; 3])), (ms as u64, Second([0.06, 0.0, 0.0]))];
    edge(guarded(), Expected::default(), later, [501.0, 500.0], SafetyCause::SensorDisagreement);
}

#[test]
fn f8_motion_is_unexpected_from_the_moment_on_at_which_the_robot_must_stand() {
    // 0.2 s, 1 m/s by 1.5 m/s², and half a second of patience.
    let after = |ms: f64| vec![(ms as u64, Velocity([0.2, 0.0, 0.0]))];
    edge(guarded(), STILL, after, [1_366.0, 1_367.0], SafetyCause::UnexpectedMotion);
    let mut braking = guarded();
    braking.manifest.stop.decel_mps2 = 2.0;
    edge(braking, STILL, after, [1_200.0, 1_201.0], SafetyCause::UnexpectedMotion);
    let creeping = |mps: f64| vec![(5_000, Velocity([0.0, mps, 0.0]))];
    edge(guarded(), STILL, creeping, [0.01, 0.01_f64.next_up()], SafetyCause::UnexpectedMotion);
}

#[test]
fn a_joint_is_in_breach_beyond_either_end_until_it_stands_there() {
    let limits = jointed().limits();
    let at = |history: &mut History, shoulder: f64| {
        let joints = measured_joints(&["shoulder", "elbow"], &[shoulder, 0.0]);
        history
            .observe(&limits, StateSample::Joints(joints.last_known().unwrap()), Expected::default(), NOW)
            .has(SafetyCause::Breach)
    };
    for side in [1.0, -1.0] {
        let ends = [1.5 + 0.9e-6, 1.5 + 1.1e-6].map(|end| at(&mut History::default(), side * end));
        assert_eq!(ends, [false, true], "side {side}");
    }
    // A robot that reports no speed counts as moving.
    let mut history = History::default();
    assert_eq!([1.6, 1.6, 1.4].map(|shoulder| at(&mut history, shoulder)), [true, true, false]);
}

#[test]
fn a_joint_that_is_found_beyond_its_end_at_rest_is_a_breach_once() {
    let mut manifest = jointed().manifest;
    manifest.state.push(guarded().manifest.state[2].clone());
    let (limits, mut history) = (jointed().of(manifest).limits(), History::default());
    tell(&mut history, &limits, Expected::default(), (NOW.mono_ms(), &Velocity([0.0; 3])));
    let mut breach = |shoulder: f64| {
        let joints = measured_joints(&["shoulder", "elbow"], &[shoulder, 0.0]);
        let sample = StateSample::Joints(joints.last_known().unwrap());
        history.observe(&limits, sample, Expected::default(), NOW).has(SafetyCause::Breach)
    };
    assert_eq!([1.4, 1.6, 1.6].map(&mut breach), [false, true, false]);
}

#[test]
fn samples_that_overtook_one_another_say_nothing_and_two_of_one_moment_both_count() {
    let breach = |second_ms: u64| {
        let told = [(100, At([0.4, 0.0, 0.0])), (second_ms, At([0.6, 0.0, 0.0]))];
        found(&guarded().with(zone([1.0, 0.0, 0.0], 0.5)), Expected::default(), &told)
    };
    assert_eq!(breach(99), []);
    assert_eq!(breach(100), [SafetyCause::Breach]);
}

#[test]
fn f8_what_the_gate_says_of_motion_that_is_expected_or_none_is_no_cause() {
    let scene = guarded();
    assert_eq!(found(&scene, COMMANDED, &[(5_000, Gate(0.5))]), []);
    assert_eq!(found(&scene, STILL, &[(5_000, Gate(0.0))]), []);
    assert_eq!(found(&scene, STILL, &[(5_000, Gate(0.5))]), [SafetyCause::UnexpectedMotion]);
}

#[test]
fn f10_a_wrist_that_turns_is_no_frozen_pose_unless_its_point_was_sent_somewhere() {
    let limits = guarded().limits();
    let found = |by_joints: bool, turns: bool| {
        let (mut history, mut last) = (History::default(), CauseSet::EMPTY);
        let expected = Expected { by_joints, ..COMMANDED };
        for ms in (0..=3_000).step_by(100) {
            let observed = Instant::from_millis(ms);
            let turned = robot::UnitQuaternion::from_yaw_rad(if turns { ms as f64 / 1e5 } else { 0.0 });
            let value = Pose { orientation: Some(turned), ..pose("base_link", [0.1, 0.0, 0.0]) };
            let at = Measured { value, observed };
            last = history.observe(&limits, StateSample::Pose(PoseSource::First, &at, &[]), expected, observed);
        }
        last.has(SafetyCause::SensorFrozen)
    };
    assert_eq!([found(true, true), found(true, false), found(false, true)], [false, true, true]);
}
