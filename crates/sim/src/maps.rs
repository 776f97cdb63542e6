//! Maps that the robots of the site make: each robot with one looks around with a laser, and keeps how often it
//! has seen a cell of the floor occupied and free.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use bridge::{BridgeError, Ground, Link, SamplePublisher, write_grid};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use robot::RobotId;

use crate::telemetry::STEPS_PER_S;
use crate::walls::distance_m;
use crate::world::SimWorld;

/// Steps between two looks: one a second.
const LOOK_EVERY: u64 = STEPS_PER_S;
/// Beams of one look.
const BEAMS: u32 = 360;
/// Range of the laser, and its error, metres.
const RANGE_M: f64 = 6.0;
const ERROR_M: f64 = 0.02;
/// Length of a cell, metres.
const CELL_M: f64 = 0.1;
/// Outer corner of the first cell in `map`, metres, and cells in a row and in a column.
const ORIGIN_M: [f64; 2] = [-9.0, -8.0];
const SIZE: [usize; 2] = [190, 170];
/// A robot that has moved less since its last look sees nothing new, metres.
const MOVED_M: f64 = 0.05;
/// Seed of the laser's errors.
const SEED: u64 = 7;

/// The maps of all robots that show one.
pub(crate) struct Maps(BTreeMap<RobotId, Mapper>);

struct Mapper {
    publisher: SamplePublisher,
    floor: Floor,
    /// A listener has the map in its present state.
    told: bool,
}

/// The floor as far as a robot has seen it.
struct Floor {
    seen: Vec<Seen>,
    looked_from_m: Option<[f64; 2]>,
    dice: ChaCha8Rng,
}

/// Number of looks that found a cell occupied, and free.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    occupied: u16,
    free: u16,
}

impl Maps {
    /// Declares the maps that the robots' manifests name.
    pub fn open(link: &Link, world: &SimWorld) -> Result<Self, BridgeError> {
        let maps = world.robots.iter().filter_map(|(id, robot)| Some((id, robot.manifest.map.as_ref()?)));
        let mappers = maps.map(|(id, map)| {
            let publisher = link.map_publisher(&map.key)?;
            Ok((id.clone(), Mapper { publisher, floor: Floor::new(), told: false }))
        });
        Ok(Self(mappers.collect::<Result<_, BridgeError>>()?))
    }

    /// Has every robot look around if it is time, and put its map where somebody listens and it `sends`.
    pub fn look(&mut self, world: &SimWorld, step: u64, wall_ms: i64, sends: impl Fn(&RobotId) -> bool) {
        if !step.is_multiple_of(LOOK_EVERY) {
            return;
        }
        for (id, mapper) in &mut self.0 {
            let Some(mover) = world.robots.get(id).and_then(|robot| robot.mover.as_ref()) else { continue };
            let [x, y, _] = mover.position_m;
            // A map that has changed is put again.
            mapper.told &= !mapper.floor.look_from([x, y]);
            if sends(id) {
                mapper.put(wall_ms);
            }
        }
    }
}

impl Floor {
    fn new() -> Self {
        let seen = vec![Seen::default(); SIZE[0] * SIZE[1]];
        Self { seen, looked_from_m: None, dice: ChaCha8Rng::seed_from_u64(SEED) }
    }

    /// Looks around; false if the robot has not moved since its last look.
    fn look_from(&mut self, from_m: [f64; 2]) -> bool {
        let moved = |last: [f64; 2]| (last[0] - from_m[0]).hypot(last[1] - from_m[1]) >= MOVED_M;
        if !self.looked_from_m.is_none_or(moved) {
            return false;
        }
        self.looked_from_m = Some(from_m);
        for beam in 0..BEAMS {
            let angle_rad = TAU * f64::from(beam) / f64::from(BEAMS);
            let wall_m = distance_m(from_m, angle_rad, RANGE_M);
            let wall_m = wall_m.map(|wall_m| wall_m + self.dice.random_range(-ERROR_M..ERROR_M));
            self.note_beam(from_m, angle_rad, wall_m);
        }
        true
    }

    fn note_beam(&mut self, from_m: [f64; 2], angle_rad: f64, wall_m: Option<f64>) {
        let at = |m: f64| cell([from_m[0] + m * angle_rad.cos(), from_m[1] + m * angle_rad.sin()]);
        let wall = wall_m.and_then(at);
        let (mut m, mut last) = (0.0, None);
        while m < wall_m.unwrap_or(RANGE_M) {
            let here = at(m);
            // The last points of a beam lie in the cell of the wall itself.
            if let Some(free) = here.filter(|_| here != last && here != wall) {
                self.seen[free].free = self.seen[free].free.saturating_add(1);
            }
            (m, last) = (m + CELL_M / 2.0, here);
        }
        if let Some(wall) = wall {
            self.seen[wall].occupied = self.seen[wall].occupied.saturating_add(1);
        }
    }

    /// Probability that each cell is occupied, percent; -1 where nobody has looked.
    fn cells(&self) -> Vec<i8> {
        self.seen.iter().map(|seen| seen.percent()).collect()
    }
}

impl Mapper {
    fn put(&mut self, wall_ms: i64) {
        let is_heard = self.publisher.is_listened_to();
        if !is_heard || self.told {
            // Whoever listens next has no map yet.
            self.told &= is_heard;
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a tenth of a metre is a single-precision number")]
        let message = write_grid(
            "map",
            wall_ms,
            Ground { resolution_m: CELL_M as f32, origin_m: ORIGIN_M, size: SIZE, cells: &self.floor.cells() },
        );
        match self.publisher.put(message) {
            Ok(()) => self.told = true,
            Err(error) => tracing::warn!(%error, "a map was not put"),
        }
    }
}

impl Seen {
    /// Probability that it is occupied, percent; -1 if nobody has seen it.
    fn percent(self) -> i8 {
        let looks = u32::from(self.occupied) + u32::from(self.free);
        let percent = (100 * u32::from(self.occupied)).checked_div(looks);
        percent.and_then(|percent| i8::try_from(percent).ok()).unwrap_or(-1)
    }
}

/// Number of the cell at a point; none outside the map.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places within the map are small and positive"
)]
fn cell(at_m: [f64; 2]) -> Option<usize> {
    let place = |axis: usize| {
        let cells = (at_m[axis] - ORIGIN_M[axis]) / CELL_M;
        (cells >= 0.0).then_some(cells as usize).filter(|place| *place < SIZE[axis])
    };
    Some(place(1)? * SIZE[0] + place(0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_1102_a_robot_knows_what_its_laser_has_seen_and_more_after_it_has_moved() {
        let mut floor = Floor::new();
        assert!(floor.look_from([0.0, 0.0]));
        let at = |floor: &Floor, at_m| floor.cells()[cell(at_m).unwrap()];
        assert_eq!(at(&floor, [1.0, 0.0]), 0, "free");
        // The wall is on the edge of two cells, and the laser errs to either side.
        let wall = (0..6).flat_map(|row| [4.55, 4.65].map(|x| at(&floor, [x, 1.25 + 0.1 * f64::from(row)])));
        assert!(wall.max().is_some_and(|percent| percent > 50), "a wall inside");
        assert_eq!((at(&floor, [6.5, 1.5]), at(&floor, [-5.5, 5.0])), (-1, -1), "behind walls");
        assert!(!floor.look_from([0.01, 0.0]), "it has not moved");
        assert!(floor.look_from([-5.5, 4.0]));
        assert_eq!(at(&floor, [-5.5, 5.0]), 0);
    }
}
