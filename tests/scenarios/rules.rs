//! Consequences of a rule that fires, on a whole station: their order, and those that need no model.

use std::sync::Arc;

use bridge::{Link, LinkConfig, SamplePublisher};
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Row};

use crate::jobs::in_seconds;

const TOPIC: &str = "lab/hall/out/motion";
/// Longer than any scenario.
const HOUR_SECS: u32 = 3_600;

/// Somebody else's sensor of how much moves in the hall.
pub struct Motion {
    link: Link,
    publisher: SamplePublisher,
}

impl Motion {
    /// Has the station watch it; what it says is old after `max_age_secs`.
    pub async fn watched(site: &Site, max_age_secs: u32) -> anyhow::Result<Self> {
        let context = json!({
            "topic_pattern": TOPIC, "world_state_key_template": "motion.level", "value_field": "level",
            "max_age_secs": max_age_secs,
        });
        site.get("configure_context", context).await?;
        Self::open(site).await
    }

    /// Connects it to a station that watches it already.
    pub async fn open(site: &Site) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let publisher = link.sample_publisher(TOPIC, Codec::Json)?;
        Ok(Self { link, publisher })
    }

    pub async fn put(&self, site: &mut Site, level: f64) -> anyhow::Result<Value> {
        let payload = json!({ "level": level, "confidence": 0.9 }).to_string();
        let shown = ("motion.level", json!(level));
        site.put_until(|| Ok(self.publisher.put(payload.clone().into_bytes())?), shown).await
    }

    pub async fn close(self) {
        self.link.close().await;
    }
}

fn rule(above: f64, boost: f64) -> Value {
    json!({ "predicate": format!("motion.level > {above}"), "debounce_secs": 1, "arousal_boost": boost })
}

/// A fire as the database holds it.
#[derive(Debug)]
pub struct StoredFire {
    alert: String,
    pub at_ms: i64,
    seq: i64,
    facts: Value,
    episode: Option<String>,
    pub turn: Option<String>,
}

pub async fn stored_fires(site: &Site) -> anyhow::Result<Vec<StoredFire>> {
    let options = SqliteConnectOptions::new().filename(site.data_dir().join("agents/main/memory.db")).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let rows = sqlx::query("SELECT * FROM alert_fire ORDER BY seq").fetch_all(&mut connection).await?;
    connection.close().await?;
    let fire = |row: &sqlx::sqlite::SqliteRow| {
        Ok(StoredFire {
            alert: row.get("alert_id"),
            at_ms: row.get("at_ms"),
            seq: row.get("seq"),
            facts: serde_json::from_str(row.get("facts"))?,
            episode: row.get("episode"),
            turn: row.get("turn"),
        })
    };
    rows.iter().map(fire).collect()
}

