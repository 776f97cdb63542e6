//! Texts of mission files, kept as they are seen, so that an earlier one can be compared and restored.

use std::sync::Arc;

use memory::SeenVersion;
use memory::forget::Needles;
use robot::MissionId;

use crate::mission_files::folder::hash_of;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::disk;

/// Texts that are kept in one write: others wait no longer than that takes.
const KEPT_AT_ONCE: usize = 100;

/// Keeps the texts that have changed since they were kept last. Those of the first look were there before, and may be
/// older than what is kept of them.
pub(crate) async fn keep_changed(runner: &MissionRunner, agent: &Arc<AgentMissions>) {
    let mut kept = agent.kept.lock().await;
    let now = agent.files.hashes();
    let before = kept.as_ref();
    let differs = |id: &MissionId, hash: &[u8; 32]| before.is_none_or(|before| before.get(id) != Some(hash));
    let changed: Vec<MissionId> = now.iter().filter(|(id, hash)| differs(id, hash)).map(|(id, _)| id.clone()).collect();
    for ids in changed.chunks(KEPT_AT_ONCE) {
        let (reading, ids) = (Arc::clone(agent), ids.to_vec());
        let read = disk::blocking(move || Ok(ids.iter().filter_map(|id| seen(&reading, id)).collect::<Vec<_>>()));
        let texts = read.await.unwrap_or_default();
        let now_ms = runner.runtime.clock.now().wall_ms;
        if let Err(error) = agent.db.keep_mission_versions(&texts, before.is_some(), now_ms).await {
            tracing::warn!(agent = %agent.id, %error, "texts of missions are not kept; they are tried again");
            // `kept` stays as it was, so that the next look tries all of them again.
            return;
        }
    }
    *kept = Some(now);
}

impl MissionRunner {
    /// Takes forgotten texts out of what was activated. The text of a file that was written a moment ago is kept first,
    /// so that its row is there to be cleaned, and is not made from the file later.
    pub async fn forget(&self, agent: &Arc<AgentMissions>, needles: &Needles, mark: &str) {
        agent.all_settled().await;
        keep_changed(self, agent).await;
        agent.lives.forget(needles, mark);
    }
}

/// Keeps a text that somebody has saved here.
pub(crate) async fn keep_saved(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
    source: &str,
    author: &str,
) {
    let version = SeenVersion { author: Some(author.to_owned()), ..version(id, source) };
    let now_ms = runner.runtime.clock.now().wall_ms;
    if let Err(error) = agent.db.keep_mission_versions(&[version], true, now_ms).await {
        tracing::warn!(mission = %id, %error, "nobody can restore the text that was saved");
    }
}

fn seen(agent: &AgentMissions, id: &MissionId) -> Option<SeenVersion> {
    agent.source(id).ok().map(|source| version(id, &source))
}

fn version(id: &MissionId, source: &str) -> SeenVersion {
    SeenVersion { mission: id.to_string(), hash: hash_of(source), source: source.to_owned(), author: None }
}
