//! Every operation that names something is tried with a name of nothing, over HTTP as a stranger calls it: an error
//! with its own code each time, and nothing written. An operation without a row here fails the first test.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use quarterdeck_tests::built;
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Fields of inputs that name something which must exist.
const NAMING: &[&str] = &[
    "id",
    "ids",
    "robot",
    "robots",
    "room",
    "turn",
    "mission_id",
    "alert_id",
    "session",
    "key",
    "stop_ids",
    "subject",
    "target",
    "provider",
];

/// Calls that name nothing: the operation, its input, and the code of the refusal.
#[expect(clippy::too_many_lines, reason = "one row for each operation")]
fn unknown() -> Vec<(&'static str, Value, &'static str)> {
    let robot = json!({ "robot": "no-such" });
    let robot_with = |field: &str, value: Value| {
        let mut input = robot.clone();
        input[field] = value;
        input
    };
    let cause = json!({ "robot": "no-such", "cause": "beat_lost", "reason": "x" });
    let change = |mut input: Value| {
        (input["id"], input["version"]) = (json!("con-0"), json!(1));
        input
    };
    let job = json!({ "id": "job-0" });
    let goal = json!({
        "robot": "no-such", "actuator": "arm", "motion": { "pose_goal": { "position_m": [0.0, 0.0, 0.0] } }
    });
    let decision = json!({ "id": "pr-0", "version": 1, "action_hash": "00" });
    let task = json!({ "prompt": "status", "every_secs": 60, "mission_id": "no-such" });
    let mission = json!({ "mission_id": "no-such" });
    let mission_with = |field: &str, value: Value| {
        let mut input = json!({ "mission_id": "no-such", "base_hash": "00" });
        input[field] = value;
        input
    };
    vec![
        ("revoke_token", json!({ "id": "no-such" }), "token_not_found"),
        ("remove_robot", robot.clone(), "robot_not_found"),
        ("revoke_robot", json!({ "robot": "no-such", "folder": "/nowhere/rules" }), "robot_not_found"),
        (
            "issue_credentials",
            json!({ "robots": ["no-such"], "router": "router.lab", "folder": "/nowhere/bundles" }),
            "robot_not_found",
        ),
        ("read_room", json!({ "room": "no-such" }), "room_not_found"),
        ("post_room", json!({ "room": "no-such", "text": "x" }), "room_not_found"),
        ("set_room_member", json!({ "room": "no-such", "station": "north" }), "room_not_found"),
        ("get_mission", mission.clone(), "mission_not_found"),
        ("activate_mission", json!({ "mission_id": "no-such", "hash": "00" }), "mission_not_found"),
        ("pause_mission", mission.clone(), "mission_not_found"),
        ("resume_mission", mission.clone(), "mission_not_found"),
        ("cancel_mission", mission.clone(), "mission_not_found"),
        ("complete_mission", mission.clone(), "mission_not_found"),
        ("list_mission_runs", mission.clone(), "mission_not_found"),
        ("mission_history", mission.clone(), "mission_not_found"),
        ("get_mission", json!({ "mission_id": "no-such", "version": "activated" }), "mission_not_found"),
        ("dry_run_mission", mission.clone(), "mission_not_found"),
        // It names a mission that there is not yet.
        ("draft_mission", json!({ "mission_id": "no-such", "template": "no-such" }), "template_not_found"),
        ("validate_mission", mission, "mission_not_found"),
        ("save_mission", mission_with("source", json!("x")), "mission_not_found"),
        ("remove_mission", mission_with("mission_id", json!("no-such")), "mission_not_found"),
        ("schedule_task", task, "mission_not_found"),
        ("memory_search", json!({ "query": "door", "mission_id": "no-such" }), "mission_not_found"),
        ("memory_forget", json!({ "ids": ["ep-0"], "reason": "wrong" }), "record_not_found"),
        ("get_record", json!({ "id": "ep-0" }), "record_not_found"),
        ("get_job", job.clone(), "job_not_found"),
        ("cancel_job", job.clone(), "job_not_found"),
        ("pause_job", job.clone(), "job_not_found"),
        ("resume_job", job.clone(), "job_not_found"),
        ("run_job", job.clone(), "job_not_found"),
        ("retry_job", job, "job_not_found"),
        ("decide_memory_review", json!({ "id": "rv-0", "accept": true }), "review_not_found"),
        (
            "create_proposal",
            json!({ "operation": "remember_note", "input": { "text": "x" }, "reason": "x", "mission_id": "no-such" }),
            "mission_not_found",
        ),
        ("approve_proposal", decision.clone(), "proposal_not_found"),
        ("edit_proposal", json!({ "id": "pr-0", "version": 1, "input": {} }), "proposal_not_found"),
        ("reject_proposal", json!({ "id": "pr-0", "version": 1, "reason": "unsafe" }), "proposal_not_found"),
        ("revoke_standing_approval", json!({ "id": "sa-0" }), "standing_approval_not_found"),
        ("arm_robot", robot.clone(), "robot_not_found"),
        ("disarm_robot", robot.clone(), "robot_not_found"),
        ("get_commissioning", robot.clone(), "robot_not_found"),
        ("begin_commissioning", robot_with("at_hardware_stop", json!(true)), "robot_not_found"),
        ("run_commissioning_step", robot_with("step", json!("axis_x")), "robot_not_found"),
        ("let_go_commissioning_step", robot.clone(), "robot_not_found"),
        ("stop_robot", robot.clone(), "robot_not_found"),
        ("hold_robot", robot.clone(), "robot_not_found"),
        ("grant_unconstrained", json!({ "robot": "no-such", "minutes": 5, "reason": "x" }), "robot_not_found"),
        ("take_control", robot.clone(), "robot_not_found"),
        ("release_control", robot.clone(), "robot_not_found"),
        ("run_stop_drill", robot.clone(), "robot_not_found"),
        ("send_command", goal.clone(), "robot_not_found"),
        ("check_command", goal, "robot_not_found"),
        ("camera_frame", robot_with("camera", json!("front")), "camera_not_found"),
        ("robot_model", robot.clone(), "robot_not_found"),
        ("robot_mesh", robot_with("mesh", json!("arm/link.stl")), "robot_not_found"),
        ("force_control", robot_with("reason", json!("x")), "robot_not_found"),
        ("recommission", robot_with("reason", json!("x")), "robot_not_found"),
        ("request_control", robot_with("message", json!("x")), "robot_not_found"),
        ("acknowledge_cause", cause, "robot_not_found"),
        ("answer_control_request", json!({ "id": "cr-0", "allow": true }), "control_request_not_found"),
        ("hand_to_agent", robot.clone(), "robot_not_found"),
        ("list_constraints", robot.clone(), "robot_not_found"),
        ("remove_mcp_server", json!({ "id": "no-such" }), "server_not_found"),
        ("pin_mcp_tool", json!({ "server": "no-such", "tool": "add", "hash": "00" }), "server_not_found"),
        ("unpin_mcp_tool", json!({ "server": "no-such", "tool": "add" }), "server_not_found"),
        ("call_mcp_tool", json!({ "tool": "no-such__add" }), "tool_not_found"),
        ("run_shell_tool", json!({ "tool": "shell_no_such" }), "tool_not_found"),
        ("list_drills", robot.clone(), "robot_not_found"),
        ("why_idle", robot.clone(), "robot_not_found"),
        ("proposal_shown", json!({ "id": "pr-0" }), "proposal_not_found"),
        ("set_aside_untrusted", json!({ "session": "chat-0" }), "session_not_found"),
        ("list_fallbacks", robot.clone(), "robot_not_found"),
        ("list_verdicts", robot, "robot_not_found"),
        ("list_jobs", json!({ "mission_id": "no-such" }), "mission_not_found"),
        ("list_proposals", json!({ "mission_id": "no-such" }), "mission_not_found"),
        ("preview_schedule", json!({ "every_secs": 60, "mission_id": "no-such" }), "mission_not_found"),
        ("explain_verdict", json!({ "id": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5c" }), "verdict_not_found"),
        (
            "jog",
            json!({
                "robot": "no-such", "actuator": "arm", "linear_mps": [0.1, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0]
            }),
            "robot_not_found",
        ),
        (
            "register_constraint",
            json!({ "robot": "no-such", "constraint_type": "max_velocity", "params_json": "0.5" }),
            "robot_not_found",
        ),
        ("tighten_constraint", change(json!({ "params_json": "0.5" })), "constraint_not_found"),
        (
            "loosen_constraint",
            change(json!({ "params_json": "0.5", "reason": "x", "preview_id": "0" })),
            "constraint_not_found",
        ),
        ("remove_constraint", change(json!({ "reason": "x", "preview_id": "0" })), "constraint_not_found"),
        ("preview_constraint_change", json!({ "id": "con-0", "params_json": "0.5" }), "constraint_not_found"),
        (
            "grant_standing_approval",
            json!({
                "robot": "no-such", "operation": "send_command", "count": 1, "hours": 1, "envelope": {
                    "actuator": "base", "speed_mps_max": 0.1,
                    "workspace": { "x": [0.0, 1.0], "y": [0.0, 1.0], "z": [0.0, 1.0] },
                },
            }),
            "robot_not_found",
        ),
        ("accept_keeps_moving", json!({ "robot": "no-such", "reason": "x" }), "robot_not_found"),
        ("release_stop", json!({ "stop_ids": [7], "robots": ["no-such"], "reason": "x" }), "robot_not_found"),
        ("inject_fault", json!({ "target": "no-such", "fault": "no_ack", "on": true }), "simulator_stopped"),
        (
            "set_supervision",
            json!({ "robot": "no-such", "supervision": "unattended", "reason": "x" }),
            "robot_not_found",
        ),
        ("get_belief", json!({ "subject": "no-such" }), "belief_not_found"),
        ("get_belief", json!({ "subject": "no-such", "predicate": "is" }), "belief_not_found"),
        ("belief_history", json!({ "id": "belief-0" }), "belief_not_found"),
        ("belief_history", json!({ "subject": "no-such", "predicate": "is" }), "belief_not_found"),
        ("confirm_belief", json!({ "id": "belief-0" }), "belief_not_found"),
        ("pin_belief", json!({ "id": "belief-0", "until": null }), "belief_not_found"),
        ("forget_belief", json!({ "id": "belief-0", "reason": "x" }), "belief_not_found"),
        ("update_context", json!({ "id": "cp-0", "version": 1, "max_age_secs": 10 }), "context_not_found"),
        ("remove_context", json!({ "id": "cp-0" }), "context_not_found"),
        ("test_context", json!({ "id": "cp-0" }), "context_not_found"),
        ("list_contexts", json!({ "mission_id": "no-such" }), "mission_not_found"),
        ("explain_world_entry", json!({ "key": "no.such" }), "key_not_found"),
        ("world_history", json!({ "key": "no.such" }), "key_not_found"),
        ("acknowledge_alarms", json!({ "ids": ["am-0"], "seq": 1 }), "alarm_not_found"),
        ("shelve_alarm", json!({ "id": "am-0", "secs": 60, "reason": "x" }), "alarm_not_found"),
        ("unshelve_alarm", json!({ "id": "am-0" }), "alarm_not_found"),
        ("reset_alarm", json!({ "id": "am-0" }), "alarm_not_found"),
        ("set_alarm_service", json!({ "id": "am-0", "in_service": false, "reason": "x" }), "alarm_not_found"),
        ("update_alert", json!({ "alert_id": "al-0", "debounce_secs": 60 }), "alert_not_found"),
        ("unregister_alert", json!({ "alert_id": "al-0" }), "alert_not_found"),
        ("turn_cancel", json!({ "turn": "turn-0" }), "turn_not_found"),
        ("turn_steer", json!({ "turn": "turn-0", "text": "x" }), "turn_not_found"),
        ("send_message", json!({ "session": "no-such", "text": "x" }), "session_not_found"),
        ("reset_session", json!({ "session": "no-such" }), "session_not_found"),
        ("pin_session", json!({ "session": "../desk", "on": true }), "session_not_found"),
        ("export_session", json!({ "session": "no-such", "form": "json" }), "session_not_found"),
        ("get_transcript", json!({ "session": "no-such" }), "session_not_found"),
        (
            "configure_context",
            json!({
                "mission_id": "no-such", "topic_pattern": "lab/x", "world_state_key_template": "x", "value_field": "x"
            }),
            "mission_not_found",
        ),
        ("list_alerts", json!({ "mission_id": "no-such" }), "mission_not_found"),
        ("remove_provider", json!({ "provider": "no-such" }), "provider_not_found"),
        ("test_provider", json!({ "provider": "no-such", "model": "x" }), "provider_not_found"),
        ("list_models", json!({ "provider": "no-such" }), "provider_not_found"),
        ("select_model", json!({ "provider": "no-such", "model": "x" }), "provider_not_found"),
        ("select_embedding", json!({ "provider": "no-such", "model": "x" }), "provider_not_found"),
        ("edit_summary", json!({ "session": "chat-0", "entry": 0, "text": "x" }), "session_not_found"),
        ("delete_secret", json!({ "name": "no-such" }), "secret_not_found"),
        ("get_turn_view", json!({ "turn": "turn-0" }), "turn_not_found"),
        ("export_turn", json!({ "turn": "turn-0", "form": "json" }), "turn_not_found"),
        ("try_provider", json!({ "kind": "openai", "key": "no-such" }), "secret_not_found"),
        ("add_budget", json!({ "meter": "turn", "usd": 1.0, "turn": "turn-0" }), "turn_not_found"),
        ("add_budget", json!({ "meter": "mission", "usd": 1.0, "mission_id": "no-such" }), "mission_not_found"),
        ("register_alert", json!({ "mission_id": "no-such", "predicate": "a = 1" }), "mission_not_found"),
    ]
}

/// Those that name what they make, and searches by what may be there.
const EXEMPT: &[&str] = &["add_mcp_server", "create_agent", "set_provider", "update_belief", "list_beliefs"];

#[test]
fn cw_25_every_operation_that_names_something_is_tried_with_nothing() {
    let tried: BTreeSet<&str> = unknown().iter().map(|(operation, _, _)| *operation).collect();
    let names_something = |row: &&station::operations::Operation| {
        let schema = (row.input_schema)();
        NAMING.iter().any(|field| schema["properties"].get(field).is_some())
    };
    let untried: Vec<&str> = station::operations::table()
        .iter()
        .filter(names_something)
        .map(|row| row.name)
        .filter(|name| !tried.contains(name) && !EXEMPT.contains(name))
        .collect();
    assert!(untried.is_empty(), "give these a row in `unknown`: {untried:?}");
}

/// A server of its own process.
struct Server {
    process: Child,
    address: String,
    token: String,
}

impl Server {
    async fn start(data_dir: &std::path::Path) -> anyhow::Result<Self> {
        std::fs::write(
            data_dir.join("config.toml"),
            "[zenoh]\nlisten = [\"tcp/127.0.0.1:0\"]\n[secrets]\nstore = \"environment\"\n",
        )?;
        let mut process = Command::new(built("quarterdeck-server")?)
            .args(["--data-dir".as_ref(), data_dir.as_os_str()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = process.stdout.take().ok_or_else(|| anyhow::anyhow!("no output"))?;
        let mut line = String::new();
        let mut output = BufReader::new(stdout);
        tokio::time::timeout(Duration::from_secs(60), output.read_line(&mut line)).await??;
        let started: Value = serde_json::from_str(&line)?;
        let url = started["url"].as_str().unwrap_or_default();
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(Self { process, address, token: started["token"].as_str().unwrap_or_default().to_owned() })
    }

    /// The status and the body of an answer.
    async fn post(&self, operation: &str, input: &Value) -> anyhow::Result<(u16, Value)> {
        let (body, address, token) = (input.to_string(), &self.address, &self.token);
        let request = format!(
            "POST /op/{operation} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        Ok((status, serde_json::from_str(body).unwrap_or_default()))
    }
}

/// The number of rows of each table of an agent's database.
async fn rows(data_dir: &std::path::Path) -> anyhow::Result<Vec<(String, i64)>> {
    let options = SqliteConnectOptions::new().filename(data_dir.join("agents/main/memory.db")).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .fetch_all(&mut connection)
    .await?;
    let mut counts = Vec::new();
    for table in tables {
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}")));
        counts.push((table.clone(), count.fetch_one(&mut connection).await?));
    }
    connection.close().await?;
    Ok(counts)
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_25_op_01_mo_15_what_does_not_exist_is_an_error_of_its_own_over_http_and_writes_nothing()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(folder.path()).await?;
    let before = rows(folder.path()).await?;
    for (operation, input, code) in unknown() {
        let (status, body) = server.post(operation, &input).await?;
        assert_eq!(body["code"], code, "{operation} {input}: {status} {body}");
        let expected = if code.ends_with("_not_found") { 404 } else { 409 };
        assert_eq!(status, expected, "{operation}: {body}");
        assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{operation}: {body}");
        if code == "mission_not_found" {
            assert_eq!(body["message"], "mission not found", "{operation}");
        }
        assert!(body["details"].is_object(), "{operation}: {body}");
    }
    assert_eq!(rows(folder.path()).await?, before);
    server.process.kill().await?;
    Ok(())
}
