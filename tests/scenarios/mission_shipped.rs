//! The missions that come with the simulated site do there what their texts say.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

use crate::mission_goals::{approve, reject, states};
use crate::mission_steps::{until_mission, until_state};
use crate::sensing::publish_until;

/// Waits for a card of a mission.
async fn card_of(site: &mut Site, mission: &str) -> anyhow::Result<Value> {
    site.until_proposal(|card| card["state"] == "waiting" && card["mission"] == mission).await
}

/// Activates the welding, and says as a person that it may start.
async fn start_welding(site: &mut Site) -> anyhow::Result<()> {
    site.activate("run-welding-task").await?;
    let asks = until_mission(site, "run-welding-task", |shown| shown["answers"][0] == "start").await?;
    assert_eq!(asks["live"]["open_commands"], 0, "nothing moves before a person has looked into the cell: {asks:#}");
    let list = site.get("list_proposals", json!({ "state": "waiting" })).await?;
    assert_eq!(list, json!([]));
    site.get("resume_mission", json!({ "mission_id": "run-welding-task", "answer": "start" })).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_16_ml_18_the_seam_is_welded_after_the_calibration_and_a_no_has_the_arm_parked() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let waits = site.activate("run-welding-task").await?;
    assert_eq!(waits["reason"]["code"], "dependency_draft", "{waits:#}");
    site.arm("arm-1").await?;
    site.activate("calibrate-arm").await?;
    let card = card_of(&mut site, "calibrate-arm").await?;
    approve(&mut site, &card).await?;
    until_state(&mut site, "calibrate-arm", "completed").await?;
    site.activate("park-arm").await?;
    until_mission(&mut site, "park-arm", |shown| shown["reason"]["code"] == "trigger").await?;

    start_welding(&mut site).await?;
    for name in ["approach", "seam"] {
        let card = card_of(&mut site, "run-welding-task").await?;
        assert!(card["reason"].to_string().contains(name), "{card:#}");
        approve(&mut site, &card).await?;
        site.until_proposal(|row| row["id"] != card["id"] || row["state"] != "waiting").await?;
    }
    let asks = until_mission(&mut site, "run-welding-task", |shown| shown["goals"][2]["may_tick"] == true).await?;
    assert_eq!(states(&asks), ["done", "done", "current"], "{asks:#}");
    site.get("complete_mission", json!({ "mission_id": "run-welding-task", "goal": 3 })).await?;
    until_state(&mut site, "run-welding-task", "completed").await?;

    start_welding(&mut site).await?;
    let card = card_of(&mut site, "run-welding-task").await?;
    reject(&site, &card).await?;
    until_state(&mut site, "run-welding-task", "failed").await?;
    let card = card_of(&mut site, "park-arm").await?;
    approve(&mut site, &card).await?;
    let parked = until_mission(&mut site, "park-arm", |shown| shown["runs"][0]["outcome"] == "done").await?;
    assert_eq!(parked["reason"]["code"], "trigger", "it parks again after the next failure: {parked:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_16_ml_13_the_gate_is_closed_when_the_toddler_is_at_the_front_door() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.activate("childproof-home").await?;
    until_mission(&mut site, "childproof-home", |shown| shown["reason"]["code"] == "trigger").await?;
    site.arm("gate-1").await?;
    let open = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
    site.get("send_command", open).await?;
    site.until_key("gate.status", |row| row["value"] == "open").await?;
    let waits = until_mission(&mut site, "childproof-home", |_| true).await?;
    assert_eq!(waits["triggers"][0]["last_ms"], Value::Null, "an open gate alone starts nothing: {waits:#}");

    let seen = |zone: &str| json!({ "label": "toddler", "confidence": 0.95, "zone": zone }).to_string();
    let topic = "lab/cam-9/vision/detections";
    publish_until(&mut site, topic, &seen("stairs"), ("toddler.location", json!("stairs"))).await?;
    let says =
        |row: &Value| row["message"].as_str().is_some_and(|text| text.starts_with("The toddler is at the stairs"));
    site.until("list_alarms", json!({}), |rows| rows.as_array().is_some_and(|rows| rows.iter().any(says))).await?;
    publish_until(&mut site, topic, &seen("front_door"), ("toddler.location", json!("front_door"))).await?;
    let card = card_of(&mut site, "childproof-home").await?;
    approve(&mut site, &card).await?;
    // A switch is no place that could be measured: a person says that it is done, and the status shows it.
    let asks = until_mission(&mut site, "childproof-home", |shown| shown["goals"][0]["state"] == "asked").await?;
    assert_eq!(asks["goals"][0]["reason"]["end"], "done_not_confirmed", "{asks:#}");
    site.get("resume_mission", json!({ "mission_id": "childproof-home", "answer": "step_done" })).await?;
    let closed = until_mission(&mut site, "childproof-home", |shown| shown["runs"][0]["outcome"] == "done").await?;
    assert_eq!(closed["status"], "active", "it goes on watching: {closed:#}");
    site.until_key("gate.status", |row| row["value"] == "closed").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_16_the_check_of_the_filters_is_done_when_a_person_says_so() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    // A station without the simulated site has no shipped missions; this one needs none of its robots.
    let text = include_str!("../../missions/maintenance-check.md");
    let saved = site.get("save_mission", json!({ "mission_id": "maintenance-check", "source": text })).await?;
    site.get("activate_mission", json!({ "mission_id": "maintenance-check", "hash": saved["hash"] })).await?;
    let active = until_state(&mut site, "maintenance-check", "active").await?;
    assert_eq!((&active["title"], &active["robots"]), (&json!("Check the filters"), &json!([])), "{active:#}");
    site.get("complete_mission", json!({ "mission_id": "maintenance-check" })).await?;
    until_state(&mut site, "maintenance-check", "completed").await?;
    Ok(())
}
