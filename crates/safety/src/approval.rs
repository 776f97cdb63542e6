//! Approval of motions by a person: the care that each needs, what it rests on, and standing approvals.

pub(crate) mod binding;
pub(crate) mod envelope;
pub mod tier;
