//! Changing limits: tighter at once, looser only as shown.

use api::Session;
use quarterdeck_tests::{Site, arm_goal, violations};
use serde_json::{Value, json};

async fn speed_limit(site: &Site, params_json: &str) -> anyhow::Result<(Value, u64)> {
    let input = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": params_json });
    let registered = site.get("register_constraint", input).await?;
    Ok((registered["id"].clone(), registered["version"]["arm-1"].as_u64().unwrap_or(0)))
}

#[tokio::test(flavor = "multi_thread")]
async fn c5_c8_a_limit_is_tightened_at_once_and_loosened_only_as_it_was_shown() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let (id, version) = speed_limit(&site, "0.5").await?;
    let looser = json!({ "id": id, "version": version, "params_json": "0.8" });
    assert_eq!(site.refused("tighten_constraint", looser).await?, "not_tighter");
    let tighter = json!({ "id": id, "version": version, "params_json": "0.2" });
    let changed = site.get("tighten_constraint", tighter.clone()).await?;
    assert_eq!(changed["version"]["arm-1"], version + 1);
    assert_eq!(site.refused("tighten_constraint", tighter).await?, "version_conflict");
    let fast = site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.3)).await?;
    assert!(violations(&fast["verdict"]).contains(&"velocity"));

    let version = version + 1;
    let unseen =
        json!({ "id": id, "version": version, "params_json": "0.5", "reason": "too slow", "preview_id": "pv-1" });
    assert_eq!(site.refused("loosen_constraint", unseen).await?, "preview_stale");
    let shown = site.get("preview_constraint_change", json!({ "id": id, "params_json": "0.5" })).await?;
    assert_eq!((&shown["direction"], &shown["robots"]), (&json!("loosening"), &json!(["arm-1"])));
    let other = json!({ "id": id, "version": version, "params_json": "0.9", "reason": "too slow", "preview_id": shown["preview_id"] });
    assert_eq!(site.refused("loosen_constraint", other).await?, "preview_stale");
    let as_shown = json!({ "id": id, "version": version, "params_json": "0.5", "reason": "too slow", "preview_id": shown["preview_id"] });
    site.get("loosen_constraint", as_shown).await?;
    let allowed = site.get("check_command", arm_goal([0.4, 0.0, 0.9], 0.3)).await?;
    assert_eq!(allowed["verdict"]["overall"], "allow");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_limit_is_gone_after_a_restart_and_a_manifest_limit_stays() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let (id, version) = speed_limit(&site, "0.1").await?;
    let shown = site.get("preview_constraint_change", json!({ "id": id, "params_json": null })).await?;
    let remove = json!({ "id": id, "version": version, "reason": "test over", "preview_id": shown["preview_id"] });
    site.get("remove_constraint", remove).await?;
    let of_manifest = json!({ "id": "manifest-workspace", "params_json": null });
    assert_eq!(site.refused("preview_constraint_change", of_manifest).await?, "manifest_limit");
    let site = site.restart().await?;
    let limits = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;
    assert!(limits.as_array().is_some_and(|rows| rows.iter().all(|row| row["scope"] == "manifest")), "{limits:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_an_operator_loosens_nothing_until_acting_as_admin() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let desk = Session::app_window();
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.1" });
    let refused = site.api.call(&desk, "register_constraint", limit.clone()).await.err();
    assert_eq!(refused.map(|error| error.status()), Some(403));
    let granted = site.api.call(&desk, "act_as_admin", json!({})).await?;
    assert_eq!(granted["role"], "admin");
    site.api.call(&desk, "register_constraint", limit.clone()).await?;
    site.api.call(&desk, "end_admin", json!({})).await?;
    let refused = site.api.call(&desk, "register_constraint", limit).await.err();
    assert_eq!(refused.map(|error| error.status()), Some(403));
    Ok(())
}
