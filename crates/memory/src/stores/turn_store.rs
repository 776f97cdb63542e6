//! Traces of an agent's turns in `memory.db`: the agent's own state, messages of people that no transcript holds yet,
//! and a row for each conversation.

use robot::ConversationId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::failed;
use crate::{AgentDb, MemoryError, word};

/// A part of an agent's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateKey {
    /// Its autonomy mode.
    Mode,
    /// Its arousal, and alerts that wait for a turn.
    Wakes,
    /// The turn that runs.
    Turn,
    /// Model calls a turn may make, if a person has set that.
    CallsMax,
    /// Conversations that a person keeps at the top.
    Pinned,
    /// Turns that a spent budget paused.
    Paused,
}

impl StateKey {
    /// True for choices of a person, which survive a loss of power; the rest is learned again.
    const fn is_durable(self) -> bool {
        match self {
            Self::Mode | Self::CallsMax | Self::Pinned | Self::Paused => true,
            Self::Wakes | Self::Turn => false,
        }
    }
}

/// A person's message that was acknowledged, before a transcript holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMessage {
    /// `sd-<uuid>`; its order is that of saying.
    pub id: String,
    /// The conversation.
    pub session: ConversationId,
    /// The id of the conversation's next entry at that time: this one or a later one holds it, if any does.
    pub after_entry: u64,
    /// The person who said it.
    pub actor: String,
    /// The speaker's role, its word.
    pub role: String,
    /// The words.
    pub text: String,
    /// When, UTC milliseconds.
    pub said_ms: i64,
}

/// A conversation, as far as its transcript does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// Names its file.
    pub id: ConversationId,
    /// The key it is found by: its id at the desk, the room's name for a room.
    pub key: String,
    /// `desk`, `autonomy` or `room`.
    pub channel: String,
    /// UTC milliseconds.
    pub started_ms: i64,
    /// Of its newest entry.
    pub epoch: u32,
    /// Entries people and the agent have made.
    pub messages: u64,
    /// The provider whose model answered last; absent for the command interpreter.
    pub provider: Option<String>,
    /// The name of that model.
    pub model: Option<String>,
    /// Its cost, millionths of a dollar; absent while that is unknown.
    pub cost_microusd: Option<i64>,
}

impl AgentDb {
    /// Reads a part of the state; none if it was never written. What cannot be read any more is as if never written.
    pub async fn state<T: DeserializeOwned>(&self, key: StateKey) -> Result<Option<T>, MemoryError> {
        let value: Option<String> = sqlx::query_scalar("SELECT value FROM agent_state WHERE key = ?1")
            .bind(word(&key))
            .fetch_optional(&self.readers())
            .await
            .map_err(failed("read the agent's state"))?;
        let parsed = value.map(|value| serde_json::from_str(&value)).transpose();
        // An agent that starts without a part of its state is better than one that does not start.
        Ok(parsed.unwrap_or_else(|error| {
            tracing::warn!(key = word(&key), %error, "a part of the agent's state is forgotten");
            None
        }))
    }

