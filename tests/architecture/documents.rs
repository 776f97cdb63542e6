//! Documents are short, complete and lead somewhere: decisions, the README of each crate, and every link.

use std::collections::BTreeSet;

use crate::repository::{Source, Violation, files, read, refuse, root};

/// Lines of ARCHITECTURE.md, which links to everything longer.
const ARCHITECTURE_LINES_MAX: usize = 150;
/// Lines of the README of a crate.
const README_LINES_MAX: usize = 30;
/// The parts of a decision.
const PARTS: [&str; 4] = ["## Context", "## Decision", "## Consequence", "## Code"];

/// Every document of the repository.
pub fn documents() -> Vec<Source> {
    let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut found: Vec<_> = names.iter().map(|path| Source { path: (*path).to_owned(), text: read(path) }).collect();
    for folder in ["docs", "crates", "src-tauri"] {
        found.extend(files(folder, &[".md"]));
    }
    found
}

#[test]
fn links_of_documents_lead_to_files() {
    let mut found = Vec::new();
    for document in documents() {
        let folder = root().join(&document.path).parent().unwrap().to_owned();
        for link in links(&document.text) {
            let path = link.split('#').next().unwrap();
            if !path.is_empty() && !path.contains("://") && !folder.join(path).exists() {
                found.push(Violation {
                    edge: format!("{}: {link}", document.path),
                    reason: "a reader who follows the link finds nothing",
                    remedy: "name the file as it is called now, or take the link out",
                });
            }
        }
    }
    refuse(found);
}

#[test]
fn every_decision_has_its_parts_and_stands_in_the_index() {
    let index = read("docs/decisions/README.md");
    let mut numbers = BTreeSet::new();
    let mut found = Vec::new();
    for decision in files("docs/decisions", &[".md"]) {
        let name = decision.path.rsplit('/').next().unwrap();
        if name == "README.md" {
            continue;
        }
        let number = &name[..4];
        let is_listed = index.contains(&format!("[{number}]({name})"));
        let is_whole = PARTS.iter().all(|part| decision.text.lines().any(|line| line == *part));
        let is_titled = decision.text.starts_with(&format!("# {number}. "));
        if !is_listed || !is_whole || !is_titled || !numbers.insert(number.to_owned()) {
            found.push(Violation {
                edge: decision.path.clone(),
                reason: "a decision is found by its number and read by its parts",
                remedy: "a number of its own, the title `# NNNN. …`, the four parts, and a row in docs/decisions/README.md",
            });
        }
    }
    assert!(!numbers.is_empty(), "docs/decisions holds no decision");
    refuse(found);
}

#[test]
fn the_map_of_the_project_and_of_each_crate_is_short() {
    let mut maps = vec![("ARCHITECTURE.md".to_owned(), ARCHITECTURE_LINES_MAX)];
    maps.push(("src-tauri/README.md".to_owned(), README_LINES_MAX));
    for manifest in files("crates", &["Cargo.toml"]) {
        maps.push((manifest.path.replace("Cargo.toml", "README.md"), README_LINES_MAX));
    }
    let mut found = Vec::new();
    for (path, lines_max) in maps {
        let lines = std::fs::read_to_string(root().join(&path)).map(|text| text.lines().count());
        if !lines.as_ref().is_ok_and(|lines| *lines <= lines_max) {
            found.push(Violation {
                edge: format!("{path}: {lines:?} lines of {lines_max}"),
                reason: "a newcomer reads it first, and whole",
                remedy: "say what it decides or runs, its invariant and where to start; move the rest into docs/",
            });
        }
    }
    refuse(found);
}

/// The targets of the links of a text: what stands between `](` and `)`.
fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}
