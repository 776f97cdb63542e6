//! The index follows the daily files: whatever they hold beyond what was indexed is read from them, so that a record
//! written a moment ago and an index that was lost are one case.

use std::path::{Path, PathBuf};

use robot::ConversationId;
use serde::Serialize;
use sqlx::types::Json;

use super::fold::fold;
use super::{Episode, EpisodeRole, log};
use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Bytes of a file that one transaction takes in: some thousand records, a few tens of milliseconds.
const BATCH_BYTES: usize = 512 * 1024;
/// Records that one transaction removes.
const REMOVED_MAX: u32 = 500;

/// The outcome of indexing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Indexed {
    /// Records that are in the index now and were not before.
    pub added: u64,
    /// Lines that hold no record; the files keep them as they are.
    pub skipped: u64,
}

/// A record as the statement takes it.
#[derive(Serialize)]
struct Row {
    id: String,
    at_ms: i64,
    role: EpisodeRole,
    terms: String,
    content: String,
    origin: String,
    trust: robot::Trust,
    mission: Option<String>,
    session: Option<ConversationId>,
    entry: Option<u64>,
    cause: Option<String>,
}

impl From<Episode> for Row {
    fn from(episode: Episode) -> Self {
        Self {
            terms: fold(episode.said()),
            id: episode.id,
            at_ms: episode.at_ms,
            role: episode.role,
            content: episode.content,
            origin: episode.origin,
            trust: episode.trust,
            mission: episode.mission,
            session: episode.session,
            entry: episode.entry,
            cause: episode.cause,
        }
    }
}

impl AgentDb {
    /// Brings the whole index to what the daily files in `folder` hold.
    pub async fn index_logs(&self, folder: &Path) -> Result<Indexed, MemoryError> {
        let files = log::files(folder)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        self.forget_other_files(&names).await?;
        let mut all = Indexed::default();
        for name in names {
            let indexed = self.index_log(folder, name).await?;
            all.added += indexed.added;
            all.skipped += indexed.skipped;
        }
        Ok(all)
    }

    /// Brings the index of one file to what it holds now.
    pub async fn index_log(&self, folder: &Path, name: &str) -> Result<Indexed, MemoryError> {
        let path = folder.join(name);
        let mut from = self.indexed_up_to(name).await?;
        let length = file_length(&path)?;
        if from > length {
            // The file was replaced by a shorter one, so that the indexed records no longer match it.
            self.remove_of_file(name).await?;
            from = 0;
        }
        let mut all = Indexed::default();
        while from < length {
            let (rows, skipped, end) = read_batch(path.clone(), from).await?;
            // The rest is a line that its writer has not finished; it is read once it has its end.
            if end == from {
                break;
            }
            all.added += self.add_batch(name, &rows, end).await?;
            all.skipped += skipped;
            from = end;
        }
        Ok(all)
    }

