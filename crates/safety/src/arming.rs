//! Conditions for arming a robot with a set, in its present place.

use robot::refusal::Code;
use robot::{ActuatorId, ActuatorKind, ConstraintId, Instant};

use crate::judge::{ESCAPE_MPS_MAX, fresh_position, region_of, usable_position};
use crate::space::frames::FrameIndex;
use crate::space::geometry::{Aabb, Region};
use crate::{Fresh, Limits, Pose, RobotState, SafetyCode, Silent};

/// Going deeper than this into a place where it may not be ends an escape, metres: more than a pose trembles.
const DEEPER_M: f64 = 0.005;

/// Sentence for a pose that arrives and still gives no usable position.
const UNUSABLE_POSE: &str = "its pose is too old, not finite or in an unknown frame";

/// A problem that rules out arming with a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArmingProblem {
    /// An actuator has less than its minimum of constraints.
    #[error("actuator {actuator} has no {missing} constraint, and may not move without one")]
    EmptySet {
        /// The actuator.
        actuator: ActuatorId,
        /// The missing constraint type.
        missing: &'static str,
    },
    /// No place is left after body, error and margin.
    #[error("the workspaces of actuator {actuator} leave no place for the robot ({constraint} among them)")]
    WorkspaceEmpty {
        /// The actuator.
        actuator: ActuatorId,
        /// One of the constraints.
        constraint: ConstraintId,
    },
    /// One zone or box covers the workspace.
    #[error("{zone} covers the whole workspace of actuator {actuator}")]
    WorkspaceCovered {
        /// The actuator.
        actuator: ActuatorId,
        /// The zone or box.
        zone: ConstraintId,
    },
    /// The robot is where it may not be.
    #[error("the robot is where {constraint} does not allow it to be")]
    PoseViolates {
        /// The constraint.
        constraint: ConstraintId,
    },
    /// A source of its state that the manifest declares is silent or stale.
    #[error("{silent}")]
    SourceSilent {
        /// The silent source, and since when it has been silent.
        silent: String,
    },
    /// Nobody knows where the robot is.
    #[error("nobody knows where the robot is: {why}")]
    NoFreshPose {
        /// The source that is silent, and since when, or what is wrong with what it says.
        why: String,
    },
}

impl ArmingProblem {
    /// The stable code of the problem.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::EmptySet { .. } => SafetyCode::EmptySet.into(),
            Self::WorkspaceEmpty { .. } | Self::WorkspaceCovered { .. } | Self::PoseViolates { .. } => {
                SafetyCode::InconsistentSet.into()
            }
            Self::SourceSilent { .. } => SafetyCode::SourceSilent.into(),
            Self::NoFreshPose { .. } => SafetyCode::NoFreshPose.into(),
        }
    }
}

impl ArmingProblem {
    /// True if the robot may still be armed to escape: nothing but its place speaks against arming.
    #[must_use]
    pub fn allows_escape(&self) -> bool {
        match self {
            Self::PoseViolates { .. } => true,
            Self::EmptySet { .. } | Self::WorkspaceEmpty { .. } | Self::WorkspaceCovered { .. } => false,
            Self::SourceSilent { .. } | Self::NoFreshPose { .. } => false,
        }
    }
}

/// Progress of a robot that is armed to escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscapeProgress {
    /// Every limit about places holds: it has arrived.
    Inside,
    /// It is still where it may not be.
    Outside,
    /// It is more than 5 mm deeper in a place where it may not be than it was, or nobody knows.
    Deeper,
}

impl Limits {
    /// Progress of the escape at `state` since the robot was at `began`, both in poses that were fresh when they were
    /// taken.
    #[must_use]
    pub fn escape_progress(&self, began: &Pose, state: &RobotState, now: Instant) -> EscapeProgress {
        // The pose marks where the escape began, so its age says nothing and must not make it unusable.
        let began = Fresh::at(began.clone(), now);
        let began = usable_position(self, &began, &state.transforms, now);
        let (Ok((began, began_in)), Ok((position, pose_in))) = (began, fresh_position(self, state, now)) else {
            return EscapeProgress::Deeper;
        };
        let mut progress = EscapeProgress::Inside;
        for (constraint, frame) in self.moving().flat_map(|actuator| self.binding(actuator)) {
            let Some(region) = region_of(self, &constraint.kind) else { continue };
            let clearance = region.clearance(self.frames.convert(position, pose_in, frame));
            if region.holds(clearance) {
                continue;
            }
            // Capped at 0: how much room a region had at the start gives no right to enter it.
            let before = region.clearance(self.frames.convert(began, began_in, frame)).min(0.0);
            // Written so that not-a-number counts as deeper.
            if !(clearance >= before - DEEPER_M) {
                return EscapeProgress::Deeper;
            }
            progress = EscapeProgress::Outside;
        }
        progress
    }

    /// True if the robot's measured speed exceeds that of an escape plus what a robot at rest may show.
    #[must_use]
    pub fn is_too_fast_to_escape(&self, state: &RobotState, now: Instant) -> bool {
        // A robot at rest may show up to `standstill_mps`, so an escape at its full speed may show that much more.
        let most_mps = ESCAPE_MPS_MAX + self.manifest.stop.standstill_mps;
        state.speeds.largest(&self.manifest, now).is_some_and(|speed| !(speed.value.abs() <= most_mps))
    }

