//! The newest end of the chain, kept outside the database: in the file `audit.mark`, and in the keychain where there is
//! one. A database whose end was cut off, or that was written anew, does not fit it. The station's audit key signs it,
//! so that write access to the file is not enough to make a mark.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use robot::StationId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::anchor::{is_signature, signature};
use super::chain::{Head, canonical_hash};
use crate::disk;
use crate::secrets::{KeyStore, SecretError};

/// The name of the file.
pub(super) const MARK_FILE: &str = "audit.mark";
/// A mark has some hundred bytes.
const FILE_BYTES_MAX: u64 = 4_096;
/// Domain of a mark's signature, so that it never passes for one of something else.
const PURPOSE: &str = "quarterdeck audit mark 1";

/// A record of the chain by number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
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
pub struct Base {
    /// The newest record at that moment.
    pub at: Place,
    /// The newest anchor at that moment; it may be one of a record that is gone.
    pub stale_anchors: u64,
}

/// The end of the chain that is kept outside the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The station that wrote it.
    pub station: StationId,
    /// The newest record when it was written.
    pub end: Place,
    /// The place from which the chain is checked, once older records were taken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// The signature of the station's audit key over the rest, base64; none from a run without a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl Mark {
    /// The same, signed with `key` if there is one.
    pub fn signed(self, key: Option<&SigningKey>) -> Self {
        let signature = key.map(|key| signature(key, &self.message()));
        Self { signature, ..self }
    }

    /// True if it is signed, and with `key`.
    pub fn is_signed_with(&self, key: &SigningKey) -> bool {
        self.signature.as_ref().is_some_and(|signature| is_signature(key, &self.message(), signature))
    }

    fn message(&self) -> Vec<u8> {
        let content = canonical_hash(&(&self.station, &self.end, &self.base));
        format!("{PURPOSE}\n{content}").into_bytes()
    }
}

/// The keychain's answer to the question for the mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// It holds none, or keys come from where nothing can be kept.
    Nothing,
    Mark(Mark),
    /// It holds something else.
    NoMark(String),
    /// It is locked, or there is none: nothing is known.
    Unreadable(String),
}

/// The keeper of the second copy.
#[derive(Debug, Clone)]
pub(super) enum Notes {
    Store(KeyStore),
    #[cfg(test)]
    Fake(super::fake_keychain::FakeKeychain),
}

impl Notes {
    async fn read(&self, entry: &str) -> Result<Option<String>, SecretError> {
        match self {
            Self::Store(keys) => keys.note(entry.to_owned()).await,
            #[cfg(test)]
            Self::Fake(keychain) => keychain.read(),
        }
    }

    async fn write(&self, entry: &str, text: String) -> Result<(), SecretError> {
        match self {
            Self::Store(keys) => keys.keep_note(entry.to_owned(), text).await,
            #[cfg(test)]
            Self::Fake(keychain) => keychain.write(text),
        }
    }
}

/// The places in which marks are kept.
#[derive(Debug)]
pub struct Marks {
    path: PathBuf,
    notes: Notes,
    /// The name in the keychain. By the folder and not by the station: a database made anew has another station's id.
    entry: String,
}

/// The places of marks, for the one who writes them.
#[derive(Debug)]
pub(super) struct MarkWriter {
    marks: Arc<Marks>,
}

impl Marks {
    /// The marks of the data directory `root`, with the second copy in `keys`.
    pub fn new(root: &Path, keys: KeyStore) -> Self {
        Self::beside(root, Notes::Store(keys))
    }

    /// The file in `root`, and the second copy with `notes`.
    pub(super) fn beside(root: &Path, notes: Notes) -> Self {
        let folder = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
        Self { path: root.join(MARK_FILE), notes, entry: format!("audit mark {}", hex::encode(&digest[..8])) }
    }

    /// True if no copy is kept outside the data directory: keys come from where nothing can be kept.
    pub fn are_in_files_alone(&self) -> bool {
        matches!(self.notes, Notes::Store(KeyStore::Environment))
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

    /// The mark in the keychain.
    pub async fn in_keychain(&self) -> Kept {
        match self.notes.read(&self.entry).await {
            Ok(None) => Kept::Nothing,
            Ok(Some(text)) => {
                serde_json::from_str(&text).map_or_else(|error| Kept::NoMark(error.to_string()), Kept::Mark)
            }
            // One that cannot be read is not an empty one (decision 0125).
            Err(error) => Kept::Unreadable(error.to_string()),
        }
    }
}

impl MarkWriter {
    pub fn of(marks: Arc<Marks>) -> Self {
        Self { marks }
    }

    /// Replaces the copy in the file.
    pub async fn keep_in_file(&self, mark: &Mark) -> io::Result<()> {
        disk::replace(self.marks.path.clone(), serde_json::to_string(mark).map_err(io::Error::other)?).await
    }

    /// Keeps it in the keychain too, where anything can be kept.
    pub async fn keep_in_keychain(&self, mark: &Mark) -> Result<(), SecretError> {
        self.marks.notes.write(&self.marks.entry, serde_json::to_string(mark).unwrap_or_default()).await
    }
}
