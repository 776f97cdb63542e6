//! Robots that are found by a scan and set up by a person.
//!
//! [`scanner`] runs the gate program, which looks for robots, as a process of its own: nothing of another protocol runs in
//! the session in which the station commands. [`draft`] makes the files of a gate from fields that a person has seen.

mod draft;
mod scanner;
mod text;

pub(crate) use draft::draft;
pub(crate) use scanner::{Places, Scanner};
