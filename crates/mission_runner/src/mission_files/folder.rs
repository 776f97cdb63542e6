//! The agent's mission files as they stand in the folder.

mod files;
mod listing;
mod unread;
mod writing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use missions::MissionCode;
use robot::MissionId;

use crate::runner::AgentMissions;
use runtime::disk;
use runtime::error::OpError;

pub use files::Draft;
pub(crate) use files::{Faults, FolderState, MissionFiles, is_read};
pub(crate) use listing::{FILES_MAX, hash_of};
pub use unread::Unread;
pub(crate) use writing::{Change, MissionFolder, MissionImport, OnConflict, id_of, unwritable};

/// Time between two looks at a file that somebody waits for.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Looks after which the waiting ends, which is after 2.5 seconds.
const LOOKS_MAX: u32 = 25;

/// The answer to an id that names no mission, in every operation.
pub fn mission_not_found() -> OpError {
    OpError::new(MissionCode::MissionNotFound, "mission not found")
}

impl AgentMissions {
    /// Every mission file by its id; one that cannot be read, with why.
    pub fn drafts(&self) -> BTreeMap<MissionId, Draft> {
        self.files.look(&self.folder)
    }

    /// The text of a mission file, as it was when it last stood still.
    pub(crate) fn source(&self, id: &MissionId) -> Result<String, OpError> {
        let text = self.files.text(&self.folder, id).ok_or_else(mission_not_found)?;
        text.map_err(|error| listing::unreadable(id, &error))
    }

    /// The text that stands in a mission file at this moment, which somebody may be writing.
    pub(crate) fn present_source(&self, id: &MissionId) -> Result<String, OpError> {
        let text = listing::text_of(&self.folder, id)?;
        text.ok_or_else(mission_not_found)
    }

    /// Waits until the file of a mission stands still, or until it has been waited for long enough.
    pub(crate) async fn settled(self: &Arc<Self>, id: &MissionId) {
        let settles = |agent: Arc<Self>, id| disk::blocking(move || Ok(agent.files.settles(&agent.folder, &id)));
        for _ in 0..LOOKS_MAX {
            if !settles(Arc::clone(self), id.clone()).await.unwrap_or(false) {
                return;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The same of every file; each that has stood still is read then.
    pub(crate) async fn all_settled(self: &Arc<Self>) {
        let look = |agent: Arc<Self>| disk::blocking(move || agent.files.look_all(&agent.folder).map(drop));
        for _ in 0..LOOKS_MAX {
            if look(Arc::clone(self)).await.is_err() || !self.files.is_settling() {
                return;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The missions that have a file, or were activated or ended.
    pub fn ids(&self) -> BTreeSet<MissionId> {
        self.drafts().into_keys().chain(self.lives.all().into_keys()).collect()
    }

    /// That somebody knows this mission: it has a file, or was activated or ended.
    pub fn check_known(&self, id: &MissionId) -> Result<(), OpError> {
        if self.lives.status(id).is_some() { Ok(()) } else { self.check_exists(id) }
    }

    /// That there is a file of this mission.
    pub fn check_exists(&self, mission: &MissionId) -> Result<(), OpError> {
        if self.has_file(mission) { Ok(()) } else { Err(mission_not_found()) }
    }

    /// True if there is a file of this mission. For a thread that others wait for: nothing else of the folder is
    /// looked at.
    pub fn has_file(&self, mission: &MissionId) -> bool {
        self.files.has(&self.folder, mission)
    }

    /// Puts the missions of the simulated site into the folder, as drafts. A file that is there stays as it is; one
    /// that was put away is not brought back.
    pub async fn add_examples(&self) -> std::io::Result<()> {
        for (id, text) in missions::EXAMPLES {
            let (folder, path) = (MissionFolder::at(self.folder.clone()), self.folder.join(format!("{id}.md")));
            // `make` refuses a file that is there, so a text of the operator is never written over.
            let make = move || if folder.was_put_away(id) { Ok(()) } else { ::files::make(&path, text.as_bytes()) };
            match disk::blocking(make).await {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            if let Ok(id) = MissionId::new(id) {
                self.files.accept(&self.folder, &id, text);
            }
        }
        Ok(())
    }
}
