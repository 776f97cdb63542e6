//! Calls and thinking that a local model prints into its text, and how both are printed for it.
//!
//! A printed call counts only if nobody else wrote it before: text of a sensor, a tool or a room that the model
//! repeats stays text.

mod echo;
mod object;
mod print;
mod schema;
mod signature;
mod stream;

pub(super) use print::{call, declarations, result};
pub(super) use stream::{MarkupPart, Spoken};

#[cfg(test)]
mod tests;
