//! The row of a robot in `safety_status`: its state, and why it cannot be armed.

use robot::Instant;
use runtime::wire::{ArmingHindrance, CauseRow, ControlRow, LinkState, RobotSafety};
use safety::ArmingProblem;

use super::RobotHandle;

impl RobotHandle {
    /// The row of `safety_status`.
    #[must_use]
    pub fn safety(&self, now: Instant) -> RobotSafety {
        let limits = self.limits.load();
        let link = self.link_state(now);
        let (state, escape_only, causes, unconstrained_until, keeps_moving, base_timeout) = {
            let control = self.control();
            let mut causes: Vec<CauseRow> =
                control.safety.causes().iter().map(|active| self.cause_row(active, now)).collect();
            // The sentence of the fault names the stored row, which that of the cause does not.
            if let Some(fault) = &control.set_fault {
                let told = causes.iter_mut().filter(|row| row.cause == fault.cause());
                told.for_each(|row| row.sentence.clone_from(&fault.sentence));
            }
            let state = control.lockout.shown(control.safety.state());
            let (keeps_moving, base_timeout) = (control.keeps_moving(), control.base_timeout());
            let unconstrained_until = control.unconstrained_until(now);
            (state, control.safety.escapes(), causes, unconstrained_until, keeps_moving, base_timeout)
        };
        let ControlRow { holder, request, .. } = self.control_row(now);
        let place = limits.arming_problem(&self.robot_state(), now).filter(|_| link == LinkState::Live);
        let caused = causes.first().map(|row| (ArmingHindrance::Cause { cause: row.cause }, row.sentence.clone()));
        let (arming_hindrance, arming_problem) = caused.or_else(|| self.unready(link, place.as_ref())).unzip();
        RobotSafety {
            robot: self.id().clone(),
            state,
            escape_only,
            escape_possible: causes.is_empty() && place.is_some_and(|problem| problem.allows_escape()),
            arming_problem,
            arming_hindrance,
            causes,
            set_version: limits.version(),
            set_hash: limits.hash().to_string(),
            link,
            gate: self.manifest.gate.into(),
            keeps_moving,
            base_timeout,
            supervision: self.supervision(),
            unconstrained_until_mono_ms: unconstrained_until.map(Instant::mono_ms),
            control: holder,
            control_request: request,
        }
    }

    /// The reason why a robot without a cause cannot be armed, with its kind.
    fn unready(&self, link: LinkState, place: Option<&ArmingProblem>) -> Option<(ArmingHindrance, String)> {
        let unseen = |kind, sentence: &str| Some((kind, sentence.to_owned()));
        match link {
            LinkState::Live => place
                .map(|problem| (ArmingHindrance::from(problem), problem.to_string()))
                .or_else(|| self.lacks_commissioning()),
            LinkState::Late | LinkState::Lost => unseen(ArmingHindrance::NoAnswer, "the robot does not answer"),
            LinkState::Never => unseen(ArmingHindrance::NothingHeard, "nothing was heard of the robot yet"),
        }
    }
}
