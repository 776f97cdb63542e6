//! Approvals between a click, or what was given beforehand, and the robot: what has changed by then is asked again, and
//! the same command is asked for once.

use quarterdeck_tests::{Site, arm_goal};
use runtime::wire::CommandStep;
use serde_json::{Value, json};

use crate::mission_steps::{until_state, write};
use crate::proposals::{ask, decision, grant, rover, with_people_far_away};
use crate::store::{edit, in_time, late};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

/// The cards that there are.
async fn cards(site: &Site) -> anyhow::Result<usize> {
    Ok(site.get("list_proposals", json!({})).await?.as_array().map_or(0, Vec::len))
}

#[tokio::test(flavor = "multi_thread")]
async fn t7_a_click_sends_nothing_if_the_robot_has_moved_before_its_approval_is_on_record() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let card = ask(&mut site, MOVE).await?;
    late(&site).await?;
    assert_eq!(site.get("approve_proposal", decision(&card)).await?["state"], "approved");
    site.get("send_command", arm_goal([0.3, 0.0, 0.95], 0.1)).await?;
    let done = |fact: &api::Fact| matches!(fact, api::Fact::CommandStep { step: CommandStep::Done, .. });
    site.until_fact("the end of the person's own motion", done).await?;
    in_time(&site).await?;
    let ended =
        site.until_proposal(|card| ["failed", "running", "done"].iter().any(|end| card["state"] == *end)).await?;
    assert_eq!(ended["state"], "failed", "{ended:#}");
    let why = ended["state_reason"].as_str().unwrap_or_default();
    assert!(why.contains("the robot has moved"), "{ended:#}");
    Ok(())
}

/// Asks for a motion of the rover as a program does: the answer's words, and the card once it is in one of these states.
async fn ask_to_drive(
    site: &mut Site,
    (x_m, mission): (f64, Option<&str>),
    states: &[&str],
) -> anyhow::Result<(String, Value)> {
    let pose_goal = json!({ "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.25 });
    let mut input = json!({ "robot": "rover-1", "actuator": "base", "motion": { "pose_goal": pose_goal } });
    if let Some(mission) = mission {
        input["mission_id"] = json!(mission);
    }
    let wanted = json!({ "operation": "send_command", "input": input, "reason": "please" });
    let made = site.get("create_proposal", wanted).await?;
    let words = made["message"].as_str().unwrap_or_default().replace(made["id"].as_str().unwrap_or_default(), "#");
    let is_there = |card: &Value| card["id"] == made["id"] && states.iter().any(|state| card["state"] == *state);
    Ok((words, site.until_proposal(is_there).await?))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_motion_whose_standing_approval_is_over_on_disk_waits_for_a_person_and_can_be_approved() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    rover(&mut site).await?;
    let granted = site.get("grant_standing_approval", grant(|_| {})).await?;
    let (words, sent) = ask_to_drive(&mut site, (0.5, None), &["waiting", "done"]).await?;
    assert_eq!(words, "Proposal # was covered by a standing approval");
    assert_eq!((&sent["state"], &sent["standing_approval"]), (&json!("done"), &granted["id"]));

    // It has ended, and only the disk knows yet.
    edit(&site, "UPDATE standing_approval SET ended = 'revoked'").await?;
    let (words, card) = ask_to_drive(&mut site, (0.8, None), &["waiting", "done"]).await?;
    assert_eq!(words, "Proposal # waits for approval");
    let by_nobody = (&json!("waiting"), &Value::Null, &Value::Null);
    assert_eq!((&card["state"], &card["decided_by"], &card["standing_approval"]), by_nobody, "{card:#}");
    site.get("approve_proposal", decision(&card)).await?;
    let done = site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "done").await?;
    assert_eq!((&done["decided_by"], &done["standing_approval"]), (&json!("admin"), &Value::Null));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_proposed_again_under_its_id_makes_no_second_card_and_names_the_first() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let wanted = |x_m: f64| {
        let mut motion = arm_goal([x_m, 0.2, 1.0], 0.2);
        motion["id"] = json!("0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b");
        json!({ "operation": "send_command", "input": motion, "reason": "please" })
    };
    let made = site.get("create_proposal", wanted(0.5)).await?;
    assert_eq!(site.refused("create_proposal", wanted(0.5)).await?, "command_repeated", "nobody has decided");
    assert_eq!(site.refused("create_proposal", wanted(0.4)).await?, "command_repeated");
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    site.get("approve_proposal", decision(&card)).await?;
    site.until_proposal(|card| card["state"] == "done").await?;

    let again = site.get("create_proposal", wanted(0.5)).await?;
    assert_eq!((&again["id"], &again["tier"]), (&made["id"], &made["tier"]));
    assert_eq!(again["message"], format!("Proposal {} was made for this id before", made["id"].as_str().unwrap_or("")));
    assert_eq!(site.refused("create_proposal", wanted(0.4)).await?, "command_repeated");
    assert_eq!(cards(&site).await?, 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn p_14_a_pause_and_a_stop_void_what_a_standing_approval_has_covered_and_the_disk_does_not_have_yet()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    rover(&mut site).await?;
    write(&site, "carry", "---\nrobots: [rover-1]\n---\nCarry.\n")?;
    site.activate("carry").await?;
    until_state(&mut site, "carry", "active").await?;
    site.get("set_mode", json!({ "mode": "run:carry" })).await?;
    late(&site).await?;

    let of_mission = site.get("grant_standing_approval", grant(|grant| grant["mission_id"] = json!("carry"))).await?;
    let (_, card) = ask_to_drive(&mut site, (0.5, Some("carry")), &["approved", "waiting"]).await?;
    assert_eq!((&card["state"], &card["standing_approval"]), (&json!("approved"), &of_mission["id"]), "{card:#}");
    site.get("pause_mission", json!({ "mission_id": "carry" })).await?;
    let is_over = |row: &Value| row["id"] == card["id"] && row["state"] == "voided";
    let voided = site.until_proposal(is_over).await?;
    let halted = json!({ "code": "mission_halted", "mission": "carry" });
    assert_eq!((&voided["state_reason_kind"], &voided["decided_by"]), (&halted, &Value::Null), "{voided:#}");

    site.get("grant_standing_approval", grant(|_| {})).await?;
    let (_, card) = ask_to_drive(&mut site, (0.5, None), &["approved", "waiting"]).await?;
    assert_eq!(card["state"], "approved", "{card:#}");
    let stop = site.get("stop_robot", json!({ "robot": "arm-1" })).await?;
    // A look at the disk before the stop was there says so itself.
    let is_over = |row: &Value| row["id"] == card["id"] && ["voided", "failed"].iter().any(|end| row["state"] == *end);
    let ended = site.until_proposal(is_over).await?;
    let why = ended["state_reason"].as_str().unwrap_or_default();
    assert!(why == format!("stop #{}", stop["stop_id"]) || why.starts_with("A stop came before"), "{ended:#}");
    Ok(())
}
