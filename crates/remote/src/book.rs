//! The stations that this desk remembers, in a file without any token.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use api::{ErrorBody, HostCode, RememberedStation, lock};
use serde::{Deserialize, Serialize};

const FILE: &str = "remote-stations.json";
/// Far more than a desk has use for.
const BYTES_MAX: u64 = 256 * 1024;

/// The form of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    stations: Vec<RememberedStation>,
}

/// The file and what stands in it.
#[derive(Debug)]
pub(crate) struct Book {
    path: PathBuf,
    stations: Mutex<Vec<RememberedStation>>,
}

impl Book {
    /// Reads what stands in `folder`. A file that cannot be read is left as it is until something is remembered anew.
    pub fn open(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let read = files::read_text(&path, BYTES_MAX)
            .and_then(|text| serde_json::from_str::<Written>(&text).map_err(std::io::Error::from));
        let stations = match read {
            Ok(written) => written.stations,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "the remembered stations cannot be read");
                Vec::new()
            }
        };
        Self { path, stations: Mutex::new(stations) }
    }

    pub fn list(&self) -> Vec<RememberedStation> {
        lock(&self.stations).clone()
    }

    pub fn find(&self, address: &str) -> Option<RememberedStation> {
        lock(&self.stations).iter().find(|station| station.address == address).cloned()
    }

    /// Remembers a station, in the place of another one at the same address.
    pub fn put(&self, station: RememberedStation) -> Result<(), ErrorBody> {
        self.change(|stations| {
            stations.retain(|known| known.address != station.address);
            stations.push(station);
            stations.sort_by(|a, b| (&a.name, &a.address).cmp(&(&b.name, &b.address)));
        })
    }

    pub fn remove(&self, address: &str) -> Result<(), ErrorBody> {
        self.change(|stations| stations.retain(|known| known.address != address))
    }

    fn change(&self, change: impl FnOnce(&mut Vec<RememberedStation>)) -> Result<(), ErrorBody> {
        let mut stations = lock(&self.stations);
        let mut written = Written { stations: stations.clone() };
        change(&mut written.stations);
        let failed = |error: &dyn std::fmt::Display| {
            ErrorBody::new(HostCode::Internal, format!("{} cannot be written: {error}.", self.path.display()))
        };
        let text = serde_json::to_vec_pretty(&written).map_err(|error| failed(&error))?;
        // The disk first: what is listed has been written.
        files::replace(&self.path, &text).map_err(|error| failed(&error))?;
        *stations = written.stations;
        Ok(())
    }
}
