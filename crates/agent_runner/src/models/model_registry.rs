//! Registry of language models: their providers, the model of each agent, and the keys they need. `config.toml` is the
//! truth; what is changed here is written there first.

mod absent;
mod ask;
mod cache;
mod open;

use std::sync::{Arc, RwLock};

use agent::{Policy, Preset};
use llm::{Caps, CommandModel, Embedder, Model, ModelErrorKind};
use robot::{AgentId, ModelProviderId, SharedCode};
use serde_json::json;
use toml_edit::{Array, DocumentMut, InlineTable, TableLike, Value};
use world::alarm::{BuiltIn, Of};

use crate::code::AgentCode;
use absent::AbsentModel;
use cache::Cache;
use runtime::Runtime;
use runtime::audit::AuditEntry;
use runtime::config::{AgentSettings, ConfigFile, ModelChoice, ModelSettings, ProviderSettings, put, table_at};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::{read, write};
use runtime::secrets::{Keys, SecretName};
use runtime::wire::{ProviderRow, Tag, word};
use sensing::Sensing;

/// The providers and models of this station.
pub(crate) struct ModelRegistry {
    pub runtime: Arc<Runtime>,
    sensing: Arc<Sensing>,
    file: ConfigFile,
    pub keys: Keys,
    settings: RwLock<ModelSettings>,
    /// Models that were opened, until their provider or key changes.
    open: Cache<dyn Model>,
    /// The same for embeddings.
    embedders: Cache<Embedder>,
}

/// The models of one turn: it keeps them to its end.
#[derive(Clone)]
pub(crate) struct TurnModels {
    /// Of the conversation.
    pub main: Arc<dyn Model>,
    /// Of everything beside it.
    pub side: Arc<dyn Model>,
}

impl TurnModels {
    /// The built-in command interpreter for all of a turn.
    pub fn interpreter() -> Self {
        let main: Arc<dyn Model> = Arc::new(CommandModel::default());
        Self { side: Arc::clone(&main), main }
    }
}

impl ModelRegistry {
    pub fn new(
        runtime: Arc<Runtime>,
        sensing: Arc<Sensing>,
        file: ConfigFile,
        settings: ModelSettings,
        keys: Keys,
    ) -> Self {
        let settings = RwLock::new(settings);
        Self { runtime, sensing, file, keys, settings, open: Cache::default(), embedders: Cache::default() }
    }

    /// The `config.toml` of the station: every change of it goes through here, one after the other.
    pub fn file(&self) -> &ConfigFile {
        &self.file
    }

    /// Settings of an agent in `config.toml`; the defaults if it says nothing.
    pub fn of_agent(&self, agent: &AgentId) -> AgentSettings {
        read(&self.settings).agents.get(agent).cloned().unwrap_or_default()
    }

    /// The policy of an agent. Its settings were checked when `config.toml` was read.
    pub fn policy(&self, agent: &AgentId) -> Policy {
        Policy::read(&self.of_agent(agent).policy).unwrap_or_else(|error| {
            tracing::error!(%error, %agent, "the policy cannot be read; the preset's own numbers hold");
            Policy::preset(Preset::default())
        })
    }

    /// One provider.
    pub fn provider(&self, id: &ModelProviderId) -> Result<ProviderSettings, OpError> {
        let found = read(&self.settings).providers.get(id).cloned();
        found.ok_or_else(|| OpError::not_found(AgentCode::ProviderNotFound, "provider", id))
    }

    /// The models of a turn of `agent` that begins now. One that cannot be opened is a model that says why.
    pub async fn for_turn(&self, agent: &AgentId) -> TurnModels {
        let chosen = self.of_agent(agent);
        let Some(main) = chosen.main() else { return TurnModels::interpreter() };
        let main = self.opened(main).await;
        let side = match chosen.side {
            Some(side) => self.opened(side).await,
            None => Arc::clone(&main),
        };
        TurnModels { main, side }
    }

    async fn opened(&self, choice: ModelChoice) -> Arc<dyn Model> {
        match self.open(&choice).await {
            Ok(model) => model,
            Err(error) => {
                let server =
                    self.provider(&choice.provider).map(|provider| (provider.kind, provider.base().to_owned()));
                Arc::new(AbsentModel::new(&choice, server.ok(), &error.message))
            }
        }
    }

