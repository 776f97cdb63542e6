//! Triggers of missions: each starts a run at its moment, once, and what fires during a run is counted.

use std::sync::Arc;
use std::time::Duration;

use bridge::{Link, LinkConfig, SamplePublisher};
use quarterdeck_tests::Site;
use robot::{Codec, Now};
use serde_json::{Value, json};

use crate::mission_steps::{looked, until_mission, until_state, write};

const KEY: &str = "door.status";
const DAY_MS: i64 = 86_400_000;
/// Midnight in UTC on the first of January 2121.
const MIDNIGHT_MS: i64 = 4_765_132_800_000;

/// Sets the wall clock.
fn set_wall(site: &Site, to_ms: i64) {
    site.clock.set_wall(to_ms - site.time.now().wall_ms);
}

/// A door that says how it is.
struct Door {
    _link: Link,
    publisher: SamplePublisher,
}

impl Door {
    async fn on(site: &Site) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let publisher = link.sample_publisher("lab/door/out/status", Codec::Json)?;
        Ok(Self { _link: link, publisher })
    }

    /// Says it, and returns once every mission was looked at with that.
    async fn says(&self, site: &mut Site, status: &str) -> anyhow::Result<()> {
        let payload = json!({ "status": status, "confidence": 0.9 }).to_string();
        site.put_until(|| Ok(self.publisher.put(payload.clone().into_bytes())?), (KEY, json!(status))).await?;
        looked(site).await
    }
}

