//! The health of an agent's model: an outage, if there is one, and how it reads prompts.

mod reading;

use std::sync::{Arc, Mutex, MutexGuard};

pub(crate) use reading::{PromptWatch, Reading};
use runtime::lock::lock;

/// State of an agent's model: an outage, if there is one, and how it reads prompts.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// Message of the error that took it offline; none if it answers, as far as anybody knows.
    offline: Mutex<Option<String>>,
    pub reading: Arc<Reading>,
}

impl Health {
    /// Message of the error that took it offline; none if it answers.
    pub fn offline(&self) -> MutexGuard<'_, Option<String>> {
        lock(&self.offline)
    }
}
