//! Missions whose activation approves their steps: a step below the High tier moves without a card, and nothing else does.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, arm_goal, find};
use serde_json::{Value, json};

use crate::mission_goals::approve;
use crate::mission_steps::{looked, shown, until_mission, until_state, write};
use crate::proposals::with_people_far_away;
use crate::supervision::acknowledge_all;

/// Far inside the workspace, and faster than half of the limit, which a person who activates it has seen.
const REACH: &str = "{position_m: [0.5, 0.2, 1.0], speed_mps: 0.55}";
/// Less than 0.10 m from the edge of the workspace.
const TO_THE_EDGE: &str = "{position_m: [0.85, 0.0, 0.8], speed_mps: 0.1}";

/// A file whose last goal moves the arm.
fn moving(front: &str, first: &str, pose_goal: &str) -> String {
    let input = format!("{{robot: arm-1, actuator: arm, force_n: 5, motion: {{pose_goal: {pose_goal}}}}}");
    format!(
        "---\nrobots: [arm-1]\n{front}goals:\n{first}  - {{operation: send_command, name: reach, input: {input}}}\n---\nReach.\n"
    )
}

fn approving(pose_goal: &str) -> String {
    moving("approval: activation\n", "", pose_goal)
}

/// A site where nobody is near the arm, as far as anybody can tell.
async fn site() -> anyhow::Result<Site> {
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    Ok(site)
}

/// The agent has control of the arm, which is armed.
async fn ready(site: &mut Site) -> anyhow::Result<()> {
    site.get("hand_to_agent", json!({ "robot": "arm-1", "agent": "main" })).await?;
    site.arm("arm-1").await
}

/// The proposals of a mission.
async fn proposals(site: &Site, mission: &str) -> anyhow::Result<Vec<Value>> {
    let rows = site.get("list_proposals", json!({})).await?;
    Ok(rows.as_array().into_iter().flatten().filter(|row| row["mission"] == mission).cloned().collect())
}

/// True if the arm is where the mission brings it.
async fn has_reached(site: &Site) -> anyhow::Result<bool> {
    let robots = site.get("list_robots", json!({})).await?;
    let at = find(&robots, "id", "arm-1").map(|arm| arm["pose"]["position_m"].clone()).unwrap_or_default();
    let is_near = |(axis, wanted): (usize, f64)| at[axis].as_f64().is_some_and(|at_m| (at_m - wanted).abs() < 0.02);
    Ok([0.5, 0.2, 1.0].into_iter().enumerate().all(is_near))
}

async fn waiting_card(site: &mut Site) -> anyhow::Result<Value> {
    site.until_proposal(|card| card["state"] == "waiting").await
}

