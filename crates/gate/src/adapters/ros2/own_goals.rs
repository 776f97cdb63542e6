//! This gate's own goals at the action server: one after the other. A goal that is given up is cancelled again and
//! again until it has ended, even if the server takes it only then.

use std::collections::VecDeque;
use std::time::Duration;

use bridge::envelope::GateFault;
use robot::{CommandId, Instant};
use serde_json::{Value, json};

use super::CANCEL_EVERY;
use super::goals::{Answer, Ending, GoalId, GoalState, Goals};
use super::outbox::{Going, Outbox};
use crate::adapter::{Outcome, Reading, ReadingValue};

/// Name under which the state of a goal is forwarded.
pub const GOAL: &str = "goal";

/// Time for the server to take or refuse a goal.
const TAKE_WITHIN: Duration = Duration::from_secs(5);
/// Time for the goal before it to end.
const FREE_WITHIN: Duration = Duration::from_secs(10);
/// Time for the result of a goal whose end its state has shown.
const RESULT_WITHIN: Duration = Duration::from_secs(1);
/// A server that has told how far a goal is, and is silent for so long, is lost.
const SILENCE: Duration = Duration::from_secs(1);
/// A refusal is a new reason to stop, and must not be one at once again.
const REFUSED_EVERY: Duration = Duration::from_secs(1);
/// Goals that are remembered as this gate's own: those of an hour.
const OWN_MAX: usize = 1_024;
/// Goals that were given up and have not ended. With more of them no goal is sent.
const LEFT_MAX: usize = 8;

/// The goals of one gate.
#[derive(Default)]
pub struct OwnGoals {
    /// Every goal that was sent, and whether the server has told its end.
    own: VecDeque<(GoalId, bool)>,
    wanted: Option<Wanted>,
    left: Vec<Left>,
    refused: Option<Instant>,
}

/// The goal that the robot is to move to.
struct Wanted {
    id: CommandId,
    going: Going,
    phase: Phase,
    since: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The goal before it has not ended.
    Waiting,
    Sent,
    /// The server has taken it; its state has shown its end then.
    Taken(Option<Instant>),
}

/// A goal that was given up.
struct Left {
    goal: GoalId,
    since: Instant,
    is_taken: bool,
    asked: Option<Instant>,
}

/// Everything that came of goals.
#[derive(Debug, Default)]
pub struct GoalEvents {
    /// Ends of motions.
    pub ended: Vec<(CommandId, Outcome)>,
    /// Failures that stop the robot.
    pub faults: Vec<GateFault>,
    /// States for the station.
    pub readings: Vec<Reading>,
}

impl GoalEvents {
    fn say(&mut self, going: &Going, state: &str, ending: Option<&Ending>, now: Instant) {
        let goal: String = going.goal.iter().map(|byte| format!("{byte:02x}")).collect();
        let code = ending.map(|ending| ending.code);
        let words = ending.map(|ending| ending.words.as_str()).filter(|words| !words.is_empty());
        tracing::info!(goal, state, code, words, "a goal of the robot");
        let value: Value = json!({ "goal": goal, "state": state, "error_code": code, "error_words": words });
        let value = ReadingValue::Extra(GOAL.to_owned(), value);
        self.readings.push(Reading { stamp_ms: now.0 as f64 / 1e6, arrived: now, value });
    }
}

impl OwnGoals {
    /// True if the goal was this gate's since it was started.
    pub fn is_own(&self, goal: GoalId) -> bool {
        self.own.iter().any(|(own, _)| *own == goal)
    }

    /// The goal that waits for the end of the one before it.
    pub fn waiting(&mut self) -> Option<&mut Going> {
        self.wanted.as_mut().filter(|wanted| wanted.phase == Phase::Waiting).map(|wanted| &mut wanted.going)
    }