/// Waits until `holds` says so of the stored fires.
pub async fn until_stored(site: &mut Site, holds: impl Fn(&[StoredFire]) -> bool) -> anyhow::Result<Vec<StoredFire>> {
    loop {
        let fires = stored_fires(site).await?;
        if holds(&fires) {
            return Ok(fires);
        }
        // A frame comes every fifty milliseconds; the scenario's deadline ends a wait that is in vain.
        let mut frames = 0;
        site.until("session_info", json!({}), |_| {
            frames += 1;
            frames > 2
        })
        .await?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_06_a_fire_is_recorded_counted_told_and_remembered_and_only_enough_of_it_wakes() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let motion = Motion::watched(&site, HOUR_SECS).await?;
    let quiet = site.get("register_alert", rule(0.2, 0.3)).await?["id"].clone();
    let first = motion.put(&mut site, 0.3).await?;
    let told = site
        .until("memory_search", json!({ "query": "motion", "role": "alert" }), |found| found["items"][0].is_object());
    let remembered = told.await?["items"][0].clone();
    let fires = until_stored(&mut site, |fires| fires.len() == 1).await?;
    let value = &fires[0].facts["values"][0];
    assert_eq!((&fires[0].alert, fires[0].seq), (&quiet.as_str().unwrap_or_default().to_owned(), 1));
    assert_eq!(
        (&value["key"], &value["value"], &value["confidence"]),
        (&json!("motion.level"), &json!(0.3), &json!(0.9))
    );
    assert_eq!(value["source"], TOPIC, "with arrival and number it names the sample");
    assert!(value["received_ms"].as_i64() > Some(0) && value["age_ms"].is_u64() && value["n"].is_u64(), "{value}");
    assert_eq!(fires[0].episode.as_deref(), remembered["id"].as_str());
    assert_eq!(fires[0].turn, None, "so little arousal wakes nobody");
    assert!(first["seq"].as_u64() > Some(0));

    // Both rise on one write: together they are enough.
    let loud = site.get("register_alert", rule(0.5, 0.8)).await?["id"].clone();
    let louder = site.get("register_alert", rule(0.6, 0.9)).await?["id"].clone();
    motion.put(&mut site, 0.9).await?;
    let is_woken = |fires: &[StoredFire]| fires.len() == 3 && fires.iter().all(|fire| fire.turn.is_some());
    let fires = until_stored(&mut site, is_woken).await?;
    assert!(fires[1..].iter().all(|fire| fire.turn == fires[0].turn), "boosts add up, and one turn is told of all");
    let mut alerts: Vec<&str> = fires[1..].iter().map(|fire| fire.alert.as_str()).collect();
    alerts.sort_unstable();
    let mut expected = [loud.as_str().unwrap_or_default(), louder.as_str().unwrap_or_default()];
    expected.sort_unstable();
    assert_eq!(alerts, expected);
    let transcript = site
        .until("get_transcript", json!({ "session": "autonomy" }), |page| {
            page["running"].is_null() && page["entries"].as_array().is_some_and(|entries| !entries.is_empty())
        })
        .await?;
    let began = transcript["entries"].as_array().into_iter().flatten().filter(|entry| entry["kind"] == "user");
    assert_eq!(began.count(), 1, "{transcript:#}");
    let last = find(&site.get("list_alerts", json!({})).await?, "id", expected[0]).cloned().unwrap_or_default();
    assert_eq!(last["fires"], 1);

    // The record that led to another is one call away.
    let record = site.get("get_record", json!({ "id": remembered["id"] })).await?;
    assert_eq!((&record["role"], &record["cause"]), (&json!("alert"), &Value::Null));
    let answer = site.until("memory_search", json!({ "query": "motion", "role": "assistant" }), |found| {
        found["items"][0].is_object()
    });
    let cause = answer.await?["items"][0]["cause"].clone();
    let led_to = site.get("get_record", json!({ "id": cause })).await?;
    assert_eq!(led_to["role"], "alert", "{led_to:#}");
    motion.close().await;
    Ok(())
}

/// Has two rules fire, one of them with an alarm, and waits for everything that follows from that without a turn.
async fn fire_twice(site: &mut Site, motion: &Motion) -> anyhow::Result<Vec<StoredFire>> {
    let mut alarming = rule(0.5, 10.0);
    alarming["alarm"] = json!({
        "cause": "Something moves in the hall.", "consequence": "damage", "response": "Look into the hall.",
        "time_to_respond_secs": 300,
    });
    site.get("register_alert", alarming).await?;
    site.get("register_alert", rule(0.4, 10.0)).await?;
    motion.put(site, 0.9).await?;
    let fires = until_stored(site, |fires| fires.len() == 2).await?;
    let of_rule = |rows: &Value| rows.as_array().into_iter().flatten().any(|row| row["consequence"] == "damage");
    site.until("list_alarms", json!({}), of_rule).await?;
    let found = site.until("memory_search", json!({ "query": "motion", "role": "alert" }), |found| {
        found["items"].as_array().is_some_and(|items| items.len() == 2)
    });
    found.await?;
    let is_told = |fact: &api::Fact| matches!(fact, api::Fact::Event { code, .. } if code == "alert_fired");
    site.until_fact("the event of the rule without an alarm", is_told).await?;
    Ok(fires)
}

#[tokio::test(flavor = "multi_thread")]
async fn r_12_u_1310_without_money_for_a_turn_everything_but_the_turn_happens() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let mut site = site
        .edited(|folder| {
            let path = folder.join("config.toml");
            let settings = std::fs::read_to_string(&path)?;
            Ok(std::fs::write(&path, format!("{settings}[agents.main.policy]\nbudget = {{ cost_day_usd = 0.0 }}\n"))?)
        })
        .await?;
    let model = FakeModel::start([]).await?;
    let provider = json!({
        "id": "local", "kind": "openai_compatible", "base": model.base(), "local": true, "models": ["m-1"],
    });
    site.get("set_provider", provider).await?;
    site.get("select_model", json!({ "provider": "local", "model": "m-1" })).await?;
    let spent = |rows: &Value| {
        let rows = rows.as_array().into_iter().flatten();
        rows.into_iter().any(|row| row["source"] == "spend_limit_reached" && row["state"] == "unack_active")
    };
    site.until("list_alarms", json!({}), spent).await?;

    let motion = Motion::watched(&site, HOUR_SECS).await?;
    let fires = fire_twice(&mut site, &motion).await?;
    assert!(fires.iter().all(|fire| fire.turn.is_none()), "{fires:#?}");
    assert!(model.asked().is_empty() && model.asked_beside().is_empty(), "no token is spent");
    let transcript = site.get("get_transcript", json!({ "session": "autonomy" })).await?;
    assert_eq!(transcript["entries"], json!([]));
    motion.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn r_12_a_06_with_the_breaker_open_everything_but_the_turn_happens() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let refused = Answer::Refuse(400, json!({ "error": { "message": "no" } }));
    let model = FakeModel::start(vec![refused; 3]).await?;
    site.use_model(&model).await?;
    // Three turns that nobody asked for at that moment fail.
    for _ in 0..3 {
        let task = json!({ "prompt": "Look around.", "at": in_seconds(&site, 3).await?, "max_retries": 0 });
        let id = site.get("schedule_task", task).await?["id"].clone();
        site.until("get_job", json!({ "id": id }), |job| job["state"] == "dead_letter").await?;
    }
    let motion = Motion::watched(&site, HOUR_SECS).await?;
    fire_twice(&mut site, &motion).await?;
    // A person is answered all the same.
    assert_eq!(site.say("What moves?").await?, "I have nothing more to say.");
    let fires = stored_fires(&site).await?;
    assert!(fires.iter().all(|fire| fire.turn.is_none()), "{fires:#?}");
    assert_eq!(model.asked().len(), 4, "three failures, and the person");
    motion.close().await;
    Ok(())
}
