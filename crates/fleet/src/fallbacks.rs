//! Carries out what is done about a failure, step by step, and shows how far it got.

use std::sync::Arc;
use std::time::Duration;

use robot::{GateKind, RobotId};
use safety::fallback::{Evidence, FallbackClass, FallbackOutcome, FallbackRun, FallbackStep, Report};
use safety::machine::{CauseSet, State};

use crate::fleet::Fleet;
use crate::state::fallback_runs::{Fallbacks, Run};
use crate::state::robot_handle::RobotHandle;
use crate::{stops, supervision};
use runtime::audit::AuditEntry;
use runtime::session::Session;
use runtime::wire::{Fact, ProposalReason, StopReason, word};

/// Shortest time between two alerts of the agent about the same kind of failure of one robot.
const ALERT_EVERY: Duration = Duration::from_secs(30);

impl Fallbacks {
    /// Begins the fallback of `class`, unless one is under way. `why` goes to the agent and on record.
    pub fn begin(&self, fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, class: FallbackClass, why: StopReason) {
        let now = fleet.runtime.clock.now().station;
        // Asked before the lock, because the missions have locks of their own.
        let further = fleet.observer.further_steps(unit.id(), class);
        {
            let mut runs = self.lock();
            let before = runs.get(&(unit.id().clone(), class));
            // Another failure of the same class must not restart the steps, whose time limits run already.
            if before.is_some_and(|run| !run.steps.is_over()) {
                return;
            }
            // Taken over from the run before, so that failure after failure does not wake the agent each time.
            let alerted = before.and_then(|run| run.alerted);
            let steps = FallbackRun::new(class, &further, unit.stop_times());
            tracing::warn!(robot = %unit.id(), ?class, %why, "fallback");
            let run = Run { steps, begun: now, why, alerted, halted: None, told: Vec::new() };
            runs.insert((unit.id().clone(), class), run);
        }
        self.advance(fleet, unit, class);
    }

    /// Notes a command of an agent that was denied for `unit`.
    pub fn denied(&self, fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, sentence: &str) {
        let now = fleet.runtime.clock.now().station;
        let often = self.is_often_denied(now);
        let class = match (often, unit.is_still(now)) {
            (true, _) => FallbackClass::DeniedOften,
            (false, true) => FallbackClass::Denied,
            (false, false) => FallbackClass::DeniedMoving,
        };
        self.begin(fleet, unit, class, StopReason::Denied { sentence: sentence.to_owned() });
    }

    /// Ends the runs of a robot that has left.
    pub(crate) fn forget(&self, robot: &RobotId) {
        self.lock().retain(|(of, _), _| of != robot);
    }

    /// Goes on with every run; called at 10 Hz.
    pub fn sweep(&self, fleet: &Arc<Fleet>) {
        // Copied out: `advance` takes the lock itself.
        let active: Vec<_> = {
            let runs = self.lock();
            runs.iter().filter(|(_, run)| !run.steps.is_over()).map(|(key, _)| key.clone()).collect()
        };
        for (robot, class) in active {
            if let Ok(unit) = fleet.unit(&robot) {
                self.advance(fleet, &unit, class);
            }
        }
    }

    fn advance(&self, fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, class: FallbackClass) {
        let key = (unit.id().clone(), class);
        let Some((alerted, halted)) = self.lock().get(&key).map(|run| (run.alerted, run.halted)) else { return };
        let now = fleet.runtime.clock.now().station;
        // An agent in a turn learns of the failure there; waking it as well would tell it twice.
        let running = fleet.observer.is_agent_in_turn();
        let evidence = Evidence {
            acknowledged: has_acknowledged(fleet, unit),
            still: unit.is_still(now),
            paused: fleet.observer.nothing_waits(),
            alerted: alerted.is_some_and(|at| now.since(at) < ALERT_EVERY) || running,
            latched: halted.is_some_and(|stop_id| fleet.stops.is_saved(stop_id))
                && matches!(unit.state(), State::SafeStop | State::Lockout),
        };
        let (reports, why) = {
            let mut runs = self.lock();
            let Some(run) = runs.get_mut(&key) else { return };
            let reports = run.steps.advance(evidence, now);
            run.told.extend(reports.iter().map(|report| (*report, now)));
            (reports, run.why.clone())
        };
        // Without the lock: carrying a step out opens stops and notes its result in this same run.
        for report in reports {
            tell(fleet, unit, class, report);
            match report.outcome {
                FallbackOutcome::Begun => carry_out(fleet, unit, class, report.step, &why),
                FallbackOutcome::Failed => failed(fleet, unit, report.step),
                FallbackOutcome::Done => {}
            }
        }
    }
}

