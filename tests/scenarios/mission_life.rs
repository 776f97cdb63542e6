//! Contexts, rules, jobs and the time of a mission: in force while it lives, and no longer.

use std::time::Duration;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{looked, shown, until_mission, until_state, write};

const HOUR_MS: i64 = 3_600_000;

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
    let life_s = began["expires_at"].as_i64().zip(began["activated_at"].as_i64()).map(|(end, begin)| end - begin);
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

/// A mission that reads the oven under a key of its own, and tells when that is above `fires_above`. It waits until it is
/// above `starts_above`.
fn kitchen(starts_above: i32, fires_above: i32) -> String {
    let provider =
        "{topic_pattern: lab/oven-1/out/state, world_state_key_template: kitchen.heat, value_field: temperature}";
    format!(
        "---\nproviders: [{provider}]\nalerts: [{{predicate: kitchen.heat > {fires_above}, debounce_secs: 3600}}]\n\
         preconditions: [kitchen.heat > {starts_above}]\n---\nTell me when it is hot.\n"
    )
}

/// The ids of the rows of a mission.
async fn ids(site: &Site, operation: &str, mission: &str) -> anyhow::Result<Vec<String>> {
    let rows = site.get(operation, json!({ "mission_id": mission })).await?;
    Ok(rows.as_array().into_iter().flatten().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect())
}

/// The contexts and the rules of a mission that are in force.
fn in_force(shown: &Value) -> (u64, u64) {
    let count = |what: &str| shown["live"][what].as_u64().unwrap_or(u64::MAX);
    (count("providers"), count("alerts"))
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_14_ml_22_ml_23_what_a_text_declares_follows_its_phase_and_what_people_registered_stays()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    write(&site, "kitchen", &kitchen(5_000, -100))?;
    assert_eq!(ids(&site, "list_contexts", "kitchen").await?, [""; 0], "a draft does nothing");
    let waits = site.activate("kitchen").await?;
    assert_eq!((&waits["state"], &waits["reason"]["code"]), (&json!("waiting"), &json!("precondition")), "{waits:#}");
    site.until_key("kitchen.heat", |row| row["freshness"] == "live").await?;
    assert_eq!(in_force(&shown(&site, "kitchen").await?), (1, 0), "a held mission reads and does not tell");
    assert_eq!(ids(&site, "list_alerts", "kitchen").await?, [""; 0]);
    let contexts = ids(&site, "list_contexts", "kitchen").await?;

    write(&site, "kitchen", &kitchen(-200, -100))?;
    site.activate("kitchen").await?;
    until_mission(&mut site, "kitchen", |shown| shown["state"] == "active" && in_force(shown) == (1, 1)).await?;
    site.until("list_alerts", json!({ "mission_id": "kitchen" }), |rows| rows[0]["fires"] == 1).await?;
    assert_eq!(ids(&site, "list_contexts", "kitchen").await?, contexts, "what both texts declare goes on");
    let by_hand = json!({ "mission_id": "kitchen", "predicate": "kitchen.heat > 4000" });
    site.get("register_alert", by_hand).await?;
    assert_eq!(in_force(&shown(&site, "kitchen").await?), (1, 2));
    let rules = ids(&site, "list_alerts", "kitchen").await?;

    let halted = site.get("pause_mission", json!({ "mission_id": "kitchen" })).await?;
    assert_eq!((&halted["live"]["providers"], &halted["live"]["alerts"]), (&json!(0), &json!(0)), "{halted}");
    site.until("list_contexts", json!({ "mission_id": "kitchen" }), |rows| rows[0]["state"] == "paused").await?;
    let mut site = site.restart().await?;
    assert_eq!(
        in_force(&shown(&site, "kitchen").await?),
        (0, 0),
        "nothing of a paused one comes back with the station"
    );
    site.get("resume_mission", json!({ "mission_id": "kitchen" })).await?;
    until_mission(&mut site, "kitchen", |shown| in_force(shown) == (1, 2)).await?;
    assert_eq!(ids(&site, "list_contexts", "kitchen").await?, contexts);
    assert_eq!(ids(&site, "list_alerts", "kitchen").await?, rules, "nothing is registered twice");

    site.get("complete_mission", json!({ "mission_id": "kitchen" })).await?;
    assert_eq!(ids(&site, "list_contexts", "kitchen").await?, [""; 0], "it has ended with its mission");
    let left = site.get("list_alerts", json!({ "mission_id": "kitchen" })).await?;
    assert_eq!((left[0]["predicate"].as_str(), left[1].is_null()), (Some("kitchen.heat > 4000"), true), "{left:#}");
    assert_eq!(in_force(&shown(&site, "kitchen").await?), (0, 0));
    let world = site.get("list_world_state", json!({ "prefix": "kitchen." })).await?;
    assert_eq!(world[0]["key"], "kitchen.heat", "what was written stays, and ages");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_04_a_text_with_another_provider_or_alert_needs_an_admin_and_what_one_accepted_does_not()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = api::Session::app_window();
    write(&site, "kitchen", &kitchen(-200, 4_000))?;
    let text = shown(&site, "kitchen").await?;
    let accept: Vec<Value> = text["problems"].as_array().into_iter().flatten().cloned().collect();
    let accept: Vec<Value> = accept.iter().map(|one| json!({ "code": one["code"], "line": one["line"] })).collect();
    let input = json!({ "mission_id": "kitchen", "hash": text["hash"], "accept": accept });
    let refused = site.api.call(&desk, "activate_mission", input.clone()).await.err();
    assert_eq!(refused.map(|error| error.code), Some("forbidden".to_owned()));
    assert_eq!(ids(&site, "list_contexts", "kitchen").await?, [""; 0]);
    site.get("activate_mission", input.clone()).await?;
    until_mission(&mut site, "kitchen", |shown| in_force(shown) == (1, 1)).await?;
    site.get("complete_mission", json!({ "mission_id": "kitchen" })).await?;
    let again = site.api.call(&desk, "activate_mission", input).await;
    assert!(again.is_ok(), "{:?}", again.err());
    until_mission(&mut site, "kitchen", |shown| in_force(shown) == (1, 1)).await?;
    Ok(())
}

