//! Forgetting: a phrase, a number or a name is in no file and on no screen of the station, and what may not be touched is named.

use std::path::Path;
use std::sync::Arc;

use bridge::{Link, LinkConfig};
use memory::forget::{StationFiles, Whose};
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::station_files::holding;
use quarterdeck_tests::{Site, find};
use robot::{Codec, Now};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use crate::episodes::{holders, until_found};

/// A phrase that a sensor says too, and that rules and jobs quote.
const PHRASE: &str = "the vault opens with 4711-quartz";
const BOARD: &str = "lab/board/out/text";

/// Has the sensor say the phrase, so that a rule on it fires, then goes.
async fn say_on_the_board(site: &mut Site) -> anyhow::Result<()> {
    let context = json!({
        "topic_pattern": BOARD, "world_state_key_template": "board.text", "value_field": "text",
        "max_age_secs": 3_600, "closed_sets": { "text": [PHRASE] },
    });
    site.get("configure_context", context).await?;
    let rule = json!({
        "predicate": format!("board.text = '{PHRASE}'"), "description": format!("It says: {PHRASE}"),
        "alarm": {
            "cause": "The board shows something.", "consequence": "mission", "response": "Read the board.",
            "time_to_respond_secs": 300,
        },
    });
    site.get("register_alert", rule).await?;
    let quiet = json!({ "predicate": "board.text != 'nothing'", "description": format!("It says now: {PHRASE}") });
    site.get("register_alert", quiet).await?;
    let held = json!({ "subject": "board", "predicate": "text", "value": PHRASE, "confidence": 0.5 });
    site.get("update_belief", held).await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher(BOARD, Codec::Json)?;
    let payload = json!({ "text": PHRASE, "confidence": 0.9 }).to_string();
    site.put_until(|| Ok(publisher.put(payload.clone().into_bytes())?), ("board.text", json!(PHRASE))).await?;
    link.close().await;
    site.until("list_alarms", json!({}), |rows| rows[0].to_string().contains(PHRASE)).await?;
    site.until("list_events", json!({}), |rows| rows.to_string().contains(PHRASE)).await?;
    let history = json!({ "subject": "board", "predicate": "text" });
    site.until("belief_history", history, |found| found.to_string().contains("\"confirmed\"")).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_what_is_forgotten_is_in_nothing_that_the_station_holds_shows_or_writes_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let folder = site.data_dir().join("agents/main");
    say_on_the_board(&mut site).await?;
    site.say(PHRASE).await?;
    let mission = folder.join("missions/guard.md");
    std::fs::write(&mission, format!("---\ntitle: Guard\n---\nKnow that {PHRASE}.\n"))?;
    let shown = site.get("get_mission", json!({ "mission_id": "guard" })).await?;
    site.get("activate_mission", json!({ "mission_id": "guard", "hash": shown["hash"] })).await?;
    // A person takes it out of the file; the activated text has it still.
    std::fs::write(&mission, "---\ntitle: Guard\n---\nGuard.\n")?;
    let note = json!({ "text": format!("Know that {PHRASE}.") });
    let task = json!({ "operation": "remember_note", "input": note, "at": "2099-01-01T00:00:00Z", "name": PHRASE });
    site.get("schedule_task", task).await?;
    std::fs::create_dir_all(folder.join("sessions/desk.out"))?;
    std::fs::write(folder.join("sessions/desk.out/1.txt"), format!("before {PHRASE} after"))?;
    until_found(&mut site, "vault quartz", "user").await?;

    let done = site.get("memory_forget", json!({ "query": "vault quartz", "reason": "the code was changed" })).await?;
    assert_eq!(holders(site.data_dir(), PHRASE)?, Vec::<String>::new());
    for place in ["spilled", "mission_version", "world_history", "alert_fire", "alarm_event", "job"] {
        assert!(done["places"][place].as_u64() > Some(0), "{place}: {done:#}");
    }
    let shows = [
        ("list_world_state", json!({})),
        ("list_contexts", json!({})),
        ("list_alerts", json!({})),
        ("list_alarms", json!({ "preset": "all" })),
        ("list_events", json!({ "limit": 1_000 })),
        ("list_jobs", json!({})),
        ("list_beliefs", json!({})),
        ("get_mission", json!({ "mission_id": "guard" })),
        ("get_transcript", json!({})),
        ("get_transcript", json!({ "session": "autonomy" })),
        ("list_topics", json!({})),
        ("memory_search", json!({ "query": "quartz" })),
    ];
    for (operation, input) in &shows {
        let answer = site.get(operation, input.clone()).await?.to_string();
        assert!(!answer.contains(PHRASE), "{operation}: {answer}");
    }
    assert_eq!(site.refused("explain_world_entry", json!({ "key": "board.text" })).await?, "key_not_found");

    let site = site.restart_empty().await?;
    for (operation, input) in &shows {
        let answer = site.get(operation, input.clone()).await?.to_string();
        assert!(!answer.contains(PHRASE), "{operation} after a restart: {answer}");
    }
    assert_eq!(holders(site.data_dir(), PHRASE)?, Vec::<String>::new());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_13_a_file_of_a_person_that_holds_it_is_named_and_the_next_start_looks_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mission = site.data_dir().join("agents/main/missions/guard.md");
    std::fs::write(&mission, format!("Know that {PHRASE}.\n"))?;
    site.say(PHRASE).await?;
    until_found(&mut site, "vault quartz", "user").await?;
    let refused =
        site.call("memory_forget", json!({ "query": "vault quartz", "reason": "the code was changed" })).await;
    let refused = refused.err().ok_or_else(|| anyhow::anyhow!("the file holds it"))?;
    assert_eq!((refused.code.as_str(), refused.status()), ("incomplete", 503));
    assert_eq!(refused.details["files"], json!(["missions/guard.md"]));
    let raised = |rows: &Value| find(rows, "source", "forgetting_incomplete").cloned().unwrap_or_default();
    let alarm = raised(&site.get("list_alarms", json!({})).await?);
    assert_eq!((&alarm["priority"], &alarm["state"]), (&json!(3), &json!("unack_active")), "{alarm:#}");
    let mut site =
        site.edited(|folder| Ok(std::fs::write(folder.join("agents/main/missions/guard.md"), "Guard.\n")?)).await?;
    site.until("list_alarms", json!({}), |rows| raised(rows)["state"] == "unack_returned").await?;
    let audit = site.get("list_audit", json!({ "limit": 1_000 })).await?;
    assert!(audit.as_array().is_some_and(|rows| rows.iter().any(|row| row["operation"] == "tombstone")));
    Ok(())
}

