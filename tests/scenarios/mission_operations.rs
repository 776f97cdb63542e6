//! Answers of the operations on missions: which of its texts one shows, and what an act says it has done.

use std::time::Duration;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::mission_steps::{shown, until_state, write};

/// Longest wait for what the station tells.
const DEADLINE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn mo_01_compiled_at_is_of_the_text_that_runs_or_else_of_a_draft_that_has_a_meaning() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "guard", "Guard the gate.\n")?;
    write(&site, "broken", "---\nrobot: arm-1\n---\n")?;
    let of = |rows: &Value, id: &str| find(rows, "id", id).cloned().unwrap_or_default();
    let is_compiled = |rows: &Value| of(rows, "guard")["compiled_at"].is_i64() && of(rows, "broken")["errors"] == 1;
    let rows = site.until("list_missions", json!({}), is_compiled).await?;
    assert_eq!(
        (&of(&rows, "broken")["compiled_at"], &of(&rows, "guard")["activated_at"]),
        (&Value::Null, &Value::Null)
    );
    let drafted = of(&rows, "guard")["compiled_at"].clone();
    assert_eq!(shown(&site, "guard").await?["compiled_at"], drafted, "it is not compiled again without a need");

    site.clock.suspend(Duration::from_secs(100));
    site.activate("guard").await?;
    let active = until_state(&mut site, "guard", "active").await?;
    assert_eq!(active["compiled_at"], active["activated_at"], "{active:#}");
    assert!(active["compiled_at"].as_i64() >= drafted.as_i64().map(|at| at + 100), "{drafted} {active:#}");
    write(&site, "guard", "---\nrobot: arm-1\n---\n")?;
    let is_broken = |rows: &Value| of(rows, "guard")["errors"] == 1;
    let rows = site.until("list_missions", json!({}), is_broken).await?;
    assert_eq!(of(&rows, "guard")["compiled_at"], active["compiled_at"], "what runs still has its meaning");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_02_a_mission_is_shown_with_the_text_that_is_asked_for() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let (first, second) = ("---\nexpires: 8h\n---\nGuard the gate.\n", "---\nexpires: 9h\n---\nGuard the dock.\n");
    write(&site, "guard", first)?;
    let asked = |version: Value| json!({ "mission_id": "guard", "version": version });
    assert_eq!(site.refused("get_mission", asked(json!("activated"))).await?, "not_activated");
    site.activate("guard").await?;
    let base = shown(&site, "guard").await?["hash"].clone();
    site.get("save_mission", json!({ "mission_id": "guard", "base_hash": base, "source": second })).await?;
    let draft = site.get("get_mission", asked(json!("draft"))).await?;
    assert_eq!((&draft["source"], &draft["activated_source"]), (&json!(second), &json!(first)), "{draft:#}");
    assert_eq!(draft, shown(&site, "guard").await?, "the file is meant if nothing is said");
    for version in [json!("activated"), base.clone()] {
        let activated = site.get("get_mission", asked(version)).await?;
        assert_eq!((&activated["source"], &activated["hash"]), (&json!(first), &base), "{activated:#}");
        assert_eq!(activated["activated_source"], Value::Null, "it is the text that runs: {activated:#}");
        assert_eq!((&activated["changes"], &activated["trust"]), (&json!([]), &json!("text")));
        assert_ne!(activated["meaning"], draft["meaning"]);
        for same in ["id", "state", "runs", "activated_hash", "live"] {
            assert_eq!(activated[same], draft[same], "{same} is of the mission, not of a text");
        }
    }
    let third = "Guard nothing.\n";
    site.get("save_mission", json!({ "mission_id": "guard", "base_hash": draft["hash"], "source": third })).await?;
    let earlier = site.get("get_mission", asked(draft["hash"].clone())).await?;
    assert_eq!((&earlier["source"], &earlier["meaning"]), (&draft["source"], &draft["meaning"]));
    assert_eq!(site.refused("get_mission", asked(json!("00"))).await?, "version_not_found");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_10_who_completes_a_mission_is_told_which_missions_it_has_set_free() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    for (id, text) in [
        ("weld", "Weld.\n"),
        ("grind", "Grind.\n"),
        ("inspect", "---\ndepends_on: [weld]\n---\n"),
        ("paint", "---\ndepends_on: [weld, grind]\n---\n"),
        ("polish", "---\ndepends_on: [weld]\n---\n"),
    ] {
        write(&site, id, text)?;
    }
    for id in ["weld", "grind", "inspect", "paint"] {
        site.activate(id).await?;
    }
    let complete = |id: &str| json!({ "mission_id": id });
    let done = site.get("complete_mission", complete("weld")).await?;
    let expected = json!({ "message": "Mission weld completed", "changed": true, "now_ready": ["inspect"] });
    assert_eq!(done, expected, "paint waits for grind too, and nobody has activated polish");
    until_state(&mut site, "inspect", "active").await?;
    let again = site.get("complete_mission", complete("weld")).await?;
    assert_eq!((&again["changed"], &again["now_ready"]), (&json!(false), &json!([])));
    assert_eq!(site.get("complete_mission", complete("grind")).await?["now_ready"], json!(["paint"]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_06_mo_07_mo_08_mo_09_each_act_answers_what_it_did_and_needs_its_role() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "guard", "Guard the gate.\n")?;
    let of = json!({ "mission_id": "guard" });
    for (operation, code) in [("pause_mission", "not_activated"), ("resume_mission", "not_activated")] {
        assert_eq!(site.refused(operation, of.clone()).await?, code, "{operation} of a draft");
    }
    let activated = site.activate("guard").await?;
    assert_eq!(activated["message"], "Mission guard activated");
    assert!(["active", "waiting"].contains(&activated["state"].as_str().unwrap_or_default()), "{activated:#}");
    assert!(activated["activation_id"].to_string().starts_with("\"act-"), "{activated:#}");
    assert_eq!(site.activate("guard").await?["activation_id"], activated["activation_id"], "it is the same activation");
    until_state(&mut site, "guard", "active").await?;

    let nothing = json!({ "providers": 0, "alerts": 0, "jobs": 0, "open_commands": 0, "locks": 0 });
    let halted = |status: &str, changed: bool| json!({ "message": format!("Mission guard {status}"), "changed": changed, "live": nothing, "still_moving": [] });
    assert_eq!(site.get("pause_mission", of.clone()).await?, halted("paused", true));
    assert_eq!(site.get("pause_mission", of.clone()).await?, halted("paused", false));
    let resumed = site.get("resume_mission", of.clone()).await?;
    assert_eq!(
        (&resumed["message"], &resumed["changed"]),
        (&json!("Mission guard resumed"), &json!(true)),
        "{resumed:#}"
    );
    until_state(&mut site, "guard", "active").await?;
    assert_eq!(site.get("resume_mission", of.clone()).await?["changed"], false);
    let answered = json!({ "mission_id": "guard", "answer": "continue" });
    assert_eq!(site.refused("resume_mission", answered).await?, "ask_unknown");

    let desk = api::Session::app_window();
    let refused = site.api.call(&desk, "cancel_mission", of.clone()).await.err();
    assert_eq!(refused.map(|error| error.code), Some("forbidden".to_owned()), "an Operator ends no mission for good");
    assert_eq!(site.get("cancel_mission", of.clone()).await?, halted("cancelled", true));
    assert_eq!(site.get("cancel_mission", of).await?, halted("cancelled", false));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_16_the_same_request_acts_once_and_of_two_desks_at_once_one_does() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    write(&site, "guard", "Guard the gate.\n")?;
    site.activate("guard").await?;
    let asked = json!({ "mission_id": "guard", "request_id": "p-1" });
    let paused = site.get("pause_mission", asked.clone()).await?;
    site.get("resume_mission", json!({ "mission_id": "guard" })).await?;
    assert_eq!((&site.get("pause_mission", asked).await?, &paused["changed"]), (&paused, &json!(true)));
    let state = shown(&site, "guard").await?["state"].clone();
    assert_ne!(state, "paused", "the answer is repeated, the act is not");

    let of = || json!({ "mission_id": "guard" });
    let changes = |answers: [&Value; 2]| answers.iter().filter(|answer| answer["changed"] == true).count();
    for _ in 0..10 {
        let (one, other) = tokio::join!(site.get("pause_mission", of()), site.get("pause_mission", of()));
        assert_eq!(changes([&one?, &other?]), 1, "one pauses it, and for the other it is so already");
        let (one, other) = tokio::join!(site.get("resume_mission", of()), site.get("resume_mission", of()));
        assert_eq!(changes([&one?, &other?]), 1);
    }
    let (completed, cancelled) = tokio::join!(site.call("complete_mission", of()), site.call("cancel_mission", of()));
    let (status, refused) = match (completed, cancelled) {
        (Ok(done), Err(refused)) if done["changed"] == true => ("completed", refused),
        (Err(refused), Ok(done)) if done["changed"] == true => ("cancelled", refused),
        both => anyhow::bail!("one ends it: {both:?}"),
    };
    assert_eq!(refused.code, "mission_ended", "the other is told what it is now");
    // What was answered is on disk.
    let mut site = site.crash_empty().await?;
    until_state(&mut site, "guard", status).await?;
    let told = site.get("mission_history", json!({ "mission_id": "guard" })).await?;
    assert_eq!(told["steps"][0]["status"], status, "{told:#}");
    Ok(())
}

