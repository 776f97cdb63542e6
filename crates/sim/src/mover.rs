//! A point that goes straight to goals, with limited acceleration: a tool point or the centre of a base.

use std::collections::VecDeque;

/// Closer than this to a goal, and slower than [`ARRIVED_MPS`], it has arrived, metres.
const ARRIVED_M: f64 = 0.001;
/// See [`ARRIVED_M`], metres per second.
const ARRIVED_MPS: f64 = 0.02;
/// The part of the deceleration that a plan uses; the rest absorbs the size of a step.
const PLANNED_DECELERATION: f64 = 0.8;

/// Position, velocity and what it is doing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mover {
    /// Metres, in the robot's default frame.
    pub position_m: [f64; 3],
    /// Metres per second.
    pub velocity_mps: [f64; 3],
    /// Heading about the z axis, radians.
    pub yaw_rad: f64,
    /// Rate of the heading, radians per second.
    pub yaw_rate_radps: f64,
    plan: Plan,
    limits: MoverLimits,
}

/// Abilities of the body, from its manifest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoverLimits {
    /// Metres per second.
    pub speed_mps: f64,
    /// Metres per second squared.
    pub acceleration_mps2: f64,
    /// Metres per second squared, when stopping.
    pub deceleration_mps2: f64,
    /// Radians per second.
    pub turn_radps: f64,
    /// True if it turns into the direction it moves in.
    pub turns: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Plan {
    Rest,
    Goals {
        points_m: VecDeque<[f64; 3]>,
        speed_mps: f64,
    },
    /// Metres per second, and radians per second about the z axis.
    Velocity([f64; 3], f64),
}

impl Mover {
    /// At rest at `position_m`.
    #[must_use]
    pub const fn new(position_m: [f64; 3], limits: MoverLimits) -> Self {
        let still = [0.0; 3];
        Self { position_m, velocity_mps: still, yaw_rad: 0.0, yaw_rate_radps: 0.0, plan: Plan::Rest, limits }
    }

    /// Goes through `points_m`, slowing down at each.
    pub fn go(&mut self, points_m: impl Into<VecDeque<[f64; 3]>>, speed_mps: Option<f64>) {
        let speed_mps = speed_mps.unwrap_or(self.limits.speed_mps).min(self.limits.speed_mps);
        self.plan = Plan::Goals { points_m: points_m.into(), speed_mps };
    }

    /// Moves at a velocity, and turns at a rate, until told otherwise.
    pub fn drive(&mut self, velocity_mps: [f64; 3], turn_radps: f64) {
        // Shortened as a whole, so that the direction is kept.
        let scale = (self.limits.speed_mps / norm(velocity_mps).max(self.limits.speed_mps)).min(1.0);
        let turn_radps = turn_radps.clamp(-self.limits.turn_radps, self.limits.turn_radps);
        self.plan = Plan::Velocity(velocity_mps.map(|part| part * scale), turn_radps);
    }

    /// The last point it goes to, metres.
    #[must_use]
    pub fn goal_m(&self) -> Option<[f64; 3]> {
        match &self.plan {
            Plan::Goals { points_m, .. } => points_m.back().copied(),
            Plan::Rest | Plan::Velocity(..) => None,
        }
    }

    /// Slows down and stays.
    pub fn rest(&mut self) {
        self.plan = Plan::Rest;
    }

    /// Metres per second.
    #[must_use]
    pub fn speed_mps(&self) -> f64 {
        norm(self.velocity_mps)
    }

    /// Moves on by `dt_s` and says whether the last goal was reached in this step.
    pub fn step(&mut self, dt_s: f64) -> bool {
        let (wanted_mps, rate_mps2) = match &self.plan {
            Plan::Rest => ([0.0; 3], self.limits.deceleration_mps2),
            Plan::Velocity(velocity_mps, _) => (*velocity_mps, self.limits.acceleration_mps2),
            Plan::Goals { points_m, speed_mps } => {
                let to_goal = points_m.front().map_or([0.0; 3], |goal| minus(*goal, self.position_m));
                (self.towards(to_goal, *speed_mps, dt_s), self.limits.acceleration_mps2)
            }
        };
        let change = minus(wanted_mps, self.velocity_mps);
        // With nothing to change this would divide by zero.
        let share = (rate_mps2 * dt_s / norm(change).max(f64::MIN_POSITIVE)).min(1.0);
        self.velocity_mps = plus(self.velocity_mps, change, share);
        self.position_m = plus(self.position_m, self.velocity_mps, dt_s);
        self.turn(dt_s);
        self.arrive()
    }

    fn towards(&self, to_goal: [f64; 3], speed_mps: f64, dt_s: f64) -> [f64; 3] {
        let distance_m = norm(to_goal);
        if distance_m <= f64::EPSILON {
            return [0.0; 3];
        }
        // From this speed it stops within the distance: v² = 2·a·d.
        let stoppable_mps = (2.0 * PLANNED_DECELERATION * self.limits.acceleration_mps2 * distance_m).sqrt();
        // No further than the goal within one step.
        let speed_mps = speed_mps.min(stoppable_mps).min(distance_m / dt_s);
        to_goal.map(|part| part / distance_m * speed_mps)
    }

    fn turn(&mut self, dt_s: f64) {
        self.yaw_rate_radps = 0.0;
        if !self.limits.turns {
            return;
        }
        let most_rad = self.limits.turn_radps * dt_s;
        let turned_rad = match self.plan {
            Plan::Velocity(_, turn_radps) if turn_radps != 0.0 => turn_radps * dt_s,
            // A base that stands has no direction to turn into.
            Plan::Rest | Plan::Goals { .. } | Plan::Velocity(..) if self.speed_mps() < ARRIVED_MPS => return,
            Plan::Rest | Plan::Goals { .. } | Plan::Velocity(..) => {
                let [x_mps, y_mps, _] = self.velocity_mps;
                wrapped(y_mps.atan2(x_mps) - self.yaw_rad).clamp(-most_rad, most_rad)
            }
        };
        self.yaw_rate_radps = turned_rad / dt_s;
        self.yaw_rad = wrapped(self.yaw_rad + turned_rad);
    }

    fn arrive(&mut self) -> bool {
        let slow = self.speed_mps() <= ARRIVED_MPS;
        let Plan::Goals { points_m, .. } = &mut self.plan else { return false };
        let Some(goal) = points_m.front() else { return false };
        if !slow || norm(minus(*goal, self.position_m)) > ARRIVED_M {
            return false;
        }
        points_m.pop_front();
        let done = points_m.is_empty();
        if done {
            self.plan = Plan::Rest;
        }
        done
    }
}

fn wrapped(angle_rad: f64) -> f64 {
    let (sin, cos) = angle_rad.sin_cos();
    sin.atan2(cos)
}

fn norm(vector: [f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn plus(a: [f64; 3], b: [f64; 3], factor: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i] * factor)
}

#[cfg(test)]
mod tests;