/// A context on the board and one value from it.
async fn show_on_the_board(site: &mut Site, value: Value) -> anyhow::Result<()> {
    let context = json!({
        "topic_pattern": BOARD, "world_state_key_template": "board.text", "value_field": "text", "max_age_secs": 3_600,
    });
    site.get("configure_context", context).await?;
    publish_on_the_board(site, value).await
}

async fn publish_on_the_board(site: &mut Site, value: Value) -> anyhow::Result<()> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher(BOARD, Codec::Json)?;
    let payload = json!({ "text": value, "confidence": 0.9 }).to_string();
    site.put_until(|| Ok(publisher.put(payload.clone().into_bytes())?), ("board.text", value)).await?;
    link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_a_forgotten_number_is_on_no_screen_and_in_no_file_before_and_after_a_restart() -> anyhow::Result<()> {
    const NUMBER: i64 = 4_711_424_711;
    let mut site = Site::start_empty().await?;
    show_on_the_board(&mut site, json!(NUMBER)).await?;
    let history = json!({ "key": "board.text" });
    let said = |answer: &Value| answer.to_string().contains("4711424711");
    site.until("list_world_state", json!({}), said).await?;
    let done = site.get("memory_forget", json!({ "query": NUMBER.to_string(), "reason": "asked to" })).await?;
    assert_eq!(done["stays"], json!([]), "{done:#}");
    assert!(!said(&site.get("list_world_state", json!({})).await?));
    assert_eq!(holders(site.data_dir(), "4711424711")?, Vec::<String>::new());
    assert_eq!(site.refused("explain_world_entry", history).await?, "key_not_found");
    let site = site.restart_empty().await?;
    assert!(!said(&site.get("list_world_state", json!({})).await?));
    assert_eq!(holders(site.data_dir(), "4711424711")?, Vec::<String>::new());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_what_still_waits_for_the_disk_is_found_and_its_place_is_named() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    show_on_the_board(&mut site, json!("nothing")).await?;
    let options = SqliteConnectOptions::new().filename(site.data_dir().join("agents/main/memory.db"));
    let mut holder = SqliteConnection::connect_with(&options).await?;
    let held = holder.begin_with("BEGIN IMMEDIATE").await?;
    publish_on_the_board(&mut site, json!(PHRASE)).await?;
    // From now on it is tried again once a second.
    site.until("list_events", json!({}), |rows| find(rows, "code", "world_not_stored").is_some()).await?;
    held.rollback().await?;
    let done = site.get("memory_forget", json!({ "query": PHRASE, "reason": "the code was changed" })).await?;
    assert!(done["places"]["world_history"].as_u64() > Some(0), "{done:#}");
    Ok(())
}

