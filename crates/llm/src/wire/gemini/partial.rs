//! Arguments that come in pieces, each with the path of what it belongs to.

use serde_json::{Map, Value};

/// Places of a list that can be named: more would be a way to fill the memory with one number.
const LIST_PLACES_MAX: usize = 1_000;
/// Names and places of one path.
const STEPS_MAX: usize = 32;

/// Arguments so far.
#[derive(Debug, Default)]
pub(super) struct PartialArgs {
    args: Map<String, Value>,
    /// The path whose text goes on with the next piece.
    goes_on: Option<String>,
}

enum Step {
    Name(String),
    Place(usize),
}

impl PartialArgs {
    /// Takes one piece. False if its path or value cannot be read.
    pub fn take(&mut self, piece: &Value) -> bool {
        let Some(path) = piece.get("jsonPath").and_then(Value::as_str) else { return false };
        let (Some(value), Some(steps)) = (value_of(piece), steps(path)) else { return false };
        let goes_on = self.goes_on.as_deref() == Some(path);
        let will_go_on = piece.get("willContinue").and_then(Value::as_bool).unwrap_or(false);
        let Some(target) = target(&mut self.args, &steps) else { return false };
        match (target, value) {
            // Only the path that was announced to go on grows; any other piece sets its value.
            (Value::String(text), Value::String(more)) if goes_on => text.push_str(&more),
            (target, value) => *target = value,
        }
        self.goes_on = will_go_on.then(|| path.to_owned());
        true
    }

    /// The arguments, as JSON.
    pub fn json(self) -> String {
        Value::Object(self.args).to_string()
    }
}

fn value_of(piece: &Value) -> Option<Value> {
    ["stringValue", "numberValue", "boolValue", "structValue", "listValue"]
        .into_iter()
        .find_map(|field| piece.get(field).cloned())
        .or_else(|| piece.get("nullValue").map(|_| Value::Null))
}

/// `$.operations[0].price`, or `$['name']`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() && steps.len() < STEPS_MAX {
        if let Some(behind) = rest.strip_prefix('.') {
            let end = behind.find(['.', '[']).unwrap_or(behind.len());
            steps.push(Step::Name(behind[..end].to_owned()));
            rest = &behind[end..];
        } else {
            let (inside, behind) = rest.strip_prefix('[')?.split_once(']')?;
            let quoted = inside.strip_prefix(['\'', '"']).and_then(|text| text.strip_suffix(['\'', '"']));
            steps.push(match quoted {
                Some(name) => Step::Name(name.to_owned()),
                None => Step::Place(inside.parse().ok().filter(|place| *place < LIST_PLACES_MAX)?),
            });
            rest = behind;
        }
    }
    // Arguments are an object, so a path begins with the name of a field.
    (rest.is_empty() && matches!(steps.first(), Some(Step::Name(_)))).then_some(steps)
}

fn target<'a>(args: &'a mut Map<String, Value>, steps: &[Step]) -> Option<&'a mut Value> {
    let (Step::Name(first), more) = steps.split_first()? else { return None };
    let mut target = args.entry(first.clone()).or_insert(Value::Null);
    for step in more {
        if target.is_null() {
            *target = match step {
                Step::Name(_) => Value::Object(Map::new()),
                Step::Place(_) => Value::Array(Vec::new()),
            };
        }
        target = match (step, target) {
            (Step::Name(name), Value::Object(object)) => object.entry(name.clone()).or_insert(Value::Null),
            (Step::Place(place), Value::Array(list)) => {
                if list.len() <= *place {
                    list.resize(place + 1, Value::Null);
                }
                list.get_mut(*place)?
            }
            // A path through a number or a text contradicts an earlier piece.
            (Step::Name(_) | Step::Place(_), _) => return None,
        };
    }
    Some(target)
}
