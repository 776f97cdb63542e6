//! The station's database fails, or somebody edits it by hand while the station runs.

use api::Session;
use quarterdeck_tests::{Site, arm_goal, find};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

/// Opens the station's database beside the station.
async fn by_hand(site: &Site) -> anyhow::Result<SqliteConnection> {
    let options = SqliteConnectOptions::new().filename(site.data_dir().join("station.db"));
    Ok(SqliteConnection::connect_with(&options).await?)
}

/// Edits the station's database by hand.
pub(crate) async fn edit(site: &Site, sql: &str) -> anyhow::Result<()> {
    let mut file = by_hand(site).await?;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut file).await?;
    Ok(file.close().await?)
}

/// Keeps every approval off the disk, which is asked again, until [`in_time`].
pub(crate) async fn late(site: &Site) -> anyhow::Result<()> {
    let locked = "BEGIN SELECT RAISE(ABORT, 'database is locked'); END";
    edit(site, &format!("CREATE TRIGGER late BEFORE INSERT ON approval {locked}")).await?;
    edit(site, &format!("CREATE TRIGGER late_too BEFORE UPDATE ON approval {locked}")).await
}

/// The disk takes approvals again.
pub(crate) async fn in_time(site: &Site) -> anyhow::Result<()> {
    edit(site, "DROP TRIGGER late; DROP TRIGGER late_too").await
}

/// Waits until the row of `robot` in `safety_status` is as `holds` says.
async fn until_safety(site: &mut Site, robot: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    let of = |status: &Value| find(&status["robots"], "robot", robot).cloned().unwrap_or_default();
    let status = site.until("safety_status", json!({}), |status| holds(&of(status))).await?;
    Ok(of(&status))
}

fn has(row: &Value, cause: &str) -> bool {
    find(&row["causes"], "cause", cause).is_some()
}

/// The code and the words with which arming `robot` is refused.
pub(crate) async fn arming_refused(site: &Site, robot: &str) -> anyhow::Result<(String, String)> {
    let refused = site.call("arm_robot", json!({ "robot": robot })).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("{robot} was armed"))?;
    Ok((refused.code, refused.message))
}

/// Registers a limit of arm-1 and gives its id.
pub(crate) async fn limit(site: &Site, params_json: &str) -> anyhow::Result<String> {
    let input = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": params_json });
    let registered = site.get("register_constraint", input).await?;
    Ok(registered["id"].as_str().unwrap_or_default().to_owned())
}

/// Disarms after a look at the robot, once everything is right again; then arms.
pub(crate) async fn arm_after_a_look(site: &mut Site, robot: &str) -> anyhow::Result<()> {
    let rows = |row: &Value| row["causes"].as_array().cloned().unwrap_or_default();
    until_safety(site, robot, |row| rows(row).iter().all(|cause| cause["present"] == false)).await?;
    site.get("disarm_robot", json!({ "robot": robot, "looked": true })).await?;
    until_safety(site, robot, |row| rows(row).is_empty()).await?;
    site.arm(robot).await
}

