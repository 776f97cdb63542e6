//! Parts of robots that a mission locks, and standing approvals that it asks for.

use robot::FrameId;
use safety::{ChangeDirection, Constraint, ConstraintKind, EnvelopeBox};

use super::limits::RobotSets;
use super::{Compiler, Place, meant};
use crate::catalog::{CatalogRobot, SEND_COMMAND};
use crate::front::EnvelopeRequest;
use crate::problem::ProblemCode;

impl Compiler<'_> {
    pub(super) fn check_resources(&mut self) {
        for part in self.parsed.front.resources.iter().flatten() {
            let Some(robot) = self.catalog.robots.get(&part.value.robot) else { continue };
            let path = format!("{}/{}", part.value.robot, part.value.part.join("/"));
            let parts = robot.parts();
            if !parts.contains(&path) {
                let place = self.entry("resources", part.span);
                let message = format!("`{}` has no part `{path}`.", part.value.robot);
                let help = match ends_alike(&path, &parts) {
                    Some(part) => format!("Did you mean `{part}`?"),
                    None => meant(&path, parts.iter().map(String::as_str)),
                };
                self.error(ProblemCode::UnknownResource, &place, message, help);
            }
        }
    }

    pub(super) fn check_envelopes(&mut self, sets: &RobotSets) {
        for request in &self.parsed.front.envelope {
            let place = self.entry("envelope", request.span);
            let EnvelopeRequest { robot, actuator, operation, region, .. } = &request.value;
            if self.operation(operation, &place.at("operation")).is_some() && operation != SEND_COMMAND {
                let message = format!("A standing approval is for motions, and `{operation}` is none.");
                self.error(ProblemCode::BadInput, &place.at("operation"), message, "Write `send_command`.");
            }
            if region.is_some_and(|region| ![region.x, region.y, region.z].iter().all(|[low, high]| low < high)) {
                let message = "The region is empty.".to_owned();
                self.error(
                    ProblemCode::OutOfRange,
                    &place.at("region"),
                    message,
                    "Write `[lowest, highest]` per axis.",
                );
                continue;
            }
            if !self.names_robot(robot, &place.at("robot")) {
                continue;
            }
            let Some(known) = self.catalog.robots.get(robot) else { continue };
            if known.actuator(actuator).is_none() {
                let message = format!("`{robot}` has no actuator `{actuator}`.");
                let help = meant(actuator.as_str(), known.manifest.actuators.iter().map(|known| known.id.as_str()));
                self.error(ProblemCode::UnknownActuator, &place.at("actuator"), message, help);
                continue;
            }
            let limits = sets.get(robot).and_then(|set| set.limits.as_ref());
            for limit in limits.map(safety::Limits::constraints).unwrap_or_default() {
                if limit.actuator.as_ref().is_none_or(|bound| bound == actuator) {
                    self.check_width(&request.value, limit, known, &place);
                }
            }
        }
    }

    /// One request against one limit in force.
    fn check_width(&mut self, request: &EnvelopeRequest, limit: &Constraint, robot: &CatalogRobot, place: &Place<'_>) {
        let default = &robot.manifest.default_frame;
        let frame = |frame: &Option<FrameId>| frame.as_ref().unwrap_or(default).clone();
        let (wider, inner) = match &limit.kind {
            ConstraintKind::MaxVelocity(most) => {
                let wider = (request.speed_mps_max > *most).then(|| format!("more than {most} m/s"));
                (wider, "speed_mps_max")
            }
            ConstraintKind::MaxForce(most) => {
                let asked = request.force_n_max.filter(|asked| asked > most);
                (asked.map(|_| format!("more than {most} N")), "force_n_max")
            }
            ConstraintKind::Workspace { .. } => {
                let region = request.region.filter(|_| frame(&request.frame) == frame(&limit.frame));
                let leaves = region
                    .is_some_and(|region| limit.kind.direction_to(&workspace(region)) == ChangeDirection::Loosening);
                (leaves.then(|| "a region that reaches out of the workspace".to_owned()), "region")
            }
            ConstraintKind::ForbiddenZone { .. } | ConstraintKind::KeepOutBox { .. } => return,
            ConstraintKind::JointLimits(_) | ConstraintKind::MaxAcceleration(_) => return,
            ConstraintKind::CommandRate { .. } | ConstraintKind::GoalJump(_) => return,
            ConstraintKind::StoppingDistance(_) | ConstraintKind::ApproachSpeed { .. } => return,
        };
        if let Some(wider) = wider {
            let message =
                format!("The standing approval asks for {wider}, which a limit of `{}` forbids.", request.robot);
            let help = "Ask for no more than the limits in force allow.";
            self.error(ProblemCode::EnvelopeTooWide, &place.at(inner), message, help);
        }
    }
}

const fn workspace(region: EnvelopeBox) -> ConstraintKind {
    ConstraintKind::Workspace { x: region.x, y: region.y, z: region.z }
}

/// The part with the same robot and the same last name.
fn ends_alike<'p>(path: &str, parts: &'p [String]) -> Option<&'p str> {
    let (robot, rest) = path.split_once('/')?;
    let last = rest.rsplit('/').next()?;
    let alike = |part: &&String| part.split('/').next() == Some(robot) && part.rsplit('/').next() == Some(last);
    parts.iter().find(alike).map(String::as_str)
}
