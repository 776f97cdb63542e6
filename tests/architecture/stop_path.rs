//! The way of a stop from the socket to the robots' threads: nothing on it may wait for what an ordinary request waits
//! for.

use crate::repository::{Violation, read, refuse};

/// A file on the way, or a part of it: the line it begins at, and the line before which it ends.
struct Part(&'static str, Option<&'static str>, Option<&'static str>);

const PATH: &[Part] = &[
    Part("crates/server/src/listener.rs", None, Some("/// Hands a request to the station's threads")),
    Part("crates/server/src/listener/connection.rs", None, None),
    Part("crates/server/src/listener/seats.rs", None, None),
    Part("src-tauri/src/commands.rs", Some("pub fn handler()"), Some("/// Runs the operation `name`")),
    Part("src-tauri/src/commands.rs", Some("/// Presses STOP ALL, like the button"), None),
    Part(
        "crates/api/src/lib.rs",
        Some("/// Carries out the stop that the words"),
        Some("/// Calls an operation whose words"),
    ),
    Part(
        "crates/api/src/lib.rs",
        Some("/// Carries out an operation that [`is_urgent`]"),
        Some("/// Raises the alarm that a host is flooded"),
    ),
    Part("crates/station/src/operations/at_once.rs", None, None),
    Part("crates/fleet/src/operations/stops.rs", Some("async fn stop_all("), Some("struct AcknowledgeCause")),
    Part("crates/station/src/operations/typed_stop.rs", None, None),
    Part("crates/runtime/src/stop_lane.rs", None, None),
    Part(
        "crates/station/src/station/fleet_host.rs",
        Some("/// A turn that stopped the robots itself"),
        Some("fn void_after_stop("),
    ),
    Part("crates/fleet/src/stops.rs", None, None),
    Part("crates/fleet/src/stops/answers.rs", None, None),
    Part("crates/fleet/src/state/stop_records.rs", None, None),
    Part("crates/fleet/src/state/stop_records/record.rs", None, None),
    Part("crates/fleet/src/stops/saving.rs", None, None),
    Part(
        "crates/fleet/src/arming.rs",
        Some("/// Ends motion permission of"),
        Some("/// Notes that a person names a cause"),
    ),
    Part("crates/fleet/src/supervision.rs", None, Some("/// Voids every older command at the robot too")),
    Part(
        "crates/fleet/src/state/robot_handle.rs",
        Some("/// Tells the robot to end its motion, without a latch."),
        Some("/// Times that the robot may take to acknowledge"),
    ),
    Part("crates/bridge/src/stop_sender.rs", None, None),
];

impl Part {
    /// Its lines of code, each with where it stands.
    fn lines(&self) -> Vec<(String, String)> {
        let Self(path, begin, end) = self;
        let text = read(path);
        let text = text.split("\nmod tests {").next().unwrap_or_default();
        let place = |mark: &str| {
            text.find(mark).unwrap_or_else(|| panic!("{path} has no line {mark:?}: move the mark in this table"))
        };
        let (from, to) = (begin.map_or(0, place), end.map_or(text.len(), place));
        assert!(from < to, "the marks of {path} stand in the wrong order in this table");
        let before = text[..from].lines().count();
        let lines = text[from..to].lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        lines.map(|(number, line)| (format!("{path}:{}", before + number + 1), line.trim().to_owned())).collect()
    }
}

/// Code that takes a lock of the standard library, under any name it has here.
const LOCKING: &[&str] = &["lock()", "lock(&", ".control()", "read(&", "write(&"];

/// The locks that may be taken on the way, each with why nobody holds it for long.
const LOCKS: &[(&str, &str, &str)] = &[
    ("crates/server/src/listener/connection.rs", "self.lock()", "the phase of one connection, held for one assignment"),
    ("crates/server/src/listener/connection.rs", "self.0.lock()", "the same lock"),
    ("crates/server/src/listener/seats.rs", "self.lock()", "a count of places, held for one addition"),
    ("crates/server/src/listener/seats.rs", "self.0.lock()", "the same lock"),
    ("crates/server/src/listener/seats.rs", "seats.lock()", "the same lock"),
    (
        "crates/fleet/src/state/stop_records.rs",
        "lock(&self.records)",
        "the stops, looked up or noted; rows are made without it",
    ),
    ("crates/fleet/src/state/stop_records.rs", "self.lock()", "the same lock"),
    ("crates/fleet/src/stops/answers.rs", "self.lock()", "the same lock"),
    ("crates/fleet/src/stops.rs", "unit.control()", "plain state of one robot, taken after every stop is handed over"),
    ("crates/fleet/src/state/stop_records/record.rs", "self.stops.lock()", "the stops: one number is counted down"),
    ("crates/fleet/src/stops/saving.rs", "stops.lock()", "the stops: one record is copied or noted as saved"),
    ("crates/fleet/src/supervision.rs", "unit.control()", "plain state of one robot; nothing is waited for under it"),
    (
        "crates/fleet/src/state/robot_handle.rs",
        "self.control()",
        "an acknowledgement must not come before its number is noted",
    ),
    ("crates/bridge/src/stop_sender.rs", "shared.lock()", "what is to be put: handed over, never held during a put"),
    ("crates/bridge/src/stop_sender.rs", "self.lock()", "the same lock"),
    ("crates/bridge/src/stop_sender.rs", "self.orders.lock()", "the same lock"),
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
    ("runtime.spawn(", "the runtime's threads may all be busy with requests", "use `stop_lane.spawn`"),
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

#[test]
fn f25_nothing_on_the_way_of_a_stop_waits_for_what_ordinary_requests_share() {
    let mut found = Vec::new();
    let lines = PATH.iter().flat_map(Part::lines).filter(|(_, line)| !line.contains(AFTER_THE_LAST));
    for (place, line) in lines {
        let shared = SHARED.iter().filter(|(code, ..)| line.contains(code));
        found.extend(shared.map(|(_, reason, remedy)| Violation { edge: format!("{place}: {line}"), reason, remedy }));
    }
    refuse(found);
}

#[test]
fn f25_the_way_of_a_stop_takes_no_lock_that_is_not_known_to_be_short() {
    let locking: Vec<_> = PATH
        .iter()
        .flat_map(Part::lines)
        .filter(|(_, line)| !line.contains("fn lock(") && LOCKING.iter().any(|code| line.contains(code)))
        .collect();
    let is_known = |(place, line): &&(String, String)| {
        LOCKS.iter().any(|(path, code, _)| place.starts_with(path) && line.contains(code))
    };
    refuse(
        locking
            .iter()
            .filter(|found| !is_known(found))
            .map(|(place, line)| Violation {
                edge: format!("{place}: {line}"),
                reason: "whoever holds a lock holds up the stop, and nobody has said why this one is short",
                remedy: "do it after the stop is put, or on `after_stops`; or name the lock with its reason in `LOCKS`",
            })
            .collect(),
    );
    for (path, code, _) in LOCKS {
        let is_used = locking.iter().any(|(place, line)| place.starts_with(path) && line.contains(code));
        assert!(is_used, "{path} no longer takes {code}: take it out of `LOCKS`");
    }
}

#[test]
fn f25_a_latch_is_saved_over_a_connection_of_its_own() {
    let path = "crates/memory/src/station_db.rs";
    let text = read(path);
    let saving = text.split("pub async fn save_stop").nth(1).and_then(|rest| rest.split("\n    }\n").next());
    if saving.is_some_and(|body| body.contains(".execute(&self.latches)") && !body.contains("self.pool")) {
        return;
    }
    refuse(vec![Violation {
        edge: format!("{path}: save_stop"),
        reason: "the other connections may all be waited for by ordinary requests",
        remedy: "execute it over `self.latches` and over nothing else",
    }]);
}

#[test]
fn f27_an_operation_runs_with_a_leave_only() {
    let mut found = Vec::new();
    let (path, table) = ("crates/runtime/src/operation.rs", read("crates/runtime/src/operation.rs"));
    if !table.contains("    run: Box<Run<C>>,") || table.contains("pub(crate) run:") {
        found.push(Violation {
            edge: format!("{path}: the handler of a row can be reached from elsewhere"),
            reason: "a handler that runs without a `Leave` does what may find no room in the audit",
            remedy: "keep `run` private: it is reached through `Operation::run`, which asks for a `Leave`",
        });
    }
    let (path, leave) = ("crates/runtime/src/operation/leave.rs", read("crates/runtime/src/operation/leave.rs"));
    if !leave.contains("pub struct Leave(Kind);") || leave.matches("Self(Kind::").count() != 3 {
        found.push(Violation {
            edge: format!("{path}: a leave is made elsewhere than in `Leave::take`"),
            reason: "an act without room in the audit could not be put on record",
            remedy: "make leaves in `Leave::take` only",
        });
    }
    refuse(found);
}
