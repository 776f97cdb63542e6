//! Beliefs of an agent: said by people, seen by sensors, and gone when they are to be forgotten.

use std::sync::Arc;

use api::Session;
use bridge::{Link, LinkConfig};
use quarterdeck_tests::station_files::{has, holding};
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

fn reliable(value: &str, confidence: f64) -> Value {
    json!({
        "subject": "front_door_camera", "predicate": "is_reliable", "value": value, "confidence": confidence,
        "source": "heartbeat_monitor",
    })
}

/// The rows of a belief's history as `kind by`.
async fn history(site: &Site, id: &Value) -> anyhow::Result<Vec<String>> {
    let history = site.get("belief_history", json!({ "id": id })).await?;
    let word = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let rows = history["rows"].as_array().into_iter().flatten();
    Ok(rows.map(|row| format!("{} {}", word(row, "kind"), word(row, "by"))).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn op_04_bl_02_a_belief_is_said_confirmed_and_read_as_written() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let created = site.get("update_belief", reliable("true", 0.9)).await?;
    assert_eq!(created["applied"], "created");
    let confirmed = site.get("update_belief", reliable("true", 0.95)).await?;
    let message = "Belief (front_door_camera, is_reliable) updated with confidence 0.95";
    assert_eq!((&confirmed["message"], &confirmed["applied"]), (&json!(message), &json!("confirmed")));
    let corrected = site.get("update_belief", reliable("false", 0.3)).await?;
    assert_eq!((&corrected["applied"], &corrected["belief"]["value"]), (&json!("replaced"), &json!("false")));
    let found = site.get("get_belief", json!({ "subject": "front_door_camera", "predicate": "is_reliable" })).await?;
    let names: Vec<&str> = found.as_object().map(|row| row.keys().map(String::as_str).collect()).unwrap_or_default();
    for name in [
        "id",
        "subject",
        "predicate",
        "value",
        "confidence",
        "source",
        "first_observed",
        "last_confirmed",
        "confirmation_count",
        "contradiction_count",
        "notes",
        "kind",
        "half_life_secs",
        "pinned_until",
        "observes",
        "state",
        "trust",
        "confirmed_by",
    ] {
        assert!(names.contains(&name), "{name} is missing: {found:#}");
    }
    assert!(found["id"].as_str().is_some_and(|id| id.starts_with("belief-")));
    assert_eq!((&found["kind"], &found["half_life_secs"]), (&json!("boolean"), &json!(1_209_600)));
    assert_eq!((&found["confirmation_count"], &found["contradiction_count"]), (&json!(1), &json!(1)));
    assert_eq!(history(&site, &found["id"]).await?, ["created admin", "confirmed admin", "corrected admin"]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_07_cw_25_what_is_refused_is_coded_and_changes_nothing() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let held = site.get("update_belief", reliable("true", 0.8)).await?;
    let id = &held["belief"]["id"];
    let mut enumerated = reliable("ajar", 0.8);
    enumerated["kind"] = json!("enum");
    enumerated["kind_params"] = json!({ "words": ["open", "closed"] });
    let with = |field: &str, value: Value| {
        let mut input = reliable("true", 0.8);
        input[field] = value;
        input
    };
    for (operation, input, code) in [
        ("update_belief", reliable("false", 7.5), "invalid_belief"),
        ("update_belief", reliable("", 0.5), "invalid_belief"),
        ("update_belief", with("subject", json!("")), "invalid_belief"),
        ("update_belief", with("notes", json!("n".repeat(2_001))), "invalid_belief"),
        ("update_belief", with("observes", json!("Not A Key")), "invalid_belief"),
        ("update_belief", with("kind_params", json!({})), "invalid_belief"),
        ("update_belief", with("confidence", json!("0.8")), "invalid_input"),
        ("update_belief", with("half_life_secs", json!(59)), "out_of_range"),
        ("update_belief", with("mood", json!(1)), "invalid_input"),
        ("update_belief", enumerated, "invalid_belief"),
        ("get_belief", json!({ "subject": "nobody" }), "belief_not_found"),
        ("get_belief", json!({ "subject": "front_door_camera", "predicate": "colour" }), "belief_not_found"),
        ("list_beliefs", json!({ "limit": 0 }), "out_of_range"),
        ("list_beliefs", json!({ "after": "belief-1" }), "belief_not_found"),
        ("belief_history", json!({ "id": "belief-1" }), "belief_not_found"),
        ("belief_history", json!({}), "invalid_input"),
        ("belief_history", json!({ "id": id, "max_points": 10_001 }), "out_of_range"),
        ("confirm_belief", json!({ "id": "belief-1" }), "belief_not_found"),
        ("pin_belief", json!({ "id": "belief-1", "until": null }), "belief_not_found"),
        ("pin_belief", json!({ "id": id, "until": 1 }), "out_of_range"),
        ("forget_belief", json!({ "id": "belief-1", "reason": "wrong" }), "belief_not_found"),
        ("forget_belief", json!({ "id": id, "reason": "" }), "reason_missing"),
    ] {
        assert_eq!(site.refused(operation, input.clone()).await?, code, "{operation} {input}");
    }
    let missing = site.call("get_belief", json!({ "subject": "nobody", "predicate": "x" })).await.err();
    assert!(missing.is_some_and(|error| error.message.starts_with("not found") && error.status() == 404));
    let operator = Session::app_window();
    let forget = site.api.call(&operator, "forget_belief", json!({ "id": id, "reason": "wrong" })).await.err();
    assert_eq!(forget.map(|error| error.code), Some("forbidden".to_owned()));
    assert_eq!(history(&site, id).await?, ["created admin"]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_15_lists_are_filtered_paged_and_leave_faded_ones_out() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    for (subject, predicate, value, confidence) in [
        ("cup", "location", "Kitchen counter", 0.9),
        ("cup", "colour", "red", 0.3),
        ("door", "status", "closed", 0.01),
        ("dog", "location", "yard", 0.9),
    ] {
        let said = json!({ "subject": subject, "predicate": predicate, "value": value, "confidence": confidence });
        site.get("update_belief", said).await?;
    }
    let names = |rows: &Value| -> Vec<String> {
        let name = |row: &Value| format!("{} {}", row["subject"], row["predicate"]).replace('"', "");
        rows.as_array().into_iter().flatten().map(name).collect()
    };
    for (input, expected) in [
        (json!({}), ["cup colour", "cup location", "dog location"].as_slice()),
        (json!({ "subject": "cup" }), &["cup colour", "cup location"]),
        (json!({ "query": "KITCHEN" }), &["cup location"]),
        (json!({ "query": "location" }), &["cup location", "dog location"]),
        (json!({ "state": "faded" }), &["door status"]),
        (json!({ "state": "weak" }), &["cup colour"]),
        (json!({ "state": "challenged" }), &[]),
        (json!({ "changed_since": 9_999_999_999_i64 }), &[]),
        (json!({ "limit": 1 }), &["cup colour"]),
    ] {
        assert_eq!(names(&site.get("list_beliefs", input.clone()).await?), expected, "{input}");
    }
    let first = site.get("list_beliefs", json!({ "limit": 1 })).await?;
    let rest = site.get("list_beliefs", json!({ "after": first[0]["id"] })).await?;
    assert_eq!(names(&rest), ["cup location", "dog location"]);
    let of_cup = site.get("get_belief", json!({ "subject": "cup" })).await?;
    assert_eq!(names(&of_cup), ["cup colour", "cup location"]);
    let of_door = site.get("get_belief", json!({ "subject": "door" })).await?;
    assert_eq!(names(&of_door), ["door status"], "asked by name, a faded one is there");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_01_a_pin_and_every_count_survive_a_restart() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let id = site.get("update_belief", reliable("true", 0.8)).await?["belief"]["id"].clone();
    site.get("confirm_belief", json!({ "id": id })).await?;
    let now = site.get("get_belief", json!({ "subject": "front_door_camera" })).await?[0]["last_confirmed"].as_i64();
    let until = now.unwrap_or_default() + 3_600;
    let pinned = site.get("pin_belief", json!({ "id": id, "until": until })).await?;
    assert_eq!((&pinned["confidence"], &pinned["pinned_until"]), (&json!(0.85), &json!(until)));
    let site = site.restart_empty().await?;
    let found = site.get("get_belief", json!({ "subject": "front_door_camera" })).await?;
    assert_eq!(found, json!([pinned]));
    let history = site.get("belief_history", json!({ "id": id, "from": until - 7_200 })).await?;
    assert_eq!(history["pins"][0]["until"], json!(until));
    assert_eq!((&history["confidence_now"], &history["confidence_from"]), (&json!(0.85), &Value::Null));
    assert!(history["below_05_at"].as_i64() < history["below_02_at"].as_i64(), "{history:#}");
    let unpinned = site.get("pin_belief", json!({ "id": id, "until": null })).await?;
    assert_eq!(unpinned["pinned_until"], Value::Null);
    Ok(())
}

/// Edits the agent's database by hand.
async fn edit(site: &Site, sql: &str) -> anyhow::Result<()> {
    let path = site.data_dir().join("agents").join("main").join("memory.db");
    let mut file = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await?;
    sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut file).await?;
    Ok(file.close().await?)
}

const FULL: &str = "CREATE TRIGGER full BEFORE INSERT ON belief_history
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";

#[tokio::test(flavor = "multi_thread")]
async fn st_02_what_is_not_on_disk_was_not_said_and_what_was_answered_survives_a_crash() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.get("update_belief", reliable("true", 0.8)).await?;
    edit(&site, FULL).await?;
    assert!(site.call("update_belief", reliable("false", 0.9)).await.is_err_and(|error| error.status() == 503));
    let find = json!({ "subject": "front_door_camera", "predicate": "is_reliable" });
    let kept = site.get("get_belief", find.clone()).await?;
    assert_eq!((&kept["value"], &kept["contradiction_count"]), (&json!("true"), &json!(0)));
    edit(&site, "DROP TRIGGER full").await?;
    site.get("update_belief", reliable("false", 0.9)).await?;
    let site = site.crash().await?;
    assert_eq!(site.get("get_belief", find).await?["value"], "false");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_06_what_the_world_moves_waits_for_a_disk_that_takes_nothing() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let said = json!({ "subject": "door", "predicate": "status", "value": "open", "confidence": 0.5 });
    let id = site.get("update_belief", said).await?["belief"]["id"].clone();
    let (link, publisher) = sensor(&site).await?;
    edit(&site, FULL).await?;
    shows(&mut site, &publisher, "open").await?;
    let find = json!({ "subject": "door", "predicate": "status" });
    site.until("get_belief", find, |belief| belief["confirmation_count"] == 2).await?;
    assert_eq!(history(&site, &id).await?, ["created admin"]);
    edit(&site, "DROP TRIGGER full").await?;
    let two = |page: &Value| page["rows"].as_array().is_some_and(|rows| rows.len() == 2);
    site.until("belief_history", json!({ "id": id }), two).await?;
    link.close().await;
    Ok(())
}

/// Publishes `{"status": value}` for `door.status` as a sensor would.
async fn sensor(site: &Site) -> anyhow::Result<(Link, bridge::SamplePublisher)> {
    let context = json!({
        "topic_pattern": "lab/door/out/status", "world_state_key_template": "door.status", "value_field": "status",
        "closed_sets": { "status": ["open", "closed"] }, "max_age_secs": 60,
    });
    site.get("configure_context", context).await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher("lab/door/out/status", Codec::Json)?;
    Ok((link, publisher))
}

async fn shows(site: &mut Site, publisher: &bridge::SamplePublisher, value: &str) -> anyhow::Result<()> {
    let payload = json!({ "status": value, "confidence": 0.9 }).to_string();
    site.put_until(|| Ok(publisher.put(payload.clone().into_bytes())?), ("door.status", json!(value))).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_08_bl_09_what_a_sensor_shows_confirms_and_contradicts_with_evidence() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let said = json!({ "subject": "Door", "predicate": "status", "value": "open", "confidence": 0.32 });
    let id = site.get("update_belief", said).await?["belief"]["id"].clone();
    let (link, publisher) = sensor(&site).await?;
    shows(&mut site, &publisher, "open").await?;
    let find = json!({ "subject": "Door", "predicate": "status" });
    let confirmed = site.until("get_belief", find.clone(), |belief| belief["confirmation_count"] == 2).await?;
    assert_eq!((&confirmed["confidence"], &confirmed["confirmed_by"]), (&json!(0.37), &json!("sensor")));
    shows(&mut site, &publisher, "closed").await?;
    let contradicted = site.until("get_belief", find, |belief| belief["contradiction_count"] == 1).await?;
    assert_eq!((&contradicted["value"], &contradicted["confidence"]), (&json!("open"), &json!(0.22)));
    assert_eq!(history(&site, &id).await?, ["created admin", "confirmed door.status", "contradicted door.status"]);
    let page = site.get("belief_history", json!({ "id": id })).await?;
    let last = &page["rows"][2];
    assert_eq!((&last["value"], &last["evidence"]["key"]), (&json!("closed"), &json!("door.status")));
    assert_eq!(last["evidence"]["source"], "lab/door/out/status");
    link.close().await;
    // Changes by the world state are on disk a quarter of a second later, or when the station ends.
    let site = site.restart_empty().await?;
    assert_eq!(history(&site, &id).await?.len(), 3);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_10_a_contradiction_that_leaves_little_challenges_and_is_told() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let said = json!({ "subject": "door", "predicate": "status", "value": "open", "confidence": 0.3 });
    site.get("update_belief", said.clone()).await?;
    let (link, publisher) = sensor(&site).await?;
    shows(&mut site, &publisher, "closed").await?;
    let is_challenge = |fact: &api::Fact| matches!(fact, api::Fact::Event { code, .. } if code == "belief_challenged");
    site.until_fact("the challenge", is_challenge).await?;
    let listed = site.get("list_beliefs", json!({ "state": "challenged" })).await?;
    assert!(find(&listed, "subject", "door").is_some_and(|row| row["challenged_at"].is_i64()), "{listed:#}");
    link.close().await;
    site.get("update_belief", said).await?;
    assert_eq!(
        site.get("list_beliefs", json!({ "state": "challenged" })).await?,
        json!([]),
        "confirmed, it is settled"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_14_a_belief_that_nobody_confirms_is_told_when_it_becomes_weak() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let said = json!({
        "subject": "cup", "predicate": "location", "value": "desk", "confidence": 0.505, "half_life_secs": 60,
    });
    site.get("update_belief", said).await?;
    let is_weak = |fact: &api::Fact| {
        matches!(fact, api::Fact::Event { code, sentence, .. }
        if code == "belief_weak" && sentence.contains("(cup, location)"))
    };
    site.until_fact("the crossing", is_weak).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_16_beliefs_a_message_is_about_join_its_turn() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let said = json!({ "subject": "rover-1", "predicate": "payload", "value": "two crates", "confidence": 0.9 });
    site.get("update_belief", said).await?;
    site.say("status rover-1").await?;
    let page = site.get("get_transcript", json!({})).await?;
    let line = "rover-1 payload = \\\"two crates\\\" (confidence: 0.9, confirmed: ";
    assert!(page.to_string().contains(&format!("[Beliefs]\\n{line}")), "{page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn bl_15_a_forgotten_belief_is_in_no_file_of_its_agent() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let value = "the spare key lies under the third stone";
    let said = json!({ "subject": "spare_key", "predicate": "location", "value": value, "confidence": 0.9 });
    let id = site.get("update_belief", said).await?["belief"]["id"].clone();
    let quoting = json!({ "id": id, "reason": format!("wrong: {value}") });
    assert_eq!(site.refused("forget_belief", quoting).await?, "reason_quotes_content");
    let forgotten = site.get("forget_belief", json!({ "id": id, "reason": "wrong" })).await?;
    assert!(forgotten["tombstone"].as_str().is_some_and(|tombstone| tombstone.starts_with("tb-")), "{forgotten}");
    assert_eq!(site.refused("belief_history", json!({ "id": id })).await?, "belief_not_found");
    assert_eq!(forgotten["elsewhere"], json!([]));
    let agent = site.data_dir().join("agents").join("main");
    let holding = holding(&agent, |bytes| has(bytes, value.as_bytes()))?;
    assert!(holding.is_empty(), "{holding:?} hold it");
    let audit = site.get("export_audit", json!({})).await?;
    assert!(audit["jsonl"].to_string().contains(forgotten["tombstone"].as_str().unwrap_or("?")), "{audit:#}");
    Ok(())
}
