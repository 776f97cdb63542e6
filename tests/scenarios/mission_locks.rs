//! Locks of missions: one mission has a part of a robot at a time, the others say what they wait for, and a pause, a
//! question and an end give it back.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

use crate::mission_steps::{until_mission, until_state, write};

/// A file that moves the arm a little, and waits for a person after it.
fn moving(front: &str) -> String {
    let motion = "{pose_goal: {position_m: [0.5, 0.2, 1.0], speed_mps: 0.2}}";
    let step =
        format!("{{operation: send_command, name: reach, input: {{robot: arm-1, actuator: arm, motion: {motion}}}}}");
    format!("---\nrobots: [arm-1]\n{front}goals:\n  - {step}\n  - It looks good\n---\nReach.\n")
}

fn locks(shown: &Value) -> Vec<(&str, bool, Option<&str>)> {
    let rows = shown["locks"].as_array().into_iter().flatten();
    rows.filter_map(|row| Some((row["part"].as_str()?, row["is_held"].as_bool()?, row["holder"].as_str()))).collect()
}

async fn approve(site: &mut Site, mission: &str) -> anyhow::Result<()> {
    let card = site.until_proposal(|card| card["state"] == "waiting" && card["mission"] == mission).await?;
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_27_one_mission_has_the_arm_until_its_run_ends_and_the_other_says_who_has_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    write(&site, "first", &moving(""))?;
    write(&site, "second", &moving("resources: [arm-1/body]\n"))?;
    site.activate("first").await?;
    let first = until_mission(&mut site, "first", |shown| shown["goals"][0]["state"] == "proposed").await?;
    assert_eq!(locks(&first), [("arm-1/body/arm", true, None)], "the actuators of its steps: {first:#}");
    assert_eq!(first["live"]["locks"], 1);
    site.activate("second").await?;
    let waits = until_mission(&mut site, "second", |shown| shown["reason"]["code"] == "lock").await?;
    assert_eq!(
        (&waits["state"], &waits["reason"]["sentence"]),
        (&json!("blocked"), &json!("Goal 1 (reach) waits for arm-1/body, which mission first has.")),
        "{waits:#}"
    );
    assert_eq!(locks(&waits), [("arm-1/body", false, Some("mission first"))], "{waits:#}");
    let graph = site.get("mission_graph", json!({})).await?;
    let node = quarterdeck_tests::find(&graph["nodes"], "id", "second").cloned().unwrap_or_default();
    assert_eq!((&node["resources"], &node["state"]), (&json!(["arm-1/body"]), &json!("blocked")), "{node:#}");
    // The lock is kept after the motion, as long as the run goes on.
    approve(&mut site, "first").await?;
    let ticks = until_mission(&mut site, "first", |shown| shown["goals"][1]["may_tick"] == true).await?;
    assert_eq!(locks(&ticks), [("arm-1/body/arm", true, None)], "{ticks:#}");
    assert_eq!(
        site.get("list_proposals", json!({ "state": "waiting" })).await?,
        json!([]),
        "the other asks for nothing"
    );
    site.get("complete_mission", json!({ "mission_id": "first", "goal": 2 })).await?;
    until_state(&mut site, "first", "completed").await?;
    let next = until_mission(&mut site, "second", |shown| shown["goals"][0]["state"] == "proposed").await?;
    assert_eq!(locks(&next), [("arm-1/body", true, None)], "{next:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_27_ml_22_a_pause_gives_the_lock_back_and_a_lock_for_a_command_lasts_no_longer() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    write(&site, "brief", &moving("resources: [{path: arm-1/body/arm, hold: command}]\n"))?;
    write(&site, "other", &moving(""))?;
    site.activate("brief").await?;
    until_mission(&mut site, "brief", |shown| shown["live"]["locks"] == 1).await?;
    approve(&mut site, "brief").await?;
    let between = until_mission(&mut site, "brief", |shown| shown["goals"][1]["may_tick"] == true).await?;
    assert_eq!(between["locks"][0]["whole_run"], false);
    until_mission(&mut site, "brief", |shown| shown["live"]["locks"] == 0).await?;
    site.activate("other").await?;
    until_mission(&mut site, "other", |shown| shown["live"]["locks"] == 1).await?;
    let paused = site.get("pause_mission", json!({ "mission_id": "other" })).await?;
    assert_eq!(paused["live"]["locks"], 0, "{paused:#}");
    // A question to a person holds nothing.
    site.get("resume_mission", json!({ "mission_id": "other" })).await?;
    let asks = until_state(&mut site, "other", "blocked").await?;
    assert_eq!((&asks["reason"]["code"], &asks["live"]["locks"]), (&json!("ask"), &json!(0)), "{asks:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_ml_27_a_person_who_takes_the_robot_ends_the_step_and_frees_its_lock_until_asked_again()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    write(&site, "slow", &moving("").replace("speed_mps: 0.2", "speed_mps: 0.05"))?;
    site.activate("slow").await?;
    approve(&mut site, "slow").await?;
    until_mission(&mut site, "slow", |shown| shown["live"]["open_commands"] == 1).await?;
    site.get("take_control", json!({ "robot": "arm-1" })).await?;
    let asks = until_mission(&mut site, "slow", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!((&asks["live"]["open_commands"], &asks["live"]["locks"]), (&json!(0), &json!(0)), "{asks:#}");
    assert_eq!(asks["answers"], json!(["repeat_step", "step_done", "step_failed"]), "{asks:#}");
    // Nothing is asked of anybody while the robot is not the agent's.
    let repeat = json!({ "mission_id": "slow", "answer": "repeat_step" });
    site.get("resume_mission", repeat).await?;
    let is_anothers = |shown: &Value| shown["reason"]["sentence"].to_string().contains("has control of arm-1");
    let waits = until_mission(&mut site, "slow", is_anothers).await?;
    assert_eq!((&waits["state"], &waits["live"]["open_commands"]), (&json!("blocked"), &json!(0)), "{waits:#}");
    site.get("hand_to_agent", json!({ "robot": "arm-1" })).await?;
    approve(&mut site, "slow").await?;
    until_mission(&mut site, "slow", |shown| shown["goals"][1]["may_tick"] == true).await?;
    Ok(())
}
