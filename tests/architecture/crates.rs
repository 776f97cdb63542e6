//! Dependencies allowed between crates, and code that only one crate may hold.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::repository::{Violation, files, read, refuse, root, rust};

/// Packages of the workspace that each package may depend on.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("robot", &[]),
    ("files", &[]),
    ("ros2", &[]),
    ("safety", &["robot"]),
    ("world", &["robot"]),
    ("missions", &["robot", "safety", "world"]),
    ("memory", &["robot", "safety", "world", "missions", "files"]),
    ("bridge", &["robot", "ros2", "safety", "files"]),
    ("llm", &["robot"]),
    ("agent", &["robot", "llm"]),
    ("runtime", &["robot", "safety", "world", "missions", "memory", "bridge", "llm", "agent", "files"]),
    ("sensing", &["runtime", "robot", "world", "memory", "bridge"]),
    ("fleet", &["runtime", "robot", "safety", "world", "memory", "bridge", "files"]),
    // Neither `fleet` nor `safety`: a language model cannot name what moves a robot.
    (
        "agent_runner",
        &["sensing", "runtime", "robot", "world", "missions", "memory", "bridge", "llm", "agent", "files"],
    ),
    ("mission_runner", &["runtime", "robot", "world", "missions", "memory", "llm", "agent", "files"]),
    (
        "station",
        &[
            "fleet",
            "sensing",
            "agent_runner",
            "mission_runner",
            "runtime",
            "robot",
            "safety",
            "world",
            "missions",
            "memory",
            "bridge",
            "llm",
            "agent",
            "files",
        ],
    ),
    // The operation table is the station's; its wire types are those of the shared services and of the crates that decide.
    ("api", &["station", "runtime", "robot", "safety", "world", "missions", "agent", "llm"]),
    ("remote", &["api", "files"]),
    ("server", &["api", "files", "remote"]),
    ("sim", &["robot", "safety", "bridge", "files"]),
    // Neither a station nor an agent: the gate has no part of what it protects the robot from.
    ("gate", &["robot", "ros2", "safety", "bridge", "files"]),
    ("quarterdeck", &["api", "remote", "server"]),
    ("xtask", &["api"]),
    // Everything but the app: tests of the backend build without WebKit.
    (
        "quarterdeck-tests",
        &[
            "robot",
            "safety",
            "world",
            "missions",
            "memory",
            "bridge",
            "llm",
            "agent",
            "runtime",
            "fleet",
            "sensing",
            "agent_runner",
            "mission_runner",
            "station",
            "api",
            "remote",
            "server",
            "sim",
            "gate",
            "files",
        ],
    ),
];

/// Lines of code, without comments and tests, that one crate may have.
const LINES_MAX: usize = 20_000;

/// Calls that `clippy.toml` bans, so that invariants hold inside functions too.
const BANNED_CALLS: &[&str] = &[
    "std::time::SystemTime::now",
    "std::time::Instant::now",
    "tokio::sync::mpsc::unbounded_channel",
    "std::sync::mpsc::channel",
    "tokio::spawn",
];

/// The scenarios' package plays people who edit the databases by hand, and other clients on the network.
const PLAYS_OTHERS: [(&str, &str); 2] = [("quarterdeck-tests", "sqlx"), ("quarterdeck-tests", "zenoh")];

/// A family of outside crates and the one package that may name it.
struct OnlyPlace {
    family: &'static str,
    package: &'static str,
    reason: &'static str,
    remedy: &'static str,
}

const ONLY_PLACES: &[OnlyPlace] = &[
    OnlyPlace {
        family: "tauri",
        package: "quarterdeck",
        reason: "the backend runs without a window, in the server and in tests",
        remedy: "add an operation or an event to `api`, and let the shell carry it",
    },
    OnlyPlace {
        family: "zenoh",
        package: "bridge",
        reason: "nothing but the bridge touches a robot",
        remedy: "receive through `bridge::Link`, send through `bridge::RobotLink`",
    },
    OnlyPlace {
        family: "sqlx",
        package: "memory",
        reason: "one crate owns the databases and their migrations",
        remedy: "add a function to `memory` that says what is stored",
    },
    OnlyPlace {
        family: "reqwest",
        package: "llm",
        reason: "one client obeys the rules about redirects, private addresses and sizes",
        remedy: "use the client of `llm`",
    },
    OnlyPlace {
        family: "axum",
        package: "server",
        reason: "the headless host is the only one that listens",
        remedy: "add an operation; the server serves every one of them",
    },
    OnlyPlace {
        family: "rmcp",
        package: "server",
        reason: "the protocol moves fast and stays in one place",
        remedy: "name a trait in `agent_runner` and implement it in `server`",
    },
    OnlyPlace {
        family: "keyring",
        package: "runtime",
        reason: "its calls can block for ever; one place puts them under a time limit",
        remedy: "ask the station for the secret's use, not for the secret",
    },
    OnlyPlace {
        family: "notify",
        package: "mission_runner",
        reason: "one place watches files and rescans after a burst",
        remedy: "let it tell of the change",
    },
];

