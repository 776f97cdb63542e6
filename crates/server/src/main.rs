//! `quarterdeck-server`: prints `{"url", "token"}` as one line of JSON, then serves until it is told to end. With
//! `verify-audit` it checks an exported audit instead, with `stop` it presses STOP ALL at a running server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use api::{Api, Config};
use clap::{Args, Parser, Subcommand};
use server::{
    Certificate, Gatekeeper, Host, HttpListener, McpClient, Service, SiblingSimulator, Terminal, credentials, end_log,
    install, make_certificate, start_log, stop_all, verify_audit,
};
use tokio::signal::unix::{SignalKind, signal};

/// Supervise robots without a screen: the Quarterdeck station behind HTTP and a WebSocket.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    place: Option<Place>,
    #[command(flatten)]
    robots: Robots,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check that no record of an exported audit was changed, removed or added.
    VerifyAudit {
        /// The pages of `export_audit`, one after the other, from the first record on.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The station's public key, as `session_info` shows it; the newest anchor must be signed with it.
        #[arg(long, value_name = "KEY")]
        public_key: Option<String>,
    },
    /// Make a self-signed certificate and its key for `--tls-cert` and `--tls-key`, and print its SHA-256 fingerprint.
    TlsCertificate {
        /// A host or an IP address at which the server is reached; may be repeated.
        #[arg(long, value_name = "HOST", required = true)]
        name: Vec<String>,
        /// The new file of the certificate.
        #[arg(long, value_name = "FILE")]
        tls_cert: PathBuf,
        /// The new file of its key.
        #[arg(long, value_name = "FILE")]
        tls_key: PathBuf,
    },
    /// Write a unit of systemd for this user that runs the server, and print its path.
    Install {
        #[command(flatten)]
        place: Place,
        /// Folder for the unit, instead of the one in which systemd looks for those of this user.
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Make certificates and the router's rules at a running server, and export them once to a folder on its computer.
    Credentials {
        #[command(flatten)]
        server: AtServer,
        /// A folder that does not exist yet or is empty, from / on.
        #[arg(long, value_name = "DIR")]
        folder: PathBuf,
        /// Address at which robots reach the router, HOST or HOST:PORT; left out, the router gets new rules only.
        #[arg(long, value_name = "ADDRESS")]
        router: Option<String>,
        /// A robot that gets a certificate; may be repeated. Every robot and other source if left out.
        #[arg(long, value_name = "ROBOT")]
        robot: Vec<String>,
    },
    /// Press STOP ALL at a running server. It asks the robots' software to stop; it is not an emergency stop.
    Stop {
        #[command(flatten)]
        server: AtServer,
    },
}

/// A running server.
#[derive(Debug, Args)]
struct AtServer {
    /// Address of the server, as it printed it.
    #[arg(long, value_name = "URL")]
    url: String,
    /// A file with a token, or with the whole line that the server printed.
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,
    /// Fingerprint of the server's certificate, if it listens with TLS and the file does not hold its whole line.
    #[arg(long, value_name = "SHA256")]
    fingerprint: Option<String>,
}

impl AtServer {
    fn terminal(&self) -> anyhow::Result<Terminal> {
        Terminal::new(&self.url, &self.token_file, self.fingerprint.as_deref())
    }
}

/// A station's data, and where it is reached.
#[derive(Debug, Args)]
struct Place {
    /// Everything the station keeps.
    #[arg(long, value_name = "DIR")]
    data_dir: PathBuf,
    /// Address to listen at; port 0 takes a free one. Beyond this computer it needs a certificate.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The server's certificate, PEM; it answers to the names in it.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl Place {
    /// The certificate to show; none on a listener that only this computer reaches and that has none.
    fn certificate(&self) -> anyhow::Result<Option<Certificate>> {
        let Some((certificate, key)) = self.tls_cert.as_deref().zip(self.tls_key.as_deref()) else {
            if !self.listen.ip().is_loopback() {
                bail!(
                    "--listen {}: a listener beyond this computer needs --tls-cert FILE and --tls-key FILE; \
                     `quarterdeck-server tls-certificate` makes both",
                    self.listen
                );
            }
            return Ok(None);
        };
        let certificate = Certificate::read(certificate, key)?;
        if certificate.names().is_empty() && self.listen.ip().is_unspecified() {
            bail!("--tls-cert: the certificate names no host that the server could answer to");
        }
        Ok(Some(certificate))
    }

