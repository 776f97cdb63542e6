//! A result as a table, for a person whose model has no words for it.

use serde_json::{Map, Value};

/// Rows, columns, and characters of a cell.
const ROWS_MAX: usize = 20;
const COLUMNS_MAX: usize = 6;
const CELL_CHARS_MAX: usize = 40;

/// The rows of a result, or its fields; none if it is neither.
pub(in crate::turn) fn of(json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    let rows = value.get("items").unwrap_or(&value);
    match rows {
        Value::Array(rows) => {
            let rows: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
            let columns: Vec<&String> = rows.first()?.keys().take(COLUMNS_MAX).collect();
            let cells = rows.iter().take(ROWS_MAX).map(|row| {
                columns.iter().map(|column| row.get(*column).map_or_else(String::new, cell)).collect::<Vec<_>>()
            });
            let more = rows.len().saturating_sub(ROWS_MAX);
            let head: Vec<String> = columns.iter().map(|column| escaped(column)).collect();
            Some(printed(&head, cells.collect(), more))
        }
        Value::Object(fields) if is_table(fields) => {
            let of = |name: &str| fields[name].as_array().into_iter().flatten();
            let head: Vec<String> = of("columns").take(COLUMNS_MAX).map(cell).collect();
            let row = |row: &Value| row.as_array().into_iter().flatten().take(COLUMNS_MAX).map(cell).collect();
            let cells: Vec<Vec<String>> = of("rows").take(ROWS_MAX).map(row).collect();
            Some(printed(&head, cells, of("rows").count().saturating_sub(ROWS_MAX)))
        }
        Value::Object(fields) if !fields.is_empty() => {
            let cells = fields.iter().take(ROWS_MAX).map(|(name, value)| vec![escaped(name), cell(value)]);
            let more = fields.len().saturating_sub(ROWS_MAX);
            Some(printed(&["field".to_owned(), "value".to_owned()], cells.collect(), more))
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// True if a list of objects is written as names of fields and rows of values.
fn is_table(fields: &Map<String, Value>) -> bool {
    ["columns", "rows"].iter().all(|name| fields.get(*name).is_some_and(Value::is_array))
}

fn printed(head: &[String], rows: Vec<Vec<String>>, more: usize) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    let lines = [line(head), line(&rule)].into_iter().chain(rows.iter().map(|row| line(row)));
    let more = (more > 0).then(|| format!("\n{more} more rows are not shown."));
    lines.chain(more).collect::<Vec<_>>().join("\n")
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escaped(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => escaped(&value.to_string()),
    }
}

/// Nothing in a cell ends it, or begins anything.
fn escaped(text: &str) -> String {
    let mut letters = text.chars();
    let kept: String = letters.by_ref().take(CELL_CHARS_MAX).collect();
    let cut = if letters.next().is_some() { "…" } else { "" };
    let mut plain = String::new();
    for letter in kept.chars() {
        match letter {
            // A result is data: in Markdown it must not become a link, an image or markup of its own.
            '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '\\' | '!' | '#' | '~' => plain.extend(['\\', letter]),
            _ if letter.is_control() => plain.push(' '),
            _ => plain.push(letter),
        }
    }
    plain + cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_23_a_result_is_a_table_whatever_stands_in_it() {
        let check = |json: &str, expected: Option<&str>| assert_eq!(of(json).as_deref(), expected, "{json}");
        check(
            r#"{"items": [{"id": "arm-1", "state": "armed"}, {"id": "a|b", "pose": null, "state": "x"}]}"#,
            Some("| id | state |\n| --- | --- |\n| arm-1 | armed |\n| a\\|b | x |"),
        );
        check(
            r#"{"items": {"columns": ["id", "pose.x"], "rows": [["arm|1", 1.5], ["arm-2", null]], "in_every_row": {"n": 1}}}"#,
            Some("| id | pose.x |\n| --- | --- |\n| arm\\|1 | 1.5 |\n| arm-2 |  |"),
        );
        check(r#"{"latched": false}"#, Some("| field | value |\n| --- | --- |\n| latched | false |"));
        check(r#"{"items": []}"#, None);
        check("{}", None);
        check("7", None);
        check("no json", None);
    }
}