/// Packages from which the bridge must not be reachable, whatever lies between.
const CANNOT_REACH_BRIDGE: &[&str] = &["agent", "missions", "llm", "world", "memory"];

/// A package of the workspace: every dependency it names, of any kind.
struct Package {
    manifest: String,
    publish: bool,
    dependencies: BTreeSet<String>,
}

fn packages() -> BTreeMap<String, Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| {
        let dependencies = package["dependencies"].as_array().unwrap();
        let found = Package {
            manifest: text(&package["manifest_path"]),
            publish: package["publish"].as_array().is_none_or(|registries| !registries.is_empty()),
            dependencies: dependencies.iter().map(|dependency| text(&dependency["name"])).collect(),
        };
        (text(&package["name"]), found)
    });
    packages.collect()
}

fn allowed(package: &str) -> Option<&'static [&'static str]> {
    MAY_DEPEND_ON.iter().find(|(name, _)| *name == package).map(|(_, allowed)| *allowed)
}

#[test]
fn crates_depend_downwards_only() {
    let packages = packages();
    let mut found = Vec::new();
    for (name, package) in &packages {
        let Some(allowed) = allowed(name) else {
            found.push(Violation {
                edge: format!("{name} is not in the table of crates"),
                reason: "a crate is added only when something must not see something else",
                remedy: "put it into an existing crate, or add it to the table here and in ARCHITECTURE.md",
            });
            continue;
        };
        let own = package.dependencies.iter().filter(|dependency| packages.contains_key(*dependency));
        for dependency in own.filter(|dependency| !allowed.contains(&dependency.as_str())) {
            found.push(Violation {
                edge: format!("{name} → {dependency}"),
                reason: "there is one way in (bridge → world) and one way out (safety → bridge)",
                remedy: "move what is needed into a crate that both may see, or pass it in from `station`",
            });
        }
    }
    refuse(found);
}

