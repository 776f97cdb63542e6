//! Permission to move a robot: who holds it, what a command of theirs needs, and whether somebody is there to watch.

pub mod command_authorization;
pub mod control_handover;
pub(crate) mod presence;
pub mod ui_watchdog;
pub(crate) mod unconstrained_grants;
