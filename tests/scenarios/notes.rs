//! Notes, and proposals of anything a person may start.

use quarterdeck_tests::{Site, arm_goal};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

fn read(site: &Site, file: &str) -> anyhow::Result<String> {
    Ok(std::fs::read_to_string(site.data_dir().join("agents/main").join(file))?)
}

fn decision(proposal: &Value) -> Value {
    json!({ "id": proposal["id"], "version": proposal["version"], "action_hash": proposal["action_hash"] })
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_04_pn_05_a_note_goes_to_its_file_and_what_a_person_wrote_there_stays() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let noted = site.get("remember_note", json!({ "text": "The dog sleeps in the kitchen." })).await?;
    assert_eq!(noted, json!({ "message": "Noted in MEMORY.md", "applied": "written" }));
    let folder = site.data_dir().join("agents/main");
    std::fs::write(folder.join("knowledge.md"), "## Doors\n\nThe key is with Dana.\n<!-- locked -->\n")?;
    let noted = site.get("remember_note", json!({ "text": "Two dogs.", "title": "Dogs" })).await?;
    assert_eq!(noted["message"], "Noted in knowledge.md");
    assert!(read(&site, "MEMORY.md")?.starts_with("The dog sleeps in the kitchen.\n<!-- note-"));
    let knowledge = read(&site, "knowledge.md")?;
    assert!(knowledge.contains("The key is with Dana.\n<!-- locked -->") && knowledge.contains("## Dogs\n\nTwo dogs."));
    for (input, code) in [
        (json!({ "text": "" }), "out_of_range"),
        (json!({ "text": "x".repeat(2_001) }), "out_of_range"),
        (json!({ "text": "a", "title": "a\n## b" }), "invalid_input"),
    ] {
        assert_eq!(site.refused("remember_note", input).await?, code);
    }
    let word = "w".repeat(1_999);
    let mut code = String::new();
    for _ in 0..40 {
        if let Err(error) = site.call("remember_note", json!({ "text": word })).await {
            code = error.code;
            assert_eq!(error.details["oldest"].as_array().map(Vec::len), Some(5));
            break;
        }
    }
    assert_eq!(code, "notes_full");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_01_what_a_person_may_start_can_be_proposed_and_nothing_else() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let ask = |operation: &str, input: Value| json!({ "operation": operation, "input": input, "reason": "why" });
    for (input, code) in [
        (ask("cancel_mision", json!({})), "unknown_operation"),
        (ask("approve_proposal", json!({})), "not_proposable"),
        (ask("arm_robot", json!({ "robot": "arm-1" })), "not_proposable"),
        (ask("take_control", json!({ "robot": "arm-1" })), "not_proposable"),
        (ask("act_as_admin", json!({})), "not_proposable"),
        (ask("decide_memory_review", json!({})), "not_proposable"),
        (ask("stop_all", json!({})), "not_proposable"),
        (ask("list_robots", json!({})), "not_proposable"),
        (ask("remember_note", json!({ "words": "x" })), "invalid_input"),
        (ask("send_command", json!({ "robot": 7 })), "invalid_input"),
        (json!({ "operation": "remember_note", "input": { "text": "x" }, "reason": "" }), "reason_missing"),
        (json!({ "operation": "remember_note", "input": { "text": "x" } }), "invalid_input"),
    ] {
        assert_eq!(site.refused("create_proposal", input.clone()).await?, code, "{input}");
    }
    let unknown = site.call("create_proposal", ask("remember_not", json!({}))).await.err();
    let unknown = unknown.ok_or_else(|| anyhow::anyhow!("not refused"))?;
    assert_eq!(unknown.details["nearest"].as_array().map(Vec::len), Some(3));
    assert_eq!((unknown.status(), &unknown.details["nearest"][0]), (422, &json!("remember_note")));
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_01_pn_03_an_approved_call_is_made_once_and_a_second_decision_fails() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let input = json!({ "operation": "remember_note", "input": { "text": "Asked first." }, "reason": "To remember." });
    let made = site.get("create_proposal", input.clone()).await?;
    let id = made["id"].as_str().unwrap_or_default();
    assert_eq!(made["message"], format!("Proposal {id} waits for approval"));
    assert_eq!((&made["tier"], &made["tier_rule"]), (&json!("low"), &json!("write_in_own_scope")));
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    assert_eq!((&card["reason"], &card["role_needed"]), (&json!("To remember."), &json!("operator")));
    assert!(read(&site, "MEMORY.md").is_err(), "nothing is written before the click");
    assert_eq!(
        site.refused("edit_proposal", json!({ "id": id, "version": 1, "input": {} })).await?,
        "not_numbers_only"
    );
    site.get("approve_proposal", decision(&card)).await?;
    site.until_proposal(|card| card["state"] == "done").await?;
    assert!(read(&site, "MEMORY.md")?.contains("Asked first."));
    let again = site.call("approve_proposal", decision(&card)).await.err();
    let again = again.ok_or_else(|| anyhow::anyhow!("approved twice"))?;
    assert_eq!((again.code.as_str(), &again.details["state"]), ("proposal_closed", &json!("done")));

    site.get("create_proposal", input).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    let reject = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", reject.clone()).await?;
    assert_eq!(site.refused("reject_proposal", reject).await?, "proposal_closed");
    assert_eq!(site.refused("approve_proposal", decision(&card)).await?, "proposal_closed");
    assert_eq!(read(&site, "MEMORY.md")?.matches("Asked first.").count(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_01_a_change_of_settings_is_high_and_needs_an_admin() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let provider = json!({ "topic_pattern": "lab/oven-1/out/state", "world_state_key_template": "oven.smoke", "value_field": "smoke" });
    site.get("create_proposal", json!({ "operation": "configure_context", "input": provider, "reason": "Smoke." }))
        .await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    assert_eq!((&card["tier"], &card["role_needed"]), (&json!("high"), &json!("admin")));
    let refused = site.api.call(&api::Session::app_window(), "approve_proposal", decision(&card)).await.err();
    assert_eq!(refused.map(|error| error.code), Some("forbidden".to_owned()));
    site.get("approve_proposal", decision(&card)).await?;
    site.until_proposal(|card| card["state"] == "done").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_01_a_motion_that_is_proposed_is_judged_like_any_other() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let ask = |goal: Value| json!({ "operation": "send_command", "input": goal, "reason": "Out of the way." });
    let far = ask(arm_goal([9.0, 0.0, 0.9], 0.2));
    assert_eq!(site.refused("create_proposal", far).await?, "denied");
    site.get("create_proposal", ask(arm_goal([0.5, 0.2, 1.0], 0.2))).await?;
    let card = site.until_proposal(|card| card["state"] == "waiting").await?;
    assert_eq!(card["reason"], "Out of the way.");
    site.get("approve_proposal", decision(&card)).await?;
    site.until_proposal(|card| card["state"] == "done").await?;
    Ok(())
}

async fn edit(site: &Site, file: &str, sql: &'static str) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new().filename(site.data_dir().join(file));
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::query(sql).execute(&mut connection).await?;
    Ok(connection.close().await?)
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_02_the_stations_record_of_a_decision_wins_over_the_agents() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let ask = |text: &str| json!({ "operation": "remember_note", "input": { "text": text }, "reason": "why" });
    let mut decided = Vec::new();
    for text in ["done", "rejected", "waits"] {
        site.get("create_proposal", ask(text)).await?;
        let card = site.until_proposal(|card| card["state"] == "waiting").await?;
        decided.push(card["id"].clone());
        match text {
            "done" => {
                site.get("approve_proposal", decision(&card)).await?;
                site.until_proposal(|card| card["state"] == "done").await?;
            }
            "rejected" => {
                let reject = json!({ "id": card["id"], "version": card["version"], "reason": "unsafe" });
                site.get("reject_proposal", reject).await?;
            }
            _ => {}
        }
    }
    // One is lost, one says something else.
    edit(&site, "agents/main/memory.db", "DELETE FROM proposal WHERE body LIKE '%\"text\":\"done\"%'").await?;
    let tampered = "UPDATE proposal SET body = replace(body, '\"state\":\"rejected\"', '\"state\":\"waiting\"')";
    edit(&site, "agents/main/memory.db", tampered).await?;
    let site = site.restart_empty().await?;
    let rows = site.get("list_proposals", json!({})).await?;
    let states: Vec<(Value, Value)> =
        rows.as_array().into_iter().flatten().map(|row| (row["id"].clone(), row["state"].clone())).collect();
    let expected = [
        (decided[2].clone(), json!("expired")),
        (decided[1].clone(), json!("rejected")),
        (decided[0].clone(), json!("done")),
    ];
    assert_eq!(states, expected);
    let later = json!({ "since": "2200-01-01T00:00:00Z" });
    assert_eq!(site.get("list_proposals", later).await?, json!([]));
    assert_eq!(site.refused("list_proposals", json!({ "since": "yesterday" })).await?, "invalid_input");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_04_notes_are_listed_with_who_wrote_them() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let folder = site.data_dir().join("agents/main");
    std::fs::write(folder.join("MEMORY.md"), "By hand.\n")?;
    std::fs::write(folder.join("knowledge.md"), "## Doors\n\nThe left one sticks.\n<!-- locked -->\n")?;
    site.get("remember_note", json!({ "text": "Feed the cat.", "title": "Cat" })).await?;
    let rows = site.get("list_notes", json!({})).await?;
    let short = |row: &Value| (row["file"].clone(), row["title"].clone(), row["text"].clone(), row["locked"].clone());
    let found: Vec<_> = rows.as_array().into_iter().flatten().map(short).collect();
    let (memory, knowledge) = (json!("MEMORY.md"), json!("knowledge.md"));
    assert_eq!(
        found,
        [
            (memory, Value::Null, json!("By hand."), json!(false)),
            (knowledge.clone(), json!("Doors"), json!("The left one sticks."), json!(true)),
            (knowledge, json!("Cat"), json!("Feed the cat."), json!(false)),
        ]
    );
    assert_eq!((&rows[2]["from"], &rows[2]["trust"]), (&json!("operator(admin)"), &json!("trusted")), "{rows:#}");
    assert_eq!(rows[0]["from"], Value::Null);
    Ok(())
}