fn dropped(shown: &Value) -> u64 {
    shown["triggers"][0]["dropped"].as_u64().unwrap_or(u64::MAX)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_13_ml_15_a_predicate_starts_a_run_on_its_edge_and_what_fires_meanwhile_is_counted() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let provider = "{topic_pattern: lab/door/out/status, world_state_key_template: door.status, value_field: status, \
                    max_age_secs: 600, closed_sets: {status: [open, closed]}}";
    let front =
        format!("providers: [{provider}]\ntriggers: [{{when: door.status = 'open'}}]\ngoals: [Look at the door]");
    write(&site, "door", &format!("---\n{front}\n---\nLook.\n"))?;
    site.activate("door").await?;
    let waits = until_mission(&mut site, "door", |shown| shown["reason"]["code"] == "trigger").await?;
    assert_eq!(waits["state"], "waiting", "{waits:#}");
    assert_eq!(waits["reason"]["sentence"], "It starts whenever door.status = 'open'.");
    looked(&mut site).await?;
    assert_eq!(until_state(&mut site, "door", "waiting").await?["triggers"][0]["last_ms"], Value::Null);

    let door = Door::on(&site).await?;
    door.says(&mut site, "closed").await?;
    until_state(&mut site, "door", "waiting").await?;
    door.says(&mut site, "open").await?;
    let runs = until_mission(&mut site, "door", |shown| shown["goals"][0]["may_tick"] == true).await?;
    assert_eq!(dropped(&runs), 0);
    door.says(&mut site, "closed").await?;
    door.says(&mut site, "open").await?;
    until_mission(&mut site, "door", |shown| dropped(shown) == 1).await?;
    let first = runs["triggers"][0]["last_ms"].clone();
    site.get("complete_mission", json!({ "mission_id": "door", "goal": 1 })).await?;
    until_state(&mut site, "door", "waiting").await?;
    looked(&mut site).await?;
    until_state(&mut site, "door", "waiting").await?;

    // Not again within a minute, and after that at the next edge.
    door.says(&mut site, "closed").await?;
    door.says(&mut site, "open").await?;
    until_mission(&mut site, "door", |shown| dropped(shown) == 2 && shown["state"] == "waiting").await?;
    let mut site = site.restart_empty().await?;
    let kept = until_state(&mut site, "door", "waiting").await?;
    assert_eq!((&kept["triggers"][0]["last_ms"], dropped(&kept) >= 2), (&first, true), "{kept:#}");
    site.clock.suspend(Duration::from_secs(61));
    let door = Door::on(&site).await?;
    door.says(&mut site, "closed").await?;
    door.says(&mut site, "open").await?;
    until_mission(&mut site, "door", |shown| shown["goals"][0]["may_tick"] == true).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_13_ml_28_cron_text_starts_a_run_at_its_times_and_a_missed_one_is_not_caught_up() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    set_wall(&site, MIDNIGHT_MS - DAY_MS / 2);
    write(&site, "nightly", "---\ntime_zone: UTC\ntriggers: [{cron: \"0 0 * * *\"}]\ngoals: [{wait_secs: 1}]\n---\n")?;
    site.activate("nightly").await?;
    let waits = until_state(&mut site, "nightly", "waiting").await?;
    assert_eq!(waits["triggers"][0]["next_ms"], MIDNIGHT_MS, "{waits:#}");
    // A trigger that was first looked at after midnight waits for the next one.
    looked(&mut site).await?;
    set_wall(&site, MIDNIGHT_MS - 2_000);
    let runs = until_mission(&mut site, "nightly", |shown| !shown["triggers"][0]["last_ms"].is_null()).await?;
    let began_ms = runs["triggers"][0]["last_ms"].as_i64().unwrap_or_default();
    assert!((0..20_000).contains(&(began_ms - MIDNIGHT_MS)), "{runs:#}");
    let waits = until_mission(&mut site, "nightly", |shown| {
        shown["state"] == "waiting" && shown["goals"][0]["state"] == "done"
    })
    .await?;
    assert_eq!(waits["triggers"][0]["next_ms"], MIDNIGHT_MS + DAY_MS, "{waits:#}");
    assert_eq!(waits["starts_at"], (MIDNIGHT_MS + DAY_MS) / 1_000, "{waits:#}");
    site.clock.set_wall(DAY_MS + DAY_MS / 2);
    looked(&mut site).await?;
    let mut site = site.restart_empty().await?;
    looked(&mut site).await?;
    let shown = until_state(&mut site, "nightly", "waiting").await?;
    assert_eq!((&shown["triggers"][0]["last_ms"], dropped(&shown)), (&json!(began_ms), 0), "{shown:#}");
    assert_eq!(shown["triggers"][0]["next_ms"], MIDNIGHT_MS + 2 * DAY_MS);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_13_ml_16_a_time_starts_one_run_and_a_person_is_asked_about_one_that_was_missed() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let text = "---\ntriggers: [{at: 2121-01-01T00:00:00Z}]\ngoals: [{wait_secs: 1}]\n---\n";
    write(&site, "soon", text)?;
    write(&site, "late", text)?;
    site.activate("soon").await?;
    site.activate("late").await?;
    until_state(&mut site, "soon", "waiting").await?;
    until_state(&mut site, "late", "waiting").await?;
    site.get("pause_mission", json!({ "mission_id": "late" })).await?;
    // The time is missed where a look comes first after it: there was one at the trigger that waits, and none is kept of
    // the other.
    looked(&mut site).await?;
    set_wall(&site, MIDNIGHT_MS + 1_000);
    until_state(&mut site, "soon", "completed").await?;
    site.get("resume_mission", json!({ "mission_id": "late" })).await?;
    let asks = until_state(&mut site, "late", "blocked").await?;
    assert_eq!(asks["answers"], json!(["continue"]), "{asks:#}");
    site.get("resume_mission", json!({ "mission_id": "late", "answer": "continue" })).await?;
    until_state(&mut site, "late", "completed").await?;
    write(&site, "none", "---\ntriggers: [{at: 2122-01-01T00:00:00Z}]\n---\nNothing to do.\n")?;
    let none = site.get("get_mission", json!({ "mission_id": "none" })).await?;
    assert!(none["error"].to_string().contains("a trigger that fires once starts nothing"), "{none:#}");
    Ok(())
}
