//! Names of tests, for the lists of requirements that each must be carried by one.
#![expect(clippy::unwrap_used, reason = "a rule that cannot read the repository has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The areas of the requirements: world state, predicates, rules, alarms, prompt block, episodes, beliefs, jobs,
/// proposals and notes, isolation, operations, storage, bounds of cost, cases.
/// Of the turn loop, providers and missions the same.
const AREAS: [&str; 43] = [
    "ws", "q", "r", "al", "pb", "e2", "bl", "j", "pn", "is", "op", "st", "pf", "cw", "b", "d", "h", "t", "s", "e", "l",
    "p", "x", "k", "a", "c", "m", "v", "i", "w", "wa", "wb", "wc", "we", "wg", "wp", "wr", "wt", "wu", "ml", "mi",
    "mg", "att",
];

/// The names of all tests of the repository's Rust files.
pub fn tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["crates", "tests", "xtask"] {
        rust_files(&root.join(folder), &mut files);
    }
    files.iter().flat_map(|file| tests_in(&fs::read_to_string(file).unwrap())).collect()
}

/// The ids at the start of a name, of rows of the safety matrix (`n10`) and of requirements (`cw_20`):
/// `w5_cw_21_ws_43_shows` carries three.
pub fn ids(name: &str) -> Vec<String> {
    let is_number = |part: &&str| {
        // A row that was put between two others has a letter behind its number: `21a`.
        let digits = part.strip_suffix(|last: char| last.is_ascii_lowercase()).unwrap_or(part);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut parts = name.split('_').peekable();
    let mut found = Vec::new();
    while let Some(part) = parts.next() {
        let row = part.strip_prefix(|letter: char| letter.is_ascii_lowercase());
        if !AREAS.contains(&part) && row.as_ref().is_some_and(is_number) {
            found.push(part.to_owned());
        } else if AREAS.contains(&part)
            && let Some(number) = parts.next_if(is_number)
        {
            found.push(format!("{part}_{number}"));
        } else {
            break;
        }
    }
    found
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

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
