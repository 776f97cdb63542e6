//! Faults of a map's messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Reason for which a robot's map is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MapFault {
    /// Its message has more than 8 MiB.
    TooLarge,
    /// The message is no `nav_msgs/OccupancyGrid`.
    NotGrid,
    /// It has another number of cells than width times height, or more than 8192 in a row or a column, or none.
    WrongSize,
    /// The size of a cell is not between 1 mm and 10 m, or its place on the ground is not said.
    NotPlaced,
}
