//! Modules of a crate that use each other in a circle: none can be read, moved or tested without the rest.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::{Source, Violation, refuse, root, rust};

/// The most modules that may use each other in a circle.
const CYCLE_MAX: usize = 5;
/// Crates in which more do, with their number, which may only become smaller.
const LARGER: [(&str, usize); 0] = [];

type Uses = BTreeMap<String, BTreeSet<String>>;

/// The names in an expression of `use` after `crate::`, outermost module and all, for example `gate`, `Fleet`.
fn named(code: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(outermost(list)),
            None => found.push(&rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]),
        }
    }
    found
}

/// The first word of each item of a list in braces, which `list` begins inside of.
fn outermost(list: &str) -> Vec<&str> {
    let (mut depth, mut begins, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                let item = list[begins..at].trim();
                found.push(item.split("::").next().unwrap_or(item));
                begins = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// The code of a file on one line.
fn code_of(source: &Source) -> String {
    source.code().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// The outermost modules of a crate, and those that each uses, by itself or by a name that `lib.rs` hands on.
fn uses(name: &str) -> Uses {
    let sources = rust(&format!("crates/{name}/src"));
    let module = |path: &str| {
        let file = path.split_once("/src/").map_or(path, |(_, file)| file);
        file.split('/').next().unwrap_or(file).trim_end_matches(".rs").to_owned()
    };
    let of_file = |source: &Source| (module(&source.path), code_of(source));
    let is_tested = |module: &str| matches!(module, "lib" | "main" | "test_support" | "fixtures");
    let files: Vec<(String, String)> = sources.iter().map(of_file).filter(|(module, _)| !is_tested(module)).collect();
    let modules: BTreeSet<&String> = files.iter().map(|(module, _)| module).collect();
    let lib = sources.iter().find(|source| source.path.ends_with("/src/lib.rs"));
    let handed_on = lib.map(|lib| handed_on(&code_of(lib), &modules)).unwrap_or_default();
    let mut uses = Uses::new();
    for (module, code) in &files {
        let used = named(code).into_iter().filter_map(|name| match modules.contains(&name.to_owned()) {
            true => Some(name.to_owned()),
            false => handed_on.get(name).cloned(),
        });
        uses.entry(module.clone()).or_default().extend(used.filter(|used| used != module));
    }
    uses
}

/// The names that the code of `lib.rs` hands on, with the module that each comes from.
fn handed_on(lib: &str, modules: &BTreeSet<&String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for statement in lib.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(statement, _)| statement) {
        let Some((module, names)) = statement.split_once("::") else { continue };
        if !modules.contains(&module.to_owned()) {
            continue;
        }
        let words = names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        found.extend(words.map(|word| (word.to_owned(), module.to_owned())));
    }
    found
}

/// Every module that `from` reaches by at least one step.
fn reached<'a>(uses: &'a Uses, from: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for used in uses.get(module).into_iter().flatten() {
            if reached.insert(used.as_str()) {
                open.push(used);
            }
        }
    }
    reached
}

/// The largest set of modules of which each reaches every other; empty if there is no circle.
fn largest_cycle(uses: &Uses) -> Vec<&str> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|from| (from.as_str(), reached(uses, from))).collect();
    let cycle = |of: &str| -> Vec<&str> {
        let both = reached.iter().filter(|(other, back)| reached[of].contains(*other) && back.contains(of));
        both.map(|(other, _)| *other).collect()
    };
    reached.keys().map(|of| cycle(of)).max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn no_more_than_five_modules_of_a_crate_use_each_other_in_a_circle() {
    let folders = std::fs::read_dir(root().join("crates")).unwrap();
    let names = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap());
    let mut found = Vec::new();
    for name in names {
        let uses = uses(&name);
        let cycle = largest_cycle(&uses);
        let known = LARGER.iter().find(|(larger, _)| *larger == name).map(|(_, size)| *size);
        let larger = Some(cycle.len()).filter(|size| *size > CYCLE_MAX);
        if larger != known {
            found.push(Violation {
                edge: format!("crates/{name}: {} modules: {}", cycle.len(), cycle.join(", ")),
                reason: "a change of one can need a change of each, and none is read or tested alone",
                remedy: "hand in what the lower module asks for, as an argument or a trait; if the circle became smaller, \
                         write its size in LARGER, or take it out",
            });
        }
    }
    refuse(found);
}

#[test]
fn a_circle_is_found_through_modules_and_names_that_are_handed_on() {
    let uses = |edges: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (from, to) in edges {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            uses.entry((*to).to_owned()).or_default();
        }
        uses
    };
    assert_eq!(largest_cycle(&uses(&[("a", "b"), ("b", "c")])), Vec::<&str>::new());
    assert_eq!(
        largest_cycle(&uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")])),
        ["a", "b", "c"]
    );
    assert_eq!(
        named("use crate::{gate::{self, Judged}, stops};\nlet x = crate::arming::hold(crate::Fleet);"),
        ["gate", "stops", "arming", "Fleet"]
    );
}
