//! Graphs as they were recorded, told apart and made into fields.