    /// The actuators that move the point that poses are about.
    fn moving(&self) -> impl Iterator<Item = &ActuatorId> {
        let moves = |kind: ActuatorKind| matches!(kind, ActuatorKind::Tool | ActuatorKind::Base | ActuatorKind::Joints);
        self.manifest.actuators.iter().filter(move |actuator| moves(actuator.kind)).map(|actuator| &actuator.id)
    }

    /// True if every actuator has its minimum of constraints.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.manifest.actuators.iter().all(|actuator| self.missing(actuator).is_none())
    }

    /// The first problem that rules out arming with this set in `state`; `None` if the robot may be armed.
    #[must_use]
    pub fn arming_problem(&self, state: &RobotState, now: Instant) -> Option<ArmingProblem> {
        self.arming_problems(state, now).next()
    }

    /// Everything that speaks against arming this set with the robot as `state` shows it, the first to be mended first.
    pub fn arming_problems<'a>(
        &'a self,
        state: &'a RobotState,
        now: Instant,
    ) -> impl Iterator<Item = ArmingProblem> + use<'a> {
        // A robot of switches goes nowhere, so it needs neither a place nor a pose to be armed.
        let moving: Vec<_> = if self.manifest.switches_only() { Vec::new() } else { self.moving().collect() };
        let places = moving.iter().filter_map(|actuator| self.workspace_problem(actuator)).collect::<Vec<_>>();
        let pose = if moving.is_empty() { Vec::new() } else { self.pose_problems(&moving, state, now) };
        // Where actuators move, `pose_problems` reports a missing first pose, and one problem is listed once.
        let has_place = !moving.is_empty();
        let silent = state.heard.silent(&self.manifest, now).filter(move |silent| !(silent.is_first_pose && has_place));
        let silent = silent.map(|silent: Silent<'_>| ArmingProblem::SourceSilent { silent: silent.to_string() });
        self.incomplete(state, now).chain(places).chain(silent).chain(pose)
    }

    /// The actuators that lack a constraint, unless somebody lets the robot move without.
    fn incomplete<'a>(&'a self, state: &RobotState, now: Instant) -> impl Iterator<Item = ArmingProblem> + use<'a> {
        let asked = !state.is_unconstrained(now);
        let actuators = self.manifest.actuators.iter().filter(move |_| asked);
        actuators.filter_map(|actuator| {
            let missing = self.missing(actuator)?;
            Some(ArmingProblem::EmptySet { actuator: actuator.id.clone(), missing })
        })
    }

    /// The workspace problem of an `actuator` that has nowhere to be. Boxes of different frames are not intersected:
    /// what the intersection would rule out, `judge` denies.
    fn workspace_problem(&self, actuator: &ActuatorId) -> Option<ArmingProblem> {
        let mut rooms: Vec<(FrameIndex, Aabb)> = Vec::new();
        for (constraint, frame) in self.binding(actuator) {
            let Some(Region::Within(bounds)) = region_of(self, &constraint.kind) else { continue };
            let room = match rooms.iter_mut().find(|(known, _)| *known == frame) {
                Some((_, room)) => {
                    *room = room.intersection(bounds);
                    *room
                }
                None => {
                    rooms.push((frame, bounds));
                    bounds
                }
            };
            if room.is_empty() {
                let constraint = constraint.id.clone();
                return Some(ArmingProblem::WorkspaceEmpty { actuator: actuator.clone(), constraint });
            }
        }
        self.binding(actuator).find_map(|(constraint, frame)| {
            let zone = match region_of(self, &constraint.kind)? {
                // Workspaces are intersected above; only forbidden regions can cover what is left.
                Region::Within(_) => return None,
                zone @ (Region::Outside { .. } | Region::OutsideBox { .. }) => zone,
            };
            // A forbidden region is convex: it covers a box if it covers the corners.
            let covers = |corner| !zone.holds(zone.clearance(corner));
            let covered = rooms.iter().any(|(room_frame, room)| {
                room.corners().into_iter().all(|corner| covers(self.frames.convert(corner, *room_frame, frame)))
            });
            covered.then(|| ArmingProblem::WorkspaceCovered { actuator: actuator.clone(), zone: constraint.id.clone() })
        })
    }

    fn pose_problems(&self, moving: &[&ActuatorId], state: &RobotState, now: Instant) -> Vec<ArmingProblem> {
        let Ok((position, pose_frame)) = fresh_position(self, state, now) else {
            let silent = state.heard.silent(&self.manifest, now).find(|silent| silent.is_first_pose);
            let why = silent.map_or_else(|| UNUSABLE_POSE.to_owned(), |silent| silent.to_string());
            return vec![ArmingProblem::NoFreshPose { why }];
        };
        let mut problems = Vec::new();
        for (constraint, frame) in moving.iter().flat_map(|actuator| self.binding(actuator)) {
            let Some(region) = region_of(self, &constraint.kind) else { continue };
            let clearance = region.clearance(self.frames.convert(position, pose_frame, frame));
            let problem = ArmingProblem::PoseViolates { constraint: constraint.id.clone() };
            // A constraint that names no actuator binds several of them and would be listed once for each.
            if !region.holds(clearance) && !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests;
