//! Takes up the missions of an agent that starts.

use std::path::PathBuf;
use std::sync::Arc;

use memory::{AgentDb, MemoryError};
use missions::lifecycle::Status;
use robot::AgentId;

use crate::folder::MissionFiles;
use crate::lives::{self, Lives};
use crate::runner::{AgentMissions, MissionRunner};
use crate::watch;

impl MissionRunner {
    /// Takes up the missions of `agent`, whose database is `db`, and watches its files in `folder`.
    pub async fn start(self: &Arc<Self>, agent: &AgentId, db: &AgentDb, folder: PathBuf) -> Result<(), MemoryError> {
        let (lives, files) = (Lives::default(), MissionFiles::default());
        let agent = Arc::new(AgentMissions { id: agent.clone(), db: db.clone(), folder, lives, files });
        self.load(&agent).await?;
        self.add(Arc::clone(&agent));
        watch::start(self, &agent);
        Ok(())
    }

    /// Takes up what the database holds. A row that cannot be read concerns its mission alone, which is named.
    async fn load(&self, agent: &AgentMissions) -> Result<(), MemoryError> {
        for stored in agent.db.missions().await? {
            let id = stored.id.clone();
            match lives::life(stored) {
                Some((id, life)) => {
                    let stands_still = life.state.status != Status::Active;
                    agent.lives.put(&id, life);
                    if stands_still {
                        self.host.sensing.pause(&agent.id, &id);
                    }
                }
                None => self.runtime.bus.event_of(
                    &agent.id,
                    "mission_unreadable",
                    format!("The stored state of {id} cannot be read."),
                ),
            }
        }
        Ok(())
    }
}
