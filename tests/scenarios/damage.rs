//! The database of an agent is damaged, or somebody else holds it: it is said, memory goes on, and writing resumes.

use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::{Link, LinkConfig, SamplePublisher};
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::jobs::in_seconds;
use crate::rules::Motion;

/// The longest end of a station, twice over: tests share a busy computer.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
/// Longer than any scenario.
const HOUR_SECS: u32 = 3_600;
const DATABASE: &str = "agents/main/memory.db";

/// Overwrites what lies behind the first quarter of a file, as a failing disk does.
pub(crate) fn damage(path: &Path) -> anyhow::Result<()> {
    let file = std::fs::OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.write_all_at(&vec![0x5a; usize::try_from(length - length / 4)?], length / 4)?;
    Ok(file.sync_all()?)
}

fn belief(subject: &str) -> Value {
    json!({ "subject": subject, "predicate": "location", "value": "kitchen", "confidence": 0.9 })
}

fn row(rows: &Value, source: &str) -> Value {
    find(rows, "source", source).cloned().unwrap_or_default()
}

/// That everything works again on an empty memory, and that the other agent has lost nothing. What is done with a belief
/// that was held before is `applied`.
async fn check_goes_on(site: &mut Site, applied: &str) -> anyhow::Result<()> {
    let rows = site.until("list_alarms", json!({}), |rows| row(rows, "restored_from_backup").is_object()).await?;
    let alarm = row(&rows, "restored_from_backup");
    assert_eq!((&alarm["priority"], &alarm["agent"]), (&json!(2), &json!("main")), "{alarm:#}");
    let message = alarm["message"].as_str().unwrap_or_default();
    assert!(message.contains("was damaged") && message.contains("memory.db.damaged-"), "{message}");
    let aside = std::fs::read_dir(site.data_dir().join("agents/main"))?.filter_map(Result::ok);
    let aside = aside.filter(|file| file.file_name().to_string_lossy().contains("memory.db.damaged-"));
    assert!(aside.count() > 0, "the damaged file is kept");
    let told = site.get("update_belief", of("main", belief("cup"))).await?;
    assert_eq!(told["applied"], applied);
    let theirs = json!({ "agent": "other", "subject": "key", "predicate": "location" });
    assert_eq!(site.get("get_belief", theirs).await?["value"], "kitchen");
    Ok(())
}

fn of(agent: &str, mut input: Value) -> Value {
    input["agent"] = json!(agent);
    input
}

async fn two_agents() -> anyhow::Result<Site> {
    let site = Site::start_empty().await?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    site.get("update_belief", of("main", belief("cup"))).await?;
    site.get("update_belief", of("other", belief("key"))).await?;
    Ok(site)
}

#[tokio::test(flavor = "multi_thread")]
async fn st_04_al_12_a_memory_that_is_damaged_at_the_start_is_said_and_everything_goes_on() -> anyhow::Result<()> {
    // The backup of the clean end has what was believed then.
    let mut site = two_agents().await?.edited(|folder| damage(&folder.join(DATABASE))).await?;
    check_goes_on(&mut site, "confirmed").await?;
    let site = site.restart_empty().await?;
    let cup = of("main", json!({ "subject": "cup", "predicate": "location" }));
    assert_eq!(site.get("get_belief", cup).await?["value"], "kitchen", "what was learned since is kept");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_04_al_12_a_memory_that_is_damaged_in_use_is_said_and_everything_goes_on() -> anyhow::Result<()> {
    // After a restart nothing of it is in a log beside it.
    let mut site = two_agents().await?.restart_empty().await?;
    damage(&site.data_dir().join(DATABASE))?;
    let history = of("main", json!({ "subject": "cup", "predicate": "location" }));
    let refused = site.call("belief_history", history).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("what is damaged was read"))?;
    assert_eq!((refused.code.as_str(), refused.status()), ("storage_damaged", 503));
    // Beliefs in memory are still held.
    check_goes_on(&mut site, "confirmed").await
}

