//! Search by meaning: a model for embeddings places what an agent remembers and the tools it may call, in the
//! background; a query is placed when it comes. Whatever fails or takes too long leaves search to words alone:
//! from then on no query waits for the model, until the task in the background has seen it answer again.

mod embedder;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{MemoryRank, Policy, ToolSpec};
use memory::episodic::{DIMENSIONS_MAX, Near};
use memory::{AgentDb, MemoryError};
use robot::AgentId;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;

use crate::models::ledger::Ledger;
use crate::models::model_registry::ModelRegistry;
use crate::recall::episodes::Weighing;
use crate::tools::toolbox::Toolbox;
use embedder::TextEmbedder;
use runtime::config::ModelChoice;
use runtime::lock::lock;
use runtime::wire::{Recall, Tag};

/// Time between two rounds of embedding new records.
const PLACE_EVERY: Duration = Duration::from_secs(10);
/// Records embedded by one request.
const RECORDS_AT_ONCE: u32 = 64;
/// Tools that have a place: more than any agent has.
const TOOLS_MAX: usize = 1_024;
/// Time limit for embedding a query: its turn, or a person, waits.
const QUERY_WAIT: Duration = Duration::from_secs(1);
/// Text that is embedded to see whether a model that failed answers again.
const TRIAL: &str = "status";
/// Characters of a query that are placed.
const QUERY_CHARS_MAX: usize = 2_000;

/// Search by meaning of one agent.
pub(crate) struct Embeddings {
    agent: AgentId,
    db: AgentDb,
    ledger: Ledger,
    /// Vectors of tools, by model and by the text that describes a tool.
    tools: Mutex<BTreeMap<(String, String), Vec<f32>>>,
    /// The model did not answer the last time.
    is_failing: AtomicBool,
    /// Another model was chosen, or there is more to place.
    stirred: Notify,
}

