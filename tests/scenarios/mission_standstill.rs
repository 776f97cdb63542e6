//! Many missions that are made to stand still together, while the disk takes nothing.

use std::cell::Cell;
use std::time::Duration;

use quarterdeck_tests::Site;
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::time::Instant;

use crate::mission_steps::{until_mission, until_state, write};

/// Missions that are paused together.
const MISSIONS: usize = 100;
/// Longest wait for a look at all of them.
const DEADLINE: Duration = Duration::from_secs(120);
/// Time that the standstill of all of them takes at most, besides the looks by which it is seen.
const STANDS_WITHIN: Duration = Duration::from_millis(200);
/// Looks that a standstill takes at most, on a machine that is busy with other things.
const LOOKS_MAX: u32 = 10;

/// A mission that reads a key of its own and tells when that is high.
fn reading(id: &str) -> String {
    let provider = format!(
        "{{topic_pattern: lab/oven-1/out/state, world_state_key_template: {id}.heat, value_field: temperature}}"
    );
    format!("---\nproviders: [{provider}]\nalerts: [{{predicate: {id}.heat > 5000}}]\n---\nTell me when it is hot.\n")
}

/// A mission whose first goal moves the arm slowly.
fn moving() -> String {
    let motion = "{pose_goal: {position_m: [0.5, 0.4, 0.4], speed_mps: 0.02}}";
    let step = format!("{{operation: send_command, input: {{robot: arm-1, actuator: arm, motion: {motion}}}}}");
    format!("---\nrobots: [arm-1]\ngoals: [{step}]\n---\nReach.\n")
}

/// True if no mission is active, nothing that one declares is in force, and no command of one is open.
async fn all_stand(site: &Site) -> anyhow::Result<bool> {
    let missions = site.get("list_missions", json!({})).await?;
    let contexts = site.get("list_contexts", json!({})).await?;
    let moves = site.get("get_mission", json!({ "mission_id": "moves" })).await?;
    let rows = |rows: &Value| rows.as_array().cloned().unwrap_or_default();
    let no_mission = rows(&missions).len() >= MISSIONS && rows(&missions).iter().all(|row| row["status"] != "active");
    let of_mission = |row: &Value| row["config"]["world_state_key_template"].to_string().starts_with("\"reads-");
    let no_context = !rows(&contexts).iter().any(|row| of_mission(row) && row["state"] == "running");
    let stand = no_mission && no_context;
    Ok(stand && moves["live"]["open_commands"] == 0 && moves["live"]["locks"] == 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_22_a_hundred_missions_stand_at_once_with_all_they_have_running_though_the_disk_takes_nothing()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let ids: Vec<String> = (1..MISSIONS).map(|number| format!("reads-{number:03}")).collect();
    for id in &ids {
        write(&site, id, &reading(id))?;
    }
    for id in &ids {
        site.until_ok("get_mission", json!({ "mission_id": id })).await?;
        site.activate(id).await?;
    }
    site.arm("arm-1").await?;
    write(&site, "moves", &moving())?;
    site.until_ok("get_mission", json!({ "mission_id": "moves" })).await?;
    site.activate("moves").await?;
    let card = site.until_proposal(|card| card["state"] == "waiting" && card["mission"] == "moves").await?;
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    until_mission(&mut site, "moves", |shown| shown["live"]["open_commands"] == 1).await?;
    until_state(&mut site, "reads-099", "active").await?;
    let running = |rows: &Value| rows.as_array().is_some_and(|rows| rows.iter().all(|row| row["state"] == "running"));
    site.until("list_contexts", json!({}), running).await?;

    let options = SqliteConnectOptions::new().filename(site.data_dir().join("agents/main/memory.db"));
    let mut held = SqliteConnection::connect_with(&options).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut held).await?;
    // The floor: what one look at all of it takes on this machine now.
    let began = Instant::now();
    assert!(!all_stand(&site).await?);
    let look = began.elapsed();
    let (began, is_answered) = (Instant::now(), Cell::new(false));
    let stand = async {
        let all = async {
            while !all_stand(&site).await? {}
            anyhow::Ok((began.elapsed(), is_answered.get()))
        };
        let stood = tokio::time::timeout(DEADLINE, all).await;
        // Also where they do not stand: the pause waits for the disk.
        sqlx::query("ROLLBACK").execute(&mut held).await?;
        stood?
    };
    let pause = async {
        let answer = site.call("pause_all_missions", json!({})).await;
        is_answered.set(true);
        answer
    };
    let (stood, _) = tokio::join!(stand, pause);
    let (took, was_answered) = stood?;
    held.close().await?;
    assert!(!was_answered, "they stood only once it was written");
    let bound = STANDS_WITHIN + look * LOOKS_MAX;
    assert!(took <= bound, "they stood after {took:?}, and a look at them takes {look:?}");
    Ok(())
}
