//! The production profile with a real `zenohd`: rogue peers, robots that were taken over, and everything that can be cut.

use std::path::Path;
use std::process::{Command, Stdio};

use quarterdeck_tests::router::{ProductionSite, SHARED, row, tls_key, until};
use rcgen::{CertificateParams, DnType, IsCa, Issuer, KeyPair, PKCS_ECDSA_P256_SHA256, date_time_ymd};
use serde_json::{Value, json};
use zenoh::qos::{CongestionControl, Priority};
use zenoh::sample::Locality;
use zenoh::{Config, Session, Wait as _};

use crate::rover::{Rover, armed};

/// Restarts of the router in the suite; `xtask routers` does 50.
const RESTARTS: usize = 3;

/// The configuration of a bundle, for a client that gives up at once.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn bundle(folder: &Path) -> Config {
    let mut config = Config::from_file(folder.join("zenoh.json5")).unwrap();
    for (field, file) in [
        ("root_ca_certificate", "ca.pem"),
        ("connect_certificate", "certificate.pem"),
        ("connect_private_key", "key.pem"),
    ] {
        let path = json!(folder.join(file)).to_string();
        config.insert_json5(&format!("transport/link/tls/{field}"), &path).unwrap();
    }
    config.insert_json5("connect/timeout_ms", "0").unwrap();
    config
}

/// Puts as a robot that was taken over would.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn put(session: &Session, key: &str, payload: Vec<u8>) {
    let put = session.put(key, payload).congestion_control(CongestionControl::Block);
    put.priority(Priority::InteractiveHigh).express(true).wait().unwrap();
}

