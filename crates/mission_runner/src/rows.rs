//! Rows of missions for people and agents.

use std::collections::BTreeMap;

use missions::lifecycle::{Cause, Phase, Status};
use missions::{MissionCode, MissionFile};
use robot::{MissionId, Trust};
use sha2::{Digest, Sha256};

use crate::folder::Draft;
use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::disk;
use runtime::error::OpError;
use runtime::wire::{MissionDetail, MissionEdge, MissionReason, MissionRow};

/// Name of a draft in place of a status.
const DRAFT: &str = "draft";

/// Every mission of the agent, by id.
pub(crate) async fn rows(runner: &MissionRunner, agent: &AgentMissions) -> Vec<MissionRow> {
    let files = agent.drafts();
    let lives = agent.lives.all();
    let mut ids: Vec<&MissionId> = files.keys().chain(lives.keys()).collect();
    ids.sort();
    ids.dedup();
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        let jobs = runner.host.agents.jobs(&agent.id, id).await;
        rows.push(row(id, files.get(id), &lives, jobs));
    }
    for row in &mut rows {
        let Some(activated) = lives.get(&row.id).and_then(|life| life.version.as_ref()) else { continue };
        if agent.source(&row.id).is_ok_and(|draft| draft != activated.activation.source) {
            row.flags.push(DRAFT.to_owned());
        }
    }
    rows
}

/// One mission.
pub(crate) async fn row_of(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
) -> Result<MissionRow, OpError> {
    let found = rows(runner, agent).await.into_iter().find(|row| row.id == *id);
    found.ok_or_else(|| OpError::not_found(MissionCode::MissionNotFound, "mission", id))
}

/// One mission with its texts.
pub(crate) async fn detail(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
) -> Result<MissionDetail, OpError> {
    let row = row_of(runner, agent, id).await?;
    let source = agent.source(id).ok();
    let life = agent.lives.life(id);
    let version = life.as_ref().and_then(|life| life.version.as_ref());
    let draft = match source.clone() {
        Some(text) => {
            let id = id.clone();
            // A long file takes a while, and nobody else waits for it.
            disk::blocking(move || Ok(missions::MissionFile::read(id, &text).ok())).await.ok().flatten()
        }
        None => None,
    };
    let hidden = draft.as_ref().map(|draft| draft.hidden.clone()).unwrap_or_default();
    let file: Option<MissionFile> = version.map(|version| version.file.clone()).or(draft);
    let (robots, depends_on) = file.map(|file| (file.robots, file.depends_on)).unwrap_or_default();
    let files = agent.drafts();
    let edge = |id: MissionId| {
        let status = agent.lives.status(&id).map(Status::as_str);
        let unknown = if files.contains_key(&id) { DRAFT } else { "missing" };
        MissionEdge { status: status.unwrap_or(unknown).to_owned(), id }
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
        trust: Trust::Text,
        row,
    })
}

fn row(id: &MissionId, file: Option<&Draft>, lives: &BTreeMap<MissionId, Life>, jobs: usize) -> MissionRow {
    let life = lives.get(id);
    let version = life.and_then(|life| life.version.as_ref());
    let error = file.and_then(|file| file.as_ref().err().cloned());
    let draft = file.and_then(|file| file.as_ref().ok()).map(AsRef::as_ref);
    let title = draft.or(version.map(|version| &version.file));
    let status = life.map_or(DRAFT, |life| life.state.status.as_str());
    let (state, reason) = life.map_or((DRAFT, None), |life| state_of(life, lives));
    let mut flags = Vec::new();
    if file.is_none() {
        flags.push("file_missing".to_owned());
    }
    if state == "checking" {
        flags.push("asks".to_owned());
    }
    MissionRow {
        id: id.clone(),
        title: title.map_or_else(|| id.to_string(), |file| file.title.clone()),
        status: status.to_owned(),
        state: state.to_owned(),
        flags,
        reason,
        compiled_at: version.map(|version| version.activation.at_ms.div_euclid(1_000)),
        expires_at: None,
        jobs,
        errors: usize::from(error.is_some()),
        warnings: draft.map_or(0, |file| file.hidden.len()),
        error,
    }
}

/// The one word for where a mission stands, and why.
fn state_of(life: &Life, lives: &BTreeMap<MissionId, Life>) -> (&'static str, Option<MissionReason>) {
    let since_ms = life.since_ms;
    let because = |code: &str, sentence: String| Some(MissionReason { code: code.to_owned(), sentence, since_ms });
    match (life.state.status, life.state.phase) {
        (Status::Active, Phase::Live | Phase::Running) => ("active", None),
        (Status::Active, Phase::Checking) => {
            ("checking", because("check_running", "Whether it may start is asked; a person can start it.".into()))
        }
        (Status::Active, Phase::Held) => {
            let is_done = |id: &&MissionId| lives.get(id).is_none_or(|other| other.state.status != Status::Completed);
            let open: Vec<&str> = life
                .version
                .iter()
                .flat_map(|version| version.file.depends_on.iter().filter(is_done))
                .map(MissionId::as_str)
                .collect();
            if open.is_empty() {
                ("waiting", because("check_next", "What it needs is done; whether it may start is asked next.".into()))
            } else {
                ("waiting", because("dependency", format!("Waits for {} to be completed.", open.join(", "))))
            }
        }
        (Status::Paused, _) => ("paused", life.state.cause.as_ref().and_then(|cause| paused(cause, since_ms))),
        (Status::Completed, _) => ("completed", None),
        (Status::Failed, _) => ("failed", because("failure", "It failed.".into())),
        (Status::Cancelled, _) => ("cancelled", because("person", "It was cancelled, which is for good.".into())),
    }
}

fn paused(cause: &Cause, since_ms: i64) -> Option<MissionReason> {
    let (code, sentence) = match cause {
        Cause::Stop => ("stop", "Paused by a stop; release it, then resume.".to_owned()),
        Cause::Fallback(_) => ("fallback", "Paused by the response to a failure.".to_owned()),
        Cause::CompileFailed => ("compile_failed", "Paused because its text cannot be used any more.".to_owned()),
        Cause::Failure(goal) => ("failure", format!("Paused because goal {} failed.", goal + 1)),
        Cause::Parent(parent) => ("parent", format!("Paused with {parent}, which it is a part of.")),
        Cause::Expired => ("expired", "Its time is over.".to_owned()),
        Cause::Person(name) => ("person", format!("Paused by {name}.")),
        Cause::Machine(name) => ("machine", format!("Paused by the program {name}.")),
        Cause::Agent(name) => ("agent", format!("Paused by the agent {name}.")),
    };
    Some(MissionReason { code: code.to_owned(), sentence, since_ms })
}

/// Hash that names a text: SHA-256 in hexadecimal.
pub(crate) fn hash_of(source: &str) -> String {
    Sha256::digest(source.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