    /// True while a goal that was given up may still move the robot.
    pub const fn is_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Begins to move to a goal, once the one before it has ended. False if it cannot be sent.
    pub fn begin(&mut self, id: CommandId, going: Going, outbox: &Outbox, now: Instant) -> bool {
        self.give_up(outbox, now);
        if self.left.len() >= LEFT_MAX {
            return false;
        }
        if self.own.len() >= OWN_MAX {
            self.own.pop_front();
        }
        // Before it is sent: its state may be heard at once, and must not look like that of another commander.
        self.own.push_back((going.goal, false));
        let phase = if self.left.is_empty() { Phase::Sent } else { Phase::Waiting };
        if phase == Phase::Sent && !outbox.go(going.clone()) {
            return false;
        }
        self.wanted = Some(Wanted { id, going, phase, since: now });
        true
    }

    /// The motion is over for this gate; whatever was sent of it is to end.
    pub fn give_up(&mut self, outbox: &Outbox, now: Instant) {
        let Some(Wanted { going, phase, .. }) = self.wanted.take() else { return };
        match phase {
            Phase::Waiting => {}
            // It has not left yet, so that the server has nothing to cancel.
            Phase::Sent if outbox.take_back(going.goal) => {}
            Phase::Sent => self.leave(going.goal, false, now),
            Phase::Taken(_) => self.leave(going.goal, true, now),
        }
    }

    fn leave(&mut self, goal: GoalId, is_taken: bool, since: Instant) {
        if self.left.iter().all(|left| left.goal != goal) {
            self.left.push(Left { goal, since, is_taken, asked: None });
        }
    }

    /// Cancels what was given up, and sends the goal that waits for it.
    pub fn go_on(&mut self, outbox: &Outbox, now: Instant) {
        for left in &mut self.left {
            // A server that has not looked at the goal yet forgets a cancellation, so that it is repeated.
            if left.asked.is_none_or(|last| now.since(last) >= CANCEL_EVERY) {
                left.asked = Some(now);
                outbox.end(left.goal);
            }
        }
        if let Some(wanted) = &mut self.wanted
            && wanted.phase == Phase::Waiting
            // Of two goals at the server either may win.
            && self.left.is_empty()
            && outbox.go(wanted.going.clone())
        {
            wanted.phase = Phase::Sent;
            wanted.since = now;
        }
    }

    /// Takes in everything that was heard of goals. A goal that waits has failed unless it still `starts_there`,
    /// where it was judged.
    pub fn hear(&mut self, goals: &mut Goals, starts_there: bool, outbox: &Outbox, now: Instant) -> GoalEvents {
        let mut told = GoalEvents::default();
        for (goal, answer) in goals.take_answers() {
            if matches!(answer, Answer::Taken(false) | Answer::Result(_)) {
                self.own.iter_mut().filter(|(own, _)| *own == goal).for_each(|(_, has_ended)| *has_ended = true);
            }
            self.answer_of_left(goal, &answer, &mut told, now);
            self.answer(goal, answer, &mut told, now);
        }
        if !starts_there && self.waiting().is_some() {
            self.fail("start_left", outbox, &mut told, now);
        }
        self.look(goals, outbox, &mut told, now);
        self.look_at_left(goals, now);
        told
    }

    fn answer_of_left(&mut self, goal: GoalId, answer: &Answer, told: &mut GoalEvents, now: Instant) {
        let Some(at) = self.left.iter().position(|left| left.goal == goal) else { return };
        let left = &mut self.left[at];
        let has_ended = match answer {
            Answer::Taken(is_taken) => {
                left.is_taken = *is_taken;
                !is_taken
            }
            Answer::Result(_) => true,
            // It has ended, as the server knows.
            Answer::Cancelled(3) => true,
            // A server that has not looked at the goal yet does not know it either.
            Answer::Cancelled(code) => *code == 2 && (left.is_taken || now.since(left.since) > FREE_WITHIN),
        };
        if has_ended {
            self.left.swap_remove(at);
        } else if matches!(answer, Answer::Cancelled(code) if !matches!(code, 0 | 2 | 3)) {
            self.refuse(told, now);
        }
    }

    fn refuse(&mut self, told: &mut GoalEvents, now: Instant) {
        if self.refused.is_none_or(|last| now.since(last) >= REFUSED_EVERY) {
            self.refused = Some(now);
            told.faults.push(GateFault::StopRefused);
        }
    }

