//! Asks once, before a mission goes live, whether its preconditions hold. No tools, no transcript, no record of it in
//! memory: only the ledger knows of the call.

use std::sync::Arc;
use std::time::Duration;

use agent::{MicroVerdict, Precondition, Purpose, micro_request, micro_verdict, read_micro_reply};
use llm::ModelKind;
use robot::MissionId;
use world::prompt_block::Wanted;

use super::TurnRunner;
use crate::agents::AgentUnit;
use crate::models::ledger::{AsOf, Ending, Place};
use crate::runner::AgentRunner;
use crate::turn_runner::calls::model::model_for;
use runtime::wire::word;

/// Longest wait for the model's answer; the mission does not start meanwhile.
const ANSWER_WAIT: Duration = Duration::from_secs(20);
/// Lines of world state in the question.
const FACT_LINES_MAX: usize = 40;
/// Characters of it.
const FACT_CHARS_MAX: usize = 1_750;
/// Names these calls on the ledger: they belong to no conversation.
const SESSION: &str = "micro_turn";

/// A mission that is about to go live.
pub struct Checking<'a> {
    /// Its id, for the ledger.
    pub mission: &'a MissionId,
    /// Its title.
    pub title: &'a str,
    /// The mission's preconditions; each predicate with its present truth in the world state.
    pub preconditions: &'a [Precondition],
    /// The world state as the model is to see it.
    pub facts: &'a str,
}

/// Questions about missions, one after the other: each knows what the ones before it have spent.
#[derive(Debug, Default)]
pub(super) struct MissionAsker(());

impl TurnRunner {
    /// The world as a mission's question quotes it.
    pub fn facts(&self, runner: &AgentRunner, agent: &AgentUnit) -> String {
        let (entries, now) = (agent.world.ingest.entries(), runner.runtime.clock.now());
        let wanted = Wanted { trigger_keys: &[], since: None, lines_max: FACT_LINES_MAX, chars_max: FACT_CHARS_MAX };
        let block = world::prompt_block::render(&entries, &wanted, now);
        format!("{}\n{}", block.typed, block.text)
    }

    /// Decides if a mission may go live, or if a person has to be asked. Every failure is for a person; without a
    /// language model nothing is asked, and predicates speak for themselves.
    pub async fn micro_turn(&self, runner: &AgentRunner, agent: &AgentUnit, checking: Checking<'_>) -> MicroVerdict {
        // Before the wait for its place: words that are forgotten meanwhile must not be written down.
        let as_of = agent.ledger.as_of().await;
        self.asker.lock().await.ask(runner, agent, checking, as_of).await
    }
}

impl MissionAsker {
    async fn ask(
        &mut self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        checking: Checking<'_>,
        as_of: AsOf,
    ) -> MicroVerdict {
        let models = runner.models.for_turn(&agent.id).await;
        let model = model_for(&models, Purpose::MicroTurn);
        if model.caps().kind == ModelKind::Interpreter {
            return micro_verdict(checking.preconditions);
        }
        // Before the call, which the mission pays for.
        if agent.is_mission_spent(runner, checking.mission).await {
            return MicroVerdict::Ask("what it may spend on models is spent".to_owned());
        }
        let request = micro_request(checking.title, checking.preconditions, checking.facts);
        let place = Place { session: SESSION.into(), turn: None, mission: Some(checking.mission.to_string()) };
        let row = agent.ledger.begin(&place, as_of, &word(&Purpose::MicroTurn), model.caps(), &request).await;
        // No piece of the answer is shown to anybody before it is whole.
        let answer = tokio::time::timeout(ANSWER_WAIT, model.call(request, Arc::new(|_delta| {}))).await;
        let (ending, verdict) = match &answer {
            Ok(Ok(reply)) => (Ending::Replied(reply), read_micro_reply(reply)),
            Ok(Err(error)) => (Ending::Failed(error, false), MicroVerdict::Ask("the model did not answer".to_owned())),
            Err(_) => {
                let reason = format!("the model took longer than {} s", ANSWER_WAIT.as_secs());
                (Ending::Dropped(None, false), MicroVerdict::Ask(reason))
            }
        };
        agent.ledger.end(row, ending).await;
        verdict
    }
}
