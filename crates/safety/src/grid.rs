//! Many zones or boxes of one kind on a uniform grid: a way asks only the cells it goes through.
//!
//! A cell lists the places near it, nearest first, each with a bound below its clearance anywhere in the cell. A way
//! that knows how near is near enough stops reading there. Nothing here decides: every place that the bounds leave over
//! is measured exactly, and where a list may be too short, all are.

use glam::{DVec3, USizeVec3};
use robot::Envelope;

use crate::Limits;
use crate::frames::{Frame, FrameIndex, Frames};
use crate::geometry::{Aabb, Pieces, Region, Track};
use crate::limits::CONSTRAINTS_MAX;

/// Added to every bound, metres: a point that rounding puts into the cell next to its own is still covered.
const SLACK_M: f64 = 1e-6;
/// The most halvings of the envelope on each axis: 32,768 cells.
const LEVELS_MAX: u32 = 5;
/// Places for each cell, on the average; more cells are shorter lists and a longer way.
const PLACES_PER_CELL: usize = 4;

/// One zone or box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// Where the robot's point may be.
    pub(crate) region: Region,
    /// The frame of its numbers.
    pub(crate) frame: FrameIndex,
    /// Its constraint's place in the set.
    pub(crate) constraint: u32,
}

/// How far from its track the robot can get.
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
    side: usize,
    /// Where the list of each cell begins; one more than there are cells.
    begins: Vec<u32>,
    /// As many as there are cells: a place that a cell does not list is at least this far from it, metres.
    beyond_m: Vec<f32>,
    listed: Vec<Listed>,
}

/// A place in a cell's list.
#[derive(Debug, Clone, Copy)]
struct Listed {
    /// Not more than its clearance anywhere in the cell, metres.
    least_m: f32,
    place: u32,
}

impl Reach {
    /// Whether a track that comes within `clearance` of the border of `region` is allowed.
    pub(crate) fn is_clear(self, region: Region, clearance: f64) -> bool {
        let clearance = clearance - self.ball_m;
        region.holds(clearance) && region.holds(clearance - self.stopping_m)
    }
}

impl Places {
    /// Lays `places` out over the robot's envelope.
    pub(crate) fn new(limits: &Limits, places: Vec<Place>) -> Self {
        let Envelope { x_m, y_m, z_m } = limits.manifest.envelope;
        let cells = (places.len() / PLACES_PER_CELL).max(1);
        let levels = (0..LEVELS_MAX).find(|level| 8_usize.pow(*level) >= cells).unwrap_or(LEVELS_MAX);
        let side = 1 << levels;
        let mut plan =
            Plan { limits, places: &places, lists: vec![Vec::new(); side * side * side], beyond_m: Vec::new() };
        plan.beyond_m = vec![0.0; plan.lists.len()];
        let bounds = Aabb::new(x_m, y_m, z_m);
        let all = (0..).zip(&places).map(|(place, _)| place).collect::<Vec<u32>>();
        plan.fill(bounds, USizeVec3::ZERO, side, side, &all);
        let Plan { lists, beyond_m, .. } = plan;
        let mut begins = vec![0];
        let mut listed = Vec::new();
        for list in lists {
            listed.extend(list);
            begins.push(u32::try_from(listed.len()).unwrap_or(u32::MAX));
        }
        Self { places, bounds, side, begins, beyond_m, listed }
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
        if !sweep.walk() {
            (0..).zip(&self.places).for_each(|(place, _)| sweep.measure(place));
        }
        let Sweep { nearest, found, .. } = sweep;
        nearest.into_iter().for_each(|(_, place)| found(self.places[place as usize].constraint));
    }

    /// The cell a point of the default frame lies in; `None` outside.
    fn cell_of(&self, point: DVec3) -> Option<USizeVec3> {
        let Aabb { min, max } = self.bounds;
        if !(point.cmpge(min).all() && point.cmple(max).all()) {
            return None;
        }
        let share = (point - min) / (max - min) * self.side as f64;
        Some(share.as_usizevec3().min(USizeVec3::splat(self.side - 1)))
    }

    fn list(&self, cell: USizeVec3) -> (&[Listed], f64) {
        let at = cell.x + self.side * (cell.y + self.side * cell.z);
        let (begin, end) = (self.begins[at] as usize, self.begins[at + 1] as usize);
        (&self.listed[begin..end], f64::from(self.beyond_m[at]))
    }
}

/// Which places were measured already.
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
        // Not-a-number is near to everything.
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
                if !self.read(list) {
                    complete_m = complete_m.min(beyond_m);
                }
            }
        }
        complete_m >= self.near_m()
    }

    /// Measures what the list says is near; false if it ended before it got far.
    fn read(&mut self, list: &[Listed]) -> bool {
        for listed in list {
            if f64::from(listed.least_m) > self.near_m() {
                return true;
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
        let size = (places.bounds.max - places.bounds.min) / places.side as f64;
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

/// A grid while it is being laid out.
struct Plan<'a> {
    limits: &'a Limits,
    places: &'a [Place],
    lists: Vec<Vec<Listed>>,
    beyond_m: Vec<f32>,
}

impl Plan<'_> {
    /// Lists, for every cell of a cube of `size` cells, what of `candidates` is near it. Each halving of the cube keeps
    /// what can be near any of its parts: from the middle to the middle of an eighth the clearance of a place changes
    /// by at most half of the cube's half diagonal.
    fn fill(&mut self, cube: Aabb, first: USizeVec3, size: usize, side: usize, candidates: &[u32]) {
        let middle = (cube.min + cube.max) / 2.0;
        let half_m = (cube.max - cube.min).length() / 2.0 * (1.0 + 1e-9) + SLACK_M;
        let mut near: Vec<(f64, u32)> =
            candidates.iter().map(|place| (self.clearance(*place, middle), *place)).collect();
        let nearest_m = near.iter().fold(f64::INFINITY, |least, (clearance, _)| least.min(*clearance));
        // Everything that can be nearest anywhere in the cube, and everything within its own size of it.
        let within_m = (nearest_m + 2.0 * half_m).max(2.0 * half_m);
        near.retain(|(clearance, _)| *clearance <= within_m);
        if size > 1 {
            let kept: Vec<u32> = near.into_iter().map(|(_, place)| place).collect();
            let half = size / 2;
            for eighth in 0..8 {
                let upper = USizeVec3::new(eighth & 1, eighth >> 1 & 1, eighth >> 2);
                let pick = |low: DVec3, high: DVec3| {
                    DVec3::from_array(std::array::from_fn(|axis| if upper[axis] == 0 { low[axis] } else { high[axis] }))
                };
                let part = Aabb { min: pick(cube.min, middle), max: pick(middle, cube.max) };
                self.fill(part, first + upper * half, half, side, &kept);
            }
            return;
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let at = first.x + side * (first.y + side * first.z);
        self.beyond_m[at] = rounded_down(within_m - half_m);
        self.lists[at] = near
            .into_iter()
            .map(|(clearance, place)| Listed { least_m: rounded_down(clearance - half_m), place })
            .collect();
    }

    fn clearance(&self, place: u32, point: DVec3) -> f64 {
        let Place { region, frame, .. } = self.places[place as usize];
        let frames = &self.limits.frames;
        region.clearance(frames.convert(point, frames.default_index(), frame))
    }
}

/// At most `metres`, in half the memory.
#[expect(clippy::cast_possible_truncation, reason = "the next number below is not above what was rounded")]
fn rounded_down(metres: f64) -> f32 {
    (metres as f32).next_down()
}

#[cfg(test)]
mod tests;
