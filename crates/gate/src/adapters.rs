//! Adapters: each speaks one protocol of robots, and the contract is `adapter`.

#[cfg(any(feature = "exec", feature = "vda5050"))]
pub(crate) mod bounds;
#[cfg(feature = "exec")]
pub(crate) mod exec;
#[cfg(any(feature = "ros2", feature = "vda5050"))]
mod goal_speed;
#[cfg(feature = "ros2")]
pub(crate) mod ros2;
#[cfg(feature = "vda5050")]
pub(crate) mod vda5050;
