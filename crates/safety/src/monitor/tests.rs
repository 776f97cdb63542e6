mod bounds;

use expect_test::{Expect, expect};
use robot::{ActuatorKind, JointSpec};

use super::*;
use crate::fixtures::*;

/// An event for the robot of a scene; tests list them in order, each as (milliseconds, event).
enum SceneEvent {
    Pose([f64; 3]),
    Gate(f64),
    Turn(f64),
    Second([f64; 3]),
    Velocity([f64; 3]),
    Force(f64),
}

use SceneEvent::{Force, Gate, Pose as At, Second, Turn, Velocity};

const COMMANDED: Expected =
    Expected { commanded_since: Some(Instant::from_millis(0)), by_joints: false, still_since: None, stopped: false };
const STILL: Expected =
    Expected { commanded_since: None, by_joints: false, still_since: Some(Instant::from_millis(0)), stopped: false };
const STOPPED: Expected = Expected { stopped: true, ..STILL };

/// A robot with a body of 7 cm and a margin of 2 cm, in a box of 9 m, with two pose sources and a velocity.
fn guarded() -> Scene {
    let sources = r#"state = [
        { kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 },
        { kind = "pose", key = "lab/arm-1/out/state/odometry", codec = "json", max_age_ms = 500, disagreement_m_max = 0.05 },
        { kind = "velocity", key = "lab/arm-1/out/state/velocity", codec = "json", max_age_ms = 500 },
    ]"#;
    let manifest = manifest_with(&[
        (
            "bounding_radius_m = 0.0, localisation_error_m = 0.0, margin_m = 0.0",
            "bounding_radius_m = 0.06, localisation_error_m = 0.01, margin_m = 0.02",
        ),
        (
            "state = [{ kind = \"pose\", key = \"lab/arm-1/out/state/pose\", codec = \"json\", max_age_ms = 500 }]",
            sources,
        ),
        ("speed_mps_max = 100.0", "speed_mps_max = 1.0"),
    ]);
    scene().of(manifest)
}

fn tell(history: &mut History, limits: &Limits, expected: Expected, (ms, told): (u64, &SceneEvent)) -> CauseSet {
    let observed = Instant::from_millis(ms);
    let at = |position_m: &[f64; 3]| Measured { value: pose("base_link", *position_m), observed };
    let mut observe = |sample: StateSample<'_>| history.observe(limits, sample, expected, observed);
    match told {
        At(position_m) => observe(StateSample::Pose(PoseSource::First, &at(position_m), &[])),
        Second(position_m) => observe(StateSample::Pose(PoseSource::Second, &at(position_m), &[])),
        Gate(value) => observe(StateSample::GateSpeed(&Measured { value: *value, observed })),
        Turn(value) => observe(StateSample::Turn(&Measured { value: *value, observed })),
        Velocity(value) => observe(StateSample::Velocity(&Measured { value: *value, observed })),
        Force(value) => observe(StateSample::Force(&Measured { value: *value, observed })),
    }
}

fn check(scene: Scene, expected: Expected, told: &[(u64, SceneEvent)], wanted: Expect) {
    let limits = scene.limits();
    let mut history = History::default();
    let mut lines = String::new();
    for (ms, told) in told {
        let found = tell(&mut history, &limits, expected, (*ms, told));
        lines += &format!("{ms}: {:?}\n", found.iter().collect::<Vec<_>>());
    }
    wanted.assert_eq(&lines);
}

