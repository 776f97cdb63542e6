//! Dry runs of missions: every step is judged as it would be when it is sent, from where the step before would end, and
//! nothing happens by it.

use quarterdeck_tests::{Site, find, violations};
use serde_json::{Value, json};

use crate::mission_steps::{until_mission, until_state, write};
use crate::recordings::three_commands;

/// A file whose first goal brings the arm to one side of a zone, and whose second would go through it. Neither goal is out
/// of bounds by itself.
fn through_a_zone() -> String {
    let step = |name: &str, position: &str| {
        let motion = format!("{{pose_goal: {{position_m: {position}, speed_mps: 0.2}}}}");
        format!(
            "  - {{operation: send_command, name: {name}, input: {{robot: arm-1, actuator: arm, motion: {motion}}}}}\n"
        )
    };
    let zone = "{type: forbidden_zone, params: {center: [0.5, 0.0, 0.4], radius: 0.1}, reason: the press}";
    format!(
        "---\nrobots: [arm-1]\nconstraints:\n  - {zone}\ngoals:\n{}{}  - {{wait_secs: 5}}\n---\nReach across.\n",
        step("left", "[0.5, 0.4, 0.4]"),
        step("right", "[0.5, -0.4, 0.4]"),
    )
}

async fn dry_run(site: &Site, id: &str) -> anyhow::Result<Value> {
    site.get("dry_run_mission", json!({ "mission_id": id })).await
}