    /// Writes a part of the state; nothing removes it.
    pub async fn set_state<T: Serialize + Sync>(&self, key: StateKey, value: Option<&T>) -> Result<(), MemoryError> {
        let action = "save the agent's state";
        let mut transaction = if key.is_durable() { self.durable(action).await? } else { self.lazy(action).await? };
        let text = value.map(serde_json::to_string).transpose().map_err(|error| MemoryError::Unreadable {
            table: "agent_state",
            row: word(&key),
            message: error.to_string(),
        })?;
        let written = match text {
            Some(text) => sqlx::query("INSERT OR REPLACE INTO agent_state (key, value) VALUES (?1, ?2)")
                .bind(word(&key))
                .bind(text),
            None => sqlx::query("DELETE FROM agent_state WHERE key = ?1").bind(word(&key)),
        };
        written.execute(&mut *transaction).await.map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Saves what a person said; it is on disk when this returns.
    pub async fn add_said(&self, said: &PendingMessage) -> Result<(), MemoryError> {
        let action = "save what was said";
        let mut transaction = self.durable(action).await?;
        sqlx::query(
            "INSERT INTO said (id, session, after_entry, actor, role, text, said_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(&said.id)
        .bind(said.session.as_str())
        .bind(i64::try_from(said.after_entry).unwrap_or(i64::MAX))
        .bind(&said.actor)
        .bind(&said.role)
        .bind(&said.text)
        .bind(said.said_ms)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Forgets that something waits to be heard: its transcript holds it now, or nobody is to hear it.
    pub async fn remove_said(&self, id: &str) -> Result<(), MemoryError> {
        // Lazy: if it is lost, `after_entry` says from where on the transcript holds the message.
        let action = "note what was heard";
        let mut transaction = self.lazy(action).await?;
        sqlx::query("DELETE FROM said WHERE id = ?1")
            .bind(id)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Messages that no transcript holds yet, in the order in which they were said.
    pub async fn said(&self) -> Result<Vec<PendingMessage>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM said ORDER BY id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read what was said"))?;
        Ok(rows.iter().map(said).collect())
    }

    /// Saves the row of a conversation.
    pub async fn save_session(&self, session: &SessionRecord) -> Result<(), MemoryError> {
        // A row without a model keeps who answered last; the command interpreter has a model and no provider.
        let action = "save the conversation's row";
        let mut transaction = self.lazy(action).await?;
        sqlx::query(
            "INSERT INTO session (id, key, channel, started_ms, epoch, messages, provider, model, cost_microusd)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, messages = excluded.messages,
                 provider = CASE WHEN excluded.model IS NULL THEN provider ELSE excluded.provider END,
                 model = coalesce(excluded.model, model), cost_microusd = excluded.cost_microusd",
        )
        .bind(session.id.as_str())
        .bind(&session.key)
        .bind(&session.channel)
        .bind(session.started_ms)
        .bind(session.epoch)
        .bind(i64::try_from(session.messages).unwrap_or(i64::MAX))
        .bind(&session.provider)
        .bind(&session.model)
        .bind(session.cost_microusd)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The rows of all conversations that have one.
    pub async fn sessions(&self) -> Result<Vec<SessionRecord>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM session ORDER BY started_ms, id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the conversations' rows"))?;
        Ok(rows.iter().map(session).collect())
    }
}

fn said(row: &SqliteRow) -> PendingMessage {
    PendingMessage {
        id: row.get("id"),
        session: row.get::<String, _>("session").into(),
        after_entry: u64::try_from(row.get::<i64, _>("after_entry")).unwrap_or(0),
        actor: row.get("actor"),
        role: row.get("role"),
        text: row.get("text"),
        said_ms: row.get("said_ms"),
    }
}

fn session(row: &SqliteRow) -> SessionRecord {
    SessionRecord {
        id: row.get::<String, _>("id").into(),
        key: row.get("key"),
        channel: row.get("channel"),
        started_ms: row.get("started_ms"),
        epoch: row.get("epoch"),
        messages: u64::try_from(row.get::<i64, _>("messages")).unwrap_or(0),
        provider: row.get("provider"),
        model: row.get("model"),
        cost_microusd: row.get("cost_microusd"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn opened() -> (tempfile::TempDir, AgentDb) {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        (folder, db)
    }

    #[tokio::test]
    async fn the_state_is_kept_by_key_and_what_cannot_be_read_is_as_if_never_written() {
        let (_folder, db) = opened().await;
        assert_eq!(db.state::<u32>(StateKey::CallsMax).await.unwrap(), None);
        db.set_state(StateKey::CallsMax, Some(&8)).await.unwrap();
        db.set_state(StateKey::Mode, Some(&"watch")).await.unwrap();
        assert_eq!(db.state::<u32>(StateKey::CallsMax).await.unwrap(), Some(8));
        assert_eq!(db.state::<u32>(StateKey::Mode).await.unwrap(), None);
        db.set_state::<u32>(StateKey::CallsMax, None).await.unwrap();
        assert_eq!(db.state::<u32>(StateKey::CallsMax).await.unwrap(), None);
    }

    #[tokio::test]
    async fn x_12_what_was_said_waits_in_order_until_it_is_heard() {
        let (_folder, db) = opened().await;
        let row = |id: &str| PendingMessage {
            id: id.into(),
            session: "desk".into(),
            after_entry: 4,
            actor: "dana".into(),
            role: "operator".into(),
            text: "slower".into(),
            said_ms: 1_000,
        };
        db.add_said(&row("sd-2")).await.unwrap();
        db.add_said(&row("sd-1")).await.unwrap();
        assert_eq!(db.said().await.unwrap(), [row("sd-1"), row("sd-2")]);
        db.remove_said("sd-1").await.unwrap();
        assert_eq!(db.said().await.unwrap(), [row("sd-2")]);
    }

    #[tokio::test]
    async fn l_29_t_36_a_conversations_row_keeps_its_messages_and_who_answered_last() {
        let (_folder, db) = opened().await;
        let row = SessionRecord {
            id: "desk".into(),
            key: "desk".into(),
            channel: "desk".into(),
            started_ms: 1,
            epoch: 0,
            messages: 2,
            provider: Some("claude".into()),
            model: Some("claude-opus-4-8".into()),
            cost_microusd: Some(0),
        };
        db.save_session(&row).await.unwrap();
        db.save_session(&SessionRecord { messages: 4, epoch: 1, model: None, ..row.clone() }).await.unwrap();
        let kept = SessionRecord { messages: 4, epoch: 1, ..row };
        assert_eq!(db.sessions().await.unwrap(), std::slice::from_ref(&kept));
        let other = SessionRecord { provider: None, model: Some("quarterdeck-commands".into()), ..kept };
        db.save_session(&other).await.unwrap();
        assert_eq!(db.sessions().await.unwrap(), [other], "who has no provider takes over no one else's");
    }
}
