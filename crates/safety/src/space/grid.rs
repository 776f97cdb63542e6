//! Many zones or boxes of one kind on a uniform grid: a way asks only the cells it goes through.
//!
//! A cell lists the places near it, nearest first, each with a bound below its clearance anywhere in the cell. A way
//! that knows how near is near enough stops reading there. Nothing here decides: every place that the bounds leave over
//! is measured exactly, and where a list may be too short, all are.

use glam::{DVec3, USizeVec3, Vec3};
use robot::Envelope;

use crate::Limits;
use crate::constraint::limits::CONSTRAINTS_MAX;
use crate::space::frames::{Frame, FrameIndex, Frames};
use crate::space::geometry::{Aabb, Pieces, Region, Track};
use crate::space::rounding::difference_down;

/// So many nearest places, at least, are in each cell's list: a way that violates some still finds the next.
const NEAREST: usize = 4;
/// Added to every bound, metres: a point that rounding puts into the cell next to its own is still covered.
const SLACK_M: f64 = 1e-6;
/// Cells for each place, on the average; more cells are shorter lists and a longer way.
const CELLS_PER_PLACE: usize = 4;
/// The most cells: what compiling the largest set may cost.
const CELLS_MAX: usize = 1 << 15;
/// The most entries of all lists together, about 100 MB: where so many places overlap, a list tells little.
const LISTED_MAX: usize = 1 << 22;

/// One zone or box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The region in which the robot's point may be.
    pub(crate) region: Region,
    /// The frame of its numbers.
    pub(crate) frame: FrameIndex,
    /// Its constraint's place in the set.
    pub(crate) constraint: u32,
}

/// Reach of the robot from its track.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// The radius of the ball its joints move it in, metres.
    pub(crate) ball_m: f64,
    /// The room it needs to stop, metres.
    pub(crate) stopping_m: f64,
}

/// Places of one kind and the grid that finds them.
#[derive(Debug)]
pub(crate) struct Places {
    places: Vec<Place>,
    bounds: Aabb,
    /// Cells on each axis.
    sides: USizeVec3,
    /// Start of each cell's list in `listed`; one more than there are cells.
    begins: Vec<u32>,
    /// As many as there are cells: a place that a cell does not list is at least this far from it, metres.
    beyond_m: Vec<f32>,
    listed: Vec<Listed>,
}

/// A ball of the default frame that holds all of a place: its clearance is never less than the ball's.
#[derive(Debug, Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
    /// True if the ball is the place itself.
    is_exact: bool,
}

/// A place in a cell's list, with all that a way that stays away from it has to know.
#[derive(Debug, Clone, Copy)]
struct Listed {
    /// Not more than its clearance anywhere in the cell, metres.
    least_m: f32,
    place: u32,
    /// A ball of the default frame that holds all of it; in half the memory, and larger by what that rounds.
    center: Vec3,
    radius: f32,
}

impl Reach {
    /// True if a track that comes within `clearance` of the border of `region` is allowed.
    pub(crate) fn is_clear(self, region: Region, clearance: f64) -> bool {
        let clearance = difference_down(clearance, self.ball_m);
        region.holds(clearance) && region.holds(difference_down(clearance, self.stopping_m))
    }
}

impl Places {
    /// Lays `places` out over the robot's envelope.
    pub(crate) fn new(limits: &Limits, places: Vec<Place>) -> Self {
        let Envelope { x_m, y_m, z_m } = limits.manifest.envelope;
        let bounds = Aabb::new(x_m, y_m, z_m);
        let balls: Vec<Ball> = places.iter().map(|place| Ball::around(*place, &limits.frames)).collect();
        let sides = sides(bounds, (places.len() * CELLS_PER_PLACE).min(CELLS_MAX));
        let cells = sides.element_product();
        let mut plan = Plan {
            limits,
            places: &places,
            balls: &balls,
            sides,
            lists: vec![Vec::new(); cells],
            beyond_m: vec![0.0; cells],
            count: 0,
        };
        let all = (0..).zip(&places).map(|(place, _)| place).collect::<Vec<u32>>();
        plan.fill(bounds, USizeVec3::ZERO, sides, &all);
        let Plan { lists, beyond_m, count, .. } = plan;
        if count > LISTED_MAX {
            return Self::without_lists(places, bounds);
        }
        let mut begins = vec![0];
        let mut listed = Vec::new();
        for list in lists {
            listed.extend(list);
            begins.push(u32::try_from(listed.len()).unwrap_or(u32::MAX));
        }
        Self { places, bounds, sides, begins, beyond_m, listed }
    }

