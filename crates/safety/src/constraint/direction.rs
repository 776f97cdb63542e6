//! The direction of a change to a limit. Only what certainly allows less than before is a tightening.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ConstraintKind;

/// Direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeDirection {
    /// Everything that is allowed now was allowed before.
    Tightening,
    /// Something may be allowed that was not, or it is not clear.
    Loosening,
}

impl ConstraintKind {
    /// The direction of replacing this limit by `new`.
    #[must_use]
    pub fn direction_to(&self, new: &Self) -> ChangeDirection {
        if self.contains(new) { ChangeDirection::Tightening } else { ChangeDirection::Loosening }
    }

    /// True if everything that `new` allows is allowed by this limit too.
    fn contains(&self, new: &Self) -> bool {
        match (self, new) {
            (Self::Workspace { x, y, z }, Self::Workspace { x: nx, y: ny, z: nz }) => {
                within(x, nx) && within(y, ny) && within(z, nz)
            }
            (Self::ForbiddenZone { center, radius }, Self::ForbiddenZone { center: other, radius: larger }) => {
                // The new sphere must hold all of the old one, also on the far side of its centre.
                distance(center, other) + radius <= *larger
            }
            (Self::KeepOutBox { min, max }, Self::KeepOutBox { min: lower, max: higher }) => {
                (0..3).all(|axis| within(&[lower[axis], higher[axis]], &[min[axis], max[axis]]))
            }
            (Self::JointLimits(old), Self::JointLimits(new)) => old.contains(new),
            (Self::MaxVelocity(old), Self::MaxVelocity(new))
            | (Self::MaxForce(old), Self::MaxForce(new))
            | (Self::MaxAcceleration(old), Self::MaxAcceleration(new))
            | (Self::GoalJump(old), Self::GoalJump(new))
            | (Self::StoppingDistance(old), Self::StoppingDistance(new)) => new <= old,
            (
                Self::CommandRate { actuator, hz, burst },
                Self::CommandRate { actuator: same, hz: slower, burst: fewer },
            ) => actuator == same && slower <= hz && fewer <= burst,
            (
                Self::ApproachSpeed { decel_mps2, floor_mps },
                Self::ApproachSpeed { decel_mps2: softer, floor_mps: slower },
            ) => softer <= decel_mps2 && slower <= floor_mps,
            (
                Self::Workspace { .. }
                | Self::ForbiddenZone { .. }
                | Self::KeepOutBox { .. }
                | Self::MaxVelocity(_)
                | Self::MaxForce(_)
                | Self::JointLimits(_)
                | Self::MaxAcceleration(_)
                | Self::GoalJump(_)
                | Self::StoppingDistance(_)
                | Self::CommandRate { .. }
                | Self::ApproachSpeed { .. },
                // Limits of two kinds cannot be compared, so replacing one by the other may loosen.
                _,
            ) => false,
        }
    }
}