    fn answer(&mut self, goal: GoalId, answer: Answer, told: &mut GoalEvents, now: Instant) {
        let Some(wanted) = self.wanted.as_mut().filter(|wanted| wanted.going.goal == goal) else { return };
        match answer {
            Answer::Taken(true) => {
                if wanted.phase == Phase::Sent {
                    wanted.phase = Phase::Taken(None);
                    told.say(&wanted.going, "accepted", None, now);
                }
            }
            Answer::Taken(false) => self.end(Outcome::Failed, "refused", None, told, now),
            Answer::Result(ending) => self.end(outcome(&ending), ending.state.name(), Some(&ending), told, now),
            Answer::Cancelled(_) => {}
        }
    }

    /// The end of the motion.
    fn end(&mut self, outcome: Outcome, state: &str, ending: Option<&Ending>, told: &mut GoalEvents, now: Instant) {
        let Some(wanted) = self.wanted.take() else { return };
        told.say(&wanted.going, state, ending, now);
        told.ended.push((wanted.id, outcome));
    }

    /// The motion has failed without an end at the server.
    pub fn fail(&mut self, state: &str, outbox: &Outbox, told: &mut GoalEvents, now: Instant) {
        let Some(Wanted { id, going, .. }) = &self.wanted else { return };
        told.say(going, state, None, now);
        told.ended.push((*id, Outcome::Failed));
        self.give_up(outbox, now);
    }

    /// Looks at the states that the server tells, and at the time.
    fn look(&mut self, goals: &Goals, outbox: &Outbox, told: &mut GoalEvents, now: Instant) {
        let Some(wanted) = &mut self.wanted else { return };
        let goal = wanted.going.goal;
        let state = goals.state(goal);
        if wanted.phase == Phase::Sent && state.is_some() {
            wanted.phase = Phase::Taken(None);
        }
        if let Phase::Taken(over) = &mut wanted.phase
            && state.is_some_and(GoalState::is_over)
        {
            over.get_or_insert(now);
        }
        let waits = now.since(wanted.since);
        match wanted.phase {
            Phase::Waiting => {
                if waits > FREE_WITHIN {
                    self.fail("never_free", outbox, told, now);
                }
            }
            Phase::Sent | Phase::Taken(None) if !goals.server.is_there => {
                told.faults.push(GateFault::Unreachable);
                self.fail("server_lost", outbox, told, now);
            }
            Phase::Sent => {
                if waits > TAKE_WITHIN {
                    self.fail("no_answer", outbox, told, now);
                }
            }
            Phase::Taken(None) => {
                // Feedback is optional: only a server that has given some can fall silent.
                if goals.last_feedback(goal).is_some_and(|last| now.since(last) > SILENCE) {
                    told.faults.push(GateFault::Silent);
                    self.fail("server_silent", outbox, told, now);
                }
            }
            Phase::Taken(Some(over)) => {
                // The result may carry an error code, which the state does not; it is waited for.
                if let Some(state) = state.filter(|_| now.since(over) > RESULT_WITHIN) {
                    self.end(outcome(&Ending::new(state, 0, "")), state.name(), None, told, now);
                }
            }
        }
    }

    /// A goal of this gate that the server works at, though nobody wants it any more, is given up too.
    fn look_at_left(&mut self, goals: &Goals, now: Instant) {
        // A server that is gone carries nothing out any more.
        let is_over = |left: &Left| !goals.server.is_there || goals.state(left.goal).is_some_and(GoalState::is_over);
        self.left.retain(|left| !is_over(left));
        let wanted = self.wanted.as_ref().map(|wanted| wanted.going.goal);
        for goal in goals.open().filter(|goal| Some(*goal) != wanted) {
            // Its state may come later than its result: a goal with a result is not given up again.
            if self.own.contains(&(goal, false)) && self.left.len() < LEFT_MAX {
                self.leave(goal, true, now);
            }
        }
    }
}

fn outcome(ending: &Ending) -> Outcome {
    if ending.is_success() { Outcome::Done } else { Outcome::Failed }
}

#[cfg(test)]
mod tests;
