//! Verdicts that can be made again from their recorded inputs.

pub mod recordings;
pub mod verdict_inputs;
