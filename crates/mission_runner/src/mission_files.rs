//! Mission files: found in the folder, watched, compiled, kept in their versions, and written by people.

pub(crate) mod compiling;
pub(crate) mod counts;
pub(crate) mod drafting;
pub(crate) mod folder;
pub(crate) mod folder_watch;
pub(crate) mod layout;
pub(crate) mod versions;
pub(crate) mod watch;
