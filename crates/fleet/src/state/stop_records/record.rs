//! One stop and what each of its robots has answered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memory::OpenStop;
use robot::{Instant, RobotId};
use tokio::sync::watch;

use super::Stops;
use crate::state::robot_handle::RobotHandle;
use runtime::wire::{Stop, StopReason, StopRobot};

/// A stop with what its robots have answered.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub stored: OpenStop,
    pub pressed: Option<Instant>,
    /// The disk has its row; whoever answers a press waits for it.
    pub saved: watch::Sender<bool>,
    pub closed: bool,
    pub answers: BTreeMap<RobotId, Answer>,
    /// It tests that the robot can be stopped, and ends by itself: no real stop is taken for it pressed again.
    drill: bool,
    /// Presses that have not reached the state of all its robots yet.
    pressing: u32,
    /// Releases that have begun and not ended.
    releasing: u32,
    /// The robots that it is released for by what the audit has on disk; none before the first release is there.
    on_record: Option<BTreeSet<RobotId>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answer {
    pub sent: Option<Instant>,
    pub acked: Option<Instant>,
    pub speed_mps: Option<f64>,
    pub standstill: Option<bool>,
    /// When it was first seen standing still with the stop acknowledged.
    pub stood: Option<Instant>,
    pub overdue_told: bool,
    /// A person has looked at the robot and says that it stands.
    pub looked: bool,
}

impl Answer {
    /// Notes whether the robot was seen standing still.
    pub fn stands(&mut self, standstill: bool, at: Instant) {
        self.standstill = Some(standstill);
        if standstill && self.acked.is_some() {
            self.stood.get_or_insert(at);
        }
    }
}

impl Record {
    /// The code of its reason; none where the disk has none, or one of another version.
    fn reason_kind(&self) -> Option<StopReason> {
        self.stored.reason_kind.as_ref().and_then(|kept| serde_json::from_str(kept).ok())
    }

    /// One that is pressed now.
    pub fn new(stored: OpenStop, pressed: Instant, drill: bool) -> Self {
        let answers = stored.robots.iter().map(|robot| (robot.clone(), Answer::default())).collect();
        let (pressing, releasing) = (0, 0);
        let (saved, closed, on_record) = (watch::Sender::new(false), false, None);
        Self { stored, pressed: Some(pressed), saved, closed, answers, drill, pressing, releasing, on_record }
    }

    /// One that an earlier run has left open.
    pub fn left(stored: OpenStop) -> Self {
        let on_record = Some(stored.released.clone()).filter(|released| !released.is_empty());
        Self {
            pressed: None,
            saved: watch::Sender::new(true),
            on_record,
            ..Self::new(stored, Instant::from_millis(0), false)
        }
    }

    /// True if pressing again for the same robots re-sends it: same actor, nothing of it released, or being released.
    pub fn is_repeated(&self, by: &str, robots: &BTreeSet<RobotId>) -> bool {
        self.is_open()
            && !self.drill
            // A press during a release has to outlive it, as a stop of its own.
            && self.releasing == 0
            && self.stored.by == by
            && &self.stored.robots == robots
            && self.stored.released.is_empty()
            && self.pressed.is_some()
    }

    /// True if somebody presses it right now, so that no release of it may begin.
    pub fn is_being_pressed(&self) -> bool {
        self.pressing > 0
    }

    /// Notes that `robots` are let go.
    pub fn let_go(&mut self, robots: &[RobotId]) {
        self.stored.released.extend(robots.iter().filter(|robot| self.stored.robots.contains(*robot)).cloned());
        self.closed = self.stored.released == self.stored.robots;
    }

    /// Notes that the audit has on disk that it is released for `robots`.
    pub fn note_on_record(&mut self, robots: &BTreeSet<RobotId>) {
        self.on_record.get_or_insert_default().extend(robots.iter().cloned());
    }

    /// Its row, and whether that is open: a release stands in it once it is on record.
    pub fn to_save(&self) -> (OpenStop, bool) {
        let released = self.on_record.clone().unwrap_or_default();
        (OpenStop { released, ..self.stored.clone() }, self.on_record.as_ref() != Some(&self.stored.robots))
    }

