//! Goals of missions that run: the station works on them by itself, what moves a robot waits for a person, and every end of
//! a goal means what the file says.

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{until_mission, until_state, write};
use crate::supervision::acknowledge_all;

/// A file whose only goal moves the arm a little.
fn moving(front: &str) -> String {
    let motion = "{pose_goal: {position_m: [0.5, 0.2, 1.0], speed_mps: 0.2}}";
    let input = format!("{{robot: arm-1, actuator: arm, motion: {motion}}}");
    format!(
        "---\nrobots: [arm-1]\n{front}goals:\n  - {{operation: send_command, name: reach, input: {input}}}\n---\nReach.\n"
    )
}

async fn waiting_card(site: &mut Site) -> anyhow::Result<Value> {
    site.until_proposal(|card| card["state"] == "waiting").await
}

pub(crate) async fn approve(site: &mut Site, card: &Value) -> anyhow::Result<()> {
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await.map(drop)
}

pub(crate) async fn reject(site: &Site, card: &Value) -> anyhow::Result<()> {
    let rejected = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", rejected).await.map(drop)
}

fn alarm_of<'r>(rows: &'r Value, mission: &str) -> Option<&'r Value> {
    rows.as_array()?.iter().find(|row| row["mission"] == mission && row["source"] == "mission_failed")
}

