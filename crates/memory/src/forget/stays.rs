//! The places that still hold a phrase after it was forgotten: every file of the station is looked through byte by byte, and what
//! is found is named, with a way to get rid of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row, SqliteConnection};

use super::held_in::{FileNames, HeldIn, Remedy};
use super::phrase::Parts;
use super::places::{StationFiles, Whose, holds, walk};
use super::registry::{AGENT, STATION, Table};
use super::rows::{ROWS_MAX, quoted};
use super::{Needles, Removal};
use crate::error::failed;
use crate::{AgentDb, MemoryError, StationDb};

const ACTION: &str = "look for what is to be forgotten";
/// The beginning of every database.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A kind of place that still holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stays {
    /// The kind.
    pub held_in: HeldIn,
    /// The number of them.
    pub count: u64,
    /// The way to get rid of it.
    pub remedy: Remedy,
    /// Unused space of the agent's database holds it, or a copy of it: writing the file anew removes it.
    pub is_of_database: bool,
}

/// Everything of the station that holds the phrase of `needles`, if only in a longer word.
pub async fn stays(
    files: &StationFiles,
    agent: &AgentDb,
    station: &StationDb,
    needles: &Needles,
) -> Result<Vec<Stays>, MemoryError> {
    if needles.is_empty() {
        return Ok(Vec::new());
    }
    let mut connection = agent.readers().acquire().await.map_err(failed(ACTION))?;
    let mut stays = in_rows(&mut connection, AGENT, needles).await?;
    drop(connection);
    let is_in_agent = !stays.is_empty();
    let mut connection = station.pool.acquire().await.map_err(failed(ACTION))?;
    let of_station = in_rows(&mut connection, STATION, needles).await?;
    drop(connection);
    let is_in_station = !of_station.is_empty();
    stays.extend(of_station);
    let (root, agent, looked_for) = (files.clone(), files.agent.clone(), needles.clone());
    let looked = tokio::task::spawn_blocking(move || in_files(&root, &looked_for)).await;
    let Found { files: mut found, databases } = looked.unwrap_or_else(|error| {
        let source = std::io::Error::other(error);
        Err(MemoryError::File { action: "look through", path: agent, source })
    })?;
    for path in databases {
        if is_in_database(&path, needles).await? {
            found.entry(files.whose(&path)).or_default().insert(files.name(&path));
        }
    }
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
    let files = || FileNames { files: names.iter().map(String::as_str).collect::<Vec<_>>().join(", ") };
    let (held_in, remedy) = match whose {
        Whose::AgentDatabase | Whose::StationDatabase => (HeldIn::Database, Remedy::UnusedSpace),
        Whose::Backup => (HeldIn::Backup, Remedy::NextBackup),
        Whose::DailyLog => (HeldIn::DailyLog, Remedy::LongerOrOwn),
        Whose::Transcript => (HeldIn::Transcript, Remedy::LongerOrOwnOrName),
        Whose::Spilled => (HeldIn::LongOutput, Remedy::LongerWord),
        Whose::Note => (HeldIn::NoteFile, Remedy::LongerWord),
        Whose::SetAside => (HeldIn::DamagedFile, Remedy::Delete(files())),
        Whose::Mission => (HeldIn::MissionFile, Remedy::Edit(files())),
        Whose::OtherAgent(id) => (HeldIn::OtherAgentFile, Remedy::ForgetForAgent { agent: id.clone() }),
        Whose::Recording => (HeldIn::Recording, Remedy::DeleteRecordings(files())),
        Whose::Manifest => (HeldIn::Manifest, Remedy::Edit(files())),
        Whose::Settings => (HeldIn::SettingsFile, Remedy::Edit(files())),
        Whose::Simulator => (HeldIn::SimulatorFile, Remedy::DeleteOfSimulator(files())),
        Whose::Unknown => (HeldIn::OtherFile, Remedy::LookAt(files())),
    };
    let is_of_database = matches!(whose, Whose::AgentDatabase | Whose::Backup);
    Stays { held_in, count: names.len() as u64, remedy, is_of_database }
}

/// The files that hold it, and the databases in whose rows it may stand nevertheless.
#[derive(Default)]
struct Found {
    files: BTreeMap<Whose, BTreeSet<String>>,
    databases: Vec<PathBuf>,
}

