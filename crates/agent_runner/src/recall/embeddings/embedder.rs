//! Calls of a model for embeddings: each has its row in the ledger and draws on the day's budget, like every
//! other call.

use std::sync::Arc;

use llm::{Caps, Embedder, ModelError, ModelErrorKind, Price};
use tokio::sync::oneshot;

use super::{EmbeddingError, Embeddings};
use crate::models::ledger::{Ending, Limits, Place};
use crate::models::model_registry::ModelRegistry;
use runtime::config::ModelChoice;
use runtime::error::OpError;
use runtime::wire::Tag;

/// Names these calls on the ledger: they belong to no conversation.
const SESSION: &str = "embedding";

/// A model for embeddings as an agent uses it.
pub(super) struct TextEmbedder<'a> {
    of: &'a Embeddings,
    models: &'a ModelRegistry,
    embedder: Arc<Embedder>,
    caps: Caps,
}

impl<'a> TextEmbedder<'a> {
    /// The model of `choice`, for the search of one agent.
    pub async fn open(of: &'a Embeddings, models: &'a ModelRegistry, choice: &ModelChoice) -> Result<Self, OpError> {
        let caps = models.embedding_caps(choice)?;
        Ok(Self { of, models, embedder: models.embedder(choice).await?, caps })
    }

    /// The place of each text, in their order.
    pub async fn embeddings(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let mut places = Vec::with_capacity(texts.len());
        for part in texts.chunks(Embedder::TEXTS_MAX) {
            places.extend(self.ask(part.to_vec()).await?.places);
        }
        Ok(places)
    }

    /// Makes one call. Whoever stops waiting for it leaves it to end by itself, so that its row says what it took.
    async fn ask(&self, texts: Vec<String>) -> Result<llm::Embeddings, EmbeddingError> {
        let place = Place { session: SESSION.into(), turn: None, mission: None };
        let is_free = llm::price(&self.caps).as_ref().is_some_and(Price::is_free);
        let limits = Limits::of(&self.models.policy(&self.of.agent));
        // What costs nothing works on when the money of the day is spent.
        if !is_free && self.of.ledger.bills(&place, limits).await.is_spent() {
            return Err(EmbeddingError::Spent);
        }
        let (ledger, embedder, caps) = (self.of.ledger.clone(), Arc::clone(&self.embedder), self.caps.clone());
        let runtime = &self.models.runtime;
        let (ended, (tell, told)) = (runtime.ended.clone(), oneshot::channel());
        runtime.spawn(async move {
            let row = ledger.begin_embedding(&place, &caps).await;
            let answer = tokio::select! {
                () = ended.cancelled() => Err(ModelError::own(ModelErrorKind::Cancelled, "the station ends")),
                answer = embedder.embeddings(&texts) => answer,
            };
            let ending = match &answer {
                Ok(embeddings) => Ending::Placed(embeddings),
                Err(error) => Ending::Failed(error, false),
            };
            ledger.end(row, ending).await;
            // Whoever asked may wait no more.
            let _ = tell.send(answer);
        });
        let answer = told.await.unwrap_or_else(|_| Err(ModelError::own(ModelErrorKind::Cancelled, "the station ends")));
        runtime.bus.changed(Tag::ModelCalls);
        answer.map_err(EmbeddingError::Model)
    }
}
