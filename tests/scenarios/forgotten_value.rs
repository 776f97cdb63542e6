//! One value, published by hand and forgotten, must not keep an agent busy: the whole station, with every time of the case
//! divided by sixty or less. The days themselves run in `crates/world/tests/forgotten_value.rs`.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::rules::{Motion, StoredFire, stored_fires, until_stored};

/// A turn that nobody asked for is cancelled after this time; the model would never answer.
const POLICY: &str = "[agents.main.policy]\nbudget = { autonomous_wall_s = 2 }\n";
/// After so long a value is stale, after five times as long lost.
const MAX_AGE_SECS: u32 = 1;
/// The shortest debounce there is, milliseconds.
const DEBOUNCE_MS: i64 = 1_000;
/// A fire is stamped by the wall clock, which a busy computer reads a while after the clock that counts. Without the
/// debounce the fires would be some ten milliseconds apart.
const STAMPED_LATE_MS: i64 = 200;

/// A station with a model that answers `answers` and then hangs for ever.
async fn site(answers: Vec<Answer>) -> anyhow::Result<(Site, FakeModel)> {
    let site = Site::start_empty().await?;
    let site = site
        .edited(|folder| {
            let path = folder.join("config.toml");
            Ok(std::fs::write(&path, format!("{}{POLICY}", std::fs::read_to_string(&path)?))?)
        })
        .await?;
    let hanging = std::iter::repeat_n(Answer::Hang, 50);
    let model = FakeModel::start(answers.into_iter().chain(hanging)).await?;
    site.use_model(&model).await?;
    Ok((site, model))
}

fn rule(above: f64) -> Value {
    json!({
        "predicate": format!("motion.level > {above}"), "debounce_secs": 1, "arousal_boost": 2.0,
        "alarm": {
            "cause": "Something moves in the hall.", "consequence": "damage", "response": "Look into the hall.",
            "time_to_respond_secs": 300,
        },
    })
}

/// The reasons for which turns that nobody asked for ended.
fn reasons(page: &Value) -> Vec<Value> {
    let entries = page["entries"].as_array().into_iter().flatten();
    entries
        .filter(|entry| entry["kind"] == "marker")
        .map(|entry| entry["marker"]["cancelled"]["reason"].clone())
        .collect()
}

/// Lets the value come and go until each rule has fired so often, and waits until so many fires are stored. They reach the
/// disk later: by that a rule might fire once more.
async fn alternate(site: &mut Site, motion: &Motion, (each, stored): (u64, usize)) -> anyhow::Result<Vec<StoredFire>> {
    loop {
        motion.put(site, 0.9).await?;
        motion.put(site, 0.1).await?;
        let rows = site.get("list_alerts", json!({})).await?;
        if rows.as_array().into_iter().flatten().all(|row| row["fires"].as_u64() >= Some(each)) {
            return until_stored(site, |fires| fires.len() >= stored).await;
        }
    }
}

