//! The invariants of ARCHITECTURE.md as tests. A failure names the edge that is not allowed, why, and what to do instead.
#![expect(clippy::unwrap_used, reason = "a rule that cannot read the repository has failed")]

#[path = "architecture/codes.rs"]
mod codes;
#[path = "architecture/comments.rs"]
mod comments;
#[path = "architecture/control.rs"]
mod control;
#[path = "architecture/crates.rs"]
mod crates;
#[path = "architecture/cycles.rs"]
mod cycles;
#[path = "architecture/dependencies.rs"]
mod dependencies;
#[path = "architecture/documents.rs"]
mod documents;
#[path = "architecture/faces.rs"]
mod faces;
#[path = "architecture/glossary.rs"]
mod glossary;
#[path = "architecture/ids.rs"]
mod ids;
#[path = "architecture/levels.rs"]
mod levels;
#[path = "architecture/locks.rs"]
mod locks;
#[path = "architecture/measurements.rs"]
mod measurements;
#[path = "architecture/names.rs"]
mod names;
#[path = "architecture/operations.rs"]
mod operations;
#[path = "architecture/parameters.rs"]
mod parameters;
#[path = "architecture/purity.rs"]
mod purity;
#[path = "architecture/repository.rs"]
mod repository;
#[path = "architecture/requirements.rs"]
mod requirements;
#[path = "architecture/sentences.rs"]
mod sentences;
#[path = "architecture/shell.rs"]
mod shell;
#[path = "architecture/stop_path.rs"]
mod stop_path;
#[path = "architecture/trust.rs"]
mod trust;
#[path = "architecture/ui.rs"]
mod ui;
#[path = "architecture/words.rs"]
mod words;
#[path = "architecture/writing.rs"]
mod writing;
