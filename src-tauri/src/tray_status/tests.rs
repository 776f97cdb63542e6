use serde_json::{Value, json};

use super::*;

/// A robot and its answer: acknowledged, overdue, released.
type Answer = (&'static str, bool, bool, bool);

fn stop(id: u64, open: bool, robots: &[Answer]) -> Value {
    let robots: Vec<Value> = robots
        .iter()
        .map(|(robot, acknowledged, overdue, released)| {
            json!({
                "robot": robot, "sent_after_ms": 1.0, "acked_after_ms": acknowledged.then_some(5.0),
                "standstill_after_ms": null, "speed_mps": null, "standstill": null, "released": released,
                "behaviour": "hold", "ack_ms": 300, "hardware_estop": "red button", "not_confirmed": overdue,
            })
        })
        .collect();
    json!({
        "kind": "stop",
        "stop": { "stop_id": id, "by": "desk", "reason": null, "at_mono_ms": 0, "at": 0, "open": open,
            "latch_saved": true, "robots": robots },
    })
}

fn screen(session: &str, frozen: bool) -> Value {
    json!({ "kind": "screen", "session": session, "desk": "here", "frozen": frozen })
}

fn check(facts: &[Value], title: Option<&str>, line: &str) {
    check_of(&[], facts, title, line);
}

/// The same where the station knows these robots.
fn check_of(robots: &[&str], facts: &[Value], title: Option<&str>, line: &str) {
    let mut tray_status =
        TrayStatus { robots: robots.iter().map(ToString::to_string).collect(), ..TrayStatus::default() };
    for fact in facts {
        tray_status.note(serde_json::from_value(fact.clone()).unwrap());
    }
    assert_eq!((tray_status.words().title, tray_status.words().line.as_str()), (title, line));
}

#[test]
fn says_nothing_special_while_all_is_normal() {
    check(&[], None, "No stop is open");
    check(&[screen("bootstrap", true)], None, "No stop is open");
}

#[test]
fn counts_acknowledgements_like_the_button_in_the_window() {
    check(&[stop(1, true, &[("a", true, false, false), ("b", false, false, false)])], Some("STOPPED"), "STOPPING 1/2");
    check(&[stop(1, true, &[("a", true, false, false)])], Some("STOPPED"), "STOPPED 1/1");
    check(&[stop(1, true, &[("a", true, false, true), ("b", true, false, false)])], Some("STOPPED"), "STOPPED 1/1");
    let overdue = stop(1, true, &[("a", false, true, false)]);
    check(std::slice::from_ref(&overdue), Some("STOPPED"), "1 NOT CONFIRMED – use the hardware stop");
    let again = stop(2, true, &[("a", true, false, false)]);
    check(&[again, overdue], Some("STOPPED"), "STOPPED 1/1");
}

#[test]
fn u_606_says_stopped_only_where_no_robot_is_free() {
    let all = ["a", "b", "c", "d"];
    let one = stop(1, true, &[("a", true, false, false)]);
    check_of(&all, std::slice::from_ref(&one), Some("PARTLY STOPPED"), "1 of 4 stopped – STOP ALL stops the others");
    let overdue = stop(1, true, &[("a", false, true, false)]);
    check_of(&all, &[overdue], Some("PARTLY STOPPED"), "1 NOT CONFIRMED – use the hardware stop");
    check_of(&["a"], &[one], Some("STOPPED"), "STOPPED 1/1");
}

#[test]
fn a_robot_that_was_removed_is_not_counted_as_free() {
    let one = stop(1, true, &[("a", true, false, false)]);
    let removed = json!({ "kind": "robot_removed", "robot": "b", "mode": "live" });
    check_of(&["a", "b"], &[removed, one], Some("STOPPED"), "STOPPED 1/1");
}

#[test]
fn says_that_nobody_knows_of_stops_until_the_station_has_told_of_them() {
    let mut tray_status = TrayStatus::default();
    assert_eq!((tray_status.note_unread(), tray_status.note_unread()), (true, false));
    assert_eq!(tray_status.words().title, Some("STOPS UNKNOWN"));
    let told = json!({ "mode": "live", "station": "desk", "robots": [], "stops": [], "stopped": false });
    tray_status.note_status(serde_json::from_value(told).unwrap());
    assert_eq!(tray_status.words().line, "No stop is open");
}

#[test]
fn a_closed_stop_is_over() {
    let robots = [("a", true, false, true)];
    check(&[stop(1, true, &robots), stop(1, false, &robots)], None, "No stop is open");
}

#[test]
fn u_613_a_frozen_screen_comes_first() {
    check(&[screen(APP_WINDOW, true)], Some("SCREEN FROZEN"), "Screen frozen – STOP ALL or restart it");
    let stopped = stop(1, true, &[("a", true, false, false)]);
    check(&[screen(APP_WINDOW, true), stopped], Some("SCREEN FROZEN"), "Screen frozen – restart it · STOPPED 1/1");
    check(&[screen(APP_WINDOW, true), screen(APP_WINDOW, false)], None, "No stop is open");
}
