//! The headless host against whatever else runs on the computer: silent, flooding and guessing clients.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quarterdeck_tests::arm_goal;
use quarterdeck_tests::server_process::{Answers, Request, ServerProcess, hammer, until_flood_alarm};
use serde_json::json;
use tokio::task::JoinSet;

/// Clients that ask as fast as they are answered.
const HAMMERING: usize = 200;
/// Channels of frames that nobody signs in to.
const UNSIGNED: usize = 60;
/// Time for anything that is waited for, or the scenario fails.
const DEADLINE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn m_10_words_that_stop_count_towards_no_limit_and_say_so_if_they_are_not_taken() -> anyhow::Result<()> {
    let server = ServerProcess::start(&["--with-sim"]).await?;
    let (ended, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(Answers::default()));
    let (token, input) = (server.token.clone(), arm_goal([0.4, 0.0, 0.9], 0.1));
    let request = Request { token, name: "check_command", input };
    let mut flood = JoinSet::new();
    for _ in 0..HAMMERING {
        flood.spawn(hammer(server.address.clone(), request.clone(), Arc::clone(&ended), Arc::clone(&answers)));
    }
    let refused = async {
        loop {
            let reply = server.connect().await?.call(&server.token, "send_message", &json!({ "text": "stop" })).await?;
            let message = reply.body["message"].as_str().unwrap_or_default();
            assert!(message.contains("was sent to"), "every one of them stops: {reply:?}");
            if reply.status == 429 {
                return anyhow::Ok(message.to_owned());
            }
        }
    };
    let message = tokio::time::timeout(DEADLINE, refused).await?;
    ended.store(true, Ordering::Relaxed);
    while flood.join_next().await.is_some() {}
    assert!(message?.contains("The words were not taken: Too many requests"));
    let safety = server.get("safety_status", json!({})).await?;
    assert!(safety.to_string().contains("safe_stop") || safety.to_string().contains("typed: stop"), "{safety}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_signs_in_takes_no_windows_place() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut unsigned = Vec::new();
    for _ in 0..UNSIGNED {
        let mut connection = server.connect().await?;
        assert_eq!(connection.upgrade().await?, 101);
        unsigned.push(connection);
    }
    let mut windows = Vec::new();
    for _ in 0..32 {
        let mut window = server.connect().await?;
        window.upgrade().await?;
        assert_eq!(window.sign_in(&server.token).await?, 1, "it gets a frame");
        windows.push(window);
    }
    let mut one_more = server.connect().await?;
    one_more.upgrade().await?;
    assert_eq!(one_more.sign_in(&server.token).await?, 8, "so many windows and no more");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_client_is_hung_up_on_and_nobody_sends_a_body_before_the_token() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let (address, token) = (&server.address, &server.token);
    let mut unknown = server.connect().await?;
    unknown
        .send(&format!("POST /op/list_robots HTTP/1.1\r\nhost: {address}\r\ncontent-length: 900000\r\n\r\n"))
        .await?;
    assert_eq!(unknown.reply().await?.status, 401, "refused before a byte of the body has come");

    let (mut nothing, mut half) = (server.connect().await?, server.connect().await?);
    half.send("POST /op/list_robots HTTP/1.1\r\nhost:").await?;
    let mut body = server.connect().await?;
    let head = format!("host: {address}\r\nauthorization: Bearer {token}\r\ncontent-length: 100");
    body.send(&format!("POST /op/list_robots HTTP/1.1\r\n{head}\r\n\r\n{{")).await?;
    let (nothing, half, body) = tokio::join!(nothing.closed(), half.closed(), body.reply());
    nothing.and(half)?;
    let body = body?;
    assert_eq!((body.status, &body.body["code"]), (408, &json!("too_slow")));
    server.get("list_robots", json!({})).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_its_tokens_and_stays_locked_or_lowered_from_request_to_request() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    server.get("lock_screen", json!({})).await?;
    let info = server.get("session_info", json!({})).await?;
    assert_eq!((&info["locked"], &info["role"]), (&json!(true), &json!("viewer")));
    assert_eq!(server.refused("send_message", json!({ "text": "help" })).await?, (403, "forbidden".into()));
    server.get("stop_all", json!({})).await?;
    server.get("unlock_screen", json!({})).await?;
    assert_eq!(server.get("session_info", json!({})).await?["role"], "operator", "nobody unlocks as an Admin");
    server.get("act_as_admin", json!({})).await?;
    assert_eq!(server.get("session_info", json!({})).await?["role"], "admin");
    server.get("end_admin", json!({})).await?;
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.3" });
    assert_eq!(server.refused("register_constraint", limit).await?, (403, "forbidden".into()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_at_tokens_is_slowed_down_and_raises_an_alarm_and_locks_nobody_out() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut guesser = server.connect().await?;
    let mut statuses = Vec::new();
    for n in 0..12 {
        statuses.push(guesser.call(&format!("qd_boot_{n}"), "list_robots", &json!({})).await?.status);
    }
    assert_eq!(statuses, [vec![401; 10], vec![429; 2]].concat());
    until_flood_alarm(&server.address, &server.token, "Wrong tokens come from").await?;
    let again = guesser.call("qd_boot_wrong", "stop_all", &json!({})).await?;
    assert_eq!((again.status, &again.body["code"]), (429, &json!("too_many_failures")));
    server.get("stop_all", json!({})).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn att_11_guesses_at_the_channel_of_frames_are_slowed_down_like_any_other() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut codes = Vec::new();
    for n in 0..12 {
        let mut guesser = server.connect().await?;
        guesser.upgrade().await?;
        codes.push(guesser.refused_sign_in(&format!("qd_boot_{n}")).await?);
    }
    assert_eq!(codes, [vec!["unauthorized"; 10], vec!["too_many_failures"; 2]].concat());
    let mut window = server.connect().await?;
    window.upgrade().await?;
    assert_eq!(window.sign_in(&server.token).await?, 1, "a right token is never locked out");
    until_flood_alarm(&server.address, &server.token, "Wrong tokens come from").await
}

#[tokio::test(flavor = "multi_thread")]
async fn att_18_a_client_of_the_frames_that_talks_too_fast_is_hung_up_on_and_told_of() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut talker = server.connect().await?;
    talker.upgrade().await?;
    assert_eq!(talker.sign_in(&server.token).await?, 1);
    for _ in 0..2_000 {
        // It may be hung up on before it has said everything.
        if talker.say().await.is_err() {
            break;
        }
    }
    until_flood_alarm(&server.address, &server.token, "More messages come from").await?;
    talker.closed().await?;
    let mut window = server.connect().await?;
    window.upgrade().await?;
    assert_eq!(window.sign_in(&server.token).await?, 1, "another window is not held against it");
    for _ in 0..10 {
        window.say().await?;
    }
    server.get("list_robots", json!({})).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn att_18_who_has_no_token_takes_nobodys_page_and_no_release() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut strangers = Vec::new();
    for _ in 0..600 {
        strangers.push(server.connect().await?);
    }
    let page = |address: &str| format!("GET /index.html HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let mut greedy = server.connect().await?;
    for _ in 0..200 {
        greedy.send(&page(&server.address)).await?;
    }
    let mut statuses = BTreeSet::new();
    while !statuses.contains(&429) {
        statuses.insert(greedy.reply().await?.status);
    }
    let mut window = server.connect().await?;
    window.send(&page(&server.address)).await?;
    let status = window.reply().await?.status;
    assert!(status == 200 || status == 404, "a page, or none in this build, but no refusal: {status}");
    server.get("list_robots", json!({})).await?;
    let audit = server.get("list_audit", json!({})).await?;
    assert!(audit.to_string().contains("too_many_requests"), "a refusal is on record: {audit}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_34_a_name_that_stands_twice_and_a_body_over_its_limit_are_refused_at_the_socket() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let (address, token) = (&server.address, &server.token);
    for second in [address.as_str(), "evil.test"] {
        let mut twice = server.connect().await?;
        twice.send(&format!("GET / HTTP/1.1\r\nhost: {address}\r\nhost: {second}\r\n\r\n")).await?;
        let reply = twice.reply().await?;
        assert_eq!((reply.status, &reply.body["code"]), (400, &json!("repeated_header")), "{second}");
    }
    let long = |bytes: usize| json!({ "text": "a".repeat(bytes) });
    for (name, bytes) in [("send_message", 1024 * 1024), ("send_command", 600 * 1024), ("remember_note", 1024 * 1024)] {
        assert_eq!(server.refused(name, long(bytes)).await?, (413, "too_large".into()), "{name}");
    }
    let mut chunked = server.connect().await?;
    let head = format!("host: {address}\r\nauthorization: Bearer {token}\r\ntransfer-encoding: chunked");
    let body = long(20_000).to_string();
    chunked
        .send(&format!("POST /op/send_message HTTP/1.1\r\n{head}\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len()))
        .await?;
    assert_eq!(chunked.reply().await?.status, 413, "words of which nobody says how many they are");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_a_stop_in_a_long_text_is_carried_out_too() -> anyhow::Result<()> {
    let server = ServerProcess::start(&["--with-sim"]).await?;
    let text = format!("{} stop", "The shelf is full. ".repeat(4_000));
    let answer = server.connect().await?.call(&server.token, "send_message", &json!({ "text": text })).await?;
    let safety = server.get("safety_status", json!({})).await?;
    assert_eq!(safety["stopped"], true, "{answer:?} {safety}");
    Ok(())
}
