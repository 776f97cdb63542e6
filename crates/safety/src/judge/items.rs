//! The parts every check makes its items of.

use glam::DVec3;
use robot::{ConstraintId, Reason};

use crate::space::geometry::Aabb;
use crate::verdict::ItemReason;
use crate::{Axis, Item, Kind, Overall, ReasonArgs};

/// An item about one number that must not be above another; an item about a place gets the margin of its region.
pub(super) fn scalar(id: ConstraintId, kind: Kind, code: Reason, limit: f64, predicted: f64) -> Item {
    Item {
        constraint: Some(id),
        kind,
        verdict: Overall::Deny,
        limit,
        predicted,
        margin: limit - predicted,
        unit: kind.unit(),
        at_path_m: None,
        point_m: None,
        nearest_allowed_m: None,
        reason: ItemReason { code, args: ReasonArgs::default() },
    }
}

/// An item about the face of a box that is nearest to `point`.
pub(super) fn face_item(id: ConstraintId, kind: Kind, code: Reason, bounds: Aabb, point: DVec3) -> Item {
    let (axis, upper, clearance) = bounds.nearest_face(point);
    let limit = if upper { bounds.max[axis] } else { bounds.min[axis] };
    let mut item = scalar(id, kind, code, limit, point[axis]);
    item.margin = clearance;
    item.reason.args.axis = Some([Axis::X, Axis::Y, Axis::Z][axis]);
    item
}

impl Item {
    /// Items start denied; only a comparison that was true makes one allowed.
    pub(super) fn deny_unless(self, holds: bool) -> Self {
        let verdict = if holds { Overall::Allow } else { Overall::Deny };
        Self { verdict, ..self }
    }
}

pub(super) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

pub(super) fn finite_point(point: DVec3) -> Option<[f64; 3]> {
    point.is_finite().then(|| point.to_array())
}
