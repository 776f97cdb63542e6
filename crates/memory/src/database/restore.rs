//! Recovery from a damaged database of an agent: it is set aside as it is, and the newest copy takes its place.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sqlx::migrate::Migrator;

use crate::database::backup::{copy, list, made_ms};
use crate::database::open::{Connections, open_split};
use crate::database::probe::{PARTS, Probed, check_known, newest, part_of, probe};
use crate::files::{self, rename_synced};
use crate::{AgentDb, MemoryError};

/// A database that was damaged, and what took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The place of the damaged one; none if there was no file, although there are copies of one.
    pub set_aside: Option<PathBuf>,
    /// The damage that was found.
    pub damage: String,
    /// When the copy was made that took its place, Unix milliseconds; none if there was no copy, and all is lost but
    /// the daily logs.
    pub backup_ms: Option<i64>,
}

impl Restored {
    /// Another try, before the first was told of.
    fn again(self, now: Self) -> Self {
        Self { set_aside: self.set_aside.or(now.set_aside), damage: self.damage, backup_ms: now.backup_ms }
    }
}

impl AgentDb {
    /// Opens or makes `path`. A damaged file is set aside and the newest copy opened, or, without one, a new
    /// database. One that is missing although there are copies was lost, and the newest takes its place.
    pub async fn open_or_restore(path: &Path, now_ms: i64) -> Result<(Self, Option<Restored>), MemoryError> {
        let restored = whole(path, now_ms).await?;
        Ok((Self::over(path, connected(path, now_ms).await?), restored))
    }

    /// Looks at the file again while others work with it, and replaces it under them if it is damaged. Where the disk
    /// refuses that it stays closed, and the next call tries again: a new database would hide the copies.
    pub async fn restore_if_damaged(&self, now_ms: i64) -> Result<Option<Restored>, MemoryError> {
        match probe(self.path()).await {
            Err(MemoryError::Damaged { .. }) => {}
            // An earlier try closed it and failed on the way: nothing is damaged any more, and it has
            // to be opened.
            Ok(_) if self.writer().is_closed() => {}
            Ok(_) => return Ok(None),
            Err(error) => return Err(error),
        }
        // Callers are refused from here until the replacement is open.
        self.close().await;
        let mut untold = self.restored().await;
        if let Some(now) = whole(self.path(), now_ms).await? {
            *untold = Some(match untold.take() {
                Some(before) => before.again(now),
                None => now,
            });
        }
        // One that is in place and cannot be opened yet is told of once it is open: it lacks what came since.
        self.reconnect(connected(self.path(), now_ms).await?);
        Ok(untold.take())
    }
}

/// Makes sure that what lies at `path`, if anything, can be read.
async fn whole(path: &Path, now_ms: i64) -> Result<Option<Restored>, MemoryError> {
    // Before anything is moved: copies that cannot be listed are there all the same.
    let backups = list(path, now_ms);
    let damage = match probe(path).await {
        Ok(Some(_)) => return Ok(None),
        Ok(None) if backups.as_ref().is_ok_and(Vec::is_empty) => return Ok(None),
        // The disk failed after the damaged file was set aside, or a person deleted the file.
        Ok(None) => "it is missing".to_owned(),
        Err(MemoryError::Damaged { message, .. }) => message,
        Err(error) => return Err(error),
    };
    let backups = backups?;
    let set_aside = set_aside(path, now_ms)?;
    let mut backup_ms = None;
    // A copy can be damaged as well, by the same disk.
    for backup in backups {
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
            // A migration cannot be undone, and the older program refuses the migrated file.
            copy(path, now_ms, &format!("-before-{}", newest(&migrations))).await?;
        }
    }
    open_split(path, &migrations).await
}

/// Moves the file and its log away, under a name that says when; gives that of the file, if there is one. The log goes
/// first: beside another database it would be taken for that one's.
fn set_aside(path: &Path, now_ms: i64) -> Result<Option<PathBuf>, MemoryError> {
    // With milliseconds, so that a second damage on the same day does not overwrite the first file.
    let at = Timestamp::from_millisecond(now_ms).unwrap_or_default().strftime("%Y%m%dT%H%M%S%3fZ");
    let mut aside = None;
    for part in PARTS.into_iter().rev() {
        let found = part_of(path, part);
        if found.exists() {
            let name = part_of(path, &format!(".damaged-{at}{part}"));
            rename_synced(&found, &name)?;
            aside = part.is_empty().then_some(name);
        }
    }
    Ok(aside)
}

fn put_in_place(backup: &Path, path: &Path) -> Result<(), MemoryError> {
    ::files::copy(backup, path).map_err(files::failed("copy", backup))
}

#[cfg(test)]
mod tests;
