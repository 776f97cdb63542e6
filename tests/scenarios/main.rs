//! The whole station on the simulated site. Every scenario waits on what happens, with a deadline, and names the
//! seed that replays a failure.

mod agent;
mod agents;
mod audit;
mod control;
mod episodes;
mod escape;
mod fallbacks;
mod gate;
mod limits;
mod motion;
mod operations;
mod proposals;
mod recordings;
mod screens;
mod sensing;
mod stopping;
mod store;
mod supervision;
