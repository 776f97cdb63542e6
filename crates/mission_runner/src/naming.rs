//! Names of what the text of a mission puts in force elsewhere: whoever sees one knows whose it is, and equal entries
//! of two texts have one name.

use robot::MissionId;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::runner::AgentMissions;

/// The beginning of the names of everything that a mission declares. Two agents may use one id of a mission.
pub(crate) fn prefix(agent: &AgentMissions, id: &MissionId) -> String {
    // A hash, because the name must fit an id whatever the two are called. The slash is in neither of them.
    format!("file-{}-", digits(format!("{}/{id}", agent.id).as_bytes(), 16))
}

/// The rest of the name of an entry.
pub(crate) fn name_of(entry: &impl Serialize) -> String {
    // A map with keys that are no text has no JSON, and no entry has one.
    digits(&serde_json::to_vec(entry).unwrap_or_default(), 32)
}

/// The first hexadecimal digits of a hash, an even number of them.
fn digits(bytes: &[u8], count: usize) -> String {
    hex::encode(&Sha256::digest(bytes)[..count / 2])
}
