//! The limits of a file against the robots, and against the limits that bind them already.

use std::collections::BTreeMap;

use robot::{ActuatorId, ConstraintId, FrameId, Instant, RobotId};
use safety::{ArmingProblem, ChangeDirection, CompileError, Constraint, ConstraintKind, Limits, RobotState};

use super::{Asked, Compiler, Place, meant};
use crate::catalog::CatalogRobot;
use crate::format::front::Limit;
use crate::phrase::limit as limit_words;
use crate::problem::{Located, ProblemCode};

/// The beginning of the ids that limits of the file have while it is compiled.
const OWN: &str = "mission-limit-";
const MISSING_HELP: &str = "Add the limit to `constraints`, or register it for the robot.";

/// The limits of one robot, those of the file among them.
struct RobotSet<'c> {
    robot: &'c CatalogRobot,
    limits: Limits,
    /// The actuators that may not move for want of a limit.
    incomplete: BTreeMap<ActuatorId, &'static str>,
}

impl<'c> Compiler<'c> {
    /// Limits against the robots and against one another, and what is asked for against all of them. One robot after
    /// the other, so that no more than one set is held.
    pub(super) fn check_limits(&mut self, asked: &Asked<'c>) {
        let front = &self.parsed.front;
        for limit in &front.constraints {
            let place = self.entry("constraints", limit.span);
            match &limit.value.robot {
                Some(robot) => _ = self.names_robot(robot, &place.at("robot")),
                None if front.robots.is_empty() => {
                    let message = "The mission names no robot, so that this limit binds nothing.".to_owned();
                    self.warn(ProblemCode::NoEffect, &place, message, "Add `robots`, or remove the limit.");
                }
                None => {}
            }
        }
        for robot in &front.robots {
            let Some(known) = self.catalog.robots.get(&robot.value) else { continue };
            let place = self.entry("robots", robot.span);
            if let Some(set) = self.robot_set(known, &place) {
                self.check_asked(&set, asked, &place);
            }
        }
    }

    fn check_asked(&mut self, set: &RobotSet<'_>, asked: &Asked<'c>, place: &Place<'c>) {
        let id = &set.robot.manifest.id;
        let mut moves = false;
        for motion in asked.motions.iter().filter(|motion| motion.value.robot == *id) {
            moves = true;
            if let Some(missing) = set.incomplete.get(&motion.value.actuator) {
                let actuator = &motion.value.actuator;
                let message = format!("`{actuator}` of `{id}` may not move: it has no limit of type `{missing}`.");
                self.error(ProblemCode::MotionWithoutLimits, &motion.place.at("actuator"), message, MISSING_HELP);
            }
            self.check_motion(set.robot, &set.limits, motion);
        }
        for request in asked.standing.iter().filter(|request| request.value.robot == *id) {
            self.check_width(set.robot, &set.limits, request);
        }
        // A robot that no step moves can only be moved by the agent.
        if let Some((actuator, missing)) = set.incomplete.first_key_value().filter(|_| !moves) {
            let message = format!("`{actuator}` of `{id}` has no limit of type `{missing}`, so it cannot be armed.");
            self.warn(ProblemCode::MotionWithoutLimits, place, message, MISSING_HELP);
        }
    }

