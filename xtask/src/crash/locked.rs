//! Locks the arm: it is twice in ten seconds where it may not be.

use anyhow::bail;
use serde_json::{Value, json};

use super::robot;
use super::served::Served;

/// Tries at most: on a machine that takes ten seconds to arm the second time counts as a first one.
const TRIES_MAX: usize = 5;

/// Forbids the place where the arm stands while it is armed, takes that back, and does it again.
pub fn lock_out(station: &mut Served) -> anyhow::Result<()> {
    let rows = station.until("list_robots", |rows| arm(rows)["pose"].is_object())?;
    let params = json!({ "center": arm(&rows)["pose"]["position_m"], "radius": 0.05 }).to_string();
    for _ in 0..TRIES_MAX {
        station.call_until_done("arm_robot", &json!({ "robot": "arm-1" }))?;
        let zone = json!({ "robot": "arm-1", "constraint_type": "forbidden_zone", "params_json": params });
        let zone = station.call("register_constraint", &zone)?;
        station.until("safety_status", |status| {
            let row = robot(status, "arm-1");
            let causes = || row["causes"].as_array().into_iter().flatten();
            let is_over = causes().count() > 0 && causes().all(|cause| cause["present"] == false);
            row["state"] == "lockout" || row["state"] == "safe_stop" && is_over
        })?;
        let preview = json!({ "id": zone["id"], "params_json": null });
        let preview = station.call("preview_constraint_change", &preview)?;
        let remove = json!({ "id": zone["id"], "version": zone["version"]["arm-1"], "reason": "a test",
            "preview_id": preview["preview_id"] });
        station.call("remove_constraint", &remove)?;
        let named = json!({ "robot": "arm-1", "cause": "breach", "reason": "a test" });
        station.call("acknowledge_cause", &named)?;
        let status = station.until("safety_status", |status| {
            let state = &robot(status, "arm-1")["state"];
            state == "lockout" || state == "disarmed"
        })?;
        if robot(&status, "arm-1")["state"] == "lockout" {
            return Ok(());
        }
    }
    bail!("the arm was not locked in {TRIES_MAX} tries")
}

fn arm(rows: &Value) -> &Value {
    rows.as_array().into_iter().flatten().find(|row| row["id"] == "arm-1").unwrap_or(&Value::Null)
}
