//! The site plan of a station. A new one is saved against the version that its author has seen.

use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use world::SitePlan;

use super::{StationDb, failed, signed, unsigned};
use crate::MemoryError;

/// A site plan as it was saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSitePlan {
    /// Rises by one with each plan that is saved.
    pub version: u64,
    /// Name of the session that saved it.
    pub by: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// The plan.
    pub plan: SitePlan,
}

/// The version of the stored plan; 0 of one that nobody can read, so that it can be replaced.
const VERSION: &str = "coalesce((SELECT CASE WHEN json_valid(value) THEN json_extract(value, '$.version') END
                        FROM station WHERE name = 'site_plan'), 0)";

impl StationDb {
    /// The site plan, if one was ever saved, and its version. One that cannot be read is none of that version.
    pub async fn site_plan(&self) -> Result<(u64, Option<StoredSitePlan>), MemoryError> {
        let sql = format!("SELECT {VERSION}, (SELECT value FROM station WHERE name = 'site_plan')");
        let (version, text): (i64, Option<String>) = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .fetch_one(&self.pool)
            .await
            .map_err(failed("read the site plan"))?;
        let stored = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok((unsigned(version), stored))
    }

    /// Saves a plan that follows the one of the version before it; `false` if another is there.
    pub async fn save_site_plan(&self, next: &StoredSitePlan) -> Result<bool, MemoryError> {
        // Compared and written in one statement, so that of two who save at once one is refused.
        let sql = format!(
            "INSERT INTO station (name, value) SELECT 'site_plan', ?1 WHERE {VERSION} = ?2
             ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        );
        let done = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(Json(next))
            .bind(signed(next.version.saturating_sub(1)))
            .execute(&self.pool)
            .await
            .map_err(failed("save the site plan"))?;
        Ok(done.rows_affected() == 1)
    }
}
