//! Asks once, before a mission goes live, whether its preconditions hold. No tools, no transcript, no record of it in
//! memory: only the ledger knows of the call.

use std::sync::Arc;
use std::time::Duration;

use agent::{MicroVerdict, Precondition, Purpose, micro_request, micro_verdict, read_micro_reply};
use llm::{ModelError, ModelKind, Reply};
use robot::MissionId;
use world::prompt_block::Wanted;

use super::TurnRunner;
use crate::agents::AgentUnit;
use crate::models::ledger::{AsOf, Ending, Place};
use crate::models::stream::Stream;
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
        let stream = Arc::new(Stream::default());
        let answer = tokio::time::timeout(ANSWER_WAIT, model.call(request, stream.sink())).await;
        let verdict = match &answer {
            Ok(Ok(reply)) => read_micro_reply(reply),
            Ok(Err(_)) => MicroVerdict::Ask("the model did not answer".to_owned()),
            Err(_) => MicroVerdict::Ask(format!("the model took longer than {} s", ANSWER_WAIT.as_secs())),
        };
        if let Some(usage) = stream.discarded() {
            agent.ledger.discarded(&place, &word(&Purpose::MicroTurn), model.caps(), usage).await;
        }
        agent.ledger.end(row, ending(answer.as_ref().ok(), &stream)).await;
        verdict
    }
}

/// The ending of a question by its answer; without one the time was over, and the model may have been at work all of it.
fn ending<'a>(answer: Option<&'a Result<Reply, ModelError>>, stream: &Stream) -> Ending<'a> {
    match answer {
        Some(answer) => stream.ending(Some(answer)),
        None => Ending::Dropped(stream.heard().1, true),
    }
}

#[cfg(test)]
mod tests {
    use llm::ModelErrorKind;

    use super::*;

    #[test]
    fn a_question_that_was_not_answered_in_time_is_never_booked_as_free() {
        let stream = Stream::default();
        assert!(matches!(ending(None, &stream), Ending::Dropped(None, true)));
        let failed = Err(ModelError::own(ModelErrorKind::Transport, "broke off"));
        assert!(matches!(ending(Some(&failed), &stream), Ending::Failed(_, false)), "the model had not begun");
        stream.push(llm::Delta::Text("Y".into()));
        assert!(matches!(ending(Some(&failed), &stream), Ending::Failed(_, true)));
    }
}
