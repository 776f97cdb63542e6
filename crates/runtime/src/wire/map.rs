//! Maps of robots as screens see them.

use robot::{MapFault, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The newest map of a robot, or the reason that there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotMap {
    /// The robot.
    pub robot: RobotId,
    /// Station clock at the arrival of the newest map, milliseconds; null until there is one.
    #[ts(type = "number | null")]
    pub observed_mono_ms: Option<u64>,
    /// The fault of the newest message, if it is not shown.
    pub fault: Option<MapFault>,
    /// The place of the newest map.
    pub grid: Option<MapGrid>,
    /// The newest map as a grey PNG in base64: 0 free to 100 occupied, 255 unknown, the first row at the origin. Null
    /// for a map that the caller has seen, and for one that comes with the next answer.
    pub png_base64: Option<String>,
}

/// The place of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MapGrid {
    /// Frame in which it lies, as the robot names it.
    pub frame: String,
    /// Length of a cell's edges, metres.
    pub resolution_m: f64,
    /// Cells in a row.
    pub width_cells: u32,
    /// Cells in a column.
    pub height_cells: u32,
    /// Outer corner of the first cell, metres.
    pub origin_m: [f64; 2],
    /// Direction of the rows, radians.
    pub yaw_rad: f64,
}

/// A map that a caller has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RobotMapSeen {
    /// The robot.
    pub robot: RobotId,
    /// `observed_mono_ms` of its map.
    #[ts(type = "number")]
    pub observed_mono_ms: u64,
}
