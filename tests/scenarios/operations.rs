//! Refusals of the operation table: coded, and nothing half done.

use api::Session;
use quarterdeck_tests::Site;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn refusals_name_what_is_wrong() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    for (operation, input, code) in [
        ("stop_al", json!({}), "unknown_operation"),
        ("list_robots", json!({ "colour": "red" }), "invalid_input"),
        ("list_robots", json!([1]), "invalid_input"),
        ("list_world_state", json!({ "limit": 0 }), "out_of_range"),
        ("list_world_state", json!({ "limit": "many" }), "invalid_input"),
        ("list_robots", json!({ "agent": "other" }), "agent_not_found"),
        ("arm_robot", json!({ "robot": "Arm 1" }), "invalid_input"),
        ("arm_robot", json!({ "robot": "arm-9" }), "robot_not_found"),
        ("approve_proposal", json!({ "id": "pr-1", "version": 1, "action_hash": "0" }), "proposal_not_found"),
        ("get_transcript", json!({ "session": "x" }), "session_not_found"),
        ("send_message", json!({ "text": "  " }), "bad_message"),
        ("turn_cancel", json!({ "turn": "turn-1" }), "turn_not_found"),
        ("inject_fault", json!({ "target": "arm-1", "fault": "no_ack", "on": true }), "simulator_stopped"),
    ] {
        assert_eq!(site.refused(operation, input.clone()).await?, code, "{operation} {input}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_09_att_10_a_role_comes_from_the_session_and_never_from_what_it_sends() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let operator = Session::app_window();
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.1" });
    let refused = site.api.call(&operator, "register_constraint", limit.clone()).await.err();
    assert_eq!(refused.map(|error| (error.status(), error.code)), Some((403, "forbidden".to_owned())));
    let mut as_admin = limit;
    as_admin["role"] = json!("admin");
    let refused = site.api.call(&site.admin, "register_constraint", as_admin).await.err();
    assert_eq!(refused.map(|error| error.code), Some("invalid_input".to_owned()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_id_acts_once() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let message = json!({ "text": "help", "request_id": "r-1" });
    let first = site.get("send_message", message.clone()).await?;
    assert_eq!(site.get("send_message", message).await?, first);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_whose_manifest_is_refused_is_listed_with_the_reason() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let data = site.data_dir().to_owned();
    std::fs::write(data.join("robots").join("arm-7.toml"), "schema = 1\ncolour = \"red\"\n")?;
    let site = site.restart_empty().await?;
    let robots = site.get("list_robots", json!({})).await?;
    let errors = robots[0]["errors"][0].as_str().unwrap_or_default();
    assert!(robots[0]["id"] == "arm-7" && errors.contains("colour"), "{robots:#}");
    assert_eq!(site.refused("arm_robot", json!({ "robot": "arm-7" })).await?, "manifest_invalid");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_directory_belongs_to_one_station_at_a_time() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let second = Site::start_beside(site.data_dir()).await.err();
    assert!(second.is_some_and(|error| error.to_string().contains("in use by another station")));
    Ok(())
}

/// Common errors of the operations of world and memory: each refuses in the same form.
#[tokio::test(flavor = "multi_thread")]
async fn op_03_common_errors_have_one_form() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let ranges = [
        ("list_world_state", json!({ "limit": 0 }), ("limit", json!(1), json!(20_000))),
        ("world_history", json!({ "key": "a.b", "max_points": 10_001 }), ("max_points", json!(1), json!(10_000))),
        ("watch_topic", json!({ "key_expr": "lab/x", "wait_secs": 11 }), ("wait_secs", json!(0), json!(10.0))),
        ("memory_search", json!({ "query": "x", "limit": 51 }), ("limit", json!(1), json!(50))),
        ("list_beliefs", json!({ "limit": 1_001 }), ("limit", json!(1), json!(1_000))),
        ("remember_note", json!({ "text": "" }), ("text", json!(1), json!(2_000))),
        (
            "configure_context",
            json!({
                "topic_pattern": "lab/x", "world_state_key_template": "x", "value_field": "v", "max_age_secs": 0.05,
            }),
            ("max_age_secs", json!(0.1), json!(86_400.0)),
        ),
        (
            "register_alert",
            json!({ "predicate": "a = 1", "debounce_secs": 0 }),
            ("debounce_secs", json!(1), json!(86_400)),
        ),
    ];
    for (operation, input, (field, min, max)) in ranges {
        let error = site.call(operation, input).await.err().ok_or_else(|| anyhow::anyhow!("{operation}"))?;
        assert_eq!((error.code.as_str(), error.status()), ("out_of_range", 422), "{operation}");
        let found = (&error.details["field"], &error.details["min"], &error.details["max"]);
        assert_eq!(found, (&json!(field), &min, &max), "{operation}");
    }
    let operator = Session::app_window();
    let forbidden = site.api.call(&operator, "memory_forget", json!({ "ids": ["ep-0"], "reason": "x" })).await.err();
    assert_eq!(forbidden.map(|error| (error.status(), error.code)), Some((403, "forbidden".to_owned())));
    site.get("create_agent", json!({ "id": "other" })).await?;
    for (operation, input) in [
        ("list_world_state", json!({})),
        ("memory_search", json!({ "query": "x" })),
        ("list_notes", json!({})),
        ("update_belief", json!({ "subject": "a", "predicate": "b", "value": "c", "confidence": 1.0 })),
        ("list_jobs", json!({})),
    ] {
        let error = site.call(operation, input.clone()).await.err().ok_or_else(|| anyhow::anyhow!("{operation}"))?;
        assert_eq!((error.code.as_str(), &error.details["agents"]), ("agent_required", &json!(["main", "other"])));
        let (mut named, mut unknown) = (input.clone(), input);
        named["agent"] = json!("other");
        site.get(operation, named).await?;
        unknown["agent"] = json!("nobody");
        assert_eq!(site.refused(operation, unknown).await?, "agent_not_found");
    }
    let of_mission = json!({ "agent": "main", "mission_id": "no-such", "predicate": "a = 1" });
    assert_eq!(site.refused("register_alert", of_mission).await?, "mission_not_found");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reason_that_says_nothing_or_is_too_long_is_refused_alike_wherever_one_is_given() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.4" });
    for (operation, mut input, chars_max) in [
        ("forget_belief", json!({ "id": "belief-0" }), 200),
        ("memory_forget", json!({ "query": "cup" }), 200),
        ("create_proposal", json!({ "operation": "set_notes", "input": {} }), 500),
        ("register_constraint", limit, 500),
    ] {
        for reason in [" ".to_owned(), "x".repeat(chars_max + 1)] {
            input["reason"] = json!(reason);
            assert_eq!(site.refused(operation, input.clone()).await?, "reason_missing", "{operation}");
        }
    }
    Ok(())
}
