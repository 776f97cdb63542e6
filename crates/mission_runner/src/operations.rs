//! Operations on missions.

mod mission_ops;

pub use mission_ops::{Operation, rows};
