//! Somebody who reaches the network and has no key of the site: nobody believes a word of it.

use std::sync::Arc;

use bridge::{Link, LinkConfig};
use quarterdeck_tests::Site;
use robot::{Codec, Now};
use serde_json::{Value, json};
use zenoh::Wait;

use crate::supervision::{acknowledge_all, causes, of, until_state};

/// A session as anybody's Zenoh client opens it, which may put whatever it likes wherever it likes.
struct Stranger(zenoh::Session);

impl Stranger {
    async fn at(site: &Site) -> anyhow::Result<Self> {
        let mut config = zenoh::Config::default();
        let connect = json!([site.endpoint().await?]).to_string();
        let settings =
            [("mode", "\"client\""), ("scouting/multicast/enabled", "false"), ("connect/endpoints", connect.as_str())];
        for (field, value) in settings {
            config.insert_json5(field, value).map_err(|error| anyhow::anyhow!(error))?;
        }
        Ok(Self(zenoh::open(config).await.map_err(|error| anyhow::anyhow!(error))?))
    }

    fn put(&self, key_expr: &str, payload: &Value) -> anyhow::Result<()> {
        self.0.put(key_expr, payload.to_string()).wait().map_err(|error| anyhow::anyhow!(error))
    }
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
    let held = until_state(&mut site, "rover-1", "hold").await?;
    assert_eq!(causes(&held), ["hold_requested"], "{held:#}");
    Ok(())
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
    assert_eq!(status["stops"].as_array().map(Vec::len), Some(1), "{status:#}");
    acknowledge_all(&mut site, "rover-1").await?;
    let status = until_state(&mut site, "rover-1", "disarmed").await?;
    assert!(causes(&status).is_empty(), "{status:#}");
    under_way(&mut site).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_robot_with_a_key_has_not_signed_neither_moves_its_picture_nor_stops_it() -> anyhow::Result<()> {
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
