//! Answers of robots to their stops.

use bridge::envelope::Status;
use robot::{Instant, RobotId};

use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::stop_records::{Answer, Stops};
use runtime::wire::{Fact, Tag};

impl Stops {
    /// Notes that the stop thread of `robot` has put stop `stop_id`.
    pub fn note_sent(&self, fleet: &Fleet, robot: &RobotId, stop_id: u64, at: Instant) {
        self.answer(fleet, robot, stop_id, |answer| {
            let first = answer.sent.is_none();
            answer.sent.get_or_insert(at);
            first
        });
    }

    /// Notes a robot's acknowledgement of a stop.
    pub fn note_ack(
        &self,
        fleet: &Fleet,
        unit: &RobotHandle,
        stop_id: u64,
        ack: (Status, Option<f64>, bool),
        at: Instant,
    ) {
        let (status, speed_mps, standstill) = ack;
        let latched = matches!(status, Status::Received | Status::Running | Status::Done);
        self.answer(fleet, unit.id(), stop_id, |answer| {
            if latched {
                answer.acked.get_or_insert(at);
            }
            answer.speed_mps = speed_mps.filter(|speed| speed.is_finite());
            // The gate's own word is not enough: the speed it gives must fit this station's manifest as well.
            let is_still = speed_mps.is_some_and(|speed| speed.abs() <= unit.manifest.stop.standstill_mps);
            answer.stands(standstill && is_still, at);
            true
        });
        if latched && standstill {
            unit.link.stop_done(stop_id);
        }
    }

    /// Notes a measured speed and rate of turn of a robot that is being stopped.
    pub fn note_speed(&self, fleet: &Fleet, unit: &RobotHandle, speed_mps: f64, turn_radps: f64) {
        for stop_id in self.binding(unit.id()) {
            self.answer(fleet, unit.id(), stop_id, |answer| {
                let standstill = speed_mps <= unit.manifest.stop.standstill_mps && !unit.manifest.turns_at(turn_radps);
                let changed = answer.standstill != Some(standstill);
                answer.speed_mps = Some(speed_mps);
                answer.stands(standstill, fleet.runtime.clock.now().station);
                changed
            });
        }
    }

    /// Tells once of every robot whose acknowledgement is overdue.
    pub fn sweep(&self, fleet: &Fleet, now: Instant) {
        for record in self.open() {
            let Some(pressed) = record.pressed else { continue };
            let stop_id = record.stored.stop_id;
            for (robot, answer) in record.answers.iter().filter(|(_, answer)| answer.acked.is_none()) {
                let Ok(unit) = fleet.unit(robot) else { continue };
                let overdue = now.ms_since(pressed) > u64::from(unit.manifest.stop.ack_ms);
                if overdue && !answer.overdue_told {
                    let place = &unit.manifest.hardware_estop;
                    let sentence = format!("{robot} did not confirm stop #{stop_id}. Use the hardware stop: {place}.");
                    fleet.runtime.bus.event("stop_not_confirmed", sentence);
                    self.answer(fleet, robot, stop_id, |answer| !std::mem::replace(&mut answer.overdue_told, true));
                }
            }
        }
    }

    fn answer(&self, fleet: &Fleet, robot: &RobotId, stop_id: u64, change: impl FnOnce(&mut Answer) -> bool) {
        let changed =
            self.lock().get_mut(&stop_id).and_then(|record| record.answers.get_mut(robot)).is_some_and(change);
        if changed {
            self.tell(fleet, stop_id);
        }
    }

    pub(crate) fn tell(&self, fleet: &Fleet, stop_id: u64) {
        let record = self.lock().get(&stop_id).cloned();
        if let Some(record) = record {
            fleet.runtime.bus.fact(
                Fact::Stop { stop: record.row(&fleet.units(), fleet.runtime.clock.now().station) },
                Some(Tag::Safety),
            );
        }
    }
}
