//! Turns of the agent for a goal that is a sentence: one when it becomes current, and further ones later and later
//! for as long as neither its rule nor a person says that it is done. No turn ends a goal.

use super::{GoalRun, GoalState, Run};

/// Time from a turn that the agent answered to the next one, milliseconds: the first and the longest.
const ANSWERED_MS: (i64, i64) = (600_000, 86_400_000);
/// Time from a turn that came to nothing to the next one, milliseconds: the first and the longest.
const CAME_TO_NOTHING_MS: (i64, i64) = (60_000, 3_600_000);

/// The end of a turn for a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnResult {
    /// The agent answered.
    Answered,
    /// It came to no answer.
    CameToNothing,
    /// It was not begun after all.
    NotBegun,
}

impl Run {
    /// The number, from 1, of the turn for the present goal that may begin now; none if none may.
    #[must_use]
    pub fn due_turn(&self, now_ms: i64) -> Option<u32> {
        let goal = self.goal().filter(|goal| goal.state == GoalState::Current && self.is_open(now_ms))?;
        // A clock that was set back delays nothing for ever.
        let waits = |at_ms: i64| (1..=ANSWERED_MS.1).contains(&at_ms.saturating_sub(now_ms));
        (!goal.turn_at_ms.is_some_and(waits)).then_some(goal.turns.saturating_add(1))
    }

    /// Notes that turn number `number` for the present goal begins; false if it may not. Should its end be lost, the
    /// next one is due as after an answer.
    pub fn begin_turn(&mut self, number: u32, now_ms: i64) -> bool {
        let is_due = self.due_turn(now_ms) == Some(number);
        if let Some(goal) = self.goal_mut().filter(|_| is_due) {
            goal.turns = number;
            // Set before the turn begins: after a crash none is begun, and paid for, at once (decision 0185).
            goal.turn_at_ms = next_ms(TurnResult::Answered, number, now_ms);
        }
        is_due
    }

    /// Takes in the end of turn number `number` for goal number `goal`; false if that is not the newest turn of the
    /// present goal.
    pub fn end_turn(&mut self, goal: usize, number: u32, result: TurnResult, now_ms: i64) -> bool {
        let is_present = self.current() == Some(goal) && !self.has_ended();
        let is_newest = |goal: &&mut GoalRun| is_present && goal.state == GoalState::Current && goal.turns == number;
        let Some(goal) = self.goal_mut().filter(is_newest) else { return false };
        if result == TurnResult::NotBegun {
            // It cost nothing, so it does not lengthen the time to the next one.
            goal.turns = number.saturating_sub(1);
        }
        goal.turn_at_ms = next_ms(result, number, now_ms);
        true
    }

    /// Notes that a person lets the run go on: a turn for its present goal waits no longer.
    pub fn ask_anew(&mut self) {
        if let Some(goal) = self.goal_mut() {
            goal.turn_at_ms = None;
        }
    }
}

/// The time of the turn after turn number `number`, UTC milliseconds; none if it is due at once.
fn next_ms(result: TurnResult, number: u32, now_ms: i64) -> Option<i64> {
    let (first, most) = match result {
        TurnResult::Answered => ANSWERED_MS,
        TurnResult::CameToNothing => CAME_TO_NOTHING_MS,
        TurnResult::NotBegun => return None,
    };
    // Saturating, because a sentence may wait for months and the power outgrows any integer.
    let delay_ms = first.saturating_mul(2_i64.saturating_pow(number.saturating_sub(1))).min(most);
    Some(now_ms.saturating_add(delay_ms))
}

#[cfg(test)]
mod tests {
    use super::super::RunStart;
    use super::*;
    use crate::goals::{Answer, GoalEnd, GoalReason, Outcome};

    const MINUTE_MS: i64 = 60_000;

    fn run() -> Run {
        Run::new(RunStart { id: "run-1".into(), number: 1, start: None }, 2, 0)
    }

    /// Minutes from the end of the next turn to the one after it.
    fn minutes_after(run: &mut Run, result: TurnResult, now_ms: i64) -> i64 {
        let number = run.due_turn(now_ms).unwrap();
        assert!(run.begin_turn(number, now_ms) && run.end_turn(0, number, result, now_ms));
        (run.goal().and_then(|goal| goal.turn_at_ms).unwrap() - now_ms) / MINUTE_MS
    }

    #[test]
    fn ml_32_a_sentence_is_asked_for_once_at_once_and_then_later_each_time() {
        let mut run = run();
        assert_eq!((run.due_turn(0), run.begin_turn(2, 0), run.begin_turn(1, 0)), (Some(1), false, true));
        assert_eq!((run.due_turn(0), run.begin_turn(1, 0)), (None, false), "while it goes on none begins");
        assert!(!run.end_turn(1, 1, TurnResult::Answered, 5) && !run.end_turn(0, 2, TurnResult::Answered, 5));
        assert!(run.end_turn(0, 1, TurnResult::Answered, 5));
        assert_eq!((run.due_turn(10 * MINUTE_MS), run.due_turn(10 * MINUTE_MS + 5)), (None, Some(2)));
        assert_eq!(run.current(), Some(0), "no turn ends a goal");
        let day_ms = 86_400_000;
        let delays: Vec<i64> =
            (1..=9).map(|day| minutes_after(&mut run, TurnResult::Answered, day * 2 * day_ms)).collect();
        assert_eq!(delays, [20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]);
        // A clock that is set back by years.
        assert_eq!(run.due_turn(-1_000 * day_ms), Some(11));
    }

    #[test]
    fn ml_32_a_turn_that_came_to_nothing_is_begun_again_within_the_hour() {
        let mut run = run();
        let hours_ms = 3_600_000 * 2;
        let delays: Vec<i64> =
            (0..8).map(|turn| minutes_after(&mut run, TurnResult::CameToNothing, turn * hours_ms)).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
        let now_ms = 9 * hours_ms;
        assert!(run.begin_turn(9, now_ms) && run.end_turn(0, 9, TurnResult::NotBegun, now_ms));
        assert_eq!(run.due_turn(now_ms), Some(9), "what was not begun is not counted");
    }

    #[test]
    fn ml_28_ml_32_a_turn_that_a_crash_has_cut_off_is_not_begun_again_at_once() {
        let mut run = run();
        run.begin_turn(1, 0);
        let mut read: Run = serde_json::from_str(&serde_json::to_string(&run).unwrap()).unwrap();
        read.interrupt(false);
        assert_eq!((read.due_turn(MINUTE_MS), read.due_turn(10 * MINUTE_MS)), (None, Some(2)));
        read.interrupt(true);
        assert_eq!(read.due_turn(10 * MINUTE_MS), None, "a mission with robots asks a person first");
        assert!(read.answer(Answer::Continue, MINUTE_MS));
        assert_eq!(read.due_turn(MINUTE_MS), Some(2), "who lets it go on does not have to wait");
        read.begin_turn(2, MINUTE_MS);
        read.ask_anew();
        assert_eq!(read.due_turn(MINUTE_MS), Some(3));
    }

    #[test]
    fn ml_32_a_tick_holds_whatever_goes_on_and_the_next_sentence_has_turns_of_its_own() {
        let mut run = run();
        run.begin_turn(1, 0);
        assert!(run.end_wait(0, GoalEnd::because(Outcome::Done, GoalReason::SaidDone { by: "dana".into() }), 1));
        assert!(!run.end_turn(0, 1, TurnResult::Answered, 2), "its turn says nothing about the next goal");
        assert_eq!((run.current(), run.due_turn(2)), (Some(1), Some(1)));
    }
}
