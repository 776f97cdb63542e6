//! Changing limits: tighter at once, looser only as shown.

use api::Session;
use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::{Value, json};

use crate::gate::{manifests_without_room, start_robots};
use crate::supervision::{of, until_state};

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

#[tokio::test(flavor = "multi_thread")]
async fn u_1310_only_a_grant_of_an_administrator_lets_a_robot_move_with_an_incomplete_set_and_an_alarm_tells_of_it()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut site = Site::start_with(&manifests_without_room(folder.path()).await?).await?;
    let _robots = start_robots(folder.path(), &[&site]).await?;
    for robot in ["arm-1", "rover-1"] {
        site.until_robot(robot, |row| row["link"] == "live" && row["pose"].is_object()).await?;
    }
    assert_eq!(site.refused("arm_robot", json!({ "robot": "arm-1" })).await?, "empty_set");

    let grant =
        |robot: &str, minutes: u32, reason: &str| json!({ "robot": robot, "minutes": minutes, "reason": reason });
    let by_operator = site.api.call(&Session::app_window(), "grant_unconstrained", grant("arm-1", 5, "a test")).await;
    assert_eq!(by_operator.err().map(|error| error.status()), Some(403));
    for (input, code) in [
        (grant("arm-1", 5, " "), "reason_missing"),
        (grant("arm-1", 61, "a test"), "out_of_range"),
        (grant("rover-1", 5, "a test"), "set_complete"),
        (grant("arm-9", 5, "a test"), "robot_not_found"),
    ] {
        assert_eq!(site.refused("grant_unconstrained", input.clone()).await?, code, "{input}");
    }
    let granted = site.get("grant_unconstrained", grant("arm-1", 5, "the fixture is being measured")).await?;
    assert!(granted["unconstrained_until_mono_ms"].is_u64(), "{granted:#}");
    let is_raised = |rows: &Value| find(rows, "source", "unconstrained_grant").is_some_and(|row| row["priority"] == 2);
    site.until("list_alarms", json!({ "preset": "active" }), is_raised).await?;
    site.arm("arm-1").await?;
    let sent = site.get("send_command", arm_goal([0.5, 0.2, 1.0], 0.1)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");

    site.get("grant_unconstrained", grant("arm-1", 0, "it is measured")).await?;
    let ended = until_state(&mut site, "arm-1", "disarmed").await?;
    assert_eq!(ended["unconstrained_until_mono_ms"], Value::Null);
    let denied = site.get("check_command", arm_goal([0.5, 0.2, 1.0], 0.1)).await?;
    assert!(violations(&denied["verdict"]).contains(&"empty_set"), "{denied:#}");
    site.get("grant_unconstrained", grant("arm-1", 5, "once more")).await?;
    let params = json!({ "x": [-1.0, 1.0], "y": [-1.0, 1.0], "z": [0.0, 1.5] }).to_string();
    let workspace = json!({ "robot": "arm-1", "constraint_type": "workspace", "params_json": params });
    site.get("register_constraint", workspace).await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(of(&status, "arm-1")["unconstrained_until_mono_ms"], Value::Null, "a complete set needs no grant");
    let outcomes = |records: &Value| -> Vec<String> {
        let rows = records.as_array().into_iter().flatten();
        let grants = rows.filter(|row| row["operation"] == "unconstrained_grant");
        grants.filter_map(|row| row["outcome"].as_str().map(str::to_owned)).collect()
    };
    site.until("list_audit", json!({ "after": 0, "limit": 1_000 }), |records| {
        outcomes(records) == ["ok", "ended", "ok", "ended"]
    })
    .await?;
    site.arm("arm-1").await
}
