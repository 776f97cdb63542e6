use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::fixtures::{
    NOW, Scene, goal, grip, in_frame, jointed, joints, manifest_with, measured_joints, path, pose, scene, switch,
    velocity,
};
use crate::{Fresh, Pose};

/// One thing that is measured on the way, so many milliseconds after the command was sent.
enum Seen {
    At([f64; 3]),
    Facing([f64; 3], f64),
    Speed(f64),
    Turned([f64; 2]),
    Opened(f64),
}

/// An arm whose pose can be off by 0.01 m and which measures its speed.
fn arm() -> Scene {
    let velocity = concat!(
        "max_age_ms = 500 }, ",
        "{ kind = \"velocity\", key = \"lab/arm-1/out/state/velocity\", codec = \"json\", max_age_ms = 500 }]"
    );
    let changes = [("localisation_error_m = 0.0", "localisation_error_m = 0.01"), ("max_age_ms = 500 }]", velocity)];
    Scene { manifest: manifest_with(&changes), ..scene() }
}

/// The same arm turned about the vertical by so much, radians.
fn facing(yaw_rad: f64) -> Scene {
    let mut arm = arm();
    arm.state.pose = Fresh::at(turned([0.0; 3], yaw_rad), NOW);
    arm
}

fn turned(position_m: [f64; 3], yaw_rad: f64) -> Pose {
    Pose { orientation: Some(UnitQuaternion::from_yaw_rad(yaw_rad)), ..pose("base_link", position_m) }
}

/// A goal with an orientation about the vertical.
fn turn_to(position_m: [f64; 3], yaw_rad: f64) -> Value {
    let mut command = goal(position_m, 0.2);
    command["motion"]["pose_goal"]["orientation"] = json!(UnitQuaternion::from_yaw_rad(yaw_rad).xyzw());
    command
}

/// The bare arm with fingers that are measured, closed.
fn gripping() -> Scene {
    let fingers = concat!(
        "key = \"lab/arm-1/cmd/act/gripper\"\njoints = [",
        "{ name = \"fingers\", position_m = [0.0, 0.08], velocity_mps = 0.2, reach_m = 1.0 }]"
    );
    let sources = concat!(
        "max_age_ms = 500 }, ",
        "{ kind = \"joints\", key = \"lab/arm-1/out/state/joints\", codec = \"json\", max_age_ms = 200 }]"
    );
    let changes = [
        ("localisation_error_m = 0.0", "localisation_error_m = 0.01"),
        ("key = \"lab/arm-1/cmd/act/gripper\"", fingers),
        ("max_age_ms = 500 }]", sources),
    ];
    scene().of(manifest_with(&changes)).state(|state| state.joints = measured_joints(&["fingers"], &[0.0]))
}

/// Follows a command from the origin, and asks at the last moment whether it is confirmed.
fn check(scene: Scene, command: &Value, seen: &[(u64, Seen)], expected: Expect) {
    let (limits, mut state) = (scene.limits(), scene.state.clone());
    let command = scene.command(command.clone());
    let mut approach = Approach::begin(&limits, &state, &command, NOW).unwrap();
    let mut now = NOW;
    for (after_ms, seen) in seen {
        now = NOW.plus(Duration::from_millis(*after_ms));
        match seen {
            Seen::At(position_m) => {
                state.pose = Fresh::at(pose("base_link", *position_m), now);
            }
            Seen::Facing(position_m, yaw_rad) => state.pose = Fresh::at(turned(*position_m, *yaw_rad), now),
            Seen::Speed(speed_mps) => approach.see_speed(&limits, *speed_mps),
            Seen::Turned(positions) => {
                let measured = measured_joints(&["shoulder", "elbow"], positions);
                state.joints = Fresh::at(measured.last_known().unwrap().value.clone(), now);
            }
            Seen::Opened(opening_m) => {
                let measured = measured_joints(&["fingers"], &[*opening_m]);
                state.joints = Fresh::at(measured.last_known().unwrap().value.clone(), now);
            }
        }
        approach.see(&limits, &state, now);
    }
    let arrival = approach.arrival(&limits, &state, now);
    expected.assert_eq(
        &arrival.map_or_else(|off| format!("{}: {}", robot::word(&off.why), off.sentence()), |()| "there".into()),
    );
}

