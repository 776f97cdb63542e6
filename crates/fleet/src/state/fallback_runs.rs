//! The newest run of each fallback of each robot.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use robot::{Instant, RobotId};
use safety::fallback::{FallbackClass, FallbackRun, FallbackStep, Report};

use crate::surroundings::Observer;
use runtime::lock::lock;
use runtime::wire::{FallbackRow, FallbackStepRow, StopReason};

/// Denied commands of an agent within [`OFTEN_WITHIN`] that count as often.
const OFTEN: usize = 5;
const OFTEN_WITHIN: Duration = Duration::from_secs(10);

/// The newest run of each class and robot, and what decides when the next begins.
#[derive(Default)]
pub struct Fallbacks {
    runs: Mutex<BTreeMap<(RobotId, FallbackClass), Run>>,
    denied: Mutex<VecDeque<Instant>>,
}

/// One run of a fallback.
pub(crate) struct Run {
    pub steps: FallbackRun,
    pub begun: Instant,
    pub why: StopReason,
    /// When the agent was last told of this, in this run or the one before.
    pub alerted: Option<Instant>,
    pub halted: Option<u64>,
    pub told: Vec<(Report, Instant)>,
}

impl Fallbacks {
    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<(RobotId, FallbackClass), Run>> {
        lock(&self.runs)
    }

    /// Counts a denied command of an agent; true if it is one too many.
    pub(crate) fn is_often_denied(&self, now: Instant) -> bool {
        let mut denied = lock(&self.denied);
        denied.retain(|at| now.since(*at) < OFTEN_WITHIN);
        denied.push_back(now);
        let often = denied.len() >= OFTEN;
        // Counted anew, so that one burst of denials asks for one fallback.
        if often {
            denied.clear();
        }
        often
    }

    /// Every class of `robot` with its steps, those that live missions add, and the newest run with all that it did.
    pub fn rows(&self, robot: &RobotId, observer: &dyn Observer) -> Vec<FallbackRow> {
        let further = FallbackClass::ALL.map(|class| (class, observer.further_steps(robot, class)));
        let runs = self.lock();
        let row = |(class, mut further): (FallbackClass, Vec<FallbackStep>)| {
            let run = runs.get(&(robot.clone(), class));
            further.extend(run.into_iter().flat_map(|run| run.told.iter().map(|(report, _)| report.step)));
            let told = |step: &FallbackStep| {
                let last = run?.told.iter().rev().find(|(report, _)| report.step == *step)?;
                Some((last.0.outcome, last.1))
            };
            let steps = class.steps_and(&further);
            let steps = steps.iter().map(|step| {
                let (outcome, at) = told(step).unzip();
                let after_ms = at.zip(run).map(|(at, run)| at.ms_since(run.begun));
                FallbackStepRow { step: *step, outcome, after_ms }
            });
            FallbackRow {
                robot: robot.clone(),
                class,
                steps: steps.collect(),
                begun_mono_ms: run.map(|run| run.begun.mono_ms()),
                why: run.map(|run| run.why.to_string()),
                why_kind: run.map(|run| run.why.clone()),
            }
        };
        further.into_iter().map(row).collect()
    }
}
