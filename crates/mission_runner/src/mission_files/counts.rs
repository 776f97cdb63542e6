//! Numbers of the problems of each file, as it was last compiled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

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
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Hash of the site at which every file was counted as it stands; none if some have the counts of an earlier one.
    pub complete_at: Option<[u8; 32]>,
    /// Each file that has counts.
    pub files: BTreeMap<MissionId, Counted>,
}

impl Counting {
    /// The counts of a file.
    pub fn of(&self, id: &MissionId) -> Option<&Counts> {
        self.files.get(id).map(|counted| &counted.counts)
    }

    /// True if it says something else of a file than `other` does, or of another file.
    pub fn differs(&self, other: &Self) -> bool {
        // The same object in most looks, and then ten thousand files need no comparison.
        !std::ptr::eq(self, other) && !self.said().eq(other.said())
    }

    /// Everything that people see of each file but the times.
    fn said(&self) -> impl Iterator<Item = (&MissionId, usize, usize, &[MissionProblem])> {
        self.files.iter().map(|(id, Counted { counts, .. })| (id, counts.errors, counts.warnings, &*counts.listed))
    }
}

/// The files as they were counted last.
pub(crate) type CountedFiles = Mutex<Arc<Counting>>;

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(site: u8, errors: usize) -> Counting {
        let counts = Counts { errors, compiled_ms: Some(i64::from(site)), ..Counts::default() };
        let counted = Counted { text: [7; 32], site: [site; 32], counts };
        Counting { complete_at: Some([site; 32]), files: BTreeMap::from([("weld".parse().unwrap(), counted)]) }
    }

    #[test]
    fn mo_17_another_site_is_news_only_where_it_makes_a_text_right_or_wrong() {
        assert!(!counting(1, 0).differs(&counting(2, 0)), "the same text is right at both");
        assert!(counting(1, 0).differs(&counting(2, 1)));
        assert!(Counting::default().differs(&counting(1, 0)), "a file is new");
    }
}
