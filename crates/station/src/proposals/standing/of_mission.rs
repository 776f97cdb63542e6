//! Standing approvals that a mission asks for and a person grants with its activation.

use missions::format::front::EnvelopeRequest;
use robot::{ActuatorId, FrameId, MissionId};
use safety::{Envelope, EnvelopeBox, Limits, PlaceLimit};

use super::Grant;
use crate::code::StationCode;
use crate::station::Station;
use runtime::error::OpError;

impl Grant {
    /// The standing approval that an entry of a mission's file asks for. Without a region it is the workspace in force.
    pub fn of_mission(station: &Station, mission: &MissionId, request: &EnvelopeRequest) -> Result<Self, OpError> {
        let unit = station.fleet.unit(&request.robot)?;
        let default = &unit.manifest.default_frame;
        let frame = request.frame.as_ref().unwrap_or(default);
        let workspace = request.region.or_else(|| workspace(&unit.limits.load(), &request.actuator, frame, default));
        let Some(workspace) = workspace else {
            let message = format!("{} has no workspace in {frame}; write a region.", request.robot);
            return Err(OpError::bad_input(StationCode::BadStandingApproval, "envelope.region", message));
        };
        Ok(Self {
            robot: request.robot.clone(),
            mission: Some(mission.clone()),
            operation: request.operation.clone(),
            envelope: Envelope {
                actuator: request.actuator.clone(),
                workspace,
                frame: request.frame.clone(),
                speed_mps_max: request.speed_mps_max,
                force_n_max: request.force_n_max,
            },
            count: u64::from(request.count),
            hours: request.hours,
        })
    }
}

/// The box that every workspace of an actuator in `frame` leaves; none if there is no such limit, or nothing is left.
fn workspace(limits: &Limits, actuator: &ActuatorId, frame: &FrameId, default: &FrameId) -> Option<EnvelopeBox> {
    let binding = limits.constraints().iter().filter(|limit| {
        limit.actuator.as_ref().is_none_or(|bound| bound == actuator)
            && limit.frame.as_ref().unwrap_or(default) == frame
    });
    let boxes = binding.filter_map(|limit| match limit.kind.place()? {
        PlaceLimit::Workspace { x, y, z } => Some(EnvelopeBox { x, y, z }),
        PlaceLimit::ForbiddenZone { .. } | PlaceLimit::KeepOutBox { .. } => None,
    });
    let both = |[low, high]: [f64; 2], [other_low, other_high]: [f64; 2]| [low.max(other_low), high.min(other_high)];
    let left = boxes.reduce(|one, other| EnvelopeBox {
        x: both(one.x, other.x),
        y: both(one.y, other.y),
        z: both(one.z, other.z),
    })?;
    [left.x, left.y, left.z].iter().all(|[low, high]| low < high).then_some(left)
}