#[tokio::test(flavor = "multi_thread")]
async fn st_06_op_03_a_database_that_somebody_holds_stops_nothing_but_what_must_be_on_disk() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let motion = Motion::watched(&site, HOUR_SECS).await?;
    let rule = json!({ "predicate": "motion.level > 0.5", "arousal_boost": 0.0 });
    site.get("register_alert", rule).await?;
    let options = SqliteConnectOptions::new().filename(site.data_dir().join(DATABASE));
    let mut holder = SqliteConnection::connect_with(&options).await?;
    let held = holder.begin_with("BEGIN IMMEDIATE").await?;
    // The world, its rules and what they tell need no disk.
    motion.put(&mut site, 0.9).await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "alert_fired").is_some()).await?;
    let refused = site.call("update_belief", belief("cup")).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("it was answered though it is not on disk"))?;
    assert_eq!((refused.code.as_str(), refused.status()), ("storage_full", 503), "{refused:?}");
    assert!(refused.message.contains("Nothing was changed"), "{refused:?}");
    let find_it = json!({ "subject": "cup", "predicate": "location" });
    assert_eq!(site.refused("get_belief", find_it.clone()).await?, "belief_not_found");
    site.until("list_events", json!({}), |rows| find(rows, "code", "world_not_stored").is_some()).await?;
    held.rollback().await?;
    holder.close().await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "world_stored_again").is_some()).await?;
    site.get("update_belief", belief("cup")).await?;
    motion.close().await;
    let site = site.restart_empty().await?;
    assert_eq!(site.get("get_belief", find_it).await?["value"], "kitchen");
    let stored = site.get("list_world_state", json!({})).await?;
    assert_eq!(find(&stored, "key", "motion.level").map(|row| row["value"].clone()), Some(json!(0.9)));
    Ok(())
}

/// The state of an agent, without what changes by itself.
async fn held(site: &Site) -> anyhow::Result<Value> {
    let mut held = Vec::new();
    for (operation, input, fields) in [
        ("list_beliefs", json!({ "limit": 100 }), &["id", "subject", "value", "confirmation_count"][..]),
        ("list_contexts", json!({}), &["id", "version", "config"]),
        ("list_alerts", json!({}), &["id", "predicate"]),
        ("list_jobs", json!({}), &["id", "name", "state", "version"]),
        ("list_missions", json!({}), &["id", "status"]),
        ("list_proposals", json!({}), &["id", "state"]),
        ("list_world_state", json!({}), &["key", "value"]),
        ("list_agents", json!({}), &["id", "mode"]),
        ("list_sessions", json!({}), &["session", "pinned", "model"]),
    ] {
        let rows = site.get(operation, input).await?;
        let rows = rows.as_array().cloned().unwrap_or_default();
        anyhow::ensure!(!rows.is_empty(), "{operation} shows nothing");
        let kept = |row: &Value| fields.iter().map(|field| row[field].clone()).collect::<Vec<_>>();
        held.push(json!({ operation: rows.iter().map(kept).collect::<Vec<_>>() }));
    }
    Ok(held.into())
}

/// Gives the agent something of every kind that it holds in memory.
async fn fill(site: &mut Site) -> anyhow::Result<()> {
    let motion = Motion::watched(site, HOUR_SECS).await?;
    motion.put(site, 0.2).await?;
    motion.close().await;
    for n in 0..60 {
        site.get("update_belief", belief(&format!("cup-{n:02}"))).await?;
    }
    site.get("register_alert", json!({ "predicate": "motion.level > 0.5", "arousal_boost": 0.0 })).await?;
    let job = json!({ "prompt": "status", "name": "look", "at": in_seconds(site, 86_400).await? });
    site.get("schedule_task", job).await?;
    std::fs::write(site.data_dir().join("agents/main/missions/guard.md"), "---\ntitle: Guard\n---\nGuard.\n")?;
    let shown = site.get("get_mission", json!({ "mission_id": "guard" })).await?;
    site.get("activate_mission", json!({ "mission_id": "guard", "hash": shown["hash"] })).await?;
    // One card has ended without anybody's decision, so that nothing of it is in the station's database.
    let note = json!({ "operation": "remember_note", "input": { "text": "the cup is hot" }, "reason": "it was seen" });
    site.get("create_proposal", note).await?;
    site.stop_all().await?;
    site.until_proposal(|card| card["state"] == "voided").await?;
    site.get("set_mode", json!({ "mode": "watch" })).await?;
    site.say("status").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn st_04_nothing_that_was_in_memory_is_gone_after_the_file_was_damaged_in_use() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    fill(&mut site).await?;
    // After a restart nothing of it is in a log beside it.
    let mut site = site.restart_empty().await?;
    let before = held(&site).await?;
    std::fs::remove_dir_all(site.data_dir().join("agents/main/backups"))?;
    damage(&site.data_dir().join(DATABASE))?;
    let history = json!({ "subject": "cup-00", "predicate": "location" });
    assert_eq!(site.refused("belief_history", history).await?, "storage_damaged");
    let rows = site.until("list_alarms", json!({}), |rows| row(rows, "restored_from_backup").is_object()).await?;
    let alarm = row(&rows, "restored_from_backup");
    assert!(alarm["message"].as_str().unwrap_or_default().contains("written back"), "{alarm:#}");
    site.until("world_store_status", json!({}), |status| status["waiting"] == 0).await?;
    assert_eq!(held(&site).await?, before);
    // At once, not at the end: what the disk holds now is whole.
    let site = site.crash_empty().await?;
    assert_eq!(held(&site).await?, before);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_04_a_backup_is_made_at_each_clean_end() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("update_belief", belief("cup")).await?;
    // Whatever happens to the file after the end, the backup has it.
    let site_after = site.edited(|folder| damage(&folder.join(DATABASE))).await?;
    site = site_after;
    let find_it = json!({ "subject": "cup", "predicate": "location" });
    assert_eq!(site.get("get_belief", find_it).await?["value"], "kitchen");
    let rows = site.until("list_alarms", json!({}), |rows| row(rows, "restored_from_backup").is_object()).await?;
    let alarm = row(&rows, "restored_from_backup");
    assert!(alarm["message"].as_str().unwrap_or_default().contains("restored from backup of"), "{alarm:#}");
    Ok(())
}

