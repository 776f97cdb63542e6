//! A desk and a station elsewhere: the real server with TLS, the client of the app's window, and a link between them that
//! is cut.

use std::process::Stdio;
use std::time::Duration;

use api::{DeskStatus, ErrorBody, RemoteLink, StopDeliveryState};
use quarterdeck_tests::built;
use quarterdeck_tests::remote_lab::{Lab, act, serve};
use quarterdeck_tests::wire::p50_p99;
use remote::{Client, FeedItem, Fingerprint, Stations};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Time for anything that is waited for, or the scenario fails.
const DEADLINE: Duration = Duration::from_secs(60);
/// Connections on which no handshake ever begins.
const SILENT: usize = 200;
/// Stops of each kind that are timed.
const STOPS: usize = 40;
/// Beside a load a stop takes three times as long at most, and of an unoptimised build on a busy computer this long.
const FLOOR: Duration = Duration::from_secs(2);

/// The codes of a refusal.
fn code(refused: Result<DeskStatus, ErrorBody>) -> String {
    refused.err().map(|error| error.code).unwrap_or_default()
}

/// The items of the channel to the window.
fn follow(desk: &Stations, tasks: &mut JoinSet<()>) -> anyhow::Result<mpsc::Receiver<FeedItem>> {
    let remote = desk.shown().ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    let (sender, items) = mpsc::channel(1_024);
    tasks.spawn(async move { remote.feed(|item| sender.try_send(item).is_ok()).await });
    Ok(items)
}

async fn until_connected(items: &mut mpsc::Receiver<FeedItem>, wanted: bool) -> anyhow::Result<()> {
    let heard = async {
        while let Some(item) = items.recv().await {
            if item == FeedItem::Connected(wanted) {
                return Ok(());
            }
        }
        anyhow::bail!("the channel ended")
    };
    tokio::time::timeout(DEADLINE, heard).await?
}

