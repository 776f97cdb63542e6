//! Discovery of a ROS 2 graph: its nodes, topics and parameters, and what they mean for a gate.

pub(super) mod facts;
pub(super) mod graph;
pub(super) mod monitors;
pub(super) mod mux;
pub(super) mod nodes;
pub(super) mod parameters;