/// Keys of one context.
const KEYS: usize = 10_000;
/// Rows of one sample.
const ROWS: usize = 250;
/// Time after which what was dropped is put again, and how often.
const PUT_AGAIN_AFTER: Duration = Duration::from_secs(2);
const TIMES_PUT_MAX: usize = 60;
/// Most rows that the station writes at once.
const BATCH_ROWS: usize = 500;
/// Longest time that an end may take.
const END_WITHIN: Duration = Duration::from_secs(8);

/// Two sensors that say the state of 20,000 keys, and a station that watches them.
async fn many_keys(site: &mut Site) -> anyhow::Result<(Link, Vec<SamplePublisher>)> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let mut publishers = Vec::new();
    for hall in ["north", "south"] {
        let topic = format!("lab/{hall}/out/cells");
        let context = json!({
            "topic_pattern": topic, "world_state_key_template": format!("{{name}}.{hall}"), "rows": "cells",
            "value_field": "level", "max_age_secs": HOUR_SECS, "max_keys": KEYS, "min_interval_secs": 0.0,
        });
        site.get("configure_context", context).await?;
        let publisher = link.sample_publisher(&topic, Codec::Json)?;
        let first = json!({ "cells": [{ "name": "c0", "level": 0 }] }).to_string().into_bytes();
        let shown = format!("c0.{hall}");
        site.put_until(|| Ok(publisher.put(first.clone())?), (&shown, json!(0))).await?;
        publishers.push(publisher);
    }
    Ok((link, publishers))
}

fn put_all(publishers: &[SamplePublisher], level: i64) -> anyhow::Result<()> {
    for publisher in publishers {
        for sample in 0..KEYS / ROWS {
            let cell = |n: usize| json!({ "name": format!("c{}", sample * ROWS + n), "level": level });
            let cells: Vec<Value> = (0..ROWS).map(cell).collect();
            publisher.put(json!({ "cells": cells }).to_string().into_bytes())?;
        }
    }
    Ok(())
}

/// Puts the state of every key until all of them wait for the disk: what a busy computer does not send in time is dropped.
async fn put_until_all_wait(site: &mut Site, publishers: &[SamplePublisher], level: i64) -> anyhow::Result<()> {
    let all_wait = |status: &Value| status["waiting"].as_u64() >= Some(2 * KEYS as u64);
    for _ in 0..TIMES_PUT_MAX {
        put_all(publishers, level)?;
        let all = site.until("world_store_status", json!({}), all_wait);
        if let Ok(all) = tokio::time::timeout(PUT_AGAIN_AFTER, all).await {
            return all.map(drop);
        }
    }
    anyhow::bail!("not every key waits for the disk")
}

/// The sentences by which ends of the station say what they have left unwritten, the newest first.
fn told(events: &Value) -> Vec<&str> {
    let rows = events.as_array().into_iter().flatten().filter(|row| row["code"] == "world_not_stored");
    rows.filter_map(|row| row["sentence"].as_str()).filter(|sentence| sentence.contains("The end")).collect()
}

