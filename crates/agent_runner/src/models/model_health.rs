//! The health of an agent's model: an outage, if there is one, and how it reads prompts.

mod reading;

use std::sync::{Arc, Mutex, MutexGuard};

use llm::ModelError;
pub(crate) use reading::{PromptWatch, Reading};
use runtime::lock::lock;

/// State of an agent's model: an outage, if there is one, and how it reads prompts.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// The error that took it offline; none if it answers, as far as anybody knows.
    offline: Mutex<Option<ModelError>>,
    pub reading: Arc<Reading>,
}

impl Health {
    /// The error that took it offline; none if it answers.
    pub fn offline(&self) -> MutexGuard<'_, Option<ModelError>> {
        lock(&self.offline)
    }
}