#[tokio::test(flavor = "multi_thread")]
async fn c4_att_33_a_limit_loosened_by_hand_holds_its_robot_and_no_other_until_the_row_is_right_again()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let id = limit(&site, "0.4").await?;
    site.arm("arm-1").await?;
    site.arm("rover-1").await?;
    let loosened = format!("UPDATE constraint_row SET body = replace(body, '0.4', '0.9') WHERE id = '{id}'");
    edit(&site, &loosened).await?;
    until_safety(&mut site, "arm-1", |row| row["state"] == "hold" && has(row, "set_tampered")).await?;
    let allowed = site.get("check_command", arm_goal([0.4, 0.0, 0.9], 0.5)).await?;
    assert_ne!(allowed["verdict"]["overall"], "allow", "what was edited is not in force: {allowed:#}");
    // Once it is disarmed, nothing arms it again by itself; a late answer holds it for a moment.
    let other = until_safety(&mut site, "rover-1", |row| row["state"] == "armed").await?;
    assert!(!has(&other, "set_tampered"), "{other:#}");

    site.get("disarm_robot", json!({ "robot": "arm-1", "looked": true })).await?;
    let (code, why) = arming_refused(&site, "arm-1").await?;
    assert_eq!(code, "set_tampered");
    assert!(why.contains("robot/arm-1 in constraint_row"), "{why}");
    edit(&site, &loosened.replace("'0.4', '0.9'", "'0.9', '0.4'")).await?;
    arm_after_a_look(&mut site, "arm-1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn c2_c4_rows_edited_between_two_runs_keep_their_robot_from_arming_and_are_named() -> anyhow::Result<()> {
    for (sql, cause, named) in [
        ("DELETE FROM constraint_row WHERE id = '{id}'", "set_tampered", "robot/arm-1 in constraint_row"),
        ("UPDATE constraint_set SET hash = 'aa' WHERE robot = 'arm-1'", "set_tampered", "Row arm-1 of constraint_set"),
        (
            "UPDATE constraint_row SET body = replace(body, 'MaxVelocity', 'Newer') WHERE id = '{id}'",
            "set_unreadable",
            "{id}",
        ),
    ] {
        let site = Site::start().await?;
        let id = limit(&site, "0.4").await?;
        site.api.shutdown().await;
        edit(&site, &sql.replace("{id}", &id)).await?;
        let mut site = site.restart().await?;
        let (code, why) = arming_refused(&site, "arm-1").await?;
        assert_eq!(code, cause, "{sql}: {why}");
        assert!(why.contains(&named.replace("{id}", &id)), "{sql}: {why}");
        site.arm("rover-1").await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c3_a_missing_table_holds_every_robot_and_judges_nothing() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    edit(&site, "ALTER TABLE constraint_row RENAME TO elsewhere").await?;
    until_safety(&mut site, "arm-1", |row| row["state"] == "hold" && has(row, "store_unavailable")).await?;
    let answer = site.get("check_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
    assert_eq!(answer["verdict"]["overall"], json!({ "validator_error": "store_unavailable" }), "{answer:#}");
    assert_eq!(arming_refused(&site, "rover-1").await?.0, "store_unavailable");
    site.get("stop_all", json!({})).await?;
    edit(&site, "ALTER TABLE elsewhere RENAME TO constraint_row").await?;
    until_safety(&mut site, "rover-1", |row| !has(row, "store_unavailable") || row["causes"][0]["present"] == false)
        .await
        .map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn c3_f14_a_latch_that_cannot_be_saved_is_said_and_stands_in_memory() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    edit(
        &site,
        "CREATE TRIGGER full BEFORE INSERT ON latch BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    .await?;
    let stopped = site.get("stop_all", json!({})).await?;
    assert_eq!(stopped["latch_saved"], false);
    let row = until_safety(&mut site, "arm-1", |row| has(row, "store_unavailable")).await?;
    assert_eq!(row["state"], "safe_stop");
    edit(&site, "DROP TRIGGER full").await?;
    site.until("safety_status", json!({}), |status| status["stops"][0]["latch_saved"] == true).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f14_a_full_disk_ends_new_approvals_and_nothing_that_memory_can_decide() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    edit(
        &site,
        "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    .await?;
    let sent = site.get("send_command", arm_goal([0.5, 0.1, 1.0], 0.1)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    until_safety(&mut site, "arm-1", |row| has(row, "audit_unavailable") && row["state"] == "armed").await?;
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.3" });
    assert_eq!(site.refused("register_constraint", limit).await?, "audit_failed");
    let shown = json!({ "id": "pr-1", "version": 1, "action_hash": "00" });
    assert_eq!(site.refused("approve_proposal", shown).await?, "audit_failed");
    edit(&site, "DROP TRIGGER full").await?;
    until_safety(&mut site, "arm-1", |row| !has(row, "audit_unavailable")).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn f27_an_act_whose_record_is_late_is_answered_as_done_and_a_repeat_acts_once() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut held = by_hand(&site).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut held).await?;
    let note = json!({ "text": "the blue crate is heavy", "request_id": "n-1" });
    let first = site.get("remember_note", note.clone()).await?;
    assert_eq!(first["record"], "pending", "it is done, and says that its record is not on disk yet: {first:#}");
    assert_eq!(site.get("remember_note", note.clone()).await?, first);
    let other = json!({ "text": "the red crate is light", "request_id": "n-1" });
    assert_eq!(site.refused("remember_note", other).await?, "request_id_reused");
    let same_id = json!({ "text": "the green crate is empty", "request_id": "n-1" });
    site.api.call(&Session::app_window(), "remember_note", same_id).await?;
    sqlx::query("ROLLBACK").execute(&mut held).await?;
    held.close().await?;

    let notes = site.get("list_notes", json!({})).await?.to_string();
    let found = ["blue crate", "red crate", "green crate"].map(|text| notes.matches(text).count());
    assert_eq!(found, [1, 0, 1], "the ids of one session are not another's: {notes}");
    let recorded = |records: &Value| {
        let rows = records.as_array().map_or(&[][..], Vec::as_slice);
        rows.iter().filter(|row| row["operation"] == "remember_note" && row["outcome"] == "ok").count() == 2
    };
    site.until("list_audit", json!({}), recorded).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn f27_a_click_that_meets_a_late_audit_is_sent_once_the_approval_is_on_record() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.1 1.0 at 0.1 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    edit(
        &site,
        "CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.record LIKE '%\"operation\":\"approval\"%'
         BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    .await?;
    let shown = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    let approved = site.get("approve_proposal", shown).await?;
    assert_eq!((&approved["state"], &approved["record"]), (&json!("approved"), &json!("pending")));
    assert_eq!(site.get("list_proposals", json!({})).await?[0]["state"], "approved", "it waits for its record");
    edit(&site, "DROP TRIGGER full").await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_08_a_click_that_meets_a_database_which_takes_nothing_is_sent_once_it_does() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.1 1.0 at 0.1 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    late(&site).await?;
    let shown = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    assert_eq!(site.get("approve_proposal", shown).await?["state"], "approved");
    assert_eq!(site.get("list_proposals", json!({})).await?[0]["state"], "approved", "it waits for the database");
    in_time(&site).await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await.map(drop)
}
