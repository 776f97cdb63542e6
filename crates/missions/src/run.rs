//! A run of a mission through its goals. Pure: what has happened goes in, and the run says what is worked on next.

mod asking;
mod outcome;

use robot::{CommandId, ProposalId, VerdictId};
use serde::{Deserialize, Serialize};

use crate::format::front::OnFailure;
use crate::goals::{Answer, FailureResponse, GoalEnd, GoalReason, NextStep, Outcome};
use crate::goals::{after_answer, after_failure, after_outcome};
use crate::phrase::Start;
pub use asking::TurnResult;
pub use outcome::{RunEnd, RunOutcome};

/// The answers to what cannot be said of a goal that something has interrupted.
const UNCLEAR: NextStep = after_outcome(Outcome::Unclear);

/// One run of a mission, as it is kept on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// `run-<uuid>`.
    pub id: String,
    /// Counts the runs of the mission, from 1.
    pub number: u32,
    /// The start of it in a phrase, in English.
    pub trigger: String,
    /// The same as data; none of one that began before there was such data.
    #[serde(default)]
    pub start: Option<Start>,
    /// When it began, UTC milliseconds.
    pub started_ms: i64,
    /// Its goals in the order of the file.
    pub goals: Vec<GoalRun>,
    /// Repetitions that failures have led to.
    pub retries: u32,
    /// The answers that a person may give before anything goes on; none if nothing is asked.
    pub ask: Vec<Answer>,
    /// When a goal that failed is tried again, UTC milliseconds.
    pub retry_at_ms: Option<i64>,
    /// The end of it; none while it goes on.
    pub end: Option<RunEnd>,
}

/// The beginning of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStart {
    /// `run-<uuid>`.
    pub id: String,
    /// Counts the runs of the mission, from 1.
    pub number: u32,
    /// The start of it; none if it is not known.
    pub start: Option<Start>,
}

/// One goal of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalRun {
    /// Its state.
    pub state: GoalState,
    /// Number of times that it was begun.
    pub attempt: u32,
    /// When its state began, UTC milliseconds.
    pub since_ms: i64,
    /// When it was first its turn, UTC milliseconds.
    #[serde(default)]
    pub started_ms: Option<i64>,
    /// The newest proposal that was made for it.
    pub proposal: Option<ProposalId>,
    /// True if that proposal was approved.
    pub is_approved: bool,
    /// The newest command that was made of it.
    #[serde(default)]
    pub command: Option<CommandId>,
    /// The verdict on that command.
    #[serde(default)]
    pub verdict: Option<VerdictId>,
    /// The reason for its state as a sentence, in English.
    pub detail: Option<String>,
    /// The same as data; none of one that was written before there was such data.
    #[serde(default)]
    pub reason: Option<GoalReason>,
    /// Number of turns of the agent that were begun for it, if it is a sentence.
    #[serde(default)]
    pub turns: u32,
    /// When the next one may begin, UTC milliseconds; at once without it.
    #[serde(default)]
    pub turn_at_ms: Option<i64>,
}

/// The state of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalState {
    /// It comes later.
    Pending,
    /// It is next, or is waited for. Nothing was sent for it.
    Current,
    /// Something may have been sent for it.
    Dispatched,
    /// It is done.
    Done,
    /// It failed.
    Failed,
}

impl Run {
    /// A run of `count` goals that begins with the first.
    #[must_use]
    pub fn new(RunStart { id, number, start }: RunStart, count: usize, now_ms: i64) -> Self {
        let goals = vec![GoalRun::new(now_ms); count];
        let (ask, retry_at_ms, end) = (Vec::new(), None, None);
        let trigger = start.as_ref().map_or_else(String::new, ToString::to_string);
        let mut run = Self { id, number, trigger, start, started_ms: now_ms, goals, retries: 0, ask, retry_at_ms, end };
        run.enter_next(now_ms);
        run
    }