    /// Makes the search index anew from the records that are stored.
    pub async fn rebuild_search_index(&self) -> Result<(), MemoryError> {
        let action = "rebuild the search index";
        let mut transaction = self.lazy(action).await?;
        // FTS5 takes commands as inserts into a column that is named like the table.
        sqlx::query("INSERT INTO episodic_fts (episodic_fts) VALUES ('rebuild')")
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Reads every file again from its start; records that are known are passed over.
    pub async fn index_from_start(&self) -> Result<(), MemoryError> {
        let action = "index the logs again";
        let mut transaction = self.durable(action).await?;
        sqlx::query("UPDATE episodic_file SET bytes_indexed = 0")
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The number of records in the index.
    pub async fn episodes(&self) -> Result<u64, MemoryError> {
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM episodic")
            .fetch_one(&self.readers())
            .await
            .map_err(failed("count the records"))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    async fn indexed_up_to(&self, name: &str) -> Result<u64, MemoryError> {
        let bytes: Option<i64> = sqlx::query_scalar("SELECT bytes_indexed FROM episodic_file WHERE name = ?1")
            .bind(name)
            .fetch_optional(&self.readers())
            .await
            .map_err(failed("read how far a log is indexed"))?;
        Ok(u64::try_from(bytes.unwrap_or(0)).unwrap_or(0))
    }

    async fn add_batch(&self, name: &str, rows: &[Row], end: u64) -> Result<u64, MemoryError> {
        // Rows and offset are one transaction, so that a crash repeats a batch or goes on after it. It may be
        // lazy: what a loss of power undoes is read from the file again.
        let action = "index the log";
        let mut transaction = self.lazy(action).await?;
        let added = sqlx::query(
            "INSERT OR IGNORE INTO episodic
                 (id, at_ms, role, content, terms, origin, trust, mission_id, session, entry, cause, file)
             SELECT value ->> 'id', value ->> 'at_ms', value ->> 'role', value ->> 'content', value ->> 'terms',
                 value ->> 'origin', value ->> 'trust', value ->> 'mission', value ->> 'session', value ->> 'entry',
                 value ->> 'cause', ?2
             FROM json_each(?1) ORDER BY key",
        )
        .bind(Json(rows))
        .bind(name)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        sqlx::query(
            "INSERT INTO episodic_file (name, bytes_indexed) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET bytes_indexed = excluded.bytes_indexed",
        )
        .bind(name)
        .bind(i64::try_from(end).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(added.rows_affected())
    }

    /// Removes what is known of files that are gone.
    async fn forget_other_files(&self, names: &[&str]) -> Result<(), MemoryError> {
        let gone: Vec<String> =
            sqlx::query_scalar("SELECT name FROM episodic_file WHERE name NOT IN (SELECT value FROM json_each(?1))")
                .bind(Json(names))
                .fetch_all(&self.readers())
                .await
                .map_err(failed("read which logs are indexed"))?;
        for name in gone {
            self.remove_of_file(&name).await?;
        }
        Ok(())
    }

    /// Removes a file's records from the index, a batch at a time, and then what is known of the file.
    pub(crate) async fn remove_of_file(&self, name: &str) -> Result<(), MemoryError> {
        let action = "remove a log from the index";
        loop {
            let mut transaction = self.lazy(action).await?;
            let removed =
                sqlx::query("DELETE FROM episodic WHERE n IN (SELECT n FROM episodic WHERE file = ?1 LIMIT ?2)")
                    .bind(name)
                    .bind(REMOVED_MAX)
                    .execute(&mut *transaction)
                    .await
                    .map_err(failed(action))?
                    .rows_affected();
            // The row of the file goes last: until then a crash leaves it known, and the removal is repeated.
            if removed == 0 {
                sqlx::query("DELETE FROM episodic_file WHERE name = ?1")
                    .bind(name)
                    .execute(&mut *transaction)
                    .await
                    .map_err(failed(action))?;
            }
            transaction.commit().await.map_err(failed(action))?;
            if removed == 0 {
                return Ok(());
            }
        }
    }
}

fn file_length(path: &Path) -> Result<u64, MemoryError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(source) => Err(MemoryError::File { action: "look at", path: path.to_owned(), source }),
    }
}

/// Reads and folds away from the threads that serve everybody else.
async fn read_batch(path: PathBuf, from: u64) -> Result<(Vec<Row>, u64, u64), MemoryError> {
    let named = path.clone();
    let read = tokio::task::spawn_blocking(move || {
        let lines = log::read_lines(&path, from, BATCH_BYTES)?;
        let mut skipped = 0;
        let mut rows = Vec::with_capacity(lines.lines.len());
        for line in lines.lines.iter().filter(|line| !line.is_empty()) {
            match Episode::parse(line) {
                Some(episode) => rows.push(Row::from(episode)),
                None => skipped += 1,
            }
        }
        Ok((rows, skipped, lines.end))
    });
    read.await.unwrap_or_else(|error| {
        Err(MemoryError::File { action: "read", path: named, source: std::io::Error::other(error) })
    })
}

#[cfg(test)]
mod tests;
