//! Code that decides about motion reads a measurement with its age: `Fresh` gives no value without time and limit.

use crate::repository::{Violation, read, refuse, rust};

/// Something that may stand in the named files only, of those that decide.
struct Confined {
    code: &'static str,
    files: &'static [&'static str],
    reason: &'static str,
    remedy: &'static str,
}

const CONFINED: &[Confined] = &[
    Confined {
        code: ".last_known(",
        files: &["crates/fleet/src/state/robot_handle.rs", "crates/station/src/proposals/facts.rs"],
        reason: "it gives what was measured however long ago; a source that fell silent would pass for one that is at rest",
        remedy: "read with `Fresh::get`, or, for a screen that shows the age, add the file here",
    },
    Confined {
        code: ": Option<Measured<",
        files: &[
            "crates/safety/src/measured/fresh.rs",
            "crates/safety/src/measured/speeds.rs",
            // Readings that a beat has just brought.
            "crates/fleet/src/state/robot_handle/control.rs",
        ],
        reason: "what is kept as an option is read without its age sooner or later",
        remedy: "keep a `Fresh`",
    },
    Confined {
        code: "is_fresh(",
        files: &[
            "crates/safety/src/measured/fresh.rs",
            // A transform says itself how old it may be, and a command how long it lives.
            "crates/safety/src/judge/position.rs",
            "crates/safety/src/judge/checks.rs",
            // Of the facts that a card shows, which carry their ages.
            "crates/station/src/proposals/content.rs",
            "crates/station/src/proposals/facts.rs",
        ],
        reason: "an age that is tested apart from the reading can be left out",
        remedy: "read with `Fresh::get`",
    },
    Confined {
        code: ".parent_from_child",
        files: &["crates/safety/src/space/frames.rs"],
        reason: "a transform that is read elsewhere is read without its age",
        remedy: "ask `frame_of` for the frame",
    },
];

#[test]
fn nothing_that_decides_reads_a_measurement_without_its_age() {
    let decides = ["crates/safety/src", "crates/fleet/src", "crates/station/src"].into_iter().flat_map(rust);
    let mut found = Vec::new();
    for source in decides.filter(|source| !source.path.contains("/properties") && !source.path.ends_with("fixtures.rs"))
    {
        // Code about proposals and the world asks for another freshness.
        if source.path.starts_with("crates/station/src") && !reads_robots(&source.path) {
            continue;
        }
        for Confined { code, files, reason, remedy } in CONFINED {
            if !files.contains(&source.path.as_str()) {
                let edges = source.places(|line| line.contains(code));
                found.extend(edges.into_iter().map(|edge| Violation { edge, reason, remedy }));
            }
        }
    }
    refuse(found);
}

/// The station's files that know what a robot has measured.
fn reads_robots(path: &str) -> bool {
    let text = read(path);
    ["measurements()", "Measurements", "robot_state()", "RobotState"].iter().any(|name| text.contains(name))
}

#[test]
fn the_value_of_a_fresh_measurement_is_private() {
    let text = read("crates/safety/src/measured/fresh.rs");
    assert!(text.contains("pub struct Fresh<T>(Option<Measured<T>>);"), "a public field would be read without an age");
}
