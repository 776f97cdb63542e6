//! The crates that decide take state and time as arguments, so that every decision can be tested and replayed.

use crate::repository::{Violation, crates_but, read, refuse, rust};

/// No async, no I/O, no clock, no randomness.
const PURE: &[&str] = &["robot", "ros2", "safety", "world", "missions", "agent"];

/// Dependencies that bring what a pure crate must not have.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "futures",
    "async-trait",
    "async-channel",
    "smol",
    "rand",
    "rand_chacha",
    "fastrand",
    "getrandom",
    "tracing",
    "rustix",
    "libc",
    "tempfile",
    "notify",
    "chrono",
];

/// Code that a line of a pure crate must not contain, and the remedy.
const IMPURE_CODE: &[(&str, &str)] = &[
    ("std::fs", "take the text"),
    ("std::net", "take the message"),
    ("std::env", "take the value"),
    ("std::process", "return what shall be done"),
    ("std::thread", "return what shall be done"),
    ("std::io", "take the text"),
    ("SystemTime", "take a `robot::Now`"),
    ("std::time::Instant", "take a `robot::Instant`"),
    ("Instant::now", "take a `robot::Instant`"),
    ("async fn", "return what shall be awaited, and let the station await it"),
    (".await", "return what shall be awaited, and let the station await it"),
    ("println!", "return the text"),
    ("eprintln!", "return the text"),
    ("new_v4(", "take the id"),
    ("now_v7(", "take the id"),
    ("thread_local!", "keep it in the state that is passed in"),
    ("static mut", "keep it in the state that is passed in"),
    ("OnceLock", "keep it in the state that is passed in"),
];

const REASON: &str = "a decision that reads a clock, a file or a die cannot be tested or replayed";

#[test]
fn pure_crates_do_nothing_but_decide() {
    let mut found = Vec::new();
    for source in PURE.iter().flat_map(|name| rust(&format!("crates/{name}/src"))) {
        for (word, remedy) in IMPURE_CODE {
            let places = source.places(|line| line.contains(word));
            found.extend(places.into_iter().map(|edge| Violation { edge, reason: REASON, remedy }));
        }
    }
    refuse(found);
}

#[test]
fn pure_crates_name_no_impure_dependency() {
    let mut found = Vec::new();
    for name in PURE {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let dependencies = manifest.split("\n[").find(|section| section.starts_with("dependencies]"));
        for line in dependencies.unwrap_or_default().lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if IMPURE_CRATES.contains(&dependency) {
                found.push(Violation {
                    edge: format!("{name} → {dependency}"),
                    reason: REASON,
                    remedy: "let the caller do it and pass the result in",
                });
            }
        }
    }
    refuse(found);
}

/// Files in which samples become entries: the receive threads, a trial in a world of its own, and tests.
const APPLIES: &[&str] =
    &["crates/sensing/src/ingest.rs", "crates/world/src/trial.rs", "crates/world/src/test_support.rs"];

#[test]
fn ws_01_only_providers_write_the_world_state() {
    let sources = rust("crates").into_iter().filter(|source| !source.path.contains("/tests"));
    let elsewhere = sources.filter(|source| !APPLIES.contains(&source.path.as_str()));
    let applies = |line: &str| line.contains("world.apply(") || line.contains("world().apply(");
    let found = elsewhere.flat_map(|source| source.places(applies)).map(|edge| Violation {
        edge,
        reason: "what no sensor said must not stand among what sensors said",
        remedy: "let a provider take it in from a sample, or keep it elsewhere",
    });
    refuse(found.collect());
}

/// Calls that read a clock of the computer.
const CLOCKS: [&str; 6] =
    ["clock_gettime", "SystemTime::now", "std::time::Instant::now", "Timestamp::now", "Zoned::now", "Utc::now"];

#[test]
fn one_file_reads_the_clocks_of_the_computer() {
    let mut found = Vec::new();
    // The simulator is a process of its own, as robots are.
    for source in crates_but(&["sim"]) {
        if ["runtime/src/clock.rs", "gate/src/host.rs"].iter().any(|clock| source.path.ends_with(clock)) {
            continue;
        }
        for word in CLOCKS {
            let places = source.places(|line| line.contains(word) && !line.contains("reason = "));
            found.extend(places.into_iter().map(|edge| Violation {
                edge,
                reason: "a test could not set this clock while the station runs, and no decision could be replayed",
                remedy: "ask `runtime::clock`, or take a `robot::Now`",
            }));
        }
    }
    refuse(found);
}
