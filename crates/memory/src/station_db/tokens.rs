//! Tokens with which people and programs sign in, and the PIN of Admins. Neither is here itself, only its hash.

use robot::{Role, SessionKind};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{StationDb, failed};
use crate::{MemoryError, of_word, word};

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// The part of the token that names it.
    pub id: String,
    /// SHA-256 of the secret, salted with the id of the station.
    pub hash: [u8; 32],
    /// Its holder, as a person has named it.
    pub label: String,
    /// A person or a program.
    pub kind: SessionKind,
    /// The highest role of its session.
    pub role: Role,
    /// Its session may look and stop, and nothing else.
    pub only_stops: bool,
    /// The Admin who made it.
    pub made_by: String,
    /// Unix milliseconds.
    pub made_ms: i64,
    /// From then on it signs nobody in; Unix milliseconds.
    pub expires_ms: i64,
}

/// The PIN with which a person becomes an Admin, and the wrong ones since the last right one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminPin {
    /// Argon2id, in the PHC string format.
    pub hash: String,
    /// Wrong PINs in a row.
    #[serde(default)]
    pub wrong: u32,
    /// Until then none is taken; Unix milliseconds.
    #[serde(default)]
    pub locked_until_ms: i64,
}

impl StationDb {
    /// Saves a new token.
    pub async fn add_token(&self, token: &StoredToken) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO token (id, hash, label, kind, role, only_stops, made_by, made_ms, expires_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )
        .bind(&token.id)
        .bind(token.hash.as_slice())
        .bind(&token.label)
        .bind(word(&token.kind))
        .bind(word(&token.role))
        .bind(token.only_stops)
        .bind(&token.made_by)
        .bind(token.made_ms)
        .bind(token.expires_ms)
        .execute(&self.pool)
        .await
        .map_err(failed("save the token"))?;
        Ok(())
    }

    /// Removes a token; false if there is none with this id.
    pub async fn remove_token(&self, id: &str) -> Result<bool, MemoryError> {
        let done = sqlx::query("DELETE FROM token WHERE id = ?1").bind(id).execute(&self.pool).await;
        Ok(done.map_err(failed("remove the token"))?.rows_affected() == 1)
    }

    /// Every token, oldest first. One that cannot be read signs nobody in.
    pub async fn tokens(&self) -> Result<Vec<StoredToken>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM token ORDER BY made_ms, id").fetch_all(&self.pool).await;
        Ok(rows.map_err(failed("read the tokens"))?.iter().filter_map(token).collect())
    }

    /// The PIN of Admins, if somebody has set one. An error if it cannot be read: nobody acts as Admin then.
    pub async fn admin_pin(&self) -> Result<Option<AdminPin>, MemoryError> {
        let action = "read the Admin PIN";
        let text: Option<String> = sqlx::query_scalar("SELECT value FROM station WHERE name = 'admin_pin'")
            .fetch_optional(&self.pool)
            .await
            .map_err(failed(action))?;
        // A PIN that was removed is stored as `null`.
        let read = |text: &str| {
            serde_json::from_str::<Option<AdminPin>>(text).map_err(|error| MemoryError::Unreadable {
                table: "station",
                row: "admin_pin".into(),
                message: error.to_string(),
            })
        };
        text.map_or(Ok(None), |text| read(&text))
    }

    /// Saves the PIN of Admins, or that there is none.
    pub async fn save_admin_pin(&self, pin: Option<&AdminPin>) -> Result<(), MemoryError> {
        self.save_named("admin_pin", &pin).await.map_err(failed("save the Admin PIN"))
    }
}

fn token(row: &SqliteRow) -> Option<StoredToken> {
    let id: String = row.get("id");
    let read = || {
        Some(StoredToken {
            id: id.clone(),
            hash: row.get::<Vec<u8>, _>("hash").try_into().ok()?,
            label: row.get("label"),
            kind: of_word(row.get("kind")).ok()?,
            role: of_word(row.get("role")).ok()?,
            only_stops: row.get("only_stops"),
            made_by: row.get("made_by"),
            made_ms: row.get("made_ms"),
            expires_ms: row.get("expires_ms"),
        })
    };
    let token = read();
    if token.is_none() {
        tracing::error!(id, "a token cannot be read; it signs nobody in");
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn att_11_of_a_token_the_database_knows_the_hash_and_one_that_cannot_be_read_signs_nobody_in() {
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        let token = |id: &str| StoredToken {
            id: id.into(),
            hash: [7; 32],
            label: "tablet".into(),
            kind: SessionKind::Person,
            role: Role::Operator,
            only_stops: false,
            made_by: "desk".into(),
            made_ms: 1,
            expires_ms: 2,
        };
        db.add_token(&token("a")).await.unwrap();
        db.add_token(&token("b")).await.unwrap();
        sqlx::query("UPDATE token SET role = 'owner' WHERE id = 'b'").execute(&db.pool).await.unwrap();
        assert_eq!(db.tokens().await.unwrap(), [token("a")]);
        assert_eq!((db.remove_token("a").await.unwrap(), db.remove_token("a").await.unwrap()), (true, false));
        assert_eq!(db.admin_pin().await.unwrap(), None);
        let pin = AdminPin { hash: "h".into(), wrong: 4, locked_until_ms: 9 };
        db.save_admin_pin(Some(&pin)).await.unwrap();
        assert_eq!(db.admin_pin().await.unwrap(), Some(pin));
        sqlx::query("UPDATE station SET value = '{}' WHERE name = 'admin_pin'").execute(&db.pool).await.unwrap();
        assert!(db.admin_pin().await.is_err(), "it fails closed");
        db.save_admin_pin(None).await.unwrap();
        assert_eq!(db.admin_pin().await.unwrap(), None);
    }
}
