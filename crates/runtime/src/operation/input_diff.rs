//! Differences between two inputs of one operation.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::wire::FieldChange;

/// Differences a card shows; a path of 10,000 points would hide everything else.
const CHANGES_MAX: usize = 32;

/// Every field that differs, by path, at most 32.
pub fn changes(from: &Value, to: &Value) -> Vec<FieldChange> {
    let (from, to) = (leaves(from), leaves(to));
    let paths = from.keys().chain(to.keys().filter(|path| !from.contains_key(*path)));
    let of = |leaves: &BTreeMap<String, Value>, path: &String| leaves.get(path).cloned().unwrap_or(Value::Null);
    paths
        .filter(|path| from.get(*path) != to.get(*path))
        .map(|path| FieldChange { path: path.clone(), from: of(&from, path), to: of(&to, path) })
        .take(CHANGES_MAX)
        .collect()
}

/// The path of the first field that is more than another number, if there is one.
pub fn more_than_numbers(from: &Value, to: &Value) -> Option<String> {
    let (from, to) = (leaves(from), leaves(to));
    let same = |path: &&String| match (from.get(*path), to.get(*path)) {
        (Some(from), Some(to)) => from == to || from.is_number() && to.is_number(),
        (None, _) | (_, None) => false,
    };
    from.keys().chain(to.keys()).find(|path| !same(path)).cloned()
}

/// Everything that has no fields of its own, by path. Numbers are compared as they are printed canonically.
fn leaves(value: &Value) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    collect(value, String::new(), &mut found);
    found
}

fn collect(value: &Value, path: String, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(field, path, found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, item)| collect(item, format!("{path}[{index}]"), found));
        }
        // 1 and 1.0 are one number.
        Value::Number(number) => {
            found.insert(path, number.as_f64().map_or_else(|| value.clone(), Value::from));
        }
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            found.insert(path, value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn goal(robot: &str, x: f64) -> Value {
        json!({ "robot": robot, "motion": { "pose_goal": { "position_m": [x, 0], "speed_mps": 1 } } })
    }

    #[test]
    fn differences_are_named_by_path_with_both_values() {
        let mut faster = goal("arm-1", 0.5);
        faster["force_n"] = json!(5.0);
        let found: Vec<_> = changes(&goal("arm-1", 0.4), &faster)
            .into_iter()
            .map(|change| format!("{} {} {}", change.path, change.from, change.to))
            .collect();
        assert_eq!(found, ["motion.pose_goal.position_m[0] 0.4 0.5", "force_n null 5.0"]);
        assert_eq!(changes(&json!({ "a": 1 }), &json!({ "a": 1.0 })), []);
        let many: Vec<u32> = (0..100).collect();
        assert_eq!(changes(&json!([]), &json!(many)).len(), CHANGES_MAX);
    }

    #[test]
    fn only_numbers_may_be_edited() {
        let mut added = goal("arm-1", 0.4);
        added["motion"]["pose_goal"]["duration_s"] = json!(1.0);
        let mut longer = goal("arm-1", 0.4);
        longer["motion"]["pose_goal"]["position_m"] = json!([0.4, 0, 0]);
        for (to, expected) in [
            (goal("arm-1", 0.9), None),
            (goal("arm-2", 0.4), Some("robot")),
            (added, Some("motion.pose_goal.duration_s")),
            (longer, Some("motion.pose_goal.position_m[2]")),
            (json!({}), Some("motion.pose_goal.position_m[0]")),
        ] {
            assert_eq!(more_than_numbers(&goal("arm-1", 0.4), &to).as_deref(), expected, "{to}");
        }
    }
}
