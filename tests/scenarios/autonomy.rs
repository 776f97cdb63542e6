//! Acts of an agent with a language model by itself: it makes room for people, and asks before a mission goes live.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, entries, find};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_08_a_turn_that_nobody_asked_for_makes_room_for_a_person() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    // The model never answers the alert, and answers the person.
    let model = FakeModel::start([Answer::Hang, Answer::Say("Four robots are here.".into())]).await?;
    site.use_model(&model).await?;
    site.get("register_alert", json!({ "predicate": "person.location = 'hallway'" })).await?;
    site.until("list_sessions", json!({}), |_| !model.asked().is_empty()).await?;
    site.get("send_message", json!({ "text": "Which robots are here?" })).await?;
    assert_eq!(site.until_answer("Which robots are here?").await?, "Four robots are here.");
    let page = site.get("get_transcript", json!({ "session": "autonomy" })).await?;
    let marker = entries(&page, "marker").first().map(|entry| entry["marker"]["cancelled"]["reason"].clone());
    assert_eq!(marker, Some(json!("preempted")), "{page:#}");
    Ok(())
}

/// Activates a mission that depends on one that has ended, and gives the state it comes to.
async fn checked(answer: Answer, state: &str) -> anyhow::Result<(Value, FakeModel)> {
    let mut site = Site::start().await?;
    let model = FakeModel::start([]).await?;
    model.beside(answer);
    site.use_model(&model).await?;
    let missions = site.data_dir().join("agents/main/missions");
    std::fs::write(missions.join("weld.md"), "---\ntitle: Weld the seam\nrobots: [arm-1]\n---\nWeld.\n")?;
    std::fs::write(missions.join("inspect.md"), "---\ntitle: Inspect it\ndepends_on: [weld]\n---\nLook.\n")?;
    for id in ["weld", "inspect"] {
        site.activate(id).await?;
    }
    site.get("complete_mission", json!({ "mission_id": "weld" })).await?;
    let is_there = |rows: &Value| find(rows, "id", "inspect").is_some_and(|row| row["state"] == state);
    let rows = site.until("list_missions", json!({}), is_there).await?;
    Ok((find(&rows, "id", "inspect").cloned().unwrap_or_default(), model))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_09_a_mission_goes_live_on_the_word_of_the_model_and_on_no_other() -> anyhow::Result<()> {
    let (_, model) = checked(Answer::Say("VALID".into()), "active").await?;
    let asked = model.asked_beside();
    assert_eq!(asked.len(), 1, "asked once");
    let body = asked[0].body.to_string();
    assert!(body.contains("Inspect it") && body.contains("weld"), "{body}");
    assert!(asked[0].body["tools"].is_null(), "no tools: {body}");
    checked(Answer::Say("INVALID: the arm is hot".into()), "checking").await?;
    checked(Answer::Refuse(400, json!({ "error": { "message": "no" } })), "checking").await?;
    Ok(())
}
