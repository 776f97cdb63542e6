//! Rules and alarms on a whole station: what is raised, what people do with it, and what a restart leaves.

use std::sync::Arc;

use api::{Session, SimulatorProcess};
use bridge::{Link, LinkConfig};
use quarterdeck_tests::{Site, built, find};
use robot::{Codec, Now};
use serde_json::{Value, json};
use server::SiblingSimulator;

const TOPIC: &str = "lab/stairs/out/toddler";

/// A second Zenoh session, as a sensor of somebody else would open it.
async fn foreign(site: &Site) -> anyhow::Result<Link> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    Ok(Link::open(config, Arc::new(Now::default)).await?)
}

/// Publishes whether a toddler is near until the world says so.
async fn publish(site: &mut Site, near: bool) -> anyhow::Result<()> {
    let link = foreign(site).await?;
    let publisher = link.sample_publisher(TOPIC, Codec::Json)?;
    let payload = json!({ "near": near }).to_string();
    site.put_until(|| Ok(publisher.put(payload.clone().into_bytes())?), ("toddler.near_stairs", json!(near))).await?;
    link.close().await;
    Ok(())
}

async fn watch(site: &Site) -> anyhow::Result<()> {
    let context = json!({
        "topic_pattern": TOPIC, "world_state_key_template": "toddler.near_stairs", "value_field": "near",
        "max_age_secs": 3_600,
    });
    site.get("configure_context", context).await?;
    Ok(())
}

fn rule() -> Value {
    json!({
        "predicate": "toddler.near_stairs = 'true'", "debounce_secs": 3_600, "description": "Toddler at the stairs",
        "alarm": {
            "cause": "A toddler is at the stairs.", "consequence": "harm", "response": "Go to the stairs now.",
            "time_to_respond_secs": 30,
        },
    })
}

