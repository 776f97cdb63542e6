//! The format of mission files: markdown with a front matter, read and edited with the place of every byte.

pub(crate) mod edit;
pub(crate) mod form;
pub mod front;
pub(crate) mod hidden;
pub(crate) mod parsed;
pub(crate) mod source;
pub(crate) mod yaml;
