//! The front matter: one YAML mapping of known keys.

use std::collections::BTreeSet;

use robot::{MissionId, RobotId};
use serde::Deserialize;
use serde_saphyr::{Error, Spanned};

use crate::{MissionError, TITLE_CHARS_MAX, error};

/// The most robots a mission may name.
const ROBOTS_MAX: usize = 16;
/// The most missions a mission may depend on.
const DEPENDS_ON_MAX: usize = 64;
/// The deepest nesting of lists and mappings.
const DEPTH_MAX: usize = 16;
/// The most lists, mappings and scalars.
const NODES_MAX: usize = 4_096;
/// An unknown key this many edits away from a known one is taken for a slip of the pen.
const SLIP_EDITS_MAX: usize = 2;
/// So is one that starts with the same letters.
const SLIP_START: usize = 4;

/// The fields of the front matter; all are optional.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Front {
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) robots: Option<Spanned<Vec<RobotId>>>,
    pub(crate) depends_on: Option<Spanned<Vec<MissionId>>>,
}

/// Reads `yaml`. Anchors, aliases, merge keys, tags, second documents and repeated keys are errors.
pub(crate) fn read(yaml: &str) -> Result<Front, MissionError> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            flow_nesting_limit: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_anchors: 0,
            max_aliases: 0,
            max_merge_keys: 0,
            max_documents: 1,
        },
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    let front = serde_saphyr::from_str_with_options::<Option<Front>>(yaml, options);
    front.map(Option::unwrap_or_default).map_err(|error| refuse(&error))
}

fn refuse(yaml_error: &Error) -> MissionError {
    let line = yaml_error.location().and_then(|at| usize::try_from(at.line()).ok()).unwrap_or(1).max(1);
    if let Error::SerdeUnknownField { field, expected, .. } = yaml_error {
        return error("unknown_key", line, unknown_key(field, expected));
    }
    if let Error::DuplicateMappingKey { key, .. } = yaml_error {
        let key = key.as_deref().unwrap_or("a key");
        return error("duplicate_key", line, format!("{key} stands here a second time"));
    }
    if let Error::Budget { .. } = yaml_error {
        return error("bad_front_matter", line, "expected one small mapping without anchors");
    }
    let text = yaml_error.to_string();
    // The place is told by `line`.
    let sentence = text.rsplit_once(" at line ").map_or(text.as_str(), |(sentence, _)| sentence);
    error("bad_front_matter", line, sentence)
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    let start: String = key.chars().take(SLIP_START).collect();
    let is_slip = |edits: usize, known: &str| {
        edits <= SLIP_EDITS_MAX || (start.chars().count() == SLIP_START && known.starts_with(&start))
    };
    let edits = |known: &str| strsim::damerau_levenshtein(key, known);
    let nearest = known.iter().map(|known| (edits(known), known)).filter(|(edits, known)| is_slip(*edits, known)).min();
    match nearest {
        Some((_, nearest)) => format!("unknown key {key:?}, did you mean {nearest:?}?"),
        None => format!("unknown key {key:?}, expected one of {}", known.join(", ")),
    }
}

/// Checks lengths, and that no list names something twice or the mission itself.
pub(crate) fn check(front: &Front, id: &MissionId) -> Result<(), MissionError> {
    if let Some(title) = &front.title {
        let is_one_line = !title.value.trim().is_empty() && !title.value.contains(char::is_control);
        if !is_one_line || title.value.chars().count() > TITLE_CHARS_MAX {
            let expected = format!("title: expected one line of 1 to {TITLE_CHARS_MAX} characters");
            return Err(error("out_of_range", line(title), expected));
        }
    }
    if let Some(robots) = &front.robots {
        check_list("robots", robots, ROBOTS_MAX)?;
    }
    let Some(depends_on) = &front.depends_on else { return Ok(()) };
    check_list("depends_on", depends_on, DEPENDS_ON_MAX)?;
    if depends_on.value.contains(id) {
        return Err(error("out_of_range", line(depends_on), "depends_on: a mission cannot depend on itself"));
    }
    Ok(())
}

fn check_list<T: Ord>(key: &str, list: &Spanned<Vec<T>>, len_max: usize) -> Result<(), MissionError> {
    let distinct: BTreeSet<_> = list.value.iter().collect();
    if list.value.len() > len_max || distinct.len() < list.value.len() {
        return Err(error("out_of_range", line(list), format!("{key}: expected at most {len_max} ids, each once")));
    }
    Ok(())
}

fn line<T>(spanned: &Spanned<T>) -> usize {
    usize::try_from(spanned.referenced.line()).unwrap_or(1).max(1)
}
