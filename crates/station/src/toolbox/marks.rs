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
use crate::episodes::{Record, Redaction};
use crate::operations::{self, dispatch};
use crate::outputs::Outputs;
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
    speaks_by_its_name(&rig).await;
    let rule = json!({ "mission_id": MARK, "predicate": "hall.temp > 100", "description": MARK });
    rig.by_person("register_alert", rule).await.unwrap();
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

/// Has somebody publish numbers on a topic whose name is the order.
async fn speaks_by_its_name(rig: &Rig) {
    let context = json!({
        "topic_pattern": "lab/*/out/temp", "world_state_key_template": "hall.temp", "value_field": "c",
    });
    rig.by_person("configure_context", context).await.unwrap();
    let link = stranger(rig).await;
    let named = link.sample_publisher(&format!("lab/{MARK}/out/temp"), Codec::Json).unwrap();
    until(rig, "list_world_state", json!({ "prefix": "hall" }), |rows| {
        named.put(b"{\"c\":21}".to_vec()).unwrap();
        rows[0]["source"].as_str().is_some_and(|source| source.contains(MARK))
    })
    .await;
    link.close().await;
}

/// A session of somebody else on the robots' network.
async fn stranger(rig: &Rig) -> Link {
    let info = rig.by_person("session_info", json!({})).await.unwrap();
    let connect = vec![info["zenoh_endpoints"][0].as_str().unwrap().to_owned()];
    Link::open(LinkConfig { connect, ..LinkConfig::default() }, Arc::new(Now::default)).await.unwrap()
}

