//! Looks at a database file before anybody works with it: whether it is whole, and of which version.

use std::path::{Path, PathBuf};

use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::MemoryError;
use crate::error::{Trouble, failed, trouble_of};
use crate::files;

/// A file up to this size is read whole at every start, well within a second; of a larger one the daily backup reads
/// every page.
const CHECKED_WHOLE_BYTES_MAX: u64 = 128 << 20;

/// The findings of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probed {
    /// The newest migration that was carried out; 0 without any.
    pub version: i64,
}

/// The files of a database by their endings: itself, its log, the index of the log, and the journal of a plain
/// connection.
pub const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Looks at `path`. None if there is no file; a link in the place of it, or of what belongs to it, is refused: SQLite
/// would follow it.
pub async fn probe(path: &Path) -> Result<Option<Probed>, MemoryError> {
    for part in PARTS {
        let place = part_of(path, part);
        ::files::check_place(&place).map_err(files::failed("use", &place))?;
    }
    let length = match std::fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(MemoryError::File { action: "look at", path: path.to_owned(), source }),
    };
    if length == 0 {
        // Ours get their name once they hold something; SQLite would take this one for new.
        return Err(damaged(path, "it is empty"));
    }
    let mut connection = plain(path).await?;
    let found = look(&mut connection, length <= CHECKED_WHOLE_BYTES_MAX).await;
    // Awaited, so that nothing holds the file, or removes its log, once it is moved away.
    let closed = connection.close().await;
    let version = found.and_then(|found| closed.map(|()| found)).map_err(|error| of(path, error))?;
    version.map(|version| Some(Probed { version })).map_err(|found| damaged(path, &found))
}

/// The file of the database at `path` with this ending.
pub fn part_of(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Refuses a database whose migrations this program does not know.
pub fn check_known(path: &Path, probed: Probed, migrations: &Migrator) -> Result<(), MemoryError> {
    let known = newest(migrations);
    // Rows of a newer form would be misread, and written back in the old one.
    if probed.version > known {
        return Err(MemoryError::Newer { path: path.to_owned(), found: probed.version, known });
    }
    Ok(())
}

/// The newest migration of a list.
pub fn newest(migrations: &Migrator) -> i64 {
    migrations.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// A connection that changes nothing by being opened.
pub async fn plain(path: &Path) -> Result<SqliteConnection, MemoryError> {
    let options = SqliteConnectOptions::new().filename(path);
    options.connect().await.map_err(|error| of(path, error))
}

/// The version, or what is wrong with the pages.
async fn look(connection: &mut SqliteConnection, is_read_whole: bool) -> Result<Result<i64, String>, sqlx::Error> {
    // SQLite reads a file at the first statement, not when it opens it: a file that is no database fails here.
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_master WHERE type = 'table'").fetch_all(&mut *connection).await?;
    if is_read_whole {
        // One finding is enough: a damaged file is set aside whole.
        let found: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut *connection).await?;
        if found != "ok" {
            return Ok(Err(found));
        }
    }
    // Another program's database opens as well as ours; migrating it would mix the two.
    if !tables.iter().any(|name| name == "_sqlx_migrations") {
        return Ok(Err("it holds no table of Quarterdeck".into()));
    }
    let version = sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations WHERE success = 1");
    Ok(Ok(version.fetch_one(connection).await?))
}

fn of(path: &Path, error: sqlx::Error) -> MemoryError {
    match trouble_of(&error) {
        Some(Trouble::Damaged) => damaged(path, &error.to_string()),
        // A file that is busy or cannot be read now may be whole: it must not be set aside as damaged.
        Some(Trouble::Unwritable) | None => failed("look at the database")(error),
    }
}

fn damaged(path: &Path, message: &str) -> MemoryError {
    MemoryError::Damaged { path: path.to_owned(), message: message.to_owned() }
}
