//! The audit: what happened stands there in order, and nobody can change it unseen.

use std::path::Path;
use std::process::Command;

use api::Session;
use quarterdeck_tests::{Site, arm_goal, built};
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";
const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];

async fn records(site: &Site) -> anyhow::Result<Vec<Value>> {
    let records = site.get("list_audit", json!({ "after": 0, "limit": 1_000 })).await?;
    Ok(records.as_array().cloned().unwrap_or_default())
}

/// A record as `actor operation outcome`.
fn told(record: &Value) -> String {
    let word = |field: &str| record[field].as_str().unwrap_or_default().to_owned();
    format!("{} {} {}", word("actor"), word("operation"), word("outcome"))
}

/// Every line of `story` stands in the records, in this order; others may stand between them.
fn check_order(records: &[Value], story: &[&str]) -> anyhow::Result<()> {
    let mut rest = records.iter().map(told);
    for line in story {
        let told: Vec<String> = records.iter().map(told).collect();
        anyhow::ensure!(rest.any(|record| record == *line), "{line:?} is not in its place:\n{}", told.join("\n"));
    }
    Ok(())
}

fn record<'a>(records: &'a [Value], line: &str) -> anyhow::Result<&'a Value> {
    records.iter().find(|record| told(record) == line).ok_or_else(|| anyhow::anyhow!("no record {line:?}"))
}

