//! A site in the production profile: a real `zenohd` with the rules that the station made, and simulated robots behind it. The
//! robots share one certificate, as those behind one computer do, but for `gate-1`, which has its own: whoever holds that
//! bundle plays a robot that was taken over.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};

use crate::server_process::ServerProcess;
use crate::{SETTINGS, built};

/// Everything that a site does is done within this time, or the scenario fails.
const WITHIN: Duration = Duration::from_secs(60);
/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Robots of the simulator that share a certificate.
pub const SHARED: [&str; 3] = ["arm-1", "rover-1", "rover-2"];

/// A site with its processes; they end with it.
pub struct ProductionSite {
    /// The server.
    pub server: ServerProcess,
    /// Address of the router as everybody reaches it.
    pub address: String,
    /// Key of the site's authority, PKCS#8.
    pub authority_key: Vec<u8>,
    folder: TempDir,
    variables: Vec<(String, String)>,
    router: Option<Child>,
    simulator: Option<Child>,
    _port: TcpSocket,
}

impl ProductionSite {
    /// A station with manifests and no certificates yet; nothing else runs. `host` is where the router will be reached.
    pub async fn new(host: &str) -> anyhow::Result<Self> {
        Self::with(host, &[]).await
    }

    /// The same with the manifests of further robots.
    pub async fn with(host: &str, further: &[(&str, String)]) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (port, address) = reserved_port(host)?;
        let address = address.to_string();
        let data = folder.path().join("data");
        std::fs::create_dir_all(data.join("robots"))?;
        for (robot, text) in manifests(folder.path()).await? {
            let own = format!("certificate_name = \"{robot}.lab\"");
            let name = if robot == "gate-1" { own.clone() } else { "certificate_name = \"robots.lab\"".to_owned() };
            std::fs::write(data.join("robots").join(format!("{robot}.toml")), text.replace(&own, &name))?;
        }
        for (robot, text) in further {
            std::fs::write(data.join("robots").join(format!("{robot}.toml")), text)?;
        }
        let link = format!("routers = [\"tls/{address}\"]\nsources = [\"cam-1\"]\n");
        std::fs::write(data.join("config.toml"), SETTINGS.replace("listen = [\"tcp/127.0.0.1:0\"]\n", &link))?;
        let authority_key = tls_key()?;
        let variables = [
            ("SITE_AUTHORITY_KEY", STANDARD.encode(&authority_key)),
            ("STATION_TLS_KEY", STANDARD.encode(tls_key()?)),
            ("STATION_SIGNING_KEY", STANDARD.encode([7; 32])),
            ("AUDIT_SIGNING_KEY", STANDARD.encode([8; 32])),
        ];
        let variables = variables.map(|(name, value)| (format!("QUARTERDECK_SECRET_{name}"), value)).to_vec();
        let server = ServerProcess::start_on(&data, &variables).await?;
        Ok(Self { server, address, authority_key, folder, variables, router: None, simulator: None, _port: port })
    }

    /// The same with certificates, a router and the simulated robots; returns once those with the shared certificate answer.
    pub async fn start(host: &str) -> anyhow::Result<Self> {
        let mut site = Self::new(host).await?;
        site.issue().await?;
        site.start_router().await?;
        site.start_robots(&[]).await?;
        site.until_live().await?;
        Ok(site)
    }

    /// Makes the certificates, and starts the station again with its own.
    pub async fn issue(&mut self) -> anyhow::Result<Value> {
        let token_file = self.folder.path().join("token");
        std::fs::write(&token_file, &self.server.token)?;
        let mut command = Command::new(built("quarterdeck-server")?);
        command
            .args(["credentials", "--url", &format!("http://{}", self.server.address), "--token-file"])
            .arg(token_file);
        let asked = command.arg("--folder").arg(self.bundles()).args(["--router", &self.address]).output().await?;
        let told = String::from_utf8_lossy(&asked.stderr).into_owned();
        anyhow::ensure!(asked.status.success(), "{told}");
        let exported = serde_json::from_slice(&asked.stdout)?;
        self.server.kill().await?;
        self.server = ServerProcess::start_on(&self.folder.path().join("data"), &self.variables).await?;
        Ok(exported)
    }

    /// Folder of the exported bundles.
    pub fn bundles(&self) -> PathBuf {
        self.folder.path().join("bundles")
    }

    /// Another folder for an export, which does not exist yet.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts `zenohd` in the folder of its bundle, and waits until it listens.
    pub async fn start_router(&mut self) -> anyhow::Result<()> {
        let mut command = Command::new(zenohd()?);
        command.arg("--config").arg("router.json5").current_dir(self.bundles().join("router"));
        self.router = Some(silent(&mut command).spawn().context("zenohd")?);
        until("the router listens", async || Ok(TcpStream::connect(&self.address).await.is_ok())).await
    }

    /// Kills the router.
    pub async fn kill_router(&mut self) -> anyhow::Result<()> {
        self.router.take().context("no router runs")?.kill().await.map_err(Into::into)
    }

    /// Starts the simulated robots with the bundle of `arm-1`; `before` is what the program is started with.
    pub async fn start_robots(&mut self, before: &[String]) -> anyhow::Result<()> {
        let bundle = self.bundles().join("robots/arm-1");
        let station = std::fs::read_to_string(bundle.join("station.key"))?;
        let program = built("quarterdeck-sim")?.to_string_lossy().into_owned();
        let words: Vec<String> = before.iter().cloned().chain([program]).collect();
        let (first, rest) = words.split_first().context("no program")?;
        let mut command = Command::new(first);
        command
            .args(rest)
            .args(["--stay", "--station", station.trim(), "--state"])
            .arg(self.folder.path().join("state"));
        command.arg("--zenoh-config").arg(bundle.join("zenoh.json5"));
        self.simulator = Some(silent(&mut command).spawn().context("the simulator")?);
        Ok(())
    }

    /// Kills the simulated robots.
    pub async fn kill_robots(&mut self) -> anyhow::Result<()> {
        self.simulator.take().context("no robots run")?.kill().await.map_err(Into::into)
    }

    /// The station's own view of its connections.
    pub async fn connections(&self) -> anyhow::Result<Value> {
        self.server.get("get_connections", json!({})).await
    }

    /// Waits until `hop` is the part of the way to `robot` that fails; `null` if none does.
    pub async fn until_hop(&self, robot: &str, hop: Value) -> anyhow::Result<()> {
        let told = format!("{robot}: {hop}");
        until(&told, async || Ok(row(&self.connections().await?, robot)["failing_hop"] == hop)).await
    }

    /// Waits until the robots with the shared certificate answer, and their state comes.
    pub async fn until_live(&self) -> anyhow::Result<()> {
        until("the robots are live", async || {
            let connections = self.connections().await?;
            let robots = self.server.get("list_robots", json!({})).await?;
            let has_pose = |robot: &str| {
                let row = robots.as_array().and_then(|rows| rows.iter().find(|row| row["id"] == robot));
                row.is_some_and(|row| row["pose"]["age_ms"].as_u64().is_some_and(|age_ms| age_ms < 1_000))
            };
            Ok(SHARED.iter().all(|robot| row(&connections, robot)["link"] == "live" && has_pose(robot)))
        })
        .await
    }
}

