//! Missions on the wire.

pub(in crate::wire) mod mission;
pub(in crate::wire) mod mission_draft;
pub(in crate::wire) mod mission_dry_run;
pub(in crate::wire) mod mission_goal;
pub(in crate::wire) mod mission_graph;
pub(in crate::wire) mod mission_history;
