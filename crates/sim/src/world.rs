//! The simulated site `lab`: four robots, an oven, three walkers. Deterministic: the same seed and the same commands
//! give the same site.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use robot::{Manifest, ManifestError, RobotId};

use crate::people::{Detection, Walker, walkers};
use crate::sim_robot::{Ended, SimRobot};

/// The manifests of the site's robots, by id.
pub const MANIFESTS: [(&str, &str); 4] = [
    ("arm-1", include_str!("../manifests/arm-1.toml")),
    ("gate-1", include_str!("../manifests/gate-1.toml")),
    ("rover-1", include_str!("../manifests/rover-1.toml")),
    ("rover-2", include_str!("../manifests/rover-2.toml")),
];

/// Bodies of the robots: their URDFs, by id.
pub const MODELS: [(&str, &str); 3] = [
    ("arm-1", include_str!("../models/arm-1.urdf")),
    ("rover-1", include_str!("../models/rover.urdf")),
    ("rover-2", include_str!("../models/rover.urdf")),
];

/// Sources without a manifest.
pub const SENSORS: [&str; 2] = ["cam-1", "oven-1"];

/// Temperature the oven keeps, degC.
const OVEN_C: f64 = 180.0;
/// The arm's calibration takes this long, seconds.
const CALIBRATION_S: f64 = 5.0;

/// Everything that exists in the site.
#[derive(Debug, Clone)]
pub struct SimWorld {
    /// The robots.
    pub robots: BTreeMap<RobotId, SimRobot>,
    /// The oven.
    pub oven: Oven,
    walkers: [Walker; 3],
    rng: ChaCha8Rng,
    elapsed_s: f64,
}

/// A source of two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oven {
    /// degC.
    pub temperature: f64,
    /// 0 to 1.
    pub smoke: f64,
}

impl SimWorld {
    /// The site at its beginning. Fails only if a manifest of this program is wrong.
    pub fn new(seed: u64) -> Result<Self, ManifestError> {
        let mut robots = BTreeMap::new();
        for (id, text) in MANIFESTS {
            let manifest = Manifest::parse(text, id)?;
            robots.insert(manifest.id.clone(), SimRobot::new(manifest, start_m(id)));
        }
        Ok(Self {
            robots,
            oven: Oven { temperature: OVEN_C, smoke: 0.02 },
            walkers: walkers(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            elapsed_s: 0.0,
        })
    }

    /// Moves on by `dt_s` seconds; the commands that were completed, by robot.
    pub fn step(&mut self, dt_s: f64) -> Vec<(RobotId, Vec<Ended>)> {
        self.elapsed_s += dt_s;
        for walker in &mut self.walkers {
            walker.step(dt_s, &mut self.rng);
        }
        let drift = self.rng.random_range(-0.5..0.5) * dt_s;
        self.oven.temperature += drift + 0.05 * dt_s * (OVEN_C - self.oven.temperature);
        self.robots.iter_mut().map(|(id, robot)| (id.clone(), robot.step(dt_s))).collect()
    }

    /// Detections of the camera now.
    pub fn detections(&mut self) -> Vec<Detection> {
        let Self { walkers, rng, .. } = self;
        walkers.iter().map(|walker| walker.detect(rng)).collect()
    }

    /// Everybody who walks about, with the zone they are in.
    pub fn walkers(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.walkers.iter().map(Walker::seen)
    }

    /// True once the arm has finished calibrating.
    #[must_use]
    pub fn calibrated(&self) -> bool {
        self.elapsed_s >= CALIBRATION_S
    }
}

/// Start of a robot, metres in its default frame.
fn start_m(id: &str) -> [f64; 3] {
    match id {
        "arm-1" => [0.3, 0.0, 0.8],
        "rover-2" => [2.0, 1.0, 0.0],
        _ => [0.0; 3],
    }
}

#[cfg(test)]
mod tests;
