//! Modules of a crate that use each other in a circle: none can be read, moved or tested without the rest.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::{Source, Violation, refuse, root, rust};

/// The most modules that may use each other in a circle.
const CYCLE_MAX: usize = 5;
/// Crates in which more do, with their number, which may only become smaller.
const LARGER: [(&str, usize); 0] = [];

/// Files that stand beside the parts of a crate: its map, its program, and what its tests share.
const OF_NO_PART: [&str; 4] = ["lib", "main", "test_support", "fixtures"];

type Uses = BTreeMap<String, BTreeSet<String>>;

/// The paths that code names after `crate::`, for example `gate::Judged`; a list in braces names several.
fn named(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, path) in code.match_indices("crate::") {
        read_path("", &code[at + path.len()..], &mut found);
    }
    found
}

/// Reads one path below `prefix`, with the list that it may end in, and returns the text behind it.
fn read_path<'a>(prefix: &str, text: &'a str, found: &mut Vec<String>) -> &'a str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (word, rest) = text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()));
    let path =
        if prefix.is_empty() || word.is_empty() { format!("{prefix}{word}") } else { format!("{prefix}::{word}") };
    if let Some(list) = rest.strip_prefix(if word.is_empty() { "{" } else { "::{" }) {
        return read_list(&path, list, found);
    }
    match rest.strip_prefix("::").filter(|deeper| deeper.starts_with(is_part)) {
        Some(deeper) => read_path(&path, deeper, found),
        None => {
            found.push(path);
            rest
        }
    }
}

/// Reads the rest of a list whose brace is open, and returns the text behind it.
fn read_list<'a>(prefix: &str, mut text: &'a str, found: &mut Vec<String>) -> &'a str {
    loop {
        text = text.trim_start();
        match text.strip_prefix('}') {
            Some(rest) => return rest,
            None if text.is_empty() => return text,
            None => text = read_path(prefix, text, found),
        }
        text = text.find([',', '}']).map_or("", |at| text[at..].trim_start_matches(','));
    }
}

/// The code of a file on one line.
fn code_of(source: &Source) -> String {
    source.code().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// True if a file holds nothing but other modules: a folder, whose modules count as those of the crate.
fn is_folder(code: &str) -> bool {
    let is_declaration = |line: &str| line.split_whitespace().any(|word| word == "mod") && line.ends_with(';');
    code.lines().all(|line| is_declaration(line.trim()))
}

/// The module of a crate that `path` leads to: its first word, or its first two if the first is a folder.
fn module_of(path: &str, folders: &BTreeSet<String>) -> String {
    let mut words = path.split("::");
    let outermost = words.next().unwrap_or(path);
    match words.next().filter(|_| folders.contains(outermost)) {
        Some(inner) => format!("{outermost}::{inner}"),
        None => outermost.to_owned(),
    }
}

/// The modules of a crate, and those that each uses, by itself or by a name that `lib.rs` hands on.
fn uses(name: &str) -> Uses {
    let sources = rust(&format!("crates/{name}/src"));
    let path = |source: &Source| {
        let file = source.path.split_once("/src/").map_or(source.path.as_str(), |(_, file)| file);
        file.trim_end_matches(".rs").replace('/', "::")
    };
    let files: Vec<(String, String)> = sources.iter().map(|source| (path(source), code_of(source))).collect();
    let folders: BTreeSet<String> = files
        .iter()
        .filter(|(path, code)| !path.contains("::") && is_folder(code))
        .map(|(path, _)| path.clone())
        .collect();
    let is_counted = |module: &str| !folders.contains(module) && !OF_NO_PART.contains(&module);
    let of_file = |(path, code): &(String, String)| (module_of(path, &folders), code.clone());
    let files: Vec<(String, String)> = files.iter().map(of_file).filter(|(module, _)| is_counted(module)).collect();
    let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.clone()).collect();
    let lib = sources.iter().find(|source| source.path.ends_with("/src/lib.rs"));
    let handed_on = lib.map(|lib| handed_on(&code_of(lib))).unwrap_or_default();
    let used = |path: String| {
        let path = handed_on.get(path.split("::").next().unwrap_or(&path)).unwrap_or(&path);
        Some(module_of(path, &folders)).filter(|module| modules.contains(module))
    };
    let mut uses = Uses::new();
    for (module, code) in &files {
        let used = named(code).into_iter().filter_map(used);
        uses.entry(module.clone()).or_default().extend(used.filter(|used| used != module));
    }
    uses
}

/// The names that the code of `lib.rs` hands on, with the path that each comes from.
fn handed_on(lib: &str) -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    for statement in lib.split("use ").skip(1) {
        read_path("", statement, &mut paths);
    }
    let named = paths.into_iter().filter_map(|path| Some((path.rsplit_once("::")?.1.to_owned(), path)));
    named.collect()
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
        ["gate::self", "gate::Judged", "stops", "arming::hold", "Fleet"]
    );
    let folders = BTreeSet::from(["state".to_owned()]);
    let modules = ["state::stop_records::Stops", "state", "gate::submit"].map(|path| module_of(path, &folders));
    assert_eq!(modules, ["state::stop_records", "state", "gate"]);
    assert!(is_folder("pub mod commands;\nmod leases;") && !is_folder("mod leases;\npub use leases::Lease;"));
    assert_eq!(handed_on("pub use state::leases::{Guard, Lease};")["Lease"], "state::leases::Lease");
}
