//! The names of tests begin with ids of requirements, and docs/requirements says what each id means: no id without its
//! line, no line without its test.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::{Violation, files, read, refuse};

/// The section of what exists and has no test.
const UNTESTED: &str = "## Not yet tested";

/// One line of docs/requirements.
struct Requirement {
    /// File and line.
    place: String,
    id: String,
    is_untested: bool,
}

#[test]
fn every_file_of_scenarios_is_part_of_their_program() {
    let program = read("tests/scenarios/main.rs");
    let parts: BTreeSet<&str> =
        program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    let scenarios = files("tests/scenarios", &[".rs"]);
    let left_out = scenarios.iter().filter_map(|file| {
        let name = file.path.strip_prefix("tests/scenarios/")?.strip_suffix(".rs")?;
        (!name.contains('/') && name != "main" && !parts.contains(name)).then(|| Violation {
            edge: file.path.clone(),
            reason: "nobody runs it",
            remedy: "name it in tests/scenarios/main.rs",
        })
    });
    refuse(left_out.collect());
}

#[test]
fn every_id_that_a_test_carries_is_explained_and_every_explained_id_is_carried() {
    let carried = carried();
    let requirements = requirements();
    let explained: BTreeSet<&str> = requirements.iter().map(|requirement| requirement.id.as_str()).collect();
    let unexplained = carried.iter().filter(|(id, _)| !explained.contains(id.as_str())).map(|(id, test)| Violation {
        edge: format!("{id}: {test}"),
        reason: "nobody knows what the test holds",
        remedy: "write its line into the file of its area in docs/requirements, or take the id out of the name",
    });
    let untested =
        requirements.iter().filter(|requirement| carried.contains_key(&requirement.id) == requirement.is_untested);
    let untested = untested.map(|requirement| Violation {
        edge: format!("{}: {}", requirement.place, requirement.id),
        reason: "the list says of it the opposite of what the tests do",
        remedy: "begin a test's name with the id, or move the line into or out of the section \"Not yet tested\"",
    });
    refuse(unexplained.chain(untested).collect());
}

#[test]
fn an_id_means_one_thing() {
    let mut seen = BTreeMap::new();
    let mut found = Vec::new();
    for Requirement { place, id, .. } in requirements() {
        if let Some(first) = seen.insert(id.clone(), place.clone()) {
            found.push(Violation {
                edge: format!("{id}: {first} and {place}"),
                reason: "a test with this id says nothing certain",
                remedy: "give one of the two another number, and its tests too",
            });
        }
    }
    assert!(!seen.is_empty(), "docs/requirements explains nothing");
    refuse(found);
}

#[test]
fn ids_are_read_off_names() {
    assert_eq!(ids("att_18_p_21a_e2_05_a_flood"), ["att_18", "p_21a", "e2_05"]);
    assert_eq!(ids("g6_prop_01_out_of_a_zone"), ["g6", "prop_01"]);
    assert!(ids("h_a_word_and_4_096_bytes").is_empty());
    assert_eq!(labels("test(\"U-110 E2-05 asks\", () => {})"), ["u_110", "e2_05"]);
    assert!(labels("wait(\"F12\"); say(\"the U-110\")").is_empty());
}

fn requirements() -> Vec<Requirement> {
    let mut found = Vec::new();
    for file in files("docs/requirements", &[".md"]) {
        let mut is_untested = false;
        for (i, line) in file.text.lines().enumerate() {
            if line.starts_with('#') {
                is_untested = line == UNTESTED;
            }
            if let Some((id, _)) = line.strip_prefix("- `").and_then(|rest| rest.split_once("`: ")) {
                found.push(Requirement { place: format!("{}:{}", file.path, i + 1), id: id.to_owned(), is_untested });
            }
        }
    }
    found
}

/// Every id that a test carries, with one such test.
fn carried() -> BTreeMap<String, String> {
    let rust = ["crates", "src-tauri", "tests", "xtask"].into_iter().flat_map(|folder| files(folder, &[".rs"]));
    let named = rust.flat_map(|file| tests_in(&file.text)).flat_map(|name| pairs(ids(&name), &name));
    let scripts =
        ["tests", "ui/src"].into_iter().flat_map(|folder| files(folder, &[".test.ts", ".test.tsx", ".test.mjs"]));
    let labelled = scripts.flat_map(|file| pairs(labels(&file.text), &file.path));
    let python = files("tests", &[".py"]).into_iter().flat_map(|file| methods_in(&file.text));
    let python = python.flat_map(|name| pairs(ids(&name), &name));
    named.chain(labelled).chain(python).collect()
}

fn pairs(ids: Vec<String>, test: &str) -> Vec<(String, String)> {
    ids.into_iter().map(|id| (id, test.to_owned())).collect()
}

/// The ids at the start of a name: `w5_cw_21_ws_43_shows` carries three.
fn ids(name: &str) -> Vec<String> {
    let mut parts = name.split('_').peekable();
    let mut found = Vec::new();
    while let Some(part) = parts.next() {
        if let Some(number) = parts.next_if(|next| is_area(part) && is_number(next)) {
            found.push(format!("{part}_{number}"));
        } else if part.strip_prefix(|letter: char| letter.is_ascii_lowercase()).is_some_and(is_digits) {
            found.push(part.to_owned());
        } else {
            break;
        }
    }
    found
}

/// The ids at the start of every text in quotes: `U-110 IS-02 asks nothing` carries two.
fn labels(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for text in source.split(['"', '\'', '`']).skip(1) {
        for word in text.split_inclusive(' ') {
            let Some((area, number)) = word.strip_suffix(' ').and_then(|word| word.split_once('-')) else { break };
            if area != area.to_uppercase() || !is_area(&area.to_lowercase()) || !is_number(number) {
                break;
            }
            found.push(format!("{}_{number}", area.to_lowercase()));
        }
    }
    found
}

/// One to four letters, and a digit where two areas would have the same: `e2`.
fn is_area(part: &str) -> bool {
    let letters = part.strip_suffix(|last: char| last.is_ascii_digit()).unwrap_or(part);
    (1..=4).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// At least two digits, and a letter for what was put between two others: `21a`.
fn is_number(part: &str) -> bool {
    let digits = part.strip_suffix(|last: char| last.is_ascii_lowercase()).unwrap_or(part);
    digits.len() >= 2 && is_digits(digits)
}

fn is_digits(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// The names of the functions that follow an attribute of a test; another function counts for nothing.
fn tests_in(source: &str) -> Vec<String> {
    let (mut is_test, mut found) = (false, Vec::new());
    for line in source.lines().map(str::trim_start) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        if let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test && !line.starts_with("//")) {
            found.extend(rest.split(['(', '<']).next().map(str::to_owned));
            is_test = false;
        }
    }
    found
}

/// The names of the test methods of a Python file.
fn methods_in(source: &str) -> Vec<String> {
    let lines = source.lines().filter_map(|line| line.trim_start().strip_prefix("def test_"));
    lines.filter_map(|rest| rest.split('(').next().map(str::to_owned)).collect()
}
