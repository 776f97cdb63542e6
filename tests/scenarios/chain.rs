//! Somebody edits the station's database between two runs: the audit no longer fits it, itself, or its mark.

use std::path::Path;

use api::Session;
use quarterdeck_tests::station_files::MARK_FILE;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::proposals::grant;
use crate::store::{arm_after_a_look, arming_refused, edit, limit};

const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];
/// Takes away what keeps programs from editing the audit.
const UNGUARDED: &str = "DROP TRIGGER audit_is_not_edited; DROP TRIGGER audit_is_not_shortened;
    DROP TRIGGER anchor_is_not_edited; DROP TRIGGER anchor_is_not_removed;";
/// Takes the newest limit of arm-1 out of every table of limits, as if it had never been.
const WITHOUT_LIMIT: &str = "DELETE FROM constraint_row; DELETE FROM constraint_seal;
    UPDATE constraint_set SET version = 1, hash = (SELECT json_extract(record, '$.input_hash') FROM audit WHERE
        json_extract(record, '$.operation') = 'constraint_set' AND json_extract(record, '$.set_version') = 1
        AND json_extract(record, '$.detail') LIKE 'robot=arm-1 %') WHERE robot = 'arm-1';";
const OF_LIMIT: &str = "(json_extract(record, '$.operation') = 'constraint_seal'
    OR json_extract(record, '$.operation') = 'constraint_set' AND json_extract(record, '$.set_version') = 2)";

/// A site that was ended after arm-1 got a limit.
async fn with_limit() -> anyhow::Result<Site> {
    let site = Site::start().await?;
    limit(&site, "0.4").await?;
    site.api.shutdown().await;
    Ok(site)
}

/// The alarm of the audit, once it is there.
async fn until_alarm(site: &mut Site, code: &str) -> anyhow::Result<Value> {
    let rows = site.until("list_alarms", json!({}), |rows| find_code(rows, code).is_some()).await?;
    Ok(find_code(&rows, code).cloned().unwrap_or_default())
}

fn find_code<'a>(answer: &'a Value, code: &str) -> Option<&'a Value> {
    let rows = answer.as_array().or_else(|| answer["alarms"].as_array());
    rows?.iter().find(|row| row["source"] == code)
}

/// Every robot is refused with `code` and has the cause, and people are told at once.
async fn nothing_is_armed(site: &mut Site, code: &str) -> anyhow::Result<String> {
    let mut why = String::new();
    for robot in ROBOTS {
        let (refused, sentence) = arming_refused(site, robot).await?;
        assert_eq!(refused, code, "{robot}: {sentence}");
        let idle = site.get("why_idle", json!({ "robot": robot })).await?;
        assert!(find(&idle["blockers"], "cause", "set_tampered").is_some(), "{idle:#}");
        why = sentence;
    }
    let alarm = until_alarm(site, "audit_chain_broken").await?;
    assert_eq!(alarm["priority"], 1, "{alarm:#}");
    Ok(why)
}