/// The jobs of a mission that have not ended.
async fn open_jobs(site: &Site, mission: &str) -> anyhow::Result<Vec<Value>> {
    let rows = site.get("list_jobs", json!({ "mission_id": mission })).await?;
    let rows = rows.as_array().cloned().unwrap_or_default();
    Ok(rows.into_iter().filter(|row| row["state"] == "pending").collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_21_the_jobs_of_a_text_live_as_long_as_its_mission() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let diary = "{name: diary, every_secs: 3600, operation: list_missions}";
    let line = "{cron_schedule: \"0 20 * * *\", prompt: Write one line.}";
    write(&site, "watch", &format!("---\ntime_zone: Asia/Tokyo\nschedule: [{diary}, {line}]\n---\nWatch.\n"))?;
    assert_eq!(open_jobs(&site, "watch").await?, [Value::Null; 0]);
    site.activate("watch").await?;
    until_state(&mut site, "watch", "active").await?;
    let jobs = open_jobs(&site, "watch").await?;
    let named = |name: &str| jobs.iter().find(|job| job["name"] == name).cloned().unwrap_or_default();
    assert_eq!((jobs.len(), &named("watch/2")["time_zone"]), (2, &json!("Asia/Tokyo")), "{jobs:#?}");
    assert_eq!(
        (&named("watch/2")["prompt_from"], &named("watch/2")["created_by"]),
        (&json!("mission"), &json!(site.admin.actor()))
    );
    let job = named("watch/diary")["id"].clone();
    site.get("run_job", json!({ "id": job })).await?;
    site.until("get_job", json!({ "id": job }), |job| job["runs"][0]["outcome"] == "completed").await?;

    site.activate("watch").await?;
    site.get("pause_mission", json!({ "mission_id": "watch" })).await?;
    assert_eq!(site.refused("run_job", json!({ "id": job })).await?, "mission_not_live");
    let mut site = site.restart_empty().await?;
    site.get("resume_mission", json!({ "mission_id": "watch" })).await?;
    until_state(&mut site, "watch", "active").await?;
    assert_eq!(open_jobs(&site, "watch").await?.len(), 2, "none is scheduled twice");

    write(&site, "watch", &format!("---\nschedule: [{line}]\n---\nWatch.\n"))?;
    site.activate("watch").await?;
    let jobs = open_jobs(&site, "watch").await?;
    assert_eq!(jobs.iter().map(|job| job["name"].clone()).collect::<Vec<_>>(), ["watch/1"], "{jobs:#?}");
    site.until("get_job", json!({ "id": job }), |job| job["state"] == "cancelled").await?;
    site.get("cancel_mission", json!({ "mission_id": "watch" })).await?;
    assert_eq!(open_jobs(&site, "watch").await?, [Value::Null; 0]);
    assert_eq!(shown(&site, "watch").await?["live"]["jobs"], 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mc_12_mc_15_a_storm_on_the_folder_changes_drafts_and_nothing_that_runs() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "watch", "# Watch\n\nWatch the yard.\n")?;
    site.activate("watch").await?;
    until_state(&mut site, "watch", "active").await?;
    let folder = site.data_dir().join("agents/main/missions");
    let file = |n: usize| folder.join(if n == 0 { "watch.md".to_owned() } else { format!("note-{n}.md") });
    // Pieces, truncated files, files that are moved and removed, each a few times and in turn.
    for round in 0..120_usize {
        let path = file(round * 7 % 5);
        match round * 5 % 4 {
            0 => std::fs::write(&path, format!("---\ntitle: Note {round}\nexpires: 1"))?,
            1 => drop(std::fs::rename(&path, file((round + 1) % 5))),
            2 => drop(std::fs::remove_file(&path)),
            _ => std::fs::write(&path, format!("# Note {round}\n\nSomething.\n"))?,
        }
    }
    let text = "---\ntitle: The last word\n---\nWatch the street.\n";
    (0..5).try_for_each(|n| std::fs::write(file(n), text))?;
    let is_last = |row: &Value| row["title"] == "The last word";
    let rows = site.until("list_missions", json!({}), |rows| {
        rows.as_array().is_some_and(|rows| rows.iter().filter(|row| is_last(row)).count() == 5)
    });
    rows.await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_file_changed").is_some()).await?;
    let runs = shown(&site, "watch").await?;
    assert_eq!((&runs["state"], &runs["flags"]), (&json!("active"), &json!(["draft"])), "{runs:#}");
    assert_eq!(runs["activated_source"], "# Watch\n\nWatch the yard.\n");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_16_ml_13_ml_14_the_shipped_patrol_and_monitor_live_at_the_simulated_site() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.activate("dog-monitor").await?;
    // Its rules are in force a moment before it counts as active.
    let is_live = |shown: &Value| in_force(shown) == (0, 1) && shown["state"] == "active";
    let watches = until_mission(&mut site, "dog-monitor", is_live).await?;
    assert_eq!(watches["live"]["jobs"], 1, "{watches:#}");
    site.activate("security-patrol").await?;
    // It waits for its time in memory first, and its rules are registered then.
    let is_ready = |shown: &Value| shown["reason"]["code"] == "trigger" && in_force(shown) == (1, 1);
    let waits = until_mission(&mut site, "security-patrol", is_ready).await?;
    assert_eq!(waits["live"]["jobs"], 1, "{waits:#}");
    assert!(waits["expires_at"].is_i64() && waits["triggers"][0]["next_ms"].is_i64(), "{waits:#}");
    // A trigger that was first looked at after its time waits for the next one.
    looked(&mut site).await?;
    let ten_ms = waits["triggers"][0]["next_ms"].as_i64().unwrap_or_default();
    site.clock.set_wall(ten_ms - site.time.now().wall_ms - 2_000);
    let begun = until_mission(&mut site, "security-patrol", |shown| !shown["triggers"][0]["last_ms"].is_null()).await?;
    assert_eq!(
        (&begun["goals"][0]["state"], &begun["live"]["open_commands"]),
        (&json!("current"), &json!(0)),
        "{begun:#}"
    );
    until_state(&mut site, "security-patrol", "blocked").await?;
    let halted = site.get("cancel_mission", json!({ "mission_id": "security-patrol" })).await?;
    let nothing = json!({ "providers": 0, "alerts": 0, "jobs": 0, "open_commands": 0, "locks": 0 });
    assert_eq!(halted["live"], nothing, "{halted:#}");
    Ok(())
}
