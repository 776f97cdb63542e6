//! The limits about speed and its change, by what an actuator moves:
//!
//! - `tool` and `base`: a command without a speed is denied. `max_velocity`, `stopping_distance`, `approach_speed` and
//!   `max_acceleration` hold for the point.
//! - `joints`, and joint goals of a `tool`: a command without a speed is denied. `max_velocity` holds for the most that
//!   the tool can be moved by at that speed of every joint, `stopping_distance` and `approach_speed` for the tool;
//!   `max_acceleration` does not apply.
//! - `gripper`: without a speed it counts as being as fast as its finger joint can be, or else as the robot's
//!   `speed_mps_max`, and is denied if that is over the limit. `max_velocity` holds for the fingers. The others do not
//!   apply: fingers close over centimetres and carry nothing through space.
//! - `switch`: has no speed, and none of them applies.

use glam::DVec3;
use robot::{Motion, Reason};

use super::checks::{Checks, Way};
use super::items::{finite, scalar};
use super::position::frame_of;
use crate::constraint::limits::ROUNDING_M;
use crate::space::geometry::is_worse;
use crate::space::rounding::{
    distance_up, length_up, product_down, product_up, quotient_up, root_down, seconds_down, sum_up,
};
use crate::{Constraint, ConstraintKind, Item, Kind, SetPoint};

/// The speed of a command, as far as it names one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Speed {
    /// Metres per second.
    Given(f64),
    /// Nothing, though it must.
    Missing,
    /// Nothing, and it need not: the fingers of a gripper move so fast by themselves, metres per second.
    Rated(f64),
    /// Nothing that counts: where joints take the tool is not known, which is denied on its own.
    Unknown,
    /// There is none: a switch does not move through space.
    None,
}

/// Distances that depend on the speed of a command.
#[derive(Clone, Copy)]
pub(super) struct Stopping {
    /// The larger of commanded and measured speed, metres per second.
    pub(super) speed_mps: f64,
    /// Distance that the robot needs to stop from it, metres.
    pub(super) distance_m: f64,
}

impl Checks<'_> {
    /// The angular speed of a velocity.
    pub(super) fn angular_item(&self, angular_radps: DVec3) -> Item {
        let (limit, predicted) = (self.limits.manifest.limits.angular_radps_max, length_up(angular_radps));
        let id = self.limits.ids.angular.clone();
        let item = scalar(id, Kind::AngularVelocity, Reason::Velocity, limit, predicted);
        item.deny_unless(predicted <= limit)
    }

    /// The stopping distance of a command from the larger of commanded and measured speed; not-a-number if a measured
    /// speed is.
    pub(super) fn stopping(&self, speed: Speed) -> Stopping {
        let commanded = match speed {
            Speed::Given(speed_mps) => speed_mps,
            // The missing speed is denied by the speed limit, so only the measured one counts here.
            Speed::Missing | Speed::Rated(_) | Speed::Unknown | Speed::None => 0.0,
        };
        let measured = self.state.speeds.known(&self.limits.manifest, self.now);
        // An unknown speed is denied elsewhere; here it counts as the robot's top speed, the longest way to stop.
        let measured = measured.map_or(self.limits.manifest.limits.speed_mps_max, |measured| measured.value.abs());
        // A robot that is still fast from the motion before needs the longer way, however slow the new one is.
        let speed_mps = if is_worse(-measured, -commanded) { measured } else { commanded };
        let stop = &self.limits.manifest.stop;
        Stopping {
            speed_mps,
            // It drives on at full speed for the reaction time, then brakes: v t + v^2 / 2a.
            distance_m: sum_up(
                product_up(speed_mps, stop.reaction_s),
                quotient_up(product_up(speed_mps, speed_mps), product_down(2.0, stop.decel_mps2)),
            ),
        }
    }

    /// The speed from which the robot stops within `room_m`.
    pub(super) fn speed_for(&self, room_m: f64) -> f64 {
        let stop = &self.limits.manifest.stop;
        let (reaction_s, decel_mps2) = (stop.reaction_s, stop.decel_mps2);
        // The positive root of v t + v^2 / 2a = room. Only a suggestion, so it is not rounded downwards.
        decel_mps2 * ((reaction_s * reaction_s + 2.0 * room_m / decel_mps2).sqrt() - reaction_s)
    }

    /// The room the robot needs to stop. Fingers need none.
    pub(super) fn stopping_item(
        &self,
        constraint: &Constraint,
        limit: f64,
        speed: Speed,
        stopping: Stopping,
    ) -> Option<Item> {
        let item = |code, predicted| scalar(constraint.id.clone(), Kind::StoppingDistance, code, limit, predicted);
        let mut item = match speed {
            // Fingers close over centimetres and stay within the hand (decision 0092).
            Speed::Given(_) if !self.command.motion.is_through_space() => return None,
            Speed::Given(_) => {
                item(Reason::StoppingDistance, stopping.distance_m).deny_unless(stopping.distance_m <= limit)
            }
            Speed::Missing => item(Reason::MissingVelocity, f64::NAN).deny_unless(false),
            Speed::Rated(_) | Speed::Unknown | Speed::None => return None,
        };
        item.reason.args.speed_mps = finite(stopping.speed_mps);
        item.reason.args.speed_allowed_mps = finite(self.speed_for(limit));
        Some(item)
    }

    /// The change from the velocity the actuator was last told to hold, over the time since then. Standing still is
    /// never too sudden: it is what every set-point ends in by itself.
    pub(super) fn acceleration_item(&self, constraint: &Constraint, limit: f64, way: Option<&Way<'_>>) -> Option<Item> {
        let linear_mps = match &self.command.motion {
            Motion::Velocity { linear_mps, .. } => DVec3::from_array(*linear_mps),
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Joints { .. } | Motion::Escape { .. } => {
                return None;
            }
            Motion::Gripper { .. } | Motion::Switch { .. } => return None,
        };
        let predicted = if linear_mps == DVec3::ZERO { 0.0 } else { self.acceleration_to(linear_mps, way) };
        let id = constraint.id.clone();
        let item = scalar(id, Kind::MaxAcceleration, Reason::Acceleration, limit, predicted);
        Some(item.deny_unless(predicted <= limit))
    }

    /// Metres per second squared to `linear_mps` from the set-point that asks for most of those that may be in force
    /// when it arrives; not-a-number if one cannot be compared. Never told to move, it has been at rest for as long as
    /// anyone knows.
    fn acceleration_to(&self, linear_mps: DVec3, way: Option<&Way<'_>>) -> f64 {
        let own = self.state.set_points.iter().filter(|last| last.actuator == self.command.actuator);
        let accelerations = own.map(|last| self.acceleration_from(last, linear_mps, way));
        accelerations.fold(0.0, |most, next| if next <= most || most.is_nan() { most } else { next })
    }

    fn acceleration_from(&self, last: &SetPoint, linear_mps: DVec3, way: Option<&Way<'_>>) -> f64 {
        let frames = &self.limits.frames;
        let from = frame_of(self.limits, &last.frame, &self.state.transforms, self.now);
        // Velocities in frames that cannot be related cannot be compared, and not-a-number denies.
        let (Ok(from), Some(to)) = (from, way.map(|way| way.frame)) else {
            return f64::NAN;
        };
        let last_mps = DVec3::from_array(last.linear_mps);
        let lapsed = last.is_lapsed(self.now);
        let held_mps = if lapsed { DVec3::ZERO } else { frames.rotate(last_mps, from, to) };
        // The gate ends a velocity that is not renewed (decision 0171), so it counts as at rest from then on.
        let since = if lapsed { last.until } else { last.since };
        // A velocity is rounded on its way from one frame to another.
        let rounded_mps = if lapsed || from == to { 0.0 } else { ROUNDING_M };
        let change_mps = sum_up(distance_up(held_mps, linear_mps), rounded_mps);
        // Without a change there is no acceleration, however short the time.
        if change_mps == 0.0 { 0.0 } else { quotient_up(change_mps, seconds_down(self.now.since(since))) }
    }
}

