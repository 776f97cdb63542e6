//! Distances between a path and the regions a constraint allows. Metres; not-a-number never counts as clear.

use glam::DVec3;

use crate::space::rounding::{difference_down, distance_up, sum_up};

/// Halvings of a stretch to find where a violation begins: 2^-50 of any path is below rounding.
const HALVINGS: u32 = 50;
/// Distance of a suggested point inside the allowed region, so that it passes when it is sent, metres.
const SUGGESTION_INSET_M: f64 = 1e-6;

/// A closed box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Aabb {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

/// The region in which a point may be, body and margins already taken off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Region {
    /// In the box, its faces included.
    Within(Aabb),
    /// Out of the sphere, its surface excluded.
    Outside { center: DVec3, radius: f64 },
    /// Farther than `radius` from the box.
    OutsideBox { bounds: Aabb, radius: f64 },
}

/// A way through space: straight pieces, or single points if the robot plans the pieces itself.
pub(crate) struct Track<'a> {
    pub(crate) start: DVec3,
    pub(crate) points: &'a [[f64; 3]],
    pub(crate) pieces: Pieces,
}

/// Known shape of the way between two points of a [`Track`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// A straight line.
    Straight,
    /// Nothing.
    Unknown,
}

/// The worst point of a track in a region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Worst {
    /// Distance to the region's border; negative outside the allowed part.
    pub(crate) clearance: f64,
    pub(crate) point: DVec3,
    /// Index of the track's point that the piece leads to.
    pub(crate) index: usize,
}

impl Aabb {
    pub(crate) fn new(x: [f64; 2], y: [f64; 2], z: [f64; 2]) -> Self {
        Self { min: DVec3::new(x[0], y[0], z[0]), max: DVec3::new(x[1], y[1], z[1]) }
    }

    /// The box with every face moved inwards by `distance`, no less; may be empty.
    pub(crate) fn shrunk(self, distance: f64) -> Self {
        let min = DVec3::from_array(self.min.to_array().map(|face| sum_up(face, distance)));
        let max = DVec3::from_array(self.max.to_array().map(|face| difference_down(face, distance)));
        Self { min, max }
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    pub(crate) fn is_empty(self) -> bool {
        // Also true of not-a-number, for which a plain comparison of the faces would find no problem.
        !self.min.cmple(self.max).all()
    }

    pub(crate) fn corners(self) -> [DVec3; 8] {
        let pick = |i: usize, bit: usize, axis: usize| if i & bit == 0 { self.min[axis] } else { self.max[axis] };
        std::array::from_fn(|i| DVec3::new(pick(i, 1, 0), pick(i, 2, 1), pick(i, 4, 2)))
    }

    /// Distance of `point` from the box; inside, minus the distance to the nearest face.
    pub(crate) fn distance(self, point: DVec3) -> f64 {
        if !point.is_finite() {
            return f64::NAN;
        }
        let beyond = self.beyond(point);
        beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
    }

    /// Distance of `point` beyond the nearer face of each axis; negative between the faces.
    fn beyond(self, point: DVec3) -> DVec3 {
        (self.min - point).max(point - self.max)
    }

    /// The direction in which the distance of a finite `point` grows fastest, of any length above 0.
    fn outwards(self, point: DVec3) -> DVec3 {
        let beyond = self.beyond(point);
        let center = (self.min + self.max) / 2.0;
        let side = DVec3::ONE.copysign(point - center);
        if beyond.max_element() > 0.0 {
            return beyond.max(DVec3::ZERO) * side;
        }
        DVec3::AXES[beyond.max_position()] * side
    }

    /// True if the distance of `point` grows in the direction `way`; where two faces are equally near, the one that
    /// gets farther away decides, because the distance follows it.
    pub(crate) fn grows(self, point: DVec3, way: DVec3) -> bool {
        let beyond = self.beyond(point);
        let farthest = beyond.max_element();
        if farthest > 0.0 {
            return self.outwards(point).dot(way) > 0.0;
        }
        (0..3).any(|axis| {
            let (below, above) = (self.min[axis] - point[axis], point[axis] - self.max[axis]);
            (below == farthest && way[axis] < 0.0) || (above == farthest && way[axis] > 0.0)
        })
    }

    /// The face nearest to `point`, or the one it is farthest beyond: axis, whether it is the upper face, distance.
    pub(crate) fn nearest_face(self, point: DVec3) -> (usize, bool, f64) {
        let below = |axis: usize| difference_down(point[axis], self.min[axis]);
        let above = |axis: usize| difference_down(self.max[axis], point[axis]);
        let mut nearest = (0, false, below(0));
        for axis in 0..3 {
            for (upper, distance) in [(false, below(axis)), (true, above(axis))] {
                if is_worse(distance, nearest.2) {
                    nearest = (axis, upper, distance);
                }
            }
        }
        nearest
    }
}

impl Region {
    /// Signed distance to the border, positive where it is allowed to be.
    pub(crate) fn clearance(self, point: DVec3) -> f64 {
        match self {
            Self::Within(bounds) => bounds.nearest_face(point).2,
            Self::Outside { center, radius } => (point - center).length() - radius,
            Self::OutsideBox { bounds, radius } => bounds.distance(point) - radius,
        }
    }

    /// True if `clearance` is enough.
    pub(crate) fn holds(self, clearance: f64) -> bool {
        match self {
            Self::Within(_) => clearance >= 0.0,
            Self::Outside { .. } | Self::OutsideBox { .. } => clearance > 0.0,
        }
    }

