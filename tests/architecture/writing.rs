//! Nothing but crate `files`, and SQLite, opens a file for writing: a full disk, a link and other people's rights are
//! thought of there, once.

use crate::repository::{Violation, crates_but, refuse, rust};

/// Code that only tests compile.
const OF_TESTS: &[&str] =
    &["crates/memory/src/truncation.rs", "crates/station/src/test_support.rs", "crates/station/src/tests/marks.rs"];

/// Calls that open, make, move or remove a file, or a folder.
const WRITES: &[&str] = &[
    "fs::write(",
    "File::create",
    "File::options(",
    ".write(true)",
    ".append(true)",
    ".create(true)",
    ".create_new(true)",
    ".truncate(true)",
    "fs::copy(",
    "fs::rename(",
    "fs::hard_link(",
    "fs::symlink(",
    "fs::create_dir",
    "fs::remove_file(",
    "NamedTempFile",
    "tokio::fs::File",
    "tokio::fs::OpenOptions",
];

#[test]
fn f26_nothing_but_the_crate_for_it_opens_files_for_writing() {
    let mut found = Vec::new();
    for source in crates_but(&["files"]).into_iter().chain(rust("src-tauri/src")) {
        if OF_TESTS.contains(&source.path.as_str()) {
            continue;
        }
        let places = source.places(|line| WRITES.iter().any(|write| line.contains(write)));
        found.extend(places.into_iter().map(|edge| Violation {
            edge,
            reason: "a write that fails half-way, or goes through a link, loses what was there",
            remedy: "call crate `files`",
        }));
    }
    refuse(found);
}
