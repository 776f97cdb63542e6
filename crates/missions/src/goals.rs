//! Consequences of the outcome of a goal. Pure: a run asks here, and code carries out the answer.

mod reason;

use robot::MissionId;
use serde::{Deserialize, Serialize};
use world::predicate::Truth;

use crate::format::front::{Front, Goal, OnFailure};
pub use reason::{GoalReason, MotionEnd};

/// The longest pause before a repetition, seconds.
const RETRY_DELAY_SECS_MAX: u64 = 3_600;
const HOUR_MS: u64 = 3_600_000;

/// The outcome of a goal that code worked on, or an incident between two goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The robot's evidence says that it is done, or the operation succeeded, or the wait is over.
    Done,
    /// Denied, refused by the robot, rejected by a person, failed, or waited for in vain.
    Failed,
    /// A hold interrupted it, and has cleared by itself.
    HeldForAMoment,
    /// Its proposal expired, or nobody was there to decide: nothing was sent.
    NeverSent,
    /// Its time was over while the robot moved.
    TimedOutMoving,
    /// It cannot be said: unknown, superseded, or interrupted by a pause, stop, hold, disarming or restart.
    Unclear,
    /// Between two goals the robot was stopped, held for a person or disarmed, or the station began again.
    BetweenGoals,
}

/// The end of a goal that code worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalEnd {
    /// The outcome, by which the mission goes on.
    pub outcome: Outcome,
    /// The reason.
    pub reason: Option<GoalReason>,
}

impl GoalEnd {
    /// It is done, and nothing is to say about it.
    #[must_use]
    pub const fn done() -> Self {
        Self { outcome: Outcome::Done, reason: None }
    }

    /// An outcome with its reason.
    #[must_use]
    pub const fn because(outcome: Outcome, reason: GoalReason) -> Self {
        Self { outcome, reason: Some(reason) }
    }
}

/// An answer of a person to the question of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The goal is worked on again, as a new command with a new verdict.
    RepeatStep,
    /// It is done.
    StepDone,
    /// It failed.
    StepFailed,
    /// The run goes on with its present goal.
    Continue,
}

/// The next step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// The next goal.
    NextGoal,
    /// The response to a failure.
    Failure,
    /// The present goal, from its beginning.
    Again,
    /// Nothing until a person has given one of these answers.
    Ask {
        /// The answers.
        answers: &'static [Answer],
        /// True if the robot has to be held first.
        holds_robot: bool,
    },
}

/// Says what a run does after an outcome. Code never sends a step a second time by itself.
#[must_use]
pub const fn after_outcome(outcome: Outcome) -> NextStep {
    const UNCLEAR: &[Answer] = &[Answer::RepeatStep, Answer::StepDone, Answer::StepFailed];
    match outcome {
        Outcome::Done => NextStep::NextGoal,
        // A hold that cleared by itself is no question to a person; the file says if it is tried again.
        Outcome::Failed | Outcome::HeldForAMoment => NextStep::Failure,
        // `StepDone` is missing here: what was never sent cannot have been done.
        Outcome::NeverSent => NextStep::Ask { answers: &[Answer::RepeatStep, Answer::StepFailed], holds_robot: false },
        Outcome::TimedOutMoving => NextStep::Ask { answers: UNCLEAR, holds_robot: true },
        Outcome::Unclear => NextStep::Ask { answers: UNCLEAR, holds_robot: false },
        Outcome::BetweenGoals => NextStep::Ask { answers: &[Answer::Continue], holds_robot: false },
    }
}

/// Says what a run does after an answer; none if that answer was not asked for.
#[must_use]
pub fn after_answer(asked: &[Answer], answer: Answer) -> Option<NextStep> {
    let next = match answer {
        Answer::RepeatStep | Answer::Continue => NextStep::Again,
        Answer::StepDone => NextStep::NextGoal,
        Answer::StepFailed => NextStep::Failure,
    };
    asked.contains(&answer).then_some(next)
}

/// The response to a failed goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureResponse {
    /// The mission has failed.
    Fail,
    /// It is paused, and the agent is told.
    Pause,
    /// The goal is worked on again after so many seconds.
    RetryAfter(u64),
    /// The mission has failed, and the trigger `spawn` of another one fires.
    FailAndSpawn(MissionId),
}

