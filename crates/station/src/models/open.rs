//! Opens a model: the one place that knows how the driver of `llm` is told where to go.

use std::sync::Arc;

use llm::Model;
use secrecy::SecretString;

use crate::config::{ModelChoice, ProviderSettings};
use crate::error::OpError;

/// The driver of `choice`. Nothing is sent yet.
pub(super) fn open(
    choice: &ModelChoice,
    provider: &ProviderSettings,
    key: Option<SecretString>,
) -> Result<Arc<dyn Model>, OpError> {
    let _ = (choice, provider, key);
    Err(OpError::conflict("provider_unsupported", "This provider cannot be used."))
}