fn within(outer: &[f64; 2], inner: &[f64; 2]) -> bool {
    outer[0] <= inner[0] && inner[1] <= outer[1]
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robot::JointMotion;

    use super::*;
    use crate::JointLimits;
    use crate::fixtures::rate;

    fn zone(x: f64, radius: f64) -> ConstraintKind {
        ConstraintKind::ForbiddenZone { center: [x, 0.0, 0.0], radius }
    }

    fn cube(low: f64, high: f64) -> ConstraintKind {
        ConstraintKind::Workspace { x: [low, high], y: [low, high], z: [low, high] }
    }

    fn approach(decel_mps2: f64, floor_mps: f64) -> ConstraintKind {
        ConstraintKind::ApproachSpeed { decel_mps2, floor_mps }
    }

    fn keep_out(half: f64) -> ConstraintKind {
        ConstraintKind::KeepOutBox { min: [-half; 3], max: [half; 3] }
    }

    #[test]
    fn only_what_certainly_allows_less_is_a_tightening() {
        use ChangeDirection::{Loosening, Tightening};
        for (old, new, expected) in [
            (cube(-1.0, 1.0), cube(-0.5, 0.5), Tightening),
            (cube(-1.0, 1.0), cube(-0.5, 1.1), Loosening),
            (zone(0.0, 0.2), zone(0.1, 0.4), Tightening),
            (zone(0.0, 0.2), zone(0.1, 0.2), Loosening),
            (ConstraintKind::MaxVelocity(1.0), ConstraintKind::MaxVelocity(0.5), Tightening),
            (ConstraintKind::MaxVelocity(1.0), ConstraintKind::MaxVelocity(1.5), Loosening),
            (ConstraintKind::MaxForce(10.0), ConstraintKind::MaxForce(f64::NAN), Loosening),
            (ConstraintKind::MaxVelocity(1.0), ConstraintKind::MaxForce(0.5), Loosening),
            (approach(1.0, 0.1), approach(0.5, 0.1), Tightening),
            (approach(1.0, 0.1), approach(0.5, 0.2), Loosening),
            (keep_out(0.2), keep_out(0.3), Tightening),
            (keep_out(0.2), keep_out(0.1), Loosening),
            (rate("arm", 10.0, 5), rate("arm", 10.0, 5), Tightening),
            (rate("arm", 10.0, 5), rate("arm", 11.0, 5), Loosening),
            (rate("arm", 10.0, 5), rate("arm", 10.0, 6), Loosening),
            (rate("arm", 10.0, 5), rate("gripper", 5.0, 1), Loosening),
        ] {
            assert_eq!(old.direction_to(&new), expected, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn a_workspace_that_grows_on_any_one_axis_is_a_loosening() {
        for axis in 0..3 {
            let mut spans = [[-0.5, 0.5]; 3];
            spans[axis] = [-0.5, 1.1];
            let [x, y, z] = spans;
            let grown = ConstraintKind::Workspace { x, y, z };
            assert_eq!(cube(-1.0, 1.0).direction_to(&grown), ChangeDirection::Loosening, "{grown:?}");
        }
    }

    #[test]
    fn joint_limits_that_give_any_one_number_more_room_are_a_loosening() {
        use ChangeDirection::{Loosening, Tightening};
        let old = JointLimits {
            joint: "elbow".parse().unwrap(),
            motion: JointMotion::Turning,
            position: [-1.0, 1.0],
            velocity: 0.5,
            acceleration: Some(2.0),
            effort: Some(9.0),
        };
        let check = |old: &JointLimits, change: fn(&mut JointLimits), expected| {
            let mut new = old.clone();
            change(&mut new);
            let (old, new) = (ConstraintKind::JointLimits(old.clone()), ConstraintKind::JointLimits(new));
            assert_eq!(old.direction_to(&new), expected, "{old:?} to {new:?}");
        };
        check(&old, |_| {}, Tightening);
        check(&old, |new| new.position = [-0.5, 0.5], Tightening);
        check(&old, |new| (new.velocity, new.acceleration, new.effort) = (0.4, Some(1.0), Some(1.0)), Tightening);
        let loosened: [fn(&mut JointLimits); 9] = [
            |new| new.position = [-1.1, 1.0],
            |new| new.position = [-1.0, 1.1],
            |new| new.velocity = 0.6,
            |new| new.acceleration = Some(2.1),
            |new| new.acceleration = None,
            |new| new.effort = Some(9.1),
            |new| new.effort = None,
            |new| new.joint = "shoulder".parse().unwrap(),
            |new| new.motion = JointMotion::Sliding,
        ];
        loosened.into_iter().for_each(|change| check(&old, change, Loosening));
        let unlimited = JointLimits { acceleration: None, effort: None, ..old };
        check(&unlimited, |new| new.effort = Some(9.0), Tightening);
    }

    proptest! {
        #[test]
        fn a_point_outside_the_old_zone_is_never_freed_by_a_tightening(
            (x, r) in (-1.0..1.0f64, 0.01..1.0f64), (nx, nr) in (-1.0..1.0f64, 0.01..1.0f64), point in -3.0..3.0f64,
        ) {
            let (old, new) = (zone(x, r), zone(nx, nr));
            if old.direction_to(&new) == ChangeDirection::Tightening && (point - x).abs() <= r {
                prop_assert!((point - nx).abs() <= nr + 1e-12);
            }
        }
    }
}
