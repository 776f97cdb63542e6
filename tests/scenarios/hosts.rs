//! The headless host against whatever else runs on the computer: silent, flooding and guessing clients.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bridge::{Link, LinkConfig};
use quarterdeck_tests::arm_goal;
use quarterdeck_tests::server_process::{Connection, ServerProcess};
use robot::{Codec, Now};
use serde_json::json;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Clients that ask as fast as they are answered.
const HAMMERING: usize = 200;
/// Connections on which nothing is ever said.
const SILENT: usize = 1_000;
/// Channels of frames that nobody signs in to.
const UNSIGNED: usize = 60;
/// Stops of each kind, before the flood and in it.
const STOPS: usize = 40;
/// Samples that the flood puts at most.
const SAMPLES_MAX: usize = 100_000;
/// An alarm is raised within this time, or the scenario fails.
const DEADLINE: Duration = Duration::from_secs(20);
/// The least that a stop may take in the flood, whatever it takes without: a busy machine lets any thread wait.
const STOP_FLOOR: Duration = Duration::from_millis(200);

/// Stops, holds and disarms as a client does that has just come; gives how long each took, longest last.
async fn stop_again_and_again(server: &ServerProcess) -> anyhow::Result<Vec<Duration>> {
    let mut took = Vec::new();
    for _ in 0..STOPS {
        for (name, input) in [
            ("stop_all", json!({})),
            ("stop_robot", json!({ "robot": "rover-1" })),
            ("hold_robot", json!({ "robot": "arm-1" })),
            ("disarm_robot", json!({ "robot": "arm-1" })),
        ] {
            let started = Instant::now();
            let reply = server.connect().await?.call(&server.token, name, &input).await?;
            took.push(started.elapsed());
            anyhow::ensure!(reply.status == 200, "{name}: {reply:?}");
        }
    }
    took.sort();
    Ok(took)
}

fn p99(sorted: &[Duration]) -> Duration {
    sorted[sorted.len() * 99 / 100]
}

/// Counts of the answers that hammering clients got.
#[derive(Default)]
struct Answers {
    judged: AtomicU64,
    too_many: AtomicU64,
    other: AtomicU64,
}

async fn hammer(address: String, token: String, ended: Arc<AtomicBool>, answers: Arc<Answers>) {
    let asked = arm_goal([0.4, 0.0, 0.9], 0.1);
    while !ended.load(Ordering::Relaxed) {
        // Whoever is turned away comes back.
        let Ok(mut connection) = Connection::open(&address).await else { continue };
        while let Ok(reply) = connection.call(&token, "check_command", &asked).await {
            let counted = match reply.status {
                200 => &answers.judged,
                429 => &answers.too_many,
                _ => &answers.other,
            };
            counted.fetch_add(1, Ordering::Relaxed);
            if ended.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

/// Puts samples that nobody can use on a robot's key, as fast as the network takes them.
async fn put_samples(endpoint: String, ended: Arc<AtomicBool>) -> anyhow::Result<()> {
    let config = LinkConfig { listen: Vec::new(), connect: vec![endpoint], file: None };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher("lab/rover-1/out/state/velocity", Codec::Json)?;
    for _ in 0..SAMPLES_MAX {
        if ended.load(Ordering::Relaxed) {
            break;
        }
        publisher.put(b"{\"linear_mps\":\"fast\"}".to_vec())?;
        tokio::task::yield_now().await;
    }
    link.close().await;
    Ok(())
}

/// Asks for the alarms until that of a flood is among them.
async fn until_flood_alarm(server: &ServerProcess) -> anyhow::Result<()> {
    let mut connection = server.connect().await?;
    let raised = async {
        loop {
            let alarms = connection.call(&server.token, "list_alarms", &json!({})).await?;
            if alarms.body.to_string().contains("request_flood") {
                return Ok(());
            }
        }
    };
    tokio::time::timeout(DEADLINE, raised).await?
}

#[tokio::test(flavor = "multi_thread")]
async fn f25_att_18_no_flood_of_requests_connections_or_samples_and_no_slow_disk_delays_a_stop() -> anyhow::Result<()> {
    let server = ServerProcess::start(&["--with-sim"]).await?;
    // The first of each kind waits for its latch on disk, which no flood of requests can hold up or speed up.
    server.get("stop_all", json!({})).await?;
    server.get("stop_robot", json!({ "robot": "rover-1" })).await?;
    let idle = stop_again_and_again(&server).await?;
    let info = server.get("session_info", json!({})).await?;
    let endpoint = info["zenoh_endpoints"][0].as_str().unwrap_or_default().to_owned();

    let (ended, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(Answers::default()));
    let mut flood = JoinSet::new();
    for _ in 0..HAMMERING {
        flood.spawn(hammer(server.address.clone(), server.token.clone(), Arc::clone(&ended), Arc::clone(&answers)));
    }
    let mut samples = JoinSet::new();
    samples.spawn(put_samples(endpoint, Arc::clone(&ended)));
    let mut silent = Vec::new();
    for _ in 0..SILENT {
        silent.push(server.connect().await?);
    }
    let mut disk =
        SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(server.data_dir().join("station.db")))
            .await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut disk).await?;
    let flooded = stop_again_and_again(&server).await;
    sqlx::query("ROLLBACK").execute(&mut disk).await?;
    ended.store(true, Ordering::Relaxed);
    while flood.join_next().await.is_some() {}
    samples.join_next().await.transpose()?.transpose()?;
    drop(silent);

    let flooded = flooded?;
    let counted = [&answers.judged, &answers.too_many, &answers.other].map(|count| count.load(Ordering::Relaxed));
    println!("stop p99: idle {:?}, flooded {:?}; judged, refused, other: {counted:?}", p99(&idle), p99(&flooded));
    assert!(counted[0] > 0 && counted[1] > 0, "some are judged, the rest is told to wait: {counted:?}");
    assert_eq!(counted[2], 0);
    let bound = STOP_FLOOR.max(3 * p99(&idle));
    assert!(p99(&flooded) <= bound, "idle {idle:?}\nflooded {flooded:?}");
    until_flood_alarm(&server).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_words_that_stop_count_towards_no_limit_and_say_so_if_they_are_not_taken() -> anyhow::Result<()> {
    let server = ServerProcess::start(&["--with-sim"]).await?;
    let (ended, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(Answers::default()));
    let mut flood = JoinSet::new();
    for _ in 0..HAMMERING {
        flood.spawn(hammer(server.address.clone(), server.token.clone(), Arc::clone(&ended), Arc::clone(&answers)));
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
    until_flood_alarm(&server).await?;
    let again = guesser.call("qd_boot_wrong", "stop_all", &json!({})).await?;
    assert_eq!((again.status, &again.body["code"]), (429, &json!("too_many_failures")));
    server.get("stop_all", json!({})).await.map(drop)
}
