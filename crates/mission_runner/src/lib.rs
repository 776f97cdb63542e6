//! Runs the missions of every agent: their files, who activated which text, and where each stands.
//!
//! [`missions`] decides what a file says and which act is possible when; this crate does it. The parts, in the order in
//! which data flows: `folder` reads and writes the mission files of an agent, `drafting` is where people change them, `dry_run`
//! shows what a run of one would be,
//! `watch` sees when one changes; `site` and `compiling` hold it against the robots, limits and other missions of now;
//! `operations` brings the acts of people, programs and agents to `acts`; `work` looks at every active mission: `check`
//! starts what `graph` lets start, `triggers` begins its runs, and `goals` works on its goals; `reconcile` puts in force what
//! its text declares, and `mission_halt` takes back what it has running; `lives` holds where each mission stands, `rows`
//! shows it, with its `reasons`, and `graph_rows` with the edges between them and their positions in `layout`.
//!
//! **Invariant.** A file never acts, an activation does. Stopping acts first and is written then; starting is written
//! first and acts then. The crate names no agent, robot or world: it reaches them through [`Agents`], [`Fleet`] and
//! [`Sensing`].

mod acts;
mod check;
mod compiling;
mod counts;
mod cut;
mod drafting;
mod dry_run;
mod envelopes;
mod failures;
mod folder;
mod folder_watch;
mod goals;
mod graph;
mod graph_edges;
mod graph_rows;
mod held_locks;
mod history;
mod layout;
mod limits;
mod lives;
mod locks;
mod mission_halt;
mod money;
mod naming;
pub mod operations;
mod reasons;
mod reconcile;
mod rows;
mod runner;
mod runs;
mod site;
mod start;
mod surroundings;
mod triggers;
mod turns;
mod versions;
mod watch;
mod work;

pub use folder::{Draft, mission_not_found};
pub use lives::Lives;
pub use runner::{AgentMissions, Host, MissionRunner};
pub use surroundings::{
    Agents, Asked, CardNote, Declared, DryAnswer, DryMotion, DryMotions, Fleet, LockedPart, NotReady, PartLock,
    PlannedJobs, Sensing, StepCall, StepOf, TurnCall, TurnEnd, TurnHindrance,
};
