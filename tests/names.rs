//! Names of tests, for the lists of requirements that each must be carried by one.
#![expect(clippy::unwrap_used, reason = "a rule that cannot read the repository has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of all functions of the repository's Rust files.
pub fn functions() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["crates", "tests"] {
        rust_files(&root.join(folder), &mut files);
    }
    files.iter().flat_map(|file| functions_in(&fs::read_to_string(file).unwrap())).collect()
}

fn functions_in(source: &str) -> Vec<String> {
    source.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next()).map(str::to_owned).collect()
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