/// Has a sensor say each of `texts` until it is known.
async fn signs(rig: &Rig, texts: &[&str]) {
    let context = json!({
        "topic_pattern": SIGN, "world_state_key_template": "sign.text", "value_field": "text", "max_age_secs": 3600,
    });
    rig.by_person("configure_context", context).await.unwrap();
    let link = stranger(rig).await;
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

/// Operations that need a cell, a model or another station; their answers are text whatever they say, which
/// `p_20_no_row_that_carries_the_words_of_others_calls_itself_better_than_text` sees to.
const ELSEWHERE: &[&str] = &[
    "ask_output",
    "call_mcp_tool",
    "fetch_batch_to_sandbox",
    "fetch_to_sandbox",
    "post_room",
    "run_shell_tool",
    "sandbox_exec",
];

/// Operations that refuse here: no run has failed, no model is there to run a job with, and a job that runs is not resumed.
const REFUSED: &[&str] = &["resume_job", "retry_job", "run_job"];

/// The same with what has an id of its own: a verdict, a record, a long output.
async fn inputs_with_ids(rig: &Rig) -> Vec<(&'static str, Value)> {
    let mut inputs = inputs();
    for (_, input) in inputs.iter_mut().filter(|(name, _)| name.ends_with("_command")) {
        input["mission_id"] = json!(MARK);
    }
    let check = inputs.iter().find(|(name, _)| *name == "check_command").unwrap().1.clone();
    let checked = rig.by_agent(tainted(), "send_command", check).await.unwrap();
    let found = rig.by_person("memory_search", json!({ "query": "sign says" })).await.unwrap();
    let long = agent::ToolOutcome::answer(&json!({ "text": format!("{MARK} {}", "x".repeat(9_000)) }));
    let long = agent::ToolOutcome { trust: Trust::Text, ..long };
    let kept = Outputs::of(&rig.agent.folders, &rig.agent.desk.session()).keep(long, 4_096);
    let market = rig.by_person("get_mission", json!({ "mission_id": "market" })).await.unwrap();
    let activation = json!({ "mission_id": "market", "hash": market["hash"] });
    rig.by_person("activate_mission", activation).await.unwrap();
    for name in ["get_job", "pause_job", "resume_job", "run_job", "cancel_job"] {
        let job = json!({ "prompt": MARK, "every_secs": 86_400, "name": format!("{MARK}-{name}") });
        let job =
            dispatch(&rig.station, &Session::program("planter", Role::Operator), "schedule_task", job).await.unwrap();
        inputs.push((name, json!({ "id": job["id"] })));
    }
    inputs.extend([
        ("why_idle", json!({ "robot": "gate-1" })),
        (
            "test_context",
            json!({ "draft": {
            "topic_pattern": "lab/*/out/temp", "world_state_key_template": "hall.temp", "value_field": "c",
        }, "wait_secs": 0 }),
        ),
        ("explain_verdict", json!({ "id": checked["verdict"]["id"] })),
        ("get_record", json!({ "id": found["items"][0]["id"] })),
        ("read_output", json!({ "n": kept.spill.unwrap() })),
    ]);
    inputs
}

#[tokio::test(flavor = "multi_thread")]
async fn p_20_a_mark_that_a_stranger_planted_never_comes_back_believed() {
    let rig = planted().await;
    let inputs = inputs_with_ids(&rig).await;
    let (mut brought, mut failed) = (BTreeSet::new(), Vec::new());
    for tool in operations::tools() {
        if ELSEWHERE.contains(&tool.name.as_str()) {
            continue;
        }
        let input =
            inputs.iter().find(|(name, _)| *name == tool.name).map_or_else(|| json!({}), |(_, input)| input.clone());
        let answer = rig.by_agent(tainted(), &tool.name, input).await;
        let outcome = outcome(&Redaction::default(), &tool.name, answer);
        if outcome.is_error && !REFUSED.contains(&tool.name.as_str()) {
            failed.push((tool.name.clone(), outcome.json.clone()));
        }
        if outcome.json.contains(MARK) {
            assert_eq!(outcome.trust, Trust::Text, "{} brings it back: {}", tool.name, outcome.json);
            brought.insert(tool.name);
        }
    }
    assert!(failed.is_empty(), "an operation that fails shows nothing: {failed:#?}");
    let expected = [
        "belief_history",
        "check_command",
        "explain_verdict",
        "explain_world_entry",
        "get_belief",
        "get_job",
        "get_mission",
        "get_record",
        "list_alarms",
        "list_alerts",
        "list_beliefs",
        "list_jobs",
        "list_missions",
        "list_notes",
        "list_proposals",
        "list_rooms",
        "list_world_state",
        "memory_search",
        "read_output",
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
        let outcome =
            outcome(&Redaction::default(), name, rig.by_agent(crate::session::Cause::default(), name, input).await);
        if outcome.trust == Trust::Text {
            tainting.push((name, outcome.json));
        }
    }
    assert!(tainting.is_empty(), "{tainting:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p_20_a_sentence_in_the_name_of_a_topic_is_not_given_to_a_model_as_the_stations_word() {
    let rig = Rig::start_with_gate_where("", "on the post").await;
    speaks_by_its_name(&rig).await;
    let rows = rig.by_agent(crate::session::Cause::default(), "list_world_state", json!({})).await;
    let outcome = outcome(&Redaction::default(), "list_world_state", rows);
    assert!(outcome.json.contains("hall.temp") && !outcome.json.contains(MARK), "{}", outcome.json);
    assert_eq!(outcome.trust, Trust::Typed, "a number is no text");
    let explained = json!({ "key": "hall.temp" });
    let explained = rig.by_agent(crate::session::Cause::default(), "explain_world_entry", explained).await;
    let outcome = super::outcome(&Redaction::default(), "explain_world_entry", explained);
    assert!(outcome.json.contains(MARK) && outcome.trust == Trust::Text, "{}", outcome.json);
}

#[test]
fn p_20_no_row_that_carries_the_words_of_others_calls_itself_better_than_text() {
    for name in ["call_mcp_tool", "run_shell_tool", "sandbox_exec", "fetch_to_sandbox", "get_mission", "list_missions"]
    {
        assert_eq!(operations::find(name).unwrap().trust, Trust::Text, "{name}");
    }
}