    /// The limits of one robot together; everything that is wrong with those of the file is told. None if those of the
    /// robot itself cannot be read.
    fn robot_set(&mut self, robot: &'c CatalogRobot, place: &Place<'c>) -> Option<RobotSet<'c>> {
        let id = &robot.manifest.id;
        let mut own: Vec<Constraint> = Vec::new();
        for (at, limit) in self.parsed.front.constraints.iter().enumerate() {
            let binds = limit.value.robot.as_ref().is_none_or(|named| named == id);
            if binds && let Ok(constraint_id) = ConstraintId::new(format!("{OWN}{at:04}")) {
                own.push(constraint(&limit.value, constraint_id, id));
            }
        }
        for error in Limits::errors_of(&robot.manifest, &own) {
            if let Some(limit) = error.constraint().and_then(|id| self.own(id)) {
                self.tell_misfit(robot, limit, &error);
            }
            // Left out of the set, so that one wrong limit does not hide what is wrong with the others.
            own.retain(|limit| Some(&limit.id) != error.constraint());
        }
        // Together with those in force: limits of a mission only add to them, and all bind at once.
        let all: Vec<Constraint> = robot.constraints.iter().chain(&own).cloned().collect();
        let limits = match Limits::compile(&robot.manifest, &all, 0) {
            Ok(limits) => limits,
            Err(error) => {
                let message = format!("The limits of `{id}` cannot be read: {error}.");
                self.error(ProblemCode::ConstraintConflict, place, message, "Correct the limits of the robot.");
                return None;
            }
        };
        self.tell_without_effect(robot, &limits);
        let incomplete = self.tell_conflicts(robot, &limits, place);
        Some(RobotSet { robot, limits, incomplete })
    }

    /// The limit of the file that has this id while it is compiled.
    fn own(&self, id: &ConstraintId) -> Option<&'c Located<Limit>> {
        let at: usize = id.as_str().strip_prefix(OWN)?.parse().ok()?;
        self.parsed.front.constraints.get(at)
    }

    /// A sentence in which the limits of the file have their keys in the place of ids.
    pub(super) fn with_keys(&self, sentence: &str) -> String {
        let mut text = sentence.to_owned();
        while let Some(from) = text.find(OWN) {
            let to = from + OWN.len() + 4;
            let limit = text.get(from..to).and_then(|id| ConstraintId::new(id).ok()).and_then(|id| self.own(&id));
            let key = limit.map_or_else(|| "constraints".into(), |limit| self.entry("constraints", limit.span).path);
            text.replace_range(from..to.min(text.len()), &format!("`{key}`"));
        }
        text
    }

    /// A limit that cannot bind the robot.
    fn tell_misfit(&mut self, robot: &CatalogRobot, limit: &Located<Limit>, error: &CompileError) {
        let place = self.entry("constraints", limit.span);
        let manifest = &robot.manifest;
        match error {
            CompileError::UnknownActuator { actuator, .. } => {
                let inner =
                    if limit.value.actuator.as_ref() == Some(actuator) { "actuator" } else { "params.actuator" };
                self.tell_unknown_actuator(robot, actuator, &place.at(inner));
            }
            CompileError::UnknownFrame { frame, .. } => {
                let message = format!("The frame `{frame}` is not joined to those of `{}`.", manifest.id);
                let help = meant(frame.as_str(), frames(robot));
                self.error(ProblemCode::ConstraintInvalid, &place.at("frame"), message, help);
            }
            CompileError::Params { source, .. } => {
                let inner = source.path.strip_prefix("params_json").unwrap_or_default();
                let message = format!("The limit is not one that `{}` can keep: {}.", manifest.id, source.message);
                let place = place.at(&format!("params{inner}"));
                self.error(ProblemCode::ConstraintInvalid, &place, message, "Correct its parameters.");
            }
            // Their ids and robot are given above, so no such error can come of the file.
            CompileError::OtherRobot { .. } | CompileError::Duplicate { .. } | CompileError::TooMany { .. } => {}
            CompileError::Id(_) | CompileError::Canonical { .. } => {}
        }
    }

    /// Limits of the file that demand less than one of the robot itself.
    fn tell_without_effect(&mut self, robot: &CatalogRobot, limits: &Limits) {
        let default = &robot.manifest.default_frame;
        let (own, others): (Vec<&Constraint>, Vec<&Constraint>) =
            limits.constraints().iter().partition(|limit| self.own(&limit.id).is_some());
        for limit in own {
            let Some(stricter) = others.iter().find(|other| is_looser(limit, other, default)) else { continue };
            let Some(located) = self.own(&limit.id) else { continue };
            let place = self.entry("constraints", located.span);
            let message = format!(
                "This limit is looser than the limit `{}` that binds `{}` already: {}.",
                stricter.id,
                robot.manifest.id,
                limit_words(&stricter.kind)
            );
            let help = "Make it stricter, or remove it: of several limits the strictest binds.";
            self.warn(ProblemCode::NoEffect, &place, message, help);
        }
    }

    /// Limits that leave the robot no place; gives the actuators that lack one.
    fn tell_conflicts(
        &mut self,
        robot: &CatalogRobot,
        limits: &Limits,
        place: &Place<'c>,
    ) -> BTreeMap<ActuatorId, &'static str> {
        let mut incomplete = BTreeMap::new();
        // No state is known here, so the problems about it are left out below; those of the set remain.
        let (nothing, now) = (RobotState::default(), Instant::default());
        for problem in limits.arming_problems(&nothing, now) {
            let culprit = match &problem {
                ArmingProblem::EmptySet { actuator, missing } => {
                    incomplete.insert(actuator.clone(), *missing);
                    continue;
                }
                ArmingProblem::WorkspaceEmpty { constraint, .. } => constraint,
                ArmingProblem::WorkspaceCovered { zone, .. } => zone,
                // What was measured is not known here.
                ArmingProblem::PoseViolates { .. } | ArmingProblem::SourceSilent { .. } => continue,
                ArmingProblem::NoFreshPose { .. } => continue,
            };
            let culprit = self.own(culprit).map(|limit| self.entry("constraints", limit.span));
            let problem = self.with_keys(&problem.to_string());
            let message = format!("The limits on `{}` contradict one another: {problem}.", robot.manifest.id);
            let help = "Change one of them so that the robot has a place to be.";
            self.error(ProblemCode::ConstraintConflict, culprit.as_ref().unwrap_or(place), message, help);
        }
        incomplete
    }
}

fn constraint(limit: &Limit, id: ConstraintId, robot: &RobotId) -> Constraint {
    Constraint {
        id,
        robot: Some(robot.clone()),
        mission: None,
        actuator: limit.actuator.clone(),
        frame: limit.frame.clone(),
        kind: limit.kind.clone(),
        created_by: "mission".into(),
        reason: None,
    }
}

/// The frames that numbers of a robot can be in.
pub(super) fn frames(robot: &CatalogRobot) -> Vec<&str> {
    let manifest = &robot.manifest;
    let joined = manifest.frames.iter().flat_map(|frame| [frame.parent.as_str(), frame.child.as_str()]);
    let mut frames: Vec<&str> = joined.chain([manifest.default_frame.as_str()]).collect();
    frames.sort_unstable();
    frames.dedup();
    frames
}

/// True if `other` binds everything that `limit` binds, and demands more. What is not clear is not looser.
fn is_looser(limit: &Constraint, other: &Constraint, default: &FrameId) -> bool {
    let is_in_scope = other.actuator.is_none() || other.actuator == limit.actuator;
    let frame = |constraint: &Constraint| constraint.frame.clone().unwrap_or_else(|| default.clone());
    // Numbers of two frames say nothing about each other before they are converted.
    let is_comparable = !is_about_places(&limit.kind) || frame(limit) == frame(other);
    is_in_scope
        && is_comparable
        && limit.kind.direction_to(&other.kind) == ChangeDirection::Tightening
        // Both ways: an equal limit is no looser one.
        && other.kind.direction_to(&limit.kind) == ChangeDirection::Loosening
}

/// True if its numbers are positions in a frame.
pub(crate) const fn is_about_places(kind: &ConstraintKind) -> bool {
    kind.place().is_some()
}
