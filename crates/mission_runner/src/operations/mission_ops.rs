//! Missions: activated, paused, resumed, completed and cancelled.

use std::future::Future;
use std::sync::Arc;

use missions::MissionCode;
use robot::{Effect, MissionId, Role, SessionKind, Stops, Trust};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::{draft_ops, graph_ops, history_ops, template_ops};
use crate::acts::{self, Wanted};
use crate::runner::{AgentMissions, MissionRunner};
use crate::surroundings::Asked;
use crate::view::rows::{self, TextOf};
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::{self, ALL, Terms, UI_MCP, row};
use runtime::session::Session;
use runtime::wire::{
    AcceptedWarning, MissionActivated, MissionChanged, MissionCompleted, MissionDetail, MissionGoal, MissionHalted,
    MissionRow, MissionStatus, MissionsPaused, ProposalRef,
};

/// An operation on missions.
pub type Operation = operation::Operation<Arc<MissionRunner>>;

const ACTIVATE_MISSION: &str = "activate_mission";
const COMPLETE_MISSION: &str = "complete_mission";
const RESUME_MISSION: &str = "resume_mission";
/// Rows of one answer.
const ROWS_MAX: usize = 1_000;
/// Goals that a mission may have.
const GOALS_MAX: usize = 128;

/// The rows of operations on missions.
#[must_use]
pub fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::Viewer;
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
            "One mission with its text, or an earlier one, and what it waits for.",
            get_mission,
        )
        .example(json!({"mission_id": "patrol", "version": "activated"}))
        .core(),
    ];
    rows.extend(life_rows());
    rows.extend(further_rows());
    rows
}

/// The rows that change what becomes of a mission.
fn life_rows() -> [Operation; 6] {
    use Effect::{Actuate, Irreversible, Write};
    use Role::{Admin, Operator};
    [
        mission_row(
            ACTIVATE_MISSION,
            Terms(Operator, Actuate, ALL, Trust::Text),
            "Lets exactly one text of a mission run; from anybody but a person it is a proposal.",
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
            COMPLETE_MISSION,
            Terms(Operator, Irreversible, ALL, Trust::Text),
            "Calls a mission, or a goal of it, done. From anybody but a person it is a proposal.",
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
    ]
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
    /// The text that is meant: `draft`, which is that of the file, `activated`, or the SHA-256 of one that the file had, as
    /// `mission_history` gives it. `draft` without it.
    version: Option<String>,
}

async fn get_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: GetMission,
) -> Result<MissionDetail, OpError> {
    let text = match input.version.as_deref() {
        None | Some("draft") => TextOf::Draft,
        Some("activated") => TextOf::Activated,
        Some(hash) => TextOf::Hash(hash),
    };
    agent.settled(&input.mission_id).await;
    let detail = rows::detail(&runner, &agent, &input.mission_id, text).await?;
    Ok(if by.is_agent() { as_sentences(detail) } else { detail })
}

/// The mission for a reader of English, who has no use for the same as data.
fn as_sentences(detail: MissionDetail) -> MissionDetail {
    let changes = detail.changes.into_iter().map(|change| missions::Change { said: None, ..change }).collect();
    let goals = detail.goals.into_iter().map(|goal| MissionGoal { phrase: None, ..goal }).collect();
    MissionDetail { changes, goals, statements: Vec::new(), requests: Vec::new(), ..detail }
}

/// Asks a person about an act on a mission that only a person does.
async fn propose(
    runner: &MissionRunner,
    MissionCall { by, agent }: &MissionCall,
    operation: &'static str,
    input: &impl Serialize,
) -> Result<Asked, OpError> {
    let input = serde_json::to_value(input).unwrap_or_default();
    runner.host.agents.propose(by, &agent.id, operation, input).await
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
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
    /// The dry run of this text that you saw, as `dry_run_mission` or `get_mission` gives it.
    #[serde(default)]
    dry_run_id: Option<String>,
}

/// The answer of `activate_mission`: the mission, or the card if no person has called it.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Activated {
    Mission(MissionActivated),
    #[ts(skip)]
    Proposal {
        proposal: ProposalRef,
    },
    #[ts(skip)]
    Ended(Value),
}

async fn activate_mission(
    runner: Arc<MissionRunner>,
    call: MissionCall,
    input: ActivateMission,
) -> Result<Activated, OpError> {
    let ActivateMission { mission_id, hash, accept, grant, reason, dry_run_id } = &input;
    let (reason, dry_run) = (reason.as_deref(), dry_run_id.as_deref());
    if call.by.kind() != SessionKind::Person {
        acts::check_activation(&call.agent, mission_id, hash, dry_run).await?;
        return Ok(match propose(&runner, &call, ACTIVATE_MISSION, &input).await? {
            Asked::Card(proposal) => Activated::Proposal { proposal },
            Asked::Refused(answer) => Activated::Ended(answer),
        });
    }
    let wanted = Wanted { hash, accepted: accept, granted: grant, reason, dry_run };
    acts::activate(&runner, &call.agent, &call.by, mission_id, wanted).await.map(Activated::Mission)
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

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
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

/// The answer of `complete_mission`: the mission, or the card if no person has called it.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Completed {
    Mission(MissionCompleted),
    #[ts(skip)]
    Proposal {
        proposal: ProposalRef,
    },
    #[ts(skip)]
    Ended(Value),
}

async fn complete_mission(
    runner: Arc<MissionRunner>,
    call: MissionCall,
    input: CompleteMission,
) -> Result<Completed, OpError> {
    let CompleteMission { mission_id, goal, reason } = &input;
    let number = |goal: usize| goal.checked_sub(1).ok_or_else(|| OpError::out_of_range("goal", 1, GOALS_MAX));
    let number = goal.map(number).transpose()?;
    if call.by.kind() != SessionKind::Person {
        acts::check_completion(&call.agent, mission_id, number)?;
        return Ok(match propose(&runner, &call, COMPLETE_MISSION, &input).await? {
            Asked::Card(proposal) => Completed::Proposal { proposal },
            Asked::Refused(answer) => Completed::Ended(answer),
        });
    }
    let MissionCall { by, agent } = &call;
    let completed = match number {
        Some(number) => acts::tick(&runner, agent, by, mission_id, number).await,
        None => acts::complete(&runner, agent, by, mission_id, reason.as_deref()).await,
    };
    completed.map(Completed::Mission)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResumeMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// A person's answer if something is asked, one of `answers` of `get_mission`.
    answer: Option<String>,
}

/// The answer of `resume_mission`: the mission, or the card if only somebody else may do it.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Changed {
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
    call: MissionCall,
    input: ResumeMission,
) -> Result<Changed, OpError> {
    let MissionCall { by, agent } = &call;
    if input.answer.is_some() && by.kind() != SessionKind::Person {
        return Err(OpError::new(RuntimeCode::Forbidden, "Only a person answers what is asked."));
    }
    match acts::resume(&runner, agent, by, &input.mission_id, input.answer.as_deref()).await {
        Err(error) if error.code == MissionCode::NotYours => {
            let wanted = json!({ "mission_id": input.mission_id });
            Ok(match propose(&runner, &call, RESUME_MISSION, &wanted).await? {
                Asked::Card(proposal) => Changed::Proposal { proposal },
                Asked::Refused(answer) => Changed::Ended(answer),
            })
        }
        other => other.map(Changed::Mission),
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
