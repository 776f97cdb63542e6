//! The budget of a mission for models.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{looked, shown, until_mission, until_state, write};

/// Has a model answer that has a price.
async fn use_priced(site: &Site, model: &FakeModel) -> anyhow::Result<()> {
    let provider = json!({ "id": "priced", "kind": "openai", "base": model.base(), "local": true });
    site.get("set_provider", provider).await?;
    site.get("select_model", json!({ "provider": "priced", "model": "gpt-4o" })).await.map(drop)
}

/// Runs the only job of a mission, and waits for its end.
async fn run_job(site: &mut Site, mission: &str) -> anyhow::Result<Value> {
    let rows = site.get("list_jobs", json!({ "mission_id": mission })).await?;
    let job = json!({ "id": rows[0]["id"] });
    site.get("run_job", job.clone()).await?;
    site.until("get_job", job.clone(), |job| job["runs"][0]["outcome"] != "running").await?;
    Ok(job)
}

#[tokio::test(flavor = "multi_thread")]
async fn k_03_k_04_ml_30_a_mission_stands_still_once_its_budget_is_spent_until_a_person_adds_to_it()
-> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let text = "---\nbudget_usd: 0.0001\ngoals: [Look, {operation: list_robots}, Write]\n\
                schedule: [{name: line, every_secs: 3600, prompt: Write one line.}]\n---\nWatch the yard.\n";
    write(&site, "watch", text)?;
    site.activate("watch").await?;
    let before = until_state(&mut site, "watch", "blocked").await?;
    assert_eq!(before["reason"]["code"], "no_model", "nothing is spent: {before:#}");
    let unspent = json!({ "spent_microusd": 0, "unknown_calls": 0, "limit_microusd": 100 });
    assert_eq!(before["budget"], unspent);

    // The turn for its goal spends it.
    let model = FakeModel::start([]).await?;
    use_priced(&site, &model).await?;
    let broke = until_mission(&mut site, "watch", |shown| shown["reason"]["code"] == "budget").await?;
    let spent = broke["budget"]["spent_microusd"].as_i64().unwrap_or_default();
    assert!(spent >= 100 && broke["state"] == "blocked", "{broke:#}");
    let sentence = broke["reason"]["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("of its 0.0001 USD on models") && sentence.contains("adds to its budget"), "{sentence}");
    let calls = site.get("list_model_calls", json!({})).await?;
    let of_mission = calls["calls"].as_array().into_iter().flatten().filter(|call| call["mission_id"] == "watch");
    assert_eq!(of_mission.filter_map(|call| call["cost_microusd"].as_i64()).sum::<i64>(), spent);
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_budget_spent").is_some()).await?;

    // Nothing of it begins: no turn, and no step either.
    let asked = model.asked().len();
    let rows = site.get("list_jobs", json!({ "mission_id": "watch" })).await?;
    assert_eq!(site.refused("run_job", json!({ "id": rows[0]["id"] })).await?, "budget_spent");
    site.get("complete_mission", json!({ "mission_id": "watch", "goal": 1 })).await?;
    looked(&mut site).await?;
    assert_eq!(shown(&site, "watch").await?["goals"][1]["state"], "current");
    let mut site = site.restart_empty().await?;
    let still = until_mission(&mut site, "watch", |shown| shown["reason"]["code"] == "budget").await?;
    assert_eq!((&still["budget"], model.asked().len()), (&broke["budget"], asked), "a restart forgets no spending");

    site.get("add_budget", json!({ "meter": "mission", "mission_id": "watch", "usd": 1 })).await?;
    let goes_on = until_mission(&mut site, "watch", |shown| shown["goals"][1]["state"] == "done").await?;
    assert_eq!(goes_on["budget"]["limit_microusd"], 1_000_100, "{goes_on:#}");
    run_job(&mut site, "watch").await?;
    assert!(model.asked().len() > asked, "there is money again");
    // Another text of a person says otherwise.
    write(&site, "watch", &text.replace("0.0001", "0.00005"))?;
    site.activate("watch").await?;
    assert_eq!(shown(&site, "watch").await?["budget"]["limit_microusd"], 1_000_050);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn k_03_ml_26_a_turn_that_an_alert_of_a_mission_starts_is_paid_by_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let model = FakeModel::start([Answer::Say("It is hot.".into())]).await?;
    use_priced(&site, &model).await?;
    let provider =
        "{topic_pattern: lab/oven-1/out/state, world_state_key_template: kitchen.heat, value_field: temperature}";
    let text = format!(
        "---\nbudget_usd: 0.0001\nproviders: [{provider}]\nalerts: [{{predicate: kitchen.heat > -100}}]\n---\nTell me.\n"
    );
    write(&site, "kitchen", &text)?;
    site.activate("kitchen").await?;
    let broke = until_mission(&mut site, "kitchen", |shown| shown["reason"]["code"] == "budget").await?;
    assert!(broke["budget"]["spent_microusd"].as_i64() >= Some(100), "{broke:#}");
    let calls = site.get("list_model_calls", json!({})).await?;
    let of_mission = find(&calls["calls"], "mission_id", "kitchen").cloned().unwrap_or_default();
    assert!(of_mission["turn"].is_string(), "{calls:#}");
    // A turn at the desk is not the mission's.
    assert_eq!(site.say("How are you?").await?, "I have nothing more to say.");
    Ok(())
}
