//! One stop and what each of its robots has answered.

use std::collections::BTreeMap;

use memory::OpenStop;
use robot::{Instant, RobotId};

use crate::station::Station;
use crate::wire::{Stop, StopRobot};

/// A stop with what its robots have answered.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub stored: OpenStop,
    pub pressed: Option<Instant>,
    pub saved: bool,
    pub closed: bool,
    pub answers: BTreeMap<RobotId, Answer>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answer {
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

    pub fn still_bound(&self) -> Vec<RobotId> {
        self.stored.robots.difference(&self.stored.released).cloned().collect()
    }

    pub fn row(&self, station: &Station) -> Stop {
        let now = station.clock.now().station;
        let robots = self.answers.iter().filter_map(|(robot, answer)| {
            let unit = station.unit(robot).ok()?;
            let stop = &unit.manifest.stop;
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
            at_mono_ms: self.pressed.map_or(0, Instant::mono_ms),
            at: self.stored.at_ms,
            open: self.is_open(),
            latch_saved: self.saved,
            robots: robots.collect(),
        }
    }
}
