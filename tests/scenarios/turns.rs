//! Turns that are steered, cancelled, stopped, and cut off by the end of their process.

use quarterdeck_tests::{Site, entries, find};
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

fn holds(entry: &Value, text: &str) -> bool {
    entry["content"].as_str().is_some_and(|content| content.contains(text))
}

/// Says what makes the arm's card, and gives the turn and the card once it waits.
async fn asked(site: &mut Site) -> anyhow::Result<(Value, Value)> {
    site.arm("arm-1").await?;
    let sent = site.get("send_message", json!({ "text": MOVE })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    Ok((sent["turn"].clone(), card))
}

#[tokio::test(flavor = "multi_thread")]
async fn x_01_v_07_a_steer_is_queued_and_heard_before_anything_that_waits() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (turn, _) = asked(&mut site).await?;
    let queued = site.get("turn_steer", json!({ "turn": turn, "text": "missions" })).await?;
    assert_eq!(queued, json!({ "message": "Steer queued", "position": 1 }));
    assert!(site.until_answer("missions").await?.contains("security-patrol"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn x_02_v_07_a_cancelled_turn_says_what_still_moves_and_is_over() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (turn, _) = asked(&mut site).await?;
    let cancelled = site.get("turn_cancel", json!({ "turn": turn })).await?;
    assert_eq!(cancelled, json!({ "message": "Turn cancelled", "still_moving": [] }));
    let page = site.until("get_transcript", json!({}), |page| !entries(page, "marker").is_empty()).await?;
    assert_eq!(entries(&page, "marker")[0]["marker"]["cancelled"]["reason"], "operator");
    let results = entries(&page, "tool_result");
    assert!(results.last().is_some_and(|result| holds(result, "cancelled after") && result["is_error"] == true));
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    for operation in ["turn_cancel", "turn_steer"] {
        let mut input = json!({ "turn": turn });
        if operation == "turn_steer" {
            input["text"] = json!("slower");
        }
        assert_eq!(site.refused(operation, input).await?, "turn_ended", "{operation}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn c_04_the_words_of_the_station_start_no_turn() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let set = site.get("send_message", json!({ "text": "/loop 8" })).await?;
    assert_eq!((&set["turn"], &set["session"]), (&Value::Null, &json!("desk")));
    assert!(set["message"].as_str().is_some_and(|message| message.contains('8')), "{set}");
    for word in ["/cancel", "/steer slower"] {
        assert_eq!(site.refused("send_message", json!({ "text": word })).await?, "turn_ended", "{word}");
    }
    let (turn, _) = asked(&mut site).await?;
    let cancelled = site.get("send_message", json!({ "text": "/cancel" })).await?;
    assert_eq!((&cancelled["turn"], &cancelled["message"]), (&turn, &json!("Turn cancelled")));
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    let page = site.get("get_transcript", json!({})).await?;
    assert_eq!(entries(&page, "user").len(), 1, "only the motion was for the agent");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn x_03_stop_all_ends_the_wave_voids_its_cards_and_takes_the_mode_back() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    assert_eq!(site.get("set_mode", json!({ "mode": "assist" })).await?, json!({ "mode": "assist" }));
    let (_, card) = asked(&mut site).await?;
    site.get("stop_all", json!({})).await?;
    let page = site.until("get_transcript", json!({}), |page| !entries(page, "marker").is_empty()).await?;
    assert_eq!(entries(&page, "marker")[0]["marker"]["cancelled"]["reason"], "stop_all");
    let voided = site.until_proposal(|proposal| proposal["state"] != "waiting").await?;
    assert_eq!((&voided["id"], &voided["state"]), (&card["id"], &json!("voided")));
    assert_eq!(site.get("list_agents", json!({})).await?[0]["mode"], "ask");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn x_03_a_stop_never_lets_an_agent_do_more_than_before() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("set_mode", json!({ "mode": "watch" })).await?;
    site.get("stop_all", json!({})).await?;
    assert_eq!(site.get("list_agents", json!({})).await?[0]["mode"], "watch");
    site = site.restart().await?;
    assert_eq!(site.get("list_agents", json!({})).await?[0]["mode"], "watch", "a mode outlives the process");
    Ok(())
}

/// Waits until the conversation that `of` names is taken up after a crash, and checks that the motion of `card`, which
/// was cut off, has an error for its result and was never sent.
pub async fn check_cut_off(site: &mut Site, of: Value, card: &Value) -> anyhow::Result<()> {
    let is_resumed = |page: &Value| entries(page, "marker").iter().any(|entry| entry["marker"] == "resumed");
    let page = site.until("get_transcript", of, is_resumed).await?;
    let results = entries(&page, "tool_result");
    let last = results.last().ok_or_else(|| anyhow::anyhow!("no result"))?;
    let error: Value = serde_json::from_str(last["content"].as_str().unwrap_or_default())?;
    assert_eq!((&last["is_error"], &error["code"]), (&json!(true), &json!("interrupted")));
    assert_eq!(error["robots"][0]["robot"], "arm-1", "the robot's present state stands with it: {error:#}");
    let left = site.until_proposal(|proposal| proposal["id"] == card["id"]).await?;
    assert_eq!(left["state"], "expired", "{left:#}");
    let records = site.get("list_audit", json!({ "after": 0, "limit": 1_000 })).await?;
    assert!(find(&records, "operation", "send").is_none(), "nothing was sent, before or after: {records:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn x_10_x_11_i_17_a_call_that_a_crash_cut_off_gets_an_error_and_is_never_run_again() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (_, card) = asked(&mut site).await?;
    let mut site = site.crash().await?;
    check_cut_off(&mut site, json!({}), &card).await?;
    assert!(site.say("status").await?.contains("arm-1"), "the conversation goes on");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn x_12_what_was_acknowledged_is_heard_after_a_crash_and_once() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (turn, _) = asked(&mut site).await?;
    site.get("turn_steer", json!({ "turn": turn, "text": "missions" })).await?;
    let mut site = site.crash().await?;
    // It was heard before the end, by a turn that is not run again, or it starts the next one.
    let is_heard = |page: &Value| entries(page, "user").into_iter().any(|entry| holds(entry, "missions"));
    site.until("get_transcript", json!({}), |page| is_heard(page) && page["running"].is_null()).await?;
    let mut site = site.restart().await?;
    assert!(site.say("status").await?.contains("arm-1"));
    let page = site.get("get_transcript", json!({})).await?;
    let heard = entries(&page, "user").into_iter().filter(|entry| holds(entry, "missions")).count();
    assert_eq!(heard, 1, "{page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn p_16_a_decision_that_comes_late_reaches_the_agent_in_a_turn_of_its_own() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (_, card) = asked(&mut site).await?;
    // The turn goes on without the answer, and ends.
    site.say("status").await?;
    let no = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", no).await?;
    let told = |page: &Value| entries(page, "user").iter().any(|entry| holds(entry, "\"trigger\":\"decision\""));
    let page = site.until("get_transcript", json!({ "session": "autonomy" }), told).await?;
    let user = entries(&page, "user");
    let event: Value = serde_json::from_str(user[0]["content"].as_str().unwrap_or_default())?;
    assert_eq!(
        (&event["proposal"], &event["state"], &event["reason"]),
        (&card["id"], &json!("rejected"), &json!("not_now"))
    );
    Ok(())
}
