//! The agent's mission files as they stand in the folder.

mod files;
mod writing;

use std::collections::{BTreeMap, BTreeSet};

use missions::MissionCode;
use robot::MissionId;

use crate::runner::AgentMissions;
use runtime::disk;
use runtime::error::OpError;

pub use files::Draft;
pub(crate) use files::{FILES_MAX, Listed, MissionFiles, hash_of, listed};
pub(crate) use writing::{Change, MissionFolder, MissionImport, OnConflict, id_of, unwritable};

impl AgentMissions {
    /// Every mission file by its id; one that cannot be read, with why.
    pub fn drafts(&self) -> BTreeMap<MissionId, Draft> {
        self.files.look(&self.folder)
    }

    /// The text of a mission file, as it stands now.
    pub(crate) fn source(&self, id: &MissionId) -> Result<String, OpError> {
        let text = files::text_of(&self.folder, id)?;
        text.ok_or_else(|| OpError::not_found(MissionCode::MissionNotFound, "mission", id))
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
        if self.drafts().contains_key(mission) {
            return Ok(());
        }
        Err(OpError::not_found(MissionCode::MissionNotFound, "mission", mission))
    }

    /// Puts the missions of the simulated site into the folder, as drafts. A file that is there stays as it is; one that
    /// was put away is not brought back.
    pub async fn add_examples(&self) -> std::io::Result<()> {
        for (id, text) in missions::EXAMPLES {
            let (folder, path) = (MissionFolder::at(self.folder.clone()), self.folder.join(format!("{id}.md")));
            let make = move || if folder.was_put_away(id) { Ok(()) } else { ::files::make(&path, text.as_bytes()) };
            match disk::blocking(make).await {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        Ok(())
    }
}
