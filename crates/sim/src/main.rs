//! `quarterdeck-sim`: the simulated site `lab`. Prints one JSON line when it is ready, then answers fault lines.

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::{Context, bail};
use bridge::signing::PublicKey;
use bridge::{ClockFn, Link, LinkConfig};
use clap::Parser;
use robot::{Instant, Now, StationId};
use serde_json::json;
use sim::{GateParts, Host, Inbound, MANIFESTS, MODELS, SimWorld, gates, with_key};

/// Lines that wait for the site's thread; messages to robots wait in the robots' own inboxes.
const LINES_MAX: usize = 64;
/// The longest line that is read from standard input, bytes.
const LINE_BYTES_MAX: u64 = 4_096;
/// Legal `--speed`.
const SPEED: std::ops::RangeInclusive<f64> = 0.1..=20.0;

/// Simulated robots over real Zenoh.
///
/// A station starts it by itself. By hand: start it with --stay and --state, put the manifests of its first line
/// into the stations' robots folders, start the stations, and start it again with a --station for each; the
/// operation session_info names a station's id and key. Nobody else moves its robots, but everybody may stop them.
#[derive(Parser)]
#[command(name = "quarterdeck-sim", version)]
struct Args {
    /// Endpoint of a station, for example tcp/127.0.0.1:7447; may be repeated.
    #[arg(long)]
    connect: Vec<String>,
    /// Endpoint to listen on; may be repeated.
    #[arg(long)]
    listen: Vec<String>,
    /// A Zenoh configuration file (JSON5) instead of endpoints, for example that of a bundle for a site's router.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["connect", "listen"])]
    zenoh_config: Option<PathBuf>,
    /// A station that may move the robots, ID=ed25519:BASE64; may be repeated.
    #[arg(long, value_parser = parse_station)]
    station: Vec<(StationId, PublicKey)>,
    /// Folder where the robots keep their keys, claims and latches; without it every run is a first one.
    #[arg(long)]
    state: Option<PathBuf>,
    /// The same seed gives the same site.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Simulated seconds per second.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Goes on when standard input ends; otherwise it ends with its parent.
    #[arg(long)]
    stay: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    if args.connect.is_empty() && args.listen.is_empty() && args.zenoh_config.is_none() {
        bail!("give --connect, --listen or --zenoh-config: without one nobody can reach the site");
    }
    if !SPEED.contains(&args.speed) {
        bail!("--speed {}: expected {} to {}", args.speed, SPEED.start(), SPEED.end());
    }
    let config = LinkConfig { listen: args.listen, connect: args.connect, file: args.zenoh_config };
    let clock = host_clock();
    let link = Link::open(config, Arc::clone(&clock)).await.context("the simulator has no session")?;
    let world = SimWorld::new(args.seed).context("a manifest of the simulator is wrong")?;
    let stations = args.station.into_iter().collect();
    let gates = gates(world.robots.keys(), &stations, args.state.as_deref())?;
    let manifests = shown_manifests(&gates);
    let (to_host, inbound) = sync_channel(LINES_MAX);
    let host = Host::open(&link, world, gates, clock, &to_host).await.map(|host| host.at_speed(args.speed));
    let host = host.context("the site could not be opened")?;
    announce(args.seed, &manifests, &link.endpoints())?;

    let (ended, end) = tokio::sync::oneshot::channel();
    let site = std::thread::Builder::new().name("site".to_owned()).spawn(move || {
        host.run(&inbound, std::io::stdout());
        // The receiver is gone only if the process is already ending.
        let _ = ended.send(());
    })?;
    let from_stdin = to_host.clone();
    // Reading standard input cannot be cancelled, so this thread is not joined.
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || read_lines(&from_stdin, args.stay))?;
    tokio::select! {
        _ = end => {}
        signal = tokio::signal::ctrl_c() => {
            signal.context("no signals")?;
            to_host.send(Inbound::End).context("the site has ended")?;
        }
    }
    if site.join().is_err() {
        bail!("the site's thread panicked");
    }
    link.close().await;
    Ok(())
}

fn parse_station(text: &str) -> anyhow::Result<(StationId, PublicKey)> {
    let (id, key) = text.split_once('=').context("expected ID=ed25519:BASE64")?;
    Ok((id.parse()?, key.parse()?))
}

/// The manifests with the robots' own keys, as texts by id.
fn shown_manifests(gates: &BTreeMap<robot::RobotId, GateParts>) -> BTreeMap<String, String> {
    let texts: BTreeMap<&str, &str> = MANIFESTS.into();
    let shown = gates.iter().filter_map(|(robot, parts)| {
        let text = texts.get(robot.as_str())?;
        Some((robot.to_string(), with_key(text, &parts.credentials.key.public())))
    });
    shown.collect()
}

/// The first line of standard output.
fn announce(seed: u64, manifests: &BTreeMap<String, String>, endpoints: &[String]) -> anyhow::Result<()> {
    let mut line = json!({ "ready": true, "seed": seed, "manifests": manifests, "models": BTreeMap::from(MODELS) });
    if !endpoints.is_empty() {
        line["listen"] = json!(endpoints);
    }
    let mut stdout = std::io::stdout();
    // The station waits for this line before it takes up the robots.
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).context("nobody reads standard output")
}

/// Hands lines over until the input ends. A line that is too long arrives in pieces, none of which is a fault.
fn read_lines(to_host: &SyncSender<Inbound>, stay: bool) {
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = stdin.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        let inbound = match read {
            Ok(0) | Err(_) if stay => return,
            Ok(0) | Err(_) => Inbound::End,
            Ok(_) => Inbound::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let last = matches!(inbound, Inbound::End);
        if to_host.send(inbound).is_err() || last {
            return;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a process of its own, with the clock of the computer it stands for")]
fn host_clock() -> ClockFn {
    let start = std::time::Instant::now();
    Arc::new(move || {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Now {
            station: Instant(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)),
            wall_ms: i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX),
        }
    })
}
