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
        if let Some(choice) = &model {
            runner.models.provider(&choice.provider)?;
        }
        let Runtime { clock, zone, redaction, .. } = &*runner.runtime;
        let made = AgentUnit::open(id, &folder, *clock, zone.clone(), redaction).await;
        let agent = Arc::new(made.map_err(not_made)?);
        if let Err(error) = agent.prepare(runner, preset, model).await {
            // Whoever tries again opens its files anew, and alone.
            agent.db.close().await;
            return Err(error);
        }
        agent.begin(runner);
        self.insert(Arc::clone(&agent));
        runner.sensing.add(Arc::clone(&agent.world));
        runner.runtime.bus.changed(Tag::Agents);
        Ok(agent.row(runner))
    }
}

impl AgentUnit {
    /// Takes up what its database holds, and starts taking turns.
    async fn start(self: &Arc<Self>, runner: &Arc<AgentRunner>) -> Result<(), AgentError> {
        self.load(runner).await?;
        self.begin(runner);
        Ok(())
    }

    /// The same for one that was just made, up to its beginning: what it starts with is written down once nothing else
    /// can fail, and before it takes its first message.
    async fn prepare(
        self: &Arc<Self>,
        runner: &Arc<AgentRunner>,
        preset: Preset,
        model: Option<ModelChoice>,
    ) -> Result<(), OpError> {
        runner.runtime.bus.events().take_up(Some(&self.id), self.db.events().await?);
        self.load(runner).await.map_err(not_made)?;
        runner.models.settle(&self.id, preset, model).await
    }

    /// Takes up what its database holds. Nothing of it works yet.
    async fn load(self: &Arc<Self>, runner: &Arc<AgentRunner>) -> Result<(), AgentError> {
        if let Some(left) = self.left {
            storage_maintenance::tell_unsaved(runner, self, left);
        }
        self.ledger.load().await?;
        self.beliefs.load(&runner.runtime).await?;
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
        self.jobs.load(runner, self).await?;
        Ok(())
    }

    /// Starts its tasks, which hold its files to the end of the station: no step that can fail comes after this.
    fn begin(self: &Arc<Self>, runner: &Arc<AgentRunner>) {
        record(runner, self);
        storage_maintenance::start(runner, self);
        self.beliefs.start(&runner.runtime);
        Rules::start(&runner.sensing, &self.world);
        self.embeddings.start(&runner.models, &runner.toolbox);
        // Last: a turn reads everything that was loaded above.
        self.turns.start(runner, self);
        self.jobs.start(runner, self);
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

#[cfg(test)]
mod tests {
    use robot::ModelProviderId;

    use super::*;
    use crate::test_support::{NoToolServers, Rig};

    #[tokio::test(flavor = "multi_thread")]
    async fn an_agent_that_cannot_be_made_lets_go_of_its_files_and_leaves_no_settings() {
        let provider = "[providers.near]\nkind = \"ollama\"\nbase = \"http://127.0.0.1:9/v1\"\n";
        let rig = Rig::start_with(provider, Arc::new(NoToolServers)).await;
        let id = AgentId::new("night").unwrap();
        let model = ModelChoice { provider: ModelProviderId::new("near").unwrap(), model: "m".into() };
        let create = || rig.runner.agents.create(&rig.runner, id.clone(), Preset::default(), Some(model.clone()));
        rig.refuse_missions(true);
        assert_eq!(create().await.unwrap_err().code, "agent_not_made");
        assert!(rig.newest_db().jobs().await.is_err(), "it is closed");
        assert!(rig.runner.models.of_agent(&id).provider.is_none());
        rig.refuse_missions(false);
        assert_eq!(create().await.unwrap().provider, Some(model.provider.clone()));
        assert!(rig.newest_db().jobs().await.is_ok());
    }
}
