//! Agents, their memory and their models on the wire.

pub(in crate::wire) mod agent;
pub(in crate::wire) mod belief;
pub(in crate::wire) mod job;
pub(in crate::wire) mod memory;
pub(in crate::wire) mod model;
pub(in crate::wire) mod provider;
pub(in crate::wire) mod room;
pub(in crate::wire) mod tool;
