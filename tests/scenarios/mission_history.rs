//! The past of missions: every run with its goals, every step with its author, every text that can be restored.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

use crate::mission_steps::{until_mission, until_state, write};

async fn runs(site: &Site, id: &str) -> anyhow::Result<Vec<Value>> {
    let answer = site.get("list_mission_runs", json!({ "mission_id": id })).await?;
    Ok(answer["runs"].as_array().cloned().unwrap_or_default())
}

async fn history(site: &Site, id: &str) -> anyhow::Result<Value> {
    site.get("mission_history", json!({ "mission_id": id })).await
}

fn sentences(history: &Value) -> Vec<&str> {
    history["steps"].as_array().into_iter().flatten().filter_map(|step| step["sentence"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn me_15_every_run_is_kept_with_its_goals_and_its_end() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    assert_eq!(site.refused("list_mission_runs", json!({ "mission_id": "x", "limit": 0 })).await?, "out_of_range");
    write(&site, "look", "---\ngoals: [The bench is clear, {wait_secs: 1}]\n---\n")?;
    site.activate("look").await?;
    until_mission(&mut site, "look", |shown| shown["goals"][0]["may_tick"] == true).await?;
    let open = runs(&site, "look").await?;
    assert_eq!((&open[0]["outcome"], &open[0]["trigger"]), (&json!(null), &json!("at once")), "{open:#?}");
    site.get("complete_mission", json!({ "mission_id": "look", "goal": 1 })).await?;
    // It ends in memory first and is written then.
    let done = until_mission(&mut site, "look", |shown| shown["runs"][0]["outcome"] == "done").await?;
    assert_eq!((&done["state"], &done["runs"][0]["goals_done"]), (&json!("completed"), &json!(2)), "{done:#}");
    // A second activation counts on, and a cancelled run says so.
    site.activate("look").await?;
    until_state(&mut site, "look", "blocked").await?;
    site.get("cancel_mission", json!({ "mission_id": "look", "reason": "not today" })).await?;
    let mut site = site.crash().await?;
    until_state(&mut site, "look", "cancelled").await?;
    let kept = runs(&site, "look").await?;
    let told: Vec<(&Value, &Value)> = kept.iter().map(|run| (&run["number"], &run["outcome"])).collect();
    assert_eq!(told, [(&json!(2), &json!("cancelled")), (&json!(1), &json!("done"))], "{kept:#?}");
    let [first, second] = &kept[1]["goals"].as_array().cloned().unwrap_or_default()[..] else { panic!("{kept:#?}") };
    assert_eq!((&first["text"], &first["state"]), (&json!("“The bench is clear”"), &json!("done")));
    assert!(second["ended_ms"].as_i64() >= first["ended_ms"].as_i64(), "{kept:#?}");
    assert_eq!(kept[0]["goals"][1]["state"], "pending", "it was never its turn");
    let page = site.get("list_mission_runs", json!({ "mission_id": "look", "limit": 1 })).await?;
    assert_eq!(page["next"], 2, "{page:#}");
    let older = site.get("list_mission_runs", json!({ "mission_id": "look", "limit": 1, "before": 2 })).await?;
    assert_eq!((&older["runs"][0]["number"], &older["next"]), (&json!(1), &json!(null)), "{older:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn me_15_a_goal_that_moved_a_robot_names_its_card_its_command_and_its_verdict() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.activate("calibrate-arm").await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    until_state(&mut site, "calibrate-arm", "completed").await?;
    let kept = runs(&site, "calibrate-arm").await?;
    let goal = &kept[0]["goals"][0];
    assert_eq!((&goal["proposal"], &goal["robot"]), (&card["id"], &json!("arm-1")), "{kept:#?}");
    let verdict = site.get("explain_verdict", json!({ "id": goal["verdict"] })).await?;
    assert_eq!(verdict["verdict"]["command"], goal["command"], "{verdict:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn me_14_ml_06_each_step_is_told_with_its_reason_and_each_text_can_be_read_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let (first, second) = ("---\ngoals: [Look]\n---\nOne.\n", "---\ngoals: [Look, Note]\n---\nTwo.\n");
    write(&site, "dock", first)?;
    site.activate("dock").await?;
    until_state(&mut site, "dock", "blocked").await?;
    site.get("pause_mission", json!({ "mission_id": "dock", "reason": "belt changed" })).await?;
    site.get("resume_mission", json!({ "mission_id": "dock" })).await?;
    until_state(&mut site, "dock", "blocked").await?;
    let hash = site.get("get_mission", json!({ "mission_id": "dock" })).await?["hash"].clone();
    let saved = json!({ "mission_id": "dock", "base_hash": hash, "source": second });
    site.get("save_mission", saved).await?;
    site.activate("dock").await?;
    until_mission(&mut site, "dock", |shown| shown["goals"].as_array().is_some_and(|goals| goals.len() == 2)).await?;
    let told = history(&site, "dock").await?;
    let told_of = sentences(&told);
    let by = |words: &str| words.split(" by ").next().unwrap_or_default().to_owned();
    assert_eq!(
        told_of.iter().map(|words| by(words)).collect::<Vec<_>>(),
        ["Activated", "Resumed", "Paused", "Activated"]
    );
    assert!(told_of[2].ends_with(": belt changed"), "{told_of:?}");
    let kept = runs(&site, "dock").await?;
    assert_eq!(kept.last().map(|run| &run["outcome"]), Some(&json!("superseded")), "{kept:#?}");
    let versions = told["versions"].as_array().cloned().unwrap_or_default();
    assert_eq!(versions.len(), 2, "{told:#}");
    assert_eq!((&versions[0]["is_draft"], &versions[0]["is_activated"]), (&json!(true), &json!(true)), "{told:#}");
    assert!(versions[0]["author"].is_string(), "it was saved here: {told:#}");
    let earlier = json!({ "mission_id": "dock", "version": versions[1]["hash"] });
    let text = site.get("get_mission", earlier).await?;
    assert_eq!((&text["source"], &text["hash"]), (&json!(first), &versions[1]["hash"]));
    // A text that a person writes into the folder is kept, too.
    write(&site, "dock", "Three.\n")?;
    site.until("mission_history", json!({ "mission_id": "dock" }), |told| {
        told["versions"].as_array().is_some_and(|versions| versions.len() == 3)
    })
    .await?;
    Ok(())
}
