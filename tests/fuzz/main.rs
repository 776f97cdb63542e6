//! Random changes of real inputs, put into everything that reads text from outside: nothing panics, nothing hangs, and
//! what was read and written is read again as the same.
//!
//! Each target takes its inputs from `tests/fuzz/corpus/<target>/`, an input a file, and changes them at random for a
//! second, or for as long as `cargo xtask fuzz --seconds` says. A failure prints the seed that repeats it
//! (`BOLERO_RANDOM_SEED=…`); what it found goes into the corpus as a file.
#![expect(clippy::unwrap_used, reason = "a target that cannot read its corpus has failed")]

mod harness;
mod streams;
mod targets;
