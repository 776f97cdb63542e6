//! Numbers of the problems of each file, as it was last compiled.

use std::collections::BTreeMap;
use std::sync::Mutex;

use robot::MissionId;
use runtime::wire::MissionProblem;

/// Numbers of the problems of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// The first error, for people.
    pub first: Option<String>,
    /// When it was compiled without an error, Unix milliseconds; none if there is one.
    pub compiled_ms: Option<i64>,
    /// The first of its problems, in the order of their places.
    pub listed: Vec<MissionProblem>,
}

/// The counts of a file, with what they are of.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    /// Hash of its text.
    pub text: [u8; 32],
    /// Hash of the site.
    pub site: [u8; 32],
    /// Its counts.
    pub counts: Counts,
}

/// The files that were counted.
pub(crate) type CountedFiles = Mutex<BTreeMap<MissionId, Counted>>;
