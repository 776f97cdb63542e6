//! From what an operator says to what a robot does, with a person in between.

use quarterdeck_tests::fake_model::FakeModel;
use quarterdeck_tests::{Site, violations};
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

fn decision(proposal: &Value) -> Value {
    json!({ "id": proposal["id"], "version": proposal["version"], "action_hash": proposal["action_hash"] })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_do_you_see_is_answered_from_the_world() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.until_key("person.location", |row| row["freshness"] == "live").await?;
    let answer = site.say("what do you see").await?;
    assert!(answer.contains("person.location = \"hallway\" (0.92"), "{answer}");
    assert!(site.say("status").await?.contains("arm-1"));
    assert!(site.say("missions").await?.contains("security-patrol"));
    assert!(site.say("pase patrol").await?.contains("pause mission"), "unknown words get suggestions");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_motion_asked_in_chat_moves_the_arm_after_one_click_and_not_before() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let proposal = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    assert_eq!(
        (proposal["tier"].as_str(), proposal["tier_rule"].as_str()),
        (Some("high"), Some("first_motion_since_arming"))
    );
    assert!(proposal["sentence"].as_str().is_some_and(|text| text.contains("(0.5, 0.2, 1) m")), "{proposal:#}");
    let still = site.until_robot("arm-1", |_| true).await?;
    assert_eq!(still["pose"]["position_m"], json!([0.3, 0.0, 0.8]), "nothing moves before the click");

    let mut other_hash = decision(&proposal);
    other_hash["action_hash"] = json!("00");
    assert_eq!(site.refused("approve_proposal", other_hash).await?, "proposal_changed");
    let mut old = decision(&proposal);
    old["version"] = json!(0);
    assert_eq!(site.refused("approve_proposal", old).await?, "proposal_changed");

    let approved = site.get("approve_proposal", decision(&proposal)).await?;
    assert_eq!(approved["state"], "approved");
    assert_eq!(site.refused("approve_proposal", decision(&proposal)).await?, "proposal_closed");
    let done = site.until_proposal(|proposal| proposal["state"] == "done").await?;
    let steps: Vec<_> = done["steps"].as_array().into_iter().flatten().map(|step| step["step"].clone()).collect();
    assert_eq!(steps.last(), Some(&json!("done")), "{steps:?}");
    assert!(steps.contains(&json!("received")) && steps.contains(&json!("running")), "{steps:?}");
    let answer = site.until_answer(MOVE).await?;
    assert!(answer.contains("arm-1 accepted"), "{answer}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_motion_makes_no_card_and_is_answered_with_the_limit() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let answer = site.say("move arm-1 to 2 0 1 at 0.1 m/s").await?;
    assert!(answer.contains("2.00 m") && answer.contains("1.00 m"), "{answer}");
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]));
    let page = site.get("get_transcript", json!({})).await?;
    let results = page["entries"].as_array().into_iter().flatten().filter(|entry| entry["kind"] == "tool_result");
    let denied = results.filter_map(|entry| serde_json::from_str::<Value>(entry["content"].as_str()?).ok());
    let denied = denied.into_iter().find(|result| result["state"] == "denied");
    let denied = denied.ok_or_else(|| anyhow::anyhow!("no denial in the transcript"))?;
    assert!(violations(&denied["verdict"]).contains(&"workspace"));
    assert!(denied["explanation"].as_array().is_some_and(|rows| rows.len() >= 3), "every limit is explained");
    let why = site.say("why was it denied?").await?;
    assert!(why.contains("- workspace: limit"), "{why}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_voids_what_waits_and_a_rejection_reaches_the_agent() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let proposal = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let no = json!({ "id": proposal["id"], "version": proposal["version"], "reason": "not_now" });
    site.get("reject_proposal", no).await?;
    let answer = site.until_answer(MOVE).await?;
    assert!(answer.contains("not_now"), "{answer}");

    site.get("send_message", json!({ "text": MOVE })).await?;
    let proposal = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.get("stop_all", json!({})).await?;
    assert_eq!(site.refused("approve_proposal", decision(&proposal)).await?, "proposal_closed");
    site.until_proposal(|proposal| proposal["state"] == "voided").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_proposal_is_judged_again_when_the_limits_change() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let proposal = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let slower = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.1" });
    site.get("register_constraint", slower).await?;
    let changed = site.refused("approve_proposal", decision(&proposal)).await?;
    assert!(changed == "proposal_recheck" || changed == "proposal_changed", "{changed}");
    let rechecked = site.until_proposal(|proposal| proposal["state"] == "recheck").await?;
    assert!(violations(&rechecked["verdict"]).contains(&"velocity"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_said_in_chat_stops_every_robot_without_a_click() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let answer = site.say("Stop!").await?;
    assert!(!answer.is_empty());
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!((&status["stopped"], &status["stops"][0]["by"]), (&json!(true), &json!("admin")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_said_while_a_card_waits_is_not_kept_waiting() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.say("stop").await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "voided").await?;
    let pressed_at = site.get("safety_status", json!({})).await?["stops"][0]["at_mono_ms"].as_u64().unwrap_or(u64::MAX);
    let made_at = card["expires_mono_ms"].as_u64().unwrap_or(0) - 60_000;
    assert!(pressed_at - made_at < 5_000, "the stop came {} ms after the card", pressed_at - made_at);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn m_06_every_operation_of_the_interpreter_is_offered_to_the_agent() -> anyhow::Result<()> {
    for name in llm::CommandModel::OPERATIONS.iter().copied() {
        let row = station::operations::table().iter().find(|row| row.name == name);
        let offered = row.is_some_and(|row| row.audience.contains(&robot::Audience::Agent));
        assert!(offered, "{name} is no operation of the agent");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn p_14_what_a_person_types_is_written_at_once_and_what_needs_more_makes_one_card() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    assert_eq!(site.get("list_agents", json!({})).await?[0]["mode"], "ask");
    site.say("remember that the left gate sticks").await?;
    site.say("schedule \"status\" every 30 min").await?;
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]), "these are the person's own words");
    assert_eq!(site.get("list_jobs", json!({})).await?.as_array().map(Vec::len), Some(1));
    for (number, (text, operation)) in (1..).zip([
        ("forget gate", "memory_forget"),
        ("add constraint security-patrol max_velocity 0.3", "register_constraint"),
    ]) {
        site.get("send_message", json!({ "text": text })).await?;
        site.until_proposal(|proposal| proposal["operation"] == operation && proposal["state"] == "waiting").await?;
        let cards = site.get("list_proposals", json!({})).await?;
        assert_eq!(cards.as_array().map(Vec::len), Some(number), "{text}: {cards:#}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn l_15_s_26_every_turn_is_told_of_the_robots_and_has_the_tools_of_a_station() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let model = FakeModel::start([]).await?;
    site.use_model(&model).await?;
    for text in ["Hello", "And now?"] {
        site.say(text).await?;
    }
    let turns: Vec<_> = model.asked().into_iter().filter(|asked| asked.body["tools"].is_array()).collect();
    assert!(turns.len() >= 2, "each of the turns was told of tools: {}", turns.len());
    for asked in turns {
        let said = asked.body["messages"].to_string();
        let robots = said.rsplit_once("[Robots]").map(|(_, robots)| robots).unwrap_or_default();
        for part in ["arm-1: disarmed", "arm (tool: pose_goal", "(default)", "ms old", "rover-2: "] {
            assert!(robots.contains(part), "{part}: {said}");
        }
        let tools = asked.body["tools"].to_string();
        for tool in ["list_robots", "send_command", "safety_status", "list_missions", "schedule_task", "stop_all"] {
            assert!(tools.contains(&format!("\"{tool}\"")), "{tool}");
        }
    }
    Ok(())
}
