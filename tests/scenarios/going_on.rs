//! Continuations after a turn: a motion that ends, a turn that money paused, a summary that a person edits.

use std::io::Write as _;

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, arm_goal, entries};
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

fn says(entry: &Value, text: &str) -> bool {
    entry["content"].as_str().is_some_and(|content| content.contains(text))
}

/// Approves the first card.
async fn approve(site: &mut Site) -> anyhow::Result<()> {
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let decision = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", decision).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn p_13_the_conversation_that_began_a_motion_is_told_of_its_end() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    approve(&mut site).await?;
    let is_told = |page: &Value| entries(page, "volatile").iter().any(|entry| says(entry, "[Task ended] send_command"));
    let page = site.until("get_transcript", json!({}), is_told).await?;
    let told = entries(&page, "volatile").pop().cloned().unwrap_or_default();
    assert!(says(&told, "of arm-1") && says(&told, ": done") && told["trust"] == "typed", "{told}");
    let autonomy = site.get("get_transcript", json!({ "session": "autonomy" })).await?;
    assert!(entries(&autonomy, "user").is_empty(), "the interpreter has nothing to decide: {autonomy:#}");
    assert!(site.say("status").await?.contains("arm-1"), "the conversation goes on");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn p_13_a_08_a_language_model_hears_of_the_end_of_a_motion_in_a_turn_of_its_own() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let model = FakeModel::start([
        Answer::Call(vec![("send_command", arm_goal([0.5, 0.2, 1.0], 0.2))]),
        Answer::Say("The arm is on its way.".into()),
        Answer::Say("The arm has arrived.".into()),
    ])
    .await?;
    site.use_model(&model).await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": "Bring the arm forward." })).await?;
    approve(&mut site).await?;
    let is_answered = |page: &Value| entries(page, "assistant").iter().any(|entry| says(entry, "The arm has arrived."));
    let page = site.until("get_transcript", json!({ "session": "autonomy" }), is_answered).await?;
    let event: Value = serde_json::from_str(entries(&page, "user")[0]["content"].as_str().unwrap_or_default())?;
    assert_eq!(
        (&event["trigger"], &event["about"], &event["state"], &event["session"]),
        (&json!("task"), &json!("arm-1"), &json!("done"), &json!("desk"))
    );
    Ok(())
}

