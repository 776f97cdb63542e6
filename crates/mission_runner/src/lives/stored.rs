//! Missions as they stand on disk.

use std::sync::Arc;

use memory::{StoredMission, StoredRun, of_word, word};
use missions::MissionFile;
use missions::lifecycle::{Cause, Phase, State, Status};
use missions::run::Run;
use robot::{MissionId, Now};
use world::cron::Zone;

use super::{Life, Version};

impl Life {
    pub(crate) fn stored(&self, id: &MissionId) -> StoredMission {
        let State { status, phase, cause } = &self.state;
        StoredMission {
            id: id.to_string(),
            status: word(status),
            phase: word(phase),
            cause: cause.as_ref().and_then(|cause| serde_json::to_string(cause).ok()),
            since_ms: self.since_ms,
            activation: self.version.as_ref().map(|version| version.activation.clone()),
            run: self.run.as_ref().and_then(stored_run),
            runs: self.runs,
            triggers: serde_json::to_string(&self.triggers).ok(),
            row_version: self.row_version,
        }
    }
}

fn stored_run(run: &Run) -> Option<StoredRun> {
    let json = serde_json::to_string(run).ok()?;
    Some(StoredRun { id: run.id.clone(), number: run.number, run: json })
}

/// A stored mission; `None` if something in it is not what this program writes.
pub(crate) fn life(stored: StoredMission, zone: &Zone, now: Now) -> Option<(MissionId, Life)> {
    let id = MissionId::new(stored.id).ok()?;
    let status = of_word(&stored.status).ok()?;
    let phase = of_word(&stored.phase).ok()?;
    let cause = stored.cause.map(|cause| serde_json::from_str::<Cause>(&cause)).transpose().ok()?;
    let version = stored.activation.map(|activation| {
        let file = MissionFile::read(id.clone(), &activation.source).ok()?;
        Some(Arc::new(Version::new(activation, file, zone, now)))
    });
    let version = match version {
        Some(None) => return None,
        Some(Some(version)) => Some(version),
        None => None,
    };
    let run = stored.run.map(|run| serde_json::from_str::<Run>(&run.run)).transpose().ok()?;
    let triggers = stored.triggers.map(|triggers| serde_json::from_str(&triggers)).transpose().ok()?;
    let state = State { status, phase, cause };
    let (since_ms, runs, row_version) = (stored.since_ms, stored.runs, stored.row_version);
    let triggers = triggers.unwrap_or_default();
    Some((id, Life { state, since_ms, version, run, runs, triggers, row_version, unsaved: None }))
}

/// A stored mission that cannot be read, as far as it is certain: it stands still until a person activates it anew, or ends it.
/// `None` if it has no id that a mission can have.
pub(crate) fn unreadable(stored: StoredMission) -> Option<(MissionId, Life)> {
    let id = MissionId::new(stored.id).ok()?;
    let cause = stored.cause.and_then(|cause| serde_json::from_str::<Cause>(&cause).ok());
    let status = of_word(&stored.status).unwrap_or(Status::Paused);
    let (status, cause) = match status {
        Status::Active => (Status::Paused, Some(Cause::CompileFailed)),
        Status::Paused => (status, cause.or(Some(Cause::CompileFailed))),
        Status::Completed | Status::Failed | Status::Cancelled => (status, cause),
    };
    let state = State { status, phase: Phase::Held, cause };
    let (since_ms, runs, row_version) = (stored.since_ms, stored.runs, stored.row_version);
    let (version, run, triggers, unsaved) = (None, None, Vec::new(), None);
    Some((id, Life { state, since_ms, version, run, runs, triggers, row_version, unsaved }))
}
