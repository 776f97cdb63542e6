//! A key that somebody pastes by mistake is looked for in every file, whatever it came with.

use std::path::Path;

use serde_json::{Value, json};

use crate::test_support::{Rig, tainted};

const KEY: &str = "sk-canary-0123456789abcdef";
/// The part that would be a leak by itself.
const CANARY: &[u8] = b"canary-0123456789";

/// Every operation that takes the words of a person, with the key in them.
fn carriers() -> Vec<(&'static str, Value)> {
    let said = |words: &str| format!("{words} {KEY} please");
    vec![
        ("stop_all", json!({ "reason": said("the door is open") })),
        ("stop_robot", json!({ "robot": "gate-1", "reason": said("too near") })),
        ("send_message", json!({ "text": said("stop gate-1") })),
        ("remember_note", json!({ "text": said("the code is"), "title": said("codes") })),
        ("update_belief", json!({ "subject": "code", "predicate": "is", "value": said("now"), "confidence": 0.9 })),
        ("schedule_task", json!({ "prompt": said("use"), "every_secs": 86_400 })),
        ("register_alert", json!({ "predicate": "door.state = 'open'", "description": said("call") })),
        ("post_room", json!({ "room": "north", "text": said("ours is") })),
        ("release_stop", json!({ "stop_ids": [1], "robots": [], "reason": said("clear") })),
        ("pause_mission", json!({ "mission_id": KEY })),
    ]
}

/// Files below `folder` that hold the canary.
fn leaks(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            leaks(&path, found);
        } else if std::fs::read(&path).unwrap_or_default().windows(CANARY.len()).any(|bytes| bytes == CANARY) {
            found.push(path.display().to_string());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn att_19_a_key_that_was_pasted_by_mistake_stands_in_no_file_and_no_answer_whatever_carried_it() {
    let rig = Rig::start_with_gate_where("[rooms.north]\nname = \"north\"\n", "on the post").await;
    for (operation, input) in carriers() {
        let answer = match rig.by_person(operation, input).await {
            Ok(answer) => answer.to_string(),
            Err(error) => json!(error).to_string(),
        };
        assert!(!answer.contains("canary"), "{operation}: {answer}");
    }
    let ask = json!({ "operation": "cancel_job", "input": { "id": "job-1" }, "reason": KEY });
    rig.by_agent(tainted(), "create_proposal", ask).await.unwrap();
    for operation in ["safety_status", "list_notes", "list_beliefs", "list_jobs", "list_alerts", "list_proposals"] {
        let answer = rig.by_person(operation, json!({})).await.unwrap().to_string();
        assert!(!answer.contains("canary"), "{operation}: {answer}");
    }
    let given = Ok(json!({ "output": format!("KEY {KEY}") }));
    let outcome = rig.station.runner.toolbox.outcome("run_shell_tool", given);
    assert!(!outcome.json.contains("canary"), "what a tool gives away goes into no transcript: {}", outcome.json);
    rig.station.shutdown().await;
    let (mut found, root) = (Vec::new(), rig.agent.folders.root.ancestors().nth(2).unwrap().to_owned());
    assert!(root.join("station.db").is_file(), "{}", root.display());
    leaks(&root, &mut found);
    assert!(found.is_empty(), "{found:#?}");
}