/// Failure to embed texts.
#[derive(Debug, thiserror::Error)]
enum EmbeddingError {
    #[error("the model for embeddings cannot be used: {0}")]
    Unusable(String),
    #[error("the model for embeddings gave no places")]
    Model(#[source] llm::ModelError),
    #[error("the model for embeddings did not answer within {} s", QUERY_WAIT.as_secs())]
    Slow,
    #[error("a budget is spent")]
    Spent,
    #[error("a place has {dimensions} numbers, at most {DIMENSIONS_MAX} are kept")]
    TooLarge { dimensions: usize },
    #[error("the places cannot be kept")]
    Storage(#[from] MemoryError),
}

impl Embeddings {
    pub fn new(agent: AgentId, db: AgentDb, ledger: Ledger) -> Self {
        Self { agent, db, ledger, tools: Mutex::default(), is_failing: AtomicBool::new(false), stirred: Notify::new() }
    }

    /// Starts placing; ends with the station.
    pub fn start(self: &Arc<Self>, models: &Arc<ModelRegistry>, toolbox: &Arc<Toolbox>) {
        let (embeddings, models, toolbox) = (Arc::clone(self), Arc::clone(models), Arc::clone(toolbox));
        models.runtime.tasks.clone().spawn(async move {
            let mut ticks = tokio::time::interval(PLACE_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = models.runtime.ended.cancelled() => return,
                    () = embeddings.stirred.notified() => {}
                    _ = ticks.tick() => {}
                }
                tokio::select! {
                    () = models.runtime.ended.cancelled() => return,
                    // A round can take as long as its provider does, so the end of the station is looked at
                    // here too.
                    placed = embeddings.place(&models, &toolbox) => embeddings.note(&models, placed.err().as_ref()),
                }
            }
        });
    }

    /// Places everything that has no place yet.
    async fn place(&self, models: &ModelRegistry, toolbox: &Toolbox) -> Result<(), EmbeddingError> {
        let Some(choice) = self.chosen(models) else { return Ok(()) };
        let (embedder, model) = (self.placer(models, &choice).await?, name(&choice));
        if self.is_failing() {
            // One word before the rest: a model that is still silent costs no batch.
            places(&embedder, &[TRIAL.to_owned()]).await?;
        }
        self.place_tools(&embedder, &model, &toolbox.tools(&self.agent).await).await?;
        loop {
            let records = self.db.unplaced_episodes(&model, RECORDS_AT_ONCE).await?;
            // Another model was chosen meanwhile: its own round begins with all records.
            if records.is_empty() || self.chosen(models).as_ref() != Some(&choice) {
                return Ok(());
            }
            let texts: Vec<String> = records.iter().map(memory::episodic::Unplaced::text).collect();
            let places = places(&embedder, &texts).await?;
            self.db.place_episodes(&model, &records, &places).await?;
        }
    }

    /// Has what is new placed soon.
    pub fn stir(&self) {
        self.stirred.notify_one();
    }

    /// Kind of search in the agent's memory at present: hybrid, or by keywords alone.
    pub fn recall(&self, models: &ModelRegistry) -> Recall {
        if self.chosen(models).is_some() && !self.is_failing() { Recall::Hybrid } else { Recall::Keyword }
    }

    fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Weights of words, meaning and age in a search for `words`, by the agent's policy. `half_life_days` is that of a
    /// record, where age counts.
    pub async fn weighing(&self, models: &ModelRegistry, half_life_days: f64, words: &str) -> Weighing {
        let policy = models.policy(&self.agent);
        let placed = self.query(models, words).await;
        let recall = if placed.is_some() { Recall::Hybrid } else { Recall::Keyword };
        let half_life_days = match policy.rag.memory {
            // The hybrid ranking knows no age: nothing decays.
            MemoryRank::Hybrid => f64::INFINITY,
            MemoryRank::RelevanceAndAge | MemoryRank::Off => half_life_days,
        };
        let near = match (placed, policy.rag.memory) {
            (Some((model, place)), _) => Some(near(&policy, model, place)),
            // Words alone count in full.
            (None, MemoryRank::Hybrid) => Some(Near { weight: 0.0, ..near(&policy, String::new(), Vec::new()) }),
            (None, MemoryRank::RelevanceAndAge | MemoryRank::Off) => None,
        };
        Weighing { near, half_life_days, recall }
    }

    /// Similarity in meaning of each of `tools` to `words`, by name; empty without a model, or if all are declared.
    pub async fn of_tools(
        &self,
        models: &ModelRegistry,
        policy: &Policy,
        tools: &[ToolSpec],
        words: &str,
    ) -> BTreeMap<String, f64> {
        let select = &policy.tools.select;
        if select.when == agent::SelectWhen::All || tools.len() <= select.all_up_to as usize {
            return BTreeMap::new();
        }
        let Some((model, place)) = self.query(models, words).await else { return BTreeMap::new() };
        let placed = lock(&self.tools);
        let near = |tool: &ToolSpec| {
            let place_of = placed.get(&(model.clone(), said_of(tool)))?;
            Some((tool.name.clone(), similarity(&place, place_of)?))
        };
        tools.iter().filter_map(near).collect()
    }

    /// Vector of `words`, and the name of its model; none without a model, or if it does not answer in time. A model
    /// that failed is not asked: a search waits for nothing.
    async fn query(&self, models: &ModelRegistry, words: &str) -> Option<(String, Vec<f32>)> {
        let choice = self.chosen(models).filter(|_| !self.is_failing())?;
        let text: String = words.chars().take(QUERY_CHARS_MAX).collect();
        let asked = async {
            let embedder = self.placer(models, &choice).await?;
            places(&embedder, &[text]).await
        };
        let asked = tokio::time::timeout(QUERY_WAIT, asked).await;
        match asked.unwrap_or(Err(EmbeddingError::Slow)) {
            Ok(placed) => Some((name(&choice), placed.into_iter().next()?)),
            Err(error) => {
                self.note(models, Some(&error));
                None
            }
        }
    }

    async fn place_tools(
        &self,
        embedder: &TextEmbedder<'_>,
        model: &str,
        tools: &[ToolSpec],
    ) -> Result<(), EmbeddingError> {
        let key = |tool: &ToolSpec| (model.to_owned(), said_of(tool));
        let new: Vec<String> = {
            let mut placed = lock(&self.tools);
            let wanted: Vec<_> = tools.iter().take(TOOLS_MAX).map(key).collect();
            // Vectors of tools and models that are gone go too, so that the map stays bounded.
            placed.retain(|known, _| wanted.contains(known));
            wanted.into_iter().filter(|wanted| !placed.contains_key(wanted)).map(|(_, said)| said).collect()
        };
        if new.is_empty() {
            return Ok(());
        }
        // Without the lock: a turn that begins meanwhile reads the same map.
        let places = places(embedder, &new).await?;
        let keys = new.into_iter().map(|said| (model.to_owned(), said));
        lock(&self.tools).extend(keys.zip(places));
        Ok(())
    }

    /// Says once that search goes by words alone, and once that it does not any more.
    fn note(&self, models: &ModelRegistry, error: Option<&EmbeddingError>) {
        let was_failing = self.is_failing.swap(error.is_some(), Ordering::Relaxed);
        let (code, sentence) = match (was_failing, error) {
            (false, None) | (true, Some(_)) => return,
            (false, Some(error)) => {
                tracing::warn!(error = error as &dyn std::error::Error, "search goes by words alone");
                ("recall_keyword", format!("Search of {} goes by words alone: {error}.", self.agent))
            }
            // No model is chosen any more, so that there is nothing to announce.
            (true, None) if self.chosen(models).is_none() => return,
            (true, None) => ("recall_hybrid", format!("Search of {} goes by meaning again.", self.agent)),
        };
        models.runtime.bus.event_of(&self.agent, code, sentence);
        models.runtime.bus.changed(Tag::Agents);
    }

    fn chosen(&self, models: &ModelRegistry) -> Option<ModelChoice> {
        models.of_agent(&self.agent).embedding
    }

    async fn placer<'a>(
        &'a self,
        models: &'a ModelRegistry,
        choice: &ModelChoice,
    ) -> Result<TextEmbedder<'a>, EmbeddingError> {
        TextEmbedder::open(self, models, choice).await.map_err(|error| EmbeddingError::Unusable(error.message))
    }
}

fn near(policy: &Policy, model: String, place: Vec<f32>) -> Near {
    let rag = &policy.rag;
    Near {
        model,
        place,
        weight: rag.memory_vector.value(),
        least: rag.memory_min.value(),
        candidates: rag.candidates as usize,
    }
}

/// The model as it is kept beside its places.
fn name(choice: &ModelChoice) -> String {
    format!("{}/{}", choice.provider, choice.model)
}

fn said_of(tool: &ToolSpec) -> String {
    format!("{}: {}", tool.name, tool.description)
}

async fn places(embedder: &TextEmbedder<'_>, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
    let places = embedder.embeddings(texts).await?;
    match places.iter().map(Vec::len).find(|dimensions| *dimensions > DIMENSIONS_MAX) {
        Some(dimensions) => Err(EmbeddingError::TooLarge { dimensions }),
        None => Ok(places),
    }
}

/// The cosine of two places; none if they are of two kinds.
fn similarity(a: &[f32], b: &[f32]) -> Option<f64> {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let cosine = product(a, b) / (product(a, a) * product(b, b)).sqrt();
    // A vector of zeros has no direction: its cosine is no number.
    (a.len() == b.len() && cosine.is_finite()).then_some(cosine)
}
