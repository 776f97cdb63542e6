//! The way of a stop from the socket to the robots' threads: nothing on it may wait for what an ordinary request waits
//! for.

use crate::repository::{Violation, read, refuse};

/// A file on the way, and the line at which the part that is on it ends.
const PATH: &[(&str, Option<&str>)] = &[
    ("crates/server/src/door.rs", Some("/// Hands a request to the station's threads")),
    ("crates/server/src/door/connection.rs", None),
    ("crates/server/src/door/seats.rs", None),
    ("crates/station/src/operations/at_once.rs", None),
    ("crates/station/src/typed_stop.rs", None),
    ("crates/station/src/stop_lane.rs", None),
    ("crates/station/src/stops.rs", Some("/// Releases `robots`")),
    ("crates/station/src/stops/saving.rs", None),
];

/// Things that ordinary requests share: the code that reaches each, why a stop must not, and what to use instead.
const SHARED: &[(&str, &str, &str)] = &[
    (
        ".repeats",
        "the answers kept for repeated requests are behind a lock that whoever repeats a long act waits for",
        "act again: what stops twice does no harm",
    ),
    (
        "audit.commit",
        "the disk of the audit may be slow, full or gone",
        "queue the record with `note_done`, which never waits",
    ),
    ("audit.reserve", "a full audit refuses acts, and a stop is never refused", "queue the record with `note_done`"),
    (".within_wait(", "the disk of the audit may be slow", "queue the record with `note_done`, which never waits"),
    ("station.spawn(", "the runtime's threads may all be busy with requests", "use `stop_lane.spawn`"),
    ("tasks.spawn(", "the runtime's threads may all be busy with requests", "use `stop_lane.spawn`"),
    ("spawn_blocking(", "the pool of blocking threads may be exhausted", "do it here, or on a thread of its own"),
    (
        ".lock().await",
        "whoever holds an asynchronous lock may wait for anything",
        "keep what is needed behind a short lock",
    ),
    ("db.pool", "every connection to the database may be in use", "use the connection that is kept for stops"),
    ("rates.asked", "stops count towards no limit", "count ordinary requests only"),
];

/// Lines of the door that close it, after the last request.
const AFTER_THE_LAST: &str = "self.thread.join()";
/// Another station's stop has reached the robot already; it is only taken over.
const TAKEN_OVER: &str = "task_station.spawn(async move {";

#[test]
fn f25_nothing_on_the_way_of_a_stop_waits_for_what_ordinary_requests_share() {
    let mut found = Vec::new();
    for (path, end) in PATH {
        let text = read(path);
        let part = end.map_or(text.as_str(), |end| {
            text.split_once(end).unwrap_or_else(|| panic!("{path} has no line {end:?}: move the end in this table")).0
        });
        for (number, line) in part.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            if line.contains(AFTER_THE_LAST) || line.contains(TAKEN_OVER) {
                continue;
            }
            let shared = SHARED.iter().filter(|(code, ..)| line.contains(code));
            found.extend(shared.map(|(_, reason, remedy)| Violation {
                edge: format!("{path}:{}: {}", number + 1, line.trim()),
                reason,
                remedy,
            }));
        }
    }
    refuse(found);
}

#[test]
fn f25_a_latch_is_saved_over_a_connection_of_its_own() {
    let text = read("crates/memory/src/station_db.rs");
    let saving = text.split("pub async fn save_stop").nth(1).and_then(|rest| rest.split("\n    }\n").next());
    assert!(
        saving.is_some_and(|body| body.contains(".execute(&self.latches)") && !body.contains("self.pool")),
        "`save_stop` uses the connection kept for stops: the others may all be waited for by ordinary requests"
    );
}

#[test]
fn f27_an_operation_runs_with_a_leave_only() {
    let table = read("crates/station/src/operations/table.rs");
    assert!(
        table.contains("    run: Box<Run>,") && !table.contains("pub(super) run:"),
        "the handler of a row is private to the table: it is reached through `Operation::run`, which asks for a `Leave`"
    );
    let leave = read("crates/station/src/operations/leave.rs");
    assert!(
        leave.contains("pub(super) struct Leave(Kind);") && leave.matches("Self(Kind::").count() == 3,
        "only `Leave::take` makes a leave: an act without room in the audit could not be put on record"
    );
}