fn in_files(files: &StationFiles, needles: &Needles) -> Result<Found, MemoryError> {
    let mut found = Found::default();
    for path in walk(&files.root)? {
        let whose = files.whose(&path);
        if holds(&path, needles, Parts::Telling)? || is_named(&path, files, needles) {
            found.files.entry(whose).or_default().insert(files.name(&path));
            continue;
        }
        // The rows of these two are looked at already.
        let is_looked_at = matches!(whose, Whose::AgentDatabase | Whose::StationDatabase);
        if needles.has_short() && !is_looked_at && is_database(&path) {
            found.databases.push(path);
        }
    }
    Ok(found)
}

fn is_database(path: &Path) -> bool {
    let mut beginning = [0; DATABASE.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok() && beginning == DATABASE
}

/// True if the rows of another agent's database, or of a copy of one, hold it: in its bytes columns stand back to back.
/// One that cannot be read holds it if its bytes do in any form.
async fn is_in_database(path: &Path, needles: &Needles) -> Result<bool, MemoryError> {
    match in_database(path, needles).await {
        Ok(holds) => Ok(holds),
        Err(error) => {
            tracing::info!(path = %path.display(), %error, "the bytes of a database are looked through");
            holds(path, needles, Parts::Any)
        }
    }
}

async fn in_database(path: &Path, needles: &Needles) -> Result<bool, MemoryError> {
    // Nobody writes a file without a log beside it, and a log cannot be made by whoever only reads.
    let is_at_rest = !path.with_extension("db-wal").exists();
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(is_at_rest);
    let mut connection = options.connect().await.map_err(failed(ACTION))?;
    let found = in_rows(&mut connection, AGENT, needles).await;
    connection.close().await.map_err(failed(ACTION))?;
    Ok(!found?.is_empty())
}

/// True if the file's name holds it.
fn is_named(path: &Path, files: &StationFiles, needles: &Needles) -> bool {
    needles.is_part_of(files.name(path).as_bytes())
}

/// The rows that hold it, table by table.
async fn in_rows(
    connection: &mut SqliteConnection,
    tables: &[Table],
    needles: &Needles,
) -> Result<Vec<Stays>, MemoryError> {
    let mut stays = Vec::new();
    for table in tables {
        let (whole, part) = count(connection, table, needles).await?;
        let of_rows = |count, remedy| Stays { held_in: table.held_in, count, remedy, is_of_database: false };
        if whole > 0 {
            stays.push(of_rows(whole, table.remedy.clone()));
        }
        if part > 0 {
            stays.push(of_rows(part, Remedy::LongerWord));
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
    /// was decided on stays. A stop waits for one row of it at most: each is written by itself, and nothing is held while
    /// they are looked through.
    pub async fn forget_approvals(&self, agent: &str, removal: &Removal) -> Result<u64, MemoryError> {
        let Removal { forgetting, needles, readers } = removal;
        let action = "take what is forgotten out of decisions";
        let (mut changed, mut after) = (0, i64::MIN);
        loop {
            let rows = sqlx::query(
                "SELECT rowid, proposal, body FROM approval
                 WHERE rowid > ?2 AND json_valid(body) AND body ->> 'agent' = ?1 ORDER BY rowid LIMIT ?3",
            )
            .bind(agent)
            .bind(after)
            .bind(ROWS_MAX)
            .fetch_all(&self.pool)
            .await
            .map_err(failed(action))?;
            for row in &rows {
                let body: &str = row.get("body");
                let was_readable = (readers.proposal)(body);
                let is_readable = |text: &str| !was_readable || (readers.proposal)(text);
                let kept = needles.replaced_if(body, &forgetting.mark(), is_readable);
                if let Some(kept) = kept {
                    // A decision keeps what was decided on: nothing else changes it.
                    let update = sqlx::query("UPDATE approval SET body = ?3 WHERE proposal = ?1 AND body = ?2")
                        .bind(row.get::<&str, _>("proposal"))
                        .bind(body)
                        .bind(kept);
                    changed += update.execute(&self.pool).await.map_err(failed(action))?.rows_affected();
                }
            }
            match rows.last() {
                Some(last) => after = last.get(0),
                None => return Ok(changed),
            }
        }
    }

    /// Writes the log back and empties it, so that no older form of a row stays in it.
    pub async fn truncate_log(&self) -> Result<(), MemoryError> {
        let checkpoint = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.pool).await;
        checkpoint.map(drop).map_err(failed("write the log back"))
    }
}
