//! A gate on another computer, without any certificate, is paired beside a real router and runs through it.

use std::net::TcpListener;
use std::path::Path;

use quarterdeck_tests::router::{ProductionSite, row, until};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::pairing::Terminal;
use crate::rover::{Rover, armed};

/// Any free port of this computer.
const ADDRESS: &str = "127.0.0.1:0";

/// A rover whose wiring names no station, and whose certificate is to have `name`.
fn stranger(name: &str) -> anyhow::Result<Rover> {
    let rover = Rover::unpaired()?;
    let named = format!("site = \"lab\"\ncertificate_name = \"{name}\"");
    let manifest = rover.manifest()?.replace("site = \"lab\"", &named).replace("\"required\"", "\"unattended\"");
    std::fs::write(rover.path("rover-9.toml"), manifest)?;
    rover.wire("onboard", "", &[])?;
    Ok(rover)
}

/// Opens a pairing; gives its endpoint.
async fn opened(site: &ProductionSite) -> anyhow::Result<String> {
    let open = site.server.get("open_pairing", json!({ "address": ADDRESS })).await?;
    let endpoint = open["endpoint"].as_str().unwrap_or_default().to_owned();
    anyhow::ensure!(endpoint.starts_with("tcp/127.0.0.1:"), "{open}");
    Ok(endpoint)
}

async fn until_pairing(site: &ProductionSite, what: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
    until(what, async || Ok(holds(&site.server.get("get_pairing", json!({})).await?))).await
}

/// The gate at its terminal, once both sides show the same digits and the person at the window has confirmed them.
async fn confirmed(site: &ProductionSite, rover: &Rover, endpoint: &str) -> anyhow::Result<Terminal> {
    let mut terminal = Terminal::start_with(rover, &["--station", endpoint])?;
    let digits = terminal.digits().await?;
    until_pairing(site, "the digits are compared", |view| view["digits"] == json!(digits)).await?;
    site.server.get("confirm_pairing", json!({ "digits": digits })).await?;
    Ok(terminal)
}

async fn knows_rover(site: &ProductionSite) -> anyhow::Result<bool> {
    Ok(site.server.get("list_robots", json!({})).await?.to_string().contains("rover-9"))
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_a_gate_without_a_certificate_is_paired_and_runs_through_the_router() -> anyhow::Result<()> {
    let mut site = ProductionSite::new("127.0.0.1").await?;
    assert_eq!(site.server.refused("open_pairing", json!({})).await?.1, "pairing_uncertified");
    site.issue().await?;
    let taken = TcpListener::bind("127.0.0.1:0")?;
    for address in [taken.local_addr()?.to_string(), "0.0.0.0".to_owned(), "station.lab:7448".to_owned()] {
        let refused = site.server.refused("open_pairing", json!({ "address": address })).await?;
        assert_eq!(refused.1, "pairing_address", "{address}");
    }
    let mut rover = stranger("rover-9.lab")?;
    let endpoint = opened(&site).await?;
    let mut terminal = confirmed(&site, &rover, &endpoint).await?;
    let bundle = rover.path("rover-9.state/bundle");
    assert!(!knows_rover(&site).await? && !bundle.exists(), "one person's word is not enough");
    terminal.answer("yes")?;
    terminal.until("Paired with station").await?;
    until_pairing(&site, "the station knows it too", |view| view["state"] == "paired").await?;
    for name in ["ca.pem", "certificate.pem", "key.pem", "zenoh.json5", "station.key"] {
        assert!(bundle.join(name).is_file(), "{name}");
    }
    // Nobody is awaited any more, while the window still shows what came of it.
    let address = endpoint.trim_start_matches("tcp/").to_owned();
    until("nothing listens", async || Ok(TcpStream::connect(&address).await.is_err())).await?;

    let rules = site.folder("rules");
    site.server.get("issue_credentials", json!({ "folder": rules, "robots": [] })).await?;
    std::fs::copy(rules.join("router/router.json5"), site.bundles().join("router/router.json5"))?;
    site.start_router().await?;
    rover.start_gate()?;
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
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_a_gate_that_is_not_confirmed_or_loses_its_station_keeps_what_it_had() -> anyhow::Result<()> {
    let mut site = ProductionSite::new("127.0.0.1").await?;
    site.issue().await?;
    let rover = stranger("rover-9.lab")?;
    let earlier = rover.path("rover-9.state/bundle/certificate.pem");
    std::fs::create_dir_all(earlier.parent().unwrap_or(Path::new(".")))?;
    std::fs::write(&earlier, "earlier")?;
    let endpoint = opened(&site).await?;
    let mut terminal = confirmed(&site, &rover, &endpoint).await?;
    terminal.answer("no")?;
    terminal.until("pairing_failed").await?;
    let ended = |view: &Value| view["tries_left"] == 2 && view["problem"].to_string().contains("ended");
    until_pairing(&site, "the station hears of it", ended).await?;
    let certificates = site.connections().await?["certificates"].to_string();
    assert!(!knows_rover(&site).await? && !certificates.contains("rover-9"), "{certificates}");

    let mut terminal = confirmed(&site, &rover, &endpoint).await?;
    site.server.kill().await?;
    terminal.answer("yes")?;
    terminal.until("Confirm in the window too").await?;
    drop(terminal);
    assert_eq!(std::fs::read_to_string(&earlier)?, "earlier");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_no_gate_gets_the_certificate_of_another_robot() -> anyhow::Result<()> {
    let mut site = ProductionSite::new("127.0.0.1").await?;
    site.issue().await?;
    let rover = stranger("gate-1.lab")?;
    let endpoint = opened(&site).await?;
    let _terminal = Terminal::start_with(&rover, &["--station", &endpoint])?;
    let is_refused = |view: &Value| view["problem"].to_string().contains("that of another robot");
    until_pairing(&site, "it is refused", is_refused).await?;
    assert!(!knows_rover(&site).await?);
    Ok(())
}
