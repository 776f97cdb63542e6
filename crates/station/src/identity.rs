//! Who this station is to robots: the key it signs with.

use std::sync::Arc;

use bridge::signing::{KeyError, SigningKey};

/// The key of this run. Robots that shall obey the station are given its public half, which `session_info` names.
pub(crate) fn signing_key() -> Result<Arc<SigningKey>, KeyError> {
    SigningKey::generate().map(Arc::new)
}
