//! Start and end of the agents: of all that a station finds, and of one that is made while it runs.

use std::sync::Arc;

use agent::Preset;
use robot::AgentId;

use crate::agents::{AGENTS_MAX, AgentUnit, Agents};
use crate::code::AgentCode;
use crate::recall::episodes::Place;
use crate::runner::{AgentError, AgentRunner};
use crate::{recall::forget, storage_maintenance};
use runtime::Runtime;
use runtime::config::ModelChoice;
use runtime::error::OpError;
use runtime::wire::{AgentRow, Tag};
use sensing::Rules;

impl AgentRunner {
    /// Takes up what earlier runs have left, and lets every agent take turns.
    pub async fn start(self: &Arc<Self>) -> Result<(), AgentError> {
        self.hook_programs.tell_if_disabled(&self.tool_settings().hooks).await;
        self.agents.start(self).await?;
        // After the agents, whose turns the messages of a room begin.
        self.rooms.start(self).await?;
        self.mcp.keep(&self.tool_settings().mcp);
        Ok(())
    }

    /// Makes the backups with which a run ends, until there is no time left.
    pub async fn end(&self, until: tokio::time::Instant) {
        storage_maintenance::end(self, until).await;
    }
}

impl Agents {
    /// Lets every agent take turns.
    pub(crate) async fn start(&self, runner: &Arc<AgentRunner>) -> Result<(), AgentError> {
        for agent in self.all() {
            runner.sensing.add(Arc::clone(&agent.world));
            agent.start(runner).await?;
        }
        Ok(())
    }

    /// Makes an agent; it takes messages when this returns.
    pub async fn create(
        &self,
        runner: &Arc<AgentRunner>,
        id: AgentId,
        preset: Preset,
        model: Option<ModelChoice>,
    ) -> Result<AgentRow, OpError> {
        let folder = self.folder.lock().await;
        if self.get(&id).is_ok() {
            return Err(OpError::new(AgentCode::AgentExists, format!("There is an agent {id} already.")));
        }
        if self.all().len() >= AGENTS_MAX {
            return Err(OpError::limit_reached(AGENTS_MAX, format!("A station takes at most {AGENTS_MAX} agents.")));
        }
        // Before its first message, which the default model would answer otherwise.
        runner.models.settle(&id, preset, model).await?;
        let Runtime { clock, zone, redaction, .. } = &*runner.runtime;
        let made = AgentUnit::open(id, &folder, *clock, zone.clone(), redaction).await;
        let agent = Arc::new(made.map_err(not_made)?);
        runner.runtime.bus.events().take_up(Some(&agent.id), agent.db.events().await?);
        agent.start(runner).await.map_err(not_made)?;
        // Found by calls only once everything that it keeps is loaded.
        self.insert(Arc::clone(&agent));
        runner.sensing.add(Arc::clone(&agent.world));
        runner.runtime.bus.changed(Tag::Agents);
        Ok(agent.row(runner))
    }
}

impl AgentUnit {
    /// Takes up what its database holds, and starts taking turns.
    async fn start(self: &Arc<Self>, runner: &Arc<AgentRunner>) -> Result<(), AgentError> {
        record(runner, self);
        if let Some(left) = self.left {
            storage_maintenance::tell_unsaved(runner, self, left);
        }
        storage_maintenance::start(runner, self);
        self.ledger.load().await?;
        self.beliefs.load(&runner.runtime).await?;
        self.beliefs.start(&runner.runtime);
        self.world.rules.load(&self.world).await?;
        runner.sensing.alarms.load_agent(&self.world).await?;
        // A tombstone needs the audit, which is open by now; the words themselves went before anything was
        // read.
        forget::finish_unfinished(runner, self).await;
        if let Some(restored) = &self.restored {
            storage_maintenance::tell_restored(runner, self, restored, storage_maintenance::AT_START);
        }
        self.world.ingest.load(&runner.sensing, &self.world).await?;
        runner.missions.start(&self.id, &self.db, &self.folders.missions).await?;
        Rules::start(&runner.sensing, &self.world);
        self.jobs.load(runner, self).await?;
        self.embeddings.start(&runner.models, &runner.toolbox);
        // Last: a turn reads everything that was loaded above.
        self.turns.start(runner, self);
        self.jobs.start(runner, self);
        Ok(())
    }

    fn place(&self) -> Place<'_> {
        Place { agent: &self.id, db: &self.db, storage: &self.storage }
    }
}

/// Starts the tasks of an agent's records; they end with the station, when what waits is written.
fn record(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
    // Indexing what earlier runs wrote may take long: it goes on beside the rest.
    let (of, at) = (Arc::clone(agent), Arc::clone(runner));
    runner.runtime.tasks.spawn(async move { of.episodes.take_up(&at.runtime, of.place()).await });
    let (of, at) = (Arc::clone(agent), Arc::clone(runner));
    runner.runtime.tasks.spawn(async move { of.episodes.write(&at.runtime, of.place()).await });
}

fn not_made(error: AgentError) -> OpError {
    OpError::new(AgentCode::AgentNotMade, format!("The agent was not made: {error}."))
}
