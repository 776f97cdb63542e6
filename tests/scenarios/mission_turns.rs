//! Missions without goals that recur: each firing is one turn of the agent, with the text of the mission.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{looked, shown, until_mission, until_state, write};

const TEXT: &str = "---\ntime_zone: UTC\ntriggers: [immediate, {cron: \"0 22 * * *\"}]\n---\nSay how the yard is.\n";

/// Lets the next time of its cron text come.
async fn fire(site: &Site) -> anyhow::Result<()> {
    let next_ms = shown(site, "yard").await?["triggers"][1]["next_ms"].as_i64().unwrap_or_default();
    site.clock.set_wall(next_ms - site.time.now().wall_ms - 2_000);
    Ok(())
}

fn outcomes(shown: &Value) -> Vec<&str> {
    let runs = shown["runs"].as_array().into_iter().flatten();
    runs.map(|run| run["outcome"].as_str().unwrap_or("open")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_16_ml_26_each_firing_of_a_mission_without_goals_is_one_turn_with_its_text() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "yard", TEXT)?;
    site.activate("yard").await?;
    let waits = until_state(&mut site, "yard", "blocked").await?;
    assert_eq!(waits["reason"]["code"], "no_model", "{waits:#}");

    let model = FakeModel::start([Answer::Say("It is calm.".into()), Answer::Hang, Answer::Hang]).await?;
    site.use_model(&model).await?;
    let done = until_mission(&mut site, "yard", |shown| outcomes(shown) == ["done"]).await?;
    assert_eq!((&done["state"], &done["reason"]["code"]), (&json!("waiting"), &json!("trigger")), "{done:#}");
    let asked = model.asked()[0].body.to_string();
    assert!(asked.contains("Say how the yard is."), "{asked}");
    let calls = site.get("list_model_calls", json!({})).await?;
    assert!(find(&calls["calls"], "mission_id", "yard").is_some(), "{calls:#}");
    looked(&mut site).await?;
    assert_eq!((model.asked().len(), outcomes(&shown(&site, "yard").await?).len()), (1, 1), "once for each firing");

    // One that fires during a turn is counted, and no second turn waits for the first.
    fire(&site).await?;
    model.until_asked(2).await?;
    fire(&site).await?;
    until_mission(&mut site, "yard", |shown| shown["triggers"][1]["dropped"] == 1).await?;
    site.get("pause_mission", json!({ "mission_id": "yard" })).await?;
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    assert_eq!(outcomes(&shown(&site, "yard").await?), ["cut_off", "done"]);
    site.get("resume_mission", json!({ "mission_id": "yard" })).await?;
    until_state(&mut site, "yard", "waiting").await?;
    looked(&mut site).await?;
    assert_eq!(model.asked().len(), 2, "what was cut off is not begun again by itself");

    fire(&site).await?;
    model.until_asked(3).await?;
    until_mission(&mut site, "yard", |shown| shown["goals"][0]["state"] == "dispatched").await?;
    let mut site = site.crash_empty().await?;
    let after = until_state(&mut site, "yard", "waiting").await?;
    assert_eq!(outcomes(&after), ["cut_off", "cut_off", "done"], "{after:#}");
    looked(&mut site).await?;
    assert_eq!(model.asked().len(), 3);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_16_a_turn_that_comes_to_nothing_is_told_and_the_mission_goes_on() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let refusal = Answer::Refuse(400, json!({ "error": { "message": "no" } }));
    let model = FakeModel::start([refusal.clone(), refusal]).await?;
    site.use_model(&model).await?;
    write(&site, "yard", TEXT)?;
    site.activate("yard").await?;
    // The next firing begins another one.
    until_mission(&mut site, "yard", |shown| outcomes(shown) == ["failed"] && shown["state"] == "waiting").await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_turn_failed").is_some()).await?;
    site.get("cancel_mission", json!({ "mission_id": "yard" })).await?;
    Ok(())
}
