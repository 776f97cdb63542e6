//! Jobs: what is scheduled, what runs when it is due, and what a crash, a failure or a busy agent makes of a run.

use std::path::Path;

use api::Session;
use quarterdeck_tests::{Site, arm_goal, find};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use world::cron::{Zone, parse_rfc3339};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

/// Schedules a task and gives its id.
async fn schedule(site: &Site, input: Value) -> anyhow::Result<String> {
    let answer = site.get("schedule_task", input).await?;
    Ok(answer["id"].as_str().unwrap_or_default().to_owned())
}

/// The wall clock of the station, UTC milliseconds, plus so many seconds.
pub async fn in_seconds(site: &Site, seconds: i64) -> anyhow::Result<String> {
    let preview = site.get("preview_schedule", json!({ "every_secs": 60, "time_zone": "UTC" })).await?;
    let in_a_minute_ms = preview["next"][0]["utc"].as_str().and_then(parse_rfc3339).unwrap_or_default();
    Ok(Zone::utc().rfc3339(in_a_minute_ms + (seconds - 60) * 1_000))
}

/// Waits for a job to be as `holds` says.
async fn until_job(site: &mut Site, id: &str, holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
    site.until("get_job", json!({ "id": id }), holds).await
}

/// The outcomes of a job's runs, newest first.
fn outcomes(job: &Value) -> Vec<&str> {
    job["runs"].as_array().into_iter().flatten().filter_map(|run| run["outcome"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn j_01_j_02_j_03_j_04_what_cannot_be_a_job_is_refused_and_nothing_is_stored() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let status = json!({ "prompt": "status", "cron_schedule": "0 7 * * *" });
    let with = |field: &str, value: Value| {
        let mut input = status.clone();
        input[field] = value;
        input
    };
    for (input, code) in [
        (json!({ "prompt": "status" }), "invalid_schedule"),
        (json!({ "cron_schedule": "0 7 * * *" }), "invalid_schedule"),
        (with("at", json!("07:00")), "invalid_schedule"),
        (with("every_secs", json!(60)), "invalid_schedule"),
        (with("operation", json!("list_missions")), "invalid_schedule"),
        (with("input", json!({})), "invalid_schedule"),
        (with("prompt", json!("Summarise the night.")), "invalid_schedule"),
        (with("prompt", json!("  ")), "invalid_schedule"),
        (with("cron_schedule", json!("60 * * * *")), "invalid_cron"),
        (with("cron_schedule", json!("0 9 30 2 *")), "invalid_cron"),
        (with("cron_schedule", json!("*/30 * * * * *")), "invalid_cron"),
        (with("time_zone", json!("Europe/Berln")), "unknown_time_zone"),
        (with("mission_id", json!("no-such-mission")), "mission_not_found"),
        (with("name", json!("")), "invalid_schedule"),
        (with("grace_secs", json!(604_801)), "out_of_range"),
        (with("max_retries", json!(11)), "out_of_range"),
        (with("colour", json!("red")), "invalid_input"),
        (json!({ "prompt": "status", "every_secs": 59 }), "out_of_range"),
        (json!({ "prompt": "status", "at": "tomorrow" }), "invalid_schedule"),
        (json!({ "prompt": "status", "at": "07:00", "recurrence": true }), "invalid_schedule"),
        (json!({ "operation": "list_mision", "at": "07:00" }), "unknown_operation"),
        (json!({ "operation": "register_alert", "input": {}, "at": "07:00" }), "invalid_schedule"),
        (json!({ "operation": "list_missions", "input": { "colour": 1 }, "at": "07:00" }), "invalid_input"),
    ] {
        assert_eq!(site.refused("schedule_task", input.clone()).await?, code, "{input}");
    }
    let refused = site.call("schedule_task", with("cron_schedule", json!("0 25 * * *"))).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("not refused"))?;
    assert_eq!(
        (refused.status(), &refused.details["field"], &refused.details["column"]),
        (422, &json!("hour"), &json!(3))
    );
    assert_eq!(site.get("list_jobs", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_04_a_preview_says_the_next_five_times_and_the_schedule_in_words() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let input = json!({ "cron_schedule": "0 9 * * 1", "time_zone": "Europe/Berlin", "prompt": "status" });
    let preview = site.get("preview_schedule", input).await?;
    assert_eq!(preview["words"], "at 09:00 on Monday, Europe/Berlin");
    let next = preview["next"].as_array().cloned().unwrap_or_default();
    assert_eq!(next.len(), 5);
    for time in next {
        let [local_ms, utc_ms] = ["local", "utc"].map(|name| time[name].as_str().and_then(parse_rfc3339));
        assert!(
            local_ms.is_some() && local_ms == utc_ms && time["local"].to_string().contains("T09:00:00+0"),
            "{time}"
        );
    }
    assert_eq!(site.get("list_jobs", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn op_04_j_12_j_13_a_task_is_listed_by_its_name_and_a_second_of_that_name_is_none() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let task = json!({
        "prompt": "status", "cron_schedule": "0 7 * * *", "time_zone": "Europe/Berlin", "name": "night summary"
    });
    let answer = site.get("schedule_task", task.clone()).await?;
    let id = answer["id"].as_str().unwrap_or_default();
    assert_eq!(answer["message"], format!("Task {id} scheduled"));
    assert!(id.starts_with("job-") && answer["next_runs"][0].to_string().contains("T07:00:00+0"), "{answer}");
    let refused = site.call("schedule_task", task.clone()).await.err();
    let refused = refused.ok_or_else(|| anyhow::anyhow!("two jobs of one name"))?;
    assert_eq!((refused.code.as_str(), refused.status(), &refused.details["id"]), ("job_exists", 409, &json!(id)));
    let site = site.restart_empty().await?;
    let rows = site.get("list_jobs", json!({ "status": "pending" })).await?;
    assert_eq!((rows.as_array().map(Vec::len), &rows[0]["name"]), (Some(1), &json!("night summary")));
    assert_eq!(rows[0]["words"], "at 07:00 every day, Europe/Berlin");
    assert_eq!(rows[0]["cron_schedule"], "0 7 * * *");
    assert_eq!(site.get("list_jobs", json!({ "status": "paused" })).await?, json!([]));

    for (act, state) in [("pause_job", "paused"), ("resume_job", "pending"), ("cancel_job", "cancelled")] {
        assert_eq!(site.get(act, json!({ "id": id })).await?["state"], state, "{act}");
        assert_eq!(site.refused(act, json!({ "id": id })).await?, "wrong_state", "{act} again");
    }
    for act in ["pause_job", "resume_job", "run_job", "retry_job"] {
        assert_eq!(site.refused(act, json!({ "id": id })).await?, "wrong_state", "{act} after the end");
    }
    // The name is free again.
    site.get("schedule_task", task).await?;
    let past = json!({ "operation": "list_missions", "input": {}, "at": "2026-03-09T07:00:00+01:00" });
    assert!(site.get("schedule_task", past).await?["message"].to_string().contains("Task job-"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_05_m_09_a_desks_command_runs_as_a_turn_of_its_own_session_and_is_recorded() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let id = schedule(&site, json!({ "prompt": "missions", "every_secs": 3_600 })).await?;
    site.get("run_job", json!({ "id": id })).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["completed"]).await?;
    assert_eq!((&job["state"], &job["retries"]), (&json!("pending"), &json!(0)));
    let run = &job["runs"][0];
    assert!(run["turn"].to_string().contains("turn-") && run["late"] == false && run["attempt"] == 1, "{run}");
    let said = site.get("get_transcript", json!({ "session": "autonomy" })).await?;
    let said = said["entries"].as_array().cloned().unwrap_or_default();
    assert!(said[0]["origin"] == "operator(admin)" && said[0]["content"].to_string().contains("scheduled] missions"));
    assert_eq!(site.get("get_transcript", json!({})).await?["entries"], json!([]), "the desk is left alone");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_01_an_operation_that_moves_something_becomes_a_proposal() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let input = json!({ "operation": "send_command", "input": arm_goal([0.5, 0.2, 1.0], 0.2), "every_secs": 3_600, "name": "stretch" });
    let id = schedule(&site, input).await?;
    site.get("run_job", json!({ "id": id })).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    assert_eq!((&card["operation"], &card["reason"]), (&json!("send_command"), &json!("It is due by stretch.")));
    // Nothing is done yet, and the run says what it waits for.
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["proposed"]).await?;
    assert_eq!((&job["state"], &job["runs"][0]["proposal"]), (&json!("running"), &card["id"]), "{job:#}");
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["completed"]).await?;
    assert_eq!((&job["runs"][0]["actuated"], &job["state"]), (&json!(true), &json!("pending")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_07_a_run_that_asks_ends_as_a_person_decides_and_is_retried_only_if_nobody_did() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("set_mode", json!({ "mode": "ask" })).await?;
    let note = json!({ "text": "feed the cat" });
    let task = json!({ "operation": "remember_note", "input": note, "every_secs": 3_600 });
    let id = schedule(&site, task).await?;
    let run = json!({ "id": id });
    site.get("run_job", run.clone()).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    until_job(&mut site, &id, |job| outcomes(job) == ["proposed"]).await?;
    let rejected = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", rejected).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["failed"]).await?;
    assert!(job["runs"][0]["error"].as_str().is_some_and(|error| error.starts_with("rejected")), "{job:#}");
    assert_eq!((&job["state"], &job["retry_at"]), (&json!("pending"), &Value::Null), "a no is not asked again");

    // Cancelled while it waits: nobody can approve it any more.
    site.get("run_job", run.clone()).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    until_job(&mut site, &id, |job| outcomes(job)[0] == "proposed").await?;
    site.get("cancel_job", run).await?;
    until_job(&mut site, &id, |job| outcomes(job)[0] == "cancelled").await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "voided").await?;

    // Cut off while it waits: nothing was done, so it is tried again.
    let again = json!({ "operation": "remember_note", "input": { "text": "feed the dog" }, "every_secs": 3_600 });
    let id = schedule(&site, again).await?;
    site.get("run_job", json!({ "id": id })).await?;
    until_job(&mut site, &id, |job| outcomes(job) == ["proposed"]).await?;
    let site = site.restart_empty().await?;
    let job = site.get("get_job", json!({ "id": id })).await?;
    assert_eq!(outcomes(&job), ["failed"], "{job:#}");
    assert_eq!(job["runs"][0]["error"], "the station ended before anybody decided");
    assert!(job["state"] == "pending" && job["retry_at"].is_i64(), "{job:#}");
    Ok(())
}

/// Starts a job whose turn asks to move the arm and goes on without the answer, because a person speaks: the job and the card.
async fn leave_a_card_open(site: &mut Site) -> anyhow::Result<(String, Value)> {
    let id = schedule(site, json!({ "prompt": MOVE, "every_secs": 3_600 })).await?;
    site.get("run_job", json!({ "id": id })).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    let said = site.get("get_transcript", json!({})).await?["entries"].as_array().map_or(0, Vec::len);
    site.get("send_message", json!({ "text": "missions" })).await?;
    // The desk has its answer only once the turn of the job is over.
    let answered = |page: &Value| page["entries"].as_array().is_some_and(|all| all.len() > said + 1);
    site.until("get_transcript", json!({}), |page| answered(page) && page["running"].is_null()).await?;
    Ok((id, card))
}

#[tokio::test(flavor = "multi_thread")]
async fn j_07_a_prompt_whose_card_waits_on_is_not_done_and_ends_as_the_card_does() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("set_mode", json!({ "mode": "ask" })).await?;
    site.arm("arm-1").await?;
    let (id, card) = leave_a_card_open(&mut site).await?;
    let job = site.get("get_job", json!({ "id": id })).await?;
    assert_eq!((outcomes(&job), &job["state"]), (vec!["proposed"], &json!("running")), "{job:#}");
    assert_eq!(job["runs"][0]["proposal"], card["id"]);
    let rejected = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", rejected).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["failed"]).await?;
    assert!(job["last_error"].as_str().is_some_and(|error| error.starts_with("rejected")), "{job:#}");
    assert_eq!((&job["state"], &job["retry_at"]), (&json!("pending"), &Value::Null), "a no is not asked again");

    let (id, card) = leave_a_card_open(&mut site).await?;
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["completed"]).await?;
    assert_eq!((&job["state"], &job["last_error"]), (&json!("pending"), &Value::Null), "{job:#}");

    // Cancelled while it waits: nobody can approve it any more.
    let (id, card) = leave_a_card_open(&mut site).await?;
    site.get("cancel_job", json!({ "id": id })).await?;
    until_job(&mut site, &id, |job| outcomes(job) == ["cancelled"]).await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "voided").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn j_10_a_card_that_was_approved_when_the_station_ended_is_neither_done_nor_asked_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("set_mode", json!({ "mode": "ask" })).await?;
    let note = |text: &str| json!({ "operation": "remember_note", "input": { "text": text }, "every_secs": 3_600 });
    let mut jobs = Vec::new();
    for (text, state) in [("feed the cat", "dispatched"), ("feed the dog", "done"), ("feed the cow", "failed")] {
        let id = schedule(&site, note(text)).await?;
        site.get("run_job", json!({ "id": id })).await?;
        let job = until_job(&mut site, &id, |job| outcomes(job) == ["proposed"]).await?;
        jobs.push((id, state, job["runs"][0]["proposal"].as_str().unwrap_or_default().to_owned()));
    }
    // As a crash right after the click leaves it: the approval is on disk, and the run has not heard of it.
    let (folder, shut) = (site.data_dir().to_owned(), site);
    let site = shut
        .edited(|_| {
            std::thread::scope(|scope| scope.spawn(|| approve_on_disk(&folder, &jobs)).join())
                .unwrap_or_else(|_| Err(anyhow::anyhow!("the approvals are not on disk")))
        })
        .await?;
    let mut found = Vec::new();
    for (id, _, _) in &jobs {
        let job = site.get("get_job", json!({ "id": id })).await?;
        found.push((outcomes(&job)[0].to_owned(), job["state"].clone()));
    }
    let expected = [("interrupted", "dead_letter"), ("completed", "pending"), ("failed", "pending")]
        .map(|(outcome, state)| (outcome.to_owned(), json!(state)));
    assert_eq!(found, expected);
    Ok(())
}

/// Writes into the database of a station that has ended that these cards were approved, and how far each came.
fn approve_on_disk(folder: &Path, jobs: &[(String, &str, String)]) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let options = SqliteConnectOptions::new().filename(folder.join("station.db"));
        let mut file = SqliteConnection::connect_with(&options).await?;
        for (_, state, proposal) in jobs {
            sqlx::query("INSERT INTO approval (proposal, version, action_hash, by, state, at_ms, body) VALUES (?1, 1, '', 'desk', ?2, 0, '{}')")
                .bind(proposal)
                .bind(*state)
                .execute(&mut file)
                .await?;
        }
        Ok(file.close().await?)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn j_09_a_time_that_has_passed_is_run_late_within_its_grace_and_missed_beyond_it() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let a_minute_ago = in_seconds(&site, -60).await?;
    let task = |grace_secs: u32| json!({ "operation": "list_missions", "at": a_minute_ago, "grace_secs": grace_secs, "time_zone": "UTC" });
    let within = schedule(&site, task(3_600)).await?;
    let job = until_job(&mut site, &within, |job| job["state"] == "completed").await?;
    assert_eq!((outcomes(&job), &job["runs"][0]["late"]), (vec!["completed"], &json!(true)));
    let beyond = schedule(&site, task(30)).await?;
    let job = until_job(&mut site, &beyond, |job| job["state"] == "failed").await?;
    assert_eq!((outcomes(&job), &job["runs"][0]["error"]), (vec!["missed"], &json!("too_late")));
    assert_eq!(job["last_error"], "missed: too_late");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_11_jobs_of_a_mission_that_is_not_live_do_not_start() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let missions = site.get("list_missions", json!({})).await?;
    let past = in_seconds(&site, -10).await?;
    let input = json!({ "operation": "list_missions", "at": past, "mission_id": missions[0]["id"] });
    let id = schedule(&site, input).await?;
    let job = until_job(&mut site, &id, |job| job["state"] == "failed").await?;
    assert_eq!((outcomes(&job), &job["runs"][0]["error"]), (vec!["missed"], &json!("mission_not_live")));
    assert_eq!(site.refused("run_job", json!({ "id": id })).await?, "mission_not_live");
    let of_mission = site.get("list_jobs", json!({ "mission_id": missions[0]["id"] })).await?;
    assert_eq!(of_mission[0]["id"], json!(id));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_07_j_08_a_failure_is_tried_again_and_a_bad_input_is_not() -> anyhow::Result<()> {
    let manifest = json!({ "arm-7": "schema = 1\ncolour = \"red\"\n" });
    let mut site = Site::start_with(&manifest).await?;
    let mut goal = arm_goal([0.5, 0.2, 1.0], 0.2);
    goal["robot"] = json!("arm-7");
    let task = |max_retries: u32| json!({ "operation": "check_command", "input": goal, "every_secs": 3_600, "max_retries": max_retries });
    let tried = schedule(&site, task(3)).await?;
    site.get("run_job", json!({ "id": tried })).await?;
    let job = until_job(&mut site, &tried, |job| outcomes(job) == ["failed"]).await?;
    assert_eq!((&job["state"], &job["retries"]), (&json!("pending"), &json!(1)));
    let wait_s = job["retry_at"].as_i64().unwrap_or(0) - job["runs"][0]["ended_at"].as_i64().unwrap_or(0);
    assert!((53..=67).contains(&wait_s), "the first retry comes after about a minute: {wait_s} s");

    let given_up = schedule(&site, task(0)).await?;
    site.get("run_job", json!({ "id": given_up })).await?;
    until_job(&mut site, &given_up, |job| job["state"] == "dead_letter").await?;
    let raised = |rows: &Value| find(rows, "source", "job_dead_letter").cloned();
    let alarms = site.until("list_alarms", json!({}), |rows| raised(rows).is_some()).await?;
    let alarm = raised(&alarms).unwrap_or_default();
    assert_eq!((&alarm["priority"], &alarm["agent"]), (&json!(3), &json!("main")), "{alarm:#}");
    assert!(alarm["message"].to_string().contains(&given_up), "{alarm:#}");
    site.get("retry_job", json!({ "id": given_up })).await?;
    let job = until_job(&mut site, &given_up, |job| outcomes(job) == ["failed", "failed"]).await?;
    assert_eq!((&job["state"], &job["runs"][0]["attempt"]), (&json!("dead_letter"), &json!(2)));

    let unknown = json!({ "operation": "list_constraints", "input": { "robot": "arm-9" }, "every_secs": 3_600 });
    let refused = schedule(&site, unknown).await?;
    site.get("run_job", json!({ "id": refused })).await?;
    let job = until_job(&mut site, &refused, |job| outcomes(job) == ["failed"]).await?;
    assert_eq!((&job["state"], &job["retries"]), (&json!("pending"), &json!(0)), "not tried again");
    Ok(())
}

/// A turn of the desk that waits for a click holds every later turn up for a while.
async fn block_the_desk(site: &mut Site) -> anyhow::Result<()> {
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    site.until_proposal(|card| card["state"] == "waiting").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn j_10_cw_23_a_run_cut_off_by_a_crash_is_tried_again_unless_it_moved_something() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let mover = schedule(&site, json!({ "prompt": MOVE, "every_secs": 3_600 })).await?;
    site.get("run_job", json!({ "id": mover })).await?;
    site.until_proposal(|card| card["state"] == "waiting").await?;
    let waits = schedule(&site, json!({ "prompt": "missions", "every_secs": 3_600 })).await?;
    site.get("run_job", json!({ "id": waits })).await?;

    let mut site = site.crash().await?;
    let moved = site.get("get_job", json!({ "id": mover })).await?;
    assert_eq!((&moved["state"], outcomes(&moved)), (&json!("dead_letter"), vec!["interrupted"]), "{moved:#}");
    assert_eq!(moved["last_error"], "interrupted_after_actuation");
    let waited = until_job(&mut site, &waits, |_| true).await?;
    assert_eq!((&waited["state"], outcomes(&waited)), (&json!("pending"), vec!["interrupted"]), "{waited:#}");
    assert!(waited["retry_at"].is_i64() && waited["retries"] == 1, "{waited:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_06_a_time_that_comes_while_the_job_runs_is_recorded_as_overlap() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    block_the_desk(&mut site).await?;
    // Time enough to begin it by hand before that.
    let soon = in_seconds(&site, 10).await?;
    let id = schedule(&site, json!({ "prompt": "missions", "at": soon })).await?;
    site.get("run_job", json!({ "id": id })).await?;
    assert_eq!(site.refused("run_job", json!({ "id": id })).await?, "wrong_state");
    let job = until_job(&mut site, &id, |job| outcomes(job).contains(&"overlap")).await?;
    assert_eq!((&job["state"], outcomes(&job)), (&json!("running"), vec!["overlap", "running"]));
    site.get("cancel_job", json!({ "id": id })).await?;
    site.get("stop_all", json!({})).await?;
    let job = until_job(&mut site, &id, |job| outcomes(job) == ["overlap", "cancelled"]).await?;
    assert_eq!(job["state"], "cancelled");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_05_a_07_a_due_job_waits_while_another_turn_runs_by_itself() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let now = in_seconds(&site, 0).await?;
    let first = schedule(&site, json!({ "prompt": MOVE, "at": now })).await?;
    site.until_proposal(|card| card["state"] == "waiting").await?;
    let now = in_seconds(&site, 0).await?;
    let second = schedule(&site, json!({ "prompt": "missions", "at": now })).await?;
    until_job(&mut site, &second, |job| job["state"] == "waiting").await?;
    site.get("stop_all", json!({})).await?;
    let stopped = until_job(&mut site, &first, |job| outcomes(job) == ["cancelled"]).await?;
    assert_eq!(stopped["state"], "cancelled", "a stop ends a job that is due once");
    until_job(&mut site, &second, |job| job["state"] == "completed").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn j_13_jobs_are_changed_by_operators_and_seen_by_everybody() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let operator = Session::app_window();
    let task = json!({ "prompt": "status", "every_secs": 60 });
    let answer = site.api.call(&operator, "schedule_task", task).await?;
    let row = site.get("get_job", json!({ "id": answer["id"] })).await?;
    assert_eq!((&row["prompt"], &row["prompt_from"]), (&json!("status"), &json!("desk")));
    assert_eq!((&row["every_secs"], &row["words"]), (&json!(60), &json!("every minute")));
    assert_eq!(row["created_by"], "desk");
    Ok(())
}
