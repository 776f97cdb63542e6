//! The speed of a robot by everything that measures it: its own velocity source, the speed its gate reports with each
//! beat, and the motion its positions show.

use std::collections::BTreeMap;

use robot::{Instant, Manifest, StateKind};
use serde::{Deserialize, Serialize};

use crate::measured::sources::pose_age_ms_max;
use crate::space::geometry::is_worse;
use crate::{Fresh, Measured};

/// A gate's word on the speed counts for as long as the robot goes on without a beat, milliseconds.
pub const GATE_AGE_MS_MAX: u64 = 500;

/// The speeds of a robot, metres per second, each as its own source has it. The default knows none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Speeds {
    /// The speed that its velocity source reports.
    pub velocity: Fresh<f64>,
    /// The speed that its gate reports.
    pub gate: Fresh<f64>,
    /// The least speed that its newest positions show: it was that fast within the last second, whatever their error.
    pub poses: Fresh<f64>,
}

impl Speeds {
    /// The speed that a robot has to be able to stop from: the largest of those that are fresh at `now`; `None` if
    /// neither its velocity source nor its gate measures it, because positions tell of the least speed only.
    #[must_use]
    pub fn known(&self, manifest: &Manifest, now: Instant) -> Option<Measured<f64>> {
        // The poses count too once something else measures: one stuck source must not hide motion (decision 0091).
        self.direct(manifest, now).and_then(|_| self.largest(manifest, now))
    }

    /// The largest of those that are fresh at `now`, with when it was true: it is that fast or faster. `None` if
    /// nothing shows it to move. Not-a-number is the largest of all.
    #[must_use]
    pub fn largest(&self, manifest: &Manifest, now: Instant) -> Option<Measured<f64>> {
        let poses = self.poses.measured(now, pose_age_ms_max(manifest)).ok().cloned();
        larger(self.direct(manifest, now), poses)
    }

    /// The larger of what the robot's velocity source and its gate measure, if that is fresh at `now`. Positions tell
    /// of the last second, so they are no witness of standstill.
    #[must_use]
    pub fn direct(&self, manifest: &Manifest, now: Instant) -> Option<Measured<f64>> {
        let source = manifest.state_source(StateKind::Velocity);
        let age_ms_max = source.map_or_else(|| pose_age_ms_max(manifest), |source| source.max_age_ms);
        let velocity = self.velocity.measured(now, age_ms_max).ok().cloned();
        larger(velocity, self.gate.measured(now, GATE_AGE_MS_MAX).ok().cloned())
    }
}

/// The newest velocity, or rate of turn, of each of a robot's velocity sources, by its place in the manifest.
#[derive(Debug, Clone, Default)]
pub struct Velocities {
    newest: BTreeMap<usize, Fresh<[f64; 3]>>,
}

impl Velocities {
    /// Takes in what the source at `place` says, metres or radians per second. Gives the fastest of those that are fresh at `now`,
    /// because one of several can be stuck; if none is, what was just said.
    pub fn note(
        &mut self,
        manifest: &Manifest,
        place: usize,
        said: Measured<[f64; 3]>,
        now: Instant,
    ) -> Measured<[f64; 3]> {
        self.newest.entry(place).or_default().renew(said.clone());
        let fresh = self.newest.iter().filter_map(|(place, velocity)| {
            let source = manifest.state.get(*place)?;
            velocity.measured(now, source.max_age_ms).ok().cloned()
        });
        let faster = |one: Measured<[f64; 3]>, other: Measured<[f64; 3]>| {
            if is_worse(-other.length().value, -one.length().value) { other } else { one }
        };
        // A sample that is too old itself is passed on with its own time, and whoever reads it refuses it.
        fresh.reduce(faster).unwrap_or(said)
    }
}

impl Measured<[f64; 3]> {
    /// The length of a velocity, metres or radians per second, true at the same time.
    #[must_use]
    pub fn length(&self) -> Measured<f64> {
        let squares = self.value.iter().map(|part| part * part);
        Measured { value: squares.sum::<f64>().sqrt(), observed: self.observed }
    }
}

