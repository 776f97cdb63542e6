//! Robots that an Admin adds while the station runs.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

use crate::rover::Rover;

fn added(manifest: &str) -> Value {
    json!({ "manifest": manifest })
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_41_a_robot_is_added_by_its_manifest_without_a_restart_and_is_there_after_one() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut rover = Rover::new()?;
    let manifest = rover.manifest()?;

    let meaning = site.get("check_manifest", added(&manifest)).await?;
    assert_eq!((&meaning["robot"], &meaning["is_known"]), (&json!("rover-9"), &json!(false)));
    assert_eq!((&meaning["gate"], &meaning["is_signed"]), (&json!("reference"), &json!(true)));
    assert_eq!((&meaning["speed_mps_max"], &meaning["workspace_m"][0]), (&json!(0.5), &json!([-10.0, 10.0])));
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]), "a check adds nothing");

    assert_eq!(site.get("add_robot", added(&manifest)).await?["robot"], "rover-9");
    rover.start(&site.get("session_info", json!({})).await?, &[])?;
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    site.arm("rover-9").await?;
    let arrives = |rover: &Rover| (rover.x_m() - 0.5).abs() < 0.05 && rover.x_mps() == 0.0;
    rover.goes(&site, 0.5, "it arrives", arrives).await?;

    assert_eq!(site.refused("add_robot", added(&manifest)).await?, "robot_exists");
    assert_eq!(site.get("check_manifest", added(&manifest)).await?["is_known"], true);
    let site = site.restart_empty().await?;
    assert_eq!(site.get("list_robots", json!({})).await?[0]["id"], "rover-9");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_41_a_manifest_that_cannot_be_used_is_refused_with_its_line_and_leaves_no_file() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let manifest = Rover::new()?.manifest()?;
    let wrong_word = manifest.replace("supervision = \"required\"", "supervision = \"sometimes\"");
    let no_key = manifest.replace("public_key = \"ed25519:", "public_key = \"ed25519:short");
    let elsewhere = manifest.replace("id = \"rover-9\"", "id = \"../rover-9\"");
    for bad in ["", "not toml at all", &wrong_word, &elsewhere] {
        assert_eq!(site.refused("check_manifest", added(bad)).await?, "bad_manifest", "{bad:.40}");
        assert_eq!(site.refused("add_robot", added(bad)).await?, "bad_manifest", "{bad:.40}");
    }
    assert_eq!(site.refused("add_robot", added(&no_key)).await?, "bad_manifest");
    let long = format!("{manifest}\n# {}", "x".repeat(1 << 20));
    assert_eq!(site.refused("add_robot", added(&long)).await?, "too_large");
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]));

    let line = wrong_word.lines().position(|line| line.contains("sometimes")).map_or(0, |line| line + 1);
    let refused = site.call("add_robot", added(&wrong_word)).await.err().map(|refused| refused.message);
    assert!(refused.as_ref().is_some_and(|message| message.contains(&format!("line {line}"))), "{refused:?}");
    let site = site.restart_empty().await?;
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]), "nothing of a refused manifest is kept");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_41_a_manifest_that_was_refused_at_the_start_is_corrected_and_another_s_file_is_kept() -> anyhow::Result<()>
{
    let manifest = Rover::new()?.manifest()?;
    let broken = manifest.replace("supervision = \"required\"", "supervision = \"sometimes\"");
    let site = Site::start_with(&json!({ "rover-9": broken })).await?;
    let refused = site.get("list_robots", json!({})).await?;
    assert!(refused[0]["errors"][0].as_str().is_some_and(|error| error.contains("line")), "{refused:#}");
    site.get("add_robot", added(&manifest)).await?;
    let corrected = site.get("list_robots", json!({})).await?;
    assert_eq!(corrected.as_array().map(Vec::len), Some(1), "{corrected:#}");
    assert_eq!(corrected[0]["errors"], json!([]));

    // Somebody's own file, put there while the station runs.
    let other = manifest.replace("rover-9", "rover-8");
    let path = site.data_dir().join("robots/rover-8.toml");
    std::fs::write(&path, "# not finished yet\n")?;
    assert_eq!(site.refused("add_robot", added(&other)).await?, "robot_exists");
    assert_eq!(std::fs::read_to_string(&path)?, "# not finished yet\n");
    Ok(())
}

