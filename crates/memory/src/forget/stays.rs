//! The places that still hold a phrase after it was forgotten: every file of the station is looked through byte by byte, and what
//! is found is named, with a way to get rid of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sqlx::{AssertSqlSafe, Row, SqliteConnection, SqlitePool};

use super::places::{StationFiles, Whose, holds, walk};
use super::registry::{AGENT, STATION, Table};
use super::rows::{ROWS_MAX, quoted};
use super::{Forgetting, Needles};
use crate::error::failed;
use crate::{AgentDb, MemoryError, StationDb};

const ACTION: &str = "look for what is to be forgotten";
const UNUSED_SPACE: &str = "Only unused space of the database holds it, which later writes fill.";
const LONGER_WORD: &str = "It is part of a longer word there; forget that word by a query of its own.";

/// A counted word: one, and several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Noun(pub &'static str, pub &'static str);

/// A kind of place that still holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stays {
    /// The number in words, for example `3 beliefs`.
    pub counted: String,
    /// The number of them.
    pub count: u64,
    /// The way to get rid of it, a sentence.
    pub how: String,
    /// Unused space of the agent's database holds it, or a copy of it: writing the file anew removes it.
    pub is_of_database: bool,
}

impl Stays {
    fn of(noun: Noun, count: u64, how: impl Into<String>) -> Self {
        let word = if count == 1 { noun.0 } else { noun.1 };
        Self { counted: format!("{count} {word}"), count, how: how.into(), is_of_database: false }
    }
}

/// Everything of the station that holds the phrase of `needles`, if only in a longer word.
pub async fn stays(
    files: &StationFiles,
    (agent, station): (&AgentDb, &StationDb),
    needles: &Needles,
) -> Result<Vec<Stays>, MemoryError> {
    if needles.is_empty() {
        return Ok(Vec::new());
    }
    let mut stays = in_rows(&agent.readers(), AGENT, needles).await?;
    let is_in_agent = !stays.is_empty();
    let of_station = in_rows(&station.pool, STATION, needles).await?;
    let is_in_station = !of_station.is_empty();
    stays.extend(of_station);
    let (root, agent, looked_for) = (files.clone(), files.agent.clone(), needles.clone());
    let looked = tokio::task::spawn_blocking(move || in_files(&root, &looked_for)).await;
    let found = looked.unwrap_or_else(|error| {
        let source = std::io::Error::other(error);
        Err(MemoryError::File { action: "look through", path: agent, source })
    })?;
    for (whose, names) in found {
        // The rows of a database say more about it than its file.
        let is_told = match whose {
            Whose::AgentDatabase | Whose::Backup => is_in_agent,
            Whose::StationDatabase => is_in_station,
            Whose::DailyLog
            | Whose::Transcript
            | Whose::Spilled
            | Whose::Note
            | Whose::SetAside
            | Whose::Mission
            | Whose::OtherAgent(_)
            | Whose::Recording
            | Whose::Simulator
            | Whose::Manifest
            | Whose::Settings
            | Whose::Unknown => false,
        };
        if !is_told {
            stays.push(of_files(&whose, &names));
        }
    }
    Ok(stays)
}

fn of_files(whose: &Whose, names: &BTreeSet<String>) -> Stays {
    let list = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let (noun, how) = match whose {
        Whose::AgentDatabase | Whose::StationDatabase => (Noun("database", "databases"), UNUSED_SPACE.to_owned()),
        Whose::Backup => (Noun("backup", "backups"), "The next backup takes its place.".to_owned()),
        Whose::DailyLog => (Noun("daily log", "daily logs"), LONGER_WORD.to_owned()),
        Whose::Transcript => (
            Noun("transcript", "transcripts"),
            format!("{LONGER_WORD} Names of conversations and of who spoke stay with what was said."),
        ),
        Whose::Spilled => (Noun("long output", "long outputs"), LONGER_WORD.to_owned()),
        Whose::Note => (Noun("note file", "note files"), LONGER_WORD.to_owned()),
        Whose::SetAside => (Noun("damaged file", "damaged files"), format!("Delete {list}.")),
        Whose::Mission => (Noun("mission file", "mission files"), format!("Edit {list}.")),
        Whose::OtherAgent(id) => {
            (Noun("file of another agent", "files of another agent"), format!("Forget it for the agent {id} too."))
        }
        Whose::Recording => (
            Noun("recording", "recordings"),
            format!("Recordings prove verdicts and go when they are old; to be rid of it now, delete {list}."),
        ),
        Whose::Manifest => (Noun("manifest", "manifests"), format!("Edit {list}.")),
        Whose::Settings => (Noun("settings file", "settings files"), format!("Edit {list}.")),
        Whose::Simulator => {
            (Noun("file of the simulator", "files of the simulator"), format!("Stop the simulator and delete {list}."))
        }
        Whose::Unknown => (Noun("other file", "other files"), format!("Look at {list}.")),
    };
    let is_of_database = matches!(whose, Whose::AgentDatabase | Whose::Backup);
    Stays { is_of_database, ..Stays::of(noun, names.len() as u64, how) }
}

