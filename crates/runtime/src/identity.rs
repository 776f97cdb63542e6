//! The station's identity towards robots: the key it signs with.

use std::sync::Arc;
use std::time::Duration;

use bridge::signing::{KeyError, SigningKey};

use crate::secrets::{KeyStore, STATION_SIGNING_KEY};

/// A start does not wait longer than this for somebody to unlock the keychain.
const UNLOCK_WAIT: Duration = Duration::from_secs(2);

/// The key that `keys` holds, else one of this run. Robots that shall obey the station are given its public half, which
/// `session_info` names; the simulator is given it at every start, so it works without a keychain too.
pub async fn signing_key(keys: KeyStore) -> Result<Arc<SigningKey>, KeyError> {
    let why = match tokio::time::timeout(UNLOCK_WAIT, keys.signing_key(STATION_SIGNING_KEY)).await {
        Ok(Ok(kept)) => return Ok(Arc::new(SigningKey::from_seed(&kept.to_bytes()))),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the keychain is locked".to_owned(),
    };
    tracing::warn!(why, "the station signs with a key of this run; other robots than simulated ones will not know it");
    SigningKey::generate().map(Arc::new)
}
