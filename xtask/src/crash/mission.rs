//! A mission of two steps from its activation to its end, and what a start after a crash in between must find.

use anyhow::ensure;
use serde_json::{Value, json};

use super::robot;
use super::served::Served;

/// The mission of these runs.
const ID: &str = "two-steps";
/// The limits of its two texts, in metres per second: the second takes the place of the first.
const SPEEDS: [f64; 2] = [0.45, 0.4];
/// The places that its steps reach, in metres.
const PLACES: [&str; 2] = ["[0.4, 0.0, 0.9]", "[0.5, 0.2, 1.0]"];

/// Answers of the station about the mission before it ended.
#[derive(Debug, Default)]
pub struct Said {
    /// The limits of the texts whose activation was asked for.
    asked: Vec<f64>,
    /// The limits of the texts whose activation was answered.
    activated: Vec<f64>,
    /// Approvals that were asked for.
    approvals: usize,
    /// The mission was shown as completed.
    completed: bool,
}

fn text(speed_mps: f64) -> String {
    let step = |place: &str| {
        let motion = format!("{{pose_goal: {{position_m: {place}, speed_mps: 0.3}}}}");
        format!("  - {{operation: send_command, input: {{robot: arm-1, actuator: arm, motion: {motion}}}}}\n")
    };
    let steps: String = PLACES.into_iter().map(step).collect();
    format!(
        "---\nrobots: [arm-1]\nconstraints: [{{type: max_velocity, params: {speed_mps}}}]\ngoals:\n{steps}---\nReach.\n"
    )
}

/// Activates a text and another in its place, arms the arm, and approves one step after the other.
pub fn drive(station: &mut Served, said: &mut Said) -> anyhow::Result<()> {
    let mut base = Value::Null;
    for speed_mps in SPEEDS {
        let saved = json!({ "mission_id": ID, "base_hash": base, "source": text(speed_mps) });
        let hash = station.call("save_mission", &saved)?["hash"].clone();
        let shown = station.call("get_mission", &json!({ "mission_id": ID }))?;
        // The shipped missions want the same arm, of which a person is warned.
        let warnings = shown["problems"].as_array().into_iter().flatten();
        let accepted: Vec<Value> =
            warnings.map(|warning| json!({ "code": warning["code"], "line": warning["line"] })).collect();
        said.asked.push(speed_mps);
        let wanted = json!({ "mission_id": ID, "hash": hash, "reason": "a test", "accept": accepted });
        station.call("activate_mission", &wanted)?;
        said.activated.push(speed_mps);
        base = hash;
    }
    station.until("safety_status", |status| robot(status, "arm-1")["arming_problem"].is_null())?;
    station.call_until_done("arm_robot", &json!({ "robot": "arm-1" }))?;
    for _ in PLACES {
        let waiting = station.until("list_proposals", |rows| rows[0]["state"] == "waiting")?;
        let shown = &waiting[0];
        let approved = json!({ "id": shown["id"], "version": shown["version"], "action_hash": shown["action_hash"] });
        said.approvals += 1;
        station.call("approve_proposal", &approved)?;
    }
    let id = json!({ "mission_id": ID });
    station.until_with("get_mission", &id, |shown| shown["state"] == "completed")?;
    said.completed = true;
    Ok(())
}

/// The mission stands before or after what was asked for last, its limits are those of one text, and what was begun is
/// asked about and not begun again.
pub fn check(station: &mut Served, said: &Said) -> anyhow::Result<()> {
    if said.asked.is_empty() {
        return Ok(());
    }
    let id = json!({ "mission_id": ID });
    let shown = station.call("get_mission", &id)?;
    // Told apart only where the file has another text by now.
    let source = if shown["activated_source"].is_null() { &shown["source"] } else { &shown["activated_source"] };
    let has_text = |speed_mps: &f64| !shown["activated_hash"].is_null() && *source == text(*speed_mps);
    let in_force = SPEEDS.into_iter().find(has_text);
    let may_be = [said.activated.last(), said.asked.last()];
    ensure!(may_be.contains(&in_force.as_ref()), "{in_force:?} m/s is in force of {may_be:?}: {shown:#}");
    let is_over = shown["state"] == "completed";
    ensure!(is_over || !said.completed, "it was completed: {shown:#}");
    ensure!(shown["state"] != "failed", "a crash is no failure of the step: {shown:#}");
    let binding: Vec<f64> = in_force.into_iter().filter(|_| !is_over).collect();
    station.until_with("list_constraints", &json!({ "robot": "arm-1" }), |rows| speeds(rows) == binding)?;
    let cards = station.call("list_proposals", &json!({}))?;
    for goal in shown["goals"].as_array().into_iter().flatten() {
        // Of a step that was begun a card waits, or a person is asked how it ended; nothing is sent anew by itself.
        let has_card = cards.as_array().into_iter().flatten().any(|card| waits_for(card, goal));
        let state = goal["state"].as_str().unwrap_or_default();
        let is_known = ["pending", "current", "asked", "done"].contains(&state) || state == "proposed" && has_card;
        ensure!(is_known, "a step is {state} after a start: {shown:#}\n{cards:#}");
    }
    let records = station.call("list_audit", &json!({ "after": 0, "limit": 1_000 }))?;
    let sent = records.as_array().into_iter().flatten();
    let sent = sent.filter(|record| record["operation"] == "send" && record["outcome"] == "sent").count();
    ensure!(sent <= said.approvals, "{sent} motions were sent of {} approved: {records:#}", said.approvals);
    Ok(())
}

/// The speed limits that the mission has in force.
fn speeds(limits: &Value) -> Vec<f64> {
    let of_mission = limits.as_array().into_iter().flatten().filter(|row| row["mission"] == ID);
    of_mission.filter_map(|row| row["constraint"]["MaxVelocity"].as_f64()).collect()
}

/// True if this card waits for a person because of this goal.
fn waits_for(card: &Value, goal: &Value) -> bool {
    card["state"] == "waiting" && card["id"] == goal["proposal"]
}
