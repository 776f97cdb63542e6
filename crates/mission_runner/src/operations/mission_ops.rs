//! Missions: activated, paused, resumed, completed and cancelled.

use std::future::Future;
use std::sync::Arc;

use missions::MissionCode;
use robot::{Effect, MissionId, Role, Stops, Trust};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::{draft_ops, graph_ops, history_ops, template_ops};
use crate::acts::{self, Wanted};
use crate::rows;
use crate::runner::{AgentMissions, MissionRunner};
use crate::surroundings::Asked;
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::{self, ALL, Terms, UI, UI_MCP, row};
use runtime::session::Session;
use runtime::wire::{
    AcceptedWarning, MissionActivated, MissionChanged, MissionDetail, MissionHalted, MissionRow, MissionStatus,
    MissionsPaused, ProposalRef,
};

/// An operation on missions.
pub type Operation = operation::Operation<Arc<MissionRunner>>;

const RESUME_MISSION: &str = "resume_mission";
/// Rows of one answer.
const ROWS_MAX: usize = 1_000;
/// Goals that a mission may have.
const GOALS_MAX: usize = 128;

/// The rows of operations on missions.
#[must_use]
pub fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Irreversible, Read, Write};
    use Role::{Admin, Operator, Viewer};
    let mut rows = vec![
        mission_row(
            "list_missions",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Missions with their status.",
            list_missions,
        )
        .in_rooms()
        .core(),
        mission_row(
            "get_mission",
            Terms(Viewer, Read, ALL, Trust::Text),
            "One mission with its texts and what it waits for.",
            get_mission,
        )
        .example(json!({"mission_id": "patrol"}))
        .core(),
        mission_row(
            "activate_mission",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Lets exactly one text of a mission run.",
            activate_mission,
        )
        .example(json!({"mission_id": "patrol", "hash": "sha256:0f1e2d"})),
        mission_row(
            "pause_mission",
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Makes a mission stand still.",
            pause_mission,
        )
        .example(json!({"mission_id": "patrol", "reason": "Visitors are in the yard."}))
        .in_rooms()
        .core()
        .stops(Stops::Missions),
        mission_row(
            RESUME_MISSION,
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Lets a paused mission go on.",
            resume_mission,
        )
        .example(json!({"mission_id": "patrol"}))
        .core(),
        mission_row(
            "cancel_mission",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Ends a mission for good.",
            cancel_mission,
        )
        .example(json!({"mission_id": "patrol", "reason": "The yard is closed."})),
        mission_row(
            "complete_mission",
            Terms(Operator, Irreversible, UI, Trust::Text),
            "Calls a mission, or one of its goals, done; what waits for it may start.",
            complete_mission,
        )
        .example(json!({"mission_id": "patrol"})),
        row(
            "pause_all_missions",
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Makes every mission of every agent stand still.",
            pause_all_missions,
        )
        .in_rooms()
        .core()
        .stops(Stops::Missions),
    ];
    rows.extend(further_rows());
    rows
}

/// The rows about files, drafts, the graph and what was.
fn further_rows() -> impl Iterator<Item = Operation> {
    [draft_ops::rows(), template_ops::rows(), graph_ops::rows(), history_ops::rows()].into_iter().flatten()
}

/// A call about the missions of one agent.
pub(super) struct MissionCall {
    pub by: Session,
    pub agent: Arc<AgentMissions>,
}

/// A row about the missions of one agent, which its handler is given.
pub(super) fn mission_row<I, O, H, F>(
    name: &'static str,
    terms: Terms,
    description: &'static str,
    handler: H,
) -> Operation
where
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
    H: Fn(Arc<MissionRunner>, MissionCall, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let of_agent = move |runner: Arc<MissionRunner>, by: Session, input: I| async move {
        let agent = runner.meant_by(&by)?;
        handler(runner, MissionCall { by, agent }, input).await
    };
    row(name, terms, description, of_agent).takes_agent()
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListMissions {
    /// Only missions with this status.
    status: Option<MissionStatus>,
    /// Only those after this id.
    after: Option<MissionId>,
    /// At most this many, 1 to 1,000.
    limit: Option<usize>,
}

async fn list_missions(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: ListMissions,
) -> Result<Vec<MissionRow>, OpError> {
    let limit = input.limit.unwrap_or(ROWS_MAX);
    if !(1..=ROWS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, ROWS_MAX));
    }
    let mut rows = rows::rows(&runner, &agent).await;
    rows.retain(|row| {
        input.status.is_none_or(|status| status == row.status)
            && input.after.as_ref().is_none_or(|after| row.id > *after)
    });
    rows.truncate(limit);
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// The reason, for the audit.
    reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
}

