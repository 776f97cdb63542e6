//! `quarterdeck-sim`: the simulated site `lab`. Prints one JSON line when it is ready, then answers fault lines.

use std::io::{BufRead, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::{Context, bail};
use bridge::{ClockFn, Link, LinkConfig};
use clap::Parser;
use robot::{Instant, Now};
use serde_json::{Map, Value, json};
use sim::{Host, Inbound, MANIFESTS, SimWorld};

/// Messages that wait for the site's thread: a second of beats and stops of several stations.
const INBOX_MAX: usize = 1_024;
/// The longest line that is read from standard input, bytes.
const LINE_BYTES_MAX: u64 = 4_096;
/// Legal `--speed`.
const SPEED: std::ops::RangeInclusive<f64> = 0.1..=20.0;

/// Simulated robots over real Zenoh.
#[derive(Parser)]
#[command(name = "quarterdeck-sim", version)]
struct Args {
    /// Endpoint of a station, for example tcp/127.0.0.1:7447; may be repeated.
    #[arg(long)]
    connect: Vec<String>,
    /// Endpoint to listen on; may be repeated.
    #[arg(long)]
    listen: Vec<String>,
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
    if args.connect.is_empty() && args.listen.is_empty() {
        bail!("give --connect or --listen: without either nobody can reach the site");
    }
    if !SPEED.contains(&args.speed) {
        bail!("--speed {}: expected {} to {}", args.speed, SPEED.start(), SPEED.end());
    }
    let config = LinkConfig { listen: args.listen, connect: args.connect, file: None };
    let clock = host_clock();
    let link = Link::open(config, Arc::clone(&clock)).await.context("the simulator has no session")?;
    let world = SimWorld::new(args.seed).context("a manifest of the simulator is wrong")?;
    let (to_host, inbox) = sync_channel(INBOX_MAX);
    let host = Host::open(&link, world, args.speed, clock, &to_host).await.context("the site has no keys")?;
    announce(args.seed, &link.endpoints())?;

    let (ended, end) = tokio::sync::oneshot::channel();
    let site = std::thread::Builder::new().name("site".to_owned()).spawn(move || {
        host.run(&inbox, std::io::stdout());
        // The receiver is gone only if the process is already ending.
        let _ = ended.send(());
    })?;
    let from_stdin = to_host.clone();
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

/// The first line of standard output.
fn announce(seed: u64, endpoints: &[String]) -> anyhow::Result<()> {
    let manifests: Map<_, _> = MANIFESTS.iter().map(|(id, text)| ((*id).to_owned(), Value::from(*text))).collect();
    let mut line = json!({ "ready": true, "seed": seed, "manifests": manifests });
    if !endpoints.is_empty() {
        line["listen"] = json!(endpoints);
    }
    let mut stdout = std::io::stdout();
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
