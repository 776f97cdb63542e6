//! Walkers in the site, and the camera's detections of them.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// The zones, in the order in which one can walk through them.
pub const ZONES: [&str; 6] = ["kitchen", "stairs", "hallway", "loading_dock", "front_door", "street"];

/// The middle of each zone on the site's plan, metres, `map`.
const ZONES_M: [[f64; 2]; 6] = [[-5.5, 4.7], [-5.5, -4.2], [-4.5, 0.6], [5.5, 5.5], [6.0, 0.4], [8.2, 0.5]];

/// The middle of a zone, metres, `map`.
pub fn zone_m(zone: usize) -> [f64; 2] {
    ZONES_M[zone]
}

/// First stay of the person in the hallway, seconds: a first question has an answer that does not change.
const FIRST_STAY_S: f64 = 90.0;
/// Stay of anybody in a zone, seconds.
const STAY_S: std::ops::Range<f64> = 20.0..60.0;
/// Confidence of the camera in somebody who stands still before it.
const STEADY_CONFIDENCE: f64 = 0.92;

/// Somebody the camera can see.
#[derive(Debug, Clone)]
pub struct Walker {
    label: &'static str,
    /// Index into [`ZONES`].
    zone: usize,
    stay_s: f64,
    /// The camera's confidence outside the first stay.
    confidence: std::ops::Range<f64>,
    settled: bool,
}

/// Detection of one walker by the camera.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detection {
    /// `person`, `dog` or `toddler`.
    pub label: &'static str,
    /// 0 to 1.
    pub confidence: f64,
    /// One of [`ZONES`].
    pub zone: &'static str,
    /// Direction from the camera, radians.
    pub bearing_rad: f64,
}

/// The three of this site.
#[must_use]
pub fn walkers() -> [Walker; 3] {
    let walker = |label, zone, stay_s, confidence| Walker { label, zone, stay_s, confidence, settled: true };
    [
        walker("person", 2, FIRST_STAY_S, 0.86..0.97),
        walker("dog", 3, 30.0, 0.82..0.93),
        walker("toddler", 0, 45.0, 0.81..0.90),
    ]
}

impl Walker {
    /// Moves on by `dt_s`: when the stay is over, to a neighbouring zone.
    pub fn step(&mut self, dt_s: f64, rng: &mut ChaCha8Rng) {
        self.stay_s -= dt_s;
        if self.stay_s > 0.0 {
            return;
        }
        let onward = rng.random_bool(0.5);
        let last = ZONES.len() - 1;
        self.zone = match (self.zone, onward) {
            (0, _) => 1,
            (zone, _) if zone == last => last - 1,
            (zone, true) => zone + 1,
            (zone, false) => zone - 1,
        };
        self.stay_s = rng.random_range(STAY_S);
        self.settled = false;
    }

    /// Its label, and the zone that it is in as an index into [`ZONES`].
    #[must_use]
    pub const fn seen(&self) -> (&'static str, usize) {
        (self.label, self.zone)
    }

    /// Detection of the walker now.
    pub fn detect(&self, rng: &mut ChaCha8Rng) -> Detection {
        let steady = self.settled && self.label == "person";
        let confidence = if steady { STEADY_CONFIDENCE } else { rng.random_range(self.confidence.clone()) };
        #[expect(clippy::cast_precision_loss, reason = "there are six zones")]
        let towards_zone_rad = -1.0 + 0.4 * self.zone as f64;
        Detection {
            label: self.label,
            confidence: rounded(confidence),
            zone: ZONES[self.zone],
            bearing_rad: rounded(towards_zone_rad + rng.random_range(-0.05..0.05)),
        }
    }
}

/// Two decimals, as a camera's driver would print.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