    /// True once nothing of it goes on any more.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// The number of the goal that is worked on, from 0; none if all are done.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        // Worked out each time, so that no stored number can disagree with the states.
        self.goals.iter().position(|goal| goal.state != GoalState::Done)
    }

    /// The goal that is worked on.
    #[must_use]
    pub fn goal(&self) -> Option<&GoalRun> {
        self.goals.get(self.current()?)
    }

    /// Number of goals that are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.goals.iter().filter(|goal| goal.state == GoalState::Done).count()
    }

    /// True if code may work on the present goal now.
    #[must_use]
    pub fn is_open(&self, now_ms: i64) -> bool {
        !self.has_ended() && self.ask.is_empty() && self.retry_at_ms.is_none_or(|at_ms| at_ms <= now_ms)
    }

    /// Notes that the present goal is begun: from here on something may be sent for it. False if it is not its turn.
    pub fn dispatch(&mut self, now_ms: i64) -> bool {
        let may = self.is_open(now_ms);
        self.retry_at_ms = None;
        let Some(goal) = self.goal_mut().filter(|goal| may && goal.state == GoalState::Current) else { return false };
        // Counted at the beginning: an end that comes late names the attempt that it belongs to.
        *goal = GoalRun { attempt: goal.attempt + 1, ..goal.to(GoalState::Dispatched, now_ms) };
        true
    }

    /// Notes how far the proposal of the present goal has come, if it is still its attempt number `attempt`.
    pub fn note_proposal(&mut self, attempt: u32, proposal: Option<&ProposalId>, is_approved: bool) -> bool {
        let Some(goal) = self.goal_mut().filter(|goal| goal.is_at(attempt)) else { return false };
        // The approval of an earlier attempt is not that of a new proposal.
        goal.is_approved = is_approved || (goal.is_approved && proposal.is_none());
        goal.proposal = proposal.cloned().or(goal.proposal.take());
        true
    }

    /// True if nobody has approved what was last asked for the present goal.
    #[must_use]
    pub fn is_turned_down(&self) -> bool {
        self.goal().is_some_and(|goal| goal.proposal.is_some() && !goal.is_approved)
    }

    /// Notes the command that was made of the present goal, if it is still its attempt number `attempt`.
    pub fn note_command(&mut self, attempt: u32, command: CommandId, verdict: Option<VerdictId>) -> bool {
        let Some(goal) = self.goal_mut().filter(|goal| goal.is_at(attempt)) else { return false };
        (goal.command, goal.verdict) = (Some(command), verdict);
        true
    }

    /// True while attempt number `attempt` of the goal with this number, from 0, is carried out: it is the present
    /// one, has no outcome, and nothing has interrupted it.
    #[must_use]
    pub fn carries_out(&self, number: usize, attempt: u32) -> bool {
        // All of it: an approval by activation holds for this attempt and lapses with any interruption.
        let is_present = self.current() == Some(number) && self.goal().is_some_and(|goal| goal.is_at(attempt));
        is_present && self.ask.is_empty() && !self.has_ended()
    }

    /// Takes in the outcome of attempt number `attempt` of the present goal; false if it is not about that any more.
    pub fn end_step(&mut self, attempt: u32, end: GoalEnd, now_ms: i64) -> bool {
        let is_its = self.current().is_some_and(|number| self.carries_out(number, attempt));
        if is_its {
            self.go_on(after_outcome(end.outcome), end.reason, now_ms);
        }
        is_its
    }

    /// Notes that attempt number `attempt` of the present goal was not begun after all; false if it is not about that.
    pub fn put_back(&mut self, attempt: u32, now_ms: i64) -> bool {
        let Some(goal) = self.goal_mut().filter(|goal| goal.is_at(attempt)) else { return false };
        *goal = goal.to(GoalState::Current, now_ms);
        true
    }

    /// Ends the run for a reason that stands with its present goal.
    pub fn fail(&mut self, attempt: u32, reason: GoalReason, now_ms: i64) -> bool {
        let Some(goal) = self.goal_mut().filter(|goal| goal.is_at(attempt)) else { return false };
        *goal = goal.to(GoalState::Failed, now_ms).because(Some(reason));
        self.end(RunOutcome::Failed, now_ms);
        true
    }

    /// Takes in that the goal with this number, for which nothing is sent, is done or was waited for in vain.
    pub fn end_wait(&mut self, number: usize, end: GoalEnd, now_ms: i64) -> bool {
        let is_its = self.current() == Some(number) && self.goal().is_some_and(|goal| goal.state == GoalState::Current);
        if is_its {
            self.go_on(after_outcome(end.outcome), end.reason, now_ms);
        }
        is_its
    }

    /// Takes in a person's answer; false if it was not asked for.
    pub fn answer(&mut self, answer: Answer, now_ms: i64) -> bool {
        // Only what was asked: two desks may answer the same question, and the second answer is too late.
        let Some(next) = after_answer(&self.ask, answer) else { return false };
        self.ask.clear();
        self.go_on(next, (answer == Answer::StepFailed).then_some(GoalReason::SaidFailed), now_ms);
        true
    }

    /// The response to the failure of the present goal; none if it has not failed. A repetition is noted at once.
    pub fn respond(&mut self, on_failure: &OnFailure, now_ms: i64) -> Option<FailureResponse> {
        let retries = self.retries;
        let goal = self.goal_mut().filter(|goal| goal.state == GoalState::Failed)?;
        let response = after_failure(on_failure, retries);
        if let FailureResponse::RetryAfter(secs) = response {
            // Kept through the repetition, so that people see why it is tried again.
            let (detail, reason) = (goal.detail.take(), goal.reason.take());
            *goal = GoalRun { detail, reason, ..goal.to(GoalState::Current, now_ms) };
            self.retries += 1;
            self.retry_at_ms =
                Some(now_ms.saturating_add(i64::try_from(secs.saturating_mul(1_000)).unwrap_or(i64::MAX)));
        }
        Some(response)
    }

    /// Notes that something outside has interrupted the run: what was sent is not known to be done, and
    /// where `asks_between` nothing moves before a person says so.
    pub fn interrupt(&mut self, asks_between: bool) {
        // A question that stands already is not replaced: its answers fit what happened first.
        if self.has_ended() || !self.ask.is_empty() {
            return;
        }
        let next = match self.goal().map(|goal| goal.state) {
            // A failed goal too: it may have moved the robot before it failed, and its response is still open.
            Some(GoalState::Dispatched | GoalState::Failed) => UNCLEAR,
            Some(GoalState::Pending | GoalState::Current | GoalState::Done) if asks_between => {
                after_outcome(Outcome::BetweenGoals)
            }
            Some(GoalState::Pending | GoalState::Current | GoalState::Done) | None => return,
        };
        // The person's answer decides when it goes on, and no longer the clock of an earlier failure.
        self.retry_at_ms = None;
        if let NextStep::Ask { answers, .. } = next {
            self.ask = answers.to_vec();
        }
    }

    /// Ends the run, unless it has ended.
    pub fn end(&mut self, outcome: RunOutcome, now_ms: i64) {
        if self.end.is_none() {
            self.end = Some(RunEnd { outcome, at_ms: now_ms });
        }
        self.ask.clear();
        self.retry_at_ms = None;
    }

    fn go_on(&mut self, next: NextStep, reason: Option<GoalReason>, now_ms: i64) {
        let Some(goal) = self.goal_mut() else { return };
        match next {
            NextStep::NextGoal => {
                *goal = goal.to(GoalState::Done, now_ms).because(reason);
                self.enter_next(now_ms);
            }
            NextStep::Failure => *goal = goal.to(GoalState::Failed, now_ms).because(reason),
            NextStep::Again => {
                let again = goal.to(GoalState::Current, now_ms);
                // An approval of the earlier attempt must not be taken for one of the new command.
                let again = GoalRun { proposal: None, is_approved: false, command: None, verdict: None, ..again };
                // A person has just answered, so the turn of a sentence is due at once (decision 0185).
                *goal = GoalRun { turn_at_ms: None, ..again };
            }
            NextStep::Ask { answers, .. } => {
                *goal = goal.clone().because(reason);
                self.ask = answers.to_vec();
            }
        }
    }

    fn enter_next(&mut self, now_ms: i64) {
        if let Some(goal) = self.goal_mut().filter(|goal| goal.state == GoalState::Pending) {
            *goal = GoalRun { started_ms: Some(now_ms), ..goal.to(GoalState::Current, now_ms) };
        }
    }

    fn goal_mut(&mut self) -> Option<&mut GoalRun> {
        let current = self.current()?;
        self.goals.get_mut(current)
    }
}

