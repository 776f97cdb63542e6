//! Search by meaning: a small server on loopback places texts, or does not.

use quarterdeck_tests::fake_model::{Answer, EMBEDDING_TOKENS, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

async fn add_provider(site: &Site, id: &str, base: &str) -> anyhow::Result<()> {
    let provider = json!({ "id": id, "kind": "openai_compatible", "base": base, "local": true, "models": ["m-1"] });
    site.get("set_provider", provider).await.map(drop)
}

async fn select(site: &Site, provider: &str) -> anyhow::Result<Value> {
    site.get("select_embedding", json!({ "provider": provider, "model": "small" })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn t_12_s_36_what_means_the_same_is_found_and_the_answer_says_how_it_was_searched() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let model = FakeModel::start([Answer::Say("Noted.".into())]).await?;
    add_provider(&site, "near", &model.base()).await?;
    site.get("select_model", json!({ "provider": "near", "model": "m-1" })).await?;
    site.say("The oven is very hot today.").await?;
    let query = json!({ "query": "temperature" });
    let by_words = site.get("memory_search", query.clone()).await?;
    assert_eq!((&by_words["recall"], &by_words["items"]), (&json!("keyword"), &json!([])));

    let selected = select(&site, "near").await?;
    assert_eq!(selected, json!({ "agent": "main", "embedding": { "provider": "near", "model": "small" } }));
    let is_found = |found: &Value| found["items"].as_array().is_some_and(|items| !items.is_empty());
    let found = site.until("memory_search", query.clone(), is_found).await?;
    assert_eq!(found["recall"], "hybrid");
    assert!(found["items"][0]["content"].as_str().is_some_and(|content| content.contains("oven")), "{found:#}");
    assert!(model.placed() > 0);
    let agents = site.get("list_agents", json!({})).await?;
    assert_eq!((&agents[0]["recall"], &agents[0]["embedding"]["model"]), (&json!("hybrid"), &json!("small")));
    assert_eq!(site.refused("remove_provider", json!({ "provider": "near" })).await?, "provider_in_use");

    site.get("select_embedding", json!({})).await?;
    assert_eq!(site.get("memory_search", query).await?["recall"], "keyword");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_12_r_12_a_model_that_fails_is_asked_no_more_until_it_answers_again_and_both_are_said() -> anyhow::Result<()>
{
    let mut site = Site::start_empty().await?;
    site.say("status").await?;
    let model = FakeModel::start([]).await?;
    add_provider(&site, "near", &model.base()).await?;
    select(&site, "near").await?;
    let query = json!({ "query": "status" });
    site.until("memory_search", query.clone(), |found| found["recall"] == "hybrid").await?;
    model.set_places(false);
    let failed = site.until("memory_search", query.clone(), |found| found["recall"] == "keyword").await?;
    assert!(failed["items"][0].is_object(), "words find it still: {failed:#}");
    let agents = site.get("list_agents", json!({})).await?;
    assert_eq!(agents[0]["recall"], "keyword");
    let said = |code: &'static str| move |rows: &Value| find(rows, "code", code).is_some();
    site.until("list_events", json!({}), said("recall_keyword")).await?;
    model.set_places(true);
    site.until("list_events", json!({}), said("recall_hybrid")).await?;
    site.until("memory_search", query, |found| found["recall"] == "hybrid").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_12_a_model_that_places_nothing_leaves_search_to_words_and_says_so() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.say("status").await?;
    // Nobody listens on this port.
    add_provider(&site, "away", "http://127.0.0.1:9/v1").await?;
    select(&site, "away").await?;
    let found =
        site.until("memory_search", json!({ "query": "status" }), |found| found["items"][0].is_object()).await?;
    assert_eq!(found["recall"], "keyword");
    site.until("list_agents", json!({}), |agents| agents[0]["recall"] == "keyword").await?;
    let cloud = json!({ "id": "cloud", "kind": "anthropic", "key": "cloud" });
    site.get("set_provider", cloud).await?;
    for (input, code) in [
        (json!({ "provider": "cloud", "model": "x" }), "invalid_input"),
        (json!({ "provider": "nowhere", "model": "x" }), "provider_not_found"),
        (json!({ "provider": "away" }), "invalid_input"),
    ] {
        assert_eq!(site.refused("select_embedding", input.clone()).await?, code, "{input}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn k_01_k_03_what_placing_costs_is_on_the_ledger_and_ends_it_once_the_day_is_spent() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let model = FakeModel::start([]).await?;
    let provider = json!({ "id": "priced", "kind": "openai", "base": model.base(), "local": true });
    site.get("set_provider", provider).await?;
    let choice = json!({ "provider": "priced", "model": "text-embedding-3-small" });
    site.get("select_embedding", choice).await?;
    let placed = |list: &Value| find(&list["calls"], "outcome", "ok").is_some();
    let list = site.until("list_model_calls", json!({}), placed).await?;
    let call = find(&list["calls"], "purpose", "embedding").cloned().unwrap_or_default();
    assert_eq!((&call["provider"], &call["turn"]), (&json!("priced"), &Value::Null), "{call:#}");
    assert_eq!(call["usage"]["in_fresh"], EMBEDDING_TOKENS);
    assert_eq!(call["usage_raw"]["total_tokens"], EMBEDDING_TOKENS);
    assert_eq!(call["cost_microusd"], 20_000_000);
    let day = &list["day"];
    assert_eq!((&day["spent_microusd"], &day["limit_microusd"]), (&json!(20_000_000), &json!(10_000_000)));
    // It was enough for a day: a query is not placed any more.
    let before = model.placed();
    assert_eq!(site.get("memory_search", json!({ "query": "temperature" })).await?["recall"], "keyword");
    assert_eq!(model.placed(), before);
    Ok(())
}
