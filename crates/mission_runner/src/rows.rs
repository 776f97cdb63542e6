//! Rows of missions for people and agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use missions::lifecycle::{Cause, Phase, Status};
use missions::{MissionCode, MissionFile};
use robot::{MissionId, Role, Trust};
use sha2::{Digest, Sha256};

use crate::compiling::{self, Checked};
use crate::counts::Counts;
use crate::folder::Draft;
use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::disk;
use runtime::error::OpError;
use runtime::wire::{
    MissionDetail, MissionEdge, MissionFlag, MissionProblem, MissionReason, MissionReasonCode as Code, MissionRow,
    MissionState as State, MissionStatus,
};

/// Every mission of the agent, by id.
pub(crate) async fn rows(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) -> Vec<MissionRow> {
    let (counting, counted) = (Arc::clone(runner), Arc::clone(agent));
    let looked = disk::blocking(move || {
        let files = counted.drafts();
        Ok((files, compiling::counts(&counting, &counted, compiling::COMPILED_AT_ONCE)))
    });
    let (files, counts) = looked.await.unwrap_or_default();
    let lives = agent.lives.all();
    let mut ids: Vec<&MissionId> = files.keys().chain(lives.keys()).collect();
    ids.sort();
    ids.dedup();
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        let jobs = runner.host.agents.jobs(&agent.id, id).await;
        rows.push(row(id, (files.get(id), counts.get(id)), &lives, jobs));
    }
    for row in &mut rows {
        let Some(activated) = lives.get(&row.id).and_then(|life| life.version.as_ref()) else { continue };
        if agent.source(&row.id).is_ok_and(|draft| draft != activated.activation.source) {
            row.flags.push(MissionFlag::Draft);
        }
    }
    rows
}

/// One mission.
pub(crate) async fn row_of(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
) -> Result<MissionRow, OpError> {
    let found = rows(runner, agent).await.into_iter().find(|row| row.id == *id);
    found.ok_or_else(|| OpError::not_found(MissionCode::MissionNotFound, "mission", id))
}

/// One mission with its texts.
pub(crate) async fn detail(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
) -> Result<MissionDetail, OpError> {
    let row = row_of(runner, agent, id).await?;
    let source = agent.source(id).ok();
    let life = agent.lives.life(id);
    let version = life.as_ref().and_then(|life| life.version.as_ref());
    let (draft, checked) = match &source {
        Some(text) => {
            let (file, checked) = compiling::check(runner, agent, id, text.clone()).await?;
            (file.ok(), Some(checked))
        }
        None => (None, None),
    };
    let needs_reason = checked.as_ref().is_some_and(Checked::needs_reason);
    let hidden = draft.as_ref().map(|draft| draft.hidden.clone()).unwrap_or_default();
    let file: Option<MissionFile> = version.map(|version| version.file.clone()).or(draft);
    let (robots, depends_on) = file.map(|file| (file.robots, file.depends_on)).unwrap_or_default();
    let files = agent.drafts();
    let edge = |id: MissionId| {
        let status = agent.lives.status(&id).map(MissionStatus::from);
        let draft = files.contains_key(&id).then_some(MissionStatus::Draft);
        MissionEdge { status: status.or(draft), id }
    };
    let activation = version.map(|version| version.activation.clone());
    Ok(MissionDetail {
        hash: source.as_deref().map(hash_of),
        activated_source: activation
            .as_ref()
            .map(|activation| activation.source.clone())
            .filter(|activated| source.as_ref() != Some(activated)),
        activated_hash: activation.as_ref().map(|activation| activation.hash.clone()),
        activated_by: activation.map(|activation| activation.by),
        source,
        robots,
        depends_on: depends_on.into_iter().map(edge).collect(),
        live: runner.live_parts(agent, id).await,
        hidden,
        problems: checked.iter().flat_map(|checked| &checked.problems.listed).map(MissionProblem::from).collect(),
        problems_unlisted: checked.as_ref().map_or(0, |checked| checked.problems.unlisted),
        role_needed: checked.as_ref().map_or(Role::Operator, |checked| checked.role_needed),
        reason_needed: needs_reason,
        meaning: checked.as_ref().map(Checked::meaning).unwrap_or_default(),
        changes: checked.map(|checked| checked.changes).unwrap_or_default(),
        trust: Trust::Text,
        row,
    })
}