const HALF_WAY: [f64; 3] = [0.2, 0.0, 0.0];
const GOAL: [f64; 3] = [0.4, 0.0, 0.0];

#[test]
fn f24_a_goal_is_confirmed_by_a_measured_place_and_a_measured_motion() {
    use Seen::{At, Speed};
    let to_goal = goal(GOAL, 0.2);
    check(
        arm(),
        &to_goal,
        &[(100, Speed(0.1)), (1_000, At(HALF_WAY)), (2_100, At([0.39, 0.0, 0.0]))],
        expect!["there"],
    );
    check(
        arm(),
        &to_goal,
        &[(100, Speed(0.1)), (2_100, At([0.0, 0.4, 0.0]))],
        expect!["not_there: measured 0.566 m from the goal; 0.020 m is allowed"],
    );
    check(arm(), &to_goal, &[(900, Speed(0.0))], expect!["not_measured: nothing measures whether it is at the goal"]);
    check(
        arm(),
        &to_goal,
        &[(100, At(GOAL)), (300, Speed(0.1))],
        expect!["too_soon: shown at the goal, 0.400 m away, sooner than it can have got there"],
    );
    check(arm(), &to_goal, &[(100, Speed(0.1)), (950, At(GOAL))], expect!["there"]);
    check(
        arm(),
        &to_goal,
        &[(1_000, Speed(0.01)), (1_000, At(HALF_WAY)), (2_000, At(GOAL))],
        expect!["never_moved: shown at the goal, 0.400 m away, but never seen to move"],
    );
    check(arm(), &goal([0.01, 0.0, 0.0], 0.2), &[(10, Speed(0.0))], expect!["there"]);
}

#[test]
fn f24_joints_are_confirmed_by_their_own_positions() {
    use Seen::Turned;
    let turn = joints(&[0.5, 0.0], 0.5);
    check(jointed(), &turn, &[(500, Turned([0.3, 0.0])), (1_000, Turned([0.49, 0.0]))], expect!["there"]);
    check(
        jointed(),
        &turn,
        &[(1_000, Turned([0.5, 0.3]))],
        expect!["not_there: measured 0.300 rad from the goal; 0.020 rad is allowed"],
    );
    check(
        jointed(),
        &turn,
        &[(100, Turned([0.5, 0.0]))],
        expect!["too_soon: shown at the goal, 0.500 rad away, sooner than it can have got there"],
    );
}

#[test]
fn f24_joints_that_jump_to_the_goal_when_the_end_is_reported_never_moved() {
    use Seen::Turned;
    check(
        jointed(),
        &joints(&[0.5, 0.0], 0.5),
        &[(500, Turned([0.0, 0.0])), (900, Turned([0.003, 0.0])), (1_000, Turned([0.5, 0.0]))],
        expect!["never_moved: shown at the goal, 0.500 rad away, but never seen to move"],
    );
    check(
        jointed(),
        &joints(&[0.5, 0.4], 0.5),
        &[(500, Turned([0.3, 0.0])), (1_000, Turned([0.5, 0.4]))],
        expect!["never_moved: shown at the goal, 0.400 rad away, but never seen to move"],
    );
}

#[test]
fn f24_fingers_are_confirmed_like_joints_whether_or_not_their_command_names_a_speed() {
    use Seen::Opened;
    let at_speed = grip(Some(0.05));
    check(gripping(), &at_speed, &[(400, Opened(0.02)), (800, Opened(0.04))], expect!["there"]);
    check(
        gripping(),
        &at_speed,
        &[(400, Opened(0.0)), (800, Opened(0.04))],
        expect!["never_moved: shown at the goal, 0.040 m away, but never seen to move"],
    );
    check(
        gripping(),
        &at_speed,
        &[(800, Opened(0.0))],
        expect!["not_there: measured 0.040 m from the goal; 0.020 m is allowed"],
    );
    check(
        gripping(),
        &grip(None),
        &[(40, Opened(0.04))],
        expect!["too_soon: shown at the goal, 0.040 m away, sooner than it can have got there"],
    );
    check(gripping(), &grip(None), &[(200, Opened(0.04))], expect!["there"]);
}