/// The response to a failed goal of a run in which `retries` repetitions were made.
#[must_use]
pub fn after_failure(on_failure: &OnFailure, retries: u32) -> FailureResponse {
    match on_failure {
        OnFailure::Stop => FailureResponse::Fail,
        OnFailure::Alert => FailureResponse::Pause,
        // Counted over the run and not per goal, so that a run of many goals cannot go on failing without end.
        OnFailure::Retry { times, .. } if retries >= *times => FailureResponse::Fail,
        OnFailure::Retry { delay_secs, .. } => {
            let delay_secs = u64::from(*delay_secs).saturating_mul(2_u64.saturating_pow(retries));
            FailureResponse::RetryAfter(delay_secs.min(RETRY_DELAY_SECS_MAX))
        }
        OnFailure::Spawn(mission) => FailureResponse::FailAndSpawn(mission.clone()),
    }
}

/// The way of a mission to its completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// True if every goal of the run is done.
    pub goals_done: bool,
    /// The number of missions that are parts of it.
    pub parts: usize,
    /// The number of those that are completed.
    pub parts_completed: usize,
    /// True if a command of it has no outcome yet.
    pub has_open_command: bool,
    /// The truth of `completes_when`, if the file has it.
    pub completes_when: Option<Truth>,
}

impl Front {
    /// True if more than one run may be started.
    #[must_use]
    pub fn recurs(&self) -> bool {
        self.triggers.iter().any(|trigger| trigger.value.recurs())
    }

    /// True if the mission, with that many parts, never completes by itself.
    #[must_use]
    pub fn goes_on(&self, parts: usize) -> bool {
        // Without goals and parts there is nothing whose end could complete it.
        self.completes_when.is_none() && (self.recurs() || (self.goals.is_empty() && parts == 0))
    }

    /// True if the mission is completed. What is unknown completes nothing, and a value that is true already skips no
    /// goal.
    #[must_use]
    pub fn is_completed(&self, at: Completion) -> bool {
        let is_due = match at.completes_when {
            Some(truth) => truth == Truth::True,
            None => !self.goes_on(at.parts),
        };
        // An open command may still move the robot, whatever the goals say.
        at.goals_done && at.parts_completed == at.parts && !at.has_open_command && is_due
    }
}

impl Goal {
    /// True if code works on it; a sentence is for the agent or a person.
    #[must_use]
    pub const fn is_for_code(&self) -> bool {
        match self {
            Self::Text { .. } => false,
            Self::Step { .. } | Self::WaitFor { .. } | Self::WaitSecs(_) => true,
        }
    }
}

