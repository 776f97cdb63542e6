//! Edits of a mission file that keep its form: every byte outside of what is changed stays as it is, comments, order,
//! quotes, blank lines and line ends included.

mod splice;
mod write;

use robot::MissionId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::format::front::decode;
use crate::format::source::{FILE_BYTES_MAX, Source};
use crate::format::yaml::{self, Node, Value};
use crate::problem::{Faults, Problem, Span};
use splice::Splice;

/// The key whose list holds the missions that come first.
const DEPENDS_ON: &str = "depends_on";

/// An edit of a mission file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "MissionEdit")]
pub enum Edit {
    /// Gives a key a value; a new key becomes the last one.
    Set {
        /// The key.
        key: String,
        /// Its value.
        value: Json,
    },
    /// Takes a key away.
    Remove {
        /// The key.
        key: String,
    },
    /// Makes the mission wait for another one.
    AddDependency(MissionId),
    /// Makes it wait no longer.
    RemoveDependency(MissionId),
    /// Puts an entry into a list.
    InsertEntry {
        /// The key of the list.
        key: String,
        /// The number of entries before it.
        index: usize,
        /// The entry.
        value: Json,
    },
    /// Puts an entry in the place of another one.
    ReplaceEntry {
        /// The key of the list.
        key: String,
        /// The number of entries before it.
        index: usize,
        /// The entry.
        value: Json,
    },
    /// Takes an entry out of a list.
    RemoveEntry {
        /// The key of the list.
        key: String,
        /// The number of entries before it.
        index: usize,
    },
    /// Puts an entry of a list elsewhere in it.
    MoveEntry {
        /// The key of the list.
        key: String,
        /// The number of entries before it.
        index: usize,
        /// The number of entries before it afterwards.
        to: usize,
    },
    /// Replaces the text below the front matter.
    SetBody(String),
    /// Replaces a range of bytes by text, as an editor does; possible in a file of any form.
    Replace {
        /// The range.
        bytes: Span,
        /// The text.
        text: String,
    },
}

/// A refusal of an edit; the file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file or its front matter cannot be read, so that no key of it can be found.
    #[error("line {}, column {}: {} Correct the text first.", .0.start.line, .0.start.column, .0.message)]
    Unreadable(Box<Problem>),
    /// The list has no such entry, or the key has no list.
    #[error("`{key}` has no entry {index}")]
    NoEntry {
        /// The key.
        key: String,
        /// The number of entries before the missing one.
        index: usize,
    },
    /// The range is not one of whole characters of the file.
    #[error("the file has no range of characters from byte {} to {}", .0.from, .0.to)]
    NoRange(Span),
    /// The file is written in a way in which the edit would change something else too.
    #[error("`{key}` cannot be changed without touching something else; change the text")]
    NotLocal {
        /// The key; `text` for the text below the front matter.
        key: String,
    },
    /// The file would be longer than a mission file may be.
    #[error("the file would have more than {FILE_BYTES_MAX} bytes")]
    TooLarge,
}

/// Applies `edits` to a file, one after the other. An edit that says what is so already changes no byte.
///
/// # Errors
/// One of the edits is not possible; then none is applied.
pub fn edit(source: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let mut bytes = source.to_vec();
    // On a copy: an edit that fails leaves the file as it was, with none of the earlier ones.
    for edit in edits {
        bytes = apply(&bytes, edit)?;
        if bytes.len() > FILE_BYTES_MAX {
            return Err(EditError::TooLarge);
        }
    }
    Ok(bytes)
}

fn apply(bytes: &[u8], edit: &Edit) -> Result<Vec<u8>, EditError> {
    let change = |key: &str, change: Change| File::read(bytes)?.change(key, &change);
    match edit {
        Edit::Replace { bytes: range, text } => replace(bytes, *range, text),
        Edit::SetBody(text) => set_body(bytes, text),
        Edit::Set { key, value } => change(key, Change::Set(value.clone())),
        Edit::Remove { key } => change(key, Change::Remove),
        Edit::InsertEntry { key, index, value } => change(key, Change::Insert(*index, value.clone())),
        Edit::ReplaceEntry { key, index, value } => change(key, Change::ReplaceEntry(*index, value.clone())),
        Edit::RemoveEntry { key, index } => change(key, Change::RemoveEntry(*index)),
        Edit::MoveEntry { key, index, to } => {
            let file = File::read(bytes)?;
            let none = || EditError::NoEntry { key: key.clone(), index: *index };
            let value = file.items(key).get(*index).map(meaning).ok_or_else(none)?;
            let without = file.change(key, &Change::RemoveEntry(*index))?;
            if index == to {
                Ok(bytes.to_vec())
            } else {
                File::read(&without)?.change(key, &Change::Insert(*to, value))
            }
        }
        Edit::AddDependency(id) => {
            let file = File::read(bytes)?;
            let last = Change::Insert(file.length(DEPENDS_ON), Json::from(id.as_str()));
            if file.dependency(id).is_some() { Ok(bytes.to_vec()) } else { file.change(DEPENDS_ON, &last) }
        }
        Edit::RemoveDependency(id) => {
            let file = File::read(bytes)?;
            match file.dependency(id) {
                Some(index) => file.change(DEPENDS_ON, &Change::RemoveEntry(index)),
                None => Ok(bytes.to_vec()),
            }
        }
    }
}

fn replace(bytes: &[u8], range: Span, text: &str) -> Result<Vec<u8>, EditError> {
    let whole = std::str::from_utf8(bytes).map_err(|_| EditError::NoRange(range))?;
    let (before, after) = match (whole.get(..range.from), whole.get(range.to..)) {
        (Some(before), Some(after)) if range.from <= range.to => (before, after),
        // `get` also fails inside a character, where slicing would panic.
        _ => return Err(EditError::NoRange(range)),
    };
    Ok([before, text, after].concat().into_bytes())
}