#[test]
fn f24_an_orientation_is_compared_and_a_turn_on_the_spot_must_be_seen() {
    use Seen::{At, Facing, Speed};
    let quarter = std::f64::consts::FRAC_PI_2;
    let on_the_spot = turn_to([0.0; 3], quarter);
    let here = |yaw_rad| Facing([0.0; 3], yaw_rad);
    check(
        facing(0.0),
        &on_the_spot,
        &[(500, here(0.7)), (1_100, here(1.5))],
        expect!["not_there: measured 0.071 rad from the goal; 0.035 rad is allowed"],
    );
    check(facing(0.0), &on_the_spot, &[(500, here(0.7)), (1_100, here(1.55))], expect!["there"]);
    check(
        facing(0.0),
        &on_the_spot,
        &[(500, here(0.0)), (1_100, here(quarter))],
        expect!["never_moved: shown at the goal, 1.571 rad away, but never seen to move"],
    );
    check(
        facing(0.0),
        &on_the_spot,
        &[(100, here(quarter))],
        expect!["too_soon: shown at the goal, 1.571 rad away, sooner than it can have got there"],
    );
    check(facing(0.0), &turn_to([0.0; 3], 0.0), &[(100, here(0.0))], expect!["there"]);
    check(
        facing(0.0),
        &turn_to(GOAL, 0.0),
        &[(1_000, Speed(0.2)), (2_100, At(GOAL))],
        expect!["not_measured: nothing measures whether it is at the goal"],
    );
    // The site is turned by half a circle against the robot's own frame.
    let in_site = in_frame("site", turn_to([-1.0, 2.0, 0.0], 0.0));
    check(
        facing(0.0),
        &in_site,
        &[(2_100, here(0.0))],
        expect!["not_there: measured 3.142 rad from the goal; 0.035 rad is allowed"],
    );
    check(facing(3.0), &in_site, &[(100, here(3.13))], expect!["there"]);
}

#[test]
fn f24_a_path_that_ends_where_it_began_is_confirmed_once_every_point_of_it_was_passed() {
    use Seen::{At, Speed};
    let round = path(&[[0.2, 0.0, 0.0], [0.2, 0.2, 0.0], [0.0; 3]], 0.2);
    let drive = |seen: &[[f64; 2]]| -> Vec<(u64, Seen)> {
        let at = seen.iter().enumerate().map(|(i, [x, y])| (400 * (i as u64 + 1), At([*x, *y, 0.0])));
        std::iter::once((100, Speed(0.2))).chain(at).collect()
    };
    let back = [[0.143, 0.143], [0.087, 0.087], [0.03, 0.03], [0.0, 0.0]];
    let out = [[0.08, 0.0], [0.16, 0.0], [0.2, 0.04], [0.2, 0.12], [0.2, 0.2]];
    check(arm(), &round, &drive(&[&out[..], &back].concat()), expect!["there"]);
    let missed = expect!["way_not_seen: not seen to pass a point of its path, 0.200 m away"];
    check(arm(), &round, &drive(&[[0.0, 0.0]; 9]), missed);
    check(
        arm(),
        &round,
        &[(100, Speed(0.2)), (3_600, At([0.0; 3]))],
        expect!["way_not_seen: not seen to pass a point of its path, 0.200 m away"],
    );
    let turned_back = [[0.08, 0.0], [0.16, 0.0], [0.2, 0.0], [0.12, 0.0], [0.04, 0.0], [0.0, 0.0]];
    check(
        arm(),
        &round,
        &drive(&turned_back),
        expect!["way_not_seen: not seen to pass a point of its path, 0.283 m away"],
    );
    let mut unmoved = drive(&[&out[..], &back].concat());
    unmoved[0] = (100, Speed(0.0));
    check(arm(), &round, &unmoved, expect!["never_moved: shown at the goal, 0.683 m away, but never seen to move"]);
}

