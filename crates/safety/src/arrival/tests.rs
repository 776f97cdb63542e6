use expect_test::{Expect, expect};
use serde_json::Value;

use super::*;
use crate::Fresh;
use crate::fixtures::{
    NOW, Scene, goal, grip, jointed, joints, manifest_with, measured_joints, pose, scene, switch, velocity,
};

/// One thing that is measured on the way, so many milliseconds after the command was sent.
enum Seen {
    At([f64; 3]),
    Speed(f64),
    Turned([f64; 2]),
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
            Seen::Speed(speed_mps) => approach.see_speed(&limits, *speed_mps),
            Seen::Turned(positions) => {
                let measured = measured_joints(&["shoulder", "elbow"], positions);
                state.joints = Fresh::at(measured.last_known().unwrap().value.clone(), now);
            }
        }
        approach.see(&limits, &state, now);
    }
    let arrival = approach.arrival(&limits, &state, now);
    expected.assert_eq(&arrival.map_or_else(|off| format!("{}: {}", off.code(), off.sentence()), |()| "there".into()));
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
    check(
        arm(),
        &to_goal,
        &[(1_000, Speed(0.0)), (1_000, At(HALF_WAY)), (2_000, At(GOAL))],
        expect!["never_moved: its pose shows the goal, 0.400 m away, but it never moved"],
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
