//! A robot that is locked: over a crash and a restart, and who puts it into service again.

use api::Session;
use quarterdeck_tests::sensor::Sensor;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::store::edit;
use crate::supervision::{acknowledge_all, causes, of, until_state, zone_above_arm};

/// A site whose arm was where it may not be twice in ten seconds, and is locked for it.
async fn with_locked_arm() -> anyhow::Result<Site> {
    let mut site = Site::start().await?;
    let center = zone_above_arm(&mut site).await?;
    let pose = Sensor::open(&site, "arm-1", "lab/arm-1/out/state/pose").await?;
    let payload = json!({ "frame": "base_link", "position_m": center });
    // On a machine that takes longer than that to arm it, the second time is a first one again.
    loop {
        site.arm("arm-1").await?;
        until_stopped(&mut site, &pose, &payload).await?;
        acknowledge_all(&mut site, "arm-1").await?;
        let status = site.get("safety_status", json!({})).await?;
        if of(&status, "arm-1")["state"] == "lockout" {
            pose.close().await;
            return Ok(site);
        }
    }
}

async fn until_stopped(site: &mut Site, pose: &Sensor, payload: &Value) -> anyhow::Result<()> {
    let mut put = Ok(());
    site.until("safety_status", json!({}), |status| {
        put = pose.put(payload);
        ["safe_stop", "lockout"].iter().any(|state| of(status, "arm-1")["state"] == *state)
    })
    .await?;
    Ok(put?)
}

/// The code with which `by` is refused.
async fn refused_to(site: &Site, by: &Session, operation: &str, input: &Value) -> Option<String> {
    site.api.call(by, operation, input.clone()).await.err().map(|error| error.code)
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_a_locked_robot_comes_back_locked_after_a_crash_and_only_recommissioning_ends_it_for_good()
-> anyhow::Result<()> {
    let mut site = with_locked_arm().await?.crash().await?;
    let locked = until_state(&mut site, "arm-1", "lockout").await?;
    assert!(causes(&locked).contains(&"breach"), "{locked:#}");
    let rover = until_state(&mut site, "rover-1", "safe_stop").await?;
    assert_eq!(causes(&rover), ["unclean_restart"], "a crash locks nothing else");

    let status = site.get("safety_status", json!({})).await?;
    let of_arm = |stop: &&Value| find(&stop["robots"], "robot", "arm-1").is_some();
    let stops = status["stops"].as_array().into_iter().flatten().filter(of_arm).map(|stop| &stop["stop_id"]);
    let release = json!({ "stop_ids": stops.collect::<Vec<_>>(), "robots": ["arm-1"], "reason": "it looks fine" });
    let (desk, arm) = (Session::app_window(), json!({ "robot": "arm-1" }));
    for by in [&desk, &site.admin] {
        assert_eq!(refused_to(&site, by, "release_stop", &release).await.as_deref(), Some("locked_out"));
        assert_eq!(refused_to(&site, by, "arm_robot", &arm).await.as_deref(), Some("locked_out"));
    }
    let back = |reason: &str| json!({ "robot": "arm-1", "reason": reason });
    assert_eq!(refused_to(&site, &desk, "recommission", &back("seen")).await.as_deref(), Some("forbidden"));
    assert_eq!(site.refused("recommission", back(" ")).await?, "reason_missing");
    let stop_id = site.get("stop_robot", arm.clone()).await?["stop_id"].clone();
    site.until_ok("recommission", back("the fixture was taken away")).await?;

    // A stop that a person has pressed meanwhile needs a release of its own.
    let stopped = until_state(&mut site, "arm-1", "safe_stop").await?;
    // That it answered late may stand beside it, and nothing else.
    let asked: Vec<_> = causes(&stopped).into_iter().filter(|cause| *cause != "stop_unconfirmed").collect();
    assert_eq!(asked, ["stop_robot"], "{stopped:#}");
    let status = site.get("safety_status", json!({})).await?;
    let stops: Vec<_> =
        status["stops"].as_array().into_iter().flatten().filter(of_arm).map(|stop| stop["stop_id"].clone()).collect();
    assert!(stops.contains(&stop_id), "{status:#}");
    site.release("arm-1").await?;
    site.arm("arm-1").await?;
    let mut site = site.restart().await?;
    until_state(&mut site, "arm-1", "disarmed").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_was_ended_is_not_there_after_the_next_crash_and_its_own_stop_went_with_it() -> anyhow::Result<()> {
    let mut site = with_locked_arm().await?;
    let reason = json!({ "robot": "arm-1", "reason": "the fixture was taken away" });
    if site.until_ok("recommission", reason).await?["state"] == "safe_stop" {
        // It was slow to answer its stop, and was halted until a person releases it.
        acknowledge_all(&mut site, "arm-1").await?;
    }
    until_state(&mut site, "arm-1", "disarmed").await?;
    site.arm("arm-1").await?;
    let mut site = site.crash().await?;
    let stopped = until_state(&mut site, "arm-1", "safe_stop").await?;
    assert_eq!(causes(&stopped), ["unclean_restart"], "{stopped:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_a_lock_that_nobody_can_read_any_more_is_one_all_the_same() -> anyhow::Result<()> {
    let site = Site::start().await?;
    edit(&site, "INSERT INTO lockout (robot, causes, at_ms) VALUES ('gate-1', '[\"of_tomor', 0)").await?;
    let mut site = site.restart().await?;
    let locked = until_state(&mut site, "gate-1", "lockout").await?;
    assert_eq!(causes(&locked), ["state_fault"], "{locked:#}");
    until_state(&mut site, "arm-1", "disarmed").await?;
    assert_eq!(site.refused("arm_robot", json!({ "robot": "gate-1" })).await?, "locked_out");
    site.until_ok("recommission", json!({ "robot": "gate-1", "reason": "the disk was replaced" })).await?;
    // The stop that came with the lock goes with it, once the robot's gate has let go.
    site.until("safety_status", json!({}), |status| status["stopped"] == false).await?;
    let mut site = site.restart().await?;
    until_state(&mut site, "gate-1", "disarmed").await.map(drop)
}
