//! The answer of an operation reaches a model with the trust that its row and its type declare, and no other. What comes
//! over the network is read where its signature and its order are tested.

use crate::repository::{Violation, crates_but, refuse};

/// Files of the station that make the result of a call.
const MAKERS: &[&str] =
    &["tools/toolbox.rs", "proposals/dispatch.rs", "turn_runner/drive/turn_hooks.rs", "tools/tool_output_files.rs"];

/// Files of the station that look at messages as they came: robots' gates and sources, rooms, and what becomes news.
const HEARERS: &[&str] = &[
    "ingest/subscriptions.rs",
    "ingest/news.rs",
    "rooms/hear.rs",
    "rooms/members.rs",
    "surroundings.rs",
    "station/sensing_host.rs",
    "state/robot_handle.rs",
    "telemetry/signed.rs",
    "telemetry.rs",
    "telemetry/writers.rs",
    // Each pairing has a nonce of its own at both sides.
    "pairing.rs",
];

/// The path of a file inside its crate.
fn name_of(path: &str) -> &str {
    path.split_once("/src/").map_or(path, |(_, name)| name)
}

fn is_test(path: &str) -> bool {
    path.contains("/tests") || path.ends_with("test_support.rs")
}

#[test]
fn p_20_the_result_of_a_call_takes_its_trust_from_the_operations_row() {
    let mut found = Vec::new();
    for source in crates_but(&["agent"]) {
        let name = name_of(&source.path).to_owned();
        if is_test(&source.path) {
            continue;
        }
        if !MAKERS.contains(&name.as_str()) {
            found.extend(source.places(|line| line.contains("ToolOutcome {") && !line.contains("->")).into_iter().map(
                |edge| Violation {
                    edge,
                    reason: "a result made elsewhere has whatever trust its maker thought of",
                    remedy: "call `Toolbox::outcome`, which asks the operation's row",
                },
            ));
            continue;
        }
        let believes = |line: &str| line.contains("ToolOutcome {") && line.contains("Trust::Tr");
        found.extend(source.places(believes).into_iter().map(|edge| Violation {
            edge,
            reason: "a result is believed because a line says so, and not because its type does",
            remedy: "take the trust from `vouched::trust_as`, or from the error",
        }));
    }
    refuse(found);
}

#[test]
fn att_17_a_message_is_read_only_where_a_recording_of_it_is_found_out() {
    let mut found = Vec::new();
    // A gate and the simulator are robots: what they read is tested by `bridge::robot_gate`.
    for source in crates_but(&["bridge", "sim", "gate"]) {
        let name = name_of(&source.path);
        if is_test(&source.path) || HEARERS.contains(&name) {
            continue;
        }
        let hears = |line: &str| line.contains("SignedSample") || line.contains("link.subscribe(");
        found.extend(source.places(hears).into_iter().map(|edge| Violation {
            edge,
            reason: "a signature says who has written a message, and not that it was written now",
            remedy: "take `News` from a feed; a new kind of message needs a stamp, a nonce or a sequence, and a line here",
        }));
    }
    refuse(found);
}