/// The commanded speed.
pub(super) fn velocity_item(constraint: &Constraint, limit: f64, speed: Speed) -> Option<Item> {
    let item = |code, predicted| scalar(constraint.id.clone(), Kind::MaxVelocity, code, limit, predicted);
    // A limit of 0 lets only a stop pass, so not even a speed of 0 meets it.
    let moves = limit > 0.0;
    let mut item = match speed {
        Speed::Given(speed_mps) => {
            item(Reason::Velocity, speed_mps).deny_unless(moves && 0.0 <= speed_mps && speed_mps <= limit)
        }
        Speed::Missing => item(Reason::MissingVelocity, f64::NAN).deny_unless(false),
        Speed::None => return None,
        Speed::Rated(_) | Speed::Unknown if !moves => item(Reason::Velocity, f64::NAN).deny_unless(false),
        // Reported as predicted, because a standing approval compares this number with its own bound of speed.
        Speed::Rated(rated_mps) if rated_mps <= limit => item(Reason::Velocity, rated_mps).deny_unless(true),
        Speed::Rated(_) => item(Reason::MissingVelocity, f64::NAN).deny_unless(false),
        Speed::Unknown => return None,
    };
    item.reason.args.speed_allowed_mps = Some(limit);
    Some(item)
}

/// The commanded speed so near to a limit: `nearest_m` is the least clearance of the way.
pub(super) fn approach_item(constraint: &Constraint, speed: Speed, nearest_m: f64) -> Option<Item> {
    let ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } = constraint.kind else { return None };
    let braking_mps = root_down(product_down(2.0 * decel_mps2, nearest_m));
    // The root of a negative clearance is not-a-number; this comparison then leaves the floor.
    let limit = if braking_mps > floor_mps { braking_mps } else { floor_mps };
    let item = |code, predicted| scalar(constraint.id.clone(), Kind::ApproachSpeed, code, limit, predicted);
    let mut item = match speed {
        Speed::Given(speed_mps) => {
            item(Reason::ApproachSpeed, speed_mps).deny_unless(0.0 <= speed_mps && speed_mps <= limit)
        }
        Speed::Missing => item(Reason::MissingVelocity, f64::NAN).deny_unless(false),
        Speed::Rated(_) | Speed::Unknown | Speed::None => return None,
    };
    item.reason.args.speed_allowed_mps = finite(limit);
    Some(item)
}
