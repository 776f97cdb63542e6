//! Jobs that the text of a mission plans: scheduled once for each activation, and cancelled with it.

use memory::jobs::{Job, JobAction, PromptSource};
use robot::{JobId, MissionId};
use runtime::error::OpError;
use runtime::session::Session;
use serde_json::Value;

use super::Jobs;
use super::request::{TaskInput, invalid};
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;

/// The mission whose jobs are planned.
#[derive(Debug, Clone, Copy)]
pub struct OfMission<'m> {
    /// The mission.
    pub mission: &'m MissionId,
    /// The person who activated it.
    pub actor: &'m str,
    /// The beginning of the ids of its planned jobs.
    pub prefix: &'m str,
}

impl Jobs {
    /// Schedules those of `planned` that never were, each under its id, and cancels the others of that mission
    /// that have not ended.
    pub async fn plan(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        of: OfMission<'_>,
        planned: Vec<(JobId, Value)>,
    ) -> Result<(), OpError> {
        let known: Vec<(JobId, bool)> = {
            let state = self.state.lock().await;
            let entries = state.entries.iter().filter(|(id, _)| id.as_str().starts_with(of.prefix));
            entries.map(|(id, entry)| (id.clone(), entry.job.state.has_ended())).collect()
        };
        // Before the new ones are added, which take the same names (decision 0166).
        for (id, _) in known.iter().filter(|(id, ended)| !ended && !planned.iter().any(|(named, _)| named == id)) {
            self.cancel(runner, agent, id).await?;
        }
        let by = Session::supervision();
        for (id, task) in planned {
            // Also one that has ended: it belongs to one activation, and was scheduled for it (decision 0166).
            if known.iter().any(|(known, _)| *known == id) {
                continue;
            }
            let task: TaskInput = serde_json::from_value(task).map_err(|error| invalid("schedule", error))?;
            let job = task.job(runner, agent, &by)?;
            self.add(runner, agent, &by, of_text(job, id, of.actor)).await?;
        }
        Ok(())
    }
}

/// The same job, with the words of a text that a person has activated.
fn of_text(job: Job, id: JobId, actor: &str) -> Job {
    let action = match job.action {
        JobAction::Prompt { prompt, .. } => JobAction::Prompt { prompt, from: PromptSource::Mission },
        action @ JobAction::Operation { .. } => action,
    };
    Job { id, action, created_by: actor.to_owned(), ..job }
}