fn set_body(bytes: &[u8], text: &str) -> Result<Vec<u8>, EditError> {
    let source = readable(bytes)?;
    let edited = replace(bytes, source.body_span(), text)?;
    let again = readable(&edited)?;
    // Without front matter, a body that begins with `---` would become some.
    if again.front() != source.front() || again.body() != text {
        return Err(EditError::NotLocal { key: "text".into() });
    }
    Ok(edited)
}

/// The parts of a file, if they can be told apart.
fn readable(bytes: &[u8]) -> Result<Source, EditError> {
    let mut fault = None;
    let source = Source::read(bytes, &mut fault);
    match fault {
        None => Ok(source),
        Some(fault) => {
            let mut faults = Faults::default();
            faults.add(fault);
            Err(unreadable(faults, &source))
        }
    }
}

fn unreadable(faults: Faults, source: &Source) -> EditError {
    match faults.told(source).listed.into_iter().next() {
        Some(problem) => EditError::Unreadable(Box::new(problem)),
        None => EditError::NotLocal { key: "text".into() },
    }
}

/// A change of one key.
enum Change {
    Set(Json),
    Remove,
    Insert(usize, Json),
    ReplaceEntry(usize, Json),
    RemoveEntry(usize),
}

/// A file whose keys can be found.
struct File {
    source: Source,
    root: Option<Node>,
}

impl File {
    fn read(bytes: &[u8]) -> Result<Self, EditError> {
        let source = readable(bytes)?;
        let mut faults = Faults::default();
        let root = source.front().and_then(|front| yaml::read(source.text(), front, &mut faults));
        if faults.is_empty() { Ok(Self { source, root }) } else { Err(unreadable(faults, &source)) }
    }

    /// The meaning of every key, in order.
    fn meaning(&self) -> Vec<(String, Json)> {
        let entries = self.root.as_ref().map(Node::entries).unwrap_or_default();
        entries.iter().map(|entry| (entry.key.clone(), meaning(&entry.value))).collect()
    }

    fn value(&self, key: &str) -> Option<&Node> {
        let entries = self.root.as_ref().map(Node::entries).unwrap_or_default();
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    fn items(&self, key: &str) -> &[Node] {
        match self.value(key).map(|node| &node.value) {
            Some(Value::List { items, .. }) => items,
            Some(Value::Scalar { .. } | Value::Map { .. } | Value::Refused) | None => &[],
        }
    }

    fn length(&self, key: &str) -> usize {
        self.items(key).len()
    }

    fn dependency(&self, id: &MissionId) -> Option<usize> {
        self.items(DEPENDS_ON).iter().position(|item| meaning(item) == id.as_str())
    }

    /// Makes one change and looks at the result: only `key` may mean something else, and that what was asked for.
    fn change(&self, key: &str, change: &Change) -> Result<Vec<u8>, EditError> {
        let wanted = self.wanted(key, change)?;
        // Otherwise saving a form would reformat what nobody has changed.
        if self.value(key).map(meaning) == wanted {
            return Ok(self.source.text().as_bytes().to_vec());
        }
        let not_local = || EditError::NotLocal { key: key.to_owned() };
        let Splice { at, text } = splice::of(self, key, change, wanted.as_ref()).ok_or_else(not_local)?;
        let edited = replace(self.source.text().as_bytes(), at, &text)?;
        if edited.len() > FILE_BYTES_MAX {
            return Err(EditError::TooLarge);
        }
        // The result is read again: whatever trick of YAML the splice missed, no other key may change its meaning.
        let again = Self::read(&edited).map_err(|_| not_local())?;
        if again.meaning() != self.meaning_with(key, wanted) || again.source.body() != self.source.body() {
            return Err(not_local());
        }
        Ok(edited)
    }

    /// The value that `key` has after the change; none if it has none.
    fn wanted(&self, key: &str, change: &Change) -> Result<Option<Json>, EditError> {
        let mut items: Vec<Json> = self.items(key).iter().map(meaning).collect();
        let none = |index: usize| EditError::NoEntry { key: key.to_owned(), index };
        // An entry cannot be put into a scalar: that would silently replace its value.
        let is_list = self.value(key).is_none_or(|node| node.is_null() || matches!(node.value, Value::List { .. }));
        match change {
            Change::Set(value) => return Ok(Some(value.clone())),
            Change::Remove => return Ok(None),
            Change::Insert(index, value) if is_list && *index <= items.len() => items.insert(*index, value.clone()),
            Change::ReplaceEntry(index, value) => {
                *items.get_mut(*index).ok_or_else(|| none(*index))? = value.clone();
            }
            Change::RemoveEntry(index) if *index < items.len() => drop(items.remove(*index)),
            Change::Insert(index, _) | Change::RemoveEntry(index) => return Err(none(*index)),
        }
        Ok(Some(Json::Array(items)))
    }

    fn meaning_with(&self, key: &str, wanted: Option<Json>) -> Vec<(String, Json)> {
        let mut all = self.meaning();
        let at = all.iter().position(|(name, _)| name == key);
        match (at, wanted) {
            (Some(at), Some(value)) => all.get_mut(at).into_iter().for_each(|(_, old)| old.clone_from(&value)),
            (Some(at), None) => drop(all.remove(at)),
            (None, Some(value)) => all.push((key.to_owned(), value)),
            (None, None) => {}
        }
        all
    }
}

/// The meaning of a value as JSON.
fn meaning(node: &Node) -> Json {
    decode(node, &[]).unwrap_or_default()
}

#[cfg(test)]
mod tests;
