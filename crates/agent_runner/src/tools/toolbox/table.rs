//! Lists as tables: names of fields once, then rows of values. A language model reads a long list in a quarter of the
//! tokens.

use std::collections::BTreeMap;

use agent::ToolOutcome;
use serde_json::{Map, Value, json};

/// A list of fewer objects stays a list.
const ROWS_MIN: usize = 2;
/// A list with more fields stays a list. With [`CELLS_PER_FIELD_MAX`] it bounds what a table takes: a server may answer
/// with any number of objects that have nothing in common.
const COLUMNS_MAX: usize = 128;
/// Cells of a table for each field that is there.
const CELLS_PER_FIELD_MAX: usize = 4;

/// The result of a reading operation with each of its lists of objects as a table: `columns` has the names of fields
/// (those of inner objects with dots), `rows` the values, and `in_every_row` what all have in common. A field that an
/// object lacks is null. What a verdict says stays as it is, and so does a refusal.
pub(crate) fn with_tables(mut outcome: ToolOutcome) -> ToolOutcome {
    if !outcome.is_error
        && let Ok(Value::Object(fields)) = serde_json::from_str(&outcome.json)
    {
        outcome.json = Value::Object(fields_with_tables(fields)).to_string();
    }
    outcome
}

fn fields_with_tables(mut fields: Map<String, Value>) -> Map<String, Value> {
    if !fields.contains_key("verdict") {
        fields.values_mut().for_each(lay_out);
    }
    fields
}

/// Makes a table of `value`, and of each list within, where that is shorter.
fn lay_out(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.values_mut().for_each(lay_out);
    }
    if let Value::Array(items) = value {
        // The inner lists first, so that the length of this one counts with their tables.
        items.iter_mut().for_each(lay_out);
        if let Some(table) = table(items).filter(|table| length(table) < length(items)) {
            *value = table;
        }
    }
}

fn table(items: &[Value]) -> Option<Value> {
    if items.len() < ROWS_MIN {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    let mut rows: Vec<BTreeMap<usize, &Value>> = Vec::with_capacity(items.len());
    for item in items {
        let mut row = BTreeMap::new();
        flatten("", item.as_object()?, &mut |name, value| {
            let column = columns.iter().position(|column| *column == name).unwrap_or(columns.len());
            if column == columns.len() {
                columns.push(name);
            }
            // Two fields of one name would become one.
            (row.insert(column, value).is_none() && columns.len() <= COLUMNS_MAX).then_some(())
        })?;
        rows.push(row);
    }
    let fields: usize = rows.iter().map(BTreeMap::len).sum();
    if rows.len() * columns.len() > fields * CELLS_PER_FIELD_MAX {
        return None;
    }
    let first = rows.first()?;
    let (same, columns): (Vec<_>, Vec<_>) = columns
        .into_iter()
        .enumerate()
        .partition(|(column, _)| rows.iter().all(|row| cell(row, *column) == cell(first, *column)));
    let same = same.into_iter().map(|(column, name)| (name, cell(first, column).clone()));
    let same: Map<String, Value> = same.filter(|(_, value)| !value.is_null()).collect();
    let rows = rows.iter().map(|row| columns.iter().map(|(column, _)| cell(row, *column).clone()).collect::<Value>());
    let rows = rows.collect::<Value>();
    let columns: Vec<String> = columns.into_iter().map(|(_, name)| name).collect();
    let mut table = json!({ "columns": columns, "rows": rows });
    if !same.is_empty() {
        table["in_every_row"] = Value::Object(same);
    }
    Some(table)
}

/// The value in a column of a row; null if it has none.
fn cell<'a>(row: &BTreeMap<usize, &'a Value>, column: usize) -> &'a Value {
    static NONE: Value = Value::Null;
    row.get(&column).copied().unwrap_or(&NONE)
}

/// Passes on the fields of `object` by name, those of inner objects with dots, until one is not taken. A table within
/// stays whole.
fn flatten<'a>(
    before: &str,
    object: &'a Map<String, Value>,
    take: &mut impl FnMut(String, &'a Value) -> Option<()>,
) -> Option<()> {
    for (name, value) in object {
        let name = if before.is_empty() { name.clone() } else { format!("{before}.{name}") };
        if let Value::Object(inner) = value
            && !inner.is_empty()
            && !inner.contains_key("rows")
            && inner.keys().all(|name| !name.contains('.'))
        {
            flatten(&name, inner, take)?;
        } else {
            take(name, value)?;
        }
    }
    Some(())
}