    /// The same as one cell that lists nothing, so that every place is measured.
    fn without_lists(places: Vec<Place>, bounds: Aabb) -> Self {
        let (begins, beyond_m) = (vec![0, 0], vec![f32::NEG_INFINITY]);
        Self { places, bounds, sides: USizeVec3::ONE, begins, beyond_m, listed: Vec::new() }
    }

    /// Names every place that `track` violates, and the nearest that it does not.
    pub(crate) fn sweep(
        &self,
        frames: &Frames,
        track: &Track<'_>,
        frame: Frame,
        reach: Reach,
        found: &mut dyn FnMut(u32),
    ) {
        let mut sweep =
            Sweep { places: self, frames, track, frame, reach, seen: Seen::default(), nearest: None, found };
        // Slower, and always right: the grid saves time and must never save a check.
        if !sweep.walk() {
            (0..).zip(&self.places).for_each(|(place, _)| sweep.measure(place));
        }
        let Sweep { nearest, found, .. } = sweep;
        nearest.into_iter().for_each(|(_, place)| found(self.places[place as usize].constraint));
    }

    /// The cell a point of the default frame lies in; `None` outside.
    fn cell_of(&self, point: DVec3) -> Option<USizeVec3> {
        let Aabb { min, max } = self.bounds;
        // The comparison that not-a-number fails; such a point goes the slow way, where it denies.
        if !(point.cmpge(min).all() && point.cmple(max).all()) {
            return None;
        }
        let share = (point - min) / (max - min) * self.sides.as_dvec3();
        // A point on the upper face belongs to the last cell, not to one beyond it.
        Some(share.as_usizevec3().min(self.sides - USizeVec3::ONE))
    }

    fn list(&self, cell: USizeVec3) -> (&[Listed], f64) {
        let at = index(cell, self.sides);
        let (begin, end) = (self.begins[at] as usize, self.begins[at + 1] as usize);
        (&self.listed[begin..end], f64::from(self.beyond_m[at]))
    }
}

/// Places that were measured already, one bit each.
struct Seen([u64; CONSTRAINTS_MAX.div_ceil(64)]);

impl Default for Seen {
    fn default() -> Self {
        Self([0; CONSTRAINTS_MAX.div_ceil(64)])
    }
}