fn check_debounce(fires: &[StoredFire]) {
    let apart_ms: Vec<i64> = fires.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms).collect();
    assert!(apart_ms.iter().all(|ms| *ms >= DEBOUNCE_MS - STAMPED_LATE_MS), "{apart_ms:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_26_a_value_that_is_published_once_fires_once_and_wakes_once() -> anyhow::Result<()> {
    let (mut site, model) = site(Vec::new()).await?;
    site.get("register_alert", rule(0.5)).await?;
    let motion = Motion::watched(&site, MAX_AGE_SECS).await?;
    motion.put(&mut site, 0.9).await?;
    motion.close().await;
    let autonomy = json!({ "session": "autonomy" });
    let page = site.until("get_transcript", autonomy.clone(), |page| !reasons(page).is_empty()).await?;
    assert_eq!(reasons(&page), ["timeout"], "{page:#}");
    site.until_key("motion.level", |row| row["freshness"] == "lost").await?;
    let rows = site.until("list_alarms", json!({}), |rows| rows[0]["flags"]["source_stale"] == true).await?;
    assert_eq!((&rows[0]["state"], &rows[0]["count"]), (&json!("unack_active"), &json!(1)), "{rows:#}");
    let fires = until_stored(&mut site, |fires| fires.first().is_some_and(|fire| fire.turn.is_some())).await?;
    assert_eq!((fires.len(), model.asked().len()), (1, 1), "no further call of the model");
    site.until("world_store_status", json!({}), |status| status["waiting"] == 0).await?;
    assert_eq!(reasons(&site.get("get_transcript", autonomy).await?).len(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_27_a_value_that_stays_fires_once_and_one_acknowledgement_silences_it() -> anyhow::Result<()> {
    let (mut site, model) = site(Vec::new()).await?;
    site.get("register_alert", rule(0.5)).await?;
    let motion = Motion::watched(&site, MAX_AGE_SECS).await?;
    for level in [0.9, 0.91, 0.92] {
        motion.put(&mut site, level).await?;
    }
    let rows = site.until("list_alarms", json!({}), |rows| rows[0]["state"] == "unack_active").await?;
    let seen = json!({ "ids": [rows[0]["id"]], "seq": rows[0]["seq"] });
    site.get("acknowledge_alarms", seen).await?;
    for level in [0.93, 0.94, 0.95, 0.96] {
        motion.put(&mut site, level).await?;
    }
    let autonomy = json!({ "session": "autonomy" });
    site.until("get_transcript", autonomy, |page| !reasons(page).is_empty()).await?;
    let rows = site.get("list_alarms", json!({})).await?;
    assert_eq!((&rows[0]["state"], &rows[0]["count"]), (&json!("ack_active"), &json!(1)), "{rows:#}");
    assert_eq!((stored_fires(&site).await?.len(), model.asked().len()), (1, 1));
    motion.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_28_cw_30_a_value_that_comes_and_goes_keeps_to_the_debounce_also_of_a_rule_made_anew() -> anyhow::Result<()>
{
    let (mut site, model) = site(Vec::new()).await?;
    let motion = Motion::watched(&site, MAX_AGE_SECS).await?;
    let mut id = site.get("register_alert", rule(0.5)).await?["id"].clone();
    for fires in 1..=4 {
        check_debounce(&alternate(&mut site, &motion, (1, fires)).await?);
        let of_rule = find(&site.get("list_alerts", json!({})).await?, "id", id.as_str().unwrap_or_default()).cloned();
        assert_eq!(of_rule.map(|row| row["fires"].clone()), Some(json!(1)), "each of these rules fires once");
        site.get("unregister_alert", json!({ "alert_id": id })).await?;
        id = site.get("register_alert", rule(0.5)).await?["id"].clone();
    }
    let rows = site.get("list_alarms", json!({})).await?;
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "one source, one alarm: {rows:#}");
    assert_eq!(rows[0]["flags"]["chattering"], true);
    assert!(model.asked().len() <= 3, "three turns in an hour");
    motion.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_29_a_station_that_is_killed_again_and_again_fires_nothing_anew() -> anyhow::Result<()> {
    let (mut site, model) = site(Vec::new()).await?;
    site.get("register_alert", rule(0.5)).await?;
    let motion = Motion::watched(&site, MAX_AGE_SECS).await?;
    motion.put(&mut site, 0.9).await?;
    until_stored(&mut site, |fires| fires.len() == 1).await?;
    motion.close().await;
    for _ in 0..3 {
        site = site.crash_empty().await?;
        let rows = site.get("list_world_state", json!({ "prefix": "motion" })).await?;
        assert_eq!(rows[0]["flags"]["restored"], true, "{rows:#}");
        site.until("list_alarms", json!({}), |rows| rows[0]["flags"]["source_stale"] == true).await?;
    }
    site.until_key("motion.level", |row| row["freshness"] == "lost").await?;
    assert_eq!(stored_fires(&site).await?.len(), 1);
    assert!(model.asked().len() <= 1, "at most the turn that was begun before");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_31_fifty_rules_on_one_key_leave_room_for_a_person() -> anyhow::Result<()> {
    let (mut site, model) = site(vec![Answer::Hang, Answer::Say("Something moves in the hall.".into())]).await?;
    for n in 0..50 {
        site.get("register_alert", rule(0.3 + f64::from(n) / 100.0)).await?;
    }
    let motion = Motion::watched(&site, MAX_AGE_SECS).await?;
    motion.put(&mut site, 0.9).await?;
    until_stored(&mut site, |fires| fires.len() == 50 && fires.iter().any(|fire| fire.turn.is_some())).await?;
    site.until("list_sessions", json!({}), |_| !model.asked().is_empty()).await?;
    site.get("send_message", json!({ "text": "What is it?" })).await?;
    assert_eq!(site.until_answer("What is it?").await?, "Something moves in the hall.");
    let fires = alternate(&mut site, &motion, (2, 100)).await?;
    let turns: std::collections::BTreeSet<_> = fires.iter().filter_map(|fire| fire.turn.as_ref()).collect();
    assert!(turns.len() <= 20 && model.asked().len() <= 21, "{}", turns.len());
    motion.close().await;
    Ok(())
}
