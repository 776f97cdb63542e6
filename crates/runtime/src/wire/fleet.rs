//! Robots, their control, their limits and their set-up on the wire.

pub(in crate::wire) mod commissioning;
pub(in crate::wire) mod control;
pub(in crate::wire) mod finding;
pub(in crate::wire) mod idle;
pub(in crate::wire) mod manifest;
pub(in crate::wire) mod pairing;
pub(in crate::wire) mod robots;
pub(in crate::wire) mod stop;