/// Words that rows, lines and files of the station are written with.
const OWN_WORDS: [&str; 16] = [
    "high",
    "operator",
    "waiting",
    "user",
    "mission",
    "damage",
    "text",
    "rejected",
    "set",
    "system",
    "desk",
    "admin",
    "stop",
    "tool",
    "forgotten",
    "actuate",
];

async fn counts(site: &Site) -> anyhow::Result<Vec<(&'static str, usize)>> {
    let mut counts = Vec::new();
    for (operation, input) in [
        ("list_contexts", json!({})),
        ("list_alerts", json!({})),
        ("list_alarms", json!({ "preset": "all" })),
        ("list_proposals", json!({})),
        ("list_jobs", json!({})),
        ("get_transcript", json!({})),
    ] {
        let answer = site.get(operation, input).await?;
        let rows = answer.as_array().or_else(|| answer["entries"].as_array()).or_else(|| answer["items"].as_array());
        counts.push((operation, rows.map_or(0, Vec::len)));
    }
    Ok(counts)
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_each_word_of_the_program_can_be_forgotten_and_everything_still_loads() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    say_on_the_board(&mut site).await?;
    site.say("status arm-1").await?;
    let asked = json!({ "operation": "remember_note", "input": { "text": "too high" }, "reason": "it was seen" });
    site.get("create_proposal", asked).await?;
    let waiting = site.until_proposal(|row| row["state"] == "waiting").await?;
    let decided = json!({ "id": waiting["id"], "version": waiting["version"], "reason": "not_now" });
    site.get("reject_proposal", decided).await?;
    let task = json!({
        "operation": "remember_note", "input": { "text": "the operator" }, "at": "2099-01-01T00:00:00Z", "name": "high",
    });
    site.get("schedule_task", task).await?;
    let planted = counts(&site).await?;
    assert!(planted.iter().all(|(_, count)| *count > 0), "{planted:?}");
    for word in OWN_WORDS {
        match site.call("memory_forget", json!({ "query": word, "reason": "because" })).await {
            Ok(_) => {}
            Err(refused) => assert_eq!(refused.code, "nothing_matched", "{word}"),
        }
    }
    let held = counts(&site).await?;
    assert_eq!(held[..5], planted[..5]);
    let site = site.restart_empty().await?;
    assert_eq!(counts(&site).await?, held, "nothing is unreadable after a restart");
    let events = site.get("list_events", json!({ "limit": 1_000 })).await?.to_string();
    assert!(!events.contains("unreadable"), "{events}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_13_a_short_record_forgotten_by_its_id_is_looked_for_in_the_whole_station() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let folder = site.data_dir().join("agents/main");
    std::fs::write(folder.join("missions/guard.md"), "---\ntitle: Guard\n---\nKnow PIN 83920.\n")?;
    std::fs::write(folder.join("MEMORY.md"), "# Kept\npin 83920\n")?;
    site.say("PIN 83920").await?;
    let said = until_found(&mut site, "83920", "user").await?;
    let in_word = json!({ "ids": [said["id"]], "reason": "xpin 83920x" });
    assert_eq!(site.refused("memory_forget", in_word).await?, "reason_quotes_content");
    let done = site.get("memory_forget", json!({ "ids": [said["id"]], "reason": "asked to" })).await?;
    assert_eq!(done["places"]["notes"], 1, "{done:#}");
    assert!(done["stays"].to_string().contains("Edit agents/main/missions/guard.md"), "{done:#}");
    std::fs::remove_file(folder.join("missions/guard.md"))?;
    assert_eq!(holders(site.data_dir(), "PIN 83920")?, Vec::<String>::new());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_13_a_mission_file_of_a_moment_ago_is_not_copied_once_it_was_forgotten() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.say(PHRASE).await?;
    until_found(&mut site, "vault quartz", "user").await?;
    let mission = site.data_dir().join("agents/main/missions/guard.md");
    std::fs::write(&mission, format!("Know that {PHRASE}.\n"))?;
    assert_eq!(
        site.refused("memory_forget", json!({ "query": "vault quartz", "reason": "it was changed" })).await?,
        "incomplete"
    );
    let guard = json!({ "mission_id": "guard" });
    site.until("mission_history", guard, |history| history["versions"][0]["hash"].is_string()).await?;
    assert_eq!(holders(site.data_dir(), PHRASE)?, ["agents/main/missions/guard.md"]);
    Ok(())
}

/// A name that nothing of the station uses, and other ways to write it.
const NAME: &str = "Grünspecht";

/// The files below `folder` that hold the name in any case and normal form, plain or escaped.
fn naming(folder: &Path) -> anyhow::Result<Vec<String>> {
    let forms = ["grünspecht", "gru\u{308}nspecht", "gr\\u00fcnspecht", "gru\\u0308nspecht"];
    Ok(holding(folder, |bytes| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        forms.iter().any(|form| text.contains(form))
    })?)
}

