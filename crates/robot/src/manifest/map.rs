//! Map of a robot: where its messages are.

use serde::Deserialize;

/// The map in which a robot localises itself, or that it makes: `nav_msgs/OccupancyGrid` of ROS 2 in CDR.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSource {
    /// Key expression of its messages, without wildcards.
    pub key: String,
}
