//! Velocities of a hand that changes its mind: each that is sent is as near to what the hand wants as the acceleration
//! limits let it come since the one before.

use std::time::Duration;

use glam::DVec3;
use robot::{ActuatorId, FrameId, Instant};

use crate::constraint::limits::ROUNDING_M;
use crate::judge::frame_of;
use crate::space::frames::Frame;
use crate::{ConstraintKind, Limits, RobotState, SetPoint};

/// Of the time between two commands this counts for nothing: they do not take equally long to the robot, whose gate
/// judges the change again.
const JITTER: Duration = Duration::from_millis(20);
/// The part of the allowed change that is made use of, and the least change that is any, metres per second: what is
/// left over is more than rounding takes.
const USED: f64 = 1.0 - 1e-6;
const LEAST_MPS: f64 = 1e-6;

/// A velocity that somebody wants of an actuator.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The actuator.
    pub actuator: &'a ActuatorId,
    /// The frame of the numbers.
    pub frame: &'a FrameId,
    /// Metres per second.
    pub linear_mps: [f64; 3],
}

/// The velocity that the actuator was told, and how far the next velocity may be from it, metres per second.
struct LastVelocity {
    linear_mps: DVec3,
    most_mps: f64,
    since: Instant,
}

impl Limits {
    /// The velocity to send now, metres per second in the frame of `wish`: the wish itself if it is near enough to what
    /// the actuator was last told, else as far on the straight way to it as every acceleration limit lets it come.
    /// Standing still needs no way: it is sent at once. Where the change cannot be told, the wish is left to be judged.
    #[must_use]
    pub fn eased(&self, state: &RobotState, wish: Wish<'_>, now: Instant) -> [f64; 3] {
        let wanted = DVec3::from_array(wish.linear_mps);
        let (Some(limit), Ok(frame)) =
            (self.acceleration_mps2(wish.actuator), frame_of(self, wish.frame, &state.transforms, now))
        else {
            return wish.linear_mps;
        };
        let own = state.set_points.iter().filter(|last| &last.actuator == wish.actuator);
        let told: Option<Vec<LastVelocity>> = own.map(|last| self.told(last, state, frame, limit, now)).collect();
        // Zero goes out as it is: a released jog button must not brake more slowly than the robot can.
        let Some(told) = told.filter(|_| wanted != DVec3::ZERO) else { return wish.linear_mps };
        let Some(newest) = told.iter().max_by_key(|told| told.since) else { return wish.linear_mps };
        let (from, way) = (newest.linear_mps, wanted - newest.linear_mps);
        // Which set-point is in force on arrival is unknown, so the tightest of them decides (decision 0023).
        let share = told.iter().map(|told| share(from - told.linear_mps, way, told.most_mps)).fold(1.0, f64::min);
        if share < 1.0 { (from + way * share).to_array() } else { wish.linear_mps }
    }

    /// The tightest limit of the change of an actuator's velocity, metres per second squared.
    fn acceleration_mps2(&self, actuator: &ActuatorId) -> Option<f64> {
        let limits = self.binding(actuator).filter_map(|(constraint, _)| {
            if let ConstraintKind::MaxAcceleration(limit) = constraint.kind { Some(limit) } else { None }
        });
        limits.reduce(f64::min)
    }

    /// The meaning of `last` at `now`; `None` if its direction is unknown.
    fn told(
        &self,
        last: &SetPoint,
        state: &RobotState,
        frame: Frame,
        limit: f64,
        now: Instant,
    ) -> Option<LastVelocity> {
        let from = frame_of(self, &last.frame, &state.transforms, now).ok()?;
        let last_mps = self.frames.rotate(DVec3::from_array(last.linear_mps), from, frame);
        // After its time-to-live the gate holds the robot, so the next velocity starts from zero.
        let (linear_mps, since) = if last.is_lapsed(now) { (DVec3::ZERO, last.until) } else { (last_mps, last.since) };
        let time = now.since(since).saturating_sub(JITTER);
        // A velocity is rounded on its way from one frame to another.
        let rounded_mps = if from == frame { 0.0 } else { ROUNDING_M };
        let most_mps = limit * time.as_secs_f64() * USED - rounded_mps;
        Some(LastVelocity { linear_mps, most_mps: if most_mps < LEAST_MPS { 0.0 } else { most_mps }, since })
    }
}

/// The part of `way` after which something that begins `apart` from a velocity is `most` apart from it, at most all
/// of it.
fn share(apart: DVec3, way: DVec3, most: f64) -> f64 {
    let (square, product, room) = (way.length_squared(), apart.dot(way), most * most - apart.length_squared());
    if square == 0.0 {
        return 1.0;
    }
    // One that is too far apart already gets no nearer by what is left out: it is judged as it stands.
    if room < 0.0 {
        return 0.0;
    }
    ((product * product + square * room).sqrt() - product) / square
}

#[cfg(test)]
mod tests;
