//! Composes one running system: tasks, clock, supervision, shutdown, and the operation table.
