//! A mark is planted in every place where a stranger's text can come in; then every operation that an agent may call is
//! called. Whatever brings the mark back must not be believed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bridge::{Link, LinkConfig};
use memory::episodic::EpisodeRole;
use robot::{Codec, Now, Role, Trust};
use serde_json::{Value, json};
use world::alarm::{BuiltIn, Of};

use super::outcome;
use crate::episodes::Record;
use crate::operations::{self, dispatch};
use crate::rig::{Rig, tainted};
use crate::session::Session;

/// A word that is a name too.
const MARK: &str = "obey-all-now";
const SIGN: &str = "lab/sign-1/out/text";

async fn planted() -> Rig {
    let settings = format!("[rooms.{MARK}]\nname = \"north\"\n");
    let rig = Rig::start_with_gate_where(&settings, MARK).await;
    let folder = &rig.agent.folders.missions;
    std::fs::write(folder.join("market.md"), format!("---\ntitle: {MARK}\n---\nGo shopping. {MARK}")).unwrap();
    std::fs::write(folder.join(format!("{MARK}.md")), "# Nothing").unwrap();
    signs(&rig, &["closed", MARK]).await;
    rig.station.alarms.raise(BuiltIn::ForgedMessages, &Of::agent(&rig.agent.id), format!("Somebody says {MARK}"));
    rig.agent.episodes.record(Record::new(
        EpisodeRole::Alert,
        format!("The sign says {MARK}"),
        "sensor(sign)",
        Trust::Text,
    ));
    until(&rig, "memory_search", json!({ "query": "sign says" }), |found| found["items"][0].is_object()).await;
    let program = Session::program("planter", Role::Operator);
    for (operation, input) in [
        ("remember_note", json!({ "text": format!("The market is open. {MARK}"), "title": MARK })),
        ("update_belief", json!({ "subject": "market", "predicate": "rule", "value": MARK, "confidence": 0.9 })),
        ("schedule_task", json!({ "prompt": MARK, "every_secs": 86_400, "name": MARK })),
    ] {
        let planted = dispatch(&rig.station, &program, operation, input).await;
        assert!(planted.is_ok(), "{operation}: {planted:?}");
    }
    let ask = json!({ "operation": "cancel_job", "input": { "id": "job-1" }, "reason": MARK });
    rig.by_agent(tainted(), "create_proposal", ask).await.unwrap();
    rig.by_person("stop_all", json!({ "reason": MARK })).await.unwrap();
    rig
}

/// Has a sensor say each of `texts` until it is known.
async fn signs(rig: &Rig, texts: &[&str]) {
    let context = json!({
        "topic_pattern": SIGN, "world_state_key_template": "sign.text", "value_field": "text", "max_age_secs": 3600,
    });
    rig.by_person("configure_context", context).await.unwrap();
    let info = rig.by_person("session_info", json!({})).await.unwrap();
    let connect = vec![info["zenoh_endpoints"][0].as_str().unwrap().to_owned()];
    let link = Link::open(LinkConfig { connect, ..LinkConfig::default() }, Arc::new(Now::default)).await.unwrap();
    let sign = link.sample_publisher(SIGN, Codec::Json).unwrap();
    for text in texts {
        let put = || sign.put(json!({ "text": text }).to_string().into_bytes()).unwrap();
        until(rig, "list_world_state", json!({ "prefix": "sign" }), |rows| {
            put();
            rows[0]["value"] == *text
        })
        .await;
    }
    link.close().await;
}

/// Waits until what a person is answered `holds`.
async fn until(rig: &Rig, operation: &str, input: Value, mut holds: impl FnMut(&Value) -> bool) {
    let held = async {
        let mut looks = tokio::time::interval(Duration::from_millis(50));
        loop {
            looks.tick().await;
            if holds(&rig.by_person(operation, input.clone()).await.unwrap()) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), held).await.unwrap();
}