fn carry_out(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, class: FallbackClass, step: FallbackStep, why: &StopReason) {
    let note = |change: &dyn Fn(&mut Run)| {
        if let Some(run) = fleet.fallbacks.lock().get_mut(&(unit.id().clone(), class)) {
            change(run);
        }
    };
    let now = fleet.runtime.clock.now().station;
    match step {
        FallbackStep::StopActuators => match unit.state() {
            // These states have stopped the robot already.
            State::Hold | State::SafeStop | State::Lockout => {}
            State::Disarmed | State::Arming | State::Armed => unit.hold(now),
        },
        FallbackStep::PauseAllMissions => {
            let reason = ProposalReason::RobotFailed { robot: unit.id().clone(), trigger: why.clone() };
            fleet.observer.void_all(&Session::supervision(), &reason);
            fleet.observer.pause_missions(class);
        }
        FallbackStep::AlertAgent => {
            // Only agents outside a turn are woken: one in a turn
            // has the refusal, or sees the robot's state, there.
            fleet.observer.alert_agents(unit.id(), class, &why.to_string(), now);
            note(&|run| run.alerted = Some(now));
        }
        FallbackStep::HaltAndWait => {
            let stop_id = stops::halt(fleet, unit, why.clone());
            // The step counts as done once the disk has this very stop.
            note(&|run| run.halted = Some(stop_id));
            supervision::step(fleet, unit, CauseSet::EMPTY, None);
        }
    }
}

/// True once the robot has received the hold or the stops that bind it; one without a gate says so by standing.
fn has_acknowledged(fleet: &Fleet, unit: &RobotHandle) -> bool {
    match (unit.manifest.gate, unit.state()) {
        (GateKind::None, _) => unit.is_still(fleet.runtime.clock.now().station),
        (_, State::SafeStop | State::Lockout) => fleet.stops.acknowledged(unit.id()),
        (_, State::Disarmed | State::Arming | State::Armed | State::Hold) => unit.control().hold_acknowledged(),
    }
}

fn tell(fleet: &Fleet, unit: &RobotHandle, class: FallbackClass, Report { step, outcome }: Report) {
    fleet
        .runtime
        .bus
        .fact(Fact::Fallback { robot: unit.id().clone(), class, step, outcome }, Some(runtime::wire::Tag::Safety));
    let about = format!("robot={} class={} step={}", unit.id(), word(&class), word(&step));
    fleet.runtime.audit.note_done(AuditEntry::by_station("fallback", &word(&outcome)).about(about));
}

fn failed(fleet: &Fleet, unit: &RobotHandle, step: FallbackStep) {
    let robot = unit.id();
    let sentence = match step {
        FallbackStep::StopActuators => {
            let place = &unit.manifest.hardware_estop;
            format!("{robot} was not seen to stop. Use the hardware stop: {place}.")
        }
        FallbackStep::PauseAllMissions => "Missions could not be paused; what they move is stopped.".to_owned(),
        FallbackStep::AlertAgent => format!("The agent could not be told what happened to {robot}."),
        FallbackStep::HaltAndWait => format!("The latch of {robot} is not on disk yet; it holds in memory."),
    };
    fleet.runtime.bus.event("fallback_step_failed", sentence);
}
