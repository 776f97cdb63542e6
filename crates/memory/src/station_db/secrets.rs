//! Names of keys that are kept elsewhere, without the keys: the keychain cannot be asked for a list.

use sqlx::Row;

use super::{StationDb, failed};
use crate::MemoryError;

/// A key that is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSecret {
    /// Its name.
    pub name: String,
    /// Its last characters, so that a person can tell it from another; empty for a short one.
    pub last4: String,
    /// When it was set, UTC milliseconds.
    pub set_ms: i64,
}

impl StationDb {
    /// Notes that a key is kept, in the place of an older one of that name.
    pub async fn save_secret(&self, secret: &StoredSecret) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO secret (name, last4, set_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET last4 = excluded.last4, set_ms = excluded.set_ms",
        )
        .bind(&secret.name)
        .bind(&secret.last4)
        .bind(secret.set_ms)
        .execute(&self.pool)
        .await
        .map_err(failed("note the key"))?;
        Ok(())
    }

    /// Notes that a key is gone; false if none of that name was kept.
    pub async fn remove_secret(&self, name: &str) -> Result<bool, MemoryError> {
        let done = sqlx::query("DELETE FROM secret WHERE name = ?1").bind(name).execute(&self.pool).await;
        Ok(done.map_err(failed("note that the key is gone"))?.rows_affected() == 1)
    }

    /// Every key that is kept, by name.
    pub async fn secrets(&self) -> Result<Vec<StoredSecret>, MemoryError> {
        let rows = sqlx::query("SELECT name, last4, set_ms FROM secret ORDER BY name")
            .fetch_all(&self.pool)
            .await
            .map_err(failed("read which keys are kept"))?;
        let secret = |row: &sqlx::sqlite::SqliteRow| StoredSecret {
            name: row.get("name"),
            last4: row.get("last4"),
            set_ms: row.get("set_ms"),
        };
        Ok(rows.iter().map(secret).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn att_19_of_a_key_the_database_knows_its_name_its_end_and_when_it_was_set() {
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        let secret = |name: &str, last4: &str, set_ms| StoredSecret { name: name.into(), last4: last4.into(), set_ms };
        db.save_secret(&secret("openai", "a1b2", 1)).await.unwrap();
        db.save_secret(&secret("anthropic", "c3d4", 2)).await.unwrap();
        db.save_secret(&secret("openai", "e5f6", 3)).await.unwrap();
        assert_eq!(db.secrets().await.unwrap(), [secret("anthropic", "c3d4", 2), secret("openai", "e5f6", 3)]);
        assert_eq!(
            (db.remove_secret("openai").await.unwrap(), db.remove_secret("openai").await.unwrap()),
            (true, false)
        );
    }
}
