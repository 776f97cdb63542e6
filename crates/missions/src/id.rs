//! The id of a mission: the stem of its file's name.

use robot::MissionId;

/// The longest id, in bytes.
const ID_BYTES_MAX: usize = 64;
/// Names that mean a device on some systems, whatever ending they have.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// Devices that have a digit at their end.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// The error for a file name whose stem is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{stem}` cannot be the id of a mission; `{nearest}` can")]
pub struct StemError {
    /// The stem as it is, cut to 80 characters.
    pub stem: String,
    /// The nearest legal id, as text.
    pub nearest: String,
}

/// The id that the stem of a file's name stands for.
///
/// # Errors
/// The stem is not `[a-z0-9][a-z0-9_-]{0,63}`, or names a device.
pub fn id_of(stem: &str) -> Result<MissionId, StemError> {
    match MissionId::new(stem) {
        Ok(id) if is_legal(&id) => Ok(id),
        Ok(_) | Err(_) => Err(StemError { stem: stem.chars().take(80).collect(), nearest: nearest(stem) }),
    }
}

fn is_legal(id: &MissionId) -> bool {
    let text = id.as_str();
    let is_numbered = text.char_indices().last().is_some_and(|(at, last)| {
        last.is_ascii_digit() && text.get(..at).is_some_and(|start| NUMBERED_DEVICES.contains(&start))
    });
    // Windows opens `nul.md` as a device, so a folder with such a file could not be copied there.
    text.starts_with(|first: char| first.is_ascii_alphanumeric()) && !is_numbered && !DEVICES.contains(&text)
}

/// Small letters for capital ones, `-` for everything that an id cannot hold.
fn nearest(stem: &str) -> String {
    let mut nearest = String::new();
    for c in stem.chars().flat_map(char::to_lowercase) {
        let legal = if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let is_first = nearest.is_empty();
        let goes_on = legal != '-' || !nearest.ends_with('-');
        if nearest.len() < ID_BYTES_MAX && if is_first { legal.is_ascii_alphanumeric() } else { goes_on } {
            nearest.push(legal);
        }
    }
    let kept = nearest.trim_end_matches('-');
    match MissionId::new(kept) {
        Ok(id) if is_legal(&id) => id.as_str().to_owned(),
        // A device, or nothing is left.
        Ok(_) | Err(_) => format!("mission-{kept}").trim_end_matches('-').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mi_02_an_id_is_a_stem_that_every_system_can_store() {
        for legal in ["patrol", "0", "a_b-c", "com", "com10", "console", &"a".repeat(64)] {
            assert_eq!(id_of(legal).unwrap().as_str(), legal);
        }
        let check = |stem: &str, nearest: &str| assert_eq!(id_of(stem).unwrap_err().nearest, nearest, "{stem:?}");
        check("Night Patrol", "night-patrol");
        check("-patrol", "patrol");
        check("_x", "x");
        check("nul", "mission-nul");
        check("COM0", "mission-com0");
        check("lpt9", "mission-lpt9");
        check("", "mission");
        check("巡回", "mission");
        check("a..b", "a-b");
        check(&"A".repeat(65), &"a".repeat(64));
    }

    proptest! {
        #[test]
        fn mi_02_the_nearest_id_is_always_legal(stem: String) {
            if let Err(error) = id_of(&stem) {
                prop_assert_eq!(id_of(&error.nearest).map(String::from), Ok(error.nearest.clone()));
            }
        }
    }
}
