//! Mission files: markdown that says what should be true, with what code has to know in front. Pure.
//!
//! The crate decides what a file says, what is wrong with it, and what may happen to its mission. The parts, in the order
//! in which data flows: [`id_of`] names the mission of a file; [`parse`] reads bytes into a [`Source`] with a [`Front`],
//! and tells every [`Problem`] with its place; [`compile`](fn@compile) holds it against a [`Catalog`] of the site and
//! gives its meaning, [`Compiled`]; [`changes`](fn@changes) tells two meanings apart; [`hidden_text`] finds what a reader
//! would not see and [`text_for_agent`] leaves it out; [`edit`](fn@edit) changes a file and leaves every other byte as it
//! is; [`graph`] says which missions may start and why others wait, [`lifecycle`] which act is possible in which status,
//! [`goals`] what follows from the outcome of a goal, [`run`] which goal is worked on next,
//! [`locks`] which parts of robots it needs to itself meanwhile, and [`dry_run`] what a run would be that nobody carries
//! out; [`templates`] makes a draft of a shipped mission and of the wishes for it.
//!
//! **Invariant.** A file never acts and grants no right: a person activates it. No way leads from here to a robot:
//! ```compile_fail
//! use bridge::RobotLink;
//! ```

mod catalog;
mod changes;
mod code;
mod compile;
mod compiled;
mod deadline;
pub mod dry_run;
mod file;
pub mod format;
pub mod goals;
pub mod graph;
mod id;
pub mod lifecycle;
pub mod locks;
mod phrase;
mod problem;
mod render;
pub mod run;
pub mod templates;
pub mod trigger;

pub use catalog::{Catalog, CatalogMission, CatalogMissions, CatalogOperation, CatalogRobot, MissionEnd, Placed};
pub use changes::{Change, ChangeKind, ChangeParts, changes, role_needed, sentences, statements};
pub use code::MissionCode;
pub use compile::{Compilation, compile};
pub use compiled::words::envelope as envelope_phrase;
pub use compiled::{Compiled, CompiledLimit};
pub use deadline::Deadline;
pub use file::{MissionError, MissionFile};
pub use format::edit::{Edit, EditError, edit};
pub use format::form::FormKey;
pub use format::front::Front;
pub use format::hidden::{HiddenKind, HiddenText, hidden_text};
pub use format::parsed::{Parsed, parse};
pub use format::source::{FILE_BYTES_MAX, Source};
pub use id::{StemError, id_of};
pub use phrase::{GoalPhrase, JointPlace, MissionPart, MotionPhrase, Phrase, Start, Statement};
pub use problem::{Located, PROBLEMS_MAX, Position, Problem, ProblemCode, Problems, Related, Severity, Span};
pub use render::text_for_agent;
pub use safety::fallback::{FallbackClass, FallbackStep};

/// The mission files that come with the simulated site: id and text. Each can be activated there as it is.
pub const EXAMPLES: [(&str, &str); 7] = [
    ("calibrate-arm", include_str!("../../../missions/calibrate-arm.md")),
    ("childproof-home", include_str!("../../../missions/childproof-home.md")),
    ("dog-monitor", include_str!("../../../missions/dog-monitor.md")),
    ("maintenance-check", include_str!("../../../missions/maintenance-check.md")),
    ("park-arm", include_str!("../../../missions/park-arm.md")),
    ("run-welding-task", include_str!("../../../missions/run-welding-task.md")),
    ("security-patrol", include_str!("../../../missions/security-patrol.md")),
];

#[cfg(test)]
mod tests;