    /// The address as people open it.
    fn url(address: SocketAddr, certificate: Option<&Certificate>) -> String {
        match certificate {
            None => format!("http://{address}"),
            Some(certificate) => match certificate.names().first() {
                Some(name) => format!("https://{name}:{}", address.port()),
                None => format!("https://{address}"),
            },
        }
    }
}

/// The way to the robots.
#[derive(Debug, Args)]
struct Robots {
    /// A Zenoh configuration file (JSON5) instead of the `[zenoh]` part of config.toml.
    #[arg(long, value_name = "FILE")]
    zenoh_config: Option<PathBuf>,
    /// Start the built-in simulator too.
    #[arg(long)]
    with_sim: bool,
    /// The simulator's seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // Standard output belongs to the one line that programs read.
    start_log()?;
    let ended = carry_out(Arguments::parse()).await;
    end_log();
    ended
}

async fn carry_out(arguments: Arguments) -> anyhow::Result<()> {
    #[cfg(feature = "failpoints")]
    let _crash_points = api::crash_points_from_environment();
    match arguments {
        Arguments { command: Some(Command::VerifyAudit { file, public_key }), .. } => {
            println!("{}", verify_audit(&file, public_key.as_deref())?);
            Ok(())
        }
        Arguments { command: Some(Command::TlsCertificate { name, tls_cert, tls_key }), .. } => {
            println!("{}", make_certificate(&name, &tls_cert, &tls_key)?);
            Ok(())
        }
        Arguments { command: Some(Command::Install { place, folder }), .. } => {
            // A unit that could not start is not written.
            place.certificate()?;
            let tls = place.tls_cert.as_deref().zip(place.tls_key.as_deref());
            let service = Service { data_dir: &place.data_dir, listen: place.listen, tls };
            println!("{}", install(&service, folder.as_deref())?.display());
            Ok(())
        }
        Arguments { command: Some(Command::Stop { server }), .. } => {
            println!("{}", stop_all(server.terminal().context("NOT STOPPED")?).await?);
            Ok(())
        }
        Arguments { command: Some(Command::Credentials { server, folder, router, robot }), .. } => {
            let robots = (!robot.is_empty()).then_some(robot);
            let input = serde_json::json!({ "folder": folder, "router": router, "robots": robots });
            println!("{:#}", credentials(server.terminal()?, &input).await?);
            Ok(())
        }
        Arguments { command: None, place: Some(place), robots } => serve(place, robots).await,
        Arguments { command: None, place: None, .. } => bail!("--data-dir is needed; see --help"),
    }
}

async fn serve(place: Place, robots: Robots) -> anyhow::Result<()> {
    let certificate = place.certificate()?;
    // Before the station starts, which takes seconds: an address in use is said at once.
    let socket = HttpListener::listen(place.listen).with_context(|| format!("cannot listen on {}", place.listen))?;
    let address = socket.local_addr().context("cannot tell where the server listens")?;
    let config = Config {
        data_dir: place.data_dir,
        zenoh_config: robots.zenoh_config,
        with_sim: robots.with_sim,
        seed: robots.seed,
    };
    let started = Api::start(config, Arc::new(SiblingSimulator), Arc::new(McpClient)).await;
    let api = started.context("the station did not start")?;
    let gatekeeper = Arc::new(match &certificate {
        None => Gatekeeper::new(address),
        Some(certificate) => Gatekeeper::with_certificate(address, certificate),
    });
    let url = Place::url(address, certificate.as_ref());
    let mut started = serde_json::json!({ "url": url, "token": gatekeeper.token() });
    if let Some(certificate) = &certificate {
        started["fingerprint"] = certificate.fingerprint().to_string().into();
    }
    let listener = HttpListener::open(socket, Host { api: api.clone(), gatekeeper })?;
    // Only once it answers: programs connect as soon as they read this.
    println!("{started}");
    let told = told_to_end().await;
    api.shutdown().await;
    listener.close().await;
    told
}

async fn told_to_end() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot hear SIGTERM")?;
    tokio::select! {
        _ = terminate.recv() => {}
        interrupted = tokio::signal::ctrl_c() => interrupted.context("cannot hear SIGINT")?,
    }
    Ok(())
}
