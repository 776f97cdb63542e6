//! Robots that are added while the station runs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fleet::{MANIFEST_BYTES_MAX, TakeUpError};
use robot::{Effect, Manifest, RobotId, Role, Trust};
use runtime::error::OpError;
use runtime::operation::{Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{ManifestMeaning, RobotAdded, Tag};
use runtime::{disk, error::RuntimeCode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::Station;
use crate::code::StationCode;

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
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ManifestText {
    /// The text of the manifest, TOML.
    manifest: String,
}

async fn check_manifest(station: Arc<Station>, _: Session, input: ManifestText) -> Result<ManifestMeaning, OpError> {
    let manifest = read(&input.manifest)?;
    let is_known = station.fleet.unit(&manifest.id).is_ok();
    Ok(ManifestMeaning::of(&manifest, is_known))
}

async fn add_robot(station: Arc<Station>, _: Session, input: ManifestText) -> Result<RobotAdded, OpError> {
    let robot = add(&station, input.manifest).await?;
    Ok(RobotAdded { robot })
}

/// Keeps the manifest of a robot, and takes the robot up.
pub(crate) async fn add(station: &Arc<Station>, text: String) -> Result<RobotId, OpError> {
    let manifest = read(&text)?;
    let robot = manifest.id.clone();
    if station.fleet.unit(&robot).is_ok() {
        return Err(OpError::new(StationCode::RobotExists, format!("A robot {robot} is there already.")));
    }
    let path = station.runtime.layout.robots.join(format!("{robot}.toml"));
    let before = kept(&path).await?;
    let is_refused = station.fleet.unusable().contains_key(robot.as_str());
    if before.as_ref().is_some_and(|before| *before != text) && !is_refused {
        let message = format!("{} holds another manifest, which this station has not read.", path.display());
        return Err(OpError::new(StationCode::RobotExists, message));
    }
    disk::replace(path.clone(), text).await.map_err(|error| not_written(&path, &error))?;
    if let Err(error) = station.fleet.take_up(manifest, false).await {
        put_back(&path, before).await.map_err(|error| not_written(&path, &error))?;
        return Err(match error {
            TakeUpError::Unusable(problem) => OpError::bad_input(StationCode::BadManifest, "manifest", problem),
            TakeUpError::Failed(error) => OpError::new(StationCode::RobotNotAdded, error.to_string()),
        });
    }
    station.runtime.bus.changed(Tag::Robots);
    station.runtime.bus.changed(Tag::Connections);
    Ok(robot)
}

pub(crate) fn read(text: &str) -> Result<Manifest, OpError> {
    let bad = |problem: String| OpError::bad_input(StationCode::BadManifest, "manifest", problem);
    Manifest::parse_new(text).map_err(|error| bad(error.to_string()))
}

/// The text of the file that is there now.
async fn kept(path: &Path) -> Result<Option<String>, OpError> {
    let place = path.to_owned();
    match disk::blocking(move || files::read_text(&place, MANIFEST_BYTES_MAX)).await {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpError::new(StationCode::RobotExists, format!("{} is in the way: {error}", path.display()))),
    }
}

async fn put_back(path: &Path, before: Option<String>) -> io::Result<()> {
    let path = path.to_owned();
    match before {
        Some(text) => disk::replace(path, text).await,
        None => disk::blocking(move || files::remove(&path)).await,
    }
}

fn not_written(path: &Path, error: &io::Error) -> OpError {
    OpError::new(RuntimeCode::StorageFull, format!("{} cannot be written: {error}.", path.display()))
}