impl Seen {
    /// True the first time.
    fn insert(&mut self, place: u32) -> bool {
        let (word, bit) = (&mut self.0[place as usize / 64], 1 << (place % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

/// One way through the grid.
struct Sweep<'a> {
    places: &'a Places,
    frames: &'a Frames,
    track: &'a Track<'a>,
    frame: Frame,
    reach: Reach,
    seen: Seen,
    /// The least clearance of a place that is not violated.
    nearest: Option<(f64, u32)>,
    found: &'a mut dyn FnMut(u32),
}

impl Sweep<'_> {
    /// Nearer than this a place matters: it is violated, or nearer than any other that is not.
    fn near_m(&self) -> f64 {
        let nearest_m = self.nearest.map_or(f64::INFINITY, |(clearance, _)| clearance);
        nearest_m.max(self.reach.ball_m + self.reach.stopping_m) + SLACK_M
    }

    /// Goes through every cell of the track; false if their lists may not have been long enough.
    fn walk(&mut self) -> bool {
        // With a reach that is no number no place can be ruled out, so all of them are measured.
        if !(self.reach.ball_m + self.reach.stopping_m).is_finite() {
            return false;
        }
        let (home, mut complete_m) = (self.frames.default_index(), f64::INFINITY);
        // The first piece is the start alone, which the piece after it begins with if it is known.
        let known = self.track.pieces == Pieces::Straight && !self.track.points.is_empty();
        for (from, to) in self.track.pieces().skip(usize::from(known)) {
            let from = self.frames.convert(from, self.frame, home);
            let to = self.frames.convert(to, self.frame, home);
            let Some(cells) = Cells::new(self.places, from, to) else { return false };
            for cell in cells {
                let (list, beyond_m) = self.places.list(cell);
                if !self.read(list, from, to) {
                    complete_m = complete_m.min(beyond_m);
                }
            }
        }
        complete_m >= self.near_m()
    }

    /// Measures what the list says is near the piece between two points; false if it ended before it got far.
    fn read(&mut self, list: &[Listed], from: DVec3, to: DVec3) -> bool {
        let way = to - from;
        let per_length = way.length_squared().recip();
        for listed in list {
            let near_m = self.near_m();
            if f64::from(listed.least_m) > near_m {
                return true;
            }
            // Most of a list is near the cell and far from the piece; a piece of no length is never far by this.
            let center = listed.center.as_dvec3();
            let share = ((center - from).dot(way) * per_length).clamp(0.0, 1.0);
            let far_m = near_m + f64::from(listed.radius);
            if (from + way * share).distance_squared(center) > far_m * far_m {
                continue;
            }
            self.measure(listed.place);
        }
        false
    }

    fn measure(&mut self, place: u32) {
        if !self.seen.insert(place) {
            return;
        }
        let Place { region, frame, constraint } = self.places.places[place as usize];
        let clearance = self.track.worst(region, |point| self.frames.convert(point, self.frame, frame)).clearance;
        if !self.reach.is_clear(region, clearance) {
            return (self.found)(constraint);
        }
        // Equal margins are in order of id, which is the order of places.
        let margin = clearance - self.reach.ball_m - self.reach.stopping_m;
        let nearer = self.nearest.is_none_or(|(known, first)| {
            let known = known - self.reach.ball_m - self.reach.stopping_m;
            margin < known || (margin == known && place < first)
        });
        if nearer {
            self.nearest = Some((clearance, place));
        }
    }
}

/// The cells of a straight piece in order, after Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987.
struct Cells {
    next: Option<USizeVec3>,
    end: USizeVec3,
    upwards: [bool; 3],
    /// The share of the piece at which it leaves the cell on each axis.
    leaves_at: DVec3,
    /// The share of the piece that crosses one cell on each axis.
    per_cell: DVec3,
}

impl Cells {
    /// `None` if an end lies outside of the grid.
    fn new(places: &Places, from: DVec3, to: DVec3) -> Option<Self> {
        let (first, end) = (places.cell_of(from)?, places.cell_of(to)?);
        let way = to - from;
        let size = (places.bounds.max - places.bounds.min) / places.sides.as_dvec3();
        let upwards = std::array::from_fn(|axis| way[axis] > 0.0);
        let per_cell = (size / way).abs();
        let leaves_at = std::array::from_fn(|axis| {
            let face = first[axis] + usize::from(upwards[axis]);
            (places.bounds.min[axis] + size[axis] * face as f64 - from[axis]) / way[axis]
        });
        Some(Self { next: Some(first), end, upwards, leaves_at: DVec3::from_array(leaves_at), per_cell })
    }
}

impl Iterator for Cells {
    type Item = USizeVec3;

    fn next(&mut self) -> Option<USizeVec3> {
        let here = self.next?;
        // An axis on which the end is reached is done, whatever rounding says, so that the walk ends in the end's cell.
        let left = (0..3).filter(|axis| here[*axis] != self.end[*axis]);
        let axis = left.min_by(|a, b| self.leaves_at[*a].total_cmp(&self.leaves_at[*b]));
        self.next = axis.map(|axis| {
            let mut next = here;
            next[axis] = if self.upwards[axis] { here[axis] + 1 } else { here[axis] - 1 };
            self.leaves_at[axis] += self.per_cell[axis];
            next
        });
        Some(here)
    }
}

impl Ball {
    fn around(place: Place, frames: &Frames) -> Self {
        let (center, radius, is_exact) = match place.region {
            Region::Outside { center, radius } => (center, radius, true),
            Region::OutsideBox { bounds, radius } => {
                ((bounds.min + bounds.max) / 2.0, radius + (bounds.max - bounds.min).length() / 2.0, false)
            }
            // Never one of many; it is near to everything.
            Region::Within(_) => (DVec3::ZERO, f64::INFINITY, false),
        };
        Self { center: frames.convert(center, Frame::from(place.frame), frames.default_index()), radius, is_exact }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the next number above is not below what was rounded")]
    fn listed(self, least_m: f64, place: u32) -> Listed {
        let center = self.center.as_vec3();
        let radius = self.radius + center.as_dvec3().distance(self.center);
        Listed { least_m: rounded_down(least_m), place, center, radius: (radius as f32).next_up() }
    }
}

/// As many halvings, each of the longest edge, as make about `cells` cells.
fn sides(bounds: Aabb, cells: usize) -> USizeVec3 {
    let mut sides = USizeVec3::ONE;
    while sides.element_product() < cells {
        let edges = (bounds.max - bounds.min) / sides.as_dvec3();
        sides[edges.max_position()] *= 2;
    }
    sides
}

fn index(cell: USizeVec3, sides: USizeVec3) -> usize {
    cell.x + sides.x * (cell.y + sides.y * cell.z)
}

/// A grid while it is being laid out.
struct Plan<'a> {
    limits: &'a Limits,
    places: &'a [Place],
    balls: &'a [Ball],
    sides: USizeVec3,
    lists: Vec<Vec<Listed>>,
    beyond_m: Vec<f32>,
    /// Entries of all lists so far; above [`LISTED_MAX`] the grid is given up.
    count: usize,
}

impl Plan<'_> {
    /// Lists, for every cell of a cube of `size` cells, what of `candidates` is near it. Each halving of the cube keeps
    /// what can be one of the nearest anywhere in it, and what is within half its own size of it.
    fn fill(&mut self, cube: Aabb, first: USizeVec3, size: USizeVec3, candidates: &[u32]) {
        if self.count > LISTED_MAX {
            return;
        }
        let middle = (cube.min + cube.max) / 2.0;
        // Widened, because every bound below rests on it and must not be too short by rounding.
        let half_m = (cube.max - cube.min).length() / 2.0 * (1.0 + 1e-9) + SLACK_M;
        let mut nearest_m = [f64::INFINITY; NEAREST];
        let mut near: Vec<(f64, u32)> = Vec::with_capacity(candidates.len());
        for place in candidates {
            let (least_m, middle_m) = self.clearance(*place, cube, middle, half_m);
            // The farthest of them makes room, and the others stay in order.
            let at = nearest_m.partition_point(|known| *known <= middle_m);
            if at < NEAREST {
                nearest_m[at..].rotate_right(1);
                nearest_m[at] = middle_m;
            }
            near.push((least_m, *place));
        }
        // Nowhere in the cube are as many places farther than this.
        let within_m = (nearest_m[NEAREST - 1] + half_m).max(half_m);
        near.retain(|(least_m, _)| *least_m <= within_m);
        let edges = cube.max - cube.min;
        let divisible = (0..3).filter(|axis| size[*axis] > 1);
        let Some(axis) = divisible.max_by(|a, b| edges[*a].total_cmp(&edges[*b])) else {
            self.count += near.len();
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let at = index(first, self.sides);
            self.beyond_m[at] = rounded_down(within_m);
            self.lists[at] =
                near.into_iter().map(|(least_m, place)| self.balls[place as usize].listed(least_m, place)).collect();
            return;
        };
        let kept: Vec<u32> = near.into_iter().map(|(_, place)| place).collect();
        let (mut half, mut lower, mut upper, mut second) = (size, cube, cube, first);
        half[axis] /= 2;
        second[axis] += half[axis];
        lower.max[axis] = middle[axis];
        upper.min[axis] = middle[axis];
        self.fill(lower, first, half, &kept);
        self.fill(upper, second, half, &kept);
    }

    /// Not more than the clearance of a place anywhere in the cube, and the clearance in its middle; there it differs
    /// from anywhere in the cube by at most half of the diagonal.
    fn clearance(&self, place: u32, cube: Aabb, middle: DVec3, half_m: f64) -> (f64, f64) {
        let Ball { center, radius, is_exact } = self.balls[place as usize];
        let beyond = (cube.min - center).max(center - cube.max).max(DVec3::ZERO);
        let least_m = beyond.length() - radius - SLACK_M;
        if is_exact {
            return (least_m, middle.distance(center) - radius);
        }
        let Place { region, frame, .. } = self.places[place as usize];
        let frames = &self.limits.frames;
        let middle_m = region.clearance(frames.convert(middle, frames.default_index(), frame));
        (least_m.max(middle_m - half_m), middle_m)
    }
}

/// At most `metres`, in half the memory.
#[expect(clippy::cast_possible_truncation, reason = "the next number below is not above what was rounded")]
fn rounded_down(metres: f64) -> f32 {
    (metres as f32).next_down()
}

#[cfg(test)]
mod tests;
