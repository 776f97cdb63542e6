//! Missions as people and agents see them: rows, the graph, reasons, runs and history.

pub(crate) mod graph;
pub(crate) mod graph_edges;
pub(crate) mod graph_rows;
pub(crate) mod history;
pub(crate) mod reasons;
pub(crate) mod rows;
pub(crate) mod runs;
