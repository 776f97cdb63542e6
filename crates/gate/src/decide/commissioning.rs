//! The commissioning's share of the deciding thread's work.

use bridge::commissioning::CommissionMessage;
use bridge::envelope::{Failure, Status, Subject};
use bridge::robot_gate::Reply;
use robot::{Command, Instant, Now, Reason, StepOutcome};
use safety::{Approved, Fresh, GATE_AGE_MS_MAX};

use super::{GateRunner, refused};
use crate::adapter::{Adapter, StopKind};
use crate::commission::{Look, Next, Part};

impl<A: Adapter> GateRunner<A> {
    /// The wish of a person who commissions the robot.
    pub(super) fn commission(&mut self, message: CommissionMessage, now: Instant) -> Vec<Reply> {
        let at = Now { station: now, ..(self.clock)() };
        let (status, next) = self.commission.hear(&message, at);
        let subject = Subject::Commission { station: message.station, n: message.n };
        let ended = self.carry_out(next, now);
        let reply = self.gate.ack(subject, status, &self.own_state(now), now);
        [reply].into_iter().chain(ended).collect()
    }

    /// Begins a command that was admitted under a claim for commissioning, if it belongs to the step.
    pub(super) fn begin_for_step(
        &mut self,
        approved: Approved<Command>,
        received: Option<Reply>,
        now: Instant,
    ) -> Vec<Reply> {
        let command = approved.command();
        match self.commission.part_of(command, now) {
            Part::Motion => self.begin(approved, received, now),
            // It was sent before the station heard of the end of the step: no reason to stop, or to refuse.
            Part::Late => {
                let subject = Subject::Command { station: command.lease.station.clone(), id: command.id };
                let ended = self.gate.ack(subject, Status::Failed(Failure::Held), &self.own_state(now), now);
                received.into_iter().chain([ended]).collect()
            }
            // Under a claim for commissioning nothing else may move (decision 0176): the step is void.
            Part::None => {
                self.commission.break_off(now);
                self.mover.stop(StopKind::Hold, now);
                let ended = self.end_jobs(Failure::Held, now);
                let refusal = received.map(|reply| refused(reply, Reason::NotCommissioned));
                refusal.into_iter().chain(ended).collect()
            }
        }
    }

    /// Looks at the robot for the step that is under way, and reports.
    pub(super) fn go_on_commissioning(&mut self, now: Instant) -> Vec<Reply> {
        let own = self.own_state(now);
        let look = Look {
            position_m: own.pose.as_ref().map(|pose| pose.value.position_m),
            velocity: self.sources.velocity_at(now),
            speed_mps: own.speed_at(now).map_or(0.0, |speed| speed.value.speed_mps),
            joints: Fresh::from(own.joints.clone())
                .measured(now, GATE_AGE_MS_MAX)
                .ok()
                .map(|joints| joints.value.clone()),
            stands: own.stands(now),
            local: own.local,
            is_foreign: self.foreign.is_some(),
            moves: !self.jobs.is_empty(),
            is_answered: self.mover.is_answered(),
        };
        let at = Now { station: now, ..(self.clock)() };
        let next = self.commission.look(&look, at);
        let mut replies = self.carry_out(next, now);
        // Answers to beats carry it, so that the station may arm the robot as soon as the last step has passed.
        self.gate.set_commissioning(self.commission.left());
        let boot = self.gate.state().memory().boot;
        replies.extend(self.commission.report(boot, now).map(|report| Reply::Report(Box::new(report))));
        replies
    }

    fn carry_out(&mut self, next: Next, now: Instant) -> Vec<Reply> {
        match next {
            Next::GoOn => Vec::new(),
            // A person at the robot is in control, and no motion of the gate is left to stop.
            Next::End(_) if self.is_local() && self.jobs.is_empty() && !self.mover.is_silent() => Vec::new(),
            Next::Hold | Next::End(_) => {
                self.mover.stop(kind_of(&next), now);
                self.end_jobs(Failure::Held, now)
            }
            Next::Try(means) => {
                self.mover.try_alone(means, now);
                // A goal goes on at the robot until the means ends it.
                let has_goals = self.jobs.values().any(|job| !job.is_velocity);
                if has_goals { Vec::new() } else { self.end_jobs(Failure::Held, now) }
            }
            // For the station the motion is over; the robot's own timeout ends it, and is measured.
            Next::FallSilent => {
                self.mover.fall_silent();
                self.end_jobs(Failure::Held, now)
            }
        }
    }
}

/// A robot that one means alone does not stop is stopped by all of them.
fn kind_of(next: &Next) -> StopKind {
    match next {
        Next::End(Some(result)) if result.outcome == StepOutcome::MeansFails => StopKind::Stop,
        Next::End(_) | Next::GoOn | Next::Hold | Next::Try(_) | Next::FallSilent => StopKind::Hold,
    }
}