impl GoalRun {
    fn new(now_ms: i64) -> Self {
        Self {
            state: GoalState::Pending,
            attempt: 0,
            since_ms: now_ms,
            started_ms: None,
            proposal: None,
            is_approved: false,
            command: None,
            verdict: None,
            detail: None,
            reason: None,
            turns: 0,
            turn_at_ms: None,
        }
    }

    /// When it was done or failed, UTC milliseconds.
    #[must_use]
    pub const fn ended_ms(&self) -> Option<i64> {
        match self.state {
            GoalState::Done | GoalState::Failed => Some(self.since_ms),
            GoalState::Pending | GoalState::Current | GoalState::Dispatched => None,
        }
    }

    /// True while attempt number `attempt` has no outcome.
    fn is_at(&self, attempt: u32) -> bool {
        self.state == GoalState::Dispatched && self.attempt == attempt
    }

    /// The same goal in another state, which has no reason yet.
    fn to(&self, state: GoalState, now_ms: i64) -> Self {
        Self { state, since_ms: now_ms, detail: None, reason: None, ..self.clone() }
    }

    fn because(self, reason: Option<GoalReason>) -> Self {
        Self { detail: reason.as_ref().map(ToString::to_string), reason, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: GoalEnd = GoalEnd::done();

    fn run(count: usize) -> Run {
        Run::new(RunStart { id: "run-1".into(), number: 1, start: None }, count, 0)
    }

    fn failed() -> GoalEnd {
        GoalEnd::because(Outcome::Failed, GoalReason::Rejected { reason: "no".into() })
    }

    #[test]
    fn ml_16_one_goal_is_worked_on_at_a_time_and_none_is_sent_twice() {
        let mut run = run(2);
        assert!(run.dispatch(1) && !run.dispatch(2), "it was sent already");
        assert!(run.note_proposal(1, Some(&"pr-1".into()), false) && run.note_proposal(1, None, true));
        assert_eq!(
            run.goal().map(|goal| (goal.proposal.as_ref().map(ProposalId::as_str), goal.is_approved)),
            Some((Some("pr-1"), true))
        );
        assert!(!run.end_step(2, DONE, 3) && !run.end_wait(0, DONE, 3), "the outcome of something else");
        assert!(run.end_step(1, DONE, 3) && !run.end_step(1, DONE, 4));
        assert_eq!((run.current(), run.done()), (Some(1), 1));
        assert!(run.end_wait(1, DONE, 5));
        assert_eq!((run.current(), run.dispatch(6)), (None, false));
    }

    #[test]
    fn ml_24_a_step_is_carried_out_from_its_beginning_to_its_end_or_interruption() {
        let mut run = run(2);
        assert!(!run.carries_out(0, 0) && !run.carries_out(0, 1), "nothing was begun");
        run.dispatch(1);
        assert!(run.carries_out(0, 1) && !run.carries_out(0, 2) && !run.carries_out(1, 1));
        let mut stopped = run.clone();
        stopped.interrupt(true);
        assert!(!stopped.carries_out(0, 1), "a person is asked");
        let mut ended = run.clone();
        ended.end(RunOutcome::Cancelled, 2);
        assert!(!ended.carries_out(0, 1));
        run.end_step(1, DONE, 2);
        assert!(!run.carries_out(0, 1) && !run.carries_out(1, 1), "the next one was not begun");
    }

    #[test]
    fn ml_24_what_a_person_has_turned_down_stays_so_when_it_is_tried_again() {
        let mut run = run(1);
        run.dispatch(1);
        run.note_proposal(1, Some(&"pr-1".into()), false);
        run.note_proposal(1, None, true);
        assert!(!run.is_turned_down());
        let again = OnFailure::Retry { times: 2, delay_secs: 0 };
        assert!(run.end_step(1, failed(), 2) && run.respond(&again, 2).is_some() && !run.is_turned_down());
        run.dispatch(3);
        run.note_proposal(2, Some(&"pr-2".into()), false);
        assert!(run.end_step(2, failed(), 4) && run.respond(&again, 4).is_some() && run.is_turned_down());
    }

    #[test]
    fn ml_17_what_was_sent_and_has_no_outcome_is_asked_about_and_never_repeated_by_itself() {
        let mut run = run(1);
        run.dispatch(1);
        run.interrupt(false);
        assert_eq!(run.ask, [Answer::RepeatStep, Answer::StepDone, Answer::StepFailed]);
        assert!(!run.end_step(1, DONE, 2) && !run.dispatch(2) && !run.answer(Answer::Continue, 2));
        assert!(run.answer(Answer::RepeatStep, 3) && run.dispatch(4));
        assert_eq!(run.goal().map(|goal| (goal.attempt, goal.proposal.clone())), Some((2, None)));
        assert!(run.end_step(2, GoalEnd { outcome: Outcome::NeverSent, reason: None }, 5));
        assert_eq!(run.ask, [Answer::RepeatStep, Answer::StepFailed]);
        assert!(run.answer(Answer::StepFailed, 6));
        assert_eq!(run.respond(&OnFailure::Stop, 6), Some(FailureResponse::Fail));
    }

    #[test]
    fn ml_17_ml_28_between_two_goals_a_stop_asks_to_continue_and_a_pause_does_not() {
        let mut run = run(2);
        run.interrupt(false);
        assert!(run.is_open(1), "a pause skips nothing and asks nothing");
        run.interrupt(true);
        assert_eq!((run.ask.as_slice(), run.is_open(1)), (&[Answer::Continue][..], false));
        assert!(run.answer(Answer::Continue, 2) && run.dispatch(3));
        run.end(RunOutcome::Cancelled, 4);
        run.end(RunOutcome::Done, 5);
        run.interrupt(true);
        assert!(run.ask.is_empty() && !run.is_open(9));
        assert_eq!(run.end, Some(RunEnd { outcome: RunOutcome::Cancelled, at_ms: 4 }), "it ends once");
    }

    #[test]
    fn ml_18_a_failed_goal_is_tried_again_later_as_often_as_the_file_says() {
        let retry = OnFailure::Retry { times: 1, delay_secs: 60 };
        let mut run = run(1);
        run.dispatch(0);
        assert_eq!(run.respond(&retry, 0), None, "it has not failed");
        run.end_step(1, failed(), 1_000);
        assert_eq!(run.goal().and_then(|goal| goal.detail.as_deref()), Some("rejected: no"));
        assert_eq!(run.respond(&retry, 1_000), Some(FailureResponse::RetryAfter(60)));
        assert!(!run.dispatch(60_999) && run.dispatch(61_000));
        run.end_step(2, failed(), 62_000);
        assert_eq!(run.respond(&retry, 62_000), Some(FailureResponse::Fail));
    }

    #[test]
    fn me_15_ml_16_a_goal_names_its_command_and_its_times() {
        let mut run = run(2);
        run.dispatch(10);
        let (command, verdict) = (CommandId(uuid::Uuid::nil()), VerdictId(uuid::Uuid::nil()));
        assert!(!run.note_command(2, command, None) && run.note_command(1, command, Some(verdict)));
        run.end_step(1, DONE, 30);
        let [first, second] = &run.goals[..] else { panic!("{run:?}") };
        assert_eq!((first.started_ms, first.ended_ms()), (Some(0), Some(30)));
        assert_eq!((first.command, first.verdict), (Some(command), Some(verdict)));
        assert_eq!((second.started_ms, second.ended_ms(), second.command), (Some(30), None, None));
    }

    #[test]
    fn ml_28_a_run_is_read_as_it_was_written() {
        let mut run = run(3);
        run.dispatch(1);
        run.interrupt(false);
        let text = serde_json::to_string(&run).unwrap();
        assert!(text.contains("\"repeat_step\""), "{text}");
        assert_eq!(serde_json::from_str::<Run>(&text).unwrap(), run);
    }
}
