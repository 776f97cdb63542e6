//! A station whose answers never change.

use serde_json::{Value, json};

fn robots() -> Value {
    let arm = json!({"id": "arm", "kind": "tool", "motions": ["pose_goal", "path", "velocity"]});
    let gripper = json!({"id": "gripper", "kind": "gripper", "motions": ["gripper"]});
    let base = json!([{"id": "base", "kind": "base", "motions": ["pose_goal", "path", "velocity"]}]);
    json!({"items": [
        {"id": "arm-1", "state": "armed", "control": "agent", "default_frame": "base_link",
         "frames": ["map", "base_link"], "actuators": [arm, gripper], "limits": {"speed_mps_max": 1.0}, "link": "live",
         "pose": {"frame": "base_link", "position_m": [0.3, 0.0, 0.8], "age_ms": 60}},
        {"id": "rover-1", "state": "disarmed", "default_frame": "map", "frames": ["map"], "actuators": base,
         "limits": {"speed_mps_max": 0.05}, "link": "live",
         "pose": {"frame": "map", "position_m": [2.0, 1.0, 0.0], "orientation": [0.0, 0.0, 1.0, 0.0], "age_ms": 80}},
        {"id": "rover-2", "state": "armed", "default_frame": "map", "frames": ["map"], "actuators": base, "link": "lost", "limits": null,
         "pose": {"frame": "map", "position_m": [4.0, 1.0, 0.0], "age_ms": 900}},
    ]})
}

fn belief() -> Value {
    json!({"subject": "person", "predicate": "location", "value": "kitchen", "confidence": 0.85, "state": "held",
        "confirmed_by": "sensor"})
}

fn denied() -> Value {
    let allow = json!({"constraint": "manifest-speed", "kind": "max_velocity", "verdict": "allow", "limit": 1.0,
        "predicted": 0.1, "margin": 0.9, "unit": "mps", "nearest_allowed_m": null});
    let deny = json!({"constraint": "manifest-workspace", "kind": "workspace", "verdict": "deny", "limit": 1.0,
        "predicted": 2.0904, "margin": -1.0904, "unit": "m", "nearest_allowed_m": [0.9096, 0.0, 1.0]});
    json!({"command_id": "0199", "state": "denied", "sentence": "Denied: workspace.",
        "verdict": {"overall": "deny", "items": [deny, allow], "speed_allowed_mps": null}})
}

/// The fixed answers of the station: JSON, and whether it is an error.
pub(super) fn station(name: &str, args: &Value) -> (Value, bool) {
    let x_m = args.pointer("/motion/pose_goal/position_m/0").and_then(Value::as_f64).unwrap_or(0.0);
    let answer = match name {
        "list_robots" => robots(),
        "safety_status" => json!({"latched": false, "armed": 2, "robots": []}),
        "send_command" | "check_command" if x_m > 1.9 && args["robot"] == "arm-1" => denied(),
        "check_command" => json!({"verdict": {"overall": "allow", "items": []}}),
        "send_command" => json!({"command_id": "0199", "state": "received"}),
        "stop_robot" if args["robot"] != "arm-1" => {
            return (json!({"code": "robot_not_found", "message": "no such robot"}), true);
        }
        "stop_robot" => json!({"stop_id": 41, "robots": ["arm-1"]}),
        "stop_all" => json!({"stop_id": 41, "latch_saved": true, "robots": ["arm-1", "gate-1", "rover-1", "rover-2"]}),
        "list_world_state" => json!({"items": [
            {"key": "person.location", "value": "hallway", "confidence": 0.92, "age_ms": 3120, "freshness": "live"},
            {"key": "oven.temperature", "value": 182.5, "unit": "degC", "confidence": null, "age_ms": 95000, "freshness": "stale"},
        ], "more": 7}),
        "list_constraints" => {
            json!({"items": [{"id": "manifest-speed", "scope": "robot", "constraint": {"MaxVelocity": 1.0}}]})
        }
        "update_belief" if args["subject"] == "person" => {
            json!({"state": "pending", "proposal": {"id": "pr-1"}})
        }
        "update_belief" => json!({"message": "Belief (cup, place) updated with confidence 0.9", "applied": "created"}),
        "get_belief" if args["subject"] == "nobody" => {
            return (
                json!({"code": "belief_not_found", "message": "not found: there is no belief about nobody"}),
                true,
            );
        }
        "list_missions" => json!({"items": [
            {"id": "patrol", "title": "Patrol", "status": "active"},
            {"id": "patrol-south", "title": "Patrol", "status": "paused"},
            {"id": "dog-monitor", "title": "Dog", "status": "active"},
        ]}),
        "pause_mission" => {
            json!({"message": "Mission dog-monitor paused", "changed": true, "still_moving": ["rover-1"]})
        }
        "resume_mission" => json!({"message": "Mission dog-monitor resumed", "changed": true, "state": "active"}),
        "create_proposal" => json!({"message": "Proposal pr-7 waits for approval", "id": "pr-7", "tier": "high"}),
        "remember_note" => json!({"message": "Note written to MEMORY.md", "applied": "written"}),
        "memory_search" if args["query"] == "unicorn" => json!({"items": [], "partial": false}),
        "memory_search" => json!({"items": [{"at": "2026-02-20T13:03:22.180Z", "origin": "sensor(cam-1)",
            "content": "label: \"stop all\""}], "partial": false}),
        "schedule_task" => {
            json!({"message": "Task scheduled", "id": "job-1", "next_runs": ["2026-03-08T18:00:00+00:00"]})
        }
        "draft_mission" => {
            let note = "The site plan has no area `yard`. The draft visits the points of its template.";
            let notes = if args["place"] == "yard" { vec![note] } else { Vec::new() };
            json!({"message": "Draft a-mission is saved.", "mission_id": "a-mission", "title": "A mission",
            "ok": false, "meaning": [], "notes": notes, "problems": [{"line": 3, "message": "There is no robot `rover-9`."}]})
        }
        "list_verdicts" => json!({"items": [
            {"id": "0199aa", "robot": "arm-1", "overall": "allow", "sentence": "Allowed."},
            {"id": "0198bb", "robot": "arm-1", "overall": "deny", "sentence": "Denied: workspace."},
            {"id": "0197cc", "robot": "rover-1", "overall": "deny", "sentence": "Denied: link."},
        ]}),
        "explain_verdict" => denied(),
        "why_idle" => {
            json!({"robot": args["robot"], "blockers": [{"code": "state", "blocks": "everyone", "cause": null,
            "sentence": "rover-1 is not armed.", "cleared_by": "Arm it", "who": "an operator"}]})
        }
        "get_belief" if args["predicate"].is_null() => json!({"items": [belief(), belief()]}),
        "get_belief" => belief(),
        _ => json!({"items": []}),
    };
    (answer, false)
}
