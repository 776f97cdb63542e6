//! A model that cannot be reached at all, for example because its key is missing. It says so each time it is asked, so
//! that the turn ends as with any other failure.

use std::future::ready;
use std::sync::Arc;

use llm::{BoxFuture, Caps, DeltaSink, Model, ModelError, ModelErrorKind, Reply, Request, ServerKind};

use runtime::config::ModelChoice;

/// A model that is chosen and not there.
#[derive(Debug)]
pub(super) struct AbsentModel {
    caps: Caps,
    why: String,
}

impl AbsentModel {
    /// `server` is what is known of its provider; none if that itself is gone.
    pub fn new(choice: &ModelChoice, server: Option<(ServerKind, String)>, why: &str) -> Self {
        let (kind, base) = server.unwrap_or((ServerKind::OpenaiCompatible, String::new()));
        Self { caps: llm::caps(kind, choice.provider.as_str(), &base, &choice.model), why: why.to_owned() }
    }
}

impl Model for AbsentModel {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn call(&self, _: Request, _: Arc<DeltaSink>) -> BoxFuture<'_, Result<Reply, ModelError>> {
        Box::pin(ready(Err(ModelError::own(ModelErrorKind::Auth, self.why.clone()))))
    }
}
