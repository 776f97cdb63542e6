//! The robots of a station: taken up, shown by their models, locked out, and removed.

pub(crate) mod models;
pub(crate) mod removal;
pub(crate) mod robot_lockout;
pub(crate) mod take_up;
