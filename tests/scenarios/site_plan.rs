//! The site plan of a station: saved from the version that was seen, kept, and never in the way of anything.

use api::Session;
use quarterdeck_tests::Site;
use serde_json::{Value, json};

fn plan(wall_m: f64) -> Value {
    let corners = [[5.0, 3.0], [8.0, 3.0], [8.0, 6.0]];
    json!({
        "frame": "map",
        "walls": [[[0.0, 0.0], [wall_m, 0.0]]],
        "areas": [{ "name": "loading dock", "corners": corners }],
    })
}

async fn saved(site: &Site, base_version: u64, plan: Value) -> anyhow::Result<Value> {
    site.get("save_site_plan", json!({ "base_version": base_version, "plan": plan })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_54_a_saved_plan_is_kept_over_a_restart_and_only_who_has_seen_it_replaces_it() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let none = site.get("get_site_plan", json!({})).await?;
    assert_eq!((&none["version"], &none["origin"], &none["plan"]["walls"]), (&json!(0), &json!("none"), &json!([])));
    assert_eq!(saved(&site, 0, plan(8.0)).await?["version"], 1);
    let unseen = json!({ "base_version": 0, "plan": plan(9.0) });
    assert_eq!(site.refused("save_site_plan", unseen).await?, "plan_changed");
    let ahead = json!({ "base_version": 7, "plan": plan(9.0) });
    assert_eq!(site.refused("save_site_plan", ahead).await?, "plan_changed");

    let site = site.restart().await?;
    let kept = site.get("get_site_plan", json!({})).await?;
    assert_eq!((&kept["version"], &kept["origin"], &kept["plan"]), (&json!(1), &json!("saved"), &plan(8.0)));
    let places = site.get("get_site_plan", json!({ "walls": false })).await?;
    assert_eq!((&places["plan"]["walls"], &places["plan"]["areas"]), (&json!([]), &plan(8.0)["areas"]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_53_a_plan_that_is_none_is_refused_and_changes_nothing() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    let crossing = json!({ "frame": "map", "areas": [{ "name": "dock", "corners": bow_tie }] });
    let too_long: Vec<[f64; 2]> = vec![[0.0, 0.0]; 20_001];
    let far = json!({ "frame": "map", "walls": [[[0.0, 0.0], [10_001.0, 0.0]]] });
    for bad in [crossing, json!({ "frame": "map", "walls": [too_long] }), far] {
        assert_eq!(site.refused("save_site_plan", json!({ "base_version": 0, "plan": bad })).await?, "bad_site_plan");
    }
    let unreadable = json!({ "base_version": 0, "plan": { "frame": "a map", "walls": "none" } });
    assert_eq!(site.refused("save_site_plan", unreadable).await?, "invalid_input");
    assert_eq!(site.get("get_site_plan", json!({})).await?["version"], 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_55_the_simulated_site_has_a_plan_until_somebody_saves_or_removes_one() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let shown = site.get("get_site_plan", json!({})).await?;
    assert_eq!((&shown["version"], &shown["origin"]), (&json!(0), &json!("simulator")));
    let areas = shown["plan"]["areas"].as_array().cloned().unwrap_or_default();
    assert!(areas.iter().any(|area| area["name"] == "loading_dock"), "{areas:#?}");

    saved(&site, 0, json!({ "frame": "map" })).await?;
    let site = site.restart().await?;
    let removed = site.get("get_site_plan", json!({})).await?;
    assert_eq!((&removed["version"], &removed["origin"]), (&json!(1), &json!("saved")));
    assert_eq!((&removed["plan"]["walls"], &removed["plan"]["areas"]), (&json!([]), &json!([])));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ws_54_a_saved_plan_is_on_record_and_every_window_follows_it() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let desk = Session::app_window();
    let mut frames = site.api.subscribe(&desk);
    saved(&site, 0, plan(8.0)).await?;
    let told = async {
        while let Some(frame) = frames.next().await {
            if json!(frame.tags).as_array().is_some_and(|tags| tags.contains(&json!("site_plan"))) {
                return true;
            }
        }
        false
    };
    assert!(tokio::time::timeout(std::time::Duration::from_secs(60), told).await?);
    let audit = site.get("list_audit", json!({})).await?;
    assert!(audit.to_string().contains("save_site_plan"), "{audit:#}");
    Ok(())
}
