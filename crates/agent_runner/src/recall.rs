//! Memory of an agent: what happened to it, what it believes, what it has noted, and how all of that is forgotten.

pub(crate) mod beliefs;
pub(crate) mod embeddings;
pub(crate) mod episodes;
pub(crate) mod forget;
pub(crate) mod notes;
pub(crate) mod removal;
pub(crate) mod reviews;
