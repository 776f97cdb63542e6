//! Alarms on the wire. A row is defined where it is made, in `world::alarm`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use world::alarm::{AlarmCounts, AlarmFigures, AlarmRow};

/// The answer of operations with which a person changes alarms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmsChanged {
    /// The alarms as they are now.
    pub alarms: Vec<AlarmRow>,
}

/// The answer of `alarm_figures`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmReport {
    /// The figures of the span.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figures: AlarmFigures,
    /// Counts of the present alarms, also of those that the list does not show.
    pub now: AlarmCounts,
}