/// Reads the missions again whenever the station says that `guard` has changed, and never else, until `holds`.
async fn until_told(site: &Site, frames: &mut api::Frames, holds: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
    let told = async {
        while let Some(frame) = frames.next().await {
            let tags = json!(frame.tags);
            let is_any = tags.as_array().is_some_and(|tags| tags.contains(&json!("missions")));
            let is_told = is_any || frame.missions.iter().any(|id| id.as_str() == "guard");
            if is_told && holds(&site.get("mission_graph", json!({})).await?) {
                return Ok(());
            }
        }
        anyhow::bail!("the station ended")
    };
    tokio::time::timeout(DEADLINE, told).await?
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_17_every_change_of_a_mission_its_goals_and_its_file_is_told() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let mut frames = site.api.subscribe(&site.admin);
    let of = |graph: &Value| find(&graph["nodes"], "id", "guard").cloned().unwrap_or_default();
    write(&site, "guard", "Guard the gate.\n")?;
    until_told(&site, &mut frames, |graph| of(graph)["state"] == "draft").await?;
    write(&site, "guard", "---\ntitle: Guard\ngoals: [{wait_secs: 1}, Look at the gate]\n---\n")?;
    until_told(&site, &mut frames, |graph| of(graph)["title"] == "Guard").await?;
    site.activate("guard").await?;
    until_told(&site, &mut frames, |graph| of(graph)["goals_done"] == 1).await?;
    site.get("complete_mission", json!({ "mission_id": "guard", "goal": 2 })).await?;
    until_told(&site, &mut frames, |graph| of(graph)["state"] == "completed").await?;
    std::fs::remove_file(site.data_dir().join("agents/main/missions/guard.md"))?;
    until_told(&site, &mut frames, |graph| of(graph)["flags"] == json!(["file_missing"])).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_34_acts_on_a_mission_its_end_and_what_was_refused_are_on_record_with_their_authors() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "pause", "---\ngoals: [{wait_secs: 1}]\n---\nWait.\n")?;
    site.until_ok("get_mission", json!({ "mission_id": "pause" })).await?;
    site.get("dry_run_mission", json!({ "mission_id": "pause" })).await?;
    site.activate("pause").await?;
    until_state(&mut site, "pause", "completed").await?;
    assert_eq!(site.refused("pause_mission", json!({ "mission_id": "pause" })).await?, "mission_ended");
    let record = |rows: &Value, operation: &str, outcome: &str, detail: &str| {
        let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
        let is_it = |row: &&Value| {
            (row["operation"] == operation && row["outcome"] == outcome)
                && row["detail"].as_str().is_some_and(|said| said.contains(detail))
        };
        rows.iter().find(is_it).cloned()
    };
    let all = |rows: &Value| record(rows, "mission_transition", "ok", "status=completed").is_some();
    let rows = site.until("list_audit", json!({ "limit": 1_000 }), all).await?;
    for (operation, outcome) in
        [("dry_run_mission", "ok"), ("activate_mission", "ok"), ("pause_mission", "mission_ended")]
    {
        let found = record(&rows, operation, outcome, "");
        assert!(found.is_some_and(|row| row["actor"] != "supervision"), "{operation} {outcome}: {rows:#}");
    }
    let end = record(&rows, "mission_transition", "ok", "mission=pause").unwrap_or_default();
    assert_eq!(end["actor"], "supervision", "nobody has ended it: {end:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_22_a_pause_of_all_lets_none_go_on_while_the_disk_takes_its_time() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    for id in ["guard", "look", "watch"] {
        write(&site, id, "Guard the gate.\n")?;
        site.until_ok("get_mission", json!({ "mission_id": id })).await?;
        site.activate(id).await?;
        until_state(&mut site, id, "active").await?;
    }
    let options = SqliteConnectOptions::new().filename(site.data_dir().join("agents/main/memory.db"));
    let mut held = SqliteConnection::connect_with(&options).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut held).await?;
    let all_stand = async {
        let mut looks = tokio::time::interval(Duration::from_millis(50));
        loop {
            looks.tick().await;
            let rows = site.get("list_missions", json!({})).await?;
            let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
            if rows.len() == 3 && rows.iter().all(|row| row["status"] == "paused") {
                return anyhow::Ok(());
            }
        }
    };
    let (stand, answer) =
        tokio::join!(tokio::time::timeout(DEADLINE, all_stand), site.call("pause_all_missions", json!({})),);
    stand??;
    let refused = answer.err().ok_or_else(|| anyhow::anyhow!("it was answered though it is not on disk"))?;
    assert_eq!(refused.status(), 503, "{refused:?}");
    sqlx::query("ROLLBACK").execute(&mut held).await?;
    held.close().await?;
    // What the disk did not take is written once it does: none of them goes on after a restart.
    for id in ["guard", "look", "watch"] {
        let is_written = |told: &Value| told["steps"][0]["status"] == "paused";
        site.until("mission_history", json!({ "mission_id": id }), is_written).await?;
    }
    let site = site.restart_empty().await?;
    let rows = site.get("list_missions", json!({})).await?;
    assert!(rows.as_array().is_some_and(|rows| rows.iter().all(|row| row["status"] == "paused")), "{rows:#}");
    Ok(())
}
