//! Responses to failures: ordered steps per class, each acknowledged in time or given up for the next.
//!
//! There are only these four steps; nothing else can be put to a robot in answer to a failure.

use std::time::Duration;

use arrayvec::ArrayVec;
use robot::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Grace beyond the robot's own stopping time for it to stand still.
pub const STANDSTILL_GRACE: Duration = Duration::from_millis(300);
/// Time limit for pausing missions.
const PAUSE_WAIT: Duration = Duration::from_millis(200);
/// Time limit for queueing the agent's turn, and for the latch to be on disk.
const ANSWER_WAIT: Duration = Duration::from_secs(1);
/// One step of each kind.
const STEPS_MAX: usize = FallbackStep::ALL.len();
/// The most one look can report: the end of one step and the beginning of the next.
const REPORTS_MAX: usize = 2;

/// A class of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FallbackClass {
    /// A command of a mission or an agent was denied while the robot stood still.
    Denied,
    /// The same while it moved.
    DeniedMoving,
    /// The same several times in a short while.
    DeniedOften,
    /// A limit is passed, or soon will be.
    Breach,
    /// The robot's measurements cannot be relied on.
    Sensor,
    /// The robot answers late or no longer.
    Link,
    /// Commands cannot be judged.
    Validator,
    /// A stop was not confirmed.
    StopUnconfirmed,
}

/// A step of the response to a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FallbackStep {
    /// The robot is told to hold or stop, until it stands still.
    StopActuators,
    /// No mission and no agent commands any robot.
    PauseAllMissions,
    /// The agent is told, so that a turn starts.
    AlertAgent,
    /// The robot is latched until a person releases it.
    HaltAndWait,
}

/// Progress of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FallbackOutcome {
    /// It was begun.
    Begun,
    /// It was acknowledged in time.
    Done,
    /// It was not; the next step follows at once.
    Failed,
}

impl FallbackClass {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Denied,
        Self::DeniedMoving,
        Self::DeniedOften,
        Self::Breach,
        Self::Sensor,
        Self::Link,
        Self::Validator,
        Self::StopUnconfirmed,
    ];

    /// Its steps, in order. Nothing takes one away.
    #[must_use]
    pub const fn steps(self) -> &'static [FallbackStep] {
        use FallbackStep::{AlertAgent, HaltAndWait, PauseAllMissions, StopActuators};
        match self {
            Self::Denied => &[AlertAgent],
            Self::DeniedMoving | Self::Breach | Self::Sensor | Self::Link => &[StopActuators, AlertAgent],
            Self::DeniedOften => &[PauseAllMissions, AlertAgent],
            Self::Validator | Self::StopUnconfirmed => &[StopActuators, HaltAndWait],
        }
    }
}

impl FallbackClass {
    /// Its steps, and behind them those of `further` that are none of them, each once.
    #[must_use]
    pub fn steps_and(self, further: &[FallbackStep]) -> ArrayVec<FallbackStep, STEPS_MAX> {
        let mut steps = ArrayVec::new();
        for step in self.steps().iter().chain(further) {
            if !steps.contains(step) {
                steps.push(*step);
            }
        }
        steps
    }
}

impl FallbackStep {
    /// Every step.
    pub const ALL: [Self; 4] = [Self::StopActuators, Self::PauseAllMissions, Self::AlertAgent, Self::HaltAndWait];
}

/// Observed effects of the steps, as far as known now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The robot has acknowledged what it was told since the step began.
    pub acknowledged: bool,
    /// The robot stands still.
    pub still: bool,
    /// No mission and no agent commands any robot.
    pub paused: bool,
    /// A turn of the agent is queued or running.
    pub alerted: bool,
    /// The robot is latched, and the disk has it.
    pub latched: bool,
}

/// Time limits for the robot's response to a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopTimes {
    /// To acknowledge a hold or stop.
    pub ack: Duration,
    /// To stand still after that, from the fastest it may move.
    pub stopping: Duration,
}

/// One answer to one failure, from its first step to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallbackRun {
    class: FallbackClass,
    times: StopTimes,
    waiting: ArrayVec<FallbackStep, STEPS_MAX>,
    current: Option<(FallbackStep, Instant)>,
}

/// Something about a step that people and the station must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The step.
    pub step: FallbackStep,
    /// `Begun` asks the station to carry it out.
    pub outcome: FallbackOutcome,
}

impl FallbackRun {
    /// The run for a failure of `class`; nothing has begun yet. Those of `further` follow the steps of the class.
    #[must_use]
    pub fn new(class: FallbackClass, further: &[FallbackStep], times: StopTimes) -> Self {
        Self { class, times, waiting: class.steps_and(further), current: None }
    }

    /// The class of the failure.
    #[must_use]
    pub const fn class(&self) -> FallbackClass {
        self.class
    }

    /// True once every step was acknowledged, or given up with the robot latched.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.current.is_none() && self.waiting.is_empty()
    }

    /// Goes as far as the evidence allows. What is due by time alone needs a call at least every 100 ms.
    pub fn advance(&mut self, evidence: Evidence, now: Instant) -> ArrayVec<Report, REPORTS_MAX> {
        let mut reports = ArrayVec::new();
        if let Some((step, begun)) = self.current {
            let Some(outcome) = self.outcome(step, evidence, now.since(begun)) else { return reports };
            reports.push(Report { step, outcome });
            self.current = None;
            if outcome == FallbackOutcome::Failed {
                self.give_up(step);
            }
        }
        // Success of the next step is seen at the next look: the present evidence is older than the step.
        if let Some(next) = self.waiting.pop_at(0) {
            self.current = Some((next, now));
            reports.push(Report { step: next, outcome: FallbackOutcome::Begun });
        }
        reports
    }

    fn outcome(&self, step: FallbackStep, evidence: Evidence, took: Duration) -> Option<FallbackOutcome> {
        let within = |done: bool, wait: Duration| match (done, took > wait) {
            (true, _) => Some(FallbackOutcome::Done),
            (false, true) => Some(FallbackOutcome::Failed),
            (false, false) => None,
        };
        match step {
            FallbackStep::StopActuators if evidence.acknowledged => {
                within(evidence.still, self.times.ack + self.times.stopping + STANDSTILL_GRACE)
            }
            // Standing still without an acknowledgement proves nothing: the robot may not have been moving.
            FallbackStep::StopActuators => within(false, self.times.ack),
            FallbackStep::PauseAllMissions => within(evidence.paused, PAUSE_WAIT),
            FallbackStep::AlertAgent => within(evidence.alerted, ANSWER_WAIT),
            FallbackStep::HaltAndWait => within(evidence.latched, ANSWER_WAIT),
        }
    }

    /// Missions that go on are ended by stopping what they move. A robot that was not seen to stop has a state of its
    /// own for that, with a fallback of its own; of the other two the operator is told.
    fn give_up(&mut self, step: FallbackStep) {
        match step {
            // Ahead of what still waits: what the missions move is stopped before the agent is alerted.
            FallbackStep::PauseAllMissions => self.waiting.insert(0, FallbackStep::StopActuators),
            FallbackStep::StopActuators | FallbackStep::AlertAgent | FallbackStep::HaltAndWait => {}
        }
    }
}

#[cfg(test)]
mod tests;