fn row(
    id: &MissionId,
    (file, counts): (Option<&Draft>, Option<&Counts>),
    lives: &BTreeMap<MissionId, Life>,
    jobs: usize,
) -> MissionRow {
    let life = lives.get(id);
    let version = life.and_then(|life| life.version.as_ref());
    let unread = file.and_then(|file| file.as_ref().err().cloned());
    // Until a file is compiled, there is what was read of it.
    let Counts { errors, warnings, first } = counts.cloned().unwrap_or_else(|| Counts {
        errors: usize::from(unread.is_some()),
        warnings: file.and_then(|file| file.as_ref().ok()).map_or(0, |file| file.hidden.len()),
        first: unread,
    });
    let draft = file.and_then(|file| file.as_ref().ok()).map(AsRef::as_ref);
    let title = draft.or(version.map(|version| &version.file));
    let status = life.map_or(MissionStatus::Draft, |life| life.state.status.into());
    let (state, reason) = life.map_or((State::Draft, None), |life| state_of(life, lives));
    let mut flags = Vec::new();
    if file.is_none() {
        flags.push(MissionFlag::FileMissing);
    }
    if state == State::Checking {
        flags.push(MissionFlag::Asks);
    }
    MissionRow {
        id: id.clone(),
        title: title.map_or_else(|| id.to_string(), |file| file.title.clone()),
        status,
        state,
        flags,
        reason,
        compiled_at: version.map(|version| version.activation.at_ms.div_euclid(1_000)),
        expires_at: None,
        jobs,
        errors,
        warnings,
        error: first,
    }
}

/// The one word for where a mission stands, and why.
fn state_of(life: &Life, lives: &BTreeMap<MissionId, Life>) -> (State, Option<MissionReason>) {
    let since_ms = life.since_ms;
    let because = |code: Code, sentence: String| Some(MissionReason { code, sentence, since_ms });
    match (life.state.status, life.state.phase) {
        (Status::Active, Phase::Live | Phase::Running) => (State::Active, None),
        (Status::Active, Phase::Checking) => (
            State::Checking,
            because(Code::CheckRunning, "Whether it may start is asked; a person can start it.".into()),
        ),
        (Status::Active, Phase::Held) => {
            let is_done = |id: &&MissionId| lives.get(id).is_none_or(|other| other.state.status != Status::Completed);
            let open: Vec<&str> = life
                .version
                .iter()
                .flat_map(|version| version.file.depends_on.iter().filter(is_done))
                .map(MissionId::as_str)
                .collect();
            if open.is_empty() {
                (
                    State::Waiting,
                    because(Code::CheckNext, "What it needs is done; whether it may start is asked next.".into()),
                )
            } else {
                (State::Waiting, because(Code::Dependency, format!("Waits for {} to be completed.", open.join(", "))))
            }
        }
        (Status::Paused, _) => (State::Paused, life.state.cause.as_ref().and_then(|cause| paused(cause, since_ms))),
        (Status::Completed, _) => (State::Completed, None),
        (Status::Failed, _) => (State::Failed, because(Code::Failure, "It failed.".into())),
        (Status::Cancelled, _) => {
            (State::Cancelled, because(Code::Person, "It was cancelled, which is for good.".into()))
        }
    }
}

fn paused(cause: &Cause, since_ms: i64) -> Option<MissionReason> {
    let (code, sentence) = match cause {
        Cause::Stop => (Code::Stop, "Paused by a stop; release it, then resume.".to_owned()),
        Cause::Fallback(_) => (Code::Fallback, "Paused by the response to a failure.".to_owned()),
        Cause::CompileFailed => (Code::CompileFailed, "Paused because its text cannot be used any more.".to_owned()),
        Cause::Failure(goal) => (Code::Failure, format!("Paused because goal {} failed.", goal + 1)),
        Cause::Parent(parent) => (Code::Parent, format!("Paused with {parent}, which it is a part of.")),
        Cause::Expired => (Code::Expired, "Its time is over.".to_owned()),
        Cause::Person(name) => (Code::Person, format!("Paused by {name}.")),
        Cause::Machine(name) => (Code::Machine, format!("Paused by the program {name}.")),
        Cause::Agent(name) => (Code::Agent, format!("Paused by the agent {name}.")),
    };
    Some(MissionReason { code, sentence, since_ms })
}

/// Hash that names a text: SHA-256 in hexadecimal.
pub(crate) fn hash_of(source: &str) -> String {
    hex::encode(Sha256::digest(source))
}
