//! Ends of missions: what they carry over to parts, what they leave in force, and what a file can change about them.

use std::path::Path;
use std::time::Duration;

use quarterdeck_tests::Site;
use serde_json::{Value, json};

use crate::mission_steps::{looked, shown, until_mission, until_state, write};

/// Activates a mission that has this front matter, and a part of it that is worked on.
async fn with_part(site: &mut Site, front: &str) -> anyhow::Result<()> {
    write(site, "whole", &format!("---\n{front}\n---\nMade of a part.\n"))?;
    write(site, "part", "---\nparent: whole\ngoals: [Look]\n---\n")?;
    site.activate("whole").await?;
    site.activate("part").await?;
    until_mission(site, "part", |shown| shown["goals"][0]["state"] == "current").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn mg_07_a_cancelled_or_expired_parent_ends_its_parts_and_a_failed_one_pauses_them() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    with_part(&mut site, "title: Whole").await?;
    site.get("cancel_mission", json!({ "mission_id": "whole" })).await?;
    let ended = until_state(&mut site, "part", "cancelled").await?;
    assert_eq!(ended["reason"]["code"], "parent", "{ended:#}");

    // What was cancelled with its parent may run again, which what a person has cancelled may not.
    let whole = shown(&site, "whole").await?;
    let again = json!({ "mission_id": "whole", "hash": whole["hash"] });
    assert_eq!(site.refused("activate_mission", again).await?, "mission_cancelled");
    write(&site, "hour", "---\nexpires: 1h\n---\nMade of a part.\n")?;
    write(&site, "minute", "---\nparent: hour\ngoals: [Look]\n---\n")?;
    site.activate("hour").await?;
    site.activate("minute").await?;
    until_mission(&mut site, "minute", |shown| shown["goals"][0]["state"] == "current").await?;
    site.clock.suspend(Duration::from_secs(3_600));
    assert_eq!(until_state(&mut site, "hour", "cancelled").await?["reason"]["code"], "expired");
    let ended = until_state(&mut site, "minute", "cancelled").await?;
    assert_eq!(ended["reason"]["code"], "parent", "{ended:#}");

    write(&site, "vain", "---\ngoals: [{wait_for: no.key = 1, timeout_secs: 3}]\n---\n")?;
    write(&site, "piece", "---\nparent: vain\ngoals: [Look]\n---\n")?;
    site.activate("piece").await?;
    site.activate("vain").await?;
    until_state(&mut site, "vain", "failed").await?;
    let paused = until_state(&mut site, "piece", "paused").await?;
    assert_eq!(paused["reason"]["code"], "parent", "{paused:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_09_no_change_of_its_file_brings_a_cancelled_mission_back() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "watch", "Watch.\n")?;
    site.activate("watch").await?;
    site.get("cancel_mission", json!({ "mission_id": "watch" })).await?;
    let file = site.data_dir().join("agents/main/missions/watch.md");
    // Touched, removed and written anew, and brought in by a person: "watch.md" says "Look."
    std::fs::write(&file, "Watch.\n")?;
    looked(&mut site).await?;
    std::fs::remove_file(&file)?;
    until_mission(&mut site, "watch", |shown| shown["source"].is_null()).await?;
    write(&site, "watch", "---\ntitle: Watch again\n---\nWatch the street.\n")?;
    let rewritten = until_mission(&mut site, "watch", |shown| shown["title"] == "Watch again").await?;
    assert_eq!(rewritten["state"], "cancelled", "{rewritten:#}");
    let files = json!([{ "name": "watch.md", "bytes_base64": "TG9vay4=" }]);
    let brought = site.get("import_missions", json!({ "files": files, "on_conflict": "replace" })).await?;
    assert_eq!(brought["files"][0]["outcome"], "replaced", "{brought:#}");
    looked(&mut site).await?;
    let seen = shown(&site, "watch").await?;
    assert_eq!((&seen["state"], &seen["source"]), (&json!("cancelled"), &json!("Look.")), "{seen:#}");
    let wanted = json!({ "mission_id": "watch", "hash": seen["hash"] });
    assert_eq!(site.refused("activate_mission", wanted).await?, "mission_cancelled");
    assert_eq!(site.refused("resume_mission", json!({ "mission_id": "watch" })).await?, "mission_ended");
    let site = site.restart_empty().await?;
    assert_eq!(shown(&site, "watch").await?["state"], "cancelled");
    Ok(())
}

/// A file with this speed limit.
fn limited(speed_mps: f64) -> String {
    let limit = format!("constraints: [{{type: max_velocity, params: {speed_mps}}}]");
    format!("---\nrobots: [arm-1]\n{limit}\ngoals: [Look]\n---\nLook at the arm.\n")
}

/// The speed limits that missions have in force at the arm.
fn speeds(limits: &Value) -> Vec<f64> {
    let of_missions = limits.as_array().into_iter().flatten().filter(|row| !row["mission"].is_null());
    of_missions.filter_map(|row| row["constraint"]["MaxVelocity"].as_f64()).collect()
}

/// The databases of an agent as they are on disk at this moment.
fn databases(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder.join("agents/main"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.contains(".db") {
            found.push((name, std::fs::read(entry.path())?));
        }
    }
    Ok(found)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_28_a_start_leaves_only_the_limits_of_the_activation_that_was_saved() -> anyhow::Result<()> {
    let site = Site::start().await?;
    write(&site, "look", &limited(0.3))?;
    write(&site, "lost", &limited(0.2))?;
    site.activate("look").await?;
    let of_arm = json!({ "robot": "arm-1" });
    // The limits bind before the activation is saved: so the disk looks if the station ends between the two.
    let site = site.restart().await?;
    let kept = databases(site.data_dir())?;
    write(&site, "look", &limited(0.25))?;
    site.activate("look").await?;
    site.activate("lost").await?;
    let both = speeds(&site.get("list_constraints", of_arm.clone()).await?);
    assert_eq!(both.len(), 2, "{both:?}");
    let site = site
        .edited(|folder| {
            let at = folder.join("agents/main");
            for (name, _) in databases(folder)? {
                std::fs::remove_file(at.join(name))?;
            }
            kept.iter().try_for_each(|(name, bytes)| std::fs::write(at.join(name), bytes))?;
            Ok(())
        })
        .await?;
    let mut site = site.restart().await?;
    site.until("list_constraints", of_arm, |rows| speeds(rows) == [0.3]).await?;
    assert_eq!(shown(&site, "look").await?["activated_source"], limited(0.3));
    Ok(())
}
