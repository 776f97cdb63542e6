//! Dry runs that are kept: a person activates a text with the one that was seen.

use memory::StoredDryRun;
use missions::MissionCode;
use robot::MissionId;
use serde_json::json;

use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;
use runtime::wire::{MissionDryRecord, MissionDryRun, Tag};

/// Keeps how a dry run ended, and tells those who show its mission.
pub(super) async fn keep(runner: &MissionRunner, agent: &AgentMissions, run: &MissionDryRun) -> Result<(), OpError> {
    let kept = StoredDryRun {
        id: run.id.clone(),
        mission_id: run.mission_id.to_string(),
        hash: run.hash.clone(),
        at_ms: run.at_ms,
        ok: run.ok,
        sentence: run.sentence.clone(),
        basis: json!(run.basis).to_string(),
    };
    agent.db.keep_dry_run(&kept).await?;
    runner.runtime.bus.changed(Tag::Missions);
    Ok(())
}

/// That the dry run which a person saw, if any, is of exactly the text with this hash.
pub(crate) async fn check_of(
    agent: &AgentMissions,
    mission: &MissionId,
    hash: &str,
    id: Option<&str>,
) -> Result<(), OpError> {
    let Some(id) = id else { return Ok(()) };
    let run = agent.db.dry_run(mission.as_str(), id).await?;
    if run.is_some_and(|run| run.hash == hash) {
        return Ok(());
    }
    let message = format!("There is no dry run {id} of the text of {mission} that you saw.");
    Err(OpError::new(MissionCode::DryRunUnknown, message))
}

/// The dry run of a mission with this id, if it is kept.
pub(crate) async fn of(
    agent: &AgentMissions,
    mission: &MissionId,
    id: &str,
) -> Result<Option<MissionDryRecord>, OpError> {
    let run = agent.db.dry_run(mission.as_str(), id).await?;
    Ok(run.map(|StoredDryRun { id, hash, at_ms, ok, sentence, .. }| MissionDryRecord { id, hash, at_ms, ok, sentence }))
}