#[expect(clippy::unwrap_used, reason = "a part of tests")]
async fn alarms(site: &ProductionSite) -> Vec<Value> {
    site.server.get("list_alarms", json!({})).await.unwrap().as_array().cloned().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn att_15_beyond_this_computer_nothing_runs_without_certificates() {
    let mut site = ProductionSite::new("127.0.0.1").await.unwrap();
    let before = site.connections().await.unwrap();
    assert_eq!((&before["profile"], &before["listening"]), (&json!("production"), &json!([])));
    assert!(before["problem"].as_str().unwrap().contains("no certificate yet"), "{before}");

    let exported = site.issue().await.unwrap();
    let files: Vec<&str> = exported["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for file in [
        "router/router.json5",
        "router/key.pem",
        "robots/gate-1/zenoh.json5",
        "robots/arm-1/arm-1.toml",
        "robots/arm-1/station.key",
        "sources/cam-1/certificate.pem",
    ] {
        assert!(files.contains(&file) && site.bundles().join(file).is_file(), "{file} of {files:?}");
    }
    let again = json!({ "folder": site.bundles(), "router": site.address });
    assert_eq!(site.server.refused("issue_credentials", again).await.unwrap().1, "folder_not_free");

    // The router is not there yet: the station runs and says so.
    let after = site.connections().await.unwrap();
    assert_eq!((&after["problem"], &after["router_connected"]), (&Value::Null, &json!(false)));
    assert_eq!(row(&after, "arm-1")["failing_hop"], "station_router");
    assert!(after["certificates"].as_array().unwrap().iter().all(|row| row["days_left"].as_i64().unwrap() > 390));
}

#[tokio::test(flavor = "multi_thread")]
async fn att_15_the_router_turns_away_whoever_has_no_certificate_of_the_site() {
    let site = ProductionSite::start("127.0.0.1").await.unwrap();
    let own = site.bundles().join("robots/gate-1");
    let folder = tempfile::tempdir().unwrap();
    let authority = std::fs::read_to_string(own.join("ca.pem")).unwrap();
    let bad = |name: &str, certificate: &str, key: &str| {
        let folder = folder.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::copy(own.join("zenoh.json5"), folder.join("zenoh.json5")).unwrap();
        for (file, text) in [("ca.pem", authority.as_str()), ("certificate.pem", certificate), ("key.pem", key)] {
            std::fs::write(folder.join(file), text).unwrap();
        }
        bundle(&folder)
    };
    let key = || {
        KeyPair::from_pkcs8_der_and_sign_algo(&tls_key().unwrap().as_slice().into(), &PKCS_ECDSA_P256_SHA256).unwrap()
    };
    let mut params = CertificateParams::new(vec!["gate-1.lab".to_owned()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, "gate-1.lab");

    let mut of_another = CertificateParams::default();
    of_another.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let another = Issuer::new(of_another, key());
    let own_key = key();
    let foreign = params.signed_by(&own_key, &another).unwrap().pem();

    let site_key =
        KeyPair::from_pkcs8_der_and_sign_algo(&site.authority_key.as_slice().into(), &PKCS_ECDSA_P256_SHA256);
    let site_authority = Issuer::from_ca_cert_pem(&authority, site_key.unwrap()).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2021, 1, 1);
    let expired = params.signed_by(&own_key, &site_authority).unwrap().pem();

    let mut bare = bundle(&own);
    bare.insert_json5("transport/link/tls/enable_mtls", "false").unwrap();
    let mut plain = Config::default();
    for (field, value) in [
        ("mode", "\"client\"".to_owned()),
        ("scouting/multicast/enabled", "false".to_owned()),
        ("connect/endpoints", json!([format!("tcp/{}", site.address)]).to_string()),
    ] {
        plain.insert_json5(field, &value).unwrap();
    }
    for (who, config) in [
        ("nobody", bare),
        ("another authority's", bad("foreign", &foreign, &own_key.serialize_pem())),
        ("an expired one", bad("expired", &expired, &own_key.serialize_pem())),
        ("without TLS", plain),
    ] {
        assert!(zenoh::open(config).await.is_err(), "{who} got in");
    }
    let welcome = zenoh::open(bundle(&own)).await.unwrap();
    welcome.close().await.unwrap();
    site.until_live().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_a_robot_that_was_taken_over_reaches_nobody_but_the_station_and_only_as_itself() {
    let site = ProductionSite::start("127.0.0.1").await.unwrap();
    // It sees what the other robots are told.
    let observer = zenoh::open(bundle(&site.bundles().join("robots/rover-1"))).await.unwrap();
    let (tell, told) = std::sync::mpsc::sync_channel(10_000);
    let heard = observer.declare_subscriber("lab/rover-1/cmd/**").callback(move |sample| {
        tell.try_send((sample.key_expr().to_string(), sample.payload().to_bytes().to_vec())).unwrap();
    });
    let _heard = heard.await.unwrap();
    let rogue = zenoh::open(bundle(&site.bundles().join("robots/gate-1"))).await.unwrap();
    let (leak, leaked) = std::sync::mpsc::sync_channel(10_000);
    let listening = rogue
        .declare_subscriber("lab/**")
        .callback(move |sample| leak.try_send(sample.key_expr().to_string()).unwrap());
    let _listening = listening.allowed_origin(Locality::Remote).await.unwrap();

    let forged = br#"{"frame":"map","position_m":[9.0,9.0,0.0]}"#;
    for key in [
        "lab/rover-1/out/state/pose",
        "lab/rover-1/out/beat",
        "lab/rover-1/cmd/stop",
        "lab/rover-1/cmd/act/base",
        "lab/*/cmd/stop",
        "lab/**",
        "**",
        "lab/*/out/state/pose",
        "lab/room/ops",
    ] {
        put(&rogue, key, forged.to_vec());
    }
    // Its own key it may write; the station sees that the signature is not the robot's. By then the router has let through
    // what it lets through of the puts before.
    put(&rogue, "lab/gate-1/out/ack", forged.to_vec());
    until("the forged message is an alarm", async || {
        Ok(alarms(&site).await.iter().any(|alarm| alarm["source"] == "forged_messages" && alarm["robot"] == "gate-1"))
    })
    .await
    .unwrap();
    let of_others: Vec<Value> = alarms(&site)
        .await
        .into_iter()
        .filter(|alarm| alarm["source"] == "forged_messages" && alarm["robot"] != "gate-1")
        .collect();
    assert!(of_others.is_empty(), "{of_others:?}");

    // A beat that comes afterwards shows that everything before it has come.
    for _ in 0..3 {
        let (key, payload) = told.recv().unwrap();
        assert_ne!(payload, forged, "{key}");
    }
    for (key, payload) in told.try_iter() {
        assert_ne!(payload, forged, "{key}");
    }
    assert_eq!(leaked.try_iter().count(), 0, "a robot hears nobody else");

    // Larger than any message of the site may be.
    put(&rogue, "lab/gate-1/out/status", vec![0; 64 * 1024 * 1024]);
    site.until_live().await.unwrap();
    let status = site.server.get("safety_status", json!({})).await.unwrap();
    assert_eq!(status["stops"], json!([]), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_a_stop_reaches_each_robot_through_the_router_and_a_revoked_one_gets_no_rule() {
    let site = ProductionSite::start("127.0.0.1").await.unwrap();
    site.server.get("stop_all", json!({})).await.unwrap();
    until("every robot has acknowledged", async || {
        let status = site.server.get("safety_status", json!({})).await?;
        let rows = status["stops"][0]["robots"].as_array().cloned().unwrap_or_default();
        let has_acknowledged =
            |robot: &str| rows.iter().any(|row| row["robot"] == robot && row["acked_after_ms"].is_f64());
        Ok(SHARED.iter().all(|robot| has_acknowledged(robot)))
    })
    .await
    .unwrap();

    let folder = site.folder("rules");
    site.server.get("revoke_robot", json!({ "robot": "gate-1", "folder": folder })).await.unwrap();
    let rules = std::fs::read_to_string(folder.join("router/router.json5")).unwrap();
    assert!(!rules.contains("gate-1.lab") && rules.contains("robots.lab"), "{rules}");
    assert_eq!(row(&site.connections().await.unwrap(), "gate-1")["revoked"], true);
    let again = json!({ "robots": ["gate-1"], "folder": site.folder("again") });
    assert_eq!(site.server.refused("issue_credentials", again).await.unwrap().1, "certificate_name_revoked");
    assert!(!site.folder("again").exists());
}

/// Kills the router and starts it again, until everything runs as before.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
async fn restarts(count: usize) {
    let mut site = ProductionSite::start("127.0.0.1").await.unwrap();
    for _ in 0..count {
        site.kill_router().await.unwrap();
        site.until_hop("arm-1", json!("station_router")).await.unwrap();
        site.start_router().await.unwrap();
        for robot in SHARED {
            site.until_hop(robot, Value::Null).await.unwrap();
        }
        site.until_live().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn att_38_every_stream_is_back_after_each_restart_of_the_router() {
    let count = std::env::var("QUARTERDECK_ROUTER_RESTARTS").ok().and_then(|text| text.parse().ok());
    restarts(count.unwrap_or(RESTARTS)).await;
}

/// Runs this test again in a network namespace of its own, with a second one for the robots behind a real link; gives the
/// process that holds that one, in the run that has both.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn namespaces(test: &str) -> Option<std::process::Child> {
    const MARK: &str = "QUARTERDECK_NETWORK_NAMESPACE";
    if std::env::var_os(MARK).is_none() {
        let ended = Command::new("unshare")
            .args(["--map-root-user", "--net"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .env(MARK, "1")
            .output()
            .unwrap();
        let told = [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(ended.status.success() && told[0].contains("1 passed"), "{}\n{}", told[0], told[1]);
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", "echo; exec cat"]);
    let mut holder = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut ready = [0; 1];
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let pid = holder.id().to_string();
    for line in [
        "link set lo up",
        "link add qd0 type veth peer name qd1",
        "link set qd1 netns PID",
        "addr add 10.203.7.1/24 dev qd0",
        "link set qd0 up",
    ] {
        ip(&line.replace("PID", &pid));
    }
    for line in ["link set lo up", "addr add 10.203.7.2/24 dev qd1", "link set qd1 up"] {
        let done = Command::new("nsenter").args(["-t", &pid, "--net", "ip"]).args(line.split(' ')).status().unwrap();
        assert!(done.success(), "{line}");
    }
    Some(holder)
}

#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn ip(line: &str) {
    assert!(Command::new("ip").args(line.split(' ')).status().unwrap().success(), "ip {line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn att_38_the_part_of_the_way_that_fails_is_named_across_a_real_link() {
    let Some(holder) = namespaces("production::att_38_the_part_of_the_way_that_fails_is_named_across_a_real_link")
    else {
        return;
    };
    let mut site = ProductionSite::new("10.203.7.1").await.unwrap();
    site.issue().await.unwrap();
    site.until_hop("arm-1", json!("station_router")).await.unwrap();
    site.start_router().await.unwrap();
    site.until_hop("arm-1", json!("router_robot")).await.unwrap();
    let into = ["nsenter", "-t", &holder.id().to_string(), "--net"].map(str::to_owned);
    site.start_robots(&into).await.unwrap();
    site.until_live().await.unwrap();

    // The link is cut in silence: nobody closes anything.
    ip("link set qd0 down");
    site.until_hop("arm-1", json!("router_robot")).await.unwrap();
    ip("link set qd0 up");
    site.until_live().await.unwrap();

    // A gate that is connected and says nothing.
    let silent = zenoh::open(bundle(&site.bundles().join("robots/gate-1"))).await.unwrap();
    let _deaf = silent.declare_subscriber("lab/gate-1/cmd/**").callback(|_| {}).await.unwrap();
    site.until_hop("gate-1", json!("robot_silent")).await.unwrap();
    site.kill_robots().await.unwrap();
    site.until_hop("rover-2", json!("router_robot")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_02_a_gate_on_another_computer_moves_and_stops_its_robot_through_the_router() -> anyhow::Result<()> {
    let mut rover = Rover::new()?;
    let named = "site = \"lab\"\ncertificate_name = \"rover-9.lab\"";
    let manifest = rover.manifest()?.replace("site = \"lab\"", named).replace("\"required\"", "\"unattended\"");
    let mut site = ProductionSite::with("127.0.0.1", &[("rover-9", manifest)]).await?;
    site.issue().await?;
    site.start_router().await?;
    rover.start_onboard(&site.bundles().join("robots/rover-9"))?;
    let of_rover = json!({ "robot": "rover-9" });
    until("the rover can be armed", async || {
        let status = site.server.get("safety_status", json!({})).await?;
        let rows = status["robots"].as_array().cloned().unwrap_or_default();
        Ok(rows.iter().any(|row| row["robot"] == "rover-9" && row["arming_problem"].is_null()))
    })
    .await?;
    assert_eq!(row(&site.connections().await?, "rover-9")["failing_hop"], Value::Null);
    armed(async |name, input| site.server.get(name, input).await).await?;
    site.server.get("take_control", of_rover).await?;
    let is_fast = |rover: &Rover| rover.x_mps() > 0.3;
    rover.drives(async |name, input| site.server.get(name, input).await, 8.0, "it moves", is_fast).await?;
    site.server.get("stop_all", json!({})).await?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    Ok(())
}
