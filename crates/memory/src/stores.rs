//! Tables of the databases, one module for what belongs together.

pub(crate) mod alarm_store;
pub(crate) mod alert_store;
pub(crate) mod belief_store;
pub(crate) mod event_store;
pub(crate) mod mission_dry_runs;
pub(crate) mod mission_history;
pub(crate) mod mission_store;
pub mod model_calls;
pub(crate) mod proposal;
pub(crate) mod review_store;
pub(crate) mod room_store;
pub(crate) mod turn_store;
pub(crate) mod world_store;