fn larger(one: Option<Measured<f64>>, other: Option<Measured<f64>>) -> Option<Measured<f64>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if is_worse(-other.value.abs(), -one.value.abs()) { other } else { one }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::*;

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn the_largest_of_the_fresh_speeds_counts_and_standstill_is_not_told_by_positions() {
        let manifest = scene().manifest;
        let speeds = Speeds {
            velocity: Fresh::at(0.1, at(1_000)),
            gate: Fresh::at(-0.2, at(1_100)),
            poses: Fresh::at(0.3, at(1_200)),
        };
        let shown = |speed: Measured<f64>| (speed.value, speed.observed.mono_ms());
        let largest = |ms| speeds.largest(&manifest, at(ms)).map(shown);
        let direct = |ms| speeds.direct(&manifest, at(ms)).map(shown);
        assert_eq!([largest(1_200), largest(1_700), largest(1_701)], [Some((0.3, 1_200)), Some((0.3, 1_200)), None]);
        assert_eq!([direct(1_500), direct(1_501), direct(1_601)], [Some((-0.2, 1_100)), Some((-0.2, 1_100)), None]);
    }

    #[test]
    fn g8_positions_raise_the_speed_to_stop_from_and_are_no_measurement_of_it() {
        let manifest = scene().manifest;
        let poses = Speeds { poses: Fresh::at(0.3, NOW), ..Speeds::default() };
        let known = |speeds: &Speeds| speeds.known(&manifest, NOW).map(|speed| speed.value);
        assert_eq!(known(&poses), None, "a gate that tells no speed tells none");
        assert_eq!(known(&Speeds { gate: Fresh::at(0.1, NOW), ..poses.clone() }), Some(0.3));
        assert_eq!(known(&Speeds { velocity: Fresh::at(0.4, NOW), ..poses.clone() }), Some(0.4));
        let old = Fresh::at(0.1, NOW.minus(std::time::Duration::from_millis(501)));
        assert_eq!(known(&Speeds { velocity: old.clone(), gate: old, ..poses }), None);
    }

    #[test]
    fn f23_of_two_velocity_sources_neither_hides_the_other_and_a_silent_one_hides_nothing() {
        let text = |name: &str| {
            let key = format!("lab/arm-1/out/state/{name}");
            format!(r#"{{ kind = "velocity", key = "{key}", codec = "json", max_age_ms = 500 }}"#)
        };
        let pose = r#"{ kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 }"#;
        let sources = format!("state = [{pose}, {}, {}]", text("velocity"), text("odometry"));
        let manifest = manifest_with(&[(&format!("state = [{pose}]"), &sources)]);
        let mut velocities = Velocities::default();
        let mut note = |place, ms, x_mps| {
            let fastest =
                velocities.note(&manifest, place, Measured { value: [x_mps, 0.0, 0.0], observed: at(ms) }, at(ms));
            (fastest.value[0], fastest.observed.mono_ms())
        };
        assert_eq!([note(1, 1_000, -0.4), note(2, 1_010, 0.0)], [(-0.4, 1_000); 2], "the second says that it stands");
        assert_eq!(note(2, 1_100, 0.5), (0.5, 1_100));
        assert_eq!(note(1, 1_200, 0.0), (0.5, 1_100), "the first does");
        assert_eq!(note(1, 1_600, 0.1), (0.5, 1_100));
        assert_eq!(note(1, 1_601, 0.1), (0.1, 1_601), "what the second said is too old");
    }

    #[test]
    fn a_speed_that_is_not_a_number_is_the_largest_whoever_says_it() {
        let manifest = scene().manifest;
        for (velocity, gate) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
            let (velocity, gate) = (Fresh::at(velocity, NOW), Fresh::at(gate, NOW));
            let speeds = Speeds { velocity, gate, poses: Fresh::at(2.0, NOW) };
            assert!(speeds.largest(&manifest, NOW).is_some_and(|speed| speed.value.is_nan()));
        }
    }
}
