//! Names as people shorten them.

use serde_json::Value;

/// The place of the id that `name` means: the id itself, or the beginning of exactly one. Otherwise a sentence with
/// candidates. Nearness is never enough: something would be done to another one than was meant.
pub(super) fn place(what: &str, ids: &[&str], name: &str) -> Result<usize, String> {
    let name = name.to_ascii_lowercase();
    if let Some(at) = ids.iter().position(|id| *id == name) {
        return Ok(at);
    }
    // People leave out the end of an id; the beginning counts only if it is that of one id alone.
    let begun: Vec<usize> = (0..ids.len()).filter(|at| ids[*at].starts_with(&name)).collect();
    match begun.as_slice() {
        [at] => Ok(*at),
        [] if ids.is_empty() => Err(format!("No {what} is called {name:?}: there are none.")),
        [] => Err(format!("No {what} is called {name:?}. There are: {}.", ids.join(", "))),
        several => {
            let ids: Vec<&str> = several.iter().map(|at| ids[*at]).collect();
            Err(format!("{name:?} could be {}. Say which.", ids.join(", ")))
        }
    }
}

/// The ids of a list that the station gave.
pub(super) fn ids(result: Option<&Value>) -> Vec<&str> {
    let items = result.and_then(|result| result.get("items")).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(|row| row.get("id")?.as_str()).collect()
}