/// The robot's row, once it answers and says where it is.
async fn until_there(site: &mut Site) -> anyhow::Result<()> {
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await.map(drop)
}

async fn until_lost(site: &mut Site) -> anyhow::Result<()> {
    site.until_robot("rover-9", |row| row["link"] == "lost").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_41_a_robot_that_stands_disarmed_is_removed_without_a_restart_and_added_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut rover = Rover::new()?;
    let manifest = rover.manifest()?;
    let robot = || json!({ "robot": "rover-9" });
    site.get("add_robot", added(&manifest)).await?;
    rover.start(&site.get("session_info", json!({})).await?, &[])?;
    until_there(&mut site).await?;
    site.arm("rover-9").await?;
    assert_eq!(site.refused("remove_robot", robot()).await?, "robot_in_use", "it is armed");
    site.get("disarm_robot", robot()).await?;
    let workspace = json!({ "x": [-2, 2], "y": [-2, 2], "z": [-1, 1] });
    let standing = json!({
        "robot": "rover-9", "operation": "send_command", "count": 2, "hours": 1,
        "envelope": { "actuator": "base", "workspace": workspace, "speed_mps_max": 0.3 },
    });
    site.get("grant_standing_approval", standing).await?;
    for (name, robot) in [("mine", "rover-9"), ("another's", "rover-8")] {
        let job =
            json!({ "operation": "list_constraints", "input": { "robot": robot }, "every_secs": 3_600, "name": name });
        site.get("schedule_task", job).await?;
    }

    let removed = site.until_ok("remove_robot", robot()).await?;
    assert_eq!((&removed["robot"], &removed["manifest"]), (&json!("rover-9"), &json!(manifest)));
    assert_eq!(removed["jobs"], json!(["mine"]));
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]));
    assert_eq!(site.get("list_standing_approvals", json!({})).await?, json!([]));
    assert_eq!(site.refused("remove_robot", robot()).await?, "robot_not_found");
    assert!(!site.data_dir().join("robots/rover-9.toml").exists());
    assert!(site.data_dir().join("robots/rover-9.toml.removed").exists());

    site.get("add_robot", added(&manifest)).await?;
    until_there(&mut site).await?;
    site.arm("rover-9").await?;
    let arrives = |rover: &Rover| (rover.x_m() - 0.5).abs() < 0.05 && rover.x_mps() == 0.0;
    rover.goes(&site, 0.5, "it arrives", arrives).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_41_a_stop_of_a_robot_that_is_gone_is_not_open_and_binds_it_again_when_it_is_back() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut rover = Rover::new()?;
    let manifest = rover.manifest()?;
    site.get("add_robot", added(&manifest)).await?;
    rover.start(&site.get("session_info", json!({})).await?, &[])?;
    until_there(&mut site).await?;
    site.stop_all().await?;
    let robot = || json!({ "robot": "rover-9" });
    assert_eq!(site.refused("remove_robot", robot()).await?, "robot_in_use", "only this station can release it");

    rover.end()?;
    until_lost(&mut site).await?;
    site.get("remove_robot", robot()).await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!((&status["stopped"], &status["stops"]), (&json!(false), &json!([])), "nobody could release it");

    let mut site = site.restart_empty().await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!((&status["robots"], &status["stops"]), (&json!([]), &json!([])));
    site.get("add_robot", added(&manifest)).await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(status["stops"][0]["robots"][0]["released"], false, "{status:#}");
    rover.start(&site.get("session_info", json!({})).await?, &[])?;
    until_there(&mut site).await?;
    assert_eq!(site.refused("arm_robot", robot()).await?, "latched");
    // Its gate was started again, which a person has to have seen too.
    let is_told = |status: &Value| status["robots"][0]["causes"].to_string().contains("robot_gate_fault");
    site.until("safety_status", json!({}), is_told).await?;
    site.get("disarm_robot", json!({ "robot": "rover-9", "looked": true })).await?;
    site.release("rover-9").await?;
    site.arm("rover-9").await
}
