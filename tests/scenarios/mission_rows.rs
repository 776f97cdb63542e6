//! Rows of missions: every word for where one stands, every flag, and whose missions a graph is made of.

use std::collections::BTreeSet;
use std::time::Duration;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{shown, until_mission, until_state, write};

/// The edges of a graph, each as `from > to, text`.
fn edges(graph: &Value) -> Vec<String> {
    let rows = graph["edges"].as_array().into_iter().flatten();
    let word = |edge: &Value, field: &str| edge[field].as_str().unwrap_or_default().to_owned();
    rows.map(|edge| format!("{} > {}, {}", word(edge, "from"), word(edge, "to"), word(edge, "in"))).collect()
}

fn words(rows: &Value, of: impl Fn(&Value) -> Vec<Value>) -> BTreeSet<String> {
    let all = rows.as_array().into_iter().flatten().flat_map(of);
    all.filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_29_ml_30_mo_01_every_state_and_every_flag_is_reached_and_says_why() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let texts = [
        ("active", "# Active\n"),
        ("waiting", "---\ndepends_on: [draft]\n---\n"),
        ("blocked", "---\ngoals: [Look]\n---\n"),
        ("checking", "---\npreconditions: [{text: Nobody is inside.}]\n---\n"),
        ("paused", "---\nexpires: 1h\n---\nRest.\n"),
        ("completed", "---\ngoals: [{wait_secs: 1}]\n---\n"),
        ("failed", "---\ngoals: [{wait_for: no.key = 1, timeout_secs: 1}]\n---\n"),
        ("cancelled", "# Cancelled\n"),
    ];
    write(&site, "draft", "# Draft\n")?;
    for (id, text) in texts {
        write(&site, id, text)?;
        site.activate(id).await?;
    }
    site.get("pause_mission", json!({ "mission_id": "paused" })).await?;
    site.get("cancel_mission", json!({ "mission_id": "cancelled" })).await?;
    for (state, _) in texts {
        let row = until_state(&mut site, state, state).await?;
        let needs_reason = !matches!(state, "active" | "completed");
        let sentence = row["reason"]["sentence"].as_str().unwrap_or_default();
        assert_eq!((row["reason"].is_object(), !sentence.is_empty()), (needs_reason, needs_reason), "{row:#}");
    }
    let rows = site.get("list_missions", json!({})).await?;
    let states = words(&rows, |row| vec![row["state"].clone()]);
    let all = ["active", "blocked", "cancelled", "checking", "completed", "draft", "failed", "paused", "waiting"];
    assert_eq!(states.iter().map(String::as_str).collect::<Vec<_>>(), all);

    write(&site, "short", "---\nexpires: 20h\n---\nGuard.\n")?;
    site.activate("short").await?;
    write(&site, "active", "# Another\n")?;
    std::fs::remove_file(site.data_dir().join("agents/main/missions/blocked.md"))?;
    site.clock.suspend(Duration::from_secs(19 * 3_600 + 1_800));
    let flags = |rows: &Value| words(rows, |row| row["flags"].as_array().cloned().unwrap_or_default());
    let wanted = ["asks", "draft", "expired", "expiring", "file_missing"];
    let rows = site.until("list_missions", json!({}), |rows| flags(rows).iter().eq(&wanted)).await?;
    for (id, flag) in [
        ("checking", "asks"),
        ("active", "draft"),
        ("paused", "expired"),
        ("short", "expiring"),
        ("blocked", "file_missing"),
    ] {
        assert_eq!(find(&rows, "id", id).map(|row| &row["flags"]), Some(&json!([flag])), "{id}");
    }
    site.get("resume_mission", json!({ "mission_id": "checking", "answer": "start" })).await?;
    until_mission(&mut site, "checking", |shown| shown["state"] == "active" && shown["flags"] == json!([])).await?;

    // The rows that a caller asks for.
    let ended = site.get("list_missions", json!({ "status": "completed" })).await?;
    assert_eq!((ended[0]["id"].as_str(), ended.as_array().map(Vec::len)), (Some("completed"), Some(1)));
    let page = site.get("list_missions", json!({ "after": "checking", "limit": 2 })).await?;
    assert_eq!(words(&page, |row| vec![row["id"].clone()]), BTreeSet::from(["completed".into(), "draft".into()]));
    for limit in [0, 1_001] {
        assert_eq!(site.refused("list_missions", json!({ "limit": limit })).await?, "out_of_range");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mg_01_an_edge_leads_from_a_dependency_to_its_dependent_in_the_text_in_force_and_within_its_agent()
-> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "first", "# First\n")?;
    write(&site, "other", "# Other\n")?;
    write(&site, "second", "---\ndepends_on: [first]\n---\n")?;
    let drawn = |wanted: &'static [&'static str]| move |graph: &Value| edges(graph) == wanted;
    site.until("mission_graph", json!({}), drawn(&["first > second, draft"])).await?;
    site.activate("second").await?;
    site.until("mission_graph", json!({}), drawn(&["first > second, both"])).await?;
    // What is in force decides, and the file is shown beside it.
    write(&site, "second", "---\ndepends_on: [other]\n---\n")?;
    let both = &["first > second, activated", "other > second, draft"];
    site.until("mission_graph", json!({}), drawn(both)).await?;
    site.activate("other").await?;
    until_state(&mut site, "other", "active").await?;
    site.get("complete_mission", json!({ "mission_id": "other" })).await?;
    let waits = shown(&site, "second").await?;
    assert_eq!(waits["reason"]["sentence"], "Waits for first, which nobody has activated.", "{waits:#}");

    // Another agent's mission of that name is another mission.
    site.get("create_agent", json!({ "id": "night-watch" })).await?;
    let folder = site.data_dir().join("agents/night-watch/missions");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("first.md"), "# First of the night\n")?;
    let of_night = |mut input: Value| {
        input["agent"] = json!("night-watch");
        input
    };
    let first = || of_night(json!({ "mission_id": "first" }));
    let mut wanted = first();
    wanted["hash"] = site.until("get_mission", first(), |shown| shown["hash"].is_string()).await?["hash"].clone();
    site.get("activate_mission", wanted).await?;
    site.until("get_mission", first(), |shown| shown["state"] == "active").await?;
    site.get("complete_mission", first()).await?;
    let of_main = site.get("get_mission", json!({ "mission_id": "second", "agent": "main" })).await?;
    assert_eq!((&of_main["state"], &of_main["reason"]["code"]), (&json!("waiting"), &json!("dependency_draft")));
    let graph = site.get("mission_graph", of_night(json!({}))).await?;
    assert_eq!((edges(&graph), graph["nodes"].as_array().map(Vec::len)), (Vec::new(), Some(1)), "{graph:#}");
    Ok(())
}