/// Has the name said, written, sensed, believed, scheduled and asked for, each time in another way.
async fn plant(site: &mut Site) -> anyhow::Result<()> {
    let folder = site.data_dir().join("agents/main");
    site.say("remember the GRÜNSPECHT").await?;
    site.get("remember_note", json!({ "text": "Gru\u{308}nspecht lives in the garden." })).await?;
    let value = json!({ "subject": "garden", "predicate": "bird", "value": "grünspecht", "confidence": 0.9 });
    site.get("update_belief", value).await?;
    let named = json!({ "subject": "Grünspecht", "predicate": "home", "value": "oak", "confidence": 0.9 });
    site.get("update_belief", named).await?;
    let note = json!({ "text": "feed GRU\u{308}NSPECHT" });
    let task =
        json!({ "operation": "remember_note", "input": note, "at": "2099-01-01T00:00:00Z", "name": "grünspecht" });
    site.get("schedule_task", task).await?;
    let left = json!({ "text": "the Grünspecht has left" });
    let asked = json!({ "operation": "remember_note", "input": left, "reason": "it was seen" });
    site.get("create_proposal", asked).await?;
    let waiting = site.until_proposal(|row| row["state"] == "waiting").await?;
    let decided = json!({ "id": waiting["id"], "version": waiting["version"], "reason": "not_now" });
    site.get("reject_proposal", decided).await?;
    let context = json!({
        "topic_pattern": BOARD, "world_state_key_template": "board.text", "value_field": "text", "max_age_secs": 3_600,
    });
    site.get("configure_context", context).await?;
    let rule = json!({ "predicate": "board.text = 'Grünspecht'", "description": "A grünspecht is here" });
    site.get("register_alert", rule).await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher(BOARD, Codec::Json)?;
    let payload = format!("{{\"text\": \"{NAME}\", \"confidence\": 0.9}}");
    site.put_until(|| Ok(publisher.put(payload.clone().into_bytes())?), ("board.text", json!(NAME))).await?;
    link.close().await;
    site.until("list_alerts", json!({}), |rows| rows[0]["fires"].as_u64() > Some(0)).await?;
    std::fs::create_dir_all(folder.join("sessions/desk.out"))?;
    std::fs::write(folder.join("sessions/desk.out/1.txt"), "a Gr\\u00fcnspecht, escaped")?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_a_typed_name_is_in_no_file_and_on_no_screen_before_and_after_a_restart() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    plant(&mut site).await?;
    assert!(naming(site.data_dir())?.len() >= 5, "{:?}", naming(site.data_dir())?);
    let forget = json!({ "query": "grünspecht", "reason": "asked to" });
    let done = site.get("memory_forget", forget.clone()).await?;
    assert_eq!(done["stays"], json!([]), "{done:#}");
    let message = done["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("Forgot ") && !message.contains("still"), "{message}");
    assert_eq!(naming(site.data_dir())?, Vec::<String>::new(), "{done:#}");
    let shows = [
        "list_world_state",
        "list_alerts",
        "list_alarms",
        "list_events",
        "list_jobs",
        "list_beliefs",
        "list_proposals",
        "get_transcript",
        "list_topics",
        "list_notes",
        "list_audit",
    ];
    let is_said = |answer: &Value| answer.to_string().to_lowercase().contains("grünspecht");
    for operation in shows {
        let answer = site.get(operation, json!({})).await?;
        assert!(!is_said(&answer), "{operation}: {answer:#}");
    }
    let site = site.restart_empty().await?;
    assert_eq!(naming(site.data_dir())?, Vec::<String>::new());
    for operation in shows {
        let answer = site.get(operation, json!({})).await?;
        assert!(!is_said(&answer), "{operation} after a restart: {answer:#}");
    }
    assert_eq!(site.refused("memory_forget", forget).await?, "nothing_matched");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_13_what_forgetting_may_not_touch_is_listed_with_a_way_to_be_rid_of_it() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let main = site.data_dir().join("agents/main");
    std::fs::write(main.join("missions/guard.md"), "---\ntitle: Guard\n---\nWatch the GRÜNSPECHT.\n")?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    let said = json!({ "agent": "other", "text": "the grünspecht is mine" });
    site.call("send_message", said).await?;
    let rule = json!({ "agent": "main", "predicate": "door.status = 'open'" });
    site.get("register_alert", rule).await?;
    site.until("memory_search", json!({ "agent": "other", "query": "grünspecht" }), |found| {
        found["items"][0].is_object()
    })
    .await?;
    // No record of this agent holds it, and yet it is not nowhere.
    let forget = json!({ "agent": "main", "query": "Grünspecht", "reason": "asked to" });
    let done = site.get("memory_forget", forget).await?;
    let stays = done["stays"].as_array().cloned().unwrap_or_default();
    let told = |what: &str, how: &str| {
        stays.iter().any(|row| {
            let [found, way] = ["what", "how"].map(|name| row[name].as_str().unwrap_or_default());
            found.contains(what) && way.contains(how)
        })
    };
    assert!(told("1 mission file", "Edit agents/main/missions/guard.md"), "{done:#}");
    assert!(told("of another agent", "for the agent other"), "{done:#}");
    assert!(done["message"].as_str().is_some_and(|message| message.contains("still say it")), "{done:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_the_words_of_an_alert_that_was_unregistered_go_though_its_predicate_was_nothing_without_them()
-> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let rule = json!({ "predicate": "meerrettichwurst.temp > 3", "description": "The Meerrettichwurst is warm." });
    site.get("register_alert", rule).await?;
    let forget = json!({ "query": "meerrettichwurst", "reason": "asked to" });
    let done = site.get("memory_forget", forget.clone()).await?;
    assert!(done["stays"][0]["how"].as_str().is_some_and(|how| how.contains("Unregister the alert")), "{done:#}");
    let rows = site.get("list_alerts", json!({})).await?;
    assert!(rows[0]["predicate"].as_str().is_some_and(|predicate| predicate.contains("meerrettichwurst")), "{rows:#}");

    site.get("unregister_alert", json!({ "alert_id": rows[0]["id"] })).await?;
    let done = site.get("memory_forget", forget.clone()).await?;
    assert_eq!(done["stays"], json!([]), "{done:#}");
    assert_eq!(holders(site.data_dir(), "meerrettichwurst")?, Vec::<String>::new());
    let site = site.restart_empty().await?;
    assert_eq!(holders(site.data_dir(), "meerrettichwurst")?, Vec::<String>::new());
    assert_eq!(site.refused("memory_forget", forget).await?, "nothing_matched");
    Ok(())
}

/// Has the name said in a room, summarised, read by a tool, recorded, and told to another agent.
async fn plant_elsewhere() -> anyhow::Result<Site> {
    let line = |id: u64, kind: &str, text: &str| json!({ "id": id, "epoch": 0, "at_ms": 1, "kind": kind, "role": "user", "origin": "system", "trust": "text", "content": text });
    let mut summary = line(1, "summary", "They spoke of the Grünspecht.");
    summary["covers"] = json!({ "from": 0, "to": 1 });
    let lines = format!("{}\n{summary}\n", line(0, "user", "hello"));
    let site = Site::start_with_settings("[rooms.ops]\nname = \"north\"\n", false).await?;
    let mut site =
        site.edited(|folder| Ok(std::fs::write(folder.join("agents/main/sessions/desk.jsonl"), lines)?)).await?;
    site.get("post_room", json!({ "room": "ops", "text": "the GRÜNSPECHT sings" })).await?;
    site.get("remember_note", json!({ "text": "The Grünspecht sings." })).await?;
    let search = json!({ "query": "Grünspecht" });
    let model =
        FakeModel::start([Answer::Call(vec![("memory_search", search)]), Answer::Say("It sings.".into())]).await?;
    site.use_model(&model).await?;
    site.say("What do you know?").await?;
    std::fs::create_dir_all(site.data_dir().join("recordings/arm-1"))?;
    std::fs::write(site.data_dir().join("recordings/arm-1/by-hand.jsonl"), "{\"text\": \"Grünspecht\"}\n")?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    site.get("send_message", json!({ "agent": "other", "text": "the grünspecht is mine" })).await?;
    let search = json!({ "agent": "other", "query": "grünspecht" });
    site.until("memory_search", search, |found| found["items"][0].is_object()).await?;
    Ok(site)
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_e2_13_a_name_in_rooms_summaries_outputs_recordings_and_other_agents_is_gone_or_named_with_its_place()
-> anyhow::Result<()> {
    let site = plant_elsewhere().await?;
    let is_said = |answer: &Value| answer.to_string().to_lowercase().contains("grünspecht");
    let shows =
        [("read_room", json!({ "agent": "main", "room": "ops" })), ("get_transcript", json!({ "agent": "main" }))];
    for (operation, input) in &shows {
        assert!(is_said(&site.get(operation, input.clone()).await?), "{operation} shows what was planted");
    }
    let forget = |agent: &str| json!({ "agent": agent, "query": "grünspecht", "reason": "asked to" });
    let done = site.get("memory_forget", forget("main")).await?;
    for (operation, input) in &shows {
        let answer = site.get(operation, input.clone()).await?;
        assert!(!is_said(&answer), "{operation}: {answer:#}");
    }
    let stays = done["stays"].to_string();
    let is_told = |path: &String| {
        (path.starts_with("recordings/") && stays.contains("recordings/arm-1/by-hand.jsonl"))
            || (path.starts_with("agents/other/") && stays.contains("Forget it for the agent other too."))
    };
    let left = naming(site.data_dir())?;
    assert!(left.len() >= 2 && left.iter().all(is_told), "{left:?} {done:#}");

    std::fs::remove_file(site.data_dir().join("recordings/arm-1/by-hand.jsonl"))?;
    let done = site.get("memory_forget", forget("other")).await?;
    assert_eq!(done["stays"], json!([]), "{done:#}");
    assert_eq!(naming(site.data_dir())?, Vec::<String>::new(), "{done:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_12_forgetting_knows_every_file_that_a_station_writes() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    plant(&mut site).await?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    let files = StationFiles { root: site.data_dir().to_owned(), agent: site.data_dir().join("agents/main") };
    let unknown: Vec<String> =
        files.all()?.iter().filter(|path| files.whose(path) == Whose::Unknown).map(|path| files.name(path)).collect();
    assert!(
        unknown.is_empty(),
        "forgetting does not know {unknown:?}: say in `Whose` of crates/memory/src/forget/places.rs what they are"
    );
    Ok(())
}
