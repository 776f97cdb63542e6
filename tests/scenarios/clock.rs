//! The computer's clocks jump: somebody sets the wall clock, or the computer sleeps. The station goes on, nothing old looks
//! new, and nothing happens twice.

use std::sync::Arc;
use std::time::Duration;

use bridge::{Link, LinkConfig, SamplePublisher};
use quarterdeck_tests::{Site, arm_goal, find, violations};
use robot::{Codec, Now};
use serde_json::{Value, json};

use crate::damage::damage;

const HOUR_MS: i64 = 3_600_000;
const TEN_YEARS_MS: i64 = 10 * 365 * 24 * HOUR_MS;
const KEY: &str = "door.status";
const ARM: &str = "arm-1/body/arm";

/// A door that says how it is, and a rule on it.
struct Door {
    link: Link,
    publisher: SamplePublisher,
}

impl Door {
    async fn on(site: &Site) -> anyhow::Result<Self> {
        let context = json!({
            "topic_pattern": "lab/door/out/status", "world_state_key_template": KEY, "value_field": "status",
            "max_age_secs": 60, "closed_sets": { "status": ["open", "closed"] },
        });
        site.get("configure_context", context).await?;
        site.get("register_alert", json!({ "predicate": "door.status = 'open'", "debounce_secs": 1 })).await?;
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let publisher = link.sample_publisher("lab/door/out/status", Codec::Json)?;
        Ok(Self { link, publisher })
    }

    async fn says(&self, site: &mut Site, status: &str) -> anyhow::Result<Value> {
        let payload = json!({ "status": status, "confidence": 0.9 }).to_string();
        site.put_until(|| Ok(self.publisher.put(payload.clone().into_bytes())?), (KEY, json!(status))).await
    }
}

async fn fires(site: &Site) -> anyhow::Result<u64> {
    Ok(site.get("list_alerts", json!({})).await?[0]["fires"].as_u64().unwrap_or_default())
}

