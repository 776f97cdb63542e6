//! Runs the missions of every agent: their files, who activated which text, and where each stands.
//!
//! [`missions`] decides what a file says and which act is possible when; this crate does it. The parts, in the order in
//! which data flows: `mission_files` finds, watches, compiles and changes the files of an agent, and holds them against
//! `site`, the robots, limits and other missions of now; `operations` brings the acts of people, programs and agents to
//! `acts`; `execution` works on every active mission: its runs, their goals, and what its text puts in force; `lives` holds
//! where each mission stands, and `view` shows it. `dry_run` shows what a run would be.
//!
//! **Invariant.** A file never acts, an activation does. Stopping acts first and is written then; starting is written
//! first and acts then. The crate names no agent, robot or world: it reaches them through [`Agents`], [`Fleet`] and
//! [`Sensing`].

mod acts;
mod cut;
mod dry_run;
mod execution;
mod lives;
mod mission_files;
mod naming;
mod numbered;
pub mod operations;
mod runner;
mod site;
mod start;
mod surroundings;
mod view;

pub use lives::Lives;
pub use mission_files::folder::{Draft, Unread, mission_not_found};
pub use runner::{AgentMissions, Host, MissionRunner};
pub use surroundings::{
    Agents, Asked, CardNote, Declared, DryAnswer, DryMotion, DryMotions, Fleet, LockedPart, NotReady, PartLock,
    PlannedJobs, Sensing, StepCall, StepOf, TurnCall, TurnEnd, TurnHindrance,
};