fn in_files(files: &StationFiles, needles: &Needles) -> Result<BTreeMap<Whose, BTreeSet<String>>, MemoryError> {
    let mut found: BTreeMap<Whose, BTreeSet<String>> = BTreeMap::new();
    for path in walk(&files.root)? {
        if holds(&path, needles)? || is_named(&path, files, needles) {
            found.entry(files.whose(&path)).or_default().insert(files.name(&path));
        }
    }
    Ok(found)
}

/// True if the file's name holds it.
fn is_named(path: &Path, files: &StationFiles, needles: &Needles) -> bool {
    needles.is_part_of(files.name(path).as_bytes())
}

/// The rows that hold it, table by table.
async fn in_rows(pool: &SqlitePool, tables: &[Table], needles: &Needles) -> Result<Vec<Stays>, MemoryError> {
    let mut connection = pool.acquire().await.map_err(failed(ACTION))?;
    let mut stays = Vec::new();
    for table in tables {
        let (whole, part) = count(&mut connection, table, needles).await?;
        if whole > 0 {
            stays.push(Stays::of(table.noun, whole, table.how));
        }
        if part > 0 {
            stays.push(Stays::of(table.noun, part, LONGER_WORD));
        }
    }
    Ok(stays)
}

/// Counts the rows that hold it as words of its own, and those that hold it only in a longer word.
async fn count(connection: &mut SqliteConnection, table: &Table, needles: &Needles) -> Result<(u64, u64), MemoryError> {
    let columns: Vec<String> =
        table.read().map(|(column, _)| format!("coalesce(CAST({} AS TEXT), '')", quoted(column))).collect();
    let (mut whole, mut part) = (0, 0);
    if columns.is_empty() {
        return Ok((whole, part));
    }
    let sql = format!(
        "SELECT rowid, {} AS words FROM {} WHERE rowid > ?1 ORDER BY rowid LIMIT {ROWS_MAX}",
        columns.join(" || char(10) || "),
        quoted(table.name)
    );
    let mut after = i64::MIN;
    loop {
        let rows = sqlx::query(AssertSqlSafe(sql.clone()))
            .bind(after)
            .fetch_all(&mut *connection)
            .await
            .map_err(failed(ACTION))?;
        for row in &rows {
            let words: String = row.get("words");
            if needles.is_in(&words) {
                whole += 1;
            } else if needles.is_part_of(&words) {
                part += 1;
            }
        }
        match rows.last() {
            Some(last) if rows.len() as i64 == ROWS_MAX => after = last.get(0),
            Some(_) | None => return Ok((whole, part)),
        }
    }
}

impl StationDb {
    /// Takes forgotten words out of the copies of `agent`'s proposals that decisions keep; how many. The hash of what
    /// was decided on stays.
    pub async fn forget_approvals(
        &self,
        agent: &str,
        forgetting: &Forgetting,
        needles: &Needles,
    ) -> Result<u64, MemoryError> {
        let action = "take what is forgotten out of decisions";
        let mut transaction = self.pool.begin().await.map_err(failed(action))?;
        let rows = sqlx::query("SELECT proposal, body FROM approval WHERE json_valid(body) AND body ->> 'agent' = ?1")
            .bind(agent)
            .fetch_all(&mut *transaction)
            .await
            .map_err(failed(action))?;
        let mut changed = 0;
        for row in &rows {
            let Some(kept) = needles.replaced(row.get("body"), &forgetting.mark()) else { continue };
            sqlx::query("UPDATE approval SET body = ?2 WHERE proposal = ?1")
                .bind(row.get::<&str, _>("proposal"))
                .bind(kept)
                .execute(&mut *transaction)
                .await
                .map_err(failed(action))?;
            changed += 1;
        }
        transaction.commit().await.map_err(failed(action))?;
        Ok(changed)
    }

    /// Writes the log back and empties it, so that no older form of a row stays in it.
    pub async fn truncate_log(&self) -> Result<(), MemoryError> {
        let checkpoint = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.pool).await;
        checkpoint.map(drop).map_err(failed("write the log back"))
    }
}
