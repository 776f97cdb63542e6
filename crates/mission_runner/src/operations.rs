//! Operations on missions.

mod draft_ops;
mod graph_ops;
mod history_ops;
mod mission_ops;
mod template_ops;

pub use mission_ops::{Operation, rows};