/// The only alarm of the list once it is in `state`.
async fn until_alarm(site: &mut Site, preset: &str, state: &str) -> anyhow::Result<Value> {
    let rows = site
        .until("list_alarms", json!({ "preset": preset }), |rows| {
            rows.as_array().is_some_and(|rows| rows.len() == 1 && rows[0]["state"] == state)
        })
        .await?;
    Ok(rows[0].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn al_05_al_11_an_alarm_is_listed_acknowledged_as_it_was_seen_and_returns() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    watch(&site).await?;
    let registered = site.get("register_alert", rule()).await?;
    publish(&mut site, true).await?;
    let row = until_alarm(&mut site, "active", "unack_active").await?;
    assert_eq!((&row["priority"], &row["source"], &row["agent"]), (&json!(1), &registered["id"], &json!("main")));
    assert_eq!(row["message"], "Toddler at the stairs (toddler.near_stairs = true)");
    assert_eq!(row["values_now"][0]["value"], json!(true));
    assert_eq!(site.refused("reset_alarm", json!({ "id": row["id"] })).await?, "still_active");
    let seen = json!({ "ids": [row["id"]], "seq": row["seq"] });
    publish(&mut site, false).await?;
    until_alarm(&mut site, "active", "unack_returned").await?;
    let changed = site.call("acknowledge_alarms", seen).await.err();
    assert_eq!(changed.as_ref().map(|error| error.code.as_str()), Some("alarm_changed"));
    assert_eq!(changed.map(|error| error.details["changed"].clone()), Some(json!([row["id"]])));
    let seq = u64::MAX >> 12;
    let acknowledged = site.get("acknowledge_alarms", json!({ "ids": [row["id"]], "seq": seq })).await?;
    assert_eq!(
        (&acknowledged["alarms"][0]["state"], &acknowledged["alarms"][0]["acknowledged_by"]),
        (&json!("normal"), &json!("admin"))
    );
    assert_eq!(site.get("list_alarms", json!({})).await?, json!([]));
    let figures = site.get("alarm_figures", json!({})).await?;
    assert_eq!((&figures["alarms"], &figures["worst"][0]["source"]), (&json!(1), &registered["id"]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn al_13_r_05_a_restart_keeps_the_alarm_and_the_debounce() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    watch(&site).await?;
    site.get("register_alert", rule()).await?;
    publish(&mut site, true).await?;
    let before = until_alarm(&mut site, "active", "unack_active").await?;
    let shelve = json!({ "id": before["id"], "secs": 1_800, "reason": "The parents are there." });
    assert_eq!(site.get("shelve_alarm", shelve).await?["alarms"][0]["shelved"]["by"], "admin");
    let fired = site.get("list_alerts", json!({})).await?[0].clone();
    let mut site = site.restart_empty().await?;
    let after = until_alarm(&mut site, "shelved", "unack_active").await?;
    assert_eq!((&after["id"], &after["flags"]["source_stale"]), (&before["id"], &json!(true)));
    assert_eq!(after["shelved"]["reason"], "The parents are there.");
    publish(&mut site, true).await?;
    let fresh = site
        .until("list_alarms", json!({ "preset": "shelved" }), |rows| rows[0]["flags"]["source_stale"] == json!(false))
        .await?;
    assert_eq!((&fresh[0]["count"], &fresh[0]["seq"]), (&before["count"], &after["seq"]), "nothing new happened");
    let row = site.get("list_alerts", json!({})).await?[0].clone();
    assert_eq!((&row["last_fired_at"], &row["fires"]), (&fired["last_fired_at"], &json!(1)));
    assert_eq!(row["suppressed"], 1, "the edge after the restart is inside the debounce");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn r_09_r_13_rules_are_changed_and_removed_and_unknown_ids_are_refused() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let id = site.get("register_alert", rule()).await?["id"].clone();
    let updated = site.get("update_alert", json!({ "alert_id": id, "debounce_secs": 5 })).await?;
    assert_eq!(updated["predicate"], "toddler.near_stairs = 'true'");
    let row = site.get("list_alerts", json!({})).await?[0].clone();
    assert_eq!((&row["debounce_secs"], &row["version"]), (&json!(5.0), &json!(2)));
    let mut partial = rule();
    partial["predicate"] = json!("a.b = 1");
    partial["alarm"]["response"].take();
    let incomplete = site.call("register_alert", partial).await.err();
    assert_eq!(
        incomplete.map(|error| (error.code, error.details["missing"].clone())),
        Some(("incomplete_alarm".into(), json!(["response"])))
    );
    assert_eq!(site.refused("register_alert", rule()).await?, "duplicate_alert");
    assert_eq!(
        site.refused("update_alert", json!({ "alert_id": "al-none", "debounce_secs": 5 })).await?,
        "alert_not_found"
    );
    assert_eq!(site.refused("update_alert", json!({ "alert_id": id, "debounce_secs": 0 })).await?, "out_of_range");
    assert_eq!(site.refused("unregister_alert", json!({ "alert_id": "al-none" })).await?, "alert_not_found");
    let removed = site.get("unregister_alert", json!({ "alert_id": id })).await?;
    assert_eq!(removed["message"], format!("Alert {} removed", id.as_str().unwrap_or_default()));
    assert_eq!(site.get("list_alerts", json!({})).await?, json!([]));
    for (operation, input) in [
        ("acknowledge_alarms", json!({ "ids": ["am-none"], "seq": 1 })),
        ("shelve_alarm", json!({ "id": "am-none", "secs": 60, "reason": "none" })),
        ("unshelve_alarm", json!({ "id": "am-none" })),
        ("reset_alarm", json!({ "id": "am-none" })),
        ("set_alarm_service", json!({ "id": "am-none", "in_service": false, "reason": "none" })),
    ] {
        assert_eq!(site.refused(operation, input).await?, "alarm_not_found", "{operation}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn al_12_a_lost_link_is_an_alarm_of_the_station_until_the_robot_is_back() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let fault = |on: bool| json!({ "target": "rover-1", "fault": "drop_link", "on": on });
    site.get("inject_fault", fault(true)).await?;
    let is_lost = |rows: &Value| find(rows, "source", "robot_link_lost").is_some();
    let rows = site.until("list_alarms", json!({}), is_lost).await?;
    let row = find(&rows, "source", "robot_link_lost").cloned().unwrap_or_default();
    assert_eq!((&row["robot"], &row["priority"], &row["agent"]), (&json!("rover-1"), &json!(2), &Value::Null));
    site.get("inject_fault", fault(false)).await?;
    site.until("list_alarms", json!({}), |rows| {
        find(rows, "source", "robot_link_lost").is_some_and(|row| row["state"] == "unack_returned")
    })
    .await?;
    Ok(())
}

/// A station with the robots of a simulator that it did not start: to it they are as real as any.
async fn with_robots_of_somebody_else() -> anyhow::Result<(Site, SimulatorProcess, tempfile::TempDir)> {
    let program = built("quarterdeck-sim")?;
    let folder = tempfile::tempdir()?;
    let state = ["--state".to_owned(), folder.path().to_string_lossy().into_owned()];
    let listen = ["--listen".to_owned(), "tcp/127.0.0.1:0".to_owned()];
    let mut first_run = SiblingSimulator::launch_program(&program, [&state[..], &listen[..]].concat())?;
    let ready: Value = serde_json::from_str(&first_run.lines.recv().await.unwrap_or_default())?;
    drop(first_run);
    let mut site = Site::start_with(&ready["manifests"]).await?;
    let info = site.get("session_info", json!({})).await?;
    let of = |field: &str| info[field].as_str().unwrap_or_default().to_owned();
    let trusted = ["--station".to_owned(), format!("{}={}", of("station"), of("public_key"))];
    let connect = ["--connect".to_owned(), site.endpoint().await?];
    let simulator = SiblingSimulator::launch_program(&program, [&state[..], &trusted[..], &connect[..]].concat())?;
    site.until_robot("rover-1", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    Ok((site, simulator, folder))
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1310_a_robot_whose_stop_was_never_tested_says_so_until_it_is() -> anyhow::Result<()> {
    let (mut site, _simulator, _folder) = with_robots_of_somebody_else().await?;
    let of_rover = |rows: &Value| {
        let mut rows = rows.as_array().into_iter().flatten();
        rows.find(|row| row["source"] == "stop_path_untested" && row["robot"] == "rover-1").cloned()
    };
    let rows = site.until("list_alarms", json!({}), |rows| of_rover(rows).is_some()).await?;
    let alarm = of_rover(&rows).unwrap_or_default();
    assert_eq!((&alarm["priority"], &alarm["time_to_respond_secs"]), (&json!(3), &json!(28_800.0)), "{alarm:#}");
    let run = site.get("run_stop_drill", json!({ "robot": "rover-1" })).await?;
    assert!(run["drill"]["standstill_after_ms"].is_number(), "{run:#}");
    let is_over = |rows: &Value| of_rover(rows).is_some_and(|row| row["state"] == "unack_returned");
    site.until("list_alarms", json!({}), is_over).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1310_limits_changed_at_one_desk_are_told_at_the_other() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let limit = |speed: &str| json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": speed });
    let told = |rows: &Value| find(rows, "source", "limit_set_changed").cloned();
    site.get("register_constraint", limit("0.5")).await?;
    assert_eq!(told(&site.get("list_alarms", json!({})).await?), None, "nobody else looks on");
    let desk = Session::app_window();
    let _frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.get("register_constraint", limit("0.4")).await?;
    let rows = site.until("list_alarms", json!({}), |rows| told(rows).is_some()).await?;
    let alarm = told(&rows).unwrap_or_default();
    assert_eq!((&alarm["priority"], &alarm["robot"]), (&json!(3), &json!("arm-1")), "{alarm:#}");
    assert_eq!(alarm["message"], "The limits of arm-1 were changed by admin.");
    Ok(())
}
