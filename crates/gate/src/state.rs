//! The folder of a gate: its key, which never leaves it, and what it must remember.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bridge::pairing::RobotBundle;
use bridge::robot_gate::GateFile;
use bridge::signing::{PublicKey, SigningKey};
use robot::StationId;

use crate::code::GateCode;
use crate::error::GateError;

/// Longer than any key.
const KEY_BYTES_MAX: u64 = 1 << 10;
/// File with the id and the key of the station that the gate was paired with.
const PAIRED: &str = "station.key";
/// Folder with the bundle that the gate got in a sealed pairing; its `station.key` is like [`PAIRED`].
const BUNDLE: &str = "bundle";

/// A gate's folder that no other gate uses.
#[derive(Debug)]
pub struct StateFolder {
    path: PathBuf,
    _held: File,
}

impl StateFolder {
    /// Opens the folder, or makes it.
    pub fn open(path: &Path) -> Result<Self, GateError> {
        // Two gates of one folder would speak for the same robot and overwrite each other's epoch and latch.
        let held = files::private_folder(path).and_then(|()| files::hold(&path.join("lock")));
        match held.map_err(|error| unusable(path, &error))? {
            Some(held) => {
                // A gate that was killed while it wrote a bundle has left the robot's key there.
                files::sweep(path).map_err(|error| unusable(path, &error))?;
                Ok(Self { path: path.to_owned(), _held: held })
            }
            None => Err(GateError::new(GateCode::StateUnusable, format!("another gate uses {}", path.display()))),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The gate's key; made at the first call, readable by its owner only.
    pub fn key(&self) -> Result<SigningKey, GateError> {
        key(&self.path)
    }

    /// Keeps the station that this gate was paired with, in place of an earlier one.
    pub fn keep_station(&self, station: &StationId, key: &PublicKey) -> Result<(), GateError> {
        let path = self.path.join(PAIRED);
        files::replace(&path, station_text(station, key).as_bytes()).map_err(|error| unusable(&path, &error))
    }

    /// Keeps the credentials of a sealed pairing and the station that has sent them, in place of earlier ones: at
    /// each moment all of the earlier or all of the new.
    pub fn keep_bundle(
        &self,
        bundle: &RobotBundle,
        station: &StationId,
        key: &PublicKey,
    ) -> Result<PathBuf, GateError> {
        let path = paired_bundle(&self.path);
        let mut files = bundle.files();
        files.push((PAIRED.to_owned(), station_text(station, key).into_bytes()));
        files::replace_whole_folder(&path, &files).map_err(|error| unusable(&path, &error))?;
        Ok(path)
    }

    /// Forgets the station that this gate was paired with, and its way there; false if there is none.
    pub fn forget_station(&self) -> Result<bool, GateError> {
        let path = self.path.join(PAIRED);
        let was_paired = path.try_exists().map_err(|error| unusable(&path, &error))?;
        files::remove(&path).map_err(|error| unusable(&path, &error))?;
        let path = paired_bundle(&self.path);
        let had_bundle = files::remove_whole_folder(&path).map_err(|error| unusable(&path, &error))?;
        Ok(was_paired || had_bundle)
    }

    /// Store of epoch and latch.
    #[must_use]
    pub fn memory(&self) -> GateFile {
        GateFile::new(self.path.join("memory.json"))
    }
}

/// The key in a gate's folder; made if there is none.
pub fn key(folder: &Path) -> Result<SigningKey, GateError> {
    files::private_folder(folder).map_err(|error| unusable(folder, &error))?;
    let path = folder.join("key");
    match key_bytes(&path) {
        Ok(bytes) => match bytes.as_slice().try_into() {
            Ok(seed) => Ok(SigningKey::from_seed(seed)),
            // A damaged key is not replaced: the manifest and the station still name the old one.
            Err(_) => Err(GateError::new(GateCode::StateUnusable, format!("{} is no key of 32 bytes", path.display()))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key =
                SigningKey::generate().map_err(|error| GateError::new(GateCode::StateUnusable, error.to_string()))?;
            // Fails if another process has made the key meanwhile: the manifest may name that one already.
            files::make(&path, key.seed()).map_err(|error| unusable(&path, &error))?;
            Ok(key)
        }
        Err(error) => Err(unusable(&path, &error)),
    }
}

/// The key in a gate's folder, if it has one.
pub fn key_if_made(folder: &Path) -> Result<Option<SigningKey>, GateError> {
    let path = folder.join("key");
    // A folder that cannot be looked into may have a key: `exists` would say that it has none.
    let is_made = path.try_exists().map_err(|error| unusable(&path, &error))?;
    is_made.then(|| key(folder)).transpose()
}

/// The station that the gate of this folder was paired with, with its key.
pub fn paired_station(folder: &Path) -> Result<Option<(StationId, PublicKey)>, GateError> {
    let path = folder.join(PAIRED);
    match files::read_text(&path, KEY_BYTES_MAX) {
        Ok(text) => read_station(&path, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(&path, &error)),
    }
}

/// Folder of the bundle from a sealed pairing, in a gate's folder.
pub fn paired_bundle(folder: &Path) -> PathBuf {
    folder.join(BUNDLE)
}

fn station_text(station: &StationId, key: &PublicKey) -> String {
    format!("{station}={key}\n")
}

/// Reads `ID=KEY`, the content of the file at `path`.
pub fn read_station(path: &Path, text: &str) -> Result<(StationId, PublicKey), GateError> {
    let bad = |message: String| GateError::new(GateCode::BadStation, format!("{}: {message}", path.display()));
    let (id, key) = text.trim().split_once('=').ok_or_else(|| bad("it is no `ID=KEY`".to_owned()))?;
    let id = StationId::new(id).map_err(|error| bad(error.to_string()))?;
    Ok((id, key.parse().map_err(|error| bad(format!("{error}")))?))
}

fn key_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open(path)?.take(KEY_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unusable(path: &Path, error: &io::Error) -> GateError {
    GateError::new(GateCode::StateUnusable, format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn rg_34_the_first_start_makes_a_private_key_and_every_later_one_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rover-9.state");
        assert!(key_if_made(&path).unwrap().is_none());
        let made = StateFolder::open(&path).unwrap().key().unwrap().public();
        assert_eq!(key_if_made(&path).unwrap().unwrap().public(), made);
        let mode = std::fs::metadata(path.join("key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(path.join("key"), "short").unwrap();
        assert_eq!(key(&path).err().unwrap().code, GateCode::StateUnusable);
    }

    #[test]
    fn rg_34_a_folder_that_cannot_be_looked_into_is_not_said_to_have_no_key() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(key_if_made(file.path()).err().unwrap().code, GateCode::StateUnusable);
    }

    #[test]
    fn rg_01_one_gate_at_a_time_uses_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = StateFolder::open(folder.path()).unwrap();
        assert_eq!(StateFolder::open(folder.path()).unwrap_err().code, GateCode::StateUnusable);
        drop(first);
        assert!(StateFolder::open(folder.path()).is_ok());
    }

    fn bundle(certificate: &str) -> RobotBundle {
        RobotBundle {
            robot: robot::RobotId::new("rover-9").unwrap(),
            router: "tls/router.lab:7447".to_owned(),
            authority: "authority".to_owned(),
            certificate: certificate.to_owned(),
            key: format!("key of {certificate}").into(),
        }
    }

    #[test]
    fn rg_36_a_bundle_is_kept_for_its_owner_alone_and_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::open(folder.path()).unwrap();
        let station = StationId::new("st-1").unwrap();
        let key = SigningKey::generate().unwrap().public();
        state.keep_bundle(&bundle("first"), &station, &key).unwrap();
        let kept = state.keep_bundle(&bundle("second"), &station, &key).unwrap();
        let read = |name: &str| std::fs::read_to_string(kept.join(name)).unwrap();
        assert_eq!((read("certificate.pem"), read("key.pem")), ("second".to_owned(), "key of second".to_owned()));
        assert_eq!(read_station(&kept, &read("station.key")).unwrap(), (station, key));
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&kept), mode(&kept.join("key.pem"))), (0o700, 0o600));
        assert!(state.forget_station().unwrap() && !kept.exists());
        assert!(!state.forget_station().unwrap(), "there is nothing left to forget");
    }

    #[test]
    fn rg_36_a_gate_that_was_killed_while_it_wrote_a_bundle_has_the_earlier_one_and_leaves_no_key_about() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::open(folder.path()).unwrap();
        let station = StationId::new("st-1").unwrap();
        let key = SigningKey::generate().unwrap().public();
        let kept = state.keep_bundle(&bundle("first"), &station, &key).unwrap();
        drop(state);
        let half = folder.path().join(".unfinished-x1");
        std::fs::create_dir(&half).unwrap();
        std::fs::write(half.join("key.pem"), "key of second").unwrap();
        StateFolder::open(folder.path()).unwrap();
        assert!(!half.exists());
        assert_eq!(std::fs::read_to_string(kept.join("certificate.pem")).unwrap(), "first");
    }
}