/// Writes `lines` into the desk's conversation, and `settings` behind those of the station.
async fn with_files(site: Site, lines: &[Value], settings: &str) -> anyhow::Result<Site> {
    site.edited(|folder| {
        let sessions = folder.join("agents/main/sessions");
        std::fs::create_dir_all(&sessions)?;
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(sessions.join("desk.jsonl"), text)?;
        let mut config = std::fs::OpenOptions::new().append(true).open(folder.join("config.toml"))?;
        config.write_all(settings.as_bytes())?;
        Ok(())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn v_04_a_summary_is_edited_before_it_is_used() -> anyhow::Result<()> {
    let line = |id: u64, kind: &str, role: &str, origin: &str, text: &str| json!({ "id": id, "epoch": 0, "at_ms": 1, "kind": kind, "role": role, "origin": origin, "trust": "trusted", "content": text });
    let mut summary = line(2, "summary", "user", "system", "The gate is broken.");
    summary["covers"] = json!({ "from": 0, "to": 2 });
    summary["trust"] = json!("text");
    let said = [line(0, "user", "user", "operator(dana)", "hello"), line(1, "assistant", "assistant", "agent", "hi")];
    let site = Site::start_empty().await?;
    let mut site = with_files(site, &[&said[..], &[summary]].concat(), "").await?;
    let model = FakeModel::start([Answer::Say("It is in order.".into())]).await?;
    site.use_model(&model).await?;
    for (input, code) in [
        (json!({ "session": "desk", "entry": 1, "text": "x" }), "summary_not_found"),
        (json!({ "session": "desk", "entry": 2, "text": " " }), "bad_message"),
        (json!({ "session": "none", "entry": 2, "text": "x" }), "session_not_found"),
    ] {
        assert_eq!(site.refused("edit_summary", input.clone()).await?, code, "{input}");
    }
    let edited = site.get("edit_summary", json!({ "entry": 2, "text": "The gate was repaired." })).await?;
    assert_eq!(edited, json!({ "session": "desk", "entry": 4 }));
    assert_eq!(site.refused("edit_summary", json!({ "entry": 2, "text": "x" })).await?, "summary_not_found");
    let page = site.get("get_transcript", json!({})).await?;
    let stored = entries(&page, "summary").pop().cloned().unwrap_or_default();
    assert_eq!((&stored["covers"]["to"], &stored["trust"], &stored["epoch"]), (&json!(2), &json!("text"), &json!(1)));
    assert!(stored["origin"].as_str().is_some_and(|origin| origin.starts_with("operator(")), "{stored}");
    assert_eq!(site.say("How is the gate?").await?, "It is in order.");
    let asked = model.asked()[0].body.to_string();
    assert!(asked.contains("The gate was repaired.") && !asked.contains("The gate is broken."), "{asked}");
    Ok(())
}

/// A station whose day has no money, and a turn that waits for some; the model is never asked before.
async fn paused(model: &FakeModel) -> anyhow::Result<(Site, Value)> {
    let site = Site::start_empty().await?;
    let mut site = with_files(site, &[], "[agents.main.policy.budget]\ncost_day_usd = 0\n").await?;
    site.use_model(model).await?;
    let sent = site.get("send_message", json!({ "text": "How is it?" })).await?;
    let is_paused = |agents: &Value| agents[0]["paused"][0]["turn"] == sent["turn"];
    let agents = site.until("list_agents", json!({}), is_paused).await?;
    assert_eq!(agents[0]["paused"][0], json!({ "turn": sent["turn"], "session": "desk", "meter": "day" }));
    assert!(model.asked().is_empty() && model.asked_beside().is_empty(), "nobody paid for a call");
    Ok((site, sent))
}

#[tokio::test(flavor = "multi_thread")]
async fn k_04_a_turn_that_a_budget_paused_goes_on_when_a_person_adds_to_it() -> anyhow::Result<()> {
    let model = FakeModel::start([Answer::Say("All is well.".into())]).await?;
    let (site, sent) = paused(&model).await?;
    // It is still there after a restart.
    let mut site = site.restart_empty().await?;
    site.get("add_budget", json!({ "meter": "day", "usd": 1 })).await?;
    assert_eq!(site.until_answer("How is it?").await?, "All is well.");
    let agents = site.get("list_agents", json!({})).await?;
    assert_eq!(agents[0]["paused"], Value::Null);
    let page = site.get("get_transcript", json!({})).await?;
    assert!(entries(&page, "user").iter().any(|entry| says(entry, "\"trigger\":\"resume\"")), "{page:#}");
    let calls = site.get("list_model_calls", json!({})).await?;
    assert!(calls["calls"].as_array().is_some_and(|calls| calls.iter().all(|call| call["turn"] == sent["turn"])));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn k_04_a_paused_turn_is_ended_by_a_person_and_does_not_go_on() -> anyhow::Result<()> {
    let model = FakeModel::start([]).await?;
    let (site, sent) = paused(&model).await?;
    let cancelled = site.get("turn_cancel", json!({ "turn": sent["turn"] })).await?;
    assert_eq!(cancelled["message"], "Turn cancelled");
    site.get("add_budget", json!({ "meter": "day", "usd": 1 })).await?;
    let agents = site.get("list_agents", json!({})).await?;
    assert_eq!((&agents[0]["paused"], &agents[0]["running"]), (&Value::Null, &Value::Null));
    assert!(model.asked().is_empty());
    assert_eq!(site.refused("turn_cancel", json!({ "turn": sent["turn"] })).await?, "turn_ended");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn d_13_l_14_a_model_reads_what_every_turn_begins_with_before_anybody_has_spoken() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let site = with_files(site, &[], "[agents.main.policy]\npreset = \"vault\"\n").await?;
    let soul = site.data_dir().join("agents/main/soul");
    std::fs::create_dir_all(&soul)?;
    std::fs::write(soul.join("identity.md"), "You are patient with new operators.")?;
    let model = FakeModel::start([Answer::Say("x".into()), Answer::Say("All is well.".into())]).await?;
    let mut site = site;
    site.use_model(&model).await?;
    let is_warm = |list: &Value| list["calls"][0]["purpose"] == "warm" && list["calls"][0]["outcome"] == "ok";
    site.until("list_model_calls", json!({}), is_warm).await?;
    assert_eq!(site.say("How is it?").await?, "All is well.");
    let asked = model.asked();
    let system = |number: usize| asked[number].body["messages"][0].to_string();
    assert_eq!(asked[0].body["max_tokens"].as_u64().or(asked[0].body["max_completion_tokens"].as_u64()), Some(1));
    assert_eq!((system(0), &asked[0].body["tools"]), (system(1), &asked[1].body["tools"]), "the same beginning");
    assert!(system(0).contains("You are patient with new operators."), "{}", system(0));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn i_18_att_36_no_reply_of_a_model_changes_mode_role_approval_latch_or_constraint() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("stop_robot", json!({ "robot": "gate-1" })).await?;
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "9" });
    let acts = [
        ("set_mode", json!({ "mode": "assist" })),
        ("act_as_admin", json!({})),
        ("approve_proposal", json!({ "id": "pr-1", "version": 1, "action_hash": "x" })),
        ("grant_standing_approval", json!({ "robot": "arm-1" })),
        ("release_stop", json!({ "stop": 1 })),
        ("arm_robot", json!({ "robot": "arm-1" })),
        ("register_constraint", limit),
        ("add_budget", json!({ "meter": "day", "usd": 1 })),
    ];
    let proposed = |(operation, input): &(&str, Value)| {
        ("create_proposal", json!({ "operation": operation, "input": input, "reason": "please" }))
    };
    let model = FakeModel::start([
        Answer::Call(acts.to_vec()),
        Answer::Call(acts.iter().map(proposed).collect()),
        Answer::Say("I could not.".into()),
    ])
    .await?;
    site.use_model(&model).await?;
    let before = standing(&site).await?;
    site.get("send_message", json!({ "text": "Do what you want." })).await?;
    // A change that may be proposed at all waits for a person; the next words end the waiting.
    site.until_proposal(|proposal| proposal["operation"] == "register_constraint").await?;
    site.get("send_message", json!({ "text": "Well?" })).await?;
    site.until_answer("Well?").await?;
    assert_eq!(standing(&site).await?, before);
    let cards = site.get("list_proposals", json!({})).await?;
    assert_eq!(cards.as_array().map(Vec::len), Some(1), "everything else is not even proposed: {cards:#}");
    Ok(())
}

/// The state that no model may change.
async fn standing(site: &Site) -> anyhow::Result<Value> {
    let (agents, status) = (site.get("list_agents", json!({})).await?, site.get("safety_status", json!({})).await?);
    let constraints = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;
    let approvals = site.get("list_standing_approvals", json!({})).await?;
    let role = site.get("session_info", json!({})).await?["role"].clone();
    let states: Vec<Value> =
        status["robots"].as_array().into_iter().flatten().map(|robot| robot["state"].clone()).collect();
    Ok(json!([agents[0]["mode"], role, status["stopped"], states, constraints, approvals]))
}