/// The position of the arm.
async fn position(site: &Site) -> anyhow::Result<Value> {
    let robots = site.get("list_robots", json!({})).await?;
    let arm = find(&robots, "id", "arm-1").cloned().unwrap_or_default();
    Ok(arm["pose"]["position_m"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_14_mo_18_mo_19_mo_20_mo_21_a_step_is_denied_in_a_dry_run_as_it_is_denied_when_it_is_run()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.until_robot("arm-1", |arm| arm["pose"]["position_m"].is_array()).await?;
    write(&site, "across", &through_a_zone())?;
    site.until_ok("get_mission", json!({ "mission_id": "across" })).await?;
    let at_first = position(&site).await?;
    let limits = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;

    let dry = dry_run(&site, "across").await?;
    assert_eq!(
        (&dry["ok"], &dry["denied"], &dry["asked"], &dry["sentence"]),
        (&json!(false), &json!(1), &json!(1), &json!("Goal 2 would be denied.")),
        "{dry:#}"
    );
    let [first, second, last] = [&dry["steps"][0], &dry["steps"][1], &dry["steps"][2]];
    assert_eq!((&first["is_denied"], &first["motion"]["start"]), (&json!(false), &json!("measured")), "{first:#}");
    assert_eq!((&first["approval"]["kind"], &first["approval"]["tier"]), (&json!("asked"), &json!("high")));
    assert_eq!((&second["is_denied"], &second["motion"]["start"]), (&json!(true), &json!("predicted")), "{second:#}");
    assert_eq!(second["motion"]["preview"]["from"], json!([0.5, 0.4, 0.4]), "{second:#}");
    assert_eq!(
        (&last["kind"], &last["is_reached"], &last["takes_s"]),
        (&json!("wait"), &json!(false), &json!(5.0)),
        "{last:#}"
    );
    // The arm is not armed: that is told beside the verdicts, and hides none of them.
    assert!(dry["before"].to_string().contains("arm-1"), "{dry:#}");

    // Nothing has come of it, and another one says the same.
    let decisions = |dry: &Value| {
        let steps = dry["steps"].as_array().cloned().unwrap_or_default();
        let decision = |step: Value| {
            let violations = violations(&step["motion"]["verdict"]).join(" ");
            (step["is_denied"].clone(), step["begins_s"].clone(), step["approval"].clone(), violations)
        };
        steps.into_iter().map(decision).collect::<Vec<_>>()
    };
    assert_eq!(decisions(&dry_run(&site, "across").await?), decisions(&dry));
    assert_eq!(site.get("list_verdicts", json!({})).await?, json!([]));
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]));
    assert_eq!(site.get("list_constraints", json!({ "robot": "arm-1" })).await?, limits);
    let audit = site.get("list_audit", json!({})).await?.to_string();
    assert!(audit.contains("dry_run_mission") && !audit.contains("\"send\""), "{audit}");
    assert_eq!(position(&site).await?, at_first, "the arm has not moved");
    assert_eq!(site.get("get_mission", json!({ "mission_id": "across" })).await?["state"], "draft");

    // The same for real.
    site.arm("arm-1").await?;
    site.activate("across").await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    let failed = until_state(&mut site, "across", "failed").await?;
    assert_eq!(failed["goals"][0]["state"], "done", "{failed:#}");
    let newest = site.get("list_verdicts", json!({ "robot": "arm-1" })).await?[0].clone();
    let real = site.get("explain_verdict", json!({ "id": newest["id"] })).await?;
    assert_eq!(violations(&real["verdict"]), violations(&second["motion"]["verdict"]), "{real:#}");
    assert!(!violations(&real["verdict"]).is_empty(), "{real:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_14_mo_18_a_dry_run_is_of_one_text_and_says_who_is_in_the_way() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.until_robot("arm-1", |arm| arm["pose"]["position_m"].is_array()).await?;
    write(&site, "across", &through_a_zone())?;
    let shown = site.until_ok("get_mission", json!({ "mission_id": "across" })).await?;
    let dry = site.get("dry_run_mission", json!({ "mission_id": "across", "hash": shown["hash"] })).await?;
    assert_eq!(dry["hash"], shown["hash"]);
    let other = json!({ "mission_id": "across", "hash": "0f1e2d" });
    assert_eq!(site.refused("dry_run_mission", other).await?, "hash_changed");
    write(&site, "wrong", "---\nrobots: [nobody]\n---\n")?;
    site.until_ok("get_mission", json!({ "mission_id": "wrong" })).await?;
    assert_eq!(site.refused("dry_run_mission", json!({ "mission_id": "wrong" })).await?, "has_problems");

    // Another mission has the arm, and waits for a person.
    write(&site, "first", &through_a_zone())?;
    site.arm("arm-1").await?;
    site.activate("first").await?;
    site.until_proposal(|card| card["state"] == "waiting").await?;
    until_mission(&mut site, "first", |shown| shown["locks"][0]["is_held"] == true).await?;
    let dry = dry_run(&site, "across").await?;
    let locked = &dry["steps"][0]["locked"];
    assert_eq!(locked["part"], "arm-1/body/arm", "{dry:#}");
    assert!(locked["holder"].to_string().contains("first"), "{locked}");
    assert!(find(&dry["conflicts"], "mission_id", "first").is_some(), "{dry:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_02_an_activation_keeps_the_dry_run_that_the_person_saw_and_takes_none_of_another_text() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.until_robot("arm-1", |arm| arm["pose"]["position_m"].is_array()).await?;
    write(&site, "across", &through_a_zone())?;
    write(&site, "beside", "---\nrobots: [arm-1]\n---\nLook aside.\n")?;
    site.until_ok("get_mission", json!({ "mission_id": "beside" })).await?;
    let shown = site.until_ok("get_mission", json!({ "mission_id": "across" })).await?;
    let problems = shown["problems"].as_array().into_iter().flatten();
    let accept: Vec<Value> = problems.map(|one| json!({ "code": one["code"], "line": one["line"] })).collect();
    let with =
        |run: &Value| json!({ "mission_id": "across", "hash": shown["hash"], "accept": accept, "dry_run_id": run });
    let other = dry_run(&site, "beside").await?;
    assert_eq!(site.refused("activate_mission", with(&other["id"])).await?, "dry_run_unknown");

    let seen = dry_run(&site, "across").await?;
    site.get("activate_mission", with(&seen["id"])).await?;
    let kept = site.get("get_mission", json!({ "mission_id": "across" })).await?["activation"]["dry_run"].clone();
    let told = |run: &Value| (run["id"].clone(), run["hash"].clone(), run["ok"].clone(), run["sentence"].clone());
    assert_eq!(told(&kept), told(&seen), "{kept:#}");
    let audit = site.get("list_audit", json!({})).await?;
    let id = seen["id"].as_str().unwrap_or_default();
    let is_activation = |record: &Value| {
        record["operation"] == "activate_mission" && record["outcome"] == "ok" && record.to_string().contains(id)
    };
    assert!(audit.as_array().into_iter().flatten().any(is_activation), "{audit:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_20_a_dry_run_is_stale_once_its_text_or_the_limits_of_its_robot_are_others_but_not_by_its_own_activation()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.until_robot("arm-1", |arm| arm["pose"]["position_m"].is_array()).await?;
    write(&site, "across", &through_a_zone())?;
    site.until_ok("get_mission", json!({ "mission_id": "across" })).await?;
    let run = dry_run(&site, "across").await?;
    let kept = async |site: &Site| {
        anyhow::Ok(site.get("get_mission", json!({ "mission_id": "across" })).await?["dry_run"].clone())
    };
    let fresh = kept(&site).await?;
    assert_eq!((&fresh["id"], &fresh["stale"]), (&run["id"], &Value::Null), "{fresh:#}");
    site.activate("across").await?;
    assert_eq!(kept(&site).await?["stale"], Value::Null, "the limits of its own text are not others");

    let slower = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.1" });
    site.get("register_constraint", slower).await?;
    assert_eq!(kept(&site).await?["stale"], json!([{ "cause": "limits", "robot": "arm-1" }]));
    write(&site, "across", &through_a_zone().replace("Reach across.", "Reach."))?;
    let other = until_mission(&mut site, "across", |shown| shown["dry_run"]["stale"][0]["cause"] == "text").await?;
    assert_eq!(other["dry_run"]["stale"][1]["cause"], "limits", "{other:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_18_the_limits_of_a_file_are_tried_on_commands_that_were_really_judged() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    three_commands(&mut site).await?;
    let limits = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;
    let with_speed = |speed: f64| {
        let limit = format!("{{type: max_velocity, params: {speed}}}");
        format!("---\nrobots: [arm-1]\nconstraints: [{limit}]\n---\nGo slowly.\n")
    };
    write(&site, "slow", &with_speed(0.2))?;
    site.until_ok("get_mission", json!({ "mission_id": "slow" })).await?;
    assert_eq!(dry_run(&site, "slow").await?["recorded"], Value::Null, "only where it is asked for");

    let tried = site.get("dry_run_mission", json!({ "mission_id": "slow", "recorded": true })).await?;
    let recorded = &tried["recorded"];
    let counts = (&recorded["commands"], &recorded["to_deny"], &recorded["to_allow"]);
    assert_eq!(counts, (&json!(3), &json!(1), &json!(0)), "{tried:#}");
    let motion = &recorded["changed"][0]["motion"];
    assert_eq!((&motion["robot"], &motion["verdict"]["overall"]), (&json!("arm-1"), &json!("deny")), "{motion:#}");
    assert_eq!(violations(&motion["verdict"]), ["velocity"], "{motion:#}");
    assert!(motion["sentence"].as_str().is_some_and(|said| said.contains("0.2")), "{motion:#}");
    assert!(motion["explanation"].as_array().is_some_and(|limits| limits.len() > 1), "every limit is shown");

    write(&site, "slow", &with_speed(0.5))?;
    let as_ever = site.get("dry_run_mission", json!({ "mission_id": "slow", "recorded": true })).await?;
    assert_eq!(as_ever["recorded"]["changed"], json!([]), "{as_ever:#}");
    assert_eq!(site.get("list_constraints", json!({ "robot": "arm-1" })).await?, limits);
    Ok(())
}
