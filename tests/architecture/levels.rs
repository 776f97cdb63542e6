//! The number of modules that stand beside each other: a newcomer reads a list of them, and looks for one in it.

use crate::repository::{Violation, refuse, rust};

/// Modules that one file may declare, those of its tests aside.
const MODULES_MAX: usize = 20;

/// The modules that the code of a file declares, each in a file of its own.
fn declared(text: &str) -> usize {
    let is_module = |line: &str| line.ends_with(';') && line.split(' ').any(|word| word == "mod");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let modules = (0..lines.len()).filter(|&at| !lines[at].starts_with("//") && is_module(lines[at]));
    modules.filter(|&at| at == 0 || lines[at - 1] != "#[cfg(test)]").count()
}

#[test]
fn at_most_twenty_modules_stand_beside_each_other() {
    let wide = ["crates", "src-tauri", "xtask"].into_iter().flat_map(rust).filter_map(|source| {
        let count = declared(&source.text);
        (count > MODULES_MAX).then(|| Violation {
            edge: format!("{}: {count} modules, at most {MODULES_MAX}", source.path),
            reason: "nobody finds one among so many, and their names alone do not say which belong together",
            remedy: "put those that serve one purpose into a folder with a name of the field",
        })
    });
    refuse(wide.collect());
}

#[test]
fn modules_are_counted_without_those_of_tests_and_those_in_the_same_file() {
    let text = "//! mod text;\npub mod a;\npub(crate) mod b;\nmod c {\n    fn d() {}\n}\n#[cfg(test)]\nmod fixtures;\n";
    assert_eq!(declared(text), 2);
}
