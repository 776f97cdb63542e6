//! Tier 0 over real Zenoh and real files: contexts, claims, history, restarts.

use std::sync::Arc;

use bridge::{Link, LinkConfig, SamplePublisher};
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};

/// A second Zenoh session, as a sensor of somebody else would open it, with a publisher.
struct Sensor {
    link: Link,
    publisher: SamplePublisher,
}

impl Sensor {
    async fn open(site: &Site, topic: &str, codec: Codec) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let publisher = link.sample_publisher(topic, codec)?;
        Ok(Self { link, publisher })
    }

    /// Publishes `payload` until `key` stands at `value`.
    async fn put_until(&self, site: &mut Site, payload: &[u8], key: &str, value: Value) -> anyhow::Result<Value> {
        site.put_until(|| Ok(self.publisher.put(payload.to_vec())?), (key, value)).await
    }

    async fn close(self) {
        self.link.close().await;
    }
}

const DOOR: &str = "lab/door-1/out/status";

fn door() -> Value {
    json!({ "topic_pattern": DOOR, "world_state_key_template": "door.status", "value_field": "status", "max_age_secs": 30 })
}

async fn row(site: &Site, key: &str) -> anyhow::Result<Value> {
    let rows = site.get("list_world_state", json!({ "prefix": key })).await?;
    find(&rows, "key", key).cloned().ok_or_else(|| anyhow::anyhow!("no entry {key}: {rows}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_15_ws_17_an_entry_outlives_a_restart_as_what_it_was_and_never_as_live() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("configure_context", door()).await?;
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    sensor.put_until(&mut site, br#"{"status": "open", "confidence": 0.75}"#, "door.status", json!("open")).await?;
    sensor.close().await;
    let before = row(&site, "door.status").await?;
    let site = site.restart_empty().await?;
    let after = row(&site, "door.status").await?;
    for field in ["value", "confidence", "source", "provider", "trust"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!((&after["freshness"], &after["flags"]["restored"]), (&json!("stale"), &json!(true)));
    let history = site.get("world_history", json!({ "key": "door.status" })).await?;
    assert!(history.as_array().is_some_and(|points| points.iter().any(|point| point["value"] == "open")), "{history}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_47_a_context_is_changed_against_its_version_and_removed_with_its_claims() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let id = site.get("configure_context", door()).await?["id"].clone();
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    sensor.put_until(&mut site, br#"{"status": "open"}"#, "door.status", json!("open")).await?;
    let change = json!({ "id": id, "version": 1, "filter": "status = closed" });
    assert_eq!(site.get("update_context", change.clone()).await?["version"], 2);
    assert_eq!(site.refused("update_context", change).await?, "version_conflict");
    assert_eq!(
        site.refused("update_context", json!({ "id": id, "version": 2, "filter": "a &&" })).await?,
        "bad_predicate"
    );
    sensor.put_until(&mut site, br#"{"status": "closed"}"#, "door.status", json!("closed")).await?;
    let contexts = site.get("list_contexts", json!({})).await?;
    assert_eq!((&contexts[0]["version"], &contexts[0]["config"]["filter"]), (&json!(2), &json!("status = closed")));
    site.get("remove_context", json!({ "id": id })).await?;
    site.until("list_world_state", json!({}), |rows| rows == &json!([])).await?;
    for operation in ["remove_context", "update_context", "test_context"] {
        let input = if operation == "update_context" { json!({ "id": id, "version": 3 }) } else { json!({ "id": id }) };
        assert_eq!(site.refused(operation, input).await?, "context_not_found", "{operation}");
    }
    let site = site.restart_empty().await?;
    assert_eq!(site.get("list_contexts", json!({})).await?, json!([]));
    sensor.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn q_02_ws_40_what_cannot_be_is_refused_with_its_place_and_what_was_expected() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let mut context = door();
    context["filter"] = json!("status = open && a > 1");
    let refused = site.call("configure_context", context).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("the filter was taken"))?;
    assert_eq!((refused.code.as_str(), refused.status()), ("bad_predicate", 422), "{refused:?}");
    let details = &refused.details;
    assert_eq!(
        (&details["path"], &details["column"], &details["found"], &details["hint"]),
        (&json!("filter"), &json!(15), &json!("\"&&\""), &json!("write AND"))
    );
    assert!(details["expected"].as_array().is_some_and(|expected| expected.contains(&json!("AND"))), "{details:#}");
    for (field, text) in [("prefix", "Door Status"), ("prefix", "door/"), ("after", "door.")] {
        assert_eq!(site.refused("list_world_state", json!({ field: text })).await?, "invalid_key", "{field} {text}");
    }
    assert_eq!(site.get("list_world_state", json!({ "prefix": "door." })).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_48_ws_50_a_draft_is_tried_on_kept_samples_and_rejects_are_counted_by_name() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut context = door();
    context["filter"] = json!("status = open");
    site.get("configure_context", context).await?;
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    sensor.put_until(&mut site, br#"{"status": "open"}"#, "door.status", json!("open")).await?;
    sensor.publisher.put(br#"{"status": "closed"}"#.to_vec())?;
    site.until("list_contexts", json!({}), |rows| rows[0]["rejects"]["filtered"] == 1).await?;
    let mut draft = door();
    draft["filter"] = json!("status = closed");
    let tested = site.get("test_context", json!({ "draft": draft })).await?;
    assert_eq!((&tested["matched"], &tested["writes"][0]["value"]), (&json!(1), &json!("closed")), "{tested}");
    assert!(tested["rejects"]["filtered"].as_u64().is_some_and(|count| count >= 1), "{tested}");
    assert_eq!(site.get("list_contexts", json!({})).await?.as_array().map(Vec::len), Some(1), "nothing is stored");
    sensor.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_19_an_entry_is_explained_with_its_raw_sample_and_its_rules() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let id = site.get("configure_context", door()).await?["id"].clone();
    let rule = site.get("register_alert", json!({ "predicate": "door.status = 'broken'" })).await?["id"].clone();
    assert_eq!(site.refused("explain_world_entry", json!({ "key": "door.status" })).await?, "key_not_found");
    assert_eq!(site.get("world_history", json!({ "key": "door.status" })).await?, json!([]), "listed, so not unknown");
    assert_eq!(site.refused("world_history", json!({ "key": "Door" })).await?, "invalid_key");
    let never = site.get("list_world_state", json!({ "freshness": ["never"] })).await?;
    assert_eq!((&never[0]["key"], &never[0]["value"]), (&json!("door.status"), &Value::Null));
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    let payload = br#"{"status": "open", "battery": {"percent": 80}}"#;
    sensor.put_until(&mut site, payload, "door.status", json!("open")).await?;
    let explained = site.get("explain_world_entry", json!({ "key": "door.status" })).await?;
    assert_eq!(explained["sample"]["text"].as_str(), std::str::from_utf8(payload).ok());
    assert_eq!((&explained["context"]["id"], &explained["rules"]), (&id, &json!([rule])));
    assert_eq!(explained["claims"][0]["source"], DOOR);
    let topics = site.until("list_topics", json!({}), |topics| find(topics, "key_expr", DOOR).is_some()).await?;
    let topic = find(&topics, "key_expr", DOOR).cloned().unwrap_or_default();
    let fields: Vec<_> = topic["fields"].as_array().into_iter().flatten().map(|field| field["path"].clone()).collect();
    assert_eq!(
        (&topic["form"], fields),
        (&json!("json"), vec![json!("status"), json!("battery"), json!("battery.percent")])
    );
    sensor.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_06_an_envelope_is_the_same_in_json_and_cbor() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let context = json!({
        "topic_pattern": "lab/*/vision/boxes", "world_state_key_template": "{class_name}.x", "rows": "detections",
        "value_field": "bbox.x1", "max_age_secs": 30,
    });
    site.get("configure_context", context).await?;
    let document = |x: i64| {
        let seen = |name: &str, x: i64| json!({ "class_name": name, "confidence": 0.9, "bbox": { "x1": x } });
        json!({
            "header": { "monotonic_seq": 1, "source_instance": "left", "schema_uri": "urn:boxes" },
            "body": { "detections": [seen("dog", x), seen("person", x + 1), seen("toddler", x + 2)] },
        })
    };
    let in_cbor = {
        let mut bytes = Vec::new();
        ciborium::into_writer(&document(50), &mut bytes)?;
        bytes
    };
    for (name, codec, payload, x) in
        [("cam-1", Codec::Json, document(10).to_string().into_bytes(), 10), ("cam-2", Codec::Cbor, in_cbor, 50)]
    {
        let sensor = Sensor::open(&site, &format!("lab/{name}/vision/boxes"), codec).await?;
        sensor.put_until(&mut site, &payload, "toddler.x", json!(x + 2)).await?;
        for (key, value) in [("dog.x", x), ("person.x", x + 1)] {
            assert_eq!(row(&site, key).await?["value"], json!(value), "{name}");
        }
        sensor.close().await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn is_01_ws_51_two_agents_read_one_subscription_and_neither_sees_the_other() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("create_agent", json!({ "id": "second" })).await?;
    assert_eq!(site.refused("configure_context", door()).await?, "agent_required");
    let mut ids = Vec::new();
    for agent in ["main", "second"] {
        let mut context = door();
        context["agent"] = json!(agent);
        ids.push(site.get("configure_context", context).await?["id"].clone());
    }
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    for agent in ["main", "second"] {
        let mut put = Ok(());
        site.until("list_world_state", json!({ "agent": agent }), |rows| {
            let is_open = rows[0]["value"] == "open";
            // The first may come before the subscription is known to the sensor.
            if !is_open {
                put = sensor.publisher.put(br#"{"status": "open"}"#.to_vec());
            }
            is_open
        })
        .await?;
        put?;
    }
    site.get("remove_context", json!({ "agent": "main", "id": ids[0] })).await?;
    site.until("list_world_state", json!({ "agent": "main" }), |rows| rows == &json!([])).await?;
    assert_eq!(site.get("list_world_state", json!({ "agent": "second" })).await?[0]["value"], "open");
    assert_eq!(site.refused("remove_context", json!({ "agent": "main", "id": ids[1] })).await?, "context_not_found");
    sensor.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_07_what_was_written_behind_outlives_a_kill() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("configure_context", door()).await?;
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    sensor.put_until(&mut site, br#"{"status": "open"}"#, "door.status", json!("open")).await?;
    sensor.close().await;
    site.until("world_store_status", json!({}), |status| status["waiting"] == 0).await?;
    site.until("world_history", json!({ "key": "door.status" }), |points| points[0]["value"] == "open").await?;
    let site = site.crash().await?;
    let after = row(&site, "door.status").await?;
    assert_eq!((&after["value"], &after["flags"]["restored"]), (&json!("open"), &json!(true)));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_52_the_simulated_site_has_an_answer_to_a_first_question() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let contexts = site.get("list_contexts", json!({})).await?;
    let templates: Vec<_> = contexts
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| row["config"]["world_state_key_template"].clone())
        .collect();
    for template in ["{label}.location", "gate.status", "oven.temperature", "oven.smoke"] {
        assert!(templates.contains(&json!(template)), "{template} is not among {templates:?}");
    }
    let seen = site.until("list_world_state", json!({}), |rows| {
        ["person.location", "gate.status", "oven.temperature"].iter().all(|key| find(rows, "key", key).is_some())
    });
    let person = find(&seen.await?, "key", "person.location").cloned().unwrap_or_default();
    assert_eq!((&person["trust"], &person["freshness"]), (&json!("typed"), &json!("live")), "{person}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pb_05_an_entry_says_which_keys_it_showed_and_as_of_which_change() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("configure_context", door()).await?;
    let sensor = Sensor::open(&site, DOOR, Codec::Json).await?;
    sensor.put_until(&mut site, br#"{"status": "open"}"#, "door.status", json!("open")).await?;
    site.say("status").await?;
    let first = row(&site, "door.status").await?["seq"].clone();
    sensor.put_until(&mut site, br#"{"status": "shut"}"#, "door.status", json!("shut")).await?;
    site.say("list robots").await?;
    sensor.close().await;
    let shown = |page: &Value| {
        let entries = page["entries"].as_array().into_iter().flatten();
        entries.filter(|entry| entry["kind"] == "volatile").map(|entry| entry["world"].clone()).collect::<Vec<_>>()
    };
    let worlds = shown(&site.get("get_transcript", json!({})).await?);
    assert_eq!(worlds.len(), 2, "{worlds:?}");
    assert!(worlds.iter().all(|world| world["keys"] == json!(["door.status"])), "{worlds:?}");
    assert_eq!(worlds[0]["seq"], first);
    assert!(worlds[1]["seq"].as_u64() > worlds[0]["seq"].as_u64(), "{worlds:?}");
    let site = site.restart_empty().await?;
    assert_eq!(shown(&site.get("get_transcript", json!({})).await?), worlds, "it is stored with the entry");
    Ok(())
}
