//! Somebody who reaches the network and has no key of the site: nobody believes a word of it.

use std::sync::{Arc, Mutex, PoisonError};

use bridge::{Link, LinkConfig};
use quarterdeck_tests::Site;
use quarterdeck_tests::sensor::Sensor;
use robot::{Codec, Now};
use serde_json::{Value, json};
use zenoh::Wait;

use crate::supervision::{acknowledge_all, causes, of, until_held_for, until_state};

/// A session as anybody's Zenoh client opens it, which may put whatever it likes wherever it likes.
pub(crate) struct Stranger(zenoh::Session);

impl Stranger {
    pub(crate) async fn at(site: &Site) -> anyhow::Result<Self> {
        let mut config = zenoh::Config::default();
        let connect = json!([site.endpoint().await?]).to_string();
        let settings =
            [("mode", "\"client\""), ("scouting/multicast/enabled", "false"), ("connect/endpoints", connect.as_str())];
        for (field, value) in settings {
            config.insert_json5(field, value).map_err(|error| anyhow::anyhow!(error))?;
        }
        Ok(Self(zenoh::open(config).await.map_err(|error| anyhow::anyhow!(error))?))
    }

    pub(crate) fn put(&self, key_expr: &str, payload: &Value) -> anyhow::Result<()> {
        self.0.put(key_expr, payload.to_string()).wait().map_err(|error| anyhow::anyhow!(error))
    }

    /// Calls `hear` for what comes on `key_expr`, as long as the answer is kept.
    pub(crate) async fn hear(
        &self,
        key_expr: &str,
        hear: impl Fn() + Send + Sync + 'static,
    ) -> anyhow::Result<zenoh::pubsub::Subscriber<()>> {
        let subscriber = self.0.declare_subscriber(key_expr.to_owned()).callback(move |_| hear()).await;
        subscriber.map_err(|error| anyhow::anyhow!(error))
    }

    /// Records what comes on `key_expr`, as long as the recording is kept.
    async fn record(&self, key_expr: &str) -> anyhow::Result<Recording> {
        let heard = Recorded::default();
        let hear = Arc::clone(&heard);
        let callback = move |sample: zenoh::sample::Sample| {
            hear.lock().unwrap_or_else(PoisonError::into_inner).push(sample);
        };
        let subscriber = self.0.declare_subscriber(key_expr.to_owned()).callback(callback).await;
        Ok(Recording { heard, _subscriber: subscriber.map_err(|error| anyhow::anyhow!(error))? })
    }

    /// Puts a recorded sample once more, with its signature.
    fn replay(&self, sample: &zenoh::sample::Sample) -> anyhow::Result<()> {
        let put = self.0.put(sample.key_expr().clone(), sample.payload().clone()).encoding(sample.encoding().clone());
        put.attachment(sample.attachment().cloned()).wait().map_err(|error| anyhow::anyhow!(error))
    }
}

type Recorded = Arc<Mutex<Vec<zenoh::sample::Sample>>>;

struct Recording {
    heard: Recorded,
    _subscriber: zenoh::pubsub::Subscriber<()>,
}

impl Recording {
    /// The first sample whose payload holds `text`.
    fn find(&self, text: &str) -> Option<zenoh::sample::Sample> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let holds =
            |sample: &&zenoh::sample::Sample| String::from_utf8_lossy(&sample.payload().to_bytes()).contains(text);
        heard.iter().find(holds).cloned()
    }
}

/// Has contexts read the charge of rover-1, with a rule on it.
async fn watch_battery(site: &mut Site) -> anyhow::Result<()> {
    let context = json!({
        "topic_pattern": BATTERY, "world_state_key_template": "rover.charge", "value_field": "percent", "max_age_secs": 60,
    });
    site.get("configure_context", context).await?;
    site.get("register_alert", json!({ "predicate": "rover.charge < 50", "description": "rover-1 is low" })).await?;
    site.until_key("rover.charge", |row| row["value"].as_f64().is_some_and(|percent| percent > 50.0)).await?;
    Ok(())
}

/// The key on which the simulated rover reports its charge.
const BATTERY: &str = "lab/rover-1/out/state/battery";

/// True if `fact` says, under code `told`, that nobody reads the signed charge of rover-1.
fn tells(fact: &api::Fact, told: &str) -> bool {
    matches!(fact, api::Fact::Event { code, sentence, .. }
        if code == told && sentence.contains(BATTERY) && sentence.contains("rover-1 has signed"))
}

