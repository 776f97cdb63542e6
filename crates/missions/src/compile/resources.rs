//! Parts of robots that a mission locks, and standing approvals that it asks for.

use robot::FrameId;
use safety::{ChangeDirection, Constraint, ConstraintKind, EnvelopeBox, Limits, PlaceLimit};

use super::{Compiler, Placed, meant};
use crate::catalog::CatalogRobot;
use crate::format::front::EnvelopeRequest;
use crate::problem::ProblemCode;

impl<'c> Compiler<'c> {
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

    /// Everything about standing approvals that needs no limit; gives those that are sound.
    pub(super) fn check_envelopes(&mut self) -> Vec<Placed<'c, &'c EnvelopeRequest>> {
        let mut sound = Vec::new();
        for request in &self.parsed.front.envelope {
            let place = self.entry("envelope", request.span);
            let EnvelopeRequest { robot, actuator, operation, region, .. } = &request.value;
            if self.operation(operation, &place.at("operation")).is_some_and(|row| !row.moves_robot) {
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
            if known.actuator(actuator.as_str()).is_none() {
                self.tell_unknown_actuator(known, actuator, &place.at("actuator"));
                continue;
            }
            sound.push(Placed { place, value: &request.value });
        }
        sound
    }

    /// One request against every limit in force.
    pub(super) fn check_width(
        &mut self,
        robot: &CatalogRobot,
        limits: &Limits,
        request: &Placed<'c, &'c EnvelopeRequest>,
    ) {
        let binds = |limit: &&Constraint| limit.actuator.as_ref().is_none_or(|bound| *bound == request.value.actuator);
        for limit in limits.constraints().iter().filter(binds) {
            if let Some(wider) = wider(request.value, limit, &robot.manifest.default_frame) {
                let (robot, inner) = (&request.value.robot, wider.key);
                let message =
                    format!("The standing approval asks for {}, which a limit of `{robot}` forbids.", wider.by);
                let help = "Ask for no more than the limits in force allow.";
                self.error(ProblemCode::EnvelopeTooWide, &request.place.at(inner), message, help);
            }
        }
    }
}

/// The part of a request that goes beyond a limit.
struct Wider {
    key: &'static str,
    /// A phrase that says by how much.
    by: String,
}

fn wider(request: &EnvelopeRequest, limit: &Constraint, default: &FrameId) -> Option<Wider> {
    let frame = |frame: &Option<FrameId>| frame.as_ref().unwrap_or(default).clone();
    if let ConstraintKind::MaxVelocity(most) = limit.kind {
        let by = format!("more than {most} m/s");
        return (request.speed_mps_max > most).then_some(Wider { key: "speed_mps_max", by });
    }
    if let ConstraintKind::MaxForce(most) = limit.kind {
        let is_wider = request.force_n_max.is_some_and(|asked| asked > most);
        return is_wider.then(|| Wider { key: "force_n_max", by: format!("more than {most} N") });
    }
    match limit.kind.place()? {
        PlaceLimit::Workspace { .. } => {
            // In another frame the two cannot be compared here; the gate judges each motion all the same.
            let region = request.region.filter(|_| frame(&request.frame) == frame(&limit.frame))?;
            let leaves = limit.kind.direction_to(&workspace(region)) == ChangeDirection::Loosening;
            leaves.then(|| Wider { key: "region", by: "a region that reaches out of the workspace".into() })
        }
        // A region around a forbidden place is legal: what enters the place is denied when it is sent.
        PlaceLimit::ForbiddenZone { .. } | PlaceLimit::KeepOutBox { .. } => None,
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