/// Looks at the desk until its newest stop has this state.
async fn until_stop(desk: &Stations, wanted: StopDeliveryState) -> anyhow::Result<Duration> {
    let reached = async {
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        loop {
            looks.tick().await;
            let stop = act(desk, &json!({ "act": "status" })).await?.stop;
            if let Some(stop) = stop.filter(|stop| stop.state == wanted) {
                return anyhow::Ok(Duration::from_millis(stop.took_ms.unwrap_or_default()));
            }
        }
    };
    tokio::time::timeout(DEADLINE, reached).await?
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_01_a_listener_beyond_this_computer_is_refused_without_a_certificate() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Command::new(built("quarterdeck-server")?);
    server.args(["--listen", "0.0.0.0:0", "--data-dir"]).arg(folder.path()).stdout(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(DEADLINE, server.output()).await??;
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && said.contains("--tls-cert") && said.contains("tls-certificate"), "{said}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_02_a_station_is_shown_only_behind_the_pinned_certificate_and_a_changed_one_is_told() -> anyhow::Result<()> {
    let mut lab = Lab::start(&[]).await?;
    let (desk, token) = (lab.desk(), lab.server.token.clone());
    let looked = act(&desk, &json!({ "act": "look", "address": lab.address() })).await?.looked;
    let looked = looked.ok_or_else(|| anyhow::anyhow!("no certificate was looked at"))?;
    assert_eq!((looked.shown, looked.pinned), (lab.fingerprint.to_string(), None), "nothing is pinned silently");
    let wrong = Fingerprint::of(b"somebody else").to_string();
    assert_eq!(code(act(&desk, &lab.connecting(&wrong, &token)).await), "certificate_changed");
    let unsigned = act(&desk, &lab.connecting(&lab.fingerprint.to_string(), "qd_wrong_token")).await;
    assert_eq!(code(unsigned), "station_token_refused");
    assert!(desk.shown().is_none());
    assert!(act(&desk, &json!({ "act": "status" })).await?.stations.is_empty());
    let status = lab.connect(&desk, &token).await?;
    let remote = status.remote.ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    assert_eq!((remote.station.name.as_str(), remote.token_kept), ("lab", false), "no keychain, so for this session");
    act(&desk, &json!({ "act": "leave" })).await?;
    assert!(desk.shown().is_none());
    act(&desk, &json!({ "act": "open", "address": lab.address() })).await?;
    act(&desk, &json!({ "act": "leave" })).await?;
    lab.server.kill().await?;
    let address = lab.server.address.clone();
    let (_other, other) = serve(&lab.folder, "second", &address, &[]).await?;
    let refused =
        act(&desk, &json!({ "act": "open", "address": lab.address() })).await.expect_err("another certificate");
    assert_eq!(refused.code, "certificate_changed");
    for fingerprint in [lab.fingerprint, other] {
        assert!(refused.message.contains(&fingerprint.to_string()), "{refused}");
    }
    act(&desk, &json!({ "act": "forget", "address": lab.address() })).await?;
    assert_eq!(code(act(&desk, &json!({ "act": "open", "address": lab.address() })).await), "no_such_station");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_03_the_role_is_the_tokens_and_a_revoked_token_is_told_at_once() -> anyhow::Result<()> {
    let lab = Lab::start(&["--with-sim"]).await?;
    let desk = lab.desk();
    let viewer = json!({ "label": "wall", "kind": "person", "role": "viewer", "only_stops": false, "days": 1 });
    let made = lab.ask("create_token", viewer).await?;
    let (token, id) = (made["token"].as_str().unwrap_or_default(), &made["row"]["id"]);
    lab.connect(&desk, token).await?;
    let remote = desk.shown().ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    assert!(remote.call("list_robots", &json!({})).await.is_ok());
    let refused = remote.call("arm_robot", &json!({ "robot": "arm-1" })).await.expect_err("a viewer arms nothing");
    assert_eq!(refused.status(), 403, "{refused}");
    let mut tasks = JoinSet::new();
    let mut items = follow(&desk, &mut tasks)?;
    until_connected(&mut items, true).await?;
    lab.ask("revoke_token", json!({ "id": id })).await?;
    until_connected(&mut items, false).await?;
    let signed_out = async {
        while remote.link() != RemoteLink::SignedOut {
            if items.recv().await.is_none() {
                break;
            }
        }
    };
    tokio::time::timeout(DEADLINE, signed_out).await?;
    assert_eq!(remote.link(), RemoteLink::SignedOut);
    let refused = remote.press_stop("stop_all", json!({})).await.expect_err("nobody is signed in");
    assert!(
        ["station_token_refused", "unauthorized", "stop_not_delivered"].contains(&refused.code.as_str()),
        "{refused}"
    );
    until_stop(&desk, StopDeliveryState::Refused).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_04_a_stop_on_a_link_that_is_cut_is_not_delivered_until_it_is_and_can_be_withdrawn() -> anyhow::Result<()> {
    let lab = Lab::start(&["--with-sim"]).await?;
    let desk = lab.desk();
    lab.connect(&desk, &lab.server.token).await?;
    let remote = desk.shown().ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    let mut tasks = JoinSet::new();
    let mut items = follow(&desk, &mut tasks)?;
    until_connected(&mut items, true).await?;
    lab.link.up.send_replace(false);
    until_connected(&mut items, false).await?;
    let pressed = tokio::time::Instant::now();
    let refused = remote.press_stop("stop_all", json!({ "request_id": uuid::Uuid::now_v7() })).await;
    assert_eq!(refused.expect_err("the link is cut").code, "stop_not_delivered");
    assert!(pressed.elapsed() < Duration::from_secs(1), "said after {:?}", pressed.elapsed());
    assert_eq!(stops(&lab).await?, 0, "nothing says that it has stopped");
    assert_eq!(code(act(&desk, &json!({ "act": "leave" })).await), "stop_pending");
    act(&desk, &json!({ "act": "withdraw_stop" })).await?;
    until_stop(&desk, StopDeliveryState::Withdrawn).await?;
    lab.link.up.send_replace(true);
    until_connected(&mut items, true).await?;
    remote.call("list_robots", &json!({})).await?;
    assert_eq!(stops(&lab).await?, 0, "a stop that was withdrawn does not come later");
    lab.link.up.send_replace(false);
    until_connected(&mut items, false).await?;
    assert!(remote.press_stop("stop_all", json!({})).await.is_err());
    lab.link.up.send_replace(true);
    until_stop(&desk, StopDeliveryState::Delivered).await?;
    assert_eq!(stops(&lab).await?, 1, "one stop, however often it was tried");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_04_a_stop_pressed_while_another_station_is_asked_keeps_the_window_where_it_is() -> anyhow::Result<()> {
    let lab = Lab::start(&["--with-sim"]).await?;
    let folder = tempfile::tempdir()?;
    let (other, fingerprint) = serve(&folder, "other", "127.0.0.1:0", &[]).await?;
    let desk = lab.desk();
    lab.connect(&desk, &lab.server.token).await?;
    let remote = desk.shown().ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    let address = other.address.replace("127.0.0.1", "127.0.0.2");
    let listener = TcpListener::bind(&address).await?;
    let connecting = json!({ "act": "connect", "name": "other", "address": address, "fingerprint": fingerprint.to_string(),
        "token": other.token });
    let pressed = async {
        let (mut near, _) = listener.accept().await?;
        lab.link.up.send_replace(false);
        let refused = remote.press_stop("stop_all", json!({})).await.expect_err("the link is cut");
        assert_eq!(refused.code, "stop_not_delivered");
        let mut far = TcpStream::connect(&other.address).await?;
        tokio::io::copy_bidirectional(&mut near, &mut far).await?;
        anyhow::Ok(())
    };
    let (connected, _) = tokio::join!(act(&desk, &connecting), pressed);
    assert_eq!(code(connected), "stop_pending");
    let status = act(&desk, &json!({ "act": "status" })).await?;
    let shown = status.remote.ok_or_else(|| anyhow::anyhow!("no station is shown"))?;
    assert_eq!((shown.station.address, status.stations.len()), (lab.address(), 1), "nothing has changed");
    assert_eq!(status.stop.map(|stop| stop.state), Some(StopDeliveryState::Trying));
    lab.link.up.send_replace(true);
    until_stop(&desk, StopDeliveryState::Delivered).await?;
    Ok(())
}

/// Stops that somebody has pressed, as the station knows of them. A robot that answers late is stopped once more by its
/// supervision.
async fn stops(lab: &Lab) -> anyhow::Result<usize> {
    let status = lab.ask("safety_status", json!({})).await?;
    Ok(status["stops"].as_array().into_iter().flatten().filter(|stop| stop["by"] != "supervision").count())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_05_the_token_of_a_station_elsewhere_is_in_no_file() -> anyhow::Result<()> {
    let lab = Lab::start(&[]).await?;
    let desk = lab.desk();
    lab.connect(&desk, &lab.server.token).await?;
    let mut open = vec![lab.folder.path().to_owned(), lab.server.data_dir().to_owned()];
    let (secret, mut files) = (lab.server.token.as_bytes(), 0);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            files += 1;
            let holds_it = bytes.windows(secret.len()).any(|window| window == secret);
            assert!(!holds_it, "{} holds the token", path.display());
        }
    }
    assert!(files > 3 && lab.folder.path().join("remote-stations.json").exists());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rd_06_connections_that_never_shake_hands_hold_up_no_stop_and_are_hung_up_on() -> anyhow::Result<()> {
    let lab = Lab::start(&["--with-sim"]).await?;
    let client = lab.beside()?;
    let (_, idle) = p50_p99(&timed(&client).await?);
    let mut silent = Vec::new();
    for _ in 0..SILENT {
        silent.push(TcpStream::connect(&lab.server.address).await?);
    }
    let (_, beside) = p50_p99(&timed(&client).await?);
    assert!(beside <= FLOOR.max(idle * 3), "{beside:?} beside {SILENT} silent connections, {idle:?} without them");
    let hung_up = async {
        for stream in &silent {
            stream.readable().await?;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(DEADLINE, hung_up).await??;
    Ok(())
}

/// Times of stops from the first byte of the connection to the answer.
async fn timed(client: &Client) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    for _ in 0..STOPS {
        let began = tokio::time::Instant::now();
        client.call_alone("stop_all", &json!({})).await?;
        times.push(began.elapsed());
    }
    times.sort();
    Ok(times)
}