/// Sends rover-1 on a way of several seconds, and waits until it moves.
async fn under_way(site: &mut Site) -> anyhow::Result<()> {
    site.arm("rover-1").await?;
    let drive = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [8.0, 0.0, 0.0], "speed_mps": 0.5 } } });
    let sent = site.get("send_command", drive).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    site.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m > 0.2)).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_state_that_nobody_signed_reaches_no_world_and_no_rule_by_a_wildcard_or_by_name() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let key = "lab/rover-1/out/state/pose";
    let context = json!({
        "topic_pattern": key, "world_state_key_template": "rover.frame", "value_field": "frame", "max_age_secs": 30,
    });
    site.get("configure_context", context).await?;
    let rule = json!({ "predicate": "rover.frame = 'forged'", "description": "Somebody lies about rover-1" });
    site.get("register_alert", rule).await?;
    site.until_key("rover.frame", |row| row["value"] == "map").await?;
    let stranger = Stranger::at(&site).await?;
    let lie = json!({ "frame": "forged", "position_m": [7.0, 7.0, 0.0] });
    for (put_on, code) in [("lab/*/out/state/pose", "wildcard_put"), (key, "unsigned_state")] {
        let mut failed = Ok(());
        let told = |fact: &api::Fact| matches!(fact, api::Fact::Event { code: told, sentence, .. } if told == code && sentence.contains(put_on));
        // The first put may come before the two sessions know each other.
        let mut puts = 0;
        site.until("list_alerts", json!({}), |_| {
            puts += 1;
            failed = std::mem::replace(&mut failed, Ok(())).and(stranger.put(put_on, &lie));
            puts > 20
        })
        .await?;
        failed?;
        site.until_fact(code, told).await?;
    }
    let alerts = site.get("list_alerts", json!({})).await?;
    assert_eq!(alerts[0]["fires"], 0, "{alerts:#}");
    assert_eq!(site.until_key("rover.frame", |_| true).await?["value"], "map");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_17_signed_state_that_a_stranger_recorded_and_plays_back_reaches_no_world_no_rule_and_no_record()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    watch_battery(&mut site).await?;
    let stranger = Stranger::at(&site).await?;
    let recording = stranger.record(BATTERY).await?;
    let sensor = Sensor::open(&site, "rover-1", BATTERY).await?;
    let mut failed = Ok(());
    // The simulator says more than 50 once a second: each of these is the newest until then.
    site.until("list_alerts", json!({}), |alerts| {
        let is_over = alerts[0]["fires"] != 0 && recording.find("42").is_some();
        if !is_over {
            failed = std::mem::replace(&mut failed, Ok(())).and(sensor.put(&json!({ "percent": 42 })));
        }
        is_over
    })
    .await?;
    failed?;
    let recorded = recording.find("42").ok_or_else(|| anyhow::anyhow!("nothing was recorded"))?;
    let charged = |row: &Value| row["value"].as_f64().is_some_and(|percent| percent > 50.0);
    site.until_key("rover.charge", charged).await?;
    let records = json!({ "query": "rover-1 is low" });
    // A fire is counted before it is on record.
    site.until("memory_search", records.clone(), |found| {
        found["items"].as_array().is_some_and(|items| !items.is_empty())
    })
    .await?;
    let before = (site.get("list_alerts", json!({})).await?, known(&site, &records).await?);
    let mut failed = Ok(());
    let mut puts = 0;
    site.until("list_alerts", json!({}), |_| {
        puts += 1;
        failed = std::mem::replace(&mut failed, Ok(())).and(stranger.replay(&recorded));
        puts > 20
    })
    .await?;
    failed?;
    site.until_fact("the recording is told of", |fact| tells(fact, "replayed_state")).await?;
    assert!(charged(&site.until_key("rover.charge", |_| true).await?));
    let after = (site.get("list_alerts", json!({})).await?, known(&site, &records).await?);
    assert_eq!((&before.0[0]["fires"], &before.1), (&after.0[0]["fires"], &after.1));
    sensor.close().await;
    Ok(())
}

/// Low charges in the history of its key, and the number of records of it.
async fn known(site: &Site, records: &Value) -> anyhow::Result<(usize, usize)> {
    let history = site.get("world_history", json!({ "key": "rover.charge" })).await?.to_string();
    let found = site.get("memory_search", records.clone()).await?;
    Ok((history.matches(":42").count(), found["items"].as_array().map_or(0, Vec::len)))
}

