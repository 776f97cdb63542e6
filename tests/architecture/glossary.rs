//! The words in the names of public types: ordinary English, or explained in docs/glossary.md.

use std::collections::BTreeSet;

use crate::repository::{Violation, files, read, refuse, rust};

/// Beginnings of a line that names a public type.
const TYPES: [&str; 4] = ["pub struct ", "pub enum ", "pub trait ", "pub type "];

/// Words of names that say nothing by themselves. They stand here until their types have better names; no other type
/// takes one.
const OLD: &[&str] = &[
    "careful", "carries", "heeded", "hole", "near", "needles", "noun", "resumer", "said", "shown", "unplaced",
    "wanted", "wants", "whose", "why",
];

#[test]
fn public_names_are_ordinary_words_or_stand_in_the_glossary() {
    let ordinary = read("tests/data/ordinary-words.txt");
    let mut known: BTreeSet<String> =
        ordinary.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    known.extend(headwords());
    known.extend(OLD.iter().map(|word| (*word).to_owned()));
    let mut found = Vec::new();
    for (place, name) in public_types() {
        for word in words(&name) {
            if !known.contains(&word) && !word.strip_suffix('s').is_some_and(|singular| known.contains(singular)) {
                found.push(Violation {
                    edge: format!("{place}: {word:?} in {name}"),
                    reason: "whoever reads the name has to guess",
                    remedy: "use a word of the field; explain it in docs/glossary.md, or add it to \
                             tests/data/ordinary-words.txt if it is ordinary English",
                });
            }
        }
    }
    refuse(found);
}

#[test]
fn the_glossary_explains_each_word_once() {
    let text = read("docs/glossary.md");
    let heads: Vec<&str> = text.lines().filter_map(head).collect();
    let once: BTreeSet<&str> = heads.iter().copied().collect();
    assert!(!heads.is_empty(), "docs/glossary.md explains nothing");
    assert_eq!(heads.len(), once.len(), "a word of docs/glossary.md is explained twice");
}

#[test]
fn words_are_read_off_names() {
    assert_eq!(words("WhyIdle"), ["why", "idle"]);
    assert_eq!(words("McpServerRow2"), ["mcp", "server", "row"]);
}

/// The words that the glossary explains, in small letters.
fn headwords() -> Vec<String> {
    let text = read("docs/glossary.md");
    let heads = text.lines().filter_map(head).flat_map(|head| head.split(|c: char| !c.is_alphabetic()));
    heads.map(str::to_lowercase).collect()
}

fn head(line: &str) -> Option<&str> {
    line.strip_prefix("- **")?.split_once("**: ").map(|(head, _)| head)
}

/// Every public type of the production crates, with its place.
fn public_types() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let manifests = files("crates", &["Cargo.toml"]);
    for source in manifests.iter().flat_map(|manifest| rust(&manifest.path.replace("Cargo.toml", "src"))) {
        for (line, code) in source.code() {
            let code = code.trim_start();
            if let Some(rest) = TYPES.iter().find_map(|start| code.strip_prefix(start)) {
                let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
                found.push((format!("{}:{line}", source.path), name.to_owned()));
            }
        }
    }
    found
}

/// `WhyIdle` has the words `why` and `idle`.
fn words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for letter in name.chars().filter(|letter| letter.is_alphabetic()) {
        match found.last_mut() {
            Some(word) if letter.is_lowercase() => word.push(letter),
            _ => found.push(letter.to_lowercase().collect()),
        }
    }
    found
}
