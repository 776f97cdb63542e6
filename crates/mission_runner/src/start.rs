//! Takes up the missions of an agent that starts.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use memory::{AgentDb, Author, MemoryError};
use missions::Compiled;
use missions::lifecycle::{Act, Cause, Status};
use robot::{AgentId, MissionId};

use crate::acts;
use crate::execution::failures;
use crate::execution::work;
use crate::lives::{self, Life, Lives, LivesOnDisk};
use crate::mission_files::compiling::check_activated;
use crate::mission_files::folder::{MissionFiles, MissionFolder};
use crate::mission_files::watch;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;
use runtime::session::Session;

impl MissionRunner {
    /// Takes up the missions of `agent`, whose database is `db`, and watches its files in `folder`.
    pub async fn start(self: &Arc<Self>, agent: &AgentId, db: &AgentDb, folder: PathBuf) -> Result<(), MemoryError> {
        let (lives, files) = (Lives::default(), MissionFiles::new(self.runtime.clock));
        let agent = Arc::new(AgentMissions {
            id: agent.clone(),
            db: db.clone(),
            writing: Mutex::new(MissionFolder::at(folder.clone())),
            folder,
            lives,
            on_disk: tokio::sync::Mutex::new(LivesOnDisk::new(db.clone())),
            files,
            kept: Default::default(),
            family: Default::default(),
            counted: Default::default(),
            reconciling: Default::default(),
            unsettled: Default::default(),
            locks: Default::default(),
            turns: Default::default(),
            money: Default::default(),
            checks: Default::default(),
            ending: Default::default(),
            changed: Default::default(),
        });
        // Before anything is watched or worked on, or an active mission would look like a draft.
        self.load(&agent).await?;
        self.add(Arc::clone(&agent));
        watch::start(self, &agent);
        work::start(self, &agent);
        Ok(())
    }

    /// Takes up what the database holds. A row that cannot be read concerns its mission alone, which is named.
    async fn load(&self, agent: &AgentMissions) -> Result<(), MemoryError> {
        for stored in agent.db.missions().await? {
            let read = lives::life(stored.clone(), &self.runtime.zone, self.runtime.clock.now());
            if read.is_none() {
                let sentence = format!("The stored state of {} cannot be read.", stored.id);
                self.runtime.bus.event_of(&agent.id, "mission_unreadable", sentence);
            }
            if let Some((id, life)) = read.or_else(|| lives::unreadable(stored)) {
                self.take_up(agent, &id, life).await;
                self.put_in_force(agent, &id);
            }
        }
        Ok(())
    }

    /// Takes up one mission. That a restart has cut off its turn is on disk before the next one begins.
    async fn take_up(&self, agent: &AgentMissions, id: &MissionId, life: Life) {
        // Otherwise the restart has changed nothing that the disk would have to know.
        let life = life.after_restart();
        agent.lives.put(id, life.clone());
        if life.unsaved.is_none() {
            return;
        }
        let on_disk = agent.on_disk.lock().await;
        match on_disk.save(id, &life, Author { actor: "station", reason: None }).await {
            Ok(()) => agent.lives.note_saved(id, life.row_version),
            Err(error) => tracing::error!(mission = %id, %error, "the end of a turn is not on disk yet"),
        }
    }

    /// Holds what every mission has activated against the site of now, once all robots are known: its limits bind
    /// while it has not ended, and one that has no meaning any more is paused and told of.
    pub async fn check_activated(self: &Arc<Self>) {
        let by = Session::supervision();
        for agent in self.all() {
            self.release_unsaved(&agent, &by).await;
            for (id, life) in agent.lives.all() {
                // A mission whose end was written just before a crash may still have rules and jobs registered.
                self.reconcile(&agent, &id).await;
                if life.state.status.has_ended() {
                    self.release_limits(&agent, &by, &id, &[]).await;
                    continue;
                }
                let is_active = life.state.status == Status::Active;
                if is_active && self.is_stopped(life.robots()) {
                    self.pause_for_open_stop(&agent, &by, &id).await;
                }
                let found = match check_activated(self, &agent, &id).await {
                    Ok(Some(meaning)) => self.bind_only(&agent, &by, &meaning).await,
                    Ok(None) => Ok(()),
                    Err(error) => Err(error),
                };
                if let Err(error) = found
                    && is_active
                {
                    self.pause_for_text(&agent, &by, &id, &error).await;
                }
            }
            failures::tell_failed(self, &agent);
        }
        // Only here does the work on missions begin: before that no limit of theirs is sure to bind.
        self.checked.cancel();
    }

    /// Takes out of force what the station bound for an activation and ended before that was on disk: no text of such a
    /// mission runs, and no end of it would ever release the limits.
    async fn release_unsaved(&self, agent: &AgentMissions, by: &Session) {
        for id in self.host.fleet.bound() {
            if agent.lives.life(&id).is_none() {
                self.release_limits(agent, by, &id, &[]).await;
            }
        }
    }

    /// Puts the limits of the activated text in force, and takes those of any other out: the station may have ended
    /// between the two when a text took the place of another.
    async fn bind_only(&self, agent: &AgentMissions, by: &Session, meaning: &Compiled) -> Result<(), OpError> {
        let bound = self.bind_limits(agent, by, meaning).await?;
        self.release_limits(agent, by, &meaning.id, &bound).await;
        Ok(())
    }

    /// Pauses a mission that an open stop of its robots did not reach: the station ended between the two.
    async fn pause_for_open_stop(self: &Arc<Self>, agent: &Arc<AgentMissions>, by: &Session, id: &MissionId) {
        if let Err(error) = acts::halt(self, agent, by, id, &Act::Pause(Cause::Stop)).await {
            tracing::error!(mission = %id, %error, "the pause of a mission whose robot is stopped is not on disk");
        }
    }

    /// Pauses a mission whose activated text has no meaning here now, and tells people of it.
    async fn pause_for_text(self: &Arc<Self>, agent: &Arc<AgentMissions>, by: &Session, id: &MissionId, why: &OpError) {
        let sentence = format!("Mission {id} is paused, because its text has no meaning here now: {}", why.message);
        tracing::warn!(agent = %agent.id, mission = %id, error = %why, "a mission no longer compiles");
        self.runtime.bus.event_of(&agent.id, "mission_compile_failed", sentence);
        if let Err(error) = acts::halt(self, agent, by, id, &Act::Pause(Cause::CompileFailed)).await {
            tracing::error!(mission = %id, %error, "the pause of a mission that no longer compiles is not on disk");
        }
    }
}