#[tokio::test(flavor = "multi_thread")]
async fn att_17_signed_state_without_a_stamp_could_be_a_recording_and_is_read_by_no_context() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    watch_battery(&mut site).await?;
    let sensor = Sensor::open(&site, "rover-1", BATTERY).await?;
    let mut failed = Ok(());
    let mut puts = 0;
    site.until("list_alerts", json!({}), |_| {
        puts += 1;
        failed = std::mem::replace(&mut failed, Ok(())).and(sensor.put_unstamped(&json!({ "percent": 42 })));
        puts > 20
    })
    .await?;
    failed?;
    site.until_fact("the missing stamp is told of", |fact| tells(fact, "unstamped_state")).await?;
    assert_eq!(site.get("list_alerts", json!({})).await?[0]["fires"], 0);
    sensor.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_11_a_hold_in_the_name_of_this_station_that_it_did_not_say_shows_its_cause() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    under_way(&mut site).await?;
    let station = site.get("session_info", json!({})).await?["station"].clone();
    let stranger = Stranger::at(&site).await?;
    let hold = json!({ "robot": "rover-1", "station": station, "hold_id": 1 });
    let mut failed = Ok(());
    site.until("safety_status", json!({}), |status| {
        let is_held = of(status, "rover-1")["state"] == "hold";
        if !is_held {
            failed = std::mem::replace(&mut failed, Ok(())).and(stranger.put("lab/rover-1/cmd/hold", &hold));
        }
        is_held
    })
    .await?;
    failed?;
    until_held_for(&mut site, "rover-1", "hold", &["hold_requested"]).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a13_sixty_four_stops_of_strangers_are_one_that_an_admin_ends_and_the_robot_is_armed_again()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    under_way(&mut site).await?;
    let stranger = Stranger::at(&site).await?;
    let mut failed = Ok(());
    let mut stop_all = |first: u64| {
        for n in first..first + 64 {
            let stop = json!({ "robot": "rover-1", "station": format!("nobody-{n}"), "stop_id": n });
            failed = std::mem::replace(&mut failed, Ok(())).and(stranger.put("lab/rover-1/cmd/stop", &stop));
        }
    };
    let status = site
        .until("safety_status", json!({}), |status| {
            let is_stopped = of(status, "rover-1")["state"] == "safe_stop";
            // The first may come before the robot is known to the stranger's session.
            if !is_stopped {
                stop_all(1);
            }
            is_stopped && status["stops"].as_array().is_some_and(|stops| !stops.is_empty())
        })
        .await?;
    failed?;
    // A robot that answers late is stopped once more by its supervision.
    let by_others = status["stops"].as_array().into_iter().flatten().filter(|stop| stop["by"] != "supervision");
    assert_eq!(by_others.count(), 1, "{status:#}");
    acknowledge_all(&mut site, "rover-1").await?;
    let status = until_state(&mut site, "rover-1", "disarmed").await?;
    assert!(causes(&status).is_empty(), "{status:#}");
    under_way(&mut site).await
}

#[tokio::test(flavor = "multi_thread")]
async fn att_15_what_a_robot_with_a_key_has_not_signed_neither_moves_its_picture_nor_stops_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let put = |key: &str, payload: &Value| -> anyhow::Result<()> {
        let publisher = link.sample_publisher(&format!("lab/rover-1/out/{key}"), Codec::Json)?;
        Ok(publisher.put(payload.to_string().into_bytes())?)
    };
    let elsewhere = json!({ "frame": "map", "position_m": [7.0, 7.0, 0.0] });
    let lie = json!({ "robot": "rover-2", "subject": { "hold": { "station": "x", "hold_id": 1 } }, "status": "received",
        "claimed_by": null, "speed_mps": 0.0, "standstill": true });
    let mut failed = Ok(());
    let names_both = |rows: &Value| {
        let rows = rows.to_string();
        ["state/pose has two writers", "the robot itself", "does not sign"].iter().all(|text| rows.contains(text))
    };
    site.until("list_alarms", json!({}), |rows| {
        failed = std::mem::replace(&mut failed, Ok(())).and(put("state/pose", &elsewhere));
        names_both(rows)
    })
    .await?;
    let mut rounds = 0;
    site.until("list_alarms", json!({}), |_| {
        rounds += 1;
        for (key, payload) in [("state/pose", &elsewhere), ("ack", &lie), ("ack", &json!("?")), ("beat", &lie)] {
            failed = std::mem::replace(&mut failed, Ok(())).and(put(key, payload));
        }
        rounds > 20
    })
    .await?;
    failed?;
    let row = site.until_robot("rover-1", |_| true).await?;
    assert!(row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m.abs() < 1.0), "{row:#}");
    let armed = until_state(&mut site, "rover-1", "armed").await?;
    assert!(causes(&armed).is_empty(), "{armed:#}");
    link.close().await;
    Ok(())
}