#[test]
fn f24_what_nothing_measures_is_never_confirmed_and_a_velocity_has_no_goal() {
    let (scene, now) = (scene(), NOW);
    let limits = scene.limits();
    let begun = |command: &Value| Approach::begin(&limits, &scene.state, &scene.command(command.clone()), now);
    let lamp = begun(&switch()).unwrap();
    let fingers = begun(&grip(None)).unwrap();
    for approach in [lamp, fingers] {
        assert!(approach.is_unmeasurable(&limits));
        assert_eq!(approach.arrival(&limits, &scene.state, now).unwrap_err().why, Unconfirmed::NotMeasured);
    }
    assert_eq!(begun(&velocity([0.1, 0.0, 0.0], [0.0; 3])), None);
}

/// A part so far from its goal, which something of its own shows on the way.
fn part(distance: f64, tolerance: f64) -> Apart {
    let witness = Witness::OnTheWay(Duration::from_millis(100));
    Apart { distance, tolerance, unit: Unit::M, speed: 1.0, witness }
}

#[test]
fn f24_the_part_that_is_farthest_off_in_its_own_tolerance_is_named_and_an_unknown_one_is_never_there() {
    let (five, two, there, unknown) = (part(0.55, 0.1), part(2.5, 1.0), part(0.1, 0.1), part(f64::NAN, 0.1));
    for parts in [[five, two], [two, five]] {
        assert_eq!(farthest_off(&parts), Some(five));
    }
    for parts in [[five, there], [there, five]] {
        assert_eq!(farthest_off(&parts), Some(five));
    }
    for parts in [[unknown, there], [there, unknown]] {
        assert!(farthest_off(&parts).is_some_and(|part| part.distance.is_nan()), "{parts:?}");
    }
    assert_eq!(farthest_off(&[there, there]), None);
    let exact = part(0.0, 0.0);
    assert_eq!(farthest_off(&[exact, five]), Some(five), "a tolerance of zero can be met");
}

#[test]
fn f24_a_sample_lies_on_the_way_beyond_a_quarter_of_the_tolerance_from_either_end() {
    let start = part(2.0, 1.0);
    for (distance, passed) in [(2.0, false), (1.75, false), (1.74, true), (0.26, true), (0.25, false), (0.0, false)] {
        assert_eq!(start.is_passed_at(part(distance, 1.0)), passed, "{distance}");
    }
    assert!(!start.is_passed_at(part(f64::NAN, 1.0)));
    // Of 0.45 m the ends count for nothing: at 1 m/s a quarter of a second is left in which to be seen.
    assert!(!part(0.45, 0.4).must_be_seen());
    assert!(part(0.51, 0.4).must_be_seen());
}

#[test]
fn f24_what_no_source_will_ever_measure_is_told_before_the_end() {
    let is_unmeasurable = |scene: Scene, command: Value| {
        let limits = scene.limits();
        let approach = Approach::begin(&limits, &scene.state, &scene.command(command), NOW).unwrap();
        approach.is_unmeasurable(&limits)
    };
    assert!(!is_unmeasurable(scene(), goal(GOAL, 0.2)));
    assert!(!is_unmeasurable(scene(), path(&[GOAL], 0.2)));
    assert!(!is_unmeasurable(jointed(), joints(&[0.5, 0.0], 0.5)));
    assert!(!is_unmeasurable(gripping(), grip(None)));
    assert!(is_unmeasurable(scene(), switch()));
    assert!(is_unmeasurable(scene(), grip(None)), "nothing measures joints");
    assert!(is_unmeasurable(jointed(), grip(None)), "none of the measured joints is the gripper's");
}
