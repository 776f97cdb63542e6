//! Conversations: their entries and messages, their end, and how one is read again after a crash.

pub(crate) mod entry;
pub(crate) mod envelope;
pub(crate) mod message;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod session;
pub(crate) mod transcript;
