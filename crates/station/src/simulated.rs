//! The simulated site: its process, its providers and its plan.

pub(crate) mod sim_providers;
pub(crate) mod sim_site_plan;
pub(crate) mod simulator;
