//! Failures of storage.

use std::path::PathBuf;

use robot::RobotId;

/// A storage failure; names what could not be done.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// A database could not be opened or migrated.
    #[error("could not open {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: sqlx::Error,
    },
    /// A database cannot be read as one.
    #[error("{} is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage that was found.
        message: String,
    },
    /// A database is newer than this program.
    #[error("{} is of version {found}; this program knows versions up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its newest migration.
        found: i64,
        /// The newest migration of this program.
        known: i64,
    },
    /// The migrations of a database are not those of this program.
    #[error("{} was written by another version of Quarterdeck", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The migration that does not fit.
        #[source]
        source: sqlx::migrate::MigrateError,
    },
    /// A statement failed.
    #[error("could not {action}")]
    Statement {
        /// The attempt, for example `save the stop`.
        action: &'static str,
        /// The cause.
        #[source]
        source: sqlx::Error,
    },
    /// The stored set of a robot is not the one that a change was made from.
    #[error("the constraint set of {robot} was changed by somebody else")]
    SetChanged {
        /// The robot.
        robot: RobotId,
    },
    /// A row does not hold what this program writes.
    #[error("row {row} of {table} cannot be read: {message}")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// The row's key.
        row: String,
        /// The fault of the row.
        message: String,
    },
    /// A transcript file could not be read or written.
    #[error("could not {action} {}", path.display())]
    File {
        /// The attempt, for example `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

/// The class of a storage failure, by which a caller decides how to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The disk is full, read-only or does not answer: nothing was changed, and the same may work later.
    Unwritable,
    /// The file cannot be read as a database.
    Damaged,
}

impl MemoryError {
    /// The class of this failure: unwritable or damaged storage; none for other failures.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let is_unwritable = |kind| matches!(kind, StorageFull | QuotaExceeded | ReadOnlyFilesystem | FileTooLarge);
        match self {
            Self::Open { source, .. } | Self::Statement { source, .. } => trouble_of(source),
            Self::Version { source: sqlx::migrate::MigrateError::Execute(source), .. } => trouble_of(source),
            Self::Damaged { .. } => Some(Trouble::Damaged),
            Self::File { source, .. } => is_unwritable(source.kind()).then_some(Trouble::Unwritable),
            Self::Version { .. } | Self::Newer { .. } | Self::SetChanged { .. } | Self::Unreadable { .. } => None,
        }
    }
}

/// The bits of a result code that name the kind of failure; the others detail it.
const PRIMARY: u32 = 0xff;
/// `SQLITE_READONLY`.
const READ_ONLY: u32 = 8;

/// `SQLITE_INTERRUPT`.
const INTERRUPT: u32 = 9;

/// The meaning of SQLite's result codes, <https://www.sqlite.org/rescode.html>.
pub(crate) fn trouble_of(error: &sqlx::Error) -> Option<Trouble> {
    /// `SQLITE_BUSY`, `SQLITE_LOCKED`, `SQLITE_READONLY`, `SQLITE_IOERR`, `SQLITE_FULL` and `SQLITE_CANTOPEN`.
    const UNWRITABLE: [u32; 6] = [5, 6, READ_ONLY, 10, 13, 14];
    /// `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
    const DAMAGED: [u32; 2] = [11, 26];
    /// `SQLITE_IOERR_SHORT_READ`: the file ends before it should.
    const CUT_SHORT: u32 = 522;
    if matches!(error, sqlx::Error::PoolTimedOut) {
        // A writer waits its turn; it does not come while the disk keeps the others waiting.
        return Some(Trouble::Unwritable);
    }
    let code: u32 = error.as_database_error()?.code()?.parse().ok()?;
    match code & PRIMARY {
        // Its primary code is that of an I/O error, which would be tried again for ever.
        _ if code == CUT_SHORT => Some(Trouble::Damaged),
        primary if UNWRITABLE.contains(&primary) => Some(Trouble::Unwritable),
        primary if DAMAGED.contains(&primary) => Some(Trouble::Damaged),
        _ => None,
    }
}

/// True if SQLite refuses to write a file that it opened for reading only: `SQLITE_READONLY`.
pub(crate) fn is_refused_as_read_only(error: &sqlx::Error) -> bool {
    is_primary(error, READ_ONLY)
}

/// True if a progress handler ended the statement: `SQLITE_INTERRUPT`.
pub(crate) fn is_interrupted(error: &sqlx::Error) -> bool {
    is_primary(error, INTERRUPT)
}

fn is_primary(error: &sqlx::Error, primary: u32) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & PRIMARY == primary)
}

/// Names what a failed statement was for.
pub(crate) fn failed(action: &'static str) -> impl FnOnce(sqlx::Error) -> MemoryError {
    move |source| MemoryError::Statement { action, source }
}
