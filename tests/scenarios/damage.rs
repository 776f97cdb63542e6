//! The database of an agent is damaged, or somebody else holds it: it is said, memory goes on, and writing resumes.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::rules::Motion;

/// Longer than any scenario.
const HOUR_SECS: u32 = 3_600;
const DATABASE: &str = "agents/main/memory.db";

/// Overwrites what lies behind the first quarter of a file, as a failing disk does.
fn damage(path: &Path) -> anyhow::Result<()> {
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
    let mut site = two_agents().await?.edited(|folder| damage(&folder.join(DATABASE))).await?;
    check_goes_on(&mut site, "created").await?;
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
    // What was in memory is held still.
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
