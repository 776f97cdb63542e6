//! A model on a small computer, which reads long prompts slowly.

use std::sync::Arc;

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, entries};
use serde_json::{Value, json};
use tokio::sync::Notify;

const ROVER: &str = include_str!("../../crates/sim/manifests/rover-1.toml");

async fn llama_cpp(site: &Site, model: &FakeModel, names: &[&str]) -> anyhow::Result<()> {
    let provider = json!({ "id": "box", "kind": "llama_cpp", "base": model.base(), "local": true, "models": names });
    site.get("set_provider", provider).await?;
    choose(site, names[0]).await
}

async fn choose(site: &Site, name: &str) -> anyhow::Result<()> {
    site.get("select_model", json!({ "provider": "box", "model": name })).await.map(drop)
}

fn tools(body: &Value) -> Vec<&str> {
    body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fp_18_a_slow_reader_is_given_the_compact_tools_and_how_far_it_is_is_shown() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let progress = |processed: u64, time_ms: u64| json!({ "total": 9_000, "cache": 0, "processed": processed, "time_ms": time_ms });
    let (never, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = Answer::Reading(progress(2_048, 20_000), Arc::clone(&never));
    let fast_again = Answer::Reading(progress(1_024, 900), Arc::clone(&go_on));
    let model = FakeModel::start([slow, fast_again, Answer::Say("All is well.".into())]).await?;
    llama_cpp(&site, &model, &["m-1", "m-2"]).await?;

    let is_read = |agents: &Value| agents[0]["reading"]["read"]["done"] == 1_024;
    let agents = site.until("list_agents", json!({}), is_read).await?;
    assert_eq!((&agents[0]["reading"]["warm_up"], &agents[0]["compact"]), (&json!(true), &json!("slow_reading")));
    let asked = model.asked();
    let (whole, compact) = (&asked[0].body, &asked[1].body);
    assert_eq!(whole["return_progress"], true);
    assert!(tools(compact).len() < tools(whole).len() && tools(compact).contains(&"stop_all"), "{:?}", tools(compact));
    assert!(compact["tools"].to_string().len() * 2 < whole["tools"].to_string().len());

    go_on.notify_one();
    site.until("list_agents", json!({}), |agents| agents[0]["reading"].is_null()).await?;
    assert_eq!(site.say("How is it?").await?, "All is well.");
    assert_eq!(model.asked()[2].body["tools"], model.asked()[1].body["tools"], "what was read ahead is used");

    choose(&site, "m-2").await?;
    site.until("list_agents", json!({}), |agents| agents[0]["compact"].is_null()).await?;
    assert_eq!(site.say("And now?").await?, "I have nothing more to say.");
    let now = model.asked();
    assert_eq!(now.last().map(|asked| tools(&asked.body)), Some(tools(&now[0].body)), "another model has all tools");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fp_18_a_small_model_has_the_compact_tools_from_the_beginning() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let model = FakeModel::start([Answer::Say("x".into())]).await?;
    llama_cpp(&site, &model, &["tiny-0.5b-instruct"]).await?;
    let is_compact = |agents: &Value| agents[0]["compact"] == "small_model";
    site.until("list_agents", json!({}), is_compact).await?;
    model.until_asked(1).await?;
    assert!(tools(&model.asked()[0].body).contains(&"stop_all"));
    assert!(!tools(&model.asked()[0].body).contains(&"world_history"), "only what is always declared");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fp_18_a_fleet_is_listed_for_a_language_model_in_a_quarter_of_the_text() -> anyhow::Result<()> {
    let manifest = |number: usize| ROVER.replace("rover-1", &format!("rover-{number}"));
    let rovers = (1..=16).map(|number| (format!("rover-{number}"), json!(manifest(number))));
    let mut site = Site::start_with(&Value::Object(rovers.collect())).await?;
    let whole = site.get("list_robots", json!({})).await?;
    let model = FakeModel::start([Answer::Call(vec![("list_robots", json!({}))]), Answer::Say("Many.".into())]).await?;
    site.use_model(&model).await?;
    assert_eq!(site.say("Which robots are there?").await?, "Many.");
    let page = site.get("get_transcript", json!({})).await?;
    let result = entries(&page, "tool_result").pop().cloned().unwrap_or_default();
    let told = result["content"].as_str().unwrap_or_default();
    let table: Value = serde_json::from_str(told)?;
    assert!(table["items"]["columns"].as_array().is_some_and(|columns| columns.contains(&json!("id"))), "{told}");
    assert_eq!(table["items"]["rows"].as_array().map(Vec::len), whole.as_array().map(Vec::len));
    let bytes = (told.len(), whole.to_string().len());
    println!("{} bytes of {} for a model", bytes.0, bytes.1);
    assert!(bytes.0 * 4 <= bytes.1, "{bytes:?}: {told}");
    Ok(())
}
