//! Numbers of the problems of each file, as it was last compiled.

use std::collections::BTreeMap;
use std::sync::Mutex;

use robot::MissionId;

/// Numbers of the problems of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// The first error, for people.
    pub first: Option<String>,
}

/// The counts of each file, with the text and the site that they are of.
#[derive(Debug, Default)]
pub(crate) struct Counted(pub(crate) Mutex<BTreeMap<MissionId, ([u8; 32], [u8; 32], Counts)>>);
