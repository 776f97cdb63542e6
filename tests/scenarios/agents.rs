//! Several agents on one station: each is named, and none sees anything of another.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

fn provider(agent: &str, key: &str) -> Value {
    json!({
        "agent": agent, "topic_pattern": "lab/**/shared", "world_state_key_template": key, "value_field": "value"
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn is_02_with_several_agents_a_call_names_one_and_a_missing_name_lists_them() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.get("list_world_state", json!({})).await?;
    site.get("create_agent", json!({ "id": "night-watch" })).await?;
    for (input, code) in [
        (json!({}), "agent_required"),
        (json!({ "agent": "nobody" }), "agent_not_found"),
        (json!({ "agent": "../main" }), "agent_not_found"),
        (json!({ "agent": 7 }), "agent_not_found"),
    ] {
        assert_eq!(site.refused("list_world_state", input.clone()).await?, code, "{input}");
    }
    assert_eq!(site.refused("create_agent", json!({ "id": "night-watch" })).await?, "agent_exists");
    assert_eq!(site.refused("create_agent", json!({ "id": "Night Watch" })).await?, "invalid_input");
    let site = site.restart_empty().await?;
    let agents = site.get("list_agents", json!({})).await?;
    assert_eq!((&agents[0]["id"], &agents[1]["id"]), (&json!("main"), &json!("night-watch")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn is_01_a_provider_of_one_agent_is_none_of_anothers() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    site.get("configure_context", provider("main", "door.status")).await?;
    // Equal to the first, and no duplicate of it.
    site.get("configure_context", provider("other", "door.status")).await?;
    assert_eq!(site.refused("configure_context", provider("main", "door.status")).await?, "duplicate_context");
    let rule = |agent: &str| json!({ "agent": agent, "predicate": "door.status = 'open'" });
    site.get("register_alert", rule("main")).await?;
    assert_eq!(site.get("list_alerts", json!({ "agent": "other" })).await?, json!([]));
    Ok(())
}