pub(crate) fn states(shown: &Value) -> Vec<&str> {
    shown["goals"].as_array().into_iter().flatten().filter_map(|goal| goal["state"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_16_ml_16_ml_19_ml_24_a_shipped_mission_runs_from_its_activation_to_its_end() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    write(&site, "inspect", "---\ndepends_on: [calibrate-arm]\n---\nLook at the arm.\n")?;
    let waits = site.activate("inspect").await?;
    assert_eq!(
        (&waits["state"], &waits["reason"]["code"]),
        (&json!("waiting"), &json!("dependency_draft")),
        "{waits:#}"
    );
    let shown = site.get("get_mission", json!({ "mission_id": "calibrate-arm" })).await?;
    let says = |sentence: &str| shown["meaning"].to_string().contains(sentence);
    assert!(says("Asks a person before every step that moves something."), "{shown:#}");
    site.activate("calibrate-arm").await?;
    // A robot that cannot move is waited for, and no card is made that would be denied.
    let blocked = until_state(&mut site, "calibrate-arm", "blocked").await?;
    assert_eq!(
        (&blocked["reason"]["code"], states(&blocked)),
        (&json!("robot"), vec!["current", "pending"]),
        "{blocked:#}"
    );
    let waits = until_state(&mut site, "inspect", "waiting").await?;
    assert_eq!(waits["reason"]["sentence"], "Waits for calibrate-arm to be completed.");
    site.arm("arm-1").await?;
    let card = waiting_card(&mut site).await?;
    assert_eq!(
        (&card["mission"], &card["reason"]),
        (&json!("calibrate-arm"), &json!("Goal 1 of mission calibrate-arm: home pose."))
    );
    let asked = until_mission(&mut site, "calibrate-arm", |shown| states(shown) == ["proposed", "pending"]).await?;
    assert_eq!(
        (&asked["goals"][0]["proposal"], &asked["reason"]["code"]),
        (&card["id"], &json!("approval")),
        "{asked:#}"
    );
    assert_eq!(asked["live"]["open_commands"], 0, "nothing moves before a person has approved it");
    approve(&mut site, &card).await?;
    let done = until_state(&mut site, "calibrate-arm", "completed").await?;
    assert_eq!(states(&done), ["done", "done"], "{done:#}");
    until_state(&mut site, "inspect", "active").await?;
    let cards = site.get("list_proposals", json!({})).await?;
    let of_mission = cards.as_array().into_iter().flatten().filter(|card| card["mission"] == "calibrate-arm");
    assert_eq!(of_mission.count(), 1, "no step is sent twice");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_17_ml_18_a_no_fails_the_goal_and_the_file_says_what_follows() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    write(&site, "stop", &moving(""))?;
    site.activate("stop").await?;
    let card = waiting_card(&mut site).await?;
    reject(&site, &card).await?;
    let failed = until_state(&mut site, "stop", "failed").await?;
    assert_eq!(failed["reason"]["sentence"], "Goal 1 of mission stop failed (reach), rejected: not_now.");
    site.until("list_alarms", json!({}), |rows| alarm_of(rows, "stop").is_some()).await?;

    write(&site, "alert", &moving("on_failure: alert\n"))?;
    site.activate("alert").await?;
    let card = site.until_proposal(|card| card["state"] == "waiting" && card["mission"] == "alert").await?;
    reject(&site, &card).await?;
    let paused = until_state(&mut site, "alert", "paused").await?;
    assert_eq!(paused["reason"]["code"], "failure", "{paused:#}");
    site.until("list_alarms", json!({}), |rows| alarm_of(rows, "alert").is_some()).await?;
    site.get("resume_mission", json!({ "mission_id": "alert" })).await?;
    let asks = until_state(&mut site, "alert", "blocked").await?;
    assert_eq!(asks["answers"], json!(["repeat_step", "step_done", "step_failed"]), "{asks:#}");
    let not_asked = json!({ "mission_id": "alert", "answer": "continue" });
    assert_eq!(site.refused("resume_mission", not_asked).await?, "ask_unknown");
    site.get("resume_mission", json!({ "mission_id": "alert", "answer": "step_done" })).await?;
    until_state(&mut site, "alert", "completed").await?;

    write(&site, "again", &moving("on_failure: {retry: {times: 1, delay_secs: 1}}\n"))?;
    site.activate("again").await?;
    for _ in 0..2 {
        let card = site.until_proposal(|card| card["state"] == "waiting" && card["mission"] == "again").await?;
        reject(&site, &card).await?;
    }
    until_state(&mut site, "again", "failed").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_16_ml_28_after_a_crash_nothing_moves_before_a_person_says_so() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    write(&site, "reach", &moving(""))?;
    site.activate("reach").await?;
    waiting_card(&mut site).await?;
    until_mission(&mut site, "reach", |shown| states(shown) == ["proposed"]).await?;
    let mut site = site.crash().await?;
    let paused = until_state(&mut site, "reach", "paused").await?;
    assert_eq!((&paused["reason"]["code"], states(&paused)), (&json!("stop"), vec!["asked"]), "{paused:#}");
    acknowledge_all(&mut site, "arm-1").await?;
    site.arm("arm-1").await?;
    site.until_ok("resume_mission", json!({ "mission_id": "reach" })).await?;
    let asks = until_state(&mut site, "reach", "blocked").await?;
    assert_eq!(asks["answers"], json!(["repeat_step", "step_done", "step_failed"]), "{asks:#}");
    let cards = site.get("list_proposals", json!({ "state": "waiting" })).await?;
    assert_eq!(cards, json!([]), "the card is void, and none takes its place");
    site.get("resume_mission", json!({ "mission_id": "reach", "answer": "repeat_step" })).await?;
    let card = waiting_card(&mut site).await?;
    // A pause takes the card back, and the goal is asked about.
    site.get("pause_mission", json!({ "mission_id": "reach" })).await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "voided").await?;
    site.get("resume_mission", json!({ "mission_id": "reach" })).await?;
    until_state(&mut site, "reach", "blocked").await?;
    site.get("resume_mission", json!({ "mission_id": "reach", "answer": "step_failed" })).await?;
    until_state(&mut site, "reach", "failed").await?;
    let mut site = site.crash().await?;
    until_state(&mut site, "reach", "failed").await?;
    site.until("list_alarms", json!({}), |rows| alarm_of(rows, "reach").is_some()).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mg_03_ml_16_the_world_decides_preconditions_waits_and_completion_and_a_person_a_sentence() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.until_key("oven.temperature", |row| row["freshness"] == "live").await?;
    write(&site, "cold", "---\npreconditions: [oven.temperature > 5000]\n---\nWait.\n")?;
    let cold = site.activate("cold").await?;
    assert_eq!(cold["reason"]["code"], "precondition", "{cold:#}");
    assert!(cold["reason"]["sentence"].to_string().contains("oven.temperature is "), "{cold:#}");
    let front = "preconditions: [oven.temperature > -100]\ncompletes_when: oven.temperature > -90";
    let goals = "goals: [{wait_for: oven.temperature > -80}, The oven looks clean, {wait_secs: 1}]";
    write(&site, "oven", &format!("---\n{front}\n{goals}\n---\nLook at the oven.\n"))?;
    site.activate("oven").await?;
    let asks = until_state(&mut site, "oven", "blocked").await?;
    assert_eq!(states(&asks), ["done", "current", "pending"], "{asks:#}");
    assert_eq!(asks["goals"][1]["may_tick"], true);
    let tick = |goal: u32| json!({ "mission_id": "oven", "goal": goal });
    assert_eq!(site.refused("complete_mission", tick(3)).await?, "ask_unknown");
    site.get("complete_mission", tick(2)).await?;
    until_state(&mut site, "oven", "completed").await?;
    write(&site, "vain", "---\ngoals: [{wait_for: oven.temperature > 5000, timeout_secs: 1}]\n---\n")?;
    site.activate("vain").await?;
    let failed = until_state(&mut site, "vain", "failed").await?;
    assert!(failed["reason"]["sentence"].to_string().contains("waited in vain: oven.temperature is "), "{failed:#}");
    until_state(&mut site, "cold", "waiting").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mg_04_mg_07_a_part_runs_with_its_parent_and_a_failure_is_told_along_the_path() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "whole", "---\ntitle: Whole\n---\nMade of a part.\n")?;
    write(&site, "part", "---\nparent: whole\ngoals: [Look]\n---\n")?;
    write(&site, "next", "---\ndepends_on: [whole]\ngoals: [{wait_secs: 1}]\n---\n")?;
    write(&site, "last", "---\ndepends_on: [next]\ngoals: [{wait_secs: 1}]\n---\n")?;
    let waits = site.activate("part").await?;
    assert_eq!((&waits["state"], &waits["reason"]["code"]), (&json!("waiting"), &json!("parent")), "{waits:#}");
    site.activate("whole").await?;
    site.activate("next").await?;
    site.activate("last").await?;
    until_mission(&mut site, "part", |shown| states(shown) == ["current"]).await?;
    assert_eq!(site.refused("complete_mission", json!({ "mission_id": "whole" })).await?, "sub_missions_open");
    site.get("pause_mission", json!({ "mission_id": "whole" })).await?;
    let paused = until_state(&mut site, "part", "paused").await?;
    assert_eq!(paused["reason"]["code"], "parent", "{paused:#}");
    let rows = site.get("list_missions", json!({})).await?;
    let last = find(&rows, "id", "last").cloned().unwrap_or_default();
    assert_eq!((&last["state"], &last["reason"]["code"]), (&json!("blocked"), &json!("upstream")), "{last:#}");
    assert!(last["reason"]["sentence"].to_string().contains("last ← next ← whole"), "{last:#}");
    site.get("resume_mission", json!({ "mission_id": "whole" })).await?;
    until_mission(&mut site, "part", |shown| shown["goals"][0]["may_tick"] == true).await?;
    site.get("complete_mission", json!({ "mission_id": "part", "goal": 1 })).await?;
    until_state(&mut site, "part", "completed").await?;
    until_state(&mut site, "whole", "completed").await?;
    until_state(&mut site, "last", "completed").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_18_a_failed_mission_starts_the_one_that_it_names_and_activates_nothing() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let failing = "goals: [{wait_for: no.key = 1, timeout_secs: 1}]\non_failure: {spawn: park}";
    write(&site, "try", &format!("---\n{failing}\n---\n"))?;
    write(&site, "park", "---\ntriggers: [spawn]\ngoals: [Say where it stands]\n---\n")?;
    site.activate("try").await?;
    until_state(&mut site, "try", "failed").await?;
    site.until("list_alarms", json!({}), |rows| alarm_of(rows, "try").is_some()).await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_spawn_missing").is_some()).await?;
    site.activate("park").await?;
    let waits = until_mission(&mut site, "park", |shown| shown["reason"]["code"] == "trigger").await?;
    assert_eq!(waits["reason"]["sentence"], "It starts when a mission fails that names this one.");
    site.activate("try").await?;
    until_state(&mut site, "try", "failed").await?;
    until_mission(&mut site, "park", |shown| states(shown) == ["current"]).await?;
    Ok(())
}
