//! Goals at the action server that moves the robot, as far as they were heard of.

use std::collections::VecDeque;

use robot::Instant;

use super::message::GoalStatusArray;

/// Answers that wait for the deciding thread.
const ANSWERS_MAX: usize = 64;
/// Goals of one status; a server keeps those of some minutes.
const GOALS_MAX: usize = 1_024;
/// Words of a server about the end of a goal are cut to this many characters.
const WORDS_CHARS_MAX: usize = 200;

/// Identity of a goal.
pub type GoalId = [u8; 16];

/// State of a goal, by `action_msgs/GoalStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalState {
    /// Nobody has said anything of it yet.
    Unknown,
    /// The server has taken it.
    Accepted,
    /// The robot moves for it.
    Executing,
    /// It is being cancelled; the robot may still move for it.
    Canceling,
    /// The robot is there.
    Succeeded,
    /// It was cancelled.
    Canceled,
    /// The server has given it up.
    Aborted,
}

impl GoalState {
    /// The state of this number; none if there is none.
    #[must_use]
    pub const fn of(number: i8) -> Option<Self> {
        Some(match number {
            0 => Self::Unknown,
            1 => Self::Accepted,
            2 => Self::Executing,
            3 => Self::Canceling,
            4 => Self::Succeeded,
            5 => Self::Canceled,
            6 => Self::Aborted,
            _ => return None,
        })
    }

    /// True once nothing more comes of it.
    #[must_use]
    pub const fn is_over(self) -> bool {
        match self {
            Self::Succeeded | Self::Canceled | Self::Aborted => true,
            Self::Unknown | Self::Accepted | Self::Executing | Self::Canceling => false,
        }
    }

    /// True while somebody wants the robot to move for it.
    #[must_use]
    pub const fn is_wanted(self) -> bool {
        match self {
            Self::Accepted | Self::Executing => true,
            // Whoever wanted a goal that is being cancelled has given it up, and is no other commander.
            Self::Unknown | Self::Canceling | Self::Succeeded | Self::Canceled | Self::Aborted => false,
        }
    }

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Accepted => "accepted",
            Self::Executing => "executing",
            Self::Canceling => "canceling",
            Self::Succeeded => "succeeded",
            Self::Canceled => "canceled",
            Self::Aborted => "aborted",
        }
    }
}

/// The end of a goal, as the server tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Its state.
    pub state: GoalState,
    /// Its code, by the definition of the action; 0 if nothing is wrong.
    pub code: i32,
    /// The server's words about it, cut to their first characters; empty if there are none.
    pub words: String,
}

impl Ending {
    /// The end with this state, code and words.
    pub fn new(state: GoalState, code: i32, words: &str) -> Self {
        Self { state, code, words: words.chars().take(WORDS_CHARS_MAX).collect() }
    }

    /// True if the robot is where it was to go, and nothing is wrong.
    pub fn is_success(&self) -> bool {
        self.state == GoalState::Succeeded && self.code == 0
    }
}

/// An answer of the server to this gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It has taken the goal, or not.
    Taken(bool),
    /// The goal has ended so.
    Result(Ending),
    /// Return code of the request to cancel this goal alone.
    Cancelled(i8),
}

/// The action server as the robot's graph shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// Somebody takes goals.
    pub is_there: bool,
    /// Somebody listens for the limit of the speed.
    pub limits_speed: bool,
    /// The only other client that could have sent a goal.
    pub client: Option<String>,
}

/// Everything that was heard of goals.
#[derive(Debug, Default)]
pub struct Goals {
    /// The server.
    pub server: Server,
    /// The newest state of each goal that the server knows.
    states: Vec<(GoalId, GoalState)>,
    /// The server has told states since then that nobody could read.
    is_unknown: bool,
    answers: VecDeque<(GoalId, Answer)>,
    /// Arrival of the newest feedback, and its goal.
    feedback: Option<(GoalId, Instant)>,
}

impl Goals {
    /// Takes in the states that the server tells.
    ///
    /// # Errors
    /// Says what is wrong with the message.
    pub fn note_states(&mut self, list: &GoalStatusArray<'_>) -> Result<(), String> {
        if list.status_list.len() > GOALS_MAX {
            return Err(format!("{} goals", list.status_list.len()));
        }
        let mut states = Vec::with_capacity(list.status_list.len());
        for status in &list.status_list {
            let id = status.goal_info.goal_id.uuid.try_into().map_err(|_| "an identity of a goal is none")?;
            let state = GoalState::of(status.status).ok_or_else(|| format!("a goal has state {}", status.status))?;
            states.push((id, state));
        }
        // All or nothing: in half a list, goals that still run would look ended.
        self.states = states;
        self.is_unknown = false;
        Ok(())
    }

