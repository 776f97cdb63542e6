//! Templates with typed holes: the Admin's text stays as it is, and a hole takes a number of a range, a word of a list
//! or a file below a folder, never an option and never a line of a shell.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::{OpError, RuntimeCode};

/// Words of a list.
const WORDS_MAX: usize = 256;
/// Bytes of the value for a hole.
const VALUE_BYTES_MAX: usize = 1_024;

/// Values that may fill a hole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hole {
    /// A whole number, both ends included.
    Integer([i64; 2]),
    /// One of these words.
    Enum(Vec<String>),
    /// A file or folder that exists below this folder, named from there.
    PathUnder(PathBuf),
}

/// The holes of a template by name.
pub type Holes = BTreeMap<String, Hole>;

/// Checks that `templates` and `holes` fit: each hole is named and used, and can be filled.
pub fn check<'a>(templates: impl IntoIterator<Item = &'a str>, holes: &Holes) -> Result<(), String> {
    let mut unused: Vec<&String> = holes.keys().collect();
    for template in templates {
        for name in names(template)? {
            if !holes.contains_key(name) {
                return Err(format!("{{{name}}} is no hole: declare it under holes"));
            }
            unused.retain(|hole| hole.as_str() != name);
        }
    }
    if let Some(name) = unused.first() {
        return Err(format!("the hole {name} stands in no argument"));
    }
    holes.iter().try_for_each(|(name, hole)| hole.check().map_err(|error| format!("holes.{name}: {error}")))
}

/// The JSON schema of the values for `holes`.
pub fn schema(holes: &Holes) -> Value {
    let properties: Map<String, Value> = holes.iter().map(|(name, hole)| (name.clone(), hole.schema())).collect();
    let required: Vec<&String> = holes.keys().collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The values for `holes`, as text, after a check of each.
pub fn filled(holes: &Holes, given: &Map<String, Value>) -> Result<BTreeMap<String, String>, OpError> {
    if let Some(unknown) = given.keys().find(|name| !holes.contains_key(*name)) {
        return Err(bad(unknown, "there is no such hole"));
    }
    let fill = |(name, hole): (&String, &Hole)| {
        let value = given.get(name).ok_or_else(|| bad(name, "it is missing"))?;
        let text = hole.filled(value).map_err(|error| bad(name, &error))?;
        Ok((name.clone(), text))
    };
    holes.iter().map(fill).collect()
}

/// `template` with its holes filled.
pub fn fill(template: &str, filled: &BTreeMap<String, String>) -> String {
    filled.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

impl Hole {
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Integer([least, most]) if *least < 0 => Err(format!(
                "integer = [{least}, {most}]: a value that \
                begins with - would be an option; the least is 0"
            )),
            Self::Integer([least, most]) if least > most => Err(format!("integer = [{least}, {most}]: no number fits")),
            Self::Enum(words) if !(1..=WORDS_MAX).contains(&words.len()) => {
                Err(format!("enum: expected 1 to {WORDS_MAX} words"))
            }
            Self::Enum(words) => words.iter().try_for_each(|word| plain(word)),
            Self::PathUnder(root) if !root.is_absolute() => Err(format!("path_under = {root:?}: not absolute")),
            Self::Integer(_) | Self::PathUnder(_) => Ok(()),
        }
    }

    fn schema(&self) -> Value {
        match self {
            Self::Integer([least, most]) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Self::Enum(words) => json!({ "type": "string", "enum": words }),
            Self::PathUnder(root) => {
                json!({ "type": "string", "description": format!("A path below {}.", root.display()) })
            }
        }
    }

    fn filled(&self, value: &Value) -> Result<String, String> {
        match (self, value) {
            (Self::Integer([least, most]), Value::Number(number)) => {
                let range: RangeInclusive<i64> = *least..=*most;
                let number = number.as_i64().filter(|number| range.contains(number));
                number.map(|number| number.to_string()).ok_or_else(|| format!("expected {least} to {most}"))
            }
            (Self::Integer(_), _) => Err("expected a whole number".to_owned()),
            (Self::Enum(words), Value::String(word)) if words.contains(word) => Ok(word.clone()),
            (Self::Enum(words), _) => Err(format!("expected one of {}", words.join(", "))),
            (Self::PathUnder(root), Value::String(path)) => {
                plain(path)?;
                below(root, path).map(|path| path.display().to_string())
            }
            (Self::PathUnder(_), _) => Err("expected a path".to_owned()),
        }
    }
}

/// The path of something that exists below `root` and is reached through no link.
pub fn below(root: &Path, path: &str) -> Result<PathBuf, String> {
    let mut at = root.to_owned();
    for part in Path::new(path).components() {
        let Component::Normal(part) = part else {
            return Err(format!("{path:?} does not stay below {}", root.display()));
        };
        at.push(part);
        // Not followed: a link below the folder can lead out of it.
        match std::fs::symlink_metadata(&at) {
            Ok(found) if found.is_symlink() => return Err(format!("{path:?} goes through a link")),
            Ok(_) => {}
            Err(_) => return Err(format!("there is no {path:?} below {}", root.display())),
        }
    }
    if at == *root {
        return Err("expected a path".to_owned());
    }
    Ok(at)
}

/// A text that is neither an option nor more than one line.
fn plain(text: &str) -> Result<(), String> {
    if text.is_empty() || text.len() > VALUE_BYTES_MAX {
        return Err(format!("expected 1 to {VALUE_BYTES_MAX} bytes"));
    }
    if text.starts_with('-') {
        return Err("a value never begins with -".to_owned());
    }
    // Holes are filled one after the other, so a brace in a value would open another.
    if text.contains(|c: char| c.is_control() || c == '{' || c == '}') {
        return Err("control characters and braces are refused".to_owned());
    }
    Ok(())
}

/// The names in braces.
fn names(template: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or_else(|| format!("{template:?}: a brace is not closed"))?;
        names.push(name);
        rest = behind;
    }
    Ok(names)
}

fn bad(name: &str, why: &str) -> OpError {
    OpError::bad_input(RuntimeCode::BadArgument, name, format!("{name}: {why}."))
}
