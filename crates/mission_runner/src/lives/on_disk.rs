//! Rows of missions in the database of their agent.

use std::sync::Arc;

use memory::{AgentDb, Author, MemoryError, StoredMission};
use missions::MissionCode;
use robot::MissionId;

use super::{Life, Lives};
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::lock::lock;

/// The rows of an agent's missions. Whoever holds them changes one, in the order in which the changes are made.
pub(crate) struct LivesOnDisk {
    db: AgentDb,
}

impl LivesOnDisk {
    /// Those in `db`.
    pub fn new(db: AgentDb) -> Self {
        Self { db }
    }

    /// Writes a change of a mission; refused if its row is not the one that the change was made of.
    pub async fn save(&self, id: &MissionId, life: &Life, author: Author<'_>) -> Result<(), OpError> {
        if self.db.save_mission(&life.stored(id), author).await? {
            crash::point(CrashPoint::MissionSave);
            return Ok(());
        }
        Err(changed_meanwhile(id))
    }

    /// Writes where every mission stands, into a database that a backup has replaced.
    pub async fn put_back(&self, lives: &Lives) -> Result<(), MemoryError> {
        // Collected before the write: held while the disk takes its time, the lock would make a stop wait.
        let held: Vec<StoredMission> = lock(&lives.lives).iter().map(|(id, life)| life.stored(id)).collect();
        self.db.put_back_missions(&held).await?;
        lock(&lives.lives).change().values_mut().for_each(|life| Arc::make_mut(life).unsaved = None);
        Ok(())
    }
}

/// The refusal of a change to a mission that is not as it was any more.
pub(crate) fn changed_meanwhile(id: &MissionId) -> OpError {
    OpError::new(MissionCode::MissionChanged, format!("Somebody has changed {id} meanwhile; look at it again."))
}