async fn reject(site: &Site, card: &Value) -> anyhow::Result<()> {
    let rejected = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", rejected).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_mo_20_a_step_below_high_moves_without_a_card_and_names_its_activation() -> anyhow::Result<()> {
    let mut site = site().await?;
    write(&site, "reach", &approving(REACH))?;
    ready(&mut site).await?;
    let draft = shown(&site, "reach").await?;
    let says = "Lets steps below the High tier move something without asking again.";
    assert!(draft["meaning"].to_string().contains(says), "{draft:#}");
    let dry = site.get("dry_run_mission", json!({ "mission_id": "reach" })).await?;
    let approval = &dry["steps"][0]["approval"];
    assert_eq!((&dry["asked"], &approval["kind"]), (&json!(0), &json!("activation")), "{dry:#}");
    assert_eq!(proposals(&site, "reach").await?, [Value::Null; 0], "a draft gives nothing");

    site.activate("reach").await?;
    until_state(&mut site, "reach", "completed").await?;
    assert!(has_reached(&site).await?);
    let sent = proposals(&site, "reach").await?;
    assert_eq!(sent.len(), 1, "{sent:#?}");
    let by = "the activation of reach by admin";
    assert_eq!((&sent[0]["decided_by"], &sent[0]["state"]), (&json!(by), &json!("done")), "{sent:#?}");
    assert_eq!((&sent[0]["tier"], &sent[0]["standing_approval"]), (&json!("medium"), &Value::Null));
    let records = site.get("list_audit", json!({})).await?;
    let mut details = records.as_array().into_iter().flatten().filter_map(|record| record["detail"].as_str());
    let activation = shown(&site, "reach").await?["activation"]["id"].clone();
    let named = format!("activation={} goal=1 ", activation.as_str().unwrap_or_default());
    assert!(details.any(|detail| detail.contains(&named) && detail.ends_with(" by=admin")), "{records:#}");
    assert_eq!(site.get("list_verdicts", json!({})).await?[0]["overall"], "allow", "it passed the gate");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_a_step_of_the_high_tier_asks_and_so_does_every_step_while_a_person_has_control() -> anyhow::Result<()> {
    let mut site = site().await?;
    // Whoever armed it has control and is asked: the activation lets nothing happen over them.
    site.arm("arm-1").await?;
    write(&site, "reach", &approving(REACH))?;
    site.activate("reach").await?;
    let card = waiting_card(&mut site).await?;
    let expected = (&json!("reach"), &json!("high"), &json!("first_motion_since_arming"));
    assert_eq!((&card["mission"], &card["tier"], &card["tier_rule"]), expected, "{card:#}");
    reject(&site, &card).await?;
    until_state(&mut site, "reach", "failed").await?;

    ready(&mut site).await?;
    write(&site, "edge", &approving(TO_THE_EDGE))?;
    let dry = site.until_ok("dry_run_mission", json!({ "mission_id": "edge" })).await?;
    let high = json!({ "kind": "asked", "tier": "high", "tier_rule": "margin_below_0_10_m" });
    assert_eq!((&dry["asked"], &dry["steps"][0]["approval"]), (&json!(1), &high), "{dry:#}");
    site.activate("edge").await?;
    let card = waiting_card(&mut site).await?;
    assert_eq!((&card["mission"], &card["tier"]), (&json!("edge"), &json!("high")), "{card:#}");
    assert_eq!((&card["tier_rule"], &card["decided_by"]), (&json!("margin_below_0_10_m"), &Value::Null));
    reject(&site, &card).await?;
    until_state(&mut site, "edge", "failed").await?;
    assert!(!has_reached(&site).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_a_draft_that_nobody_activated_and_a_mode_that_watches_let_nothing_move() -> anyhow::Result<()> {
    let mut site = site().await?;
    write(&site, "reach", &moving("", "", REACH))?;
    site.activate("reach").await?;
    until_state(&mut site, "reach", "blocked").await?;
    // The file says more by now than what was activated.
    write(&site, "reach", &approving(REACH))?;
    until_mission(&mut site, "reach", |shown| shown["changes"].to_string().contains("without asking again")).await?;
    ready(&mut site).await?;
    let card = waiting_card(&mut site).await?;
    assert_eq!((&card["mission"], &card["decided_by"]), (&json!("reach"), &Value::Null), "{card:#}");
    site.get("cancel_mission", json!({ "mission_id": "reach" })).await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "voided").await?;

    site.get("set_mode", json!({ "mode": "watch" })).await?;
    write(&site, "watched", &approving(REACH))?;
    site.activate("watched").await?;
    until_mission(&mut site, "watched", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!(proposals(&site, "watched").await?, [Value::Null; 0]);
    assert!(!has_reached(&site).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_ml_11_a_pause_and_a_stop_let_nothing_move_until_a_person_resumes() -> anyhow::Result<()> {
    let mut site = site().await?;
    write(&site, "reach", &approving(REACH))?;
    site.activate("reach").await?;
    until_state(&mut site, "reach", "blocked").await?;
    site.get("pause_mission", json!({ "mission_id": "reach" })).await?;
    ready(&mut site).await?;
    looked(&mut site).await?;
    assert_eq!(proposals(&site, "reach").await?, [Value::Null; 0], "it stands still");

    site.get("stop_robot", json!({ "robot": "arm-1" })).await?;
    until_mission(&mut site, "reach", |shown| shown["reason"]["code"] == "stop").await?;
    acknowledge_all(&mut site, "arm-1").await?;
    ready(&mut site).await?;
    looked(&mut site).await?;
    assert_eq!(proposals(&site, "reach").await?, [Value::Null; 0], "a stop is over, and nobody has resumed it");
    assert!(!has_reached(&site).await?);

    // The same text is in force again: its approval with it.
    site.until_ok("resume_mission", json!({ "mission_id": "reach" })).await?;
    let going_on = |shown: &Value| shown["state"] == "completed" || shown["answers"] == json!(["continue"]);
    let asks = until_mission(&mut site, "reach", going_on).await?;
    if asks["state"] != "completed" {
        site.get("resume_mission", json!({ "mission_id": "reach", "answer": "continue" })).await?;
    }
    until_state(&mut site, "reach", "completed").await?;
    let sent = proposals(&site, "reach").await?;
    assert_eq!(sent.len(), 1, "{sent:#?}");
    assert_eq!(sent[0]["decided_by"], "the activation of reach by admin");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_24_a_command_of_the_agent_itself_for_the_same_mission_asks() -> anyhow::Result<()> {
    let mut site = site().await?;
    let mut own = arm_goal([0.5, 0.2, 1.0], 0.55);
    own["mission_id"] = json!("reach");
    let model = FakeModel::start([Answer::Call(vec![("send_command", own)]), Answer::Say("It waits.".into())]).await?;
    site.use_model(&model).await?;
    // It runs, and its step comes later.
    let first = "  - {wait_for: no.key = 1, timeout_secs: 3600}\n";
    write(&site, "reach", &moving("approval: activation\n", first, REACH))?;
    ready(&mut site).await?;
    site.activate("reach").await?;
    until_mission(&mut site, "reach", |shown| shown["goals"][0]["state"] == "current").await?;
    site.get("send_message", json!({ "text": "Reach now." })).await?;
    let card = waiting_card(&mut site).await?;
    let expected = (&json!("reach"), &json!("first_motion_since_arming"), &Value::Null);
    assert_eq!((&card["mission"], &card["tier_rule"], &card["decided_by"]), expected, "{card:#}");
    reject(&site, &card).await?;
    site.until_answer("Reach now.").await?;
    assert!(!has_reached(&site).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_26_an_agent_moves_for_a_mission_no_robot_that_it_does_not_name() -> anyhow::Result<()> {
    let mut site = site().await?;
    let mut own = arm_goal([0.5, 0.2, 1.0], 0.55);
    own["mission_id"] = json!("look");
    let answers = [Answer::Call(vec![("send_command", own)]), Answer::Say("It was refused.".into())];
    let model = FakeModel::start(answers).await?;
    site.use_model(&model).await?;
    write(&site, "look", "---\ngoals: [{wait_for: no.key = 1, timeout_secs: 3600}]\n---\n")?;
    ready(&mut site).await?;
    site.activate("look").await?;
    until_mission(&mut site, "look", |shown| shown["goals"][0]["state"] == "current").await?;
    assert_eq!(site.say("Reach now.").await?, "It was refused.");
    let told = model.asked()[1].body.to_string();
    assert!(told.contains("mission_not_live") && told.contains("does not name arm-1"), "{told}");
    assert!(proposals(&site, "look").await?.is_empty() && !has_reached(&site).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_06_ml_22_another_text_voids_the_card_of_the_run_before_it() -> anyhow::Result<()> {
    let mut site = site().await?;
    site.arm("arm-1").await?;
    write(&site, "reach", &moving("", "", REACH))?;
    site.activate("reach").await?;
    let card = waiting_card(&mut site).await?;
    let before = shown(&site, "reach").await?["hash"].clone();
    // The same limits: nothing but the text itself ends the card.
    let first = "  - {wait_for: no.key = 1, timeout_secs: 3600}\n";
    write(&site, "reach", &moving("", first, REACH))?;
    until_mission(&mut site, "reach", |shown| shown["hash"] != before).await?;
    site.activate("reach").await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "voided").await?;
    until_mission(&mut site, "reach", |shown| shown["goals"][0]["state"] == "current").await?;
    assert!(!has_reached(&site).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_06_ml_22_another_text_holds_what_the_agent_moves_by_the_one_before_it() -> anyhow::Result<()> {
    let mut site = site().await?;
    // Its way takes longer than this test.
    let mut own = arm_goal([0.5, 0.2, 1.0], 0.001);
    own["mission_id"] = json!("reach");
    let model = FakeModel::start([Answer::Call(vec![("send_command", own)]), Answer::Say("It moves.".into())]).await?;
    site.use_model(&model).await?;
    // Without goals it has no run: the agent alone acts by it.
    write(&site, "reach", "---\nrobots: [arm-1]\n---\nReach when somebody asks.\n")?;
    ready(&mut site).await?;
    site.activate("reach").await?;
    until_state(&mut site, "reach", "active").await?;
    site.get("send_message", json!({ "text": "Reach now." })).await?;
    let card = waiting_card(&mut site).await?;
    approve(&mut site, &card).await?;
    let moves = until_mission(&mut site, "reach", |shown| shown["live"]["open_commands"] == 1).await?;

    write(&site, "reach", "---\nrobots: [arm-1]\n---\nTouch nothing.\n")?;
    until_mission(&mut site, "reach", |shown| shown["hash"] != moves["hash"]).await?;
    site.activate("reach").await?;
    until_mission(&mut site, "reach", |shown| shown["live"]["open_commands"] == 0).await?;
    assert!(!has_reached(&site).await?, "it was held on its way");
    Ok(())
}
