//! Goals that no place of the robot makes allowable: found by the same kernel, with the robot thought to be there already.

use robot::{Command, Motion, Reason, StateKind};

use super::explain;
use crate::{Fresh, Item, JointPositions, Kind, Limits, Pose, RobotState, SourceTimes, Speeds};

/// The violations that `command` has wherever its robot is and whatever it measures: those of its goal, its speed and its
/// force. Whatever depends on more, and an incomplete set, is left to [`judge`](crate::judge).
#[must_use]
pub fn goal_violations(limits: &Limits, command: &Command) -> Vec<Item> {
    let manifest = &limits.manifest;
    // A frame that moves is known once the robot runs.
    let moves = manifest.state_source(StateKind::Frame).is_some() && limits.frames.index_of(&command.frame).is_none();
    let at = |position_m| Pose { frame: command.frame.clone(), position_m, orientation: None };
    let now = command.issued_at;
    let pose = first_goal(&command.motion).filter(|_| !moves).map(at);
    let joints = match &command.motion {
        Motion::Joints { names, positions_rad, .. } => {
            Fresh::at(JointPositions { names: names.clone(), positions: positions_rad.clone() }, now)
        }
        Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Velocity { .. } | Motion::Escape { .. } => Fresh::NEVER,
        Motion::Gripper { .. } | Motion::Switch { .. } => Fresh::NEVER,
    };
    let nowhere = pose.is_none();
    let state = RobotState {
        heard: SourceTimes::at_hand(manifest, now),
        pose: pose.map_or(Fresh::NEVER, |pose| Fresh::at(pose, now)),
        speeds: Speeds { velocity: Fresh::at(0.0, now), ..Speeds::default() },
        joints,
        armed: true,
        ..RobotState::default()
    };
    let is_of_goal = |item: &Item| match (item.kind, item.reason.code) {
        (Kind::Precondition, Reason::EmptySet) => false,
        (Kind::Precondition, Reason::NoFreshPose) => !nowhere,
        (Kind::Precondition, Reason::FrameMismatch) => !moves,
        _ => item.is_violated(),
    };
    explain(limits, &state, command, now).into_iter().filter(is_of_goal).collect()
}

/// The first place that the motion names; none if it names none.
fn first_goal(motion: &Motion) -> Option<[f64; 3]> {
    match motion {
        Motion::PoseGoal { position_m, .. } | Motion::Escape { position_m, .. } => Some(*position_m),
        Motion::Path { points_m, .. } => points_m.first().copied(),
        // A velocity leads anywhere, joints to a place that is not computed here.
        Motion::Velocity { .. } | Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::fixtures::*;
    use crate::{ConstraintKind, sentence};

    fn check(scene: Scene, raw: Value, expected: Expect) {
        let violations = goal_violations(&scene.limits(), &scene.command(raw));
        expected.assert_eq(&violations.iter().map(sentence).collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn mi_10_a_goal_that_no_place_of_the_robot_makes_allowable_is_found_with_its_numbers() {
        let limited = || scene_with_body().with(ConstraintKind::MaxVelocity(0.3)).with(ConstraintKind::MaxForce(10.0));
        check(limited(), with_force(5.0, goal([8.0, 0.0, 0.0], 0.2)), expect![""]);
        check(
            limited(),
            with_force(5.0, goal([9.5, 0.0, 0.0], 0.2)),
            expect![[
                r#"Workspace x 9.50 m, with 0.09 m for body, error and margin, is over the limit 9.00 m by 0.59 m at (9.50, 0.00, 0.00)."#
            ]],
        );
        check(
            limited(),
            with_force(15.0, goal([0.0, 0.0, 0.0], 0.5)),
            expect![[
                r#"The speed 0.50 m/s is over the limit 0.30 m/s by 0.20 m/s. The force 15.0 N is over the limit 10.0 N by 5.0 N."#
            ]],
        );
        check(
            limited().with(zone([1.0, 0.0, 0.0], 0.2)),
            with_force(5.0, path(&[[0.0; 3], [2.0, 0.0, 0.0]], 0.2)),
            expect![[
                r#"The way passes 0.00 m from the centre of forbidden zone con-3 of 0.20 m, with 0.09 m for body, error and margin, 0.29 m too near at (1.00, 0.00, 0.00)."#
            ]],
        );
        check(scene(), in_frame("moon", goal([0.0; 3], 0.2)), expect!["Frame moon is not connected to the robot."]);
        check(jointed(), joints(&[0.5, 0.5], 0.2), expect![""]);
        check(
            jointed(),
            joints(&[1.7, 0.5], 0.2),
            expect!["Joint shoulder at 1.70 rad is over its limit 1.50 rad by 0.20 rad."],
        );
        check(scene(), grip(None), expect![""]);
        check(scene(), switch(), expect![""]);
    }

    #[test]
    fn mi_10_what_depends_on_the_moment_is_left_to_the_moment() {
        // Nobody is armed, nothing was measured, no workspace is registered, and the robot is far away.
        let bare = scene().only(&[]).state(|state| *state = RobotState::default());
        check(bare.clone(), goal([2.0, 0.0, 0.0], 0.2), expect![""]);
        check(bare, grip(Some(0.1)), expect![""]);
    }

    proptest! {
        #![proptest_config(tried(512))]

        /// A command that is allowed somewhere is never refused beforehand.
        #[test]
        fn mi_10_no_goal_that_the_gate_allows_is_refused_beforehand(
            from in prop::array::uniform3(-9.0..9.0f64), to in prop::array::uniform3(-9.5..9.5f64),
            (center, radius) in (prop::array::uniform3(-9.0..9.0f64), 0.1..2.0f64), speed_mps in 0.0..1.0f64,
        ) {
            let scene = scene_with_body()
                .with(ConstraintKind::MaxVelocity(0.6))
                .with(ConstraintKind::ApproachSpeed { decel_mps2: 1.0, floor_mps: 0.05 })
                .with(zone(center, radius))
                .at(from);
            for raw in [goal(to, speed_mps), path(&[to, from], speed_mps)] {
                let command = scene.command(raw);
                let violations = goal_violations(&scene.limits(), &command);
                let verdict = scene.judge(command);
                prop_assert!(verdict.overall != crate::Overall::Allow || violations.is_empty(), "{violations:?}");
            }
        }
    }
}