async fn get_mission(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: GetMission,
) -> Result<MissionDetail, OpError> {
    rows::detail(&runner, &agent, &input.mission_id).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActivateMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// SHA-256 of the text that you saw, as `get_mission` gives it.
    hash: String,
    /// The warnings of `get_mission` that you accept: all of them, each with its code and line.
    #[serde(default)]
    accept: Vec<AcceptedWarning>,
    /// The standing approvals of `envelope` of `get_mission` that you grant, by their numbers from 1; their hours begin now.
    #[serde(default)]
    grant: Vec<usize>,
    /// The reason, for the audit; needed where a limit is loosened or removed.
    #[serde(default)]
    reason: Option<String>,
}

async fn activate_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: ActivateMission,
) -> Result<MissionActivated, OpError> {
    let ActivateMission { mission_id, hash, accept, grant, reason } = &input;
    let wanted = Wanted { hash, accepted: accept, granted: grant, reason: reason.as_deref() };
    acts::activate(&runner, &agent, &by, mission_id, wanted).await
}

async fn pause_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: OfMission,
) -> Result<MissionHalted, OpError> {
    acts::pause(&runner, &agent, &by, &input.mission_id, input.reason.as_deref()).await
}

async fn cancel_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: OfMission,
) -> Result<MissionHalted, OpError> {
    acts::cancel(&runner, &agent, &by, &input.mission_id, input.reason.as_deref()).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CompleteMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// The number of a goal that is a sentence, from 1: only that one is done.
    #[serde(default)]
    goal: Option<usize>,
    /// The reason, for the audit.
    reason: Option<String>,
}

async fn complete_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: CompleteMission,
) -> Result<MissionChanged, OpError> {
    if let Some(goal) = input.goal {
        let number = goal.checked_sub(1).ok_or_else(|| OpError::out_of_range("goal", 1, GOALS_MAX))?;
        return acts::tick(&runner, &agent, &by, &input.mission_id, number).await;
    }
    acts::complete(&runner, &agent, &by, &input.mission_id, input.reason.as_deref()).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResumeMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// A person's answer if something is asked, one of `answers` of `get_mission`.
    answer: Option<String>,
}

/// The answer of `resume_mission`: the mission, or the card if somebody else paused it.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Resumed {
    Mission(MissionChanged),
    #[ts(skip)]
    Proposal {
        proposal: ProposalRef,
    },
    #[ts(skip)]
    Ended(Value),
}

async fn resume_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: ResumeMission,
) -> Result<Resumed, OpError> {
    if input.answer.is_some() && by.is_agent() {
        return Err(OpError::new(RuntimeCode::Forbidden, "Only a person answers what is asked."));
    }
    let resumed = acts::resume(&runner, &agent, &by, &input.mission_id, input.answer.as_deref()).await;
    match resumed {
        Err(error) if error.code == MissionCode::NotYours && by.is_agent() => {
            let wanted = json!({ "mission_id": input.mission_id });
            Ok(match runner.host.agents.propose(&by, &agent.id, RESUME_MISSION, wanted).await? {
                Asked::Card(proposal) => Resumed::Proposal { proposal },
                Asked::Refused(answer) => Resumed::Ended(answer),
            })
        }
        other => other.map(Resumed::Mission),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PauseAll {
    /// The reason, for the audit.
    reason: Option<String>,
}

async fn pause_all_missions(
    runner: Arc<MissionRunner>,
    by: Session,
    input: PauseAll,
) -> Result<MissionsPaused, OpError> {
    acts::pause_all(&runner, &by, input.reason.as_deref()).await
}
