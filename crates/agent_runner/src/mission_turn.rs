//! Turns that a mission starts by itself: at each firing of one that has no goals, and for goals that are sentences.

use std::sync::Arc;

use agent::{JobNotice, MissionNotice};
use llm::ModelKind;
use memory::jobs::{Ended, PromptSource};
use robot::JobId;
use tokio_util::sync::CancellationToken;

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::schedule::{Cards, of_turn};
use crate::turn_runner::{JobTurn, turn_id};

/// A turn for a mission.
#[derive(Debug, Clone)]
pub struct MissionTurn {
    /// The mission.
    pub mission: MissionNotice,
    /// The run that it belongs to.
    pub run: String,
    /// The title of the mission.
    pub title: String,
    /// The instruction.
    pub prompt: String,
}

/// The end of a turn for a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissionTurnEnd {
    /// The agent answered, and all that it asked people for has ended.
    Done,
    /// It came to no such end, for this reason.
    Failed(String),
    /// Somebody cancelled it.
    Cancelled,
    /// It was not begun: no turn may start by itself now.
    NotBegun,
}

/// A reason why no turn of a mission starts now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTurn {
    /// No language model is configured; the command interpreter obeys desks alone.
    NoModel,
    /// Another turn that started by itself has to be over for a while.
    Later,
}

impl AgentUnit {
    /// The reason why no turn of a mission starts now.
    pub fn no_turn(&self, runner: &AgentRunner) -> Option<NoTurn> {
        let now = runner.runtime.clock.now().station;
        match self.model(runner).kind {
            ModelKind::Interpreter => Some(NoTurn::NoModel),
            ModelKind::Language => (!self.turns.may_start(now)).then_some(NoTurn::Later),
        }
    }

    /// Makes one turn for a mission and waits for its end, and for that of all it asks people for; none if
    /// the station ends first. `cancel` ends it wherever it is.
    pub async fn take_up(
        &self,
        runner: &AgentRunner,
        turn: MissionTurn,
        cancel: CancellationToken,
    ) -> Option<MissionTurnEnd> {
        let now = runner.runtime.clock.now().station;
        let Some(place) = self.turns.reserve(now) else { return Some(MissionTurnEnd::NotBegun) };
        let notice = JobNotice {
            // No job started it: the agent is told its run in the place of one.
            job: JobId::from(turn.run.as_str()),
            name: Some(turn.title),
            mission: Some(turn.mission),
            prompt: turn.prompt,
            operator: None,
            trust: PromptSource::Mission.trust(),
        };
        let cards = Arc::new(Cards::of(&turn.run));
        let id = turn_id();
        let started = JobTurn { turn: id, run: turn.run, cancel: cancel.clone(), cards: Arc::clone(&cards) };
        // The sender is gone without an outcome only when the station ends.
        let outcome = self.turns.job(place, &notice, started, now).await.ok()?;
        Some(match cards.end(runner, of_turn(outcome)?, &cancel).await? {
            Ended::Completed => MissionTurnEnd::Done,
            Ended::Cancelled => MissionTurnEnd::Cancelled,
            Ended::Failed(reason) | Ended::Refused(reason) => MissionTurnEnd::Failed(reason),
            // This end is given at a start only, to runs that were cut off.
            Ended::Interrupted { .. } => return None,
        })
    }
}
