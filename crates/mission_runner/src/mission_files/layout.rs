//! Positions of missions in the graph. They have no meaning: nothing that runs reads them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use missions::MissionCode;
use robot::MissionId;
use serde::Deserialize;

use crate::mission_files::folder::{hash_of, unwritable};
use runtime::error::{OpError, RuntimeCode};
use runtime::wire::MissionPositions;

/// The file in the folder of missions.
const FILE: &str = ".layout.json";
/// The longest one, bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// The form of the file.
const VERSION: u32 = 1;
/// The greatest distance from the origin, pixels.
const PIXELS_MAX: i32 = 1_000_000;

/// The file of positions as it was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The hash of its text; none if there is no such file.
    pub hash: Option<String>,
    /// The upper left corner of each mission.
    pub nodes: BTreeMap<MissionId, [i32; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    nodes: BTreeMap<MissionId, [i32; 2]>,
}

impl Layout {
    /// Reads the file of `folder`.
    ///
    /// # Errors
    /// The error of the disk or of the parser, with the name of the file.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let text = match ::files::read_text(&folder.join(FILE), FILE_BYTES_MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(format!("{FILE}: {error}")),
        };
        let Written { version, nodes } = serde_json::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
        if version != VERSION {
            return Err(format!("{FILE}: version {version}, not {VERSION}"));
        }
        Ok(Self { hash: Some(hash_of(&text)), nodes })
    }

    /// The text of the file: one mission a line, by id.
    fn text(&self) -> String {
        let lines: Vec<String> = self.nodes.iter().map(|(id, [x, y])| format!("\n    \"{id}\": [{x}, {y}]")).collect();
        format!("{{\n  \"version\": {VERSION},\n  \"nodes\": {{{}\n  }}\n}}\n", lines.join(","))
    }
}

/// Writes positions over the file with the hash `base`, none if there is no file; gives the new hash. Those of other
/// missions stay, of those too that have no file any more.
pub(crate) fn save(folder: &Path, base: Option<&str>, positions: MissionPositions) -> Result<String, OpError> {
    let mut layout = Layout::read(folder).map_err(|error| OpError::new(MissionCode::MissionUnreadable, error))?;
    // Two people who arrange the same graph must not undo each other's work unseen.
    if layout.hash.as_deref() != base {
        let message = "Somebody else has placed missions meanwhile. Nothing was saved.";
        return Err(OpError::new(MissionCode::FileChanged, message)
            .with(serde_json::json!({ "hash": layout.hash, "source": layout.hash.is_some().then(|| layout.text()) })));
    }
    for (id, position) in positions {
        match position {
            Some(at) if at.iter().any(|pixels| !(-PIXELS_MAX..=PIXELS_MAX).contains(pixels)) => {
                return Err(OpError::out_of_range("positions", -PIXELS_MAX, PIXELS_MAX));
            }
            Some(at) => _ = layout.nodes.insert(id, at),
            None => _ = layout.nodes.remove(&id),
        }
    }
    let text = layout.text();
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(OpError::new(RuntimeCode::TooLarge, format!("{FILE} has {FILE_BYTES_MAX} bytes at most.")));
    }
    let hash = hash_of(&text);
    // The same text is not written again: the watch on the folder would take it for a change.
    if base != Some(hash.as_str()) {
        ::files::replace(&folder.join(FILE), text.as_bytes()).map_err(|error| unwritable(FILE, &error))?;
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> MissionId {
        MissionId::new(text).unwrap()
    }

    #[test]
    fn me_10_positions_are_one_line_each_and_those_of_missions_without_a_file_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(Layout::read(folder.path()), Ok(Layout::default()));
        assert!(!path.exists(), "reading makes no file");
        let first =
            save(folder.path(), None, BTreeMap::from([(id("weld"), Some([12, -7])), (id("arm"), Some([0, 3]))]));
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "{\n  \"version\": 1,\n  \"nodes\": {\n    \"arm\": [0, 3],\n    \"weld\": [12, -7]\n  }\n}\n"
        );
        let second = save(folder.path(), first.as_deref().ok(), BTreeMap::from([(id("arm"), None)])).unwrap();
        let read = Layout::read(folder.path()).unwrap();
        assert_eq!(read, Layout { hash: Some(second.clone()), nodes: BTreeMap::from([(id("weld"), [12, -7])]) });
        let emptied = save(folder.path(), Some(&second), BTreeMap::from([(id("weld"), None)])).unwrap();
        assert_eq!(Layout::read(folder.path()), Ok(Layout { hash: Some(emptied), nodes: BTreeMap::new() }));
    }

    #[test]
    fn me_10_mo_13_a_file_that_somebody_else_wrote_or_that_cannot_be_read_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let one = || BTreeMap::from([(id("arm"), Some([1, 1]))]);
        let code = |base: Option<&str>, positions| save(folder.path(), base, positions).unwrap_err().code.as_str();
        let theirs = "{\"version\": 1, \"nodes\": {\"arm\": [5, 5]}}";
        std::fs::write(&path, theirs).unwrap();
        assert_eq!(code(None, one()), "file_changed");
        for broken in ["", "{", "{\"version\": 2, \"nodes\": {}}", "{\"version\": 1, \"nodes\": {\"../arm\": [1, 1]}}"]
        {
            std::fs::write(&path, broken).unwrap();
            assert!(Layout::read(folder.path()).is_err(), "{broken}");
            assert_eq!(code(None, one()), "mission_unreadable", "{broken}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(code(None, BTreeMap::from([(id("arm"), Some([PIXELS_MAX + 1, 0]))])), "out_of_range");
        assert!(!path.exists());
    }
}
