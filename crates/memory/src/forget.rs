//! Forgetting: what was said is taken out of every file of an agent. An intent on disk comes first, so that what was
//! begun is finished at the next start.

mod held_in;
mod lines;
mod needles;
mod phrase;
mod places;
mod registry;
mod rows;
mod stays;

pub use held_in::{FileNames, HeldIn, Remedy};
pub use needles::Needles;
pub use places::{AgentFiles, Places, StationFiles, Whose, remaining};
pub use stays::{Stays, stays};

use robot::ConversationId;
use serde::{Deserialize, Serialize};
use sqlx::Row;

use crate::episodic::{EpisodeRole, Match, Query, Term};
use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word, word};

/// Records that are forgotten at once; more is refused with the count.
pub const FORGOTTEN_MAX: usize = 1_000;

/// Selects the records to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// Those that hold every term of a query.
    Query(Query),
    /// Those with these ids.
    Ids(Vec<String>),
    /// Those recorded before, Unix milliseconds.
    Before(i64),
    /// Those that tell of a belief: they begin with these words.
    OfBelief(String),
}

/// A record to forget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// `ep-<uuid>`.
    pub id: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Its subject.
    pub role: EpisodeRole,
    /// Its words; left out of the intent, which has its texts in a form that no search finds.
    #[serde(skip)]
    pub content: String,
    /// The conversation it stands in.
    pub session: Option<ConversationId>,
    /// The entry of that conversation.
    pub entry: Option<u64>,
}

/// The outcome of a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// These records, oldest first.
    Records(Vec<Selected>),
    /// Ids that no record has.
    Unknown(Vec<String>),
    /// More than [`FORGOTTEN_MAX`].
    TooMany(u64),
}

/// Progress of forgetting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// No read returns the records any more.
    Intended,
    /// No file holds them.
    Files,
    /// No row holds them.
    Rows,
    /// No log and no backup holds them.
    Backups,
    /// It was looked for, and the tombstone is on record.
    Recorded,
}

/// One act of forgetting, as the intent keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgetting {
    /// `tb-<uuid>`: names the mark that stands in place of forgotten text.
    pub tombstone: String,
    /// The caller who asked for it.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// The records.
    pub records: Vec<Selected>,
    /// The texts to look for; none if only the records themselves go.
    #[serde(with = "needles::hidden")]
    pub texts: Vec<String>,
    /// The phrase that was typed, to be found however it is written.
    #[serde(default, with = "needles::hidden_phrase")]
    pub phrase: Option<String>,
    /// The belief that goes with its history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub belief: Option<String>,
}

impl Forgetting {
    /// The mark that stands in place of forgotten text.
    #[must_use]
    pub fn mark(&self) -> String {
        format!("[forgotten {}]", self.tombstone)
    }

    /// The texts in the forms in which files hold them.
    #[must_use]
    pub fn needles(&self) -> Needles {
        let needles = Needles::of(&self.texts).and_short(&self.texts);
        self.phrase.iter().fold(needles, |needles, phrase| needles.and_phrase(phrase))
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.records.iter().any(|record| record.id == id)
    }

    /// True if one of the records comes from this entry of a conversation.
    #[must_use]
    pub fn has_entry(&self, session: &ConversationId, entry: u64) -> bool {
        self.records.iter().any(|record| record.session.as_ref() == Some(session) && record.entry == Some(entry))
    }
}

/// The readers of texts whose types belong to other crates; each says whether a text can be read. A text that
/// would become unreadable keeps its words: the row would be lost with them.
#[derive(Debug, Clone, Copy)]
pub struct Readers {
    /// A line of a transcript.
    pub line: fn(&str) -> bool,
    /// A proposal, in JSON.
    pub proposal: fn(&str) -> bool,
    /// A mission as it was activated.
    pub mission: fn(&str) -> bool,
}

/// One act of forgetting, made ready.
#[derive(Debug, Clone)]
pub struct Removal {
    /// The records and texts to forget.
    pub forgetting: Forgetting,
    /// Its texts in the forms in which files hold them.
    pub needles: Needles,
    /// The readers of the texts that are changed.
    pub readers: Readers,
}

impl Removal {
    /// Makes `forgetting` ready.
    #[must_use]
    pub fn of(forgetting: &Forgetting, readers: Readers) -> Self {
        Self { forgetting: forgetting.clone(), needles: forgetting.needles(), readers }
    }
}

