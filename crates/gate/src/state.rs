//! The folder of a gate: its key, which never leaves it, and what it must remember.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bridge::robot_gate::GateFile;
use bridge::signing::{PublicKey, SigningKey};
use robot::StationId;

use crate::code::GateCode;
use crate::error::GateError;

/// Longer than any key.
const KEY_BYTES_MAX: u64 = 1 << 10;
/// File with the id and the key of the station that the gate was paired with.
const PAIRED: &str = "station.key";

/// A gate's folder that no other gate uses.
#[derive(Debug)]
pub struct StateFolder {
    path: PathBuf,
    _held: File,
}

impl StateFolder {
    /// Opens the folder, or makes it.
    pub fn open(path: &Path) -> Result<Self, GateError> {
        let held = files::private_folder(path).and_then(|()| files::hold(&path.join("lock")));
        match held.map_err(|error| unusable(path, &error))? {
            Some(held) => Ok(Self { path: path.to_owned(), _held: held }),
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
        files::replace(&path, format!("{station}={key}\n").as_bytes()).map_err(|error| unusable(&path, &error))
    }

    /// Forgets the station that this gate was paired with; false if there is none.
    pub fn forget_station(&self) -> Result<bool, GateError> {
        let path = self.path.join(PAIRED);
        match files::remove(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(unusable(&path, &error)),
        }
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
            Err(_) => Err(GateError::new(GateCode::StateUnusable, format!("{} is no key of 32 bytes", path.display()))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key =
                SigningKey::generate().map_err(|error| GateError::new(GateCode::StateUnusable, error.to_string()))?;
            files::make(&path, key.seed()).map_err(|error| unusable(&path, &error))?;
            Ok(key)
        }
        Err(error) => Err(unusable(&path, &error)),
    }
}

/// The key in a gate's folder, if it has one.
pub fn key_if_made(folder: &Path) -> Result<Option<SigningKey>, GateError> {
    if folder.join("key").exists() { key(folder).map(Some) } else { Ok(None) }
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
    fn rg_01_one_gate_at_a_time_uses_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = StateFolder::open(folder.path()).unwrap();
        assert_eq!(StateFolder::open(folder.path()).unwrap_err().code, GateCode::StateUnusable);
        drop(first);
        assert!(StateFolder::open(folder.path()).is_ok());
    }
}
