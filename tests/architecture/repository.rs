//! Reads the repository for the rules: files, their code without comments and tests, and what they may not contain.

use std::fs;
use std::path::{Path, PathBuf};

/// Something that breaks a rule.
pub struct Violation {
    /// From where to where, or the place and what stands there.
    pub edge: String,
    /// The reason that it is not allowed.
    pub reason: &'static str,
    /// The thing to do instead.
    pub remedy: &'static str,
}

/// Fails with every violation, each on three lines.
#[track_caller]
pub fn refuse(violations: Vec<Violation>) {
    let told: Vec<String> = violations
        .iter()
        .map(|Violation { edge, reason, remedy }| format!("{edge}\n    because: {reason}\n    instead: {remedy}"))
        .collect();
    assert!(told.is_empty(), "{} violation(s)\n{}", told.len(), told.join("\n"));
}

/// A source file by its path from the repository's root.
pub struct Source {
    /// For example `crates/robot/src/id.rs`.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Its Rust code with line numbers, without comments and without tests.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let tested = self.text.find("\nmod tests {").unwrap_or(self.text.len());
        let lines = self.text[..tested].lines().enumerate();
        lines.map(|(i, line)| (i + 1, without_comment(line))).filter(|(_, line)| !line.trim().is_empty())
    }

    /// The places where `found` holds for a line of code, as `path:line: text`.
    pub fn places(&self, found: impl Fn(&str) -> bool) -> Vec<String> {
        let lines = self.code().filter(|(_, line)| found(line));
        lines.map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim())).collect()
    }
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("//") {
        return "";
    }
    line.find(" // ").map_or(line, |start| &line[..start])
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The text of a file that must exist.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A JSON file that must exist.
pub fn read_json(path: &str) -> serde_json::Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file below `folder` with one of `endings`, in order. Folders of tools and builds are left out.
pub fn files(folder: &str, endings: &[&str]) -> Vec<Source> {
    let root = root();
    let mut open = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["node_modules", "target", "dist", "gen", ".git"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { path: path.strip_prefix(&root).unwrap().to_string_lossy().into_owned(), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The Rust sources of a crate that are not tests.
pub fn rust(folder: &str) -> Vec<Source> {
    let mut sources = files(folder, &[".rs"]);
    sources.retain(|source| !source.path.ends_with("tests.rs") && !source.path.contains("/tests/"));
    assert!(!sources.is_empty(), "{folder} holds no Rust");
    sources
}

/// The Rust sources of every crate but `others`, without tests. A crate that is added is among them.
pub fn crates_but(others: &[&str]) -> Vec<Source> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = folders.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names.retain(|name| !others.contains(&name.as_str()));
    names.iter().flat_map(|name| rust(&format!("crates/{name}/src"))).collect()
}

/// True if `line` has `word` as a whole.
pub fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}