/// An administrator looks, and nobody else; then robots are armed again, after this start and the next.
async fn accepted(mut site: Site) -> anyhow::Result<Site> {
    let state = site.get("audit_state", json!({})).await?;
    let input = json!({ "reason": "looked at with the safety officer", "found": state["found"] });
    let others = site.api.call(&Session::app_window(), "accept_audit", input.clone()).await;
    assert_eq!(others.err().map(|error| error.code).as_deref(), Some("forbidden"));
    let unseen = json!({ "reason": "not looked at", "found": [] });
    assert_eq!(site.refused("accept_audit", unseen).await?, "audit_found_more");
    let answer = site.get("accept_audit", input.clone()).await?;
    assert_eq!(answer["found"][0], state["found"][0], "{answer:#}");
    assert_eq!(site.refused("accept_audit", input).await?, "audit_intact");
    let records = site.get("list_audit", json!({})).await?;
    let told = |row: &&Value| row["operation"] == "audit_accepted" && row["detail"] == answer["found"][0];
    assert!(records.as_array().is_some_and(|rows| rows.iter().any(|row| told(&row))), "{records:#}");
    arm_after_a_look(&mut site, "arm-1").await?;
    let mut site = site.restart().await?;
    site.arm("arm-1").await?;
    let state = site.get("audit_state", json!({})).await?;
    assert_eq!((&state["found"], &state["accepted_up_to"]), (&json!([]), &answer["accepted_up_to"]));
    Ok(site)
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_limit_taken_out_with_its_seal_and_its_records_keeps_every_robot_from_arming() -> anyhow::Result<()> {
    for edited in [
        format!("DELETE FROM audit WHERE {OF_LIMIT}"),
        format!("UPDATE audit SET record = replace(record, '\"constraint_', '\"container_') WHERE {OF_LIMIT}"),
        format!(
            "CREATE TEMP TABLE gone AS SELECT min(seq) AS first, count(*) AS n FROM audit WHERE {OF_LIMIT};
             DELETE FROM audit WHERE {OF_LIMIT};
             UPDATE audit SET seq = -seq WHERE seq > (SELECT first FROM gone);
             UPDATE audit SET seq = -seq - (SELECT n FROM gone), record = json_set(record, '$.seq', -seq - (SELECT n FROM gone))
                 WHERE seq < 0"
        ),
    ] {
        let site = with_limit().await?;
        edit(&site, &format!("{UNGUARDED} {WITHOUT_LIMIT} {edited}")).await?;
        let mut site = site.restart().await?;
        // Records are followed beside the start.
        let state = site.until("audit_state", json!({}), |state| state["checked"] == true).await?;
        let first = &state["found"][0];
        let code = if first.to_string().contains("broken") { "set_tampered" } else { "audit_differs" };
        nothing_is_armed(&mut site, code).await?;
        let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.3" });
        assert_eq!(site.refused("register_constraint", limit).await?, code);
        site.get("stop_all", json!({})).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_broken_chain_that_an_administrator_has_accepted_is_broken_and_no_longer_in_the_way() -> anyhow::Result<()>
{
    let site = with_limit().await?;
    let renamed =
        format!("UPDATE audit SET record = replace(record, '\"constraint_', '\"container_') WHERE {OF_LIMIT}");
    edit(&site, &format!("{UNGUARDED} {WITHOUT_LIMIT} {renamed}")).await?;
    let mut site = site.restart().await?;
    let why = nothing_is_armed(&mut site, "set_tampered").await?;
    assert!(why.contains("broken at record"), "{why}");
    let why_idle = site.get("why_idle", json!({ "robot": "arm-1" })).await?;
    let listed = find(&why_idle["blockers"], "cause", "set_tampered").cloned().unwrap_or_default();
    assert_eq!(listed["who"], "an administrator", "{why_idle:#}");
    let site = accepted(site).await?;
    let check = site.get("verify_audit", json!({})).await?;
    assert_eq!((&check["intact"], check["accepted_up_to"].is_number()), (&json!(false), true), "{check:#}");
    assert_eq!(site.get("audit_state", json!({})).await?["found"], json!([]), "what was accepted stays accepted");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_stop_without_a_recorded_release_is_open_whatever_its_row_says() -> anyhow::Result<()> {
    for edited in ["UPDATE latch SET open = 0", "UPDATE latch SET released = robots, open = 0", "DELETE FROM latch"] {
        let site = Site::start().await?;
        site.get("stop_all", json!({ "reason": "a child in the cell" })).await?;
        site.api.shutdown().await;
        edit(&site, edited).await?;
        let mut site = site.restart().await?;
        assert_eq!(arming_refused(&site, "arm-1").await?.0, "latched", "{edited}");
        let still = |status: &Value| {
            let rows = status["stops"][0]["robots"].as_array();
            rows.is_some_and(|rows| rows.len() == 4 && rows.iter().all(|row| row["standstill"] == true))
        };
        site.until("safety_status", json!({}), still).await?;
        let release = json!({ "stop_ids": [1], "robots": ROBOTS, "reason": "cell checked" });
        site.until_ok("release_stop", release).await?;
        let mut site = site.restart().await?;
        site.arm("arm-1").await?;
        assert_eq!(site.get("stop_robot", json!({ "robot": "gate-1" })).await?["stop_id"], 2, "{edited}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_stop_let_go_for_one_robot_by_hand_binds_it_and_people_are_told() -> anyhow::Result<()> {
    let site = Site::start().await?;
    site.get("stop_all", json!({})).await?;
    site.api.shutdown().await;
    edit(&site, "UPDATE latch SET released = '[\"arm-1\"]'").await?;
    let mut site = site.restart().await?;
    assert_eq!(arming_refused(&site, "arm-1").await?.0, "latched");
    let alarm = until_alarm(&mut site, "record_missing").await?;
    assert!(alarm.to_string().contains("stop #1"), "{alarm:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_standing_approval_put_in_by_hand_is_none_and_a_granted_one_outlives_a_restart() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let granted = site.get("grant_standing_approval", grant(|_| {})).await?;
    let site = site.restart().await?;
    assert_eq!(site.get("list_standing_approvals", json!({})).await?[0]["id"], granted["id"]);
    site.api.shutdown().await;
    let put = "INSERT INTO standing_approval SELECT 'sa-0', robot, mission, operation, envelope, 100, 0, granted_by,
        granted_ms, expires_ms, set_version, stop_id, NULL FROM standing_approval";
    edit(&site, put).await?;
    let mut site = site.restart().await?;
    let listed = site.get("list_standing_approvals", json!({})).await?;
    let ids: Vec<&Value> = listed.as_array().into_iter().flatten().map(|row| &row["id"]).collect();
    assert_eq!(ids, [&granted["id"]], "{listed:#}");
    let alarm = until_alarm(&mut site, "record_missing").await?;
    assert!(alarm.to_string().contains("sa-0"), "{alarm:#}");
    site.api.shutdown().await;
    edit(&site, "UPDATE standing_approval SET uses_max = 100").await?;
    let site = site.restart().await?;
    assert_eq!(site.get("list_standing_approvals", json!({})).await?, json!([]));
    Ok(())
}

fn database(folder: &Path) -> std::path::PathBuf {
    folder.join("station.db")
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_an_older_database_put_back_is_refused_until_an_administrator_has_looked() -> anyhow::Result<()> {
    let site = Site::start().await?;
    site.api.shutdown().await;
    let older = std::fs::read(database(site.data_dir()))?;
    let site = site.restart().await?;
    limit(&site, "0.4").await?;
    site.api.shutdown().await;
    std::fs::write(database(site.data_dir()), older)?;
    let mut site = site.restart().await?;
    let why = nothing_is_armed(&mut site, "audit_differs").await?;
    assert!(why.contains("cut off"), "{why}");
    site.get("stop_all", json!({})).await?;
    site.until("safety_status", json!({}), |status| {
        let rows = status["stops"][0]["robots"].as_array();
        rows.is_some_and(|rows| rows.iter().all(|row| row["standstill"] == true))
    })
    .await?;
    let site = site.restart().await?;
    assert_eq!(arming_refused(&site, "arm-1").await?.0, "audit_differs", "after another restart too");
    let found = site.get("audit_state", json!({})).await?["found"].clone();
    let input = json!({ "reason": "the older file was put back by us", "found": found });
    site.get("accept_audit", input).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_a_cut_tail_a_wiped_audit_and_a_removed_mark_are_refused_until_an_administrator_has_looked()
-> anyhow::Result<()> {
    let tail = "(SELECT max(seq) - 3 FROM audit)";
    let anchor = "INSERT INTO audit_anchor SELECT max(seq), '{}' FROM audit;";
    for edited in [
        format!("DELETE FROM audit WHERE seq > {tail}"),
        format!("{anchor} DELETE FROM audit_anchor; DELETE FROM audit WHERE seq > {tail}"),
        format!("{anchor} DELETE FROM audit WHERE seq > {tail}"),
        "DELETE FROM audit; DELETE FROM audit_anchor; DELETE FROM constraint_row; DELETE FROM constraint_seal;
         DELETE FROM constraint_set"
            .to_owned(),
    ] {
        let site = with_limit().await?;
        edit(&site, &format!("{UNGUARDED} {edited}")).await?;
        let mut site = site.restart().await?;
        let why = nothing_is_armed(&mut site, "audit_differs").await?;
        assert!(why.contains("cut off"), "{edited}: {why}");
        accepted(site).await?;
    }
    let site = with_limit().await?;
    std::fs::remove_file(site.data_dir().join(MARK_FILE))?;
    let mut site = site.restart().await?;
    let why = nothing_is_armed(&mut site, "audit_differs").await?;
    assert!(why.contains("gone"), "{why}");
    accepted(site).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_the_mark_follows_every_change_of_the_limits_and_nobody_else_reads_it() -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut site = Site::start().await?;
    limit(&site, "0.4").await?;
    let path = site.data_dir().join(MARK_FILE);
    let records = site.get("list_audit", json!({})).await?;
    let sealed = records.as_array().and_then(|rows| rows.iter().rfind(|row| row["operation"] == "constraint_seal"));
    let sealed = sealed.and_then(|row| row["seq"].as_u64()).unwrap_or(u64::MAX);
    let marked =
        || -> Option<u64> { serde_json::from_slice::<Value>(&std::fs::read(&path).ok()?).ok()?["end"]["seq"].as_u64() };
    site.until("audit_state", json!({}), |_| marked().is_some_and(|seq| seq >= sealed)).await?;
    assert_eq!(std::fs::metadata(&path)?.permissions().mode() & 0o777, 0o600);
    // A crash right now leaves a mark that its database fits.
    let site = site.crash().await?;
    assert_eq!(site.get("audit_state", json!({})).await?["found"], json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_33_with_keys_from_the_environment_a_start_says_that_a_whole_rollback_is_not_noticed() -> anyhow::Result<()>
{
    let site = Site::start_empty().await?;
    let events = site.get("list_events", json!({})).await?;
    let told = find(&events, "code", "no_mark_outside").cloned().unwrap_or_default();
    assert!(told["sentence"].as_str().unwrap_or_default().contains("put back whole"), "{events:#}");
    Ok(())
}
