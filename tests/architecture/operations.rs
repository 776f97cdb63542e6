//! The operation table is the only place that lists operations.

use std::collections::BTreeSet;

use crate::repository::{Violation, crates_but, refuse};

/// Files in which the same word stands for something else.
const OTHER_WORDS: [(&str, &str); 3] = [
    ("crates/agent/src/turn/relief.rs", "remember_note"),
    ("crates/runtime/src/config/sandbox.rs", "world_history"),
    ("crates/runtime/src/crash.rs", "turn_steer"),
];

fn is_test(path: &str) -> bool {
    ["/tests", "/marks.rs", "/carriers.rs", "/test_support"].iter().any(|part| path.contains(part))
}

/// True for the files of rows, in the crate of what they work on, and for the names that a row shares with modules below.
fn is_of_rows(path: &str) -> bool {
    path.split_once("/src/").is_some_and(|(_, file)| file.starts_with("operations/") || file == "operation_names.rs")
}

/// The texts in quotes in a line of code.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[test]
fn no_code_names_an_operation_but_its_row() {
    let names: BTreeSet<&str> = station::operations::table().iter().map(|row| row.name).collect();
    let mut found = Vec::new();
    // The command interpreter calls tools by name as a language model does, and tables are named like what lists them.
    for source in crates_but(&["llm", "memory"]) {
        if is_test(&source.path) || is_of_rows(&source.path) {
            continue;
        }
        let is_named = |word: &str| names.contains(word) && !OTHER_WORDS.contains(&(source.path.as_str(), word));
        found.extend(source.places(|line| quoted(line).any(is_named)));
    }
    let violation = |edge| Violation {
        edge,
        reason: "a list of operations beside the table forgets the next one",
        remedy: "say it in the row (a method of `Operation`), or use the constant beside the row",
    };
    refuse(found.into_iter().map(violation).collect());
}
