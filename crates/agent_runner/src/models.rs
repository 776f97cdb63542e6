//! Language models: which one an agent uses, whether it answers, and what its calls cost.

pub(crate) mod agent_model;
pub(crate) mod ledger;
pub(crate) mod model_health;
pub(crate) mod model_registry;
pub(crate) mod stream;
