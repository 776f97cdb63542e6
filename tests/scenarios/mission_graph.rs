//! The graph of missions: what waits for what in the files and in force, what may be done, and where people have put it.

use api::Session;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::write;

/// The edge between two missions: its kind, the text in which it stands, and its state.
fn edge(graph: &Value, from: &str, to: &str) -> String {
    let is_it = |edge: &&Value| edge["from"] == from && edge["to"] == to;
    let found = graph["edges"].as_array().into_iter().flatten().find(is_it);
    let word = |field: &str| found.and_then(|edge| edge[field].as_str()).unwrap_or_default().to_owned();
    [word("kind"), word("in"), word("state")].join(" ")
}

/// The acts that may be done with a mission, as they stand in the graph.
fn may(graph: &Value, id: &str) -> String {
    let node = find(&graph["nodes"], "id", id).cloned().unwrap_or_default();
    let acts: Vec<&str> = node["may"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    acts.join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_11_mg_04_mg_05_me_04_the_graph_tells_edges_circles_waits_and_what_may_be_done() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "first", "# First\n")?;
    write(&site, "second", "---\ndepends_on: [first]\n---\n")?;
    write(&site, "third", "---\nparent: second\ngoals: [Look, Listen]\n---\n")?;
    write(&site, "left", "---\ndepends_on: [right]\n---\n")?;
    write(&site, "right", "---\ndepends_on: [left]\n---\n")?;
    write(&site, "lost", "---\ndepends_on: [gone]\n---\n")?;
    write(&site, "broken", "---\nrobots: [\n---\n")?;
    site.activate("second").await?;
    write(&site, "second", "---\ndepends_on: [first, left]\n---\n")?;
    let drafted = |graph: &Value| edge(graph, "left", "second") == "depends_on draft open";
    let graph = site.until("mission_graph", json!({}), drafted).await?;
    assert_eq!(edge(&graph, "first", "second"), "depends_on both open");
    assert_eq!(edge(&graph, "second", "third"), "parent draft broken");
    assert_eq!(edge(&graph, "left", "right"), "depends_on draft broken");
    assert_eq!(edge(&graph, "gone", "lost"), "depends_on draft broken");
    assert_eq!(graph["cycles"], json!([["left", "right", "left"]]), "{graph:#}");
    let second = find(&graph["nodes"], "id", "second").cloned().unwrap_or_default();
    assert_eq!(second["waits"][0]["sentence"], "Waits for first, which nobody has activated.");
    assert_eq!((&second["state"], &second["flags"]), (&json!("waiting"), &json!(["draft"])));
    assert_eq!(find(&graph["nodes"], "id", "third").map(|node| node["goals"].clone()), Some(json!(2)));
    assert_eq!(may(&graph, "first"), "activate cancel edit remove");
    assert_eq!(may(&graph, "second"), "activate pause cancel edit", "its file has changed, and a part of it is open");
    assert_eq!(may(&graph, "broken"), "cancel edit remove", "its file has errors");
    for act in ["pause_mission", "resume_mission", "complete_mission"] {
        assert_eq!(site.refused(act, json!({ "mission_id": "first" })).await?, "not_activated", "{act}");
    }
    let hash = find(&graph["nodes"], "id", "second").map(|node| node["hash"].clone());
    assert_eq!(
        site.refused("remove_mission", json!({ "mission_id": "second", "base_hash": hash })).await?,
        "mission_live"
    );
    let problems = find(&graph["nodes"], "id", "lost").map(|node| node["problems"].clone()).unwrap_or_default();
    assert_eq!((&problems[0]["line"], &problems[0]["code"]), (&json!(2), &json!("dependency_missing")), "{problems:#}");
    let desk = Session::app_window();
    let of_desk = site.api.call(&desk, "mission_graph", json!({})).await.map_err(|error| anyhow::anyhow!("{error:?}"));
    assert_eq!(may(&of_desk?, "second"), "activate pause edit", "an operator cancels nothing for good");
    let page = site.get("mission_graph", json!({ "after": "broken", "limit": 2 })).await?;
    let ids: Vec<Value> = page["nodes"].as_array().into_iter().flatten().map(|node| node["id"].clone()).collect();
    assert_eq!((json!(ids), &page["next"]), (json!(["first", "left"]), &json!("left")));
    assert_eq!(site.refused("mission_graph", json!({ "limit": 2_001 })).await?, "out_of_range");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_13_me_10_positions_are_kept_over_what_was_seen_and_a_file_that_cannot_be_read_is_told() -> anyhow::Result<()>
{
    let mut site = Site::start_empty().await?;
    write(&site, "first", "# First\n")?;
    let at = |graph: &Value| find(&graph["nodes"], "id", "first").map(|node| node["at"].clone());
    let before = site.until("mission_graph", json!({}), |graph| at(graph).is_some()).await?;
    assert_eq!((at(&before), &before["layout_hash"]), (Some(Value::Null), &Value::Null));
    let placed = json!({ "positions": { "first": [40, -20], "gone": [1, 2] } });
    let saved = site.get("save_mission_layout", placed.clone()).await?;
    let graph = site.get("mission_graph", json!({})).await?;
    assert_eq!((at(&graph), &graph["layout_hash"]), (Some(json!([40, -20])), &saved["hash"]));
    assert_eq!(site.refused("save_mission_layout", placed).await?, "file_changed");
    let path = site.data_dir().join("agents/main/missions/.layout.json");
    assert!(std::fs::read_to_string(&path)?.contains("\"gone\": [1, 2]"));
    std::fs::write(&path, "{")?;
    let graph = site.get("mission_graph", json!({})).await?;
    assert_eq!((at(&graph), &graph["layout_hash"]), (Some(Value::Null), &Value::Null));
    assert!(graph["layout_problem"].as_str().is_some_and(|told| told.contains(".layout.json")), "{graph:#}");
    let again = json!({ "positions": { "first": [0, 0] } });
    assert_eq!(site.refused("save_mission_layout", again).await?, "mission_unreadable");
    assert_eq!(std::fs::read_to_string(&path)?, "{");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mg_04_what_a_mission_waits_for_is_told_as_briefly_at_the_end_of_a_long_chain() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "m-00", "First.\n")?;
    for number in 1..60 {
        write(&site, &format!("m-{number:02}"), &format!("---\ndepends_on: [m-{:02}]\n---\n", number - 1))?;
    }
    let is_whole = |graph: &Value| graph["edges"].as_array().is_some_and(|edges| edges.len() == 59);
    let graph = site.until("mission_graph", json!({}), is_whole).await?;
    let waits = |id: &str| find(&graph["nodes"], "id", id).map(|node| node["waits"].to_string().len());
    assert!(waits("m-01").is_some_and(|short| short > 20));
    assert_eq!(waits("m-59"), waits("m-02"));
    Ok(())
}
