//! What is done about a damaged database of an agent: it is set aside as it is, and the newest copy takes its place.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sqlx::migrate::Migrator;

use crate::backup::{copy, list, made_ms};
use crate::files::{self, rename_synced};
use crate::open::{Connections, open_split};
use crate::probe::{Probed, check_known, newest, probe};
use crate::{AgentDb, MemoryError};

/// A database that was damaged, and what took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Where the damaged one lies.
    pub set_aside: PathBuf,
    /// What was wrong with it.
    pub damage: String,
    /// When the copy was made that took its place, Unix milliseconds; none if there was no copy, and all is lost but
    /// the daily logs.
    pub backup_ms: Option<i64>,
}

impl AgentDb {
    /// Opens or makes `path`. A damaged file is set aside and the newest copy opened, or, without one, a new database.
    pub async fn open_or_restore(path: &Path, now_ms: i64) -> Result<(Self, Option<Restored>), MemoryError> {
        let restored = whole(path, now_ms).await?;
        Ok((Self::over(path, connected(path, now_ms).await?), restored))
    }

    /// Looks at the file again while others work with it, and replaces it under them if it is damaged.
    pub async fn restore_if_damaged(&self, now_ms: i64) -> Result<Option<Restored>, MemoryError> {
        match probe(self.path()).await {
            Err(MemoryError::Damaged { .. }) => {}
            Ok(_) => return Ok(None),
            Err(error) => return Err(error),
        }
        // Whoever works with it now is refused until the other one is open.
        self.close().await;
        let restored = whole(self.path(), now_ms).await;
        self.reconnect(connected(self.path(), now_ms).await?);
        restored
    }
}

/// Makes sure that what lies at `path`, if anything, can be read.
async fn whole(path: &Path, now_ms: i64) -> Result<Option<Restored>, MemoryError> {
    let damage = match probe(path).await {
        Ok(_) => return Ok(None),
        Err(MemoryError::Damaged { message, .. }) => message,
        Err(error) => return Err(error),
    };
    let set_aside = set_aside(path, now_ms)?;
    let mut backup_ms = None;
    for backup in list(path, now_ms) {
        if probe(&backup).await.is_ok() {
            put_in_place(&backup, path)?;
            backup_ms = made_ms(&backup);
            break;
        }
    }
    Ok(Some(Restored { set_aside, damage, backup_ms }))
}

/// Opens what can be read, after a copy if it is about to be migrated.
async fn connected(path: &Path, now_ms: i64) -> Result<Connections, MemoryError> {
    let migrations: Migrator = sqlx::migrate!("./migrations/agent");
    if let Some(found) = probe(path).await? {
        check_known(path, found, &migrations)?;
        let Probed { version } = found;
        if version < newest(&migrations) {
            copy(path, now_ms, &format!("-before-{}", newest(&migrations))).await?;
        }
    }
    open_split(path, &migrations).await
}

/// Moves the file and its log away, under a name that says when.
fn set_aside(path: &Path, now_ms: i64) -> Result<PathBuf, MemoryError> {
    let at = Timestamp::from_millisecond(now_ms).unwrap_or_default().strftime("%Y%m%dT%H%M%S%3fZ");
    let named = |suffix: &str| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(suffix);
        path.with_file_name(name)
    };
    let aside = named(&format!(".damaged-{at}"));
    rename_synced(path, &aside)?;
    for part in ["-wal", "-shm"] {
        if named(part).exists() {
            rename_synced(&named(part), &named(&format!(".damaged-{at}{part}")))?;
        }
    }
    Ok(aside)
}

fn put_in_place(backup: &Path, path: &Path) -> Result<(), MemoryError> {
    ::files::copy(backup, path).map_err(files::failed("copy", backup))
}

#[cfg(test)]
mod tests;
