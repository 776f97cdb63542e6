//! Events that need no answer: their listeners, and the state after a restart.

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::rules::Motion;

/// Longer than any scenario.
const HOUR_SECS: u32 = 3_600;

#[tokio::test(flavor = "multi_thread")]
async fn u_1302_u_105_events_are_listed_with_whose_they_are_and_outlive_a_restart() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let motion = Motion::watched(&site, HOUR_SECS).await?;
    let rule = json!({ "predicate": "motion.level > 0.5", "arousal_boost": 0.0 });
    site.get("register_alert", rule).await?;
    let mut alarming = json!({ "predicate": "motion.level > 0.6", "arousal_boost": 0.0 });
    alarming["alarm"] = json!({
        "cause": "Something moves in the hall.", "consequence": "damage", "response": "Look into the hall.",
        "time_to_respond_secs": 300,
    });
    site.get("register_alert", alarming).await?;
    motion.put(&mut site, 0.9).await?;
    let told = |rows: &Value| find(rows, "code", "alert_fired").cloned().unwrap_or_default();
    let rows = site.until("list_events", json!({}), |rows| told(rows)["sentence"].is_string()).await?;
    let event = told(&rows);
    assert_eq!((&event["agent"], &event["count"]), (&json!("main"), &json!(1)));
    assert_eq!(event["sentence"], "motion.level > 0.5 (motion.level = 0.9)");
    assert!(event["happened_at"].as_i64() > Some(1_700_000_000), "{event:#}");
    site.until("list_alarms", json!({}), |rows| rows[0]["limit"] == "motion.level > 0.6").await?;
    let rows = site.get("list_events", json!({})).await?;
    assert!(!rows.to_string().contains("0.6"), "what needs a response is no event: {rows:#}");
    let older = site.get("list_events", json!({ "after": event["seq"], "limit": 1_000 })).await?;
    assert!(older.as_array().is_some_and(|rows| rows.iter().all(|row| row["seq"].as_u64() < event["seq"].as_u64())));
    for limit in [0, 1_001] {
        assert_eq!(site.refused("list_events", json!({ "limit": limit })).await?, "out_of_range");
    }
    motion.close().await;
    let site = site.restart_empty().await?;
    let again = told(&site.get("list_events", json!({ "limit": 1_000 })).await?);
    assert_eq!(again, event);
    Ok(())
}
