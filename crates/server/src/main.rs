//! `quarterdeck-server`: prints `{"url", "token"}` as one line of JSON, then serves until it is told to end. With
//! `verify-audit` it checks an exported audit instead, with `stop` it presses STOP ALL at a running server.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use api::{Api, Config};
use clap::{Args, Parser, Subcommand};
use server::{Door, Gatekeeper, Host, McpClient, SiblingSimulator, credentials, stop_all, verify_audit};
use tokio::signal::unix::{SignalKind, signal};

/// Supervise robots without a screen: the Quarterdeck station behind HTTP and a WebSocket.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Option<Serve>,
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
    /// Make certificates and the router's rules at a running server, and export them once to a folder on its computer.
    Credentials {
        /// Address of the server, as it printed it.
        #[arg(long, value_name = "URL")]
        url: String,
        /// A file with the token of an Admin, or with the whole line that the server printed.
        #[arg(long, value_name = "FILE")]
        token_file: PathBuf,
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
        /// Address of the server, as it printed it.
        #[arg(long, value_name = "URL")]
        url: String,
        /// A file with the token, or with the whole line that the server printed.
        #[arg(long, value_name = "FILE")]
        token_file: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Serve {
    /// Everything the station keeps.
    #[arg(long, value_name = "DIR")]
    data_dir: PathBuf,
    /// Address to listen at; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
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
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info,zenoh=error".into());
    let ansi = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(ansi).with_writer(std::io::stderr).init();
    #[cfg(feature = "failpoints")]
    let _crash_points = api::crash_points_from_environment();
    match Arguments::parse() {
        Arguments { command: Some(Command::VerifyAudit { file, public_key }), .. } => {
            println!("{}", verify_audit(&file, public_key.as_deref())?);
            Ok(())
        }
        Arguments { command: Some(Command::Stop { url, token_file }), .. } => {
            println!("{}", stop_all(&url, &token_file).await?);
            Ok(())
        }
        Arguments { command: Some(Command::Credentials { url, token_file, folder, router, robot }), .. } => {
            let robots = (!robot.is_empty()).then_some(robot);
            let input = serde_json::json!({ "folder": folder, "router": router, "robots": robots });
            println!("{:#}", credentials(&url, &token_file, &input).await?);
            Ok(())
        }
        Arguments { command: None, serve: Some(arguments) } => serve(arguments).await,
        Arguments { command: None, serve: None } => bail!("--data-dir is needed; see --help"),
    }
}

async fn serve(arguments: Serve) -> anyhow::Result<()> {
    if !arguments.listen.ip().is_loopback() {
        bail!("--listen {}: this version listens on loopback only; use 127.0.0.1", arguments.listen);
    }
    let listener = Door::listen(arguments.listen).with_context(|| format!("cannot listen on {}", arguments.listen))?;
    let address = listener.local_addr().context("cannot tell where the server listens")?;
    let config = Config {
        data_dir: arguments.data_dir,
        zenoh_config: arguments.zenoh_config,
        with_sim: arguments.with_sim,
        seed: arguments.seed,
    };
    let started = Api::start(config, Arc::new(SiblingSimulator), Arc::new(McpClient)).await;
    let api = started.context("the station did not start")?;
    let gatekeeper = Arc::new(Gatekeeper::new(address));
    let started = serde_json::json!({ "url": format!("http://{address}"), "token": gatekeeper.token() });
    let door = Door::open(listener, Host { api: api.clone(), gatekeeper })?;
    println!("{started}");
    let told = told_to_end().await;
    api.shutdown().await;
    door.close().await;
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
