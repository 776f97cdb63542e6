//! Search by meaning: a model for embeddings places what an agent remembers and the tools it may call, in the background;
//! a query is placed when it comes. Whatever fails or takes too long leaves search to words alone: from then on no query
//! waits for the model, until the task in the background has seen it answer again.

mod embedder;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{MemoryRank, Policy, ToolSpec};
use memory::MemoryError;
use memory::episodic::{DIMENSIONS_MAX, Near};
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;

use crate::agents::AgentUnit;
use crate::episodes::Weighing;
use crate::runner::AgentRunner;
use crate::toolbox;
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

/// State of an agent's search by meaning.
#[derive(Default)]
pub(crate) struct Embeddings {
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

/// Starts placing; ends with the station.
pub(crate) fn start(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
    let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
    runner.runtime.tasks.clone().spawn(async move {
        let mut ticks = tokio::time::interval(PLACE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = runner.runtime.ended.cancelled() => return,
                () = agent.embeddings.stirred.notified() => {}
                _ = ticks.tick() => {}
            }
            tokio::select! {
                () = runner.runtime.ended.cancelled() => return,
                placed = place(&runner, &agent) => agent.embeddings.note(&runner, &agent, placed.err().as_ref()),
            }
        }
    });
}

/// Places everything that has no place yet.
async fn place(runner: &AgentRunner, agent: &AgentUnit) -> Result<(), EmbeddingError> {
    let Some(choice) = chosen(runner, agent) else { return Ok(()) };
    let (embedder, model) = (placer(runner, agent, &choice).await?, name(&choice));
    if agent.embeddings.is_failing() {
        places(&embedder, &[TRIAL.to_owned()]).await?;
    }
    agent.embeddings.place_tools(&embedder, &model, &toolbox::tools(runner, agent).await).await?;
    loop {
        let records = agent.db.unplaced_episodes(&model, RECORDS_AT_ONCE).await?;
        if records.is_empty() || chosen(runner, agent).as_ref() != Some(&choice) {
            return Ok(());
        }
        let texts: Vec<String> = records.iter().map(memory::episodic::Unplaced::text).collect();
        let places = places(&embedder, &texts).await?;
        agent.db.place_episodes(&model, &records, &places).await?;
    }
}

impl Embeddings {
    /// Has what is new placed soon.
    pub fn stir(&self) {
        self.stirred.notify_one();
    }

    /// Kind of search in the agent's memory at present: hybrid, or by keywords alone.
    pub fn recall(&self, runner: &AgentRunner, agent: &AgentUnit) -> Recall {
        if chosen(runner, agent).is_some() && !self.is_failing() { Recall::Hybrid } else { Recall::Keyword }
    }

    fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Weights of words, meaning and age in a search for `words`, by the agent's policy.
    pub async fn weighing(&self, runner: &AgentRunner, agent: &AgentUnit, words: &str) -> Weighing {
        let (policy, half_life_days) = (agent.policy(runner), runner.memory.half_life_days);
        let placed = self.query(runner, agent, words).await;
        let recall = if placed.is_some() { Recall::Hybrid } else { Recall::Keyword };
        let half_life_days = match policy.rag.memory {
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
        runner: &AgentRunner,
        agent: &AgentUnit,
        policy: &Policy,
        tools: &[ToolSpec],
        words: &str,
    ) -> BTreeMap<String, f64> {
        let select = &policy.tools.select;
        if select.when == agent::SelectWhen::All || tools.len() <= select.all_up_to as usize {
            return BTreeMap::new();
        }
        let Some((model, place)) = self.query(runner, agent, words).await else { return BTreeMap::new() };
        let placed = lock(&self.tools);
        let near = |tool: &ToolSpec| {
            let place_of = placed.get(&(model.clone(), said_of(tool)))?;
            Some((tool.name.clone(), similarity(&place, place_of)?))
        };
        tools.iter().filter_map(near).collect()
    }

    /// Vector of `words`, and the name of its model; none without a model, or if it does not answer in time. A model
    /// that failed is not asked: a search waits for nothing.
    async fn query(&self, runner: &AgentRunner, agent: &AgentUnit, words: &str) -> Option<(String, Vec<f32>)> {
        let choice = chosen(runner, agent).filter(|_| !self.is_failing())?;
        let text: String = words.chars().take(QUERY_CHARS_MAX).collect();
        let asked = async {
            let embedder = placer(runner, agent, &choice).await?;
            places(&embedder, &[text]).await
        };
        let asked = tokio::time::timeout(QUERY_WAIT, asked).await;
        match asked.unwrap_or(Err(EmbeddingError::Slow)) {
            Ok(placed) => Some((name(&choice), placed.into_iter().next()?)),
            Err(error) => {
                self.note(runner, agent, Some(&error));
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
            placed.retain(|known, _| wanted.contains(known));
            wanted.into_iter().filter(|wanted| !placed.contains_key(wanted)).map(|(_, said)| said).collect()
        };
        if new.is_empty() {
            return Ok(());
        }
        let places = places(embedder, &new).await?;
        let keys = new.into_iter().map(|said| (model.to_owned(), said));
        lock(&self.tools).extend(keys.zip(places));
        Ok(())
    }

    /// Says once that search goes by words alone, and once that it does not any more.
    fn note(&self, runner: &AgentRunner, agent: &AgentUnit, error: Option<&EmbeddingError>) {
        let was_failing = self.is_failing.swap(error.is_some(), Ordering::Relaxed);
        let (code, sentence) = match (was_failing, error) {
            (false, None) | (true, Some(_)) => return,
            (false, Some(error)) => {
                tracing::warn!(error = error as &dyn std::error::Error, "search goes by words alone");
                ("recall_keyword", format!("Search of {} goes by words alone: {error}.", agent.id))
            }
            (true, None) if chosen(runner, agent).is_none() => return,
            (true, None) => ("recall_hybrid", format!("Search of {} goes by meaning again.", agent.id)),
        };
        runner.runtime.bus.event_of(&agent.id, code, sentence);
        runner.runtime.bus.changed(Tag::Agents);
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

fn chosen(runner: &AgentRunner, agent: &AgentUnit) -> Option<ModelChoice> {
    runner.models.of_agent(&agent.id).embedding
}

/// The model as it is kept beside its places.
fn name(choice: &ModelChoice) -> String {
    format!("{}/{}", choice.provider, choice.model)
}

fn said_of(tool: &ToolSpec) -> String {
    format!("{}: {}", tool.name, tool.description)
}

async fn placer<'a>(
    runner: &'a AgentRunner,
    agent: &'a AgentUnit,
    choice: &ModelChoice,
) -> Result<TextEmbedder<'a>, EmbeddingError> {
    TextEmbedder::open(runner, agent, choice).await.map_err(|error| EmbeddingError::Unusable(error.message))
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
    (a.len() == b.len() && cosine.is_finite()).then_some(cosine)
}
