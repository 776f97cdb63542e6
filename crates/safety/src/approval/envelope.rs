//! The bounds within which a person approves motions beforehand, without a click each.

use robot::{ActuatorId, Command, FrameId, Isometry, Motion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Item, Kind, Pose, Verdict};

/// The farthest bound of a box, metres: as for a workspace.
const BOUND_M_MAX: f64 = 1e4;
/// The highest speed that can be approved, metres per second: as for a speed limit.
const SPEED_MPS_MAX: f64 = 100.0;
/// The highest force that can be approved, newtons: as for a force limit.
const FORCE_N_MAX: f64 = 1e5;

/// Bounds of a standing approval. A motion is inside only if every number of it was shown to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The only actuator it covers.
    pub actuator: ActuatorId,
    /// The box the whole way stays in, from where the robot is.
    pub workspace: EnvelopeBox,
    /// The frame of the box; the robot's default frame if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub frame: Option<FrameId>,
    /// The highest speed, metres per second.
    pub speed_mps_max: f64,
    /// The highest force, newtons; if left out, only motions of robots without a force limit that name none are inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub force_n_max: Option<f64>,
}

/// A box, each axis as `[lowest, highest]`, metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "one field per axis")]
pub struct EnvelopeBox {
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub z: [f64; 2],
}

/// A refusal of bounds that bound nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {expected}")]
pub struct EnvelopeError {
    /// Path of the failing field.
    pub field: &'static str,
    /// Legal values of that field.
    pub expected: &'static str,
}

impl Envelope {
    /// Tests every bound against its legal range.
    pub fn check(&self) -> Result<(), EnvelopeError> {
        let axes = [self.workspace.x, self.workspace.y, self.workspace.z];
        for (field, [lo, hi]) in
            ["envelope.workspace.x", "envelope.workspace.y", "envelope.workspace.z"].into_iter().zip(axes)
        {
            if !(-BOUND_M_MAX <= lo && lo < hi && hi <= BOUND_M_MAX) {
                return Err(EnvelopeError { field, expected: "[lowest, highest] within 10 km" });
            }
        }
        if !(self.speed_mps_max > 0.0 && self.speed_mps_max <= SPEED_MPS_MAX) {
            return Err(EnvelopeError { field: "envelope.speed_mps_max", expected: "above 0 and at most 100 m/s" });
        }
        if !self.force_n_max.is_none_or(|force_n| 0.0 < force_n && force_n <= FORCE_N_MAX) {
            return Err(EnvelopeError { field: "envelope.force_n_max", expected: "above 0 and at most 100,000 N" });
        }
        Ok(())
    }

    /// True if an allowed command is inside: its actuator, its way from `start` on, its speed and its force. `frames`
    /// gives the transform between two frames, if there is a fixed one.
    #[must_use]
    pub fn covers(
        &self,
        command: &Command,
        verdict: &Verdict,
        start: Option<&Pose>,
        frames: impl Fn(&FrameId, &FrameId) -> Option<Isometry>,
        default_frame: &FrameId,
    ) -> bool {
        let into = self.frame.as_ref().unwrap_or(default_frame);
        let inside = |frame: &FrameId, point: [f64; 3]| {
            frames(frame, into).is_some_and(|transform| self.workspace.holds(transform.apply(point)))
        };
        let start_inside = start.map(|pose| inside(&pose.frame, pose.position_m));
        let way_inside = match &command.motion {
            Motion::PoseGoal { position_m, .. } => start_inside == Some(true) && inside(&command.frame, *position_m),
            Motion::Path { points_m, .. } => {
                start_inside == Some(true) && points_m.iter().all(|point| inside(&command.frame, *point))
            }
            // Driving by hand is a person's, a way out of a violated region too, and where a joint goal leads is known
            // as a ball only: each one that an agent wants is asked about.
            Motion::Velocity { .. } | Motion::Escape { .. } | Motion::Joints { .. } => false,
            // A robot of switches alone has no pose and stands where it is mounted.
            Motion::Gripper { .. } | Motion::Switch { .. } => start_inside.unwrap_or(true),
        };
        let of_this = command.actuator == self.actuator;
        of_this && way_inside && self.speed_holds(command, verdict) && self.force_holds(command, verdict)
    }

    /// The speed the engine counted with. A motion whose speed is unknown is outside.
    fn speed_holds(&self, command: &Command, verdict: &Verdict) -> bool {
        let is_switch = matches!(command.motion, Motion::Switch { .. });
        let mut speeds_mps = predicted(verdict, Kind::MaxVelocity).peekable();
        // `all` of nothing is true, so a verdict without a speed must be caught by itself.
        (is_switch || speeds_mps.peek().is_some()) && speeds_mps.all(|speed_mps| speed_mps <= self.speed_mps_max)
    }

    /// The force the engine counted with: the robot's rated one if the command names none.
    fn force_holds(&self, command: &Command, verdict: &Verdict) -> bool {
        let within = |force_n: f64| self.force_n_max.is_some_and(|force_n_max| force_n <= force_n_max);
        command.force_n.is_none_or(within) && predicted(verdict, Kind::MaxForce).all(within)
    }
}

impl EnvelopeBox {
    fn holds(&self, point: [f64; 3]) -> bool {
        [self.x, self.y, self.z].iter().zip(point).all(|([lo, hi], part)| *lo <= part && part <= *hi)
    }
}

fn predicted(verdict: &Verdict, kind: Kind) -> impl Iterator<Item = f64> {
    verdict.items.iter().filter(move |item: &&Item| item.kind == kind).map(|item| item.predicted)
}

#[cfg(test)]
mod tests;
