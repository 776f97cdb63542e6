//! Operations on maps of robots.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Sensing;
use runtime::error::OpError;
use runtime::operation::{Operation, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{RobotMap, RobotMapSeen};

/// Their rows.
pub fn rows() -> Vec<Operation<Arc<Sensing>>> {
    let terms = Terms(Role::Viewer, Effect::Read, UI, Trust::Typed);
    vec![row(
        "list_robot_maps",
        terms,
        "The newest map of each robot that shows one, and where it lies.",
        list_robot_maps,
    )]
}

/// Input of `list_robot_maps`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskedMaps {
    /// Maps that the caller has; their pictures are not sent again.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    seen: Vec<RobotMapSeen>,
}

async fn list_robot_maps(sensing: Arc<Sensing>, _: Session, input: AskedMaps) -> Result<Vec<RobotMap>, OpError> {
    Ok(sensing.robot_maps(&input.seen).await)
}
