//! From a sample on the wire to world state, alerts and the agent.

use std::sync::Arc;
use std::time::Duration;

use bridge::{Link, LinkConfig};
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};

/// A second Zenoh session, as a robot or sensor of somebody else would open it.
async fn foreign(site: &Site) -> anyhow::Result<Link> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    Ok(Link::open(config, Arc::new(Now::default)).await?)
}

/// Publishes `payload` until an entry follows from it.
pub(crate) async fn publish_until(
    site: &mut Site,
    topic: &str,
    payload: &str,
    entry: (&str, Value),
) -> anyhow::Result<Value> {
    let link = foreign(site).await?;
    let publisher = link.sample_publisher(topic, Codec::Json)?;
    let row = site.put_until(|| Ok(publisher.put(payload.as_bytes().to_vec())?), entry).await?;
    link.close().await;
    Ok(row)
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_05_a_foreign_detection_becomes_world_state_with_value_confidence_and_source() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let context = json!({
        "topic_pattern": "lab/**/vision/detections", "world_state_key_template": "{label}.location",
        "value_field": "zone", "filter": "confidence>0.8", "max_age_secs": 30,
    });
    let configured = site.get("configure_context", context.clone()).await?;
    assert_eq!(configured["state"], "running");
    assert_eq!(site.refused("configure_context", context).await?, "duplicate_context");
    let payload = r#"{"label": "person", "confidence": 0.92, "zone": "hallway"}"#;
    let row =
        publish_until(&mut site, "lab/cam-9/vision/detections", payload, ("person.location", json!("hallway"))).await?;
    assert_eq!((&row["confidence"], &row["source"]), (&json!(0.92), &json!("lab/cam-9/vision/detections")));
    assert_eq!((&row["freshness"], &row["trust"]), (&json!("live"), &json!("text")));
    assert!(row["age_ms"].as_u64().is_some_and(|age| age < 2_000), "{row}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_21_ws_20_what_cannot_be_read_is_counted_named_and_shown_among_the_topics() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let context = json!({ "topic_pattern": "lab/big/**", "world_state_key_template": "big.value", "value_field": "v" });
    let id = site.get("configure_context", context).await?["id"].clone();
    let link = foreign(&site).await?;
    let large = link.sample_publisher("lab/big/image", Codec::Json)?;
    let image = format!("{{\"v\": \"{}\"}}", "x".repeat(2 * 1024 * 1024));
    let ros = link.sample_publisher("lab/big/chatter", Codec::Auto)?;
    let rows = site
        .until("list_contexts", json!({}), |rows| {
            // The first put of a publisher may come before the subscription is known.
            let put =
                large.put(image.clone().into_bytes()).and_then(|()| ros.put(b"\0\x01\0\0\x06\0\0\0hello\0".to_vec()));
            let rejects = &find(rows, "id", id.as_str().unwrap_or_default()).unwrap_or(&Value::Null)["rejects"];
            put.is_ok() && rejects["too_large"].as_u64() > Some(0) && rejects["looks_like_ros2"].as_u64() > Some(0)
        })
        .await?;
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
    let topics = site
        .until("list_topics", json!({}), |rows| {
            let topic = |name: &str| find(rows, "key_expr", name).cloned().unwrap_or_default();
            topic("lab/big/image")["too_large"].as_u64() > Some(0) && topic("lab/big/chatter")["looks_like"].is_string()
        })
        .await?;
    let topic = |name: &str| find(&topics, "key_expr", name).cloned().unwrap_or_default();
    assert_eq!(topic("lab/big/image")["bytes"], json!(image.len()));
    assert!(topic("lab/big/image")["last"].as_str().is_some_and(|shown| shown.len() < 1_024), "only its beginning");
    assert_eq!(topic("lab/big/image")["looks_like"], "a sample of more than 1 MiB");
    assert_eq!(topic("lab/big/chatter")["looks_like"], "ROS 2 (CDR, little-endian)");
    link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1105_a_topic_that_nobody_reads_is_listed_while_somebody_listens_and_for_a_while_after() -> anyhow::Result<()>
{
    let mut site = Site::start_empty().await?;
    let link = foreign(&site).await?;
    let publisher = link.sample_publisher("lab/stranger/out/hum", Codec::Json)?;
    let hear = async |site: &mut Site| {
        let listen = json!({ "key_expr": "lab/stranger/**", "wait_secs": 0.1 });
        let puts = |rows: &Value| publisher.put(br#"{"hz": 50}"#.to_vec()).is_ok() && rows[0].is_object();
        site.until("watch_topic", listen, puts).await
    };
    let heard = hear(&mut site).await?;
    assert_eq!((&heard[0]["key_expr"], &heard[0]["last"]), (&json!("lab/stranger/out/hum"), &json!(r#"{"hz": 50}"#)));
    let listed = site.get("list_topics", json!({})).await?;
    assert!(find(&listed, "key_expr", "lab/stranger/out/hum").is_some(), "{listed}");
    site.clock.suspend(Duration::from_mins(11));
    site.until("list_topics", json!({}), |rows| rows == &json!([])).await?;
    hear(&mut site).await?;
    // Sixteen others take the places of all that are listened to.
    for n in 0..16 {
        site.get("watch_topic", json!({ "key_expr": format!("lab/other-{n}/**"), "wait_secs": 0 })).await?;
    }
    site.until("list_topics", json!({}), |rows| rows == &json!([])).await?;
    link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_fires_on_the_write_and_wakes_the_agent_in_its_own_conversation() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let context = json!({
        "topic_pattern": "lab/stairs/out/toddler", "world_state_key_template": "toddler.near_stairs", "value_field": "near",
    });
    site.get("configure_context", context).await?;
    let rule = json!({ "predicate": "toddler.near_stairs = 'true'", "description": "Toddler at the stairs" });
    let registered = site.get("register_alert", rule).await?;
    assert_eq!(registered["predicate"], "toddler.near_stairs = 'true'");
    publish_until(&mut site, "lab/stairs/out/toddler", r#"{"near": true}"#, ("toddler.near_stairs", json!(true)))
        .await?;
    site.until_fact("the alert", |fact| matches!(fact, api::Fact::Event { code, .. } if code == "alert_fired")).await?;
    let page = site
        .until("get_transcript", json!({ "session": "autonomy" }), |page| {
            page["entries"].as_array().is_some_and(|entries| entries.iter().any(|entry| entry["kind"] == "assistant"))
        })
        .await?;
    let answer = page["entries"].as_array().into_iter().flatten().find(|entry| entry["kind"] == "assistant");
    let text = answer.and_then(|entry| entry["content"].as_str()).unwrap_or_default();
    assert!(text.contains("no language model is configured"), "{text}");
    assert_eq!(
        site.get("get_transcript", json!({})).await?["entries"],
        json!([]),
        "the desk's conversation is left alone"
    );
    assert_eq!(site.get("list_alerts", json!({})).await?[0]["fires"], 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_providers_and_rules_are_refused_with_the_field_and_nothing_is_stored() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let provider = |pattern: &str, template: &str, filter: &str| json!({ "topic_pattern": pattern, "world_state_key_template": template, "value_field": "v", "filter": filter });
    for (input, code, path) in [
        (provider("**", "a.b", "a=1"), "bad_key_expression", "topic_pattern"),
        (provider("lab/x", "{a.b", "a=1"), "bad_template", "world_state_key_template"),
        (provider("lab/x", "a.b", "a>1 AND bogus"), "bad_predicate", "filter"),
    ] {
        let error = site.call("configure_context", input).await.err();
        let found = error.as_ref().map(|error| (error.code.as_str(), error.details["path"].as_str()));
        assert_eq!(found, Some((code, Some(path))), "{error:?}");
    }
    assert_eq!(site.refused("register_alert", json!({ "predicate": "a && b" })).await?, "bad_predicate");
    let unknown = json!({ "mission_id": "nowhere", "predicate": "a.b = 1" });
    assert_eq!(site.refused("register_alert", unknown).await?, "mission_not_found");
    assert_eq!(site.get("list_alerts", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_link_is_lost_its_values_with_it_and_arming_is_refused_until_it_is_back() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "drop_link", "on": true })).await?;
    site.until_robot("rover-1", |row| row["link"] == "lost").await?;
    assert_eq!(site.refused("arm_robot", json!({ "robot": "rover-1" })).await?, "not_armable");
    let robots = site.get("list_robots", json!({})).await?;
    assert_eq!(find(&robots, "id", "rover-2").map(|row| row["link"].clone()), Some(json!("live")));
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "drop_link", "on": false })).await?;
    site.until_robot("rover-1", |row| row["link"] == "live").await?;
    site.arm("rover-1").await?;
    Ok(())
}
