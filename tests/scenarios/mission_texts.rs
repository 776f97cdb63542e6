//! Texts of missions against the site of now: what is wrong with them, what they mean, and whom a looser one needs.

use api::Session;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{shown, write};

/// A mission of the arm with one limit of its speed.
fn slow(mps: f64) -> String {
    format!("---\nrobots: [arm-1]\nconstraints: [{{type: max_velocity, params: {mps}}}]\n---\nWeld slowly.\n")
}

/// The speeds that the limits of the mission allow the arm.
async fn speeds(site: &Site) -> anyhow::Result<Vec<f64>> {
    let rows = site.get("list_constraints", json!({ "robot": "arm-1", "mission_id": "weld" })).await?;
    let speed = |row: &Value| row["constraint"]["MaxVelocity"].as_f64();
    Ok(rows.as_array().into_iter().flatten().filter_map(speed).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn mc_01_mi_13_ml_03_a_text_with_an_error_is_refused_at_its_place_and_a_warning_is_accepted() -> anyhow::Result<()>
{
    let site = Site::start().await?;
    write(&site, "weld", "---\nrobots: [arm-9]\ncolour: red\n---\nWeld.\n")?;
    let text = shown(&site, "weld").await?;
    let problems = |answer: &Value| {
        let rows = answer["problems"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| format!("{}:{} {}", row["line"], row["column"], row["code"])).collect::<Vec<_>>()
    };
    let expected = ["2:10 \"unknown_robot\"", "3:1 \"unknown_key\""];
    assert_eq!(problems(&text), expected, "{text:#}");
    let rows = site.get("list_missions", json!({})).await?;
    assert_eq!(find(&rows, "id", "weld").map(|row| row["errors"].clone()), Some(json!(2)), "{rows:#}");
    let input = json!({ "mission_id": "weld", "hash": text["hash"] });
    let refused = site.call("activate_mission", input).await.err().map(|error| (error.code, error.details));
    let (code, details) = refused.unwrap_or_default();
    assert_eq!((code.as_str(), problems(&details)), ("has_problems", expected.map(str::to_owned).to_vec()));
    write(&site, "weld", "---\nrobots: [arm-1]\n---\nWeld.\n<!-- now -->\n")?;
    let text = shown(&site, "weld").await?;
    assert_eq!(text["meaning"][1], "Robot: arm-1.", "{text:#}");
    let input = json!({ "mission_id": "weld", "hash": text["hash"] });
    assert_eq!(site.refused("activate_mission", input.clone()).await?, "has_problems");
    let mut accepting = input;
    accepting["accept"] = json!([{ "code": "hidden_text", "line": 5 }]);
    site.get("activate_mission", accepting).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_04_ml_05_mi_12_a_limit_of_a_text_binds_and_only_an_admin_loosens_it() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let desk = Session::app_window();
    write(&site, "weld", &slow(0.1))?;
    let text = shown(&site, "weld").await?;
    let input = json!({ "mission_id": "weld", "hash": text["hash"] });
    site.api.call(&desk, "activate_mission", input).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    assert_eq!(speeds(&site).await?, [0.1]);
    write(&site, "weld", &slow(0.2))?;
    let text = shown(&site, "weld").await?;
    assert_eq!((&text["role_needed"], &text["reason_needed"]), (&json!("admin"), &json!(true)));
    assert_eq!(text["changes"][0]["kind"], "loosened", "{text:#}");
    let mut input = json!({ "mission_id": "weld", "hash": text["hash"], "reason": "The new tool is lighter." });
    let refused = site.api.call(&desk, "activate_mission", input.clone()).await.err();
    assert_eq!(refused.map(|error| error.code), Some("forbidden".to_owned()));
    assert_eq!(speeds(&site).await?, [0.1], "nothing is looser yet");
    let reason = input["reason"].take();
    assert_eq!(
        site.refused("activate_mission", json!({ "mission_id": "weld", "hash": text["hash"] })).await?,
        "reason_missing"
    );
    input["reason"] = reason;
    site.get("activate_mission", input).await?;
    assert_eq!(speeds(&site).await?, [0.2]);
    site.get("cancel_mission", json!({ "mission_id": "weld" })).await?;
    assert_eq!(speeds(&site).await?, [0.0; 0], "a mission that has ended binds nothing");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mc_07_ml_28_a_mission_whose_robot_is_gone_after_a_restart_is_paused() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    write(&site, "weld", "---\nrobots: [arm-1]\n---\nWeld slowly.\n")?;
    write(&site, "note", "# Note the weather\n")?;
    site.activate("weld").await?;
    site.activate("note").await?;
    let is = |rows: &Value, id: &str, state: &str| find(rows, "id", id).is_some_and(|row| row["state"] == state);
    site.until("list_missions", json!({}), |rows| is(rows, "weld", "active") && is(rows, "note", "active")).await?;
    let mut site = site.restart_empty().await?;
    let rows = site.until("list_missions", json!({}), |rows| is(rows, "weld", "paused")).await?;
    assert_eq!(find(&rows, "id", "weld").map(|row| row["reason"]["code"].clone()), Some(json!("compile_failed")));
    assert!(is(&rows, "note", "active"), "{rows:#}");
    let events = site.get("list_events", json!({})).await?;
    let told = find(&events, "code", "mission_compile_failed").map(|event| event["sentence"].to_string());
    assert!(told.is_some_and(|told| told.contains("There is no robot `arm-1`")), "{events:#}");
    assert_eq!(site.refused("resume_mission", json!({ "mission_id": "weld" })).await?, "has_problems");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_03_mo_04_mo_05_mo_12_a_file_is_validated_saved_brought_in_and_put_away_and_never_runs_by_that()
-> anyhow::Result<()> {
    let site = Site::start().await?;
    let text = "---\nrobots: [arm-9]\n---\nWeld.\n";
    let checked = site.get("validate_mission", json!({ "source": text, "as_id": "weld" })).await?;
    assert_eq!((&checked["ok"], &checked["problems"][0]["code"]), (&json!(false), &json!("unknown_robot")));
    assert_eq!(site.refused("get_mission", json!({ "mission_id": "weld" })).await?, "mission_not_found");

    let saved = site.get("save_mission", json!({ "mission_id": "weld", "source": text })).await?;
    assert_eq!((&saved["problems"][0]["line"], &saved["source"]), (&json!(2), &json!(text)));
    let edits = json!([{ "set": { "key": "robots", "value": ["arm-1"] } }]);
    let edited = json!({ "mission_id": "weld", "base_hash": saved["hash"], "edits": edits });
    let saved = site.get("save_mission", edited.clone()).await?;
    assert_eq!((&saved["problems"], &saved["source"]), (&json!([]), &json!(text.replace("arm-9", "arm-1"))));
    let late = site.call("save_mission", edited).await.err().map(|error| (error.code, error.details["hash"].clone()));
    assert_eq!(late, Some(("file_changed".to_owned(), saved["hash"].clone())));
    write(&site, "weld", "---\nrobots: [arm-1]\n---\nWeld by hand.\n")?;
    let overtaken = json!({ "mission_id": "weld", "base_hash": saved["hash"], "source": "Mine." });
    assert_eq!(site.refused("save_mission", overtaken).await?, "file_changed", "somebody wrote it in the folder");

    // "dock.md" says "Look."
    let files =
        json!([{ "name": "dock.md", "bytes_base64": "TG9vay4=" }, { "name": "../x.md", "bytes_base64": "TG9vay4=" }]);
    let outcomes = site.get("import_missions", json!({ "files": files })).await?;
    assert_eq!((&outcomes["files"][0]["outcome"], &outcomes["files"][1]["code"]), (&json!("added"), &json!("bad_id")));
    let rows = site.get("list_missions", json!({})).await?;
    assert_eq!(find(&rows, "id", "dock").map(|row| row["status"].clone()), Some(json!("draft")));

    let shown = shown(&site, "weld").await?;
    site.activate("weld").await?;
    let away = json!({ "mission_id": "weld", "base_hash": shown["hash"] });
    assert_eq!(site.refused("remove_mission", away.clone()).await?, "mission_live");
    site.get("cancel_mission", json!({ "mission_id": "weld" })).await?;
    let removed = site.get("remove_mission", away).await?;
    assert_eq!(removed["source"], shown["source"]);
    let rows = site.get("list_missions", json!({})).await?;
    let weld = find(&rows, "id", "weld").cloned().unwrap_or_default();
    assert_eq!((&weld["status"], &weld["flags"]), (&json!("cancelled"), &json!(["file_missing"])), "{weld:#}");
    Ok(())
}