async fn wall_clock_is_set(by_ms: i64) -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let door = Door::on(&site).await?;
    door.says(&mut site, "open").await?;
    site.until("list_alerts", json!({}), |rows| rows[0]["fires"] == 1).await?;
    site.say("the hedgehog is in the garden").await?;

    site.clock.set_wall(by_ms);
    let row = site.get("list_world_state", json!({ "prefix": KEY })).await?[0].clone();
    assert!(
        row["age_ms"].as_u64().is_some_and(|age_ms| age_ms < 60_000),
        "an age is no matter of the wall clock: {row}"
    );
    assert_eq!(fires(&site).await?, 1, "nothing fires because a clock was set");
    door.says(&mut site, "closed").await?;
    door.says(&mut site, "open").await?;
    site.until("list_alerts", json!({}), |rows| rows[0]["fires"] == 2).await?;

    // Records from before the jump and after it are found, and nothing is younger than now.
    site.say("the badger is in the kitchen").await?;
    for word in ["hedgehog", "badger"] {
        let found =
            site.until("memory_search", json!({ "query": word }), |found| found["items"][0].is_object()).await?;
        assert!(found["items"][0]["age_days"].as_f64().is_some_and(|days| days >= 0.0), "{word}: {found:#}");
    }
    // A value after the jump is the newest, whatever the wall clock makes of it.
    door.says(&mut site, "closed").await?;
    let belief = json!({ "subject": "door", "predicate": "works", "value": "true", "confidence": 0.9 });
    let held = site.get("update_belief", belief).await?;
    assert_eq!(held["belief"]["state"], "held", "{held:#}");

    // A restart reads what is on disk by the clock as it stands: old is old, and nothing is lost.
    door.link.close().await;
    let mut site = site.restart_empty().await?;
    let row = site.until("list_world_state", json!({ "prefix": KEY }), |rows| rows[0].is_object()).await?[0].clone();
    assert!(row["freshness"] == "stale" || row["freshness"] == "lost", "{row}");
    assert_eq!(row["value"], "closed", "the last batch is what a restart finds: {row}");
    assert!(fires(&site).await? <= 2, "what an earlier run left fires nothing");
    site.until("memory_search", json!({ "query": "badger" }), |found| found["items"][0].is_object()).await?;
    assert_eq!(site.get("get_belief", json!({ "subject": "door", "predicate": "works" })).await?["value"], "true");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_02_a_wall_clock_set_on_by_an_hour_makes_nothing_old_and_fires_nothing() -> anyhow::Result<()> {
    wall_clock_is_set(HOUR_MS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_02_a_wall_clock_set_back_by_an_hour_makes_nothing_young_and_loses_nothing() -> anyhow::Result<()> {
    wall_clock_is_set(-HOUR_MS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_02_a_wall_clock_set_back_by_ten_years_stops_nothing() -> anyhow::Result<()> {
    wall_clock_is_set(-TEN_YEARS_MS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn j_09_a_job_runs_once_for_a_time_that_the_wall_clock_passes_twice_or_jumps_over() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let task = json!({ "operation": "list_missions", "input": {}, "every_secs": 600, "name": "round" });
    let id = site.get("schedule_task", task).await?["id"].clone();
    let job = json!({ "id": id });
    let started = |job: &Value| -> Vec<i64> {
        let runs = job["runs"].as_array().into_iter().flatten();
        runs.filter(|run| run["started_at"].is_i64()).filter_map(|run| run["due_at"].as_i64()).collect()
    };
    let missed = |job: &Value| {
        let runs = job["runs"].as_array().into_iter().flatten();
        runs.filter(|run| run["outcome"] == "missed").count()
    };
    // Six times are jumped over: one run stands for them, and each of the others has its row.
    site.clock.set_wall(HOUR_MS + 1_000);
    let after = site.until("get_job", job.clone(), |job| started(job).len() == 1 && job["state"] == "pending").await?;
    assert_eq!(missed(&after), 5, "{after:#}");
    // The same times come again, and a person's own run in between is one more.
    site.clock.set_wall(-HOUR_MS);
    site.get("run_job", job.clone()).await?;
    site.until("get_job", job.clone(), |job| started(job).len() == 2 && job["state"] == "pending").await?;
    site.clock.set_wall(HOUR_MS + 600_000);
    let after = site.until("get_job", job, |job| started(job).len() == 3 && job["state"] == "pending").await?;
    let mut due = started(&after);
    due.sort_unstable();
    due.dedup();
    assert_eq!(due.len(), 3, "no time is run twice: {after:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_07_what_was_heard_before_a_sleep_is_old_after_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let door = Door::on(&site).await?;
    door.says(&mut site, "open").await?;
    site.until("list_alerts", json!({}), |rows| rows[0]["fires"] == 1).await?;
    let armed = site.get("list_robots", json!({})).await?;
    assert!(find(&armed, "id", "arm-1").is_some());
    let task = json!({ "operation": "list_missions", "input": {}, "every_secs": 60, "missed": "skip" });
    let id = site.get("schedule_task", task).await?["id"].clone();

    site.clock.suspend(Duration::from_secs(600));
    let row = site.until_key(KEY, |row| row["freshness"] == "lost").await?;
    assert!(row["age_ms"].as_u64() >= Some(600_000), "the sleep counts: {row}");
    // Each time that was slept through is on record, and none of them runs.
    let slept = |job: &Value| job["runs"].as_array().is_some_and(|runs| runs.len() >= 9);
    let job = site.until("get_job", json!({ "id": id }), slept).await?;
    let skipped = |run: &Value| run["outcome"] == "missed" && run["error"] == "skipped";
    assert!(job["runs"].as_array().into_iter().flatten().filter(|run| skipped(run)).count() >= 9, "{job:#}");
    // The robots' links are measured anew, and come back by themselves.
    site.until_robot("arm-1", |row| row["link"] == "live").await?;
    door.says(&mut site, "closed").await?;
    door.says(&mut site, "open").await?;
    site.until("list_alerts", json!({}), |rows| rows[0]["fires"] == 2).await?;
    door.link.close().await;
    Ok(())
}

/// The goal of a motion that an armed arm may carry out, so slowly that its lease outlasts what is done meanwhile.
fn goal() -> Value {
    arm_goal([0.4, 0.0, 0.9], 0.02)
}

/// True if nobody moves the arm.
fn is_free(locks: &Value) -> bool {
    find(locks, "resource", ARM).is_none_or(|row| row["owner"].is_null())
}

async fn link_alarm(site: &mut Site, holds: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    let is_it = |row: &&Value| row["source"] == "robot_link_lost" && row["robot"] == "rover-2";
    let of = |rows: &Value| rows.as_array().into_iter().flatten().find(is_it).cloned().unwrap_or_default();
    let all = json!({ "preset": "all" });
    Ok(of(&site.until("list_alarms", all, |rows| holds(&of(rows))).await?))
}

/// Deadlines of an armed robot count by the station clock; times that people read, by the wall clock as it stood.
async fn wall_clock_is_set_under_a_robot(by_ms: i64) -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    assert_eq!(site.get("send_command", goal()).await?["verdict"]["overall"], "allow");
    let locks = site.get("list_locks", json!({})).await?;
    let lease = find(&locks, "resource", ARM).cloned().unwrap_or_default();
    site.get("inject_fault", json!({ "target": "rover-2", "fault": "drop_link", "on": true })).await?;
    let raised = link_alarm(&mut site, |row| row["state"] == "unack_active").await?;

    site.clock.set_wall(by_ms);
    let check = site.get("check_command", goal()).await?;
    assert_eq!(check["verdict"]["overall"], "allow", "armed as before: {check:#}");
    let locks = site.get("list_locks", json!({})).await?;
    let now = find(&locks, "resource", ARM).cloned().unwrap_or_default();
    assert_eq!((&now["owner"], &now["epoch"]), (&lease["owner"], &lease["epoch"]), "the lease is the same");
    let there = link_alarm(&mut site, |_| true).await?;
    let kept = (&there["id"], &there["raised_at"], &there["count"]);
    assert_eq!(kept, (&raised["id"], &raised["raised_at"], &raised["count"]), "one alarm, as it was told");
    site.get("inject_fault", json!({ "target": "rover-2", "fault": "drop_link", "on": false })).await?;
    let over = link_alarm(&mut site, |row| row["returned_at"].is_i64()).await?;
    let apart_secs = over["returned_at"].as_i64().zip(raised["raised_at"].as_i64()).map(|(over, raised)| over - raised);
    let off_secs = apart_secs.map(|secs| (secs - by_ms / 1_000).abs());
    assert!(off_secs.is_some_and(|secs| secs < 60), "its end is told by the clock as it stands: {over:#}");
    site.until("list_locks", json!({}), is_free).await?;

    // The clock is put right again: records that went back and forth are still a whole chain, and nothing keeps from arming.
    let mut site = site.restart().await?;
    site.arm("arm-1").await?;
    let alarms = site.get("list_alarms", json!({})).await?;
    assert!(find(&alarms, "source", "audit_chain_broken").is_none(), "{alarms:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t10_a_wall_clock_set_on_by_an_hour_disarms_nobody_and_ends_no_lease() -> anyhow::Result<()> {
    wall_clock_is_set_under_a_robot(HOUR_MS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn t10_a_wall_clock_set_back_by_ten_years_disarms_nobody_and_ends_no_lease() -> anyhow::Result<()> {
    wall_clock_is_set_under_a_robot(-TEN_YEARS_MS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn t10_a_robot_that_was_armed_before_a_sleep_is_not_armed_after_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", goal()).await?;
    site.clock.suspend(Duration::from_secs(600));
    let is_held = |answer: &Value| violations(&answer["verdict"]).contains(&"not_armed");
    site.until("check_command", goal(), is_held).await?;
    site.until("list_locks", json!({}), is_free).await?;
    site.stop_all().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_05_the_backup_of_an_end_under_a_wall_clock_that_was_set_is_the_one_that_is_found() -> anyhow::Result<()> {
    for by_ms in [HOUR_MS, -HOUR_MS, TEN_YEARS_MS, -TEN_YEARS_MS] {
        let said =
            |value: &str| json!({ "subject": "cup", "predicate": "location", "value": value, "confidence": 0.9 });
        let site = Site::start_empty().await?;
        site.get("update_belief", said("kitchen")).await?;
        let site = site.restart_empty().await?;
        site.clock.set_wall(by_ms);
        site.get(
            "update_belief",
            json!({ "subject": "key", "predicate": "location", "value": "hall", "confidence": 0.9 }),
        )
        .await?;
        let site = site.edited(|folder| damage(&folder.join("agents/main/memory.db"))).await?;
        let key = site.get("get_belief", json!({ "subject": "key", "predicate": "location" })).await?;
        assert_eq!(key["value"], "hall", "{by_ms}: {key:#}");
        let alarms = site.get("list_alarms", json!({})).await?;
        assert!(find(&alarms, "source", "restored_from_backup").is_some(), "{by_ms}: {alarms:#}");
    }
    Ok(())
}