/// The keys whose newest state was left unwritten, as such an event says.
fn left(sentence: &str) -> Option<usize> {
    sentence.split(" of ").nth(2)?.split(' ').next()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn st_03_the_end_writes_the_newest_state_of_every_key_or_says_what_it_could_not() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let (link, publishers) = many_keys(&mut site).await?;
    let options = SqliteConnectOptions::new().filename(site.data_dir().join(DATABASE));
    // Somebody holds the database until after the end.
    let mut holder = SqliteConnection::connect_with(&options).await?;
    let held = holder.begin_with("BEGIN IMMEDIATE").await?;
    put_until_all_wait(&mut site, &publishers, 1).await?;
    site.api.shutdown().await;
    held.rollback().await?;
    holder.close().await?;
    let mut site = site.restart_empty().await?;
    let events = site.get("list_events", json!({})).await?;
    let earlier = told(&events).len();
    assert!(told(&events).first().and_then(|sentence| left(sentence)) > Some(0), "{events:#}");

    // Somebody holds it until right before the end.
    link.close().await;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let mut publishers = Vec::new();
    for hall in ["north", "south"] {
        let publisher = link.sample_publisher(&format!("lab/{hall}/out/cells"), Codec::Json)?;
        let first = json!({ "cells": [{ "name": "c0", "level": 2 }] }).to_string().into_bytes();
        site.put_until(|| Ok(publisher.put(first.clone())?), (&format!("c0.{hall}"), json!(2))).await?;
        publishers.push(publisher);
    }
    let mut holder = SqliteConnection::connect_with(&options).await?;
    let held = holder.begin_with("BEGIN IMMEDIATE").await?;
    put_until_all_wait(&mut site, &publishers, 3).await?;
    held.rollback().await?;
    holder.close().await?;
    link.close().await;
    tokio::time::timeout(END_WITHIN, site.api.shutdown()).await?;
    let site = site.restart_empty().await?;
    let rows = site.get("list_world_state", json!({ "limit": 20_000 })).await?;
    let rows = rows.as_array().cloned().unwrap_or_default();
    let newest = rows.iter().filter(|row| row["value"] == 3).count();
    let events = site.get("list_events", json!({})).await?;
    // A computer with nothing else to do writes them all in the time that the end has.
    let told = told(&events);
    let unwritten: Option<usize> = told[..told.len() - earlier].iter().map(|sentence| left(sentence)).sum();
    let missing = 2 * KEYS - newest;
    // The batch that the end gave up last may have reached the disk after all.
    let may_be_told = missing..=missing + BATCH_ROWS;
    assert!(unwritten.is_some_and(|told| may_be_told.contains(&told)), "{missing} are missing: {events:#}");
    assert_eq!(rows.len(), 2 * KEYS);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_01_a_station_whose_databases_somebody_else_holds_ends_in_time_and_starts_again() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let site = Site::start_at(folder.path()).await?;
    site.get("update_belief", belief("cup")).await?;
    let mut held = Vec::new();
    for name in ["station.db", DATABASE] {
        let options = SqliteConnectOptions::new().filename(folder.path().join(name));
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await?;
        held.push(connection);
    }
    tokio::time::timeout(ENDS_WITHIN, site.api.shutdown()).await?;
    for mut connection in held {
        sqlx::query("ROLLBACK").execute(&mut connection).await?;
        connection.close().await?;
    }
    let site = Site::start_at(folder.path()).await?;
    let cup = json!({ "subject": "cup", "predicate": "location" });
    assert_eq!(site.get("get_belief", cup).await?["value"], "kitchen");
    site.api.shutdown().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_05_a_run_that_ended_without_its_backup_is_told_at_the_next_start_and_made_good() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.get("update_belief", belief("cup")).await?;
    let site = site.restart_empty().await?;
    let events = site.get("list_events", json!({})).await?;
    assert!(find(&events, "code", "backup_not_made").is_none(), "a clean end made one: {events:#}");
    let backups = site.data_dir().join("agents/main/backups");
    let mut site = site.edited(|folder| Ok(std::fs::remove_dir_all(folder.join("agents/main/backups"))?)).await?;
    let rows = site.until("list_events", json!({}), |rows| find(rows, "code", "backup_not_made").is_some()).await?;
    let told = find(&rows, "code", "backup_not_made").cloned().unwrap_or_default();
    assert!(told["sentence"].as_str().unwrap_or_default().contains("memory of main: there is none"), "{told:#}");
    let is_made = |_: &Value| std::fs::read_dir(&backups).is_ok_and(|mut files| files.next().is_some());
    site.until("list_events", json!({}), is_made).await.map(drop)
}