impl AgentDb {
    /// The records that `selector` means.
    pub async fn select_episodes(&self, selector: &Selector) -> Result<Selection, MemoryError> {
        let (condition, bound) = match selector {
            Selector::Query(query) => {
                let wanted = crate::episodic::expression(query.terms().iter().collect::<Vec<&Term>>(), Match::All);
                ("n IN (SELECT rowid FROM episodic_fts WHERE episodic_fts MATCH ?1)", wanted)
            }
            Selector::Ids(ids) => {
                let ids = serde_json::json!(ids).to_string();
                ("id IN (SELECT value FROM json_each(?1))", ids)
            }
            Selector::Before(at_ms) => ("at_ms < CAST(?1 AS INTEGER)", at_ms.to_string()),
            Selector::OfBelief(words) => ("role = 'belief' AND substr(content, 1, length(?1)) = ?1", words.clone()),
        };
        let action = "find what to forget";
        // Counted first, so that a query that matches everything loads nothing. `condition` is one of
        // the literals above.
        let count = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM episodic WHERE {condition}"));
        let count: i64 =
            sqlx::query_scalar(count).bind(&bound).fetch_one(&self.readers()).await.map_err(failed(action))?;
        if count > FORGOTTEN_MAX as i64 {
            return Ok(Selection::TooMany(count.unsigned_abs()));
        }
        let rows = format!(
            "SELECT id, at_ms, role, content, session, entry FROM episodic WHERE {condition} ORDER BY at_ms, id"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(rows)).bind(&bound).fetch_all(&self.readers()).await;
        let records: Vec<Selected> = rows.map_err(failed(action))?.iter().map(selected).collect();
        if let Selector::Ids(ids) = selector {
            let is_known = |id: &String| records.iter().any(|record| record.id == *id);
            let unknown: Vec<String> = ids.iter().filter(|id| !is_known(id)).cloned().collect();
            // A single unknown id refuses the whole call: a typing error must not forget half of it.
            if !unknown.is_empty() {
                return Ok(Selection::Unknown(unknown));
            }
        }
        Ok(Selection::Records(records))
    }

    /// Puts on disk what is about to be forgotten. From here no read returns it.
    pub async fn intend_to_forget(&self, forgetting: &Forgetting, now_ms: i64) -> Result<(), MemoryError> {
        let action = "save what is to be forgotten";
        let mut transaction = self.durable(action).await?;
        sqlx::query("INSERT INTO forget_intent (id, scope, step, created_ms) VALUES (?1, ?2, ?3, ?4)")
            .bind(&forgetting.tombstone)
            .bind(sqlx::types::Json(forgetting))
            .bind(word(&Step::Intended))
            .bind(now_ms)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Intents of forgetting that were begun and not finished, oldest first. A row that cannot be read is an error.
    pub async fn unfinished_forgetting(&self) -> Result<Vec<Forgetting>, MemoryError> {
        let rows = sqlx::query("SELECT id, scope FROM forget_intent ORDER BY created_ms, id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read what is to be forgotten"))?;
        let forgetting = |row: &sqlx::sqlite::SqliteRow| {
            let text: String = row.get("scope");
            serde_json::from_str(&text).map_err(|error| MemoryError::Unreadable {
                table: "forget_intent",
                row: row.get("id"),
                message: error.to_string(),
            })
        };
        rows.iter().map(forgetting).collect()
    }

    /// Notes how far it came.
    pub async fn forgetting_reached(&self, tombstone: &str, step: Step) -> Result<(), MemoryError> {
        let action = "save how far forgetting came";
        let mut transaction = self.durable(action).await?;
        sqlx::query("UPDATE forget_intent SET step = ?2 WHERE id = ?1")
            .bind(tombstone)
            .bind(word(&step))
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Ends it: the intent goes, and what it left in the log.
    pub async fn end_forgetting(&self, tombstone: &str) -> Result<(), MemoryError> {
        let action = "end forgetting";
        let mut transaction = self.durable(action).await?;
        sqlx::query("DELETE FROM forget_intent WHERE id = ?1")
            .bind(tombstone)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        self.truncate_log().await
    }
}

fn selected(row: &sqlx::sqlite::SqliteRow) -> Selected {
    Selected {
        id: row.get("id"),
        at_ms: row.get("at_ms"),
        role: of_word(row.get("role")).unwrap_or(EpisodeRole::System),
        content: row.get("content"),
        session: row.get::<Option<String>, _>("session").map(ConversationId::from),
        entry: row.get::<Option<i64>, _>("entry").and_then(|entry| u64::try_from(entry).ok()),
    }
}

#[cfg(test)]
mod tests;