    /// The server has told states that cannot be read.
    pub const fn lose_states(&mut self) {
        self.is_unknown = true;
    }

    /// Takes in an answer; false if too many wait.
    pub fn note_answer(&mut self, goal: GoalId, answer: Answer) -> bool {
        let has_room = self.answers.len() < ANSWERS_MAX;
        if has_room {
            self.answers.push_back((goal, answer));
        }
        has_room
    }

    /// The robot is under way to this goal.
    pub const fn note_feedback(&mut self, goal: GoalId, arrived: Instant) {
        self.feedback = Some((goal, arrived));
    }

    /// Takes in the graph. A server that is gone has no goals.
    pub fn note_server(&mut self, server: Server) {
        if !server.is_there {
            self.states.clear();
            self.is_unknown = false;
        }
        self.server = server;
    }

    /// Takes out the answers.
    pub fn take_answers(&mut self) -> VecDeque<(GoalId, Answer)> {
        std::mem::take(&mut self.answers)
    }

    /// Goals that the server still works at.
    pub fn open(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.states.iter().filter(|(_, state)| !state.is_over()).map(|(id, _)| *id)
    }

    /// State of a goal; none if the server's newest list lacks it.
    #[must_use]
    pub fn state(&self, goal: GoalId) -> Option<GoalState> {
        self.states.iter().find(|(id, _)| *id == goal).map(|(_, state)| *state)
    }

    /// Arrival of the newest feedback of a goal.
    #[must_use]
    pub fn last_feedback(&self, goal: GoalId) -> Option<Instant> {
        self.feedback.filter(|(id, _)| *id == goal).map(|(_, arrived)| arrived)
    }

    /// The name of somebody who wants the robot to move for a goal that is not among `ours`.
    #[must_use]
    pub fn foreign(&self, ours: impl Fn(GoalId) -> bool) -> Option<String> {
        let who = self.server.client.as_deref().unwrap_or("another client");
        // Any of them may be somebody else's.
        if self.is_unknown {
            return Some(format!("goals of {who}"));
        }
        let (id, _) = self.states.iter().find(|(id, state)| state.is_wanted() && !ours(*id))?;
        let short: String = id[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("goal {short} of {who}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::{GoalStatus, IdBytes, StatusInfo};
    use super::*;

    fn noted(goals: &mut Goals, uuid: &[u8], status: i8, count: usize) -> Result<(), String> {
        let of = |_| GoalStatus { goal_info: StatusInfo { goal_id: IdBytes { uuid } }, status };
        goals.note_states(&GoalStatusArray { status_list: (0..count).map(of).collect() })
    }

    #[test]
    fn rg_14_rg_27_a_goal_of_somebody_else_is_named_while_the_robot_is_wanted_to_move_for_it() {
        let mut goals = Goals::default();
        let own = |goal: GoalId| goal == [9; 16];
        for (status, is_foreign) in [(0, false), (1, true), (2, true), (3, false), (4, false), (5, false), (6, false)] {
            noted(&mut goals, &[0xab; 16], status, 1).unwrap();
            assert_eq!(goals.foreign(own).is_some(), is_foreign, "{status}");
        }
        noted(&mut goals, &[0xab; 16], 2, 1).unwrap();
        assert_eq!(goals.foreign(own).as_deref(), Some("goal abababab of another client"));
        let server = Server { is_there: true, client: Some("/patrol".to_owned()), ..Server::default() };
        goals.note_server(server);
        assert_eq!(goals.foreign(own).as_deref(), Some("goal abababab of /patrol"));
        noted(&mut goals, &[9; 16], 2, 1).unwrap();
        assert_eq!(goals.foreign(own), None);
    }

    #[test]
    fn rg_05_rg_27_states_that_cannot_be_used_change_nothing_and_a_server_that_is_gone_has_none() {
        let mut goals = Goals::default();
        noted(&mut goals, &[1; 16], 2, 1).unwrap();
        assert!(noted(&mut goals, &[1; 15], 2, 1).is_err());
        assert!(noted(&mut goals, &[1; 16], 7, 1).is_err());
        assert!(noted(&mut goals, &[1; 16], 2, GOALS_MAX + 1).is_err());
        assert_eq!(goals.state([1; 16]), Some(GoalState::Executing));
        let own = |_| true;
        assert_eq!(goals.foreign(own), None);
        goals.lose_states();
        assert_eq!(goals.foreign(own).as_deref(), Some("goals of another client"), "nobody knows whose they are");
        noted(&mut goals, &[1; 16], 2, 1).unwrap();
        assert_eq!(goals.foreign(own), None);
        goals.lose_states();
        goals.note_server(Server::default());
        assert_eq!(goals.foreign(own), None);
        assert_eq!(goals.state([1; 16]), None);
    }
}