fn length(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tables(value: &Value) -> Value {
        serde_json::from_str(&with_tables(ToolOutcome::answer(value)).json).unwrap()
    }

    fn check(value: Value, expected: Value) {
        assert_eq!(tables(&value), expected, "{value}");
    }

    #[test]
    fn fp_18_a_list_of_objects_is_a_table_with_what_all_have_in_common_once() {
        let robot = |id: &str, x: f64| json!({ "id": id, "site": "lab", "pose": { "frame": "map", "x": x }, "rtt_ms": null, "errors": [] });
        check(
            json!({ "items": [robot("rover-1", 1.5), robot("rover-2", 2.5)] }),
            json!({ "items": {
                "columns": ["id", "pose.x"],
                "rows": [["rover-1", 1.5], ["rover-2", 2.5]],
                "in_every_row": { "site": "lab", "pose.frame": "map", "errors": [] },
            } }),
        );
    }

    #[test]
    fn fp_18_a_field_that_some_lack_is_null_and_an_inner_list_is_a_table_too() {
        let joint = |name: &str, max: f64| json!({ "name_of_the_joint": name, "maximum_position": max });
        let joints = [joint("a", 1.0), joint("b", 2.0)];
        let arm = json!({ "joints": joints, "is_calibrated": true, "state_of_the_motor": 1 });
        let rover = json!({ "joints": [], "state_of_the_motor": 2 });
        let joints = json!({ "columns": ["maximum_position", "name_of_the_joint"], "rows": [[1.0, "a"], [2.0, "b"]] });
        check(
            json!({ "items": [arm, rover, rover, rover, rover], "more": false }),
            json!({
                "items": {
                    "columns": ["is_calibrated", "joints", "state_of_the_motor"],
                    "rows": [[true, joints, 1], [null, [], 2], [null, [], 2], [null, [], 2], [null, [], 2]],
                },
                "more": false,
            }),
        );
    }

    #[test]
    fn fp_18_what_is_no_list_of_objects_and_what_a_verdict_says_stays() {
        let pair = json!([{ "number_of_it": 1 }, { "number_of_it": 2 }, { "number_of_it": 3 }]);
        for same in [
            json!({ "items": [1, 2] }),
            json!({ "items": [{ "id": "rover-1" }] }),
            json!({ "items": [{ "a": 1 }, 2] }),
            json!({ "items": [{ "a": 1 }, { "b": 1 }] }),
            json!({ "verdict": {}, "explanation": pair }),
        ] {
            check(same.clone(), same);
        }
        let refused = ToolOutcome { is_error: true, ..ToolOutcome::answer(&json!({ "expected": pair })) };
        assert_eq!(with_tables(refused.clone()), refused);
    }

    #[test]
    fn a_list_whose_objects_have_little_in_common_becomes_no_table() {
        let apart: Vec<Value> = (0..8).map(|n| json!({ (format!("field_{n}")): n })).collect();
        assert!(table(&apart[..4]).is_some());
        assert!(table(&apart).is_none(), "most of its cells would be empty");
        let wide = |fields: usize| {
            let row: Map<String, Value> = (0..fields).map(|n| (format!("field_{n}"), n.into())).collect();
            [Value::Object(row.clone()), Value::Object(row)]
        };
        assert!(table(&wide(COLUMNS_MAX)).is_some());
        assert!(table(&wide(COLUMNS_MAX + 1)).is_none());
        let twice = json!({ "a.b": 1, "a": { "b": 2 } });
        assert!(table(&[twice.clone(), twice]).is_none(), "a value would be lost");
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf =
            prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), (0..9_i64).prop_map(Value::from)];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-c.]{1,2}", inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    /// The numbers and truths of `value`.
    fn leaves(value: &Value, into: &mut Vec<Value>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| leaves(item, into)),
            Value::Object(fields) => fields.values().for_each(|field| leaves(field, into)),
            Value::Bool(_) | Value::Number(_) => into.push(value.clone()),
            Value::Null | Value::String(_) => {}
        }
    }

    proptest! {
        #[test]
        fn fp_18_a_result_never_grows_and_loses_no_value(value in values()) {
            let value = json!({ "items": value });
            let tables = tables(&value);
            prop_assert!(length(&tables) <= length(&value));
            let (mut before, mut after) = (Vec::new(), Vec::new());
            leaves(&value, &mut before);
            leaves(&tables, &mut after);
            prop_assert!(before.iter().all(|leaf| after.contains(leaf)), "{} became {}", value, tables);
        }
    }
}
