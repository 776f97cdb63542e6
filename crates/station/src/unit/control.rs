//! Who may move a robot, and how well it answers: plain state behind the unit's lock.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bridge::envelope::{BeatAnswer, OpenStop};
use robot::{CommandId, Instant, StationId};
use safety::machine::{RobotSafety, SafetyCause};

use crate::wire::LinkState;

/// No answered beat for this long is *late*, milliseconds.
const LINK_LATE_MS: u64 = 500;
/// No answered beat for this long is *lost*, milliseconds.
const LINK_LOST_MS: u64 = 1_500;
/// Beats that can be open at once: 3 s at 10 Hz; an older answer gives no round trip.
const BEATS_OPEN_MAX: usize = 30;
/// Round trips the median is taken of: 10 s at 10 Hz.
const ROUND_TRIPS_MAX: usize = 100;

/// Arming, order of commands, stops.
#[derive(Debug)]
pub struct Control {
    /// The state machine; stepped by `supervision` alone.
    pub safety: RobotSafety,
    /// True until the first motion since arming was sent.
    pub first_motion: bool,
    /// The claim's epoch.
    pub epoch: u64,
    /// The last sequence number used in this epoch.
    pub seq: u64,
    /// Stops that bind this robot, each with the cause it is; a stop that the machine itself asked for is none.
    pub open_stops: BTreeMap<u64, Option<SafetyCause>>,
    /// The newest command that moves the robot's point, until it ends, and when it was sent.
    pub moving: Option<(CommandId, Instant)>,
    /// Answers of the robot's gate.
    pub beats: Beats,
}

/// Beats sent and answered.
#[derive(Debug, Default)]
pub struct Beats {
    open: VecDeque<(u64, Instant)>,
    round_trips_ms: VecDeque<f64>,
    /// Station clock at the newest answer.
    pub last_answer: Option<Instant>,
    /// Speed the gate measured at the newest answer, metres per second.
    pub speed_mps: Option<f64>,
    /// The epoch the gate holds.
    pub gate_epoch: u64,
    /// The station that commands the robot.
    pub claimed_by: Option<StationId>,
    /// Stops the gate holds, those of other stations included.
    pub gate_stops: BTreeSet<OpenStop>,
}

impl Control {
    /// A disarmed robot of which nothing is known.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            safety: RobotSafety::new(now),
            first_motion: false,
            epoch: 0,
            seq: 0,
            open_stops: BTreeMap::new(),
            moving: None,
            beats: Beats::default(),
        }
    }
}

impl Beats {
    /// Notes that beat `n` was put.
    pub fn sent(&mut self, n: u64, at: Instant) {
        if self.open.len() >= BEATS_OPEN_MAX {
            self.open.pop_front();
        }
        self.open.push_back((n, at));
    }

    /// Notes an answer. Returns the stops that the gate did not hold at the answer before.
    pub fn answered(&mut self, answer: &BeatAnswer, at: Instant) -> Vec<OpenStop> {
        let n = answer.n;
        self.last_answer = Some(at);
        self.speed_mps = Some(answer.speed_mps).filter(|speed| speed.is_finite());
        self.gate_epoch = answer.epoch;
        self.claimed_by = answer.claimed_by.clone();
        let stops: BTreeSet<OpenStop> = answer.stops.iter().cloned().collect();
        let new = stops.difference(&self.gate_stops).cloned().collect();
        self.gate_stops = stops;
        self.note_round_trip(n, at);
        new
    }

    fn note_round_trip(&mut self, n: u64, at: Instant) {
        if let Some(&(_, sent)) = self.open.iter().find(|(open, _)| *open == n) {
            if self.round_trips_ms.len() >= ROUND_TRIPS_MAX {
                self.round_trips_ms.pop_front();
            }
            self.round_trips_ms.push_back(at.since(sent).as_secs_f64() * 1e3);
        }
        self.open.retain(|(open, _)| *open > n);
    }

    /// Median round trip, milliseconds.
    #[must_use]
    pub fn rtt_ms_median(&self) -> Option<f64> {
        let mut sorted: Vec<f64> = self.round_trips_ms.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

/// The link's state from the last sign of life.
pub fn link_state(last: Option<Instant>, now: Instant) -> LinkState {
    match last.map(|last| now.ms_since(last)) {
        None => LinkState::Never,
        Some(..LINK_LATE_MS) => LinkState::Live,
        Some(LINK_LATE_MS..LINK_LOST_MS) => LinkState::Late,
        Some(LINK_LOST_MS..) => LinkState::Lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(n: u64, speed_mps: f64) -> BeatAnswer {
        BeatAnswer {
            robot: robot::RobotId::new("arm-1").unwrap(),
            station: robot::StationId::new("desk").unwrap(),
            n,
            not_nonce: 0,
            epoch: 1,
            claimed_by: None,
            stops: Vec::new(),
            held: false,
            speed_mps,
        }
    }

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn a_link_is_late_after_half_a_second_and_lost_after_one_and_a_half() {
        for (age_ms, expected) in [
            (0, LinkState::Live),
            (499, LinkState::Live),
            (500, LinkState::Late),
            (1499, LinkState::Late),
            (1500, LinkState::Lost),
        ] {
            assert_eq!(link_state(Some(at(0)), at(age_ms)), expected, "{age_ms} ms");
        }
        assert_eq!(link_state(None, at(0)), LinkState::Never);
    }

    #[test]
    fn the_round_trip_is_the_median_and_open_beats_are_bounded() {
        let mut beats = Beats::default();
        for n in 0..1_000 {
            beats.sent(n, at(n * 100));
        }
        assert_eq!(beats.open.len(), BEATS_OPEN_MAX);
        beats.answered(&answer(997, 0.0), at(99_710));
        beats.answered(&answer(998, 0.0), at(99_820));
        beats.answered(&answer(999, f64::NAN), at(99_990));
        assert_eq!(beats.rtt_ms_median(), Some(20.0));
        assert_eq!(beats.speed_mps, None);
    }
}
