//! Database files: opened, probed, copied, and recovered from a copy.

pub(crate) mod backup;
pub(crate) mod open;
pub(crate) mod probe;
pub(crate) mod put_back;
pub(crate) mod restore;