#[test]
fn each_outside_family_has_one_home() {
    let mut found = Vec::new();
    for (name, package) in packages() {
        for OnlyPlace { family, package: home, reason, remedy } in ONLY_PLACES {
            let names_it = |dependency: &&String| {
                dependency.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let at_home = name == *home || PLAYS_OTHERS.contains(&(name.as_str(), *family));
            for dependency in package.dependencies.iter().filter(names_it).filter(|_| !at_home) {
                found.push(Violation { edge: format!("{name} → {dependency}"), reason, remedy });
            }
        }
    }
    refuse(found);
}

#[test]
fn agent_and_missions_cannot_reach_a_robot() {
    let packages = packages();
    let mut found = Vec::new();
    for start in CANNOT_REACH_BRIDGE {
        let mut open = vec![vec![(*start).to_owned()]];
        while let Some(way) = open.pop() {
            let Some(package) = way.last().and_then(|last| packages.get(last)) else { continue };
            for dependency in package.dependencies.iter().filter(|dependency| packages.contains_key(*dependency)) {
                let longer: Vec<String> = way.iter().chain([dependency]).cloned().collect();
                if dependency == "bridge" {
                    found.push(Violation {
                        edge: longer.join(" → "),
                        reason: "a proposal becomes motion only inside `fleet`, through `safety`",
                        remedy: "return a proposal or an effect, and let the station carry it out",
                    });
                } else {
                    open.push(longer);
                }
            }
        }
    }
    refuse(found);
}

/// Packages that the robot-side gate must not reach, whatever lies between.
const NOT_IN_A_GATE: &[&str] = &[
    "station",
    "fleet",
    "sensing",
    "runtime",
    "agent",
    "agent_runner",
    "mission_runner",
    "missions",
    "memory",
    "world",
    "llm",
    "api",
    "remote",
    "server",
    "quarterdeck",
    "sim",
];

#[test]
fn rg_01_the_gate_at_the_robot_links_no_part_of_a_station() {
    let packages = packages();
    let (mut open, mut seen) = (vec!["gate".to_owned()], BTreeSet::new());
    while let Some(name) = open.pop() {
        let Some(package) = packages.get(&name).filter(|_| seen.insert(name)) else { continue };
        open.extend(package.dependencies.iter().filter(|dependency| packages.contains_key(*dependency)).cloned());
    }
    assert!(seen.contains("bridge"), "the gate is gone");
    let linked = NOT_IN_A_GATE.iter().filter(|name| seen.contains(**name));
    refuse(
        linked
            .map(|name| Violation {
                edge: format!("gate → {name}"),
                reason: "a fault of the station, or of a model, must not be a fault of what stops the robot",
                remedy: "move what is needed into `robot`, `safety` or `bridge`",
            })
            .collect(),
    );
}

#[test]
fn nothing_is_published_by_accident() {
    let published = packages().into_iter().filter(|(_, package)| package.publish);
    refuse(
        published
            .map(|(name, _)| Violation {
                edge: format!("{name} may be published"),
                reason: "names on the public registry are for ever",
                remedy: "write `publish.workspace = true`",
            })
            .collect(),
    );
}

#[test]
fn every_crate_obeys_the_workspace_lints_and_none_holds_unsafe_code() {
    assert!(read("Cargo.toml").contains("unsafe_code = \"forbid\""), "the workspace must forbid unsafe code");
    let without_lints = packages().into_values().filter(|package| {
        !std::fs::read_to_string(&package.manifest).unwrap().contains("\n[lints]\nworkspace = true\n")
    });
    refuse(
        without_lints
            .map(|package| Violation {
                edge: package.manifest,
                reason: "lints are architecture: a crate without them can do what the others must not",
                remedy: "end its manifest with `[lints]` and `workspace = true`",
            })
            .collect(),
    );
}

#[test]
fn a_panic_unwinds_in_every_profile() {
    let manifest = read("Cargo.toml");
    let profiles = manifest.split("\n[").skip(1).filter(|section| section.starts_with("profile."));
    let (packages, whole): (Vec<_>, Vec<_>) = profiles.partition(|section| section.contains(".package."));
    assert!(packages.iter().all(|section| !section.contains("panic")), "a package profile cannot set panic");
    for profile in ["profile.dev]", "profile.release]"] {
        assert!(whole.iter().any(|section| section.starts_with(profile)), "[{profile} must be written out");
    }
    refuse(
        whole
            .iter()
            // Cargo ignores the setting there: benches and tests always unwind.
            .filter(|section| !section.starts_with("profile.bench]"))
            .filter(|section| !section.contains("\npanic = \"unwind\""))
            .map(|section| Violation {
                edge: format!("[{}", section.lines().next().unwrap_or_default()),
                reason: "the gate turns a panic into a refusal; a program that aborts refuses nothing",
                remedy: "write `panic = \"unwind\"`",
            })
            .collect(),
    );
}

#[test]
fn clocks_unbounded_queues_and_bare_tasks_stay_banned() {
    let clippy = read("clippy.toml");
    for call in BANNED_CALLS {
        assert!(
            clippy.contains(&format!("path = \"{call}\"")),
            "clippy.toml must go on banning {call}, with its reason"
        );
    }
}

#[test]
fn a_lint_is_lifted_with_a_reason() {
    let mut found = Vec::new();
    for source in ["crates", "src-tauri", "xtask"].iter().flat_map(|folder| files(folder, &[".rs"])) {
        let lifted = source.places(|line| line.contains("#[allow(") || line.contains("#![allow("));
        found.extend(lifted.into_iter().map(|edge| Violation {
            edge,
            reason: "`allow` stays when its cause has gone",
            remedy: "write `#[expect(lint, reason = \"…\")]`",
        }));
    }
    refuse(found);
}

#[test]
fn no_crate_has_more_code_than_one_person_can_keep_in_mind() {
    let of_tests = |path: &str| path.contains("/tests") || path.ends_with("test_support.rs");
    let crates = packages().into_keys().filter(|name| root().join("crates").join(name).is_dir());
    let found = crates.filter_map(|name| {
        let sources = rust(&format!("crates/{name}/src"));
        let lines: usize =
            sources.iter().filter(|source| !of_tests(&source.path)).map(|source| source.code().count()).sum();
        (lines > LINES_MAX).then(|| Violation {
            edge: format!("crates/{name}: {lines} lines"),
            reason: "a crate that runs everything is built, read and tested as a whole for every change",
            remedy: "move a part that has its own invariant into a crate, and let it reach the rest by traits",
        })
    });
    refuse(found.collect());
}
