//! The newest end of the chain, kept outside the database: in the file `audit.mark`, and in the keychain where there is
//! one. A database whose end was cut off, or that was written anew, does not fit it.

use std::io;
use std::path::{Path, PathBuf};

use robot::StationId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::chain::Head;
use crate::disk;
use crate::secrets::KeyStore;

/// The name of the file.
pub(super) const MARK_FILE: &str = "audit.mark";
/// A mark has some hundred bytes.
const FILE_BYTES_MAX: u64 = 4_096;

/// A record of the chain by number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    pub seq: u64,
    pub hash: String,
}

impl Place {
    /// The end of the chain at this record.
    pub fn head(&self) -> Head {
        Head::at(self.seq, self.hash.clone())
    }
}

impl From<&Head> for Place {
    fn from(head: &Head) -> Self {
        Self { seq: head.seq, hash: head.hash().to_owned() }
    }
}

/// From where on the chain counts after an administrator has taken the audit as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Base {
    /// The newest record at that moment.
    pub at: Place,
    /// The newest anchor at that moment; it may be one of a record that is gone.
    pub stale_anchors: u64,
}

/// The end of the chain that is kept outside the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    pub station: StationId,
    /// The newest record when it was written.
    pub end: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
}

/// The places in which marks are kept.
#[derive(Debug)]
pub(crate) struct Marks {
    path: PathBuf,
    keys: KeyStore,
    /// The name in the keychain. By the folder and not by the station: a database made anew has another station's id.
    entry: String,
}

impl Marks {
    pub fn new(root: &Path, keys: KeyStore) -> Self {
        let folder = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
        let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { path: root.join(MARK_FILE), keys, entry: format!("audit mark {short}") }
    }

    /// The mark in the file; none if there is no file.
    pub async fn in_file(&self) -> io::Result<Option<Mark>> {
        let path = self.path.clone();
        match disk::blocking(move || files::read_text(&path, FILE_BYTES_MAX)).await {
            Ok(text) => serde_json::from_str(&text).map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The mark in the keychain; none if it has none or there is no keychain. What is no mark is an error.
    pub async fn in_keychain(&self) -> Result<Option<Mark>, String> {
        match self.keys.note(self.entry.clone()).await {
            Ok(None) => Ok(None),
            Ok(Some(text)) => serde_json::from_str(&text).map(Some).map_err(|error| error.to_string()),
            Err(error) => {
                tracing::info!(%error, "the mark of the audit is kept in its file alone");
                Ok(None)
            }
        }
    }

    pub async fn keep_in_file(&self, mark: &Mark) -> io::Result<()> {
        disk::replace(self.path.clone(), serde_json::to_string(mark).map_err(io::Error::other)?).await
    }

    /// Keeps it in the keychain too, where there is one.
    pub async fn keep_in_keychain(&self, mark: &Mark) {
        let text = serde_json::to_string(mark).unwrap_or_default();
        if let Err(error) = self.keys.keep_note(self.entry.clone(), text).await {
            tracing::info!(%error, "the mark of the audit is kept in its file alone");
        }
    }
}
