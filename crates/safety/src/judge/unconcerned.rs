//! The items of limits that bind an actuator and say nothing about a motion: `explain` names them, which shows
//! that they were not forgotten.

use super::checks::{Checks, Report, Way};
use super::items::scalar;
use crate::{Constraint, ConstraintKind, Item};

impl Checks<'_> {
    /// The item of a limit that has no other; `None` where it has one elsewhere, or where nothing can be said because
    /// the robot's place is unknown, which is an item of its own.
    pub(super) fn unconcerned_item(&self, constraint: &Constraint, way: Option<&Way<'_>>) -> Option<Item> {
        let lost = way.is_none() && self.command.motion.is_through_space();
        let waits = way.is_some() && matches!(constraint.kind, ConstraintKind::ApproachSpeed { .. });
        if self.report == Report::Worst || lost || waits {
            return None;
        }
        let (kind, code, limit) = constraint.kind.listed();
        let mut item = scalar(constraint.id.clone(), kind, code, limit, f64::NAN);
        item.unit = constraint.kind.unit();
        if let ConstraintKind::JointLimits(limits) = &constraint.kind {
            item.reason.args.joint = Some(limits.joint.clone());
        }
        Some(item.deny_unless(true))
    }
}