/// True if a mission with a life of `life_ms`, of which `left_ms` are left, is about to expire: in its last hour, or
/// in the last tenth of a life under ten hours.
#[must_use]
pub const fn is_expiring(life_ms: u64, left_ms: u64) -> bool {
    if life_ms < 10 * HOUR_MS { left_ms <= life_ms / 10 } else { left_ms <= HOUR_MS }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const UNCLEAR: &[Answer] = &[Answer::RepeatStep, Answer::StepDone, Answer::StepFailed];

    #[test]
    fn ml_17_what_an_outcome_means() {
        let asks = |outcome| {
            let NextStep::Ask { answers, holds_robot } = after_outcome(outcome) else { panic!("{outcome:?}") };
            (answers, holds_robot)
        };
        assert_eq!(after_outcome(Outcome::Done), NextStep::NextGoal);
        assert_eq!(after_outcome(Outcome::Failed), NextStep::Failure);
        assert_eq!(after_outcome(Outcome::HeldForAMoment), NextStep::Failure);
        assert_eq!(asks(Outcome::NeverSent), (&[Answer::RepeatStep, Answer::StepFailed][..], false));
        assert_eq!(asks(Outcome::TimedOutMoving), (UNCLEAR, true));
        assert_eq!(asks(Outcome::Unclear), (UNCLEAR, false));
        assert_eq!(asks(Outcome::BetweenGoals), (&[Answer::Continue][..], false));
        assert_eq!(after_answer(UNCLEAR, Answer::RepeatStep), Some(NextStep::Again));
        assert_eq!(after_answer(UNCLEAR, Answer::StepDone), Some(NextStep::NextGoal));
        assert_eq!(after_answer(UNCLEAR, Answer::StepFailed), Some(NextStep::Failure));
        // An answer that was not asked for moves nothing on.
        assert_eq!(after_answer(UNCLEAR, Answer::Continue), None);
        assert_eq!(after_answer(&[Answer::RepeatStep, Answer::StepFailed], Answer::StepDone), None);
        let words: Vec<&str> = UNCLEAR.iter().map(Into::into).collect();
        assert_eq!(words, ["repeat_step", "step_done", "step_failed"]);
    }

    #[test]
    fn ml_18_what_follows_a_failure() {
        assert_eq!(after_failure(&OnFailure::Stop, 0), FailureResponse::Fail);
        assert_eq!(after_failure(&OnFailure::Alert, 0), FailureResponse::Pause);
        let park = MissionId::new("park-arm").unwrap();
        assert_eq!(after_failure(&OnFailure::Spawn(park.clone()), 0), FailureResponse::FailAndSpawn(park));
        let retry = OnFailure::Retry { times: 10, delay_secs: 60 };
        let delays: Vec<FailureResponse> = [0, 1, 5, 6, 9].map(|retries| after_failure(&retry, retries)).into();
        assert_eq!(delays, [60, 120, 1_920, 3_600, 3_600].map(FailureResponse::RetryAfter));
        assert_eq!(after_failure(&retry, 10), FailureResponse::Fail);
        assert_eq!(
            after_failure(&OnFailure::Retry { times: u32::MAX, delay_secs: 1 }, 99),
            FailureResponse::RetryAfter(3_600)
        );
    }

    #[test]
    fn ml_19_a_mission_completes_when_everything_is_done_and_nothing_is_unknown() {
        let front = |yaml: &str| parse(format!("---\n{yaml}\n---\n").as_bytes()).front;
        let done = Completion {
            goals_done: true,
            parts: 0,
            parts_completed: 0,
            has_open_command: false,
            completes_when: None,
        };
        let once = front("goals: [Look]");
        assert!(once.is_completed(done));
        assert!(!once.is_completed(Completion { goals_done: false, completes_when: Some(Truth::True), ..done }));
        assert!(!once.is_completed(Completion { has_open_command: true, ..done }));
        assert!(!once.is_completed(Completion { parts: 2, parts_completed: 1, ..done }));
        assert!(!once.is_completed(Completion { completes_when: Some(Truth::Unknown), ..done }));
        assert!(!once.is_completed(Completion { completes_when: Some(Truth::False), ..done }));
        for endless in ["", "goals: [Look]\ntriggers: [{cron: '0 1 * * *'}]", "goals: [Look]\ntriggers: [spawn]"] {
            assert!(front(endless).goes_on(0) && !front(endless).is_completed(done), "{endless}");
        }
        let until = front("triggers: [{when: a.b = 1}]\ncompletes_when: a.c = 1");
        assert!(!until.goes_on(0) && until.is_completed(Completion { completes_when: Some(Truth::True), ..done }));
        // Parts alone are something to do.
        assert!(front("").is_completed(Completion { parts: 1, parts_completed: 1, ..done }));
    }

    #[test]
    fn ml_20_a_mission_is_expiring_in_its_last_hour_or_tenth() {
        let minutes = |life: u64, left: u64| is_expiring(life * 60_000, left * 60_000);
        assert!(minutes(600, 60) && !minutes(600, 61));
        assert!(minutes(43_200, 60) && !minutes(43_200, 61));
        assert!(minutes(100, 10) && !minutes(100, 11));
    }

    #[test]
    fn ml_16_only_sentences_wait_for_somebody_else() {
        let goals =
            parse(b"---\ngoals: [Look, {operation: x}, {wait_for: a.b = 1}, {wait_secs: 1}]\n---\n").front.goals;
        assert_eq!(goals.iter().map(|goal| goal.value.is_for_code()).collect::<Vec<_>>(), [false, true, true, true]);
    }
}
