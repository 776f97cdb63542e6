//! Robots that are added and removed while the station runs.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use runtime::error::OpError;
use runtime::operation::{OfRobot, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{ManifestMeaning, RobotAdded, RobotRemoved};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Operation, robot_removal};
use crate::{Station, manifests};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "check_manifest",
            Terms(Viewer, Read, UI, Trust::Text),
            "Says what a manifest means, and adds nothing.",
            check_manifest,
        )
        .example(json!({ "manifest": "schema = 1\nid = \"rover-9\"\n…" })),
        row(
            "add_robot",
            Terms(Admin, Write, UI, Trust::Text),
            "Adds a robot by its manifest, which is kept. It starts disarmed.",
            add_robot,
        )
        .example(json!({ "manifest": "schema = 1\nid = \"rover-9\"\n…" })),
        row(
            "remove_robot",
            Terms(Admin, Write, UI, Trust::Text),
            "Removes a robot that stands disarmed, or does not answer. Its records, limits and stops stay.",
            remove_robot,
        )
        .example(json!({ "robot": "rover-9" })),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ManifestText {
    /// The text of the manifest, TOML.
    manifest: String,
}

async fn check_manifest(station: Arc<Station>, _: Session, input: ManifestText) -> Result<ManifestMeaning, OpError> {
    let manifest = manifests::read(&input.manifest)?;
    let is_known = station.fleet.unit(&manifest.id).is_ok();
    Ok(ManifestMeaning::of(&manifest, is_known))
}

async fn add_robot(station: Arc<Station>, _: Session, input: ManifestText) -> Result<RobotAdded, OpError> {
    let robot = manifests::add(&station.fleet, input.manifest).await?;
    Ok(RobotAdded { robot })
}

async fn remove_robot(station: Arc<Station>, by: Session, input: OfRobot) -> Result<RobotRemoved, OpError> {
    robot_removal::remove(&station, &by, &input.robot).await
}
