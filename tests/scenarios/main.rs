//! The whole station on the simulated site. Every scenario waits on what happens, with a deadline, and names the
//! seed that replays a failure.

mod agent;
mod agents;
mod alarms;
mod audit;
mod autonomy;
mod beliefs;
mod control;
mod conversations;
mod episodes;
mod escape;
mod fallbacks;
mod forgotten_value;
mod gate;
mod going_on;
mod isolation;
mod jobs;
mod limits;
mod missions;
mod motion;
mod notes;
mod operations;
mod proposals;
mod providers;
mod recordings;
mod rooms;
mod rules;
mod screens;
mod sensing;
mod stopping;
mod store;
mod supervision;
mod tools;
mod turns;
mod unknown_ids;
mod world;
