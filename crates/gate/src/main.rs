//! `quarterdeck-gate`: the robot-side gate.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use gate::{GateCode, GateError, ScanPlan, Setup};

/// The robot-side gate of Quarterdeck: it admits commands of a station that are within the robot's own limits, speaks
/// to the robot in its own protocol, and stops it when something fails. docs/connect-a-robot.md shows how to begin.
#[derive(Parser)]
#[command(name = "quarterdeck-gate", version)]
struct Cli {
    #[command(subcommand)]
    command: Act,
}

#[derive(Subcommand)]
enum Act {
    /// Run until a signal ends it; the robot is stopped first.
    Run(Files),
    /// Compare wiring, manifest and robot; nothing is moved. The status is 0 if nothing is wrong.
    Check {
        #[command(flatten)]
        files: Files,
        /// Look at the files only: neither the station nor the robot is reached.
        #[arg(long)]
        offline: bool,
    },
    /// Show the commissioning: each step with its figures, and what is missing. The status is 0 if nothing is.
    Commission(Files),
    /// Learn the station's key and tell it this robot's, while a pairing is open in the window. Both show six digits.
    Pair {
        #[command(flatten)]
        files: Files,
        /// Endpoint at which a station on another computer waits for this gate, as the window shows it, for example
        /// tcp/192.168.7.1:7448. The gate gets its certificate for the site's router then.
        #[arg(long, value_name = "ENDPOINT")]
        station: Option<String>,
    },
    /// Forget the station that the gate was paired with: it can stop the robot then, and no longer move it.
    Unpair(Files),
    /// Print the gate's public key for the robot's manifest; the first call makes the key.
    Key(Files),
    /// Look for robots and print them as JSON; nothing is sent that could move one.
    Scan(Places),
    /// Write a unit of systemd that starts the gate with this user's session, again after a crash, and when it hangs.
    Install {
        #[command(flatten)]
        files: Files,
        /// Folder of the unit, if it is not the one of this user.
        #[arg(long)]
        units: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Places {
    /// A domain of ROS 2 over DDS, 0 to 101; may be given several times. Domain 0 if neither a domain nor a router is
    /// given.
    #[arg(long = "domain", value_name = "N")]
    domains: Vec<u16>,
    /// A Zenoh router of ROS 2, for example tcp/192.168.1.5:7447; may be given several times.
    #[arg(long = "router", value_name = "ENDPOINT")]
    routers: Vec<String>,
    /// Length of the scan, 2 to 60 seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u16,
    /// End as soon as standard input ends.
    #[arg(long)]
    until_input_ends: bool,
}

#[derive(Args)]
struct Files {
    /// The wiring; the manifest lies beside it.
    #[arg(long, default_value = "gate.toml")]
    config: PathBuf,
    /// The gate's own folder, for its key and its memory; beside the wiring if left out.
    #[arg(long)]
    state: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut filter =
        tracing_subscriber::EnvFilter::builder().with_default_directive(tracing::Level::WARN.into()).from_env_lossy();
    // The library warns on every computer without an installation of ROS 2.
    if let Ok(quiet) = "ros2_client::distributions=error".parse() {
        filter = filter.add_directive(quiet);
    }
    // Standard output carries the report of a scan and the key, which other programs read. A line that standard error
    // does not take is lost: by default the library reports that on standard error again and panics, so that a gate
    // would end because somebody closed its log.
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false).init();
    let done = match Cli::parse().command {
        Act::Run(Files { config, state }) => gate::run(&config, state.as_deref()).await.map(|()| true),
        Act::Check { files: Files { config, state }, offline } => {
            let report = gate::check(&config, state.as_deref(), offline).await;
            print!("{report}");
            Ok(report.is_good())
        }
        Act::Commission(Files { config, state }) => gate::commissioning(&config, state.as_deref()).map(|standing| {
            print!("{standing}");
            standing.is_complete()
        }),
        Act::Install { files: Files { config, state }, units } => {
            gate::install(&config, state.as_deref(), units.as_deref()).map(|unit| {
                let name = unit.file_name().unwrap_or_default().display();
                println!("{}", unit.display());
                println!("Switch it on: systemctl --user daemon-reload && systemctl --user enable --now {name}");
                println!("Let it run while nobody is signed in: loginctl enable-linger");
                true
            })
        }
        Act::Pair { files: Files { config, state }, station } => {
            gate::pair(&config, state.as_deref(), station.as_deref(), &mut std::io::stdout()).await.map(|station| {
                println!("Paired with station {station}. Start the gate: quarterdeck-gate run");
                true
            })
        }
        Act::Unpair(Files { config, state }) => gate::unpair(&config, state.as_deref()).map(|was_paired| {
            println!("{}", if was_paired { "The station is forgotten." } else { "It was not paired with a station." });
            true
        }),
        Act::Scan(places) => print_finds(places).await,
        Act::Key(files) => print_key(&files).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}\n{}", error.remedy());
            ExitCode::FAILURE
        }
    }
}

/// False if the input ended before the scan did.
async fn print_finds(places: Places) -> Result<bool, GateError> {
    let Places { mut domains, routers, seconds, until_input_ends } = places;
    if domains.is_empty() && routers.is_empty() {
        domains.push(0);
    }
    let plan = ScanPlan { domains, routers, seconds };
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    if until_input_ends {
        // A read of the input cannot be broken off: its thread ends with the program.
        let started = std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            let _nothing_is_said_there = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            drop(end);
        });
        started.map_err(|error| GateError::new(GateCode::NotStarted, error.to_string()))?;
    }
    tokio::select! {
        report = gate::scan(&plan) => {
            let json = serde_json::to_string(&report?);
            println!("{}", json.map_err(|error| GateError::new(GateCode::NotStarted, error.to_string()))?);
            Ok(true)
        }
        _ = ended, if until_input_ends => Ok(false),
    }
}

fn print_key(Files { config, state }: &Files) -> Result<(), GateError> {
    let setup = Setup::read(config, state.as_deref())?;
    println!("public_key = \"{}\"", gate::key(&setup.state)?.public());
    Ok(())
}
