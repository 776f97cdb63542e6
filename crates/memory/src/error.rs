//! What can go wrong with storage.

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
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// A database is newer than this program, or its migrations were changed.
    #[error("{} was written by another version of Quarterdeck", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Which migration does not fit.
        #[source]
        source: sqlx::migrate::MigrateError,
    },
    /// A statement failed.
    #[error("could not {action}")]
    Statement {
        /// What was attempted, for example `save the stop`.
        action: &'static str,
        /// Why.
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
        /// What is wrong with it.
        message: String,
    },
    /// A transcript file could not be read or written.
    #[error("could not {action} {}", path.display())]
    File {
        /// What was attempted.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// Names what a failed statement was for.
pub(crate) fn failed(action: &'static str) -> impl FnOnce(sqlx::Error) -> MemoryError {
    move |source| MemoryError::Statement { action, source }
}
