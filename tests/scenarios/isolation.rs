//! Two agents with equal missions, keys and beliefs: whatever is done for one leaves the other as it was.

use std::collections::BTreeMap;
use std::path::Path;

use quarterdeck_tests::Site;
use quarterdeck_tests::station_files::contents;
use serde_json::{Value, json};

/// The input of a call: an operation that acts on an agent gets ids that the other agent holds too.
fn input(operation: &str, ids: &BTreeMap<&str, Value>) -> Value {
    let belief = &ids["belief"];
    match operation {
        "update_belief" => said("mine again"),
        "get_belief" => json!({ "subject": "cup", "predicate": "location" }),
        "belief_history" | "confirm_belief" => json!({ "id": belief }),
        "pin_belief" => json!({ "id": belief, "until": null }),
        "forget_belief" => json!({ "id": belief, "reason": "wrong" }),
        "configure_context" => json!({
            "mission_id": "patrol", "topic_pattern": "lab/**/shared", "world_state_key_template": "cup.place",
            "value_field": "place",
        }),
        "register_alert" => json!({ "mission_id": "patrol", "predicate": "cup.location != 'mine'" }),
        "set_sandbox" => json!({ "on": true }),
        "sandbox_exec" => json!({ "command": "ls -R / 2>/dev/null | head -c 10000; echo mine > /cell/mine" }),
        "fetch_to_sandbox" => json!({ "source": "world_history", "params": { "key": "cup.location" } }),
        "send_message" => json!({ "text": "status" }),
        "turn_cancel" => json!({ "turn": "turn-1" }),
        "turn_steer" => json!({ "turn": "turn-1", "text": "slower" }),
        "set_mode" => json!({ "mode": "watch" }),
        "reset_session" => json!({ "session": "desk" }),
        "pin_session" => json!({ "session": "desk", "on": true }),
        "search_sessions" => json!({ "query": "cup" }),
        "export_session" => json!({ "session": "desk", "form": "markdown" }),
        "memory_search" => json!({ "query": "cup location" }),
        "get_record" => json!({ "id": "ep-0" }),
        "memory_forget" => json!({ "query": "cup location", "reason": "wrong" }),
        "remember_note" => json!({ "text": "mine again", "title": "Cup" }),
        "schedule_task" => json!({ "operation": "list_missions", "input": {}, "every_secs": 60, "name": "look" }),
        "add_budget" => json!({ "meter": "day", "usd": 1.0 }),
        "get_mission" | "pause_mission" | "resume_mission" | "complete_mission" | "cancel_mission" => {
            json!({ "mission_id": "patrol" })
        }
        "activate_mission" => json!({ "mission_id": "patrol", "hash": "00" }),
        "world_history" | "explain_world_entry" => json!({ "key": "cup.location" }),
        _ => json!({}),
    }
}

/// They start a process or end one, and belong to the station.
const NOT_CALLED: &[&str] = &["start_simulator", "stop_simulator"];

fn said(value: &str) -> Value {
    json!({ "subject": "cup", "predicate": "location", "value": value, "confidence": 0.9 })
}

fn of(agent: &str, mut input: Value) -> Value {
    input["agent"] = json!(agent);
    input
}

/// Time between two looks at files that are coming to rest.
const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(100);
/// So many looks in a row find files at rest unchanged.
const LOOKS_AT_REST: usize = 10;

/// Makes two agents that differ only in the words they hold, `main` mine and `other` theirs, and gives main's ids.
async fn two_agents(site: &Site) -> anyhow::Result<BTreeMap<&'static str, Value>> {
    site.get("create_agent", json!({ "id": "other" })).await?;
    let mut ids = BTreeMap::new();
    for (agent, word) in [("other", "theirs"), ("main", "mine")] {
        let missions = site.data_dir().join("agents").join(agent).join("missions");
        std::fs::write(missions.join("patrol.md"), format!("---\nid: patrol\ntitle: Patrol {word}\n---\n{word}\n"))?;
        let belief = site.get("update_belief", of(agent, said(word))).await?;
        ids.insert("belief", belief["belief"]["id"].clone());
        let context = json!({
            "mission_id": "patrol", "topic_pattern": "lab/**/shared", "world_state_key_template": "cup.location",
            "value_field": "value", "max_age_secs": 3_600,
        });
        ids.insert("context", site.get("configure_context", of(agent, context)).await?["id"].clone());
        let rule = json!({
            "mission_id": "patrol", "predicate": "cup.location = 'x'", "description": format!("a rule of {word}"),
        });
        ids.insert("alert", site.get("register_alert", of(agent, rule)).await?["id"].clone());
    }
    Ok(ids)
}

