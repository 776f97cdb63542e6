//! Names that were given up for the field's own: whoever knows the field looks for those.

use crate::repository::{Source, Violation, refuse, rust};

/// Names of modules, each with the name that is used instead.
const MODULES: &[(&str, &str)] = &[
    ("beside", "side_calls"),
    ("board", "snapshot"),
    ("door", "listener, or transport"),
    ("feed", "subscriptions"),
    ("holes", "template_params"),
    ("hooked", "turn_hooks"),
    ("hub", "event_bus"),
    ("ladder", "context_relief"),
    ("late", "late_decision"),
    ("meaning", "embeddings"),
    ("outlook", "tray_status"),
    ("placer", "embedder"),
    ("rejects", "reject_counters"),
    ("rig", "test_support"),
    ("shown", "the thing that is shown"),
    ("still", "mission_halt"),
    ("storing", "write_behind"),
    ("thinking", "agent_model"),
    ("upkeep", "storage_maintenance"),
    ("warm", "prompt_cache_warmup"),
];

/// Ends of type names that say what was done to a thing and not what it is.
const ENDS: [&str; 5] = ["Said", "Shown", "Told", "Heard", "Misheard"];

/// The type that a line declares, if it declares one.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.find(|word| matches!(*word, "struct" | "enum" | "trait" | "type"))?;
    let name = words.next()?;
    Some(&name[..name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len())])
}

fn old_names(source: &Source) -> Vec<(String, String)> {
    let file = source.path.rsplit('/').next().unwrap_or(&source.path).trim_end_matches(".rs");
    let module = MODULES.iter().find(|(old, _)| *old == file).map(|(_, new)| (source.path.clone(), (*new).to_owned()));
    let types = source.places(|line| declared(line).is_some_and(|name| ENDS.iter().any(|end| name.ends_with(end))));
    module.into_iter().chain(types.into_iter().map(|place| (place, "the noun of what it holds".to_owned()))).collect()
}

#[test]
fn no_module_and_no_type_has_a_name_that_was_given_up() {
    let sources = ["crates", "src-tauri"].into_iter().flat_map(rust).filter(|source| !source.path.contains("test"));
    let found = sources.flat_map(|source| old_names(&source)).map(|(edge, new)| Violation {
        edge: format!("{edge}: say {new}"),
        reason: "whoever knows the field has to learn a second word for what already has one",
        remedy: "take the field's word; docs/glossary.md has those of this program",
    });
    refuse(found.collect());
}

#[test]
fn old_names_are_found_in_files_and_declarations() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    assert_eq!(old_names(&source("crates/a/src/hub.rs", "struct A;\n")).len(), 1);
    assert_eq!(
        old_names(&source("crates/a/src/b.rs", "pub struct WordHeard {\nenum Said<T> {\nfn told() {}\n")).len(),
        2
    );
    assert!(old_names(&source("crates/a/src/late_decision.rs", "struct Heardable;\n")).is_empty());
}
