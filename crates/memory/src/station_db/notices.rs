//! Acceptance of what STOP ALL is not: once for a station.

use serde::{Deserialize, Serialize};

use super::{StationDb, failed};
use crate::MemoryError;

/// The first acceptance of the notice about STOP ALL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedNotice {
    /// Name of the session.
    pub by: String,
    /// Unix milliseconds.
    pub at_ms: i64,
}

impl StationDb {
    /// The acceptance of the notice about STOP ALL, if there is one. One that cannot be read is none: it is asked again.
    pub async fn accepted_notice(&self) -> Result<Option<AcceptedNotice>, MemoryError> {
        let text: Option<String> = sqlx::query_scalar("SELECT value FROM station WHERE name = 'accepted_notice'")
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the acceptance of the notice"))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Saves an acceptance of the notice about STOP ALL.
    pub async fn accept_notice(&self, accepted: &AcceptedNotice) -> Result<(), MemoryError> {
        self.save_named("accepted_notice", accepted).await.map_err(failed("save the acceptance of the notice"))
    }
}
