//! Locks: each holds what only its holder may use, so that nobody can use it without the guard.

use crate::repository::{Violation, refuse, rust};

/// Fields whose lock holds nothing, with the reason: it orders acts on what others use without it meanwhile.
const ORDER_ACTS: [(&str, &str); 13] = [
    (
        "crates/fleet/src/state/robot_handle.rs in_turn",
        "judging and sending; what they read is in `control`, let go between them",
    ),
    (
        "crates/fleet/src/state/robot_handle.rs locking",
        "rows of lockouts; stops read the lockout itself, under `control`",
    ),
    ("crates/memory/src/agent_db.rs copying", "compaction and backup of a database file that queries go on using"),
    ("crates/mission_runner/src/runner.rs dry_running", "a dry run costs much: one at a time"),
    ("crates/mission_runner/src/runner.rs reconciling", "registrations that belong to other crates"),
    ("crates/runtime/src/writers.rs by_owner", "gives turns at databases whose handles the callers hold"),
    ("crates/sensing/src/alarms.rs acting", "planning, writing and acting; samples change the list meanwhile"),
    ("crates/agent_runner/src/turn_runner/mode.rs saving", "writes of the mode to the disk; it is read meanwhile"),
    ("crates/sensing/src/ingest.rs changing", "writes to a database and then to contexts that rows read meanwhile"),
    ("crates/sensing/src/ingest/subscriptions.rs making", "subscribing over the network; the map is read meanwhile"),
    ("crates/sensing/src/ingest/write_behind.rs writing", "batches to the disk; receivers fill the next one meanwhile"),
    ("crates/sensing/src/rules.rs saving", "batches to the disk; rules fire meanwhile"),
    ("crates/sensing/src/watched.rs making", "subscribing over the network; the map is read meanwhile"),
];

/// The name of the field that a line declares, if its lock holds nothing.
fn holds_nothing(line: &str) -> Option<&str> {
    let (field, kind) = line.trim().split_once(": ")?;
    let name = field.rsplit(' ').next()?;
    (kind.contains("Mutex<()>") && kind.ends_with(',')).then_some(name)
}

#[test]
fn a_lock_holds_what_it_guards_or_stands_here_with_the_reason() {
    let mut found: Vec<String> = Vec::new();
    for source in rust("crates").into_iter().filter(|source| source.path.contains("/src/")) {
        found.extend(
            source.code().filter_map(|(_, line)| holds_nothing(line)).map(|name| format!("{} {name}", source.path)),
        );
    }
    let known = |edge: &String| ORDER_ACTS.iter().any(|(place, _)| place == edge);
    refuse(
        found
            .iter()
            .filter(|edge| !known(edge))
            .map(|edge| Violation {
                edge: edge.clone(),
                reason: "a lock over nothing says in a comment alone what it guards, and whoever forgets to take it is not told",
                remedy: "put the data, or the handle that changes it, inside the lock; if others must use it without the \
                         lock meanwhile, name the field and the reason in ORDER_ACTS",
            })
            .collect(),
    );
    let gone: Vec<_> = ORDER_ACTS.iter().filter(|(place, _)| !found.iter().any(|edge| edge == place)).collect();
    assert!(gone.is_empty(), "ORDER_ACTS names what is not there: {gone:?}");
}

#[test]
fn a_lock_over_nothing_is_told_from_one_that_holds_something() {
    assert_eq!(holds_nothing("    pub(crate) reconciling: tokio::sync::Mutex<()>,"), Some("reconciling"));
    assert_eq!(holds_nothing("    copying: Arc<tokio::sync::Mutex<()>>,"), Some("copying"));
    assert_eq!(holds_nothing("    writing: Mutex<Folder>,"), None);
    assert_eq!(holds_nothing("fn of(&self) -> Arc<Mutex<()>> {"), None);
}