#[test]
fn a_turn_in_place_is_unexpected_motion_and_one_that_is_too_fast_overspeed() {
    check(
        guarded(),
        STILL,
        &[
            (0, Turn(0.0)),
            (5_000, Turn(0.02)),
            (5_100, Turn(-0.5)),
            (5_200, Turn(1.6)),
            (5_300, Turn(f64::NAN)),
            (5_400, Turn(0.0)),
        ],
        expect![[r#"
            0: []
            5000: []
            5100: [UnexpectedMotion]
            5200: [OverSpeed, UnexpectedMotion]
            5300: [OverSpeed, UnexpectedMotion]
            5400: []
        "#]],
    );
}

#[test]
fn f9_a_pose_inside_a_zone_is_a_breach_at_its_first_sample_and_clear_at_standstill() {
    let scene = guarded().with(zone([1.0, 0.0, 0.0], 0.5));
    check(
        scene,
        Expected::default(),
        &[
            (0, Velocity([0.0; 3])),
            (10, At([0.4, 0.0, 0.0])),
            (100, At([0.6, 0.0, 0.0])),
            (200, At([0.6, 0.0, 0.0])),
            (210, Velocity([0.5, 0.0, 0.0])),
            (300, At([0.61, 0.0, 0.0])),
            (310, Velocity([0.0; 3])),
            (400, At([0.4, 0.0, 0.0])),
        ],
        expect![[r#"
            0: []
            10: []
            100: [Breach]
            200: []
            210: []
            300: [Breach]
            310: []
            400: []
        "#]],
    );
}

#[test]
fn a_limit_that_the_robot_cannot_stop_before_is_a_breach_ahead_only_in_its_direction() {
    let towards = |y: f64| [(0, Velocity([0.9, y, 0.0])), (10, At([8.6, 0.0, 0.0]))];
    check(
        guarded(),
        COMMANDED,
        &towards(0.0),
        expect![[r#"
        0: []
        10: [BreachAhead]
    "#]],
    );
    check(
        guarded(),
        COMMANDED,
        &[(0, Velocity([-0.9, 0.0, 0.0])), (10, At([8.6, 0.0, 0.0]))],
        expect![[r#"
        0: []
        10: []
    "#]],
    );
}

#[test]
fn faster_or_harder_than_the_limit_and_not_a_number_are_causes() {
    let scene = guarded().with(ConstraintKind::MaxVelocity(0.3)).with(ConstraintKind::MaxForce(10.0));
    check(
        scene,
        COMMANDED,
        &[
            (0, Velocity([0.3, 0.0, 0.0])),
            (1, Velocity([0.2, 0.3, 0.0])),
            (2, Velocity([f64::NAN, 0.0, 0.0])),
            (3, Velocity([0.0; 3])),
            (4, Force(10.0)),
            (5, Force(-10.1)),
            (6, Force(f64::NAN)),
        ],
        expect![[r#"
            0: []
            1: [OverSpeed]
            2: [OverSpeed]
            3: []
            4: []
            5: [OverForce]
            6: [OverForce]
        "#]],
    );
}

#[test]
fn f10_the_same_pose_while_a_speed_is_commanded_is_a_frozen_sensor_after_a_second() {
    let same = [0, 500, 999, 1_000].map(|ms| (ms, At([0.1, 0.0, 0.0])));
    check(
        guarded(),
        COMMANDED,
        &same,
        expect![[r#"
        0: []
        500: []
        999: []
        1000: [SensorFrozen]
    "#]],
    );
    check(
        guarded(),
        Expected::default(),
        &same,
        expect![[r#"
        0: []
        500: []
        999: []
        1000: []
    "#]],
    );
}

#[test]
fn f11_a_pose_that_no_body_could_reach_in_time_is_implausible() {
    check(
        guarded(),
        Expected::default(),
        &[(0, At([0.0; 3])), (20, At([0.2, 0.0, 0.0])), (40, At([5.0, 0.0, 0.0])), (60, At([5.0, 0.0, 0.0]))],
        expect![[r#"
            0: []
            20: []
            40: [PoseImplausible]
            60: []
        "#]],
    );
    check(
        guarded(),
        Expected::default(),
        &[(0, At([0.0; 3])), (1_000, At([1.0, 0.0, 0.0]))],
        expect![[r#"
        0: []
        1000: []
    "#]],
    );
}

#[test]
fn f12_two_fresh_sources_that_lie_apart_disagree() {
    check(
        guarded(),
        Expected::default(),
        &[(0, At([0.0; 3])), (10, Second([0.04, 0.0, 0.0])), (20, Second([0.06, 0.0, 0.0])), (900, At([0.0; 3]))],
        expect![[r#"
            0: []
            10: []
            20: [SensorDisagreement]
            900: []
        "#]],
    );
}

#[test]
fn f8_motion_is_unexpected_once_the_robot_had_time_to_stop() {
    check(
        guarded(),
        STILL,
        &[(500, Velocity([0.2, 0.0, 0.0])), (2_000, Velocity([0.2, 0.0, 0.0])), (2_100, Velocity([0.01, 0.0, 0.0]))],
        expect![[r#"
            500: []
            2000: [UnexpectedMotion]
            2100: []
        "#]],
    );
    check(
        guarded(),
        COMMANDED,
        &[(2_000, Velocity([0.2, 0.0, 0.0]))],
        expect![[r#"
        2000: []
    "#]],
    );
}

#[test]
fn a_silent_pose_is_stale_and_a_robot_of_switches_has_none() {
    let limits = guarded().limits();
    let mut history = History::default();
    let mut heard = SourceTimes::default();
    let stale = |history: &History, heard: &SourceTimes, ms| {
        history.silent(&limits, heard, Instant::from_millis(ms)).has(SafetyCause::PoseStale)
    };
    assert!(stale(&history, &heard, 0));
    let sample = Measured { value: pose("base_link", [0.0; 3]), observed: Instant::from_millis(1_000) };
    let now = Instant::from_millis(1_000);
    history.observe(&limits, StateSample::Pose(PoseSource::First, &sample, &[]), Expected::default(), now);
    heard.note(0, now);
    assert!(!stale(&history, &heard, 1_500) && stale(&history, &heard, 1_501));
    let mut switches = scene().manifest;
    switches.actuators.retain(|actuator| actuator.kind == ActuatorKind::Switch);
    switches.state.clear();
    let limits = Limits::compile(&switches, &[], 1).unwrap();
    assert_eq!(History::default().silent(&limits, &SourceTimes::default(), now), CauseSet::EMPTY);
}

#[test]
fn g12_a_moving_transform_that_is_missing_or_old_is_a_cause_and_a_pose_in_its_frame_is_watched() {
    let pose_source = r#"{ kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 }"#;
    let frame_source = r#"{ kind = "frame", key = "lab/arm-1/out/state/odom", codec = "json", max_age_ms = 1000 }"#;
    let manifest = manifest_with(&[(pose_source, &format!("{pose_source}, {frame_source}"))]);
    let limits = scene().of(manifest).with(zone([3.0, 0.0, 0.0], 0.5)).limits();
    let at = Instant::from_millis;
    let odom = Measured {
        value: MovingTransform {
            parent: robot::FrameId::new("base_link").unwrap(),
            child: robot::FrameId::new("odom").unwrap(),
            parent_from_child: robot::Isometry {
                translation_m: [2.0, 0.0, 0.0],
                rotation: robot::UnitQuaternion::new([0.0, 0.0, 0.0, 1.0]).unwrap(),
            },
            max_age_ms: 1_000,
        },
        observed: at(0),
    };
    let mut heard = SourceTimes::default();
    let stale =
        |heard: &SourceTimes, ms| History::default().silent(&limits, heard, at(ms)).has(SafetyCause::TransformStale);
    assert!(stale(&heard, 0));
    heard.note(1, at(0));
    let known = std::slice::from_ref(&odom);
    assert_eq!([stale(&heard, 1_000), stale(&heard, 3_000)], [false, true]);
    let inside = Measured { value: pose("odom", [1.0, 0.0, 0.0]), observed: at(100) };
    let breach = |transforms| {
        let sample = StateSample::Pose(PoseSource::First, &inside, transforms);
        History::default().observe(&limits, sample, Expected::default(), at(100)).has(SafetyCause::Breach)
    };
    assert_eq!([breach(&[]), breach(known)], [false, true]);
}

/// When the poses of a stopped robot last showed it to move, after each sample, milliseconds.
fn moved_at(expected: Expected, told: &[(u64, SceneEvent)]) -> Vec<Option<u64>> {
    let limits = guarded().limits();
    let mut history = History::default();
    let each = told.iter().map(|(ms, told)| {
        let found = tell(&mut history, &limits, expected, (*ms, told));
        assert!(!found.has(SafetyCause::UnexpectedMotion), "{ms}: it is a stop that is not obeyed");
        history.moved_at(&limits, Instant::from_millis(*ms)).map(Instant::mono_ms)
    });
    each.collect()
}

#[test]
fn f7_a_stopped_robot_whose_poses_move_does_not_stand_whatever_its_gate_says_and_poses_never_show_that_it_stands() {
    let driven = [
        (3_000, At([0.0; 3])),
        (3_200, At([0.04, 0.0, 0.0])),
        (3_250, Gate(0.0)),
        (3_400, At([0.04, 0.0, 0.0])),
        (3_450, Velocity([0.0; 3])),
    ];
    let moved = Some(3_200);
    assert_eq!(moved_at(STOPPED, &driven), [None, moved, moved, moved, moved]);
    assert_eq!(moved_at(COMMANDED, &driven), [None, Some(3_000), Some(3_000), None, None], "only the newest stretch");
}

#[test]
fn f7_a_robot_that_creeps_after_its_stop_counts_as_moving_from_one_stirring_to_the_next() {
    // Just faster than the 0.01 m/s that count as standing; its error of 1 cm hides that from any one second.
    let creeps: Vec<(u64, SceneEvent)> =
        (0..100_u32).map(|i| (3_000 + u64::from(i) * 100, At([f64::from(i) * 0.001_1, 0.0, 0.0]))).collect();
    let moved = moved_at(STOPPED, &creeps);
    let first = moved.iter().position(Option::is_some).unwrap();
    assert!(first <= 30, "seen after {first} samples");
    assert!(moved[first..].iter().all(Option::is_some), "{moved:?}");
    let mut told = vec![(3_000, At([0.0; 3])), (3_100, At([0.031, 0.0, 0.0]))];
    told.extend([(4_000, At([0.031, 0.0, 0.0])), (6_099, At([0.031, 0.0, 0.0])), (6_101, At([0.031, 0.0, 0.0]))]);
    assert_eq!(
        moved_at(STOPPED, &told)[2..],
        [Some(3_100), Some(3_100), None],
        "as long as it would take to stir again"
    );
}

#[test]
fn f23_poses_show_a_robot_too_fast_while_its_declared_velocity_is_silent_whatever_its_gate_says() {
    let fast = |ms: u64| (ms, At([ms as f64 * 2e-3, 0.0, 0.0]));
    check(
        guarded(),
        COMMANDED,
        &[
            (0, Velocity([0.1, 0.0, 0.0])),
            fast(10),
            fast(210),
            (300, Gate(0.0)),
            fast(410),
            (600, Gate(0.0)),
            fast(610),
        ],
        expect![[r#"
            0: []
            10: []
            210: []
            300: []
            410: []
            600: []
            610: [OverSpeed]
        "#]],
    );
}

#[test]
fn f23_a_joint_that_is_missing_from_what_its_source_says_is_as_good_as_silent() {
    let mut manifest = jointed().manifest;
    let fingers = JointSpec { name: "fingers".parse().unwrap(), ..manifest.actuators[0].joints[1].clone() };
    manifest.actuators[1].joints = vec![fingers];
    let limits = jointed().of(manifest).limits();
    let stale = |samples: &[(u64, &[&str], &[f64])], ms: u64| {
        let mut history = History::default();
        for (at, names, positions) in samples {
            let value = measured_joints(names, positions).last_known().unwrap().value.clone();
            let sample = Measured { value, observed: Instant::from_millis(*at) };
            history.observe(&limits, StateSample::Joints(&sample), Expected::default(), Instant::from_millis(*at));
        }
        let now = Instant::from_millis(ms);
        history.silent(&limits, &SourceTimes::at_hand(&limits.manifest, now), now).has(SafetyCause::SourceStale)
    };
    let all: &[&str] = &["shoulder", "elbow", "fingers"];
    let zeros = [0.0; 3];
    assert!(!stale(&[(0, all, &zeros)], 200), "all are known");
    assert!(stale(&[(0, &all[..2], &zeros)], 0), "the fingers never were");
    for missing in 0..3 {
        let mut others = all.to_vec();
        others.remove(missing);
        assert!(stale(&[(0, all, &zeros), (201, &others, &zeros)], 201), "{} is too old", all[missing]);
    }
    assert!(stale(&[(0, all, &[0.0, 0.0])], 0), "a name without a position");
    assert!(stale(&[(0, all, &[0.0, f64::NAN, 0.0])], 0), "a position that is none");
    let apart: [(u64, &[&str], &[f64]); 2] =
        [(0, &["elbow", "fingers"], &zeros), (100, &["shoulder", "wrist"], &zeros)];
    assert!(!stale(&apart, 150), "one after the other");
}
