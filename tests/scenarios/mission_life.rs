//! What a mission declares is in force while the mission lives, and no longer.

use std::time::Duration;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

const HOUR_MS: i64 = 3_600_000;

fn write(site: &Site, id: &str, text: &str) -> anyhow::Result<()> {
    Ok(std::fs::write(site.data_dir().join("agents/main/missions").join(format!("{id}.md")), text)?)
}

async fn shown(site: &Site, id: &str) -> anyhow::Result<Value> {
    site.get("get_mission", json!({ "mission_id": id })).await
}

async fn until_mission(site: &mut Site, id: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    site.until("get_mission", json!({ "mission_id": id }), holds).await
}

async fn until_state(site: &mut Site, id: &str, state: &str) -> anyhow::Result<Value> {
    until_mission(site, id, |shown| shown["state"] == state).await
}

/// Every active mission was looked at once more when this returns: one that needs a second look has come to its end.
async fn looked(site: &mut Site) -> anyhow::Result<()> {
    write(site, "look", "---\ngoals: [{wait_secs: 1}]\n---\n")?;
    site.activate("look").await?;
    until_state(site, "look", "completed").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_02_an_activation_keeps_who_accepted_what_in_which_role_and_why() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    write(&site, "watch", "Watch the yard.\n<!-- and the street -->\n")?;
    assert_eq!(shown(&site, "watch").await?.get("activation"), None, "nobody has activated it");
    let input = json!({
        "mission_id": "watch", "hash": shown(&site, "watch").await?["hash"], "reason": "The fence is open.",
        "accept": [{ "code": "hidden_text", "line": 2 }],
    });
    site.get("activate_mission", input).await?;
    let kept = shown(&site, "watch").await?["activation"].clone();
    assert_eq!((&kept["role"], &kept["reason"]), (&json!("admin"), &json!("The fence is open.")), "{kept:#}");
    assert_eq!(kept["accepted"], json!([{ "code": "hidden_text", "line": 2 }]));
    let site = site.crash_empty().await?;
    assert_eq!(shown(&site, "watch").await?["activation"], kept, "it survives a crash");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_20_ml_28_a_span_of_life_ends_on_the_station_clock_and_a_jump_of_the_wall_clock_ends_nothing()
-> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "guard", "---\nexpires: 20h\n---\nGuard the gate.\n")?;
    write(&site, "rest", "---\nexpires: 1h\n---\nRest.\n")?;
    site.activate("guard").await?;
    site.activate("rest").await?;
    site.get("pause_mission", json!({ "mission_id": "rest" })).await?;
    let began = shown(&site, "guard").await?;
    let life_s = began["expires_at"].as_i64().zip(began["compiled_at"].as_i64()).map(|(end, begin)| end - begin);
    assert!(life_s.is_some_and(|life_s| (72_000 - 1..=72_001).contains(&life_s)), "{began:#}");
    assert_eq!(began["flags"], json!([]));

    for by_ms in [30 * HOUR_MS, -60 * HOUR_MS, 30 * HOUR_MS] {
        site.clock.set_wall(by_ms);
        looked(&mut site).await?;
        assert_eq!(shown(&site, "guard").await?["state"], "active", "{by_ms}");
    }
    let mut site = site.restart_empty().await?;
    looked(&mut site).await?;
    assert_eq!(until_state(&mut site, "guard", "active").await?["flags"], json!([]));

    site.clock.suspend(Duration::from_secs(19 * 3_600 + 1_800));
    until_mission(&mut site, "guard", |shown| shown["flags"] == json!(["expiring"])).await?;
    let rests = until_mission(&mut site, "rest", |shown| shown["flags"] == json!(["expired"])).await?;
    assert_eq!(rests["state"], "paused", "a paused one stays so: {rests:#}");
    assert_eq!(site.refused("resume_mission", json!({ "mission_id": "rest" })).await?, "mission_expired");
    site.clock.suspend(Duration::from_secs(1_800));
    let ended = until_state(&mut site, "guard", "cancelled").await?;
    assert_eq!((&ended["reason"]["code"], &ended["expires_at"]), (&json!("expired"), &Value::Null), "{ended:#}");
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_expired").is_some()).await?;
    site.activate("guard").await?;
    until_state(&mut site, "guard", "active").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_20_a_time_of_the_zone_of_the_mission_ends_it_by_the_wall_clock() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "until", "---\ntime_zone: Asia/Tokyo\nexpires: 2120-01-01T09:00:00\n---\nGuard the gate.\n")?;
    site.activate("until").await?;
    let end_s = 4_733_510_400;
    assert_eq!(shown(&site, "until").await?["expires_at"], end_s, "nine in Tokyo is midnight in UTC");
    let now_ms = site.time.now().wall_ms;
    site.clock.set_wall(end_s * 1_000 - now_ms - HOUR_MS);
    looked(&mut site).await?;
    assert_eq!(shown(&site, "until").await?["state"], "active");
    site.clock.set_wall(HOUR_MS);
    until_state(&mut site, "until", "cancelled").await?;
    Ok(())
}
