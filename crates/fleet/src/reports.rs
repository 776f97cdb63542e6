//! Reports of robots on commands and stops: noted, put on record, and told to windows.

use std::sync::Arc;

use bridge::envelope::{Ack, Status, Subject};
use robot::{CommandId, Instant};
use world::alarm::{BuiltIn, Of};

use crate::fleet::Fleet;
use crate::gate;
use crate::state::commands::{Progress, Sight, Step};
use crate::state::robot_handle::RobotHandle;
use runtime::audit::AuditEntry;
use runtime::wire::{CommandStep, Fact, Tag, word};

impl Fleet {
    /// A message of a robot's gate about one of ours.
    pub(crate) fn note_ack(&self, unit: &RobotHandle, ack: &Ack, at: Instant) {
        match &ack.subject {
            Subject::Command { station, id } if station == &self.runtime.id => {
                self.note_report(unit, *id, ack.status);
                if ack.status == Status::Received {
                    gate::hold_what_came_late(self, unit, *id);
                }
            }
            Subject::Stop { station, stop_id } if station == &self.runtime.id => {
                self.stops.note_ack(self, unit, *stop_id, (ack.status, ack.speed_mps, ack.standstill), at);
            }
            Subject::Hold { station, hold_id } if station == &self.runtime.id => {
                unit.control().told_acknowledged(*hold_id)
            }
            Subject::Unreadable { key_expr } if ack.status == Status::BadSignature => {
                let sentence = format!("{} refused a message on {key_expr} that no station signed.", unit.id());
                self.observer.note_forged(unit.id(), sentence.clone());
                // At powers of two only: a flood of forged messages must not push every other event out of sight.
                if self.rejects.note_forged(unit.id()) {
                    self.runtime.bus.event("forged_message", sentence);
                }
            }
            Subject::Unreadable { key_expr } => self
                .runtime
                .bus
                .event("unreadable_message", format!("{} could not read a message on {key_expr}.", unit.id())),
            Subject::Claim { .. }
            | Subject::Release { .. }
            | Subject::Command { .. }
            | Subject::Stop { .. }
            | Subject::Commission { .. }
            | Subject::Hold { .. } => {}
        }
        // An error only means that no caller waits for an acknowledgement.
        let _ = self.acks.send(Arc::new(ack.clone()));
    }

    /// A robot's report on a command. The end counts once it is measured; that the motion is over does at once.
    fn note_report(&self, unit: &RobotHandle, id: CommandId, status: Status) {
        if status != Status::Done {
            return self.note_steps(self.commands.report(id, unit.id(), status));
        }
        unit.control().ended(id);
        self.note_steps(self.commands.reported_done(id, unit.id(), &self.sight(unit)));
    }

    /// Looks again at goals that robots have reported as reached.
    pub(crate) fn confirm_goals(&self) {
        for unit in self.units() {
            self.note_steps(self.commands.confirm(unit.id(), || self.sight(&unit)));
        }
    }

    /// The picture that goals of `unit` are looked at with.
    pub(crate) fn sight(&self, unit: &RobotHandle) -> Sight {
        Sight { limits: unit.limits.load_full(), state: unit.robot_state(), now: self.runtime.clock.now().station }
    }

    /// Records and tells how far commands got.
    pub(crate) fn note_steps(&self, steps: impl IntoIterator<Item = Step>) {
        for step in steps {
            self.record_report(&step);
            self.tell_step(&step);
        }
    }

    /// Tells every window, and the proposal a command was sent under, how far it got.
    pub(crate) fn tell_step(&self, step: &Step) {
        self.note_motion_ended(step);
        let at_mono_ms = self.runtime.clock.now().station.mono_ms();
        let Progress { step: reached, code, off_goal } = step.progress.clone();
        if reached == CommandStep::Unknown {
            let sentence = format!("{} did not report on command {} in time.", step.robot, step.command);
            self.observer.note_alarm(BuiltIn::CommandNoAnswer, &Of::robot(&step.robot), sentence);
        }
        let command = step.command.to_string();
        self.runtime.bus.fact(
            Fact::CommandStep { command, robot: step.robot.clone(), step: reached, code, off_goal, at_mono_ms },
            Some(Tag::Safety),
        );
        self.observer.note_step(step);
    }

    /// A command that has ended, or whose progress is unknown, no longer counts as motion of its robot.
    fn note_motion_ended(&self, step: &Step) {
        use runtime::wire::CommandStep::{Approved, Denied, Done, Failed, Received, RefusedByRobot, Running, Sent};
        use runtime::wire::CommandStep::{DoneNotConfirmed, Superseded, Unknown};
        match step.progress.step {
            Approved | Sent | Received | Running => {}
            Denied | Done | DoneNotConfirmed | Failed | Superseded | RefusedByRobot | Unknown => {
                if let Ok(unit) = self.unit(&step.robot) {
                    unit.control().ended(step.command);
                }
            }
        }
    }

    /// Records how a command ended. Steps on the way there are for screens; the gate records what it sent itself.
    fn record_report(&self, step: &Step) {
        let Progress { step: reached, code, .. } = &step.progress;
        let outcome = match reached {
            CommandStep::Denied
            | CommandStep::Approved
            | CommandStep::Sent
            | CommandStep::Received
            | CommandStep::Running => return,
            CommandStep::Done
            | CommandStep::DoneNotConfirmed
            | CommandStep::Failed
            | CommandStep::Superseded
            | CommandStep::RefusedByRobot
            | CommandStep::Unknown => word(reached),
        };
        let code = code.as_deref().map_or_else(String::new, |code| format!(" code={code}"));
        let detail = format!("robot={} command={}{code}", step.robot, step.command);
        let entry = if *reached == CommandStep::Unknown {
            AuditEntry::by_station("report", &outcome)
        } else {
            AuditEntry::by_robot(&step.robot, "report", &outcome)
        };
        self.runtime.audit.note_done(entry.about(detail));
    }
}