/// The row of `robot`.
pub fn row(connections: &Value, robot: &str) -> Value {
    let rows = connections["robots"].as_array();
    rows.and_then(|rows| rows.iter().find(|row| row["robot"] == robot)).cloned().unwrap_or_default()
}

/// Looks until `holds` does.
///
/// # Errors
/// It does not within a minute, or a look fails.
pub async fn until(what: &str, holds: impl AsyncFn() -> anyhow::Result<bool>) -> anyhow::Result<()> {
    let looking = async {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            looks.tick().await;
            if holds().await? {
                return anyhow::Ok(());
            }
        }
    };
    tokio::time::timeout(WITHIN, looking).await.with_context(|| format!("not in time: {what}"))?
}

/// A fresh key of a certificate, PKCS#8.
///
/// # Errors
/// None can be made.
pub fn tls_key() -> anyhow::Result<Vec<u8>> {
    Ok(KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?.serialize_der())
}

/// The router's program: of the version of the library, built once by `make test`.
fn zenohd() -> anyhow::Result<PathBuf> {
    let debug = std::env::current_exe()?.ancestors().nth(2).context("no target folder")?.to_owned();
    let path = debug.with_file_name("tools").join("bin/zenohd");
    anyhow::ensure!(path.exists(), "{} is missing: run `target/debug/xtask routers` first", path.display());
    Ok(path)
}

/// A port of `host` that nobody else is given as long as the socket is kept. A Zenoh router may listen at it.
///
/// # Errors
/// There is no such host, or no port is free.
pub fn reserved_port(host: &str) -> anyhow::Result<(TcpSocket, SocketAddr)> {
    let socket = TcpSocket::new_v4()?;
    // With this on both sides, a socket that does not listen keeps nobody from listening who asks for this very port.
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::new(host.parse()?, 0))?;
    let address = socket.local_addr()?;
    Ok((socket, address))
}

fn silent(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true)
}

/// The manifests of the simulated robots with the keys that they keep in `folder`.
async fn manifests(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut command = Command::new(built("quarterdeck-sim")?);
    command.args(["--stay", "--listen", "tcp/127.0.0.1:0", "--state"]).arg(folder.join("state"));
    let mut child = silent(&mut command).stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().context("no output")?;
    let line = BufReader::new(output).lines().next_line().await?.context("it did not start")?;
    child.kill().await?;
    let ready: Value = serde_json::from_str(&line)?;
    let texts = ready["manifests"].as_object().context("no manifests")?;
    Ok(texts.iter().map(|(robot, text)| (robot.clone(), text.as_str().unwrap_or_default().to_owned())).collect())
}
