//! Motion that a robot's positions show: the least speed it had, and whether it left the place where it stood. Only
//! what the declared error of the positions cannot explain counts, so a trembling pose is no motion.

use std::time::Duration;

use arrayvec::ArrayVec;
use glam::DVec3;
use robot::Instant;

/// Positions that are older say nothing about now.
const WINDOW: Duration = Duration::from_secs(1);
/// Positions are kept at least this far apart.
const APART: Duration = Duration::from_millis(50);
/// Between nearer ones the time is not known well enough: what comes in one packet was not seen at one moment.
const MEASURED_OVER: Duration = Duration::from_millis(200);
/// The window, at one position each [`APART`], and its ends.
const KEPT_MAX: usize = 22;
/// A robot at rest may be moved by so much more than its pose's error before it counts as moving, metres.
const STIR_M: f64 = 0.01;
/// The longest time for which a robot that has stirred counts as moving, whatever its manifest calls standing still.
const STIRS_WITHIN_MAX: Duration = Duration::from_secs(60);

/// The newest positions, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Trail {
    kept: ArrayVec<(DVec3, Instant), KEPT_MAX>,
    /// The position at which it began to stand, and the time since when it should.
    rest: Option<(DVec3, Instant)>,
}

/// The motion that a position shows together with earlier ones; `None` where there is no earlier one to compare it
/// with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasuredMotion {
    /// The least velocity over the stretch of the last second that shows most, metres per second.
    pub(super) fastest_mps: Option<DVec3>,
    /// The least speed over the newest stretch.
    pub(super) newest: Option<Stretch>,
}

/// The way between two positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    /// The least speed that explains it, metres per second.
    pub(super) speed_mps: f64,
    /// Its beginning.
    pub(super) since: Instant,
}

/// For so long after a robot has stirred it counts as moving: creeping only just faster than what its manifest calls
/// standing still, `standstill_mps`, it takes so long to stir again.
pub(super) fn stirs_within(error_m: f64, standstill_mps: f64) -> Duration {
    let creeps = Duration::try_from_secs_f64(stir_m(error_m) / standstill_mps);
    creeps.unwrap_or(STIRS_WITHIN_MAX).clamp(WINDOW, STIRS_WITHIN_MAX)
}

/// Greatest distance of a robot at rest from the place where it stands, metres.
fn stir_m(error_m: f64) -> f64 {
    2.0 * error_m + STIR_M
}

impl Trail {
    /// Takes a position in, in the robot's default frame; `error_m` is how far it can be off. Gives the motion that it
    /// and the earlier ones of the last second cannot be explained without.
    pub(super) fn note(&mut self, position: DVec3, observed: Instant, error_m: f64) -> MeasuredMotion {
        // Stamps ahead of this one are dropped too: after a step back of the clock they would never age.
        self.kept.retain(|(_, kept)| observed.since(*kept) <= WINDOW && *kept <= observed);
        let mut fastest: Option<DVec3> = None;
        let mut newest = None;
        for (from, kept) in self.kept.iter().filter(|(_, kept)| observed.since(*kept) >= MEASURED_OVER) {
            let way = position - *from;
            // Each of the two positions may be off by the error, in opposite directions.
            let moved_m = (way.length() - 2.0 * error_m).max(0.0);
            let velocity_mps = way.normalize_or_zero() * (moved_m / observed.since(*kept).as_secs_f64());
            if fastest.is_none_or(|known| velocity_mps.length_squared() > known.length_squared()) {
                fastest = Some(velocity_mps);
            }
            newest = Some(Stretch { speed_mps: velocity_mps.length(), since: *kept });
        }
        if self.kept.last().is_none_or(|(_, newest)| observed.since(*newest) >= APART) && !self.kept.is_full() {
            self.kept.push((position, observed));
        }
        MeasuredMotion { fastest_mps: fastest, newest }
    }

    /// True if a robot that ought to stand since `still_since` has left the place where it stood. To be called with
    /// every position from then on; once it has left, its new position is the place where it stands.
    pub(super) fn has_stirred(&mut self, position: DVec3, still_since: Option<Instant>, error_m: f64) -> bool {
        let Some(since) = still_since else {
            self.rest = None;
            return false;
        };
        let known = self.rest.filter(|(_, known_since)| *known_since == since);
        let (rest, _) = *self.rest.insert(known.unwrap_or((position, since)));
        let stirred = !(position.distance(rest) <= stir_m(error_m));
        if stirred {
            self.rest = Some((position, since));
        }
        stirred
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERROR_M: f64 = 0.01;

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    /// The speed after each position on a line, millimetres per second.
    fn speeds(told: &[(u64, f64)]) -> Vec<Option<f64>> {
        let mut trail = Trail::default();
        let note = |(ms, x): &(u64, f64)| trail.note(DVec3::new(*x, 0.0, 0.0), at(*ms), ERROR_M).fastest_mps;
        told.iter().map(note).map(|speed| speed.map(|speed| (speed.x * 1e3).round())).collect()
    }

    #[test]
    fn a_pose_that_trembles_within_its_error_does_not_move() {
        assert_eq!(speeds(&[(0, 0.0), (200, 0.02), (400, 0.0), (600, -0.0)]), [None, Some(0.0), Some(0.0), Some(0.0)]);
    }

    #[test]
    fn the_speed_is_what_the_error_cannot_explain_over_the_stretch_that_shows_most() {
        // 0.5 m/s: over 200 ms the error explains a fifth of it, over a second a twenty-fifth.
        let driven: Vec<(u64, f64)> = (0..=10_u32).map(|i| (u64::from(i) * 100, f64::from(i) * 0.05)).collect();
        assert_eq!(speeds(&driven)[2], Some(400.0));
        assert_eq!(speeds(&driven)[10], Some(480.0));
        assert_eq!(speeds(&[(0, 0.0), (500, 0.0), (1_000, 0.5)])[2], Some(960.0), "it stood for half of the second");
        let parked: Vec<(u64, f64)> = driven.iter().copied().chain([(2_000, 0.5), (2_300, 0.5)]).collect();
        assert_eq!(speeds(&parked)[11..], [Some(0.0), Some(0.0)], "what is older than a second counts no longer");
    }

    #[test]
    fn positions_that_come_at_once_give_no_speed_and_many_of_them_stay_bounded() {
        assert_eq!(speeds(&[(0, 0.0), (1, 1.0), (199, 1.0)]), [None, None, None]);
        let mut trail = Trail::default();
        for ms in 0..10_000 {
            trail.note(DVec3::ZERO, at(ms), 0.0);
        }
        assert!(trail.kept.len() <= KEPT_MAX);
    }

    #[test]
    fn creeping_away_is_stirring_however_slow_and_a_place_it_was_moved_to_is_a_place_to_stand() {
        let mut trail = Trail::default();
        let mut stirred = |ms, x| trail.has_stirred(DVec3::new(x, 0.0, 0.0), Some(at(ms)), ERROR_M);
        assert!(!stirred(0, 0.0) && !stirred(0, 0.03));
        assert!(stirred(0, 0.0301));
        assert!(!stirred(0, 0.0301), "it stands again, elsewhere");
        assert!(!stirred(9, 0.5), "a later rest begins where it is then");
        assert!(stirred(9, f64::NAN));
        assert!(!trail.has_stirred(DVec3::ZERO, None, ERROR_M));
    }
}
