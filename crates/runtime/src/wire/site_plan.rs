//! The site plan on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use world::SitePlan;

/// The origin of a site plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SitePlanOrigin {
    /// There is no plan.
    None,
    /// The plan of the simulated site, shown while every robot is simulated and nobody has saved another.
    Simulator,
    /// Somebody saved it.
    Saved,
}

/// The answer of `get_site_plan`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SitePlanRow {
    /// Rises with every plan that is saved; 0 before the first.
    #[ts(type = "number")]
    pub version: u64,
    /// The origin of the plan.
    pub origin: SitePlanOrigin,
    /// Name of the session that saved it.
    pub saved_by: Option<String>,
    /// When it was saved, Unix milliseconds.
    #[ts(type = "number | null")]
    pub saved_at_ms: Option<i64>,
    /// The plan; without walls and areas if there is none.
    pub plan: SitePlan,
}

/// The answer of `save_site_plan`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SitePlanSaved {
    /// The version of the saved plan.
    #[ts(type = "number")]
    pub version: u64,
}