    /// True if it is closed and on record as that.
    pub fn is_over(&self) -> bool {
        self.closed && !self.to_save().1
    }

    /// Milliseconds from the press; none for a stop of an earlier run.
    pub fn after_ms(&self, at: Option<Instant>) -> Option<f64> {
        Some(at?.since(self.pressed?).as_secs_f64() * 1e3)
    }

    pub fn is_open(&self) -> bool {
        !self.closed
    }

    pub fn binds(&self, robot: &RobotId) -> bool {
        self.is_open() && self.stored.robots.contains(robot) && !self.stored.released.contains(robot)
    }

    /// True if it binds one of `units`, or the whole station.
    pub fn binds_one_of(&self, units: &[Arc<RobotHandle>]) -> bool {
        self.stored.robots.is_empty() || units.iter().any(|unit| self.binds(unit.id()))
    }

    pub fn still_bound(&self) -> Vec<RobotId> {
        self.stored.robots.difference(&self.stored.released).cloned().collect()
    }

    /// The stop as screens see it, with its robots among `units`.
    pub fn row(&self, units: &[Arc<RobotHandle>], now: Instant) -> Stop {
        let robots = self.answers.iter().filter_map(|(robot, answer)| {
            let unit = units.iter().find(|unit| unit.id() == robot)?;
            let stop = &unit.manifest.stop;
            // A stop of an earlier run has no press to count from: without an acknowledgement it is not confirmed.
            let overdue = self.pressed.is_none_or(|pressed| now.ms_since(pressed) > u64::from(stop.ack_ms));
            Some(StopRobot {
                robot: robot.clone(),
                sent_after_ms: self.after_ms(answer.sent),
                acked_after_ms: self.after_ms(answer.acked),
                standstill_after_ms: self.after_ms(answer.stood),
                speed_mps: answer.speed_mps,
                standstill: answer.standstill,
                released: self.stored.released.contains(robot),
                behaviour: stop.behaviour.into(),
                ack_ms: stop.ack_ms,
                hardware_estop: unit.manifest.hardware_estop.clone(),
                not_confirmed: overdue && answer.acked.is_none(),
            })
        });
        Stop {
            stop_id: self.stored.stop_id,
            by: self.stored.by.clone(),
            reason: self.stored.reason.clone(),
            reason_kind: self.reason_kind(),
            at_mono_ms: self.pressed.map_or(0, Instant::mono_ms),
            at: self.stored.at_ms,
            open: self.is_open() && self.binds_one_of(units),
            latch_saved: *self.saved.borrow(),
            robots: robots.collect(),
        }
    }
}

/// Acts on stops that must not meet: a press that repeats a stop, and a release of the same stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is on its way to the states of its robots.
    Press,
    /// Its robots are let go.
    Release,
}

/// A press or a release that has begun; dropping it ends it.
#[derive(Debug)]
pub(crate) struct InProgress<'a> {
    stops: &'a Stops,
    step: Step,
    stop_ids: Vec<u64>,
}

impl<'a> InProgress<'a> {
    /// Begins `step` of `records`, which the caller has locked.
    pub fn begin<'r>(stops: &'a Stops, step: Step, records: impl IntoIterator<Item = &'r mut Record>) -> Self {
        let begun = records.into_iter().map(|record| {
            *record.steps(step) += 1;
            record.stored.stop_id
        });
        Self { stops, step, stop_ids: begun.collect() }
    }

    /// The number of the stop; the first one's of a release of several.
    pub fn stop_id(&self) -> u64 {
        self.stop_ids.first().copied().unwrap_or_default()
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        let mut records = self.stops.lock();
        for stop_id in &self.stop_ids {
            if let Some(record) = records.get_mut(stop_id) {
                let steps = record.steps(self.step);
                *steps = steps.saturating_sub(1);
            }
        }
    }
}

impl Record {
    fn steps(&mut self, step: Step) -> &mut u32 {
        match step {
            Step::Press => &mut self.pressing,
            Step::Release => &mut self.releasing,
        }
    }
}

#[cfg(test)]
mod tests;
