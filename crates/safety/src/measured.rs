//! The measured state of a robot, with the age that it may have.

pub(crate) mod fresh;
pub(crate) mod predicted;
pub(crate) mod sources;
pub(crate) mod speeds;
pub(crate) mod state;
