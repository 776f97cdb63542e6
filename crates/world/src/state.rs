//! World state: keys, what each source claims of them and how fresh that is, and the snapshot that everybody else reads.

pub(crate) mod claims;
pub(crate) mod entry;
pub(crate) mod freshness;
pub(crate) mod history;
pub(crate) mod key;
pub(crate) mod snapshot;
pub(crate) mod source_clock;
