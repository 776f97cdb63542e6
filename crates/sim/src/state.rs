//! State that the site's robots keep between two runs: each its key and its gate's memory, as on a robot's own disk.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::Context as _;
use bridge::robot_gate::{Credentials, GateFile, GateStore, Volatile};
use bridge::signing::{PublicKey, SigningKey};
use robot::{RobotId, StationId};

/// Longer than any key.
const KEY_BYTES_MAX: u64 = 1 << 10;

/// Parts that a robot's gate needs beside its manifest.
pub struct GateParts {
    /// The robot's key and the stations it knows.
    pub credentials: Credentials,
    /// Store of its epoch and latch.
    pub store: Box<dyn GateStore>,
}

/// Opens the parts of each gate. Without `folder` every run is a first one.
pub fn gates<'a>(
    robots: impl IntoIterator<Item = &'a RobotId>,
    stations: &BTreeMap<StationId, PublicKey>,
    folder: Option<&Path>,
) -> anyhow::Result<BTreeMap<RobotId, GateParts>> {
    if let Some(folder) = folder {
        files::private_folder(folder).with_context(|| format!("{} could not be made", folder.display()))?;
    }
    let parts = |robot: &RobotId| -> anyhow::Result<GateParts> {
        let file = |ending: &str| folder.map(|folder| folder.join(format!("{robot}.{ending}")));
        let key = match file("key") {
            Some(path) => kept_key(&path).with_context(|| format!("{} is of no use", path.display()))?,
            None => SigningKey::generate()?,
        };
        let store: Box<dyn GateStore> = match file("json") {
            Some(path) => Box::new(GateFile::new(path)),
            None => Box::new(Volatile),
        };
        Ok(GateParts { credentials: Credentials { key, stations: stations.clone() }, store })
    };
    robots.into_iter().map(|robot| Ok((robot.clone(), parts(robot)?))).collect()
}

/// `manifest` with the public key of this run in place of the example.
#[must_use]
pub fn with_key(manifest: &str, key: &PublicKey) -> String {
    let line = |line: &str| {
        if line.starts_with("public_key") { format!("public_key = \"{key}\"\n") } else { format!("{line}\n") }
    };
    manifest.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

/// The key in `path`; made at the first run, readable by its owner only.
fn kept_key(path: &Path) -> anyhow::Result<SigningKey> {
    match key_bytes(path) {
        Ok(bytes) => {
            let seed = bytes.as_slice().try_into().context("expected the 32 bytes of a key")?;
            Ok(SigningKey::from_seed(seed))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = SigningKey::generate()?;
            files::make(path, key.seed())?;
            Ok(key)
        }
        Err(error) => Err(error.into()),
    }
}

fn key_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open(path)?.take(KEY_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::MANIFESTS;

    #[test]
    fn a_robot_keeps_its_key_where_there_is_a_folder_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let robots: Vec<RobotId> = ["arm-1", "rover-1"].map(|id| id.parse().unwrap()).into();
        let keys = |folder| {
            let gates = gates(&robots, &BTreeMap::new(), folder).unwrap();
            gates.into_values().map(|parts| parts.credentials.key.public()).collect::<Vec<_>>()
        };
        let first = keys(Some(folder.path()));
        assert_eq!(keys(Some(folder.path())), first);
        assert_ne!(first[0], first[1]);
        assert_ne!(keys(None), keys(None));
        std::fs::write(folder.path().join("arm-1.key"), "short").unwrap();
        assert!(gates(&robots, &BTreeMap::new(), Some(folder.path())).is_err());
    }

    #[test]
    fn f26_a_link_in_the_place_of_a_key_or_a_memory_is_refused_and_leads_nowhere() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let robots: Vec<RobotId> = vec!["arm-1".parse().unwrap()];
        let theirs = outside.path().join("key");
        std::fs::write(&theirs, [7; 32]).unwrap();
        std::os::unix::fs::symlink(&theirs, folder.path().join("arm-1.key")).unwrap();
        assert!(gates(&robots, &BTreeMap::new(), Some(folder.path())).is_err());
        std::fs::remove_file(folder.path().join("arm-1.key")).unwrap();
        std::os::unix::fs::symlink(&theirs, folder.path().join("arm-1.json")).unwrap();
        let mut all = gates(&robots, &BTreeMap::new(), Some(folder.path())).unwrap();
        let mut parts = all.remove(&robots[0]).unwrap();
        assert!(parts.store.load().is_err());
        assert_eq!(std::fs::read(&theirs).unwrap(), [7; 32]);
    }

    #[test]
    fn the_manifest_that_is_shown_holds_the_key_of_the_run() {
        let key = SigningKey::from_seed(&[1; 32]).public();
        for (id, text) in MANIFESTS {
            let manifest = robot::Manifest::parse(&with_key(text, &key), id).unwrap();
            assert_eq!(manifest.public_key, Some(key.to_string()), "{id}");
        }
    }
}
