//! Dry runs that are kept: a person activates a text with the one that was seen.

use std::collections::BTreeSet;

use memory::StoredDryRun;
use missions::MissionCode;
use robot::MissionId;
use serde_json::json;

use crate::naming::prefix;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;
use runtime::wire::{MissionDryBasis, MissionDryRecord, MissionDryRun, MissionDryStale, MissionDryStaleCause};

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
        outcome: Some(json!(run.outcome).to_string()),
    };
    agent.db.keep_dry_run(&kept).await?;
    runner.runtime.bus.missions_changed(BTreeSet::from([run.mission_id.clone()]));
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
    // Also of the text: the id of a harmless draft must not vouch for another one.
    if run.is_some_and(|run| run.hash == hash) {
        return Ok(());
    }
    let message = format!("There is no dry run {id} of the text of {mission} that you saw.");
    Err(OpError::new(MissionCode::DryRunUnknown, message))
}

/// The dry run of a mission with this id, if it is kept.
pub(crate) async fn of(
    runner: &MissionRunner,
    agent: &AgentMissions,
    mission: &MissionId,
    id: &str,
) -> Result<Option<MissionDryRecord>, OpError> {
    let run = agent.db.dry_run(mission.as_str(), id).await?;
    Ok(run.map(|run| record(runner, agent, mission, run)))
}

/// The newest dry run of the text with this hash, or else of another text of the mission, with all that it is stale by.
pub(crate) async fn newest(
    runner: &MissionRunner,
    agent: &AgentMissions,
    mission: &MissionId,
    hash: Option<&str>,
) -> Result<Option<MissionDryRecord>, OpError> {
    let run = agent.db.newest_dry_run(mission.as_str(), hash.unwrap_or_default()).await?;
    Ok(run.map(|run| {
        let is_other = hash != Some(&run.hash);
        let mut record = record(runner, agent, mission, run);
        if is_other {
            record.stale.insert(0, MissionDryStale { cause: MissionDryStaleCause::Text, robot: None });
        }
        record
    }))
}

fn record(runner: &MissionRunner, agent: &AgentMissions, mission: &MissionId, run: StoredDryRun) -> MissionDryRecord {
    let StoredDryRun { id, hash, at_ms, ok, sentence, basis, outcome, .. } = run;
    let outcome = outcome.and_then(|outcome| serde_json::from_str(&outcome).ok());
    let before: Option<Vec<MissionDryBasis>> = serde_json::from_str(&basis).ok();
    let robots = before.iter().flatten().map(|robot| robot.robot.clone()).collect();
    let now = runner.host.fleet.basis(&robots, &prefix(agent, mission));
    MissionDryRecord { id, hash, at_ms, ok, sentence, outcome, stale: stale(before.as_deref(), &now) }
}

/// Everything that has changed since the dry run. What cannot be compared counts as changed.
fn stale(before: Option<&[MissionDryBasis]>, now: &[MissionDryBasis]) -> Vec<MissionDryStale> {
    let Some(before) = before else {
        return vec![MissionDryStale { cause: MissionDryStaleCause::Limits, robot: None }];
    };
    let differs = |then: &MissionDryBasis| {
        let now = now.iter().find(|now| now.robot == then.robot);
        let cause = match now {
            // The limits of a manifest are among those that bind its robot.
            Some(now) if now.manifest == then.manifest && now.limits == then.limits => return None,
            Some(now) if now.manifest == then.manifest => MissionDryStaleCause::Limits,
            Some(_) | None => MissionDryStaleCause::Manifest,
        };
        Some(MissionDryStale { cause, robot: Some(then.robot.clone()) })
    };
    before.iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(robot: &str, manifest: &str, limits: &str) -> MissionDryBasis {
        MissionDryBasis { robot: robot.parse().unwrap(), manifest: manifest.to_owned(), limits: limits.to_owned() }
    }

    #[test]
    fn mo_20_a_dry_run_is_stale_by_whatever_is_another_one_and_where_nobody_can_tell() {
        let before = [basis("arm-1", "m", "l"), basis("rover-1", "m", "l"), basis("rover-2", "m", "l")];
        let names = |now: &[MissionDryBasis]| -> Vec<String> {
            let name = |found: MissionDryStale| format!("{:?} {:?}", found.cause, found.robot.map(|id| id.to_string()));
            stale(Some(&before), now).into_iter().map(name).collect()
        };
        assert_eq!(names(&before), [""; 0]);
        assert_eq!(
            names(&[basis("arm-1", "m", "tighter"), basis("rover-1", "changed", "changed")]),
            [r#"Limits Some("arm-1")"#, r#"Manifest Some("rover-1")"#, r#"Manifest Some("rover-2")"#]
        );
        assert_eq!(stale(None, &before).len(), 1);
    }
}
