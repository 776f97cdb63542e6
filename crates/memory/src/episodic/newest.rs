//! The newest records, for the beginning of a turn: by time alone, without a search.

use robot::{ConversationId, Trust};
use sqlx::types::Json;
use sqlx::{Row, sqlite::SqliteRow};

use super::EpisodeRole;
use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word};

/// Selects records.
#[derive(Debug, Clone, Copy)]
pub struct Newest<'a> {
    /// Recorded then or later, Unix milliseconds.
    pub from_ms: i64,
    /// Recorded before, Unix milliseconds.
    pub until_ms: i64,
    /// Of these roles.
    pub roles: &'a [EpisodeRole],
    /// Not those of this conversation: what was said in it is in front of the model anyway. What was said in a room is
    /// told in no other conversation.
    pub not_session: &'a ConversationId,
    /// At most so many.
    pub limit: u32,
}

/// A record for the context of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// `ep-<uuid>`.
    pub id: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Its subject.
    pub role: EpisodeRole,
    /// Human-readable.
    pub content: String,
    /// Trust level of the words.
    pub trust: Trust,
}

impl AgentDb {
    /// The newest records that fit, oldest first.
    pub async fn newest_episodes(&self, wanted: &Newest<'_>) -> Result<Vec<Recent>, MemoryError> {
        // Rooms are recalled in no other conversation (decision 0058); their ids begin with `room-`.
        let rows = sqlx::query(
            "SELECT id, at_ms, role, content, trust FROM episodic
             WHERE at_ms >= ?1 AND at_ms < ?2 AND role IN (SELECT value FROM json_each(?3))
                 AND (session IS NULL OR (session <> ?4 AND session NOT GLOB 'room-*'))
             ORDER BY at_ms DESC, n DESC LIMIT ?5",
        )
        .bind(wanted.from_ms)
        .bind(wanted.until_ms)
        .bind(Json(wanted.roles))
        .bind(wanted.not_session.as_str())
        .bind(wanted.limit)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the newest records"))?;
        let mut found: Vec<Recent> = rows.iter().filter_map(recent).collect();
        found.reverse();
        Ok(found)
    }
}

/// A row that cannot be read is passed over: the file it came from has it.
fn recent(row: &SqliteRow) -> Option<Recent> {
    Some(Recent {
        id: row.get("id"),
        at_ms: row.get("at_ms"),
        role: of_word(row.get("role")).ok()?,
        content: row.get("content"),
        trust: of_word(row.get("trust")).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::episodic::{DailyLogs, Episode, EpisodeOrigin};

    #[tokio::test]
    async fn e2_16_c_02_the_newest_records_are_found_by_time_role_and_conversation() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let mut logs = DailyLogs::new(folder.path().to_owned(), TimeZone::UTC);
        let record = |at_ms: i64, role, session: Option<&str>| {
            let by = EpisodeOrigin { name: "system".to_owned(), trust: Trust::Typed };
            let session = session.map(Into::into);
            Episode { session, ..Episode::new(format!("ep-{at_ms}"), at_ms, role, format!("at {at_ms}"), by) }
        };
        use EpisodeRole::{Alert, Job, Tool, User};
        let records = [
            (1, Job, None),
            (2, User, Some("desk")),
            (3, Tool, None),
            (4, User, Some("chat-1")),
            (5, Alert, None),
            (6, User, Some("room-ops")),
        ];
        logs.append(&records.map(|(at_ms, role, session)| record(at_ms, role, session))).unwrap();
        db.index_logs(folder.path()).await.unwrap();
        for (wanted, expected) in [
            (
                Newest { from_ms: 0, until_ms: 9, roles: &[Job, User, Alert], not_session: &"desk".into(), limit: 9 },
                vec![1, 4, 5],
            ),
            (
                Newest { from_ms: 0, until_ms: 9, roles: &[Job, User, Alert], not_session: &"desk".into(), limit: 2 },
                vec![4, 5],
            ),
            (
                Newest { from_ms: 2, until_ms: 5, roles: &[Job, User, Tool], not_session: &"".into(), limit: 9 },
                vec![2, 3, 4],
            ),
        ] {
            let found = db.newest_episodes(&wanted).await.unwrap();
            assert_eq!(found.iter().map(|record| record.at_ms).collect::<Vec<_>>(), expected, "{wanted:?}");
            assert!(found.iter().all(|record| record.trust == Trust::Typed));
        }
    }
}