/// Runs the offline verifier and gives what it says if it refuses the file.
fn refused_offline(file: &Path) -> anyhow::Result<Option<String>> {
    let output = Command::new(built("quarterdeck-server")?).arg("verify-audit").arg(file).output()?;
    Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_step_of_a_stop_and_a_motion_stands_in_the_audit_in_order() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.4" });
    let refused = site.api.call(&Session::app_window(), "register_constraint", limit.clone()).await;
    assert_eq!(refused.err().map(|error| error.code), Some("forbidden".to_owned()));
    site.get("register_constraint", limit).await?;
    site.get("stop_all", json!({ "reason": "a child in the cell" })).await?;
    site.until("safety_status", json!({}), |status| {
        let rows = status["stops"][0]["robots"].as_array();
        rows.is_some_and(|rows| rows.iter().all(|row| row["standstill"] == true))
    })
    .await?;
    site.release_all(&ROBOTS).await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([2.0, 0.0, 1.0], 0.1)).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let proposal = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let shown = json!({ "id": proposal["id"], "version": proposal["version"], "action_hash": proposal["action_hash"] });
    site.get("approve_proposal", shown).await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await?;
    let before = records(&site).await?;
    let site = site.restart_empty().await?;
    let records = records(&site).await?;
    check_order(
        &records,
        &[
            "station start ok",
            "desk register_constraint forbidden",
            "admin constraint_set ok",
            "admin register_constraint ok",
            "admin stop ok",
            "admin stop_all ok",
            "admin epoch ok",
            "admin release_stop ok",
            "admin epoch ok",
            "admin arm_robot ok",
            "admin verdict deny",
            "admin send_command ok",
            "agent verdict allow",
            "agent proposal waiting",
            "admin approval ok",
            "agent verdict allow",
            "agent send sent",
            "arm-1 report done",
            "station shutdown ok",
            "station start ok",
        ],
    )?;
    check_order(&records, &["admin approval ok", "admin approve_proposal ok", "station shutdown ok"])?;
    assert_eq!(records[..before.len()], before, "a restart changes nothing of what was written");

    let sent = record(&records, "agent send sent")?;
    let judged = records.iter().rfind(|record| told(record) == "agent verdict allow");
    assert_eq!(Some(&sent["verdict_id"]), judged.map(|record| &record["verdict_id"]));
    assert_eq!((&sent["set_version"], sent["epoch"].is_number()), (&json!(2), true));
    assert_eq!(record(&records, "admin constraint_set ok")?["set_version"], 2);
    let denied = record(&records, "admin verdict deny")?["detail"].as_str().unwrap_or_default();
    assert!(denied.contains("robot=arm-1") && denied.contains("violated=") && denied.contains("workspace"), "{denied}");
    assert_eq!(record(&records, "admin stop ok")?["detail"], "stop_id=1 robots=arm-1,gate-1,rover-1,rover-2");
    let shutdown = record(&records, "station shutdown ok")?["seq"].clone();
    let restarted = records.iter().rfind(|record| told(record) == "station start ok");
    let found = restarted.and_then(|record| record["detail"].as_str()).unwrap_or_default();
    assert!(found.starts_with(&format!("last_seq={shutdown} ")), "{found}");
    let check = site.get("verify_audit", json!({})).await?;
    assert_eq!((&check["intact"], &check["first_broken_seq"]), (&json!(true), &Value::Null));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_stand_in_the_audit_with_their_code_and_without_their_text() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    for (operation, input) in [
        ("stop_al", json!({})),
        ("list_robots", json!({ "colour": "a secret" })),
        ("arm_robot", json!({ "robot": "arm-9" })),
        ("send_message", json!({ "text": "a secret".repeat(2_001) })),
        ("verify_audit", json!({ "agent": "other" })),
    ] {
        let code = site.refused(operation, input).await?;
        // A word that no operation has is no name in the audit: a start goes by names.
        let recorded = if operation == "stop_al" { "other_call" } else { operation };
        let line = format!("admin {recorded} {code}");
        // A refusal is queued, not waited for.
        let stands = |records: &Value| records.as_array().is_some_and(|rows| rows.iter().any(|row| told(row) == line));
        site.until("list_audit", json!({}), stands).await?;
    }
    let text = serde_json::to_string(&records(&site).await?)?;
    assert!(!text.contains("secret"), "{text}");
    assert_eq!(site.refused("list_audit", json!({ "limit": 0 })).await?, "out_of_range");
    let export = site.api.call(&Session::app_window(), "export_audit", json!({})).await;
    assert_eq!(export.err().map(|error| error.status()), Some(403));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_a_time_are_listed_from_it_on() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let from_ms = site.time.now().wall_ms + 60_000;
    site.clock.set_wall(60_000);
    site.get("stop_all", json!({ "reason": "a child in the cell" })).await?;
    let since = site.get("list_audit", json!({ "from_ms": from_ms })).await?;
    let rows = since.as_array().cloned().unwrap_or_default();
    assert!(rows.iter().all(|record| record["at_wall"].as_i64() >= Some(from_ms)), "{since:#}");
    assert!(rows.iter().any(|record| record["operation"] == "stop"), "{since:#}");
    let (all, first) = (records(&site).await?, &since[0]);
    let before = all.iter().position(|record| record == first);
    assert!(before.is_some_and(|before| before > 0), "the start is older, and stands before it: {all:#?}");
    let older = all.iter().take_while(|record| *record != first);
    assert!(older.into_iter().all(|record| record["at_wall"].as_i64() < Some(from_ms)), "nothing is left out");
    // Records of the stop go on coming.
    let after = site.get("list_audit", json!({ "from_ms": from_ms, "after": first["seq"] })).await?;
    assert_eq!(after[0]["seq"].as_u64(), first["seq"].as_u64().map(|seq| seq + 1), "{after:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_33_a_row_edited_by_hand_is_found_by_the_station_and_in_the_exported_file() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.refused("arm_robot", json!({ "robot": "arm-9" })).await?;
    site.get("send_message", json!({ "text": "help" })).await?;
    let export = site.get("export_audit", json!({})).await?;
    assert_eq!(export["next"], Value::Null);
    let whole = export["jsonl"].as_str().unwrap_or_default().to_owned();
    let file = site.data_dir().join("audit.jsonl");
    std::fs::write(&file, &whole)?;
    assert_eq!(refused_offline(&file)?, None);
    let edited = record(&records(&site).await?, "admin arm_robot robot_not_found")?["seq"].clone();

    site.api.shutdown().await;
    let database = site.data_dir().join("station.db");
    let mut bytes = std::fs::read(&database)?;
    let (from, to) = (b"robot=arm-9", b"robot=arm-1");
    let at = bytes.windows(from.len()).position(|window| window == from);
    let at = at.ok_or_else(|| anyhow::anyhow!("the record is not in the file"))?;
    bytes[at..at + from.len()].copy_from_slice(to);
    std::fs::write(&database, bytes)?;
    let site = site.restart_empty().await?;

    let check = site.get("verify_audit", json!({})).await?;
    assert_eq!((&check["intact"], &check["first_broken_seq"]), (&json!(false), &edited));
    let export = site.get("export_audit", json!({})).await?;
    std::fs::write(&file, export["jsonl"].as_str().unwrap_or_default())?;
    let refused = refused_offline(&file)?.unwrap_or_default();
    assert!(refused.contains(&format!("record {edited}:")), "{refused}");
    std::fs::write(&file, whole.lines().skip(1).collect::<Vec<_>>().join("\n"))?;
    let refused = refused_offline(&file)?.unwrap_or_default();
    assert!(refused.contains("record 1:"), "{refused}");
    site.get("stop_all", json!({})).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn att_21_without_a_key_the_audit_says_that_it_is_unsigned_and_what_helps() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let told = |info: &Value| info["audit_signing"]["unsigned_because"].as_str().map(str::to_owned);
    let named = |info: &Value| told(info).is_some_and(|why| why.contains("QUARTERDECK_SECRET_AUDIT_SIGNING_KEY"));
    let info = site.until("session_info", json!({}), named).await?;
    assert_eq!(info["audit_signing"]["signed"], false);
    assert_eq!(info["audit_signing"]["unsigned_kind"]["code"], "variable");
    let check = site.get("verify_audit", json!({})).await?;
    assert_eq!((&check["intact"], &check["signed_up_to"]), (&json!(true), &Value::Null));
    Ok(())
}