    /// The region that keeps `distance` more from its border.
    pub(crate) fn tightened(self, distance: f64) -> Self {
        match self {
            Self::Within(bounds) => Self::Within(bounds.shrunk(distance)),
            Self::Outside { center, radius } => Self::Outside { center, radius: radius + distance },
            Self::OutsideBox { bounds, radius } => Self::OutsideBox { bounds, radius: radius + distance },
        }
    }

    /// The allowed point nearest to `point`, or none if the region is empty.
    pub(crate) fn nearest_allowed(self, point: DVec3) -> Option<DVec3> {
        match self.tightened(SUGGESTION_INSET_M) {
            Self::Within(bounds) => (!bounds.is_empty()).then(|| point.clamp(bounds.min, bounds.max)),
            Self::Outside { center, radius } => {
                // From the centre every direction is equally near, so any one will do.
                let outwards = (point - center).try_normalize().unwrap_or(DVec3::Z);
                Some(center + outwards * radius)
            }
            Self::OutsideBox { bounds, radius } => {
                let outwards = bounds.outwards(point).try_normalize()?;
                Some(point + outwards * (radius - bounds.distance(point)))
            }
        }
    }

    /// The point between `from` and `to` with the least clearance.
    fn worst_between(self, from: DVec3, to: DVec3) -> DVec3 {
        match self {
            // A box is convex, so the clearance is least at an end.
            Self::Within(_) if is_worse(self.clearance(from), self.clearance(to)) => from,
            Self::Within(_) => to,
            Self::Outside { center, .. } => closest_between(from, to, center),
            Self::OutsideBox { bounds, .. } => deepest_between(from, to, bounds),
        }
    }
}

impl Track<'_> {
    /// Goes through the pieces as (from, to), the first being the start alone. Without known pieces each is a point.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
        let mut from = self.start;
        let points = self.points.iter().map(|point| DVec3::from_array(*point));
        std::iter::once(self.start).chain(points).map(move |to| {
            let piece = match self.pieces {
                Pieces::Straight => (from, to),
                Pieces::Unknown => (to, to),
            };
            from = to;
            piece
        })
    }

    /// The straight-line length, metres, rounded up.
    pub(crate) fn length(&self) -> f64 {
        let mut from = self.start;
        let mut length = 0.0;
        for point in self.points {
            let to = DVec3::from_array(*point);
            length = sum_up(length, distance_up(from, to));
            from = to;
        }
        length
    }

    /// The least clearance along the track; `convert` takes its points into the region's frame.
    pub(crate) fn worst(&self, region: Region, convert: impl Fn(DVec3) -> DVec3) -> Worst {
        let mut worst = Worst { clearance: f64::INFINITY, point: self.start, index: 0 };
        for (i, (from, to)) in self.pieces().enumerate() {
            let point = region.worst_between(convert(from), convert(to));
            let clearance = region.clearance(point);
            if is_worse(clearance, worst.clearance) {
                worst = Worst { clearance, point, index: i.saturating_sub(1) };
            }
        }
        worst
    }

    /// Distance along the track at which `region` is first left, if the pieces are known.
    pub(crate) fn first_violation(&self, region: Region, convert: impl Fn(DVec3) -> DVec3) -> Option<f64> {
        if self.pieces == Pieces::Unknown {
            return None;
        }
        let mut travelled = 0.0;
        for (from, to) in self.pieces() {
            let (from, to) = (convert(from), convert(to));
            let worst = region.worst_between(from, to);
            if !region.holds(region.clearance(worst)) {
                return Some(travelled + first_between(region, from, worst)).filter(|at| at.is_finite());
            }
            travelled += from.distance(to);
        }
        None
    }
}

/// Distance from `from` at which the region is left on the way to `worst`. On that way the region is left once and not
/// entered again, because the allowed box and the forbidden sphere are convex.
fn first_between(region: Region, from: DVec3, worst: DVec3) -> f64 {
    if !region.holds(region.clearance(from)) {
        return 0.0;
    }
    let (mut held, mut left) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (held + left) / 2.0;
        if region.holds(region.clearance(from.lerp(worst, middle))) {
            held = middle;
        } else {
            left = middle;
        }
    }
    held * from.distance(worst)
}

/// The point between `from` and `to` that is closest to `center`; not-a-number if the distances overflow.
fn closest_between(from: DVec3, to: DVec3, center: DVec3) -> DVec3 {
    let way = to - from;
    let length_squared = way.length_squared();
    if length_squared == 0.0 {
        return from;
    }
    if !length_squared.is_finite() {
        return DVec3::NAN;
    }
    let share = ((center - from).dot(way) / length_squared).clamp(0.0, 1.0);
    // The end itself, not `from + way`, which may round past it.
    if share == 1.0 { to } else { from + way * share }
}

/// The point between `from` and `to` that is closest to `bounds`, or deepest in it; not-a-number if the distances
/// overflow. The distance to a convex body is convex along a line, so its slope says on which side the least is.
fn deepest_between(from: DVec3, to: DVec3, bounds: Aabb) -> DVec3 {
    let way = to - from;
    if !way.length_squared().is_finite() {
        return DVec3::NAN;
    }
    let slope = |point: DVec3| bounds.outwards(point).dot(way);
    if slope(from) >= 0.0 {
        return from;
    }
    if slope(to) <= 0.0 {
        return to;
    }
    let (mut falling, mut rising) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (falling + rising) / 2.0;
        if slope(from + way * middle) < 0.0 {
            falling = middle;
        } else {
            rising = middle;
        }
    }
    from + way * rising
}

/// True if `candidate` is worse than `known`; not-a-number is the worst and stays it.
pub(crate) fn is_worse(candidate: f64, known: f64) -> bool {
    !known.is_nan() && !(candidate >= known)
}

#[cfg(test)]
mod tests;
