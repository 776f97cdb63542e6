//! The state that a motion leads to, as far as that can be said beforehand. For showing what would follow: nothing
//! that is predicted is ever sent on.

use robot::{Command, Instant, JointName, Manifest, Motion, StateKind};

use crate::measured::sources::pose_age_ms_max;
use crate::{Fresh, JointPositions, Pose, RobotState};

/// The state of a robot once some motions are over.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// The state.
    pub state: RobotState,
    /// True if it stands where the state says: joint goals leave open where the tool ends.
    pub is_place_known: bool,
    /// True if its joints stand where the state says: goals in space leave open how the joints get there.
    pub are_joints_known: bool,
}

impl Predicted {
    /// The state that was measured, before any motion.
    #[must_use]
    pub const fn measured(state: RobotState) -> Self {
        Self { state, is_place_known: true, are_joints_known: true }
    }

    /// The state at `now` once `command` has reached its goal and the robot stands still there. What the command leaves
    /// open stays as it was.
    #[must_use]
    pub fn after(&self, manifest: &Manifest, command: &Command, now: Instant) -> Self {
        let mut next = Self { state: RobotState { set_points: Vec::new(), ..self.state.clone() }, ..*self };
        let state = &mut next.state;
        for speed in [&mut state.speeds.velocity, &mut state.speeds.gate, &mut state.speeds.poses] {
            // A speed that nothing measures stays unknown, so that the prediction is denied like the real motion.
            if speed.observed().is_some() {
                *speed = Fresh::at(0.0, now);
            }
        }
        match &command.motion {
            Motion::PoseGoal { position_m, .. } | Motion::Escape { position_m, .. } => {
                next.stand_at(manifest, command, Some(*position_m), now);
            }
            Motion::Path { points_m, .. } => next.stand_at(manifest, command, points_m.last().copied(), now),
            Motion::Joints { names, positions_rad, .. } => {
                let moved = names.iter().zip(positions_rad).map(|(name, position)| (name.clone(), *position));
                let age_ms_max = manifest.state_source(StateKind::Joints).map_or(0, |source| source.max_age_ms);
                let joints = state.joints.get(now, age_ms_max).ok().map(|known| known.with(moved));
                next.are_joints_known = joints.is_some();
                if let Some(joints) = joints {
                    state.joints = Fresh::at(joints, now);
                }
                next.is_place_known = false;
            }
            Motion::Velocity { .. } => (next.is_place_known, next.are_joints_known) = (false, false),
            Motion::Gripper { .. } | Motion::Switch { .. } => {}
        }
        next
    }

    /// Puts the robot at a point of the command's frame, if something says where that is.
    fn stand_at(&mut self, manifest: &Manifest, command: &Command, position_m: Option<[f64; 3]>, now: Instant) {
        let pose = self.state.pose.get(now, pose_age_ms_max(manifest)).ok().cloned();
        let placed = pose.zip(position_m).and_then(|(pose, position_m)| {
            // Static ones only: where a moving frame will be when the motion is over is not known.
            let into_pose_frame = manifest.static_transform(&command.frame, &pose.frame)?;
            Some(Pose { position_m: into_pose_frame.apply(position_m), ..pose })
        });
        self.is_place_known = placed.is_some();
        // A robot that reports no joints has none to lose; of one that does, the way there decides how they stand.
        self.are_joints_known &= self.state.joints.observed().is_none();
        if let Some(pose) = placed {
            self.state.pose = Fresh::at(pose, now);
        }
    }
}

impl JointPositions {
    /// The same with those of `moved` joints in their place.
    fn with(&self, moved: impl Iterator<Item = (JointName, f64)>) -> Self {
        let mut all: Vec<_> = self.names.iter().cloned().zip(self.positions.iter().copied()).collect();
        for (name, position) in moved {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, there)) => *there = position,
                None => all.push((name, position)),
            }
        }
        let (names, positions): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        Self { names: names.into(), positions: positions.into() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::*;

    fn place(predicted: &Predicted) -> [f64; 3] {
        predicted.state.pose.get(NOW, 0).unwrap().position_m
    }

    fn after(scene: &Scene, motion: serde_json::Value) -> Predicted {
        Predicted::measured(scene.state.clone()).after(&scene.manifest, &scene.command(motion), NOW)
    }

    proptest! {
        #![proptest_config(tried(64))]
        #[test]
        fn mo_18_the_next_motion_is_judged_from_the_goal_of_the_one_before(
            first in prop::array::uniform3(-0.6..0.6f64),
            second in prop::array::uniform3(-0.6..0.6f64),
        ) {
            let scene = scene();
            let predicted = after(&scene, goal(first, 0.1));
            prop_assert!(predicted.is_place_known);
            prop_assert_eq!((place(&predicted), predicted.state.pose.observed()), (first, Some(NOW)));
            // Whoever stands there for real gets the same verdict.
            let there = scene.at(first);
            let [predicted, real] = [&predicted.state, &there.state].map(|state| {
                let verdict = crate::judge(&there.limits(), state, there.command(goal(second, 0.1)), NOW);
                (verdict.overall, verdict.sentence())
            });
            prop_assert_eq!(predicted, real);
        }
    }

    #[test]
    fn mo_18_what_a_motion_leaves_open_is_not_made_up() {
        let scene = jointed();
        let turned = after(&scene, joints(&[0.5, 0.2], 0.3));
        assert_eq!((turned.is_place_known, turned.are_joints_known), (false, true));
        assert_eq!(turned.state.joints.get(NOW, 0).unwrap().positions[..], [0.5, 0.2]);
        let moved = turned.after(&scene.manifest, &scene.command(path(&[[0.1; 3], [0.2; 3]], 0.1)), NOW);
        assert_eq!((moved.is_place_known, moved.are_joints_known, place(&moved)), (true, false, [0.2; 3]));
        let still = moved.after(&scene.manifest, &scene.command(switch()), NOW);
        assert_eq!(still, moved);
        let nowhere = self::scene().state(|state| state.pose = Fresh::NEVER);
        assert!(!after(&nowhere, goal([0.1; 3], 0.1)).is_place_known);
        // What is too old says nothing about the next motion either.
        let old = Fresh::at(pose("base_link", [0.0; 3]), robot::Instant::default());
        let silent = self::scene().state(|state| state.pose = old.clone());
        assert_eq!(after(&silent, goal([0.1; 3], 0.1)).state.pose, old);
    }
}
