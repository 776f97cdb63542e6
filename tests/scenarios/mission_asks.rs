//! Goals that are sentences: the agent works on each in a turn of its own, later again and again, and a person's tick or
//! its rule alone ends it.

use std::time::Duration;

use quarterdeck_tests::fake_model::{Answer, Asked, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{looked, shown, until_mission, until_state, write};

const TEXT: &str = "---\ngoals: [Look at the gate, Note what you saw]\n---\nBe quiet. <!-- and quick -->\n";

fn tick(goal: u32) -> Value {
    json!({ "mission_id": "gate", "goal": goal })
}

/// The event that began the newest turn that the model was asked in, as the model read it.
fn told(asked: &[Asked]) -> Value {
    let messages = asked.last().map(|asked| asked.body["messages"].clone()).unwrap_or_default();
    let mut texts = messages.as_array().into_iter().flatten().rev().map(|message| {
        let parts = message["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
        message["content"].as_str().map_or_else(|| parts.collect::<String>(), str::to_owned)
    });
    // Messages that nobody answered stand in one, the newest last.
    let event = |text: String| {
        let from = text.match_indices("{\"").map(|(from, _)| text[from..].to_owned());
        let parsed =
            from.filter_map(|rest| serde_json::Deserializer::from_str(&rest).into_iter::<Value>().next()?.ok());
        parsed.filter(|event| event["trigger"] == "schedule").last()
    };
    texts.find_map(event).unwrap_or_default()
}

async fn until_idle(site: &mut Site) -> anyhow::Result<()> {
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_32_ml_16_a_sentence_is_worked_on_in_turns_and_done_when_a_person_says_so() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    write(&site, "gate", TEXT)?;
    site.activate("gate").await?;
    let blocked = until_state(&mut site, "gate", "blocked").await?;
    let told_why = "Goal 1 (“Look at the gate”) needs a language model to be worked on, and the agent has none. It is done \
                    when a person says so.";
    assert_eq!((&blocked["reason"]["code"], &blocked["reason"]["sentence"]), (&json!("no_model"), &json!(told_why)));

    let model = FakeModel::start([Answer::Say("It is shut.".into()), Answer::Hang]).await?;
    site.use_model(&model).await?;
    let asks = until_mission(&mut site, "gate", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!((&asks["state"], &asks["goals"][0]["state"]), (&json!("blocked"), &json!("current")), "{asks:#}");
    let event = told(&model.asked());
    assert_eq!((&event["mission"], &event["goal"]), (&json!("gate"), &json!("1 of 2: Look at the gate")), "{event:#}");
    assert_eq!(event["mission_text"], "Be quiet.", "what the activation showed, and no more");
    let calls = site.get("list_model_calls", json!({})).await?;
    assert!(find(&calls["calls"], "mission_id", "gate").is_some(), "{calls:#}");
    looked(&mut site).await?;
    assert_eq!(model.asked().len(), 1, "not again at once");

    // After a while it is asked for again. A tick holds whatever goes on, and ends that turn.
    site.clock.suspend(Duration::from_secs(601));
    model.until_asked(2).await?;
    assert_eq!(told(&model.asked())["goal"], "1 of 2: Look at the gate");
    site.get("complete_mission", tick(1)).await?;
    model.until_asked(3).await?;
    assert_eq!(told(&model.asked())["goal"], "2 of 2: Note what you saw");
    let next = until_mission(&mut site, "gate", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!((&next["goals"][0]["state"], &next["goals"][1]["may_tick"]), (&json!("done"), &json!(true)), "{next:#}");
    site.get("complete_mission", tick(2)).await?;
    until_state(&mut site, "gate", "completed").await?;
    until_idle(&mut site).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_32_ml_22_ml_28_a_pause_and_a_crash_cut_the_turn_of_a_sentence_off() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let model = FakeModel::start([Answer::Hang, Answer::Hang]).await?;
    site.use_model(&model).await?;
    write(&site, "gate", TEXT)?;
    site.activate("gate").await?;
    model.until_asked(1).await?;
    site.get("pause_mission", json!({ "mission_id": "gate" })).await?;
    until_idle(&mut site).await?;
    looked(&mut site).await?;
    assert_eq!(model.asked().len(), 1, "nothing is done for a mission that stands still");
    site.get("resume_mission", json!({ "mission_id": "gate" })).await?;
    model.until_asked(2).await?;
    until_mission(&mut site, "gate", |shown| shown["state"] == "active").await?;

    let mut site = site.crash_empty().await?;
    let after = until_mission(&mut site, "gate", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!((&after["goals"][0]["state"], &after["answers"]), (&json!("current"), &json!([])), "{after:#}");
    looked(&mut site).await?;
    assert_eq!(model.asked().len(), 2, "what a crash has cut off is not begun again at once");
    site.get("complete_mission", tick(1)).await?;
    model.until_asked(3).await?;
    site.get("cancel_mission", json!({ "mission_id": "gate" })).await?;
    until_idle(&mut site).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_32_a_turn_that_comes_to_nothing_fails_no_goal_and_is_begun_again() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let refusal = Answer::Refuse(400, json!({ "error": { "message": "no" } }));
    let model = FakeModel::start([refusal.clone(), refusal]).await?;
    site.use_model(&model).await?;
    write(&site, "gate", TEXT)?;
    site.activate("gate").await?;
    site.until("list_events", json!({}), |rows| find(rows, "code", "mission_turn_failed").is_some()).await?;
    let asks = until_mission(&mut site, "gate", |shown| shown["reason"]["code"] == "ask").await?;
    assert_eq!(asks["goals"][0]["state"], "current", "{asks:#}");
    let asked = model.asked().len();
    site.clock.suspend(Duration::from_secs(61));
    model.until_asked(asked + 1).await?;
    until_mission(&mut site, "gate", |shown| shown["reason"]["code"] == "ask").await?;
    // A rule ends one too.
    let provider = "{topic_pattern: lab/gate/out/status, world_state_key_template: gate.status, value_field: status}";
    let goal = "{goal: Shut the gate, done_when: gate.status = 'shut'}";
    write(&site, "gate", &format!("---\nproviders: [{provider}]\ngoals: [{goal}]\n---\n"))?;
    site.activate("gate").await?;
    model.until_asked(asked + 2).await?;
    let prompt = told(&model.asked())["prompt"].to_string();
    assert!(prompt.contains("It is done once gate.status = 'shut', or a person says so."), "{prompt}");
    assert_eq!(shown(&site, "gate").await?["goals"][0]["state"], "current");
    site.get("complete_mission", tick(1)).await?;
    until_state(&mut site, "gate", "completed").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn mo_10_ml_32_a_model_ticks_no_goal_and_its_wish_is_a_card() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let wish = vec![("complete_mission", tick(1))];
    let model = FakeModel::start([Answer::Call(wish), Answer::Say("I have asked.".into())]).await?;
    site.use_model(&model).await?;
    write(&site, "gate", TEXT)?;
    site.activate("gate").await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    assert_eq!((&card["operation"], &card["mission"]), (&json!("complete_mission"), &json!("gate")), "{card:#}");
    assert_eq!(shown(&site, "gate").await?["goals"][0]["state"], "current");
    let approved = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", approved).await?;
    until_mission(&mut site, "gate", |shown| shown["goals"][0]["state"] == "done").await?;
    site.until_proposal(|row| row["id"] == card["id"] && row["state"] == "done").await?;
    site.get("complete_mission", tick(2)).await?;
    until_state(&mut site, "gate", "completed").await.map(drop)
}
