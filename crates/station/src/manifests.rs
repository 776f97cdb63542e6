//! Manifests of robots that join while the station runs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fleet::{Fleet, TakeUpError};
use robot::{Manifest, RobotId};
use runtime::disk;
use runtime::error::{OpError, RuntimeCode};
use runtime::wire::Tag;

use crate::code::StationCode;

/// Keeps the manifest of a robot, and takes the robot up.
///
/// # Errors
/// Nothing of it is kept.
pub(crate) async fn add(fleet: &Arc<Fleet>, text: String) -> Result<RobotId, OpError> {
    let manifest = read(&text)?;
    let robot = manifest.id.clone();
    // Held to the end: two requests for one robot would both find its id free.
    let manifests = fleet.manifests.lock().await;
    if fleet.unit(&robot).is_ok() {
        return Err(OpError::new(StationCode::RobotExists, format!("A robot {robot} is there already.")));
    }
    let path = manifests.join(format!("{robot}.toml"));
    let before = kept(&path).await?;
    // Another file under this name may wait for the next start; only one that this start refused is replaced.
    let is_refused = fleet.unusable().contains_key(robot.as_str());
    if before.as_ref().is_some_and(|before| *before != text) && !is_refused {
        let message = format!("{} holds another manifest, which this station has not read.", path.display());
        return Err(OpError::new(StationCode::RobotExists, message));
    }
    // On disk before the robot is there: one that could be armed now must not be gone after a restart.
    let mut simulated = fleet.runtime.db.simulated_robots().await?;
    if simulated.remove(robot.as_str()) {
        fleet.runtime.db.save_simulated_robots(&simulated).await?;
    }
    disk::replace(path.clone(), text).await.map_err(|error| not_written(&path, &error))?;
    if let Err(error) = fleet.take_up(manifest, false).await {
        put_back(&path, before).await.map_err(|error| not_written(&path, &error))?;
        return Err(match error {
            TakeUpError::Unusable(problem) => {
                OpError::bad_input(StationCode::BadManifest, "manifest", problem.to_string())
            }
            TakeUpError::Failed(error) => OpError::new(StationCode::RobotNotAdded, error.to_string()),
        });
    }
    fleet.runtime.bus.changed(Tag::Robots);
    fleet.runtime.bus.changed(Tag::Connections);
    Ok(robot)
}

/// Reads the text of a manifest that is no file yet.
pub(crate) fn read(text: &str) -> Result<Manifest, OpError> {
    let bad = |problem: String| OpError::bad_input(StationCode::BadManifest, "manifest", problem);
    Manifest::parse_new(text).map_err(|error| bad(error.to_string()))
}

/// The text of the file that is there now.
pub(crate) async fn kept(path: &Path) -> Result<Option<String>, OpError> {
    let place = path.to_owned();
    match disk::blocking(move || files::read_text(&place, Manifest::BYTES_MAX)).await {
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

/// The refusal of a disk that does not take a manifest.
pub(crate) fn not_written(path: &Path, error: &io::Error) -> OpError {
    OpError::new(RuntimeCode::StorageFull, format!("{} cannot be written: {error}.", path.display()))
}