    /// Opens a model with the key of its provider.
    pub async fn open(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, OpError> {
        let ticket = match self.open.get(choice) {
            Ok(model) => return Ok(model),
            Err(ticket) => ticket,
        };
        let provider = self.provider(&choice.provider)?;
        let key = match &provider.key {
            Some(name) => Some(self.key(name).await?),
            None => None,
        };
        let opened = open::open(choice, &provider, key).await?;
        // A server that did not answer is asked again by the next turn.
        if opened.is_settled {
            self.open.keep(ticket, choice, &opened.model);
        }
        Ok(opened.model)
    }

    /// The key `name`. A keychain that cannot be used is an alarm for as long as that lasts.
    pub async fn key(&self, name: &SecretName) -> Result<secrecy::SecretString, OpError> {
        let found = self.keys.get(name).await.map_err(OpError::from);
        self.note_keychain(found.as_ref().err());
        if found.is_ok() {
            // Each use of a key is on record, by the name of the key alone.
            self.runtime.audit.note_done(AuditEntry::by_station("secret_use", "ok").about(format!("name={name}")));
        }
        found
    }

    /// A key is another one now: whoever has the older one gives it up.
    pub fn key_changed(&self, name: &SecretName) {
        let settings = read(&self.settings);
        let uses = |choice: &ModelChoice| {
            settings.providers.get(&choice.provider).and_then(|of| of.key.as_ref()) == Some(name)
        };
        self.open.give_up(uses);
        self.embedders.give_up(uses);
    }

    /// Every provider, by id.
    pub async fn rows(&self) -> Result<Vec<ProviderRow>, OpError> {
        let kept = self.keys.list(&self.runtime.db).await?;
        let settings = read(&self.settings);
        let row = |(id, provider): (&ModelProviderId, &ProviderSettings)| {
            let is_used = |agent: &&(AgentId, AgentSettings)| {
                let (_, of) = agent;
                let beside = of.side.iter().chain(&of.embedding);
                of.provider.as_ref() == Some(id) || beside.into_iter().any(|choice| choice.provider == *id)
            };
            let agents: Vec<(AgentId, AgentSettings)> =
                settings.agents.iter().map(|(agent, of)| (agent.clone(), of.clone())).collect();
            ProviderRow {
                id: id.clone(),
                kind: provider.kind,
                base: provider.base().to_owned(),
                local: provider.is_local(),
                key: provider.key.clone(),
                key_is_set: provider.key.as_ref().is_none_or(|key| kept.iter().any(|row| row.name == *key)),
                window: provider.window,
                models: provider.models.clone(),
                agents: agents.iter().filter(is_used).map(|(agent, _)| agent.clone()).collect(),
            }
        };
        Ok(settings.providers.iter().map(row).collect())
    }

    /// Writes a provider down, in the place of an older one of that name.
    pub async fn set_provider(&self, id: &ModelProviderId, provider: &ProviderSettings) -> Result<(), OpError> {
        provider
            .check()
            .map_err(|(field, why)| OpError::bad_input(SharedCode::InvalidInput, field, format!("{why}.")))?;
        let edited = self.edit(|document| {
            let table = table_at(document, &["providers", id.as_str()])?;
            put(table, "kind", Some(word(&provider.kind).into()));
            put(table, "base", provider.base.as_deref().map(Value::from));
            put(table, "key", provider.key.as_ref().map(|key| key.as_str().into()));
            put(table, "local", provider.local.map(Value::from));
            put(table, "window", provider.window.map(|window| i64::from(window).into()));
            let models: Array = provider.models.iter().map(String::as_str).collect();
            put(table, "models", (!models.is_empty()).then(|| models.into()));
            Some(())
        });
        edited.await
    }

    /// Removes a provider that no agent uses.
    pub async fn remove_provider(&self, id: &ModelProviderId) -> Result<(), OpError> {
        let rows = self.rows().await?;
        let Some(row) = rows.iter().find(|row| row.id == *id) else {
            return Err(OpError::not_found(AgentCode::ProviderNotFound, "provider", id));
        };
        // An agent whose provider is gone would answer nothing else any more.
        if !row.agents.is_empty() {
            let users: Vec<String> = row.agents.iter().map(ToString::to_string).collect();
            let message = format!("{id} is in use. Choose another model first.");
            return Err(OpError::new(AgentCode::ProviderInUse, message).with(json!({ "agents": users })));
        }
        let edited = self.edit(|document| {
            table_at(document, &["providers"])?.remove(id.as_str());
            Some(())
        });
        edited.await
    }

    /// Writes down what a new agent starts with. Nothing is written for one with nothing of its own.
    pub async fn settle(&self, agent: &AgentId, preset: Preset, model: Option<ModelChoice>) -> Result<(), OpError> {
        if let Some(choice) = &model {
            self.provider(&choice.provider)?;
        }
        if preset == Preset::default() && model.is_none() {
            return Ok(());
        }
        let edited = self.edit(|document| {
            if preset != Preset::default() {
                let policy = table_at(document, &["agents", agent.as_str(), "policy"])?;
                put(policy, "preset", Some(word(&preset).into()));
            }
            put_model(table_at(document, &["agents", agent.as_str()])?, model.as_ref());
            Some(())
        });
        edited.await
    }

    /// Gives an agent another model; without one the built-in command interpreter answers. Its next turn has it.
    pub async fn select(
        &self,
        agent: &AgentId,
        main: Option<ModelChoice>,
        side: Option<ModelChoice>,
    ) -> Result<(), OpError> {
        for choice in main.iter().chain(&side) {
            self.provider(&choice.provider)?;
        }
        let edited = self.edit(|document| {
            let table = table_at(document, &["agents", agent.as_str()])?;
            put_model(table, main.as_ref());
            put(table, "side", side.as_ref().map(inline));
            Some(())
        });
        edited.await
    }

    /// Gives an agent another model for embeddings, or none.
    pub async fn select_embedding(&self, agent: &AgentId, choice: Option<ModelChoice>) -> Result<(), OpError> {
        if let Some(choice) = &choice {
            self.provider(&choice.provider)?.check_embeds()?;
        }
        let edited = self.edit(|document| {
            let table = table_at(document, &["agents", agent.as_str()])?;
            put(table, "embedding", choice.as_ref().map(inline));
            Some(())
        });
        edited.await?;
        self.runtime.bus.changed(Tag::Agents);
        Ok(())
    }

    /// Opens a model for embeddings with the key of its provider.
    pub async fn embedder(&self, choice: &ModelChoice) -> Result<Arc<Embedder>, OpError> {
        let ticket = match self.embedders.get(choice) {
            Ok(embedder) => return Ok(embedder),
            Err(ticket) => ticket,
        };
        let provider = self.provider(&choice.provider)?;
        provider.check_embeds()?;
        let key = match &provider.key {
            Some(name) => Some(self.key(name).await?),
            None => None,
        };
        let embedder = Arc::new(open::embedder(choice, &provider, key)?);
        self.embedders.keep(ticket, choice, &embedder);
        Ok(embedder)
    }

    /// Capabilities of a model for embeddings; its price above all.
    pub fn embedding_caps(&self, choice: &ModelChoice) -> Result<Caps, OpError> {
        Ok(open::caps(choice, &self.provider(&choice.provider)?))
    }

    /// Raises or clears the alarm of a keychain that cannot be used, by how using it went.
    pub fn note_keychain(&self, error: Option<&OpError>) {
        match error {
            Some(error) if error.code == RuntimeCode::KeychainUnavailable => {
                self.sensing.alarms.raise(BuiltIn::KeychainLocked, &Of::station(), error.message.clone());
            }
            // A keychain that answers is there, even if it holds no such key.
            Some(_) | None => self.sensing.alarms.clear(BuiltIn::KeychainLocked, &Of::station()),
        }
    }

    /// Changes `config.toml`; what it says of models is in force before the next change is made.
    async fn edit(&self, change: impl FnOnce(&mut DocumentMut) -> Option<()>) -> Result<(), OpError> {
        self.file.edit(change, |settings| self.take(settings.models)).await
    }

    fn take(&self, settings: ModelSettings) {
        // Before the models are given up: one that is opened in between has the new settings.
        *write(&self.settings) = settings;
        // Each was opened with an address and a key that may be others now.
        self.open.give_up(|_| true);
        self.embedders.give_up(|_| true);
        self.runtime.bus.changed(Tag::Providers);
    }
}

fn inline(choice: &ModelChoice) -> Value {
    let mut inline = InlineTable::new();
    inline.insert("provider", choice.provider.as_str().into());
    inline.insert("model", choice.model.as_str().into());
    inline.into()
}

fn put_model(table: &mut dyn TableLike, main: Option<&ModelChoice>) {
    put(table, "provider", main.map(|main| main.provider.as_str().into()));
    put(table, "model", main.map(|main| main.model.as_str().into()));
}

/// True if nothing is wrong with the request: the model itself is not there.
pub(crate) const fn is_offline(kind: ModelErrorKind) -> bool {
    match kind {
        ModelErrorKind::Transport
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Auth
        | ModelErrorKind::Quota
        | ModelErrorKind::RateLimit => true,
        ModelErrorKind::Overflow
        | ModelErrorKind::PrefixBound
        | ModelErrorKind::Refused
        | ModelErrorKind::BadRequest
        | ModelErrorKind::Protocol
        | ModelErrorKind::Cancelled => false,
    }
}
