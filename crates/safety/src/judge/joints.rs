//! Joint goals: each joint against its limits, and the ball the tool can get to while they move.

use robot::{Actuator, Motion, Reason};

use super::checks::Checks;
use super::items::scalar;
use super::speeds::Speed;
use crate::space::rounding::{apart_up, product_up, sum_up};
use crate::{Constraint, Item, JointLimits, Kind, NotFresh, ReasonArgs};
use robot::StateKind;

/// Bounds of the tool's motion by moving joints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ToolMotion {
    /// Greatest distance of the tool from where it is, metres.
    pub(super) radius_m: f64,
    /// Greatest speed of the tool, if the command names a speed.
    pub(super) speed: Speed,
}

/// The demand of a command on one joint.
struct Asked {
    position: f64,
    velocity: Option<f64>,
    /// The joint's own highest velocity, for fingers whose command names none; an arm's joints must name it.
    rated: Option<f64>,
}

impl Checks<'_> {
    /// The sum over the joints of reach times turn, and of reach times speed; `None` after saying why the turn is not
    /// known.
    pub(super) fn tool_motion(&mut self, actuator: &Actuator, goal: &[f64], speed: Option<f64>) -> Option<ToolMotion> {
        let source = self.limits.manifest.state_source(StateKind::Joints);
        // Without a declared source nothing is fresh: an undeclared one has no age that could be trusted.
        let age_ms_max = source.map_or(0, |source| source.max_age_ms);
        let expected = Some("measured positions of every joint".into());
        let measured = match self.state.joints.get(self.now, age_ms_max) {
            Ok(measured) => measured,
            Err(NotFresh::Never) => {
                self.refuse(Reason::NotProvable, ReasonArgs { expected, ..ReasonArgs::default() });
                return None;
            }
            Err(NotFresh::Aged { age_ms, age_ms_max }) => {
                let expected = Some("fresh positions of every joint".into());
                let (age_ms, age_ms_max) = (Some(age_ms), Some(age_ms_max));
                self.refuse(Reason::NotProvable, ReasonArgs { expected, age_ms, age_ms_max, ..ReasonArgs::default() });
                return None;
            }
        };
        let mut radius_m = 0.0;
        let mut reach_m = 0.0;
        for (joint, goal) in actuator.joints.iter().zip(goal) {
            let Some(position) = measured.of(&joint.name).filter(|position| position.is_finite()) else {
                let joint = Some(joint.name.clone());
                self.refuse(Reason::NotProvable, ReasonArgs { expected, joint, ..ReasonArgs::default() });
                return None;
            };
            // A joint that turns by an angle moves a tool at most `reach` away by at most reach times angle.
            radius_m = sum_up(radius_m, product_up(joint.reach_m, apart_up(*goal, position)));
            reach_m = sum_up(reach_m, joint.reach_m);
        }
        let speed = speed.map_or(Speed::Missing, |speed| Speed::Given(product_up(reach_m, speed)));
        Some(ToolMotion { radius_m, speed })
    }

    /// True if the command names exactly the joints of `actuator`, in its order; its fields are public, so the parser's
    /// promise is tested again.
    pub(super) fn names_every_joint(&mut self, actuator: &Actuator) -> bool {
        let Motion::Joints { names, positions_rad, .. } = &self.command.motion else { return false };
        let own = actuator.joints.iter().map(|joint| &joint.name);
        // Positions belong to joints by their place in the list, so another order would move the wrong joint.
        let named = !names.is_empty() && own.eq(names.iter()) && positions_rad.len() == names.len();
        if !named {
            let expected = Some("every joint of the actuator, in its order".into());
            self.refuse(Reason::JointNames, ReasonArgs { expected, ..ReasonArgs::default() });
        }
        named
    }

    /// One joint of the command against its limits: the position, or the speed if that is what is wrong.
    pub(super) fn joint_item(
        &self,
        constraint: &Constraint,
        limits: &JointLimits,
        actuator: &Actuator,
    ) -> Option<Item> {
        let Asked { position, velocity, rated } = self.asked_of(limits, actuator)?;
        let (position_unit, velocity_unit) = limits.units();
        let [low, high] = limits.position;
        let item = |code, unit, limit, predicted| {
            let mut item = scalar(constraint.id.clone(), Kind::JointLimits, code, limit, predicted);
            item.unit = unit;
            item.reason.args.joint = Some(limits.joint.clone());
            item
        };
        let (bound, margin) =
            // Of a range the nearer end is shown, which is also the one that is violated.
            if position - low < high - position { (low, position - low) } else { (high, high - position) };
        let mut item_of_position = item(Reason::JointLimit, position_unit, bound, position);
        item_of_position.margin = margin;
        let inside = low <= position && position <= high;
        if !inside {
            return Some(item_of_position.deny_unless(false));
        }
        match velocity {
            Some(velocity) if !(0.0 <= velocity && velocity <= limits.velocity) => {
                Some(item(Reason::JointLimit, velocity_unit, limits.velocity, velocity).deny_unless(false))
            }
            // Fingers without a commanded speed may move at their rated one, so that has to be within the limit.
            None if !rated.is_some_and(|rated| rated <= limits.velocity) => {
                Some(item(Reason::MissingVelocity, velocity_unit, limits.velocity, f64::NAN).deny_unless(false))
            }
            Some(_) | None => Some(item_of_position.deny_unless(inside)),
        }
    }

    /// The command's demand on the joint that `limits` are about; `None` if there is none.
    fn asked_of(&self, limits: &JointLimits, actuator: &Actuator) -> Option<Asked> {
        match &self.command.motion {
            Motion::Joints { names, positions_rad, speed_radps } => {
                let place = names.iter().position(|name| name == &limits.joint)?;
                let position = positions_rad.get(place).copied().unwrap_or(f64::NAN);
                Some(Asked { position, velocity: *speed_radps, rated: None })
            }
            // The opening is the position of the one joint that a gripper's fingers slide on.
            Motion::Gripper { opening_m, speed_mps } => {
                let [own] = &*actuator.joints else { return None };
                let asked = Asked { position: *opening_m, velocity: *speed_mps, rated: Some(own.velocity) };
                (own.name == limits.joint).then_some(asked)
            }
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Velocity { .. } | Motion::Escape { .. } => None,
            Motion::Switch { .. } => None,
        }
    }
}