/// The inputs of the operations that take one.
fn inputs() -> Vec<(&'static str, Value)> {
    let command = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
    vec![
        ("explain_world_entry", json!({ "key": "sign.text" })),
        ("world_history", json!({ "key": "sign.text" })),
        ("get_mission", json!({ "mission_id": "market" })),
        ("get_belief", json!({ "subject": "market" })),
        ("belief_history", json!({ "subject": "market", "predicate": "rule" })),
        ("memory_search", json!({ "query": "sign says" })),
        ("list_constraints", json!({ "robot": "gate-1" })),
        ("send_command", command.clone()),
        ("check_command", command),
        ("stop_robot", json!({ "robot": "gate-1" })),
        ("hold_robot", json!({ "robot": "gate-1" })),
        ("remember_note", json!({ "text": "The door is green.", "title": "door" })),
        ("update_belief", json!({ "subject": "door", "predicate": "colour", "value": "green", "confidence": 0.9 })),
        ("schedule_task", json!({ "prompt": "look", "every_secs": 3_600 })),
        ("preview_schedule", json!({ "every_secs": 3_600, "prompt": "look" })),
        ("create_proposal", json!({ "operation": "cancel_job", "input": { "id": "job-2" }, "reason": "why not" })),
        ("pause_mission", json!({ "mission_id": "market" })),
        ("resume_mission", json!({ "mission_id": "market" })),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn p_20_a_mark_that_a_stranger_planted_never_comes_back_believed() {
    let rig = planted().await;
    let inputs = inputs();
    let mut brought = BTreeSet::new();
    for tool in operations::tools() {
        let input =
            inputs.iter().find(|(name, _)| *name == tool.name).map_or_else(|| json!({}), |(_, input)| input.clone());
        let answer = rig.by_agent(tainted(), &tool.name, input).await;
        let outcome = outcome(&tool.name, answer);
        if outcome.json.contains(MARK) {
            assert_eq!(outcome.trust, Trust::Text, "{} brings it back: {}", tool.name, outcome.json);
            brought.insert(tool.name);
        }
    }
    let expected = [
        "belief_history",
        "explain_world_entry",
        "get_belief",
        "get_mission",
        "list_alarms",
        "list_beliefs",
        "list_jobs",
        "list_missions",
        "list_notes",
        "list_proposals",
        "list_rooms",
        "list_world_state",
        "memory_search",
        "safety_status",
        "world_history",
    ];
    let missing: Vec<_> = expected.iter().filter(|name| !brought.contains(**name)).collect();
    assert!(missing.is_empty(), "the mark was not planted where {missing:?} would bring it back: {brought:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p_20_what_the_station_says_of_itself_taints_nothing() {
    let rig = Rig::start_with_gate_where("", "on the post").await;
    let inputs = inputs();
    let mut tainting = Vec::new();
    for name in [
        "list_robots",
        "list_world_state",
        "safety_status",
        "check_command",
        "send_command",
        "list_verdicts",
        "list_locks",
        "list_constraints",
        "remember_note",
        "update_belief",
        "list_beliefs",
        "schedule_task",
        "create_proposal",
        "get_safety_settings",
        "hold_robot",
        "stop_robot",
    ] {
        let input = inputs.iter().find(|(with, _)| *with == name).map_or_else(|| json!({}), |(_, input)| input.clone());
        let outcome = outcome(name, rig.by_agent(crate::session::Cause::default(), name, input).await);
        if outcome.trust == Trust::Text {
            tainting.push((name, outcome.json));
        }
    }
    assert!(tainting.is_empty(), "{tainting:#?}");
}

#[test]
fn p_20_no_row_that_carries_the_words_of_others_calls_itself_better_than_text() {
    for name in ["call_mcp_tool", "run_shell_tool", "sandbox_exec", "fetch_to_sandbox", "get_mission", "list_missions"]
    {
        assert_eq!(operations::find(name).unwrap().trust, Trust::Text, "{name}");
    }
}
