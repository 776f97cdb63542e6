//! Acts of people and programs on mission files: saved, brought in, put away. A file never acts; what runs is the text
//! that was activated.

use std::sync::Arc;

use missions::MissionCode;
use missions::lifecycle::Status;
use robot::MissionId;

use crate::mission_files::folder::{Change, MissionFolder, MissionImport, OnConflict, id_of};
use crate::mission_files::layout;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::wire::{MissionImportOutcome as Outcome, MissionImported, MissionPositions, Tag};

/// Does `work` on the folder, of which there is one writer at a time.
async fn with_folder<T: Send + 'static>(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    work: impl FnOnce(&AgentMissions, &MissionFolder) -> Result<T, OpError> + Send + 'static,
) -> Result<T, OpError> {
    let agent = Arc::clone(agent);
    // The lock is taken on the blocking thread, so no task waits for a disk.
    let done = tokio::task::spawn_blocking(move || work(&agent, &lock(&agent.writing))).await;
    // Also after a failure: of several files some may have been written.
    runner.runtime.bus.changed(Tag::Missions);
    done.unwrap_or_else(|error| Err(OpError::new(RuntimeCode::StorageFailed, error.to_string())))
}

/// Saves a text with problems too: it is a draft. Gives what stands in the file then.
pub(crate) async fn save(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    base: Option<String>,
    change: Change,
) -> Result<String, OpError> {
    let id = id_of(id.as_str())?;
    let save = move |agent: &AgentMissions, folder: &MissionFolder| {
        let text = folder.save(&id, base.as_deref(), change)?;
        agent.files.accept(&agent.folder, &id, &text);
        Ok(text)
    };
    with_folder(runner, agent, save).await
}

/// Brings files in, each by itself.
pub(crate) async fn import(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    files: Vec<MissionImport>,
    on_conflict: OnConflict,
) -> Result<Vec<MissionImported>, OpError> {
    let import = move |agent: &AgentMissions, folder: &MissionFolder| {
        let imported = files.iter().map(|file| {
            let answer = folder.import(file, on_conflict);
            if let (Outcome::Added | Outcome::Replaced, Ok((id, text))) = (answer.outcome, file.read()) {
                agent.files.accept(&agent.folder, &id, &text);
            }
            answer
        });
        Ok(imported.collect())
    };
    with_folder(runner, agent, import).await
}

/// Puts the file of a mission away that is a draft or has ended. Its status and history stay.
pub(crate) async fn remove(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    base: String,
) -> Result<String, OpError> {
    let now_ms = runner.runtime.clock.now().wall_ms;
    let task_id = id.clone();
    with_folder(runner, agent, move |agent, folder| {
        // Asked under the lock of the folder. What runs would lose the file that people read.
        if matches!(agent.lives.status(&task_id), Some(Status::Active | Status::Paused)) {
            let message = format!("{task_id} is active or paused; cancel it first. Its file stays.");
            return Err(OpError::new(MissionCode::MissionLive, message));
        }
        folder.put_away(&task_id, &base, now_ms)
    })
    .await
}

/// Keeps positions of missions in the graph, over those with the hash `base`.
pub(crate) async fn save_layout(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    base: Option<String>,
    positions: MissionPositions,
) -> Result<String, OpError> {
    with_folder(runner, agent, move |agent, _| layout::save(&agent.folder, base.as_deref(), positions)).await
}
