//! Several conversations with one agent, and the one in which it works by itself.

use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

fn spoken(page: &Value) -> Vec<String> {
    let entries = page["entries"].as_array().into_iter().flatten();
    let said = entries.filter(|entry| entry["kind"] == "user").filter_map(|entry| entry["content"].as_str());
    said.map(str::to_owned).collect()
}

async fn answered(site: &mut Site, session: &Value, text: &str) -> anyhow::Result<Value> {
    site.get("send_message", json!({ "session": session, "text": text })).await?;
    let is_over = |page: &Value| {
        let last = page["entries"].as_array().and_then(|entries| entries.last()).cloned().unwrap_or_default();
        page["running"].is_null() && last["kind"] == "assistant"
    };
    site.until("get_transcript", json!({ "session": session }), is_over).await
}

#[tokio::test(flavor = "multi_thread")]
async fn t_06_t_36_conversations_are_apart_found_exported_and_outlive_the_process() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let made = site.get("new_session", json!({})).await?;
    assert_eq!((&made["channel"], &made["title"], &made["messages"]), (&json!("desk"), &Value::Null, &json!(0)));
    let chat = made["session"].clone();
    let id = chat.as_str().and_then(|name| name.strip_prefix("chat-")).unwrap_or_default();
    let parts: Vec<usize> = id.split('-').map(str::len).collect();
    assert!(parts == [8, 4, 4, 4, 12] && !id.contains(|c: char| c != '-' && !c.is_ascii_hexdigit()), "no UUID: {chat}");
    site.say("alerts").await?;
    let page = answered(&mut site, &chat, "what can you see about the Quartz door?").await?;
    assert_eq!(spoken(&page).len(), 1);
    assert_eq!(spoken(&site.get("get_transcript", json!({})).await?).len(), 1, "the first conversation is untouched");

    let rows = site.get("list_sessions", json!({})).await?;
    assert_eq!(rows[0]["session"], chat, "the one used last comes first: {rows:#}");
    assert_eq!(rows[0]["title"], "what can you see about the Quartz door?");
    site.get("pin_session", json!({ "session": "desk", "on": true })).await?;

    let found = site.get("search_sessions", json!({ "query": "QUARTZ door" })).await?;
    assert_eq!(found["items"][0]["session"], chat, "{found:#}");
    assert_eq!(site.get("search_sessions", json!({ "query": "quartz window" })).await?["items"], json!([]));
    assert_eq!(site.refused("search_sessions", json!({ "query": " " })).await?, "empty_query");

    let markdown = site.get("export_session", json!({ "session": chat, "form": "markdown" })).await?;
    assert!(markdown["text"].as_str().is_some_and(|text| text.contains("Quartz door")), "{markdown:#}");
    let exported = site.get("export_session", json!({ "session": chat, "form": "json" })).await?;
    let entries: Value = serde_json::from_str(exported["text"].as_str().unwrap_or_default())?;
    assert_eq!(entries, page["entries"], "entries as stored");

    let site = site.restart_empty().await?;
    let rows = site.get("list_sessions", json!({})).await?;
    assert_eq!((&rows[0]["session"], &rows[0]["pinned"]), (&json!("desk"), &json!(true)), "{rows:#}");
    let row = find(&rows, "session", chat.as_str().unwrap_or_default());
    assert_eq!(row.map(|row| &row["messages"]), Some(&json!(2)), "{rows:#}");
    assert_eq!(row.map(|row| &row["model"]), Some(&json!("quarterdeck-commands")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn s_44_a_conversation_begins_anew_by_hand_only_and_keeps_its_file() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.say("alerts").await?;
    let reset = site.get("reset_session", json!({ "session": "desk" })).await?;
    assert_eq!((&reset["epoch"], &reset["session"]), (&json!(1), &json!("desk")));
    let page = site.get("get_transcript", json!({})).await?;
    let last = page["entries"].as_array().and_then(|entries| entries.last()).cloned().unwrap_or_default();
    assert_eq!(last["marker"]["epoch"]["reason"], "session_reset");
    assert_eq!(spoken(&page).len(), 1, "nothing is gone from the file");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_08_nobody_speaks_in_the_autonomy_session() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let said = json!({ "session": "autonomy", "text": "status" });
    assert_eq!(site.refused("send_message", said).await?, "not_of_the_desk");
    let rows = site.get("list_sessions", json!({})).await?;
    assert_eq!(find(&rows, "session", "autonomy").map(|row| &row["channel"]), Some(&json!("autonomy")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_05_a_08_an_alert_at_night_with_nobody_there_is_looked_into_by_itself() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let rule = json!({ "predicate": "person.location = 'hallway'", "description": "somebody is in the hallway" });
    let alert = site.get("register_alert", rule).await?["id"].clone();
    let looked = |page: &Value| {
        let entries = page["entries"].as_array().into_iter().flatten();
        entries.into_iter().any(|entry| entry["kind"] == "assistant" && page["running"].is_null())
    };
    let page = site.until("get_transcript", json!({ "session": "autonomy" }), looked).await?;
    let event: Value = serde_json::from_str(&spoken(&page)[0])?;
    assert_eq!((&event["trigger"], &event["alert"]), (&json!("alert"), &alert));
    assert_eq!(spoken(&site.get("get_transcript", json!({})).await?), Vec::<String>::new(), "the desk is left alone");
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]), "nothing is asked of nobody");
    Ok(())
}

/// The lines of what was recalled for the newest request to `model`; none if nothing was.
fn recalled(model: &FakeModel) -> Vec<String> {
    fn texts(value: &Value) -> Vec<&str> {
        match value {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().flat_map(texts).collect(),
            Value::Object(fields) => fields.values().flat_map(texts).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
        }
    }
    let asked = model.asked();
    let messages = asked.last().map(|asked| asked.body["messages"].clone()).unwrap_or_default();
    let blocks =
        texts(&messages).into_iter().filter_map(|text| text.split_once("[Recalled]\n")).map(|(_, block)| block);
    let lines = blocks.flat_map(|block| block.lines().take_while(|line| line.starts_with("20")));
    lines.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fp_14_the_first_turn_recalls_nothing_and_a_question_asked_again_its_answer_and_not_itself()
-> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let model = FakeModel::start(
        ["The spare gripper lies in drawer seven.", "In drawer seven.", "As before."]
            .map(|said| Answer::Say(said.into())),
    )
    .await?;
    site.use_model(&model).await?;
    let question = "Where does the spare gripper lie?";
    site.say(question).await?;
    let asked = serde_json::to_string(&model.asked()[0].body["messages"])?;
    assert!(!asked.contains("[Recalled]"), "the question is all there is to recall: {asked}");

    let knows = json!({ "query": "drawer seven" });
    site.until("memory_search", knows, |found| found["items"].as_array().is_some_and(|items| !items.is_empty()))
        .await?;
    for again in [question, "Please, where does the spare gripper lie?"] {
        let session = site.get("new_session", json!({})).await?["session"].clone();
        answered(&mut site, &session, again).await?;
        let lines = recalled(&model);
        assert!(lines.iter().any(|line| line.contains("drawer seven")), "{again}: {lines:?}");
        assert!(!lines.iter().any(|line| line.contains("does the spare")), "{again}: {lines:?}");
    }
    Ok(())
}