/// Every file of an agent with its bytes. Shared memory beside a database is no content of it.
fn files(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    Ok(contents(folder)?.into_iter().filter(|(name, _)| !name.ends_with(".db-shm")).collect())
}

/// The files of an agent once nothing that was begun changes them any more.
async fn at_rest(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let (mut known, mut same) = (BTreeMap::new(), 0);
    while same < LOOKS_AT_REST {
        looks.tick().await;
        let found = files(folder)?;
        same = if found == known { same + 1 } else { 0 };
        known = found;
    }
    Ok(known)
}

#[tokio::test(flavor = "multi_thread")]
async fn is_01_is_02_cw_24_no_operation_for_one_agent_shows_or_changes_anything_of_another() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let ids = two_agents(&site).await?;
    let theirs = site.data_dir().join("agents").join("other");
    // Words of a moment ago are on their way to the index.
    let recorded = of("other", json!({ "query": "theirs", "role": "belief" }));
    site.until("memory_search", recorded, |found| found["items"].as_array().is_some_and(|items| !items.is_empty()))
        .await?;
    let before = at_rest(&theirs).await?;
    assert!(before.values().any(|bytes| bytes.windows(6).any(|window| window == b"theirs")), "the other holds words");
    for operation in station::operations::table().iter().map(|row| row.name) {
        if NOT_CALLED.contains(&operation) {
            continue;
        }
        let answer = match site.call(operation, of("main", input(operation, &ids))).await {
            Ok(answer) => answer,
            Err(error) => json!({ "code": error.code, "message": error.message, "details": error.details }),
        };
        assert!(!answer.to_string().contains("theirs"), "{operation} shows what is another's: {answer:#}");
        let after = files(&theirs)?;
        let changed: Vec<&String> =
            after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).map(|(path, _)| path).collect();
        assert!(changed.is_empty() && after.len() == before.len(), "{operation} changed {changed:?}");
    }
    let kept = site.get("get_belief", of("other", json!({ "subject": "cup", "predicate": "location" }))).await?;
    assert_eq!((&kept["value"], &kept["confirmation_count"]), (&json!("theirs"), &json!(1)));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn is_02_cw_24_an_id_of_one_agent_is_unknown_to_another() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let ids = two_agents(&site).await?;
    let belief = json!({ "id": ids["belief"] });
    let forget = json!({ "id": ids["belief"], "reason": "wrong" });
    for (operation, input, code) in [
        ("belief_history", belief.clone(), "belief_not_found"),
        ("confirm_belief", belief.clone(), "belief_not_found"),
        ("pin_belief", json!({ "id": ids["belief"], "until": null }), "belief_not_found"),
        ("forget_belief", forget, "belief_not_found"),
    ] {
        assert_eq!(site.refused(operation, of("other", input.clone())).await?, code, "{operation}");
        assert_eq!(site.refused(operation, input).await?, "agent_required", "{operation}");
    }
    let mine = site.get("get_belief", of("main", json!({ "subject": "cup", "predicate": "location" }))).await?;
    assert_eq!((&mine["id"], &mine["value"]), (&ids["belief"], &json!("mine")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn is_03_att_24_an_agent_is_named_by_its_grammar_and_never_by_a_path() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    for name in ["../other", "other/", "/etc", "Other", "other\u{0}", "", ".", &"a".repeat(65)] {
        let refused = site.refused("get_belief", of(name, json!({ "subject": "cup" }))).await?;
        assert_eq!(refused, "agent_not_found", "{name:?}");
        assert_eq!(site.refused("create_agent", json!({ "id": name })).await?, "invalid_input", "{name:?}");
    }
    assert_eq!(std::fs::read_dir(site.data_dir().join("agents"))?.count(), 2);
    Ok(())
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn is_03_a_link_in_the_place_of_an_agents_folder_is_no_agent() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let agents = site.data_dir().join("agents");
    std::os::unix::fs::symlink(agents.join("main"), agents.join("mirror"))?;
    let site = site.restart_empty().await?;
    assert_eq!(site.refused("get_belief", of("mirror", json!({ "subject": "cup" }))).await?, "agent_not_found");
    Ok(())
}
