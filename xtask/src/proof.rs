//! Measurements and long runs that `make test` has no time for: benchmarks, and fuzzing for as long as one likes.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::Command;
use std::time::{Instant, SystemTime};

use anyhow::{Context, bail};

/// An area to measure.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Area {
    /// The context of a turn, and its first word on the way to a person
    Agent,
    /// Searching 100,000 records, and the context of a turn
    Memory,
    /// A list of 1,000 missions, and their graph
    Missions,
    /// The judgement, the gate, the monitor and STOP ALL
    Safety,
    /// The first put of a stop, with nothing else to do and beside everything at once, 100,000 samples a second
    /// among it
    Stops,
    /// Samples to world state, rules, snapshots and the disk
    World,
    /// `cargo build` after a change of one file
    Build,
}

/// Files that are changed most: each is touched once, and the build after it is timed.
const TOUCHED: [(&str, &str); 3] = [
    ("the turn runner", "crates/agent_runner/src/turn_runner/drive.rs"),
    ("the gate", "crates/fleet/src/gate.rs"),
    ("an operation of a screen", "crates/sensing/src/operations/alarms.rs"),
];

/// Runs the benchmarks of `area`; the table goes to the screen, the figures to `target/bench/report.json`.
pub fn bench(root: &Path, area: Area) -> anyhow::Result<()> {
    let name = match area {
        Area::Agent => "agent",
        Area::Memory => "memory",
        Area::Missions => "missions",
        Area::Safety => "safety",
        Area::World => "world",
        Area::Build => return incremental_builds(root),
        Area::Stops => return stops(root),
    };
    run(root, Command::new("cargo").args(["bench", "--package", "quarterdeck-tests", "--bench", name]))
}

/// P20: the load test as an optimised build, which is held to the goals themselves.
fn stops(root: &Path) -> anyhow::Result<()> {
    let optimised = ["--profile", "bench", "--package"];
    run(root, Command::new("cargo").arg("build").args(optimised).arg("sim"))?;
    let test = ["quarterdeck-tests", "--test", "load", "--", "--nocapture", "--test-threads", "1"];
    run(root, Command::new("cargo").arg("test").args(optimised).args(test))
}

/// P22: builds with one file touched, beside a build with nothing touched in the same run.
fn incremental_builds(root: &Path) -> anyhow::Result<()> {
    let built = |what: &str| -> anyhow::Result<f64> {
        let seconds = timed_build(root)?;
        println!("P22 {what}: {seconds:.1} s");
        Ok(seconds)
    };
    built("whatever was left to build")?;
    built("nothing touched")?;
    for (what, file) in TOUCHED {
        let path = root.join(file);
        // Opened and not changed: the date alone makes Cargo build it.
        let opened = OpenOptions::new().append(true).open(&path).with_context(|| format!("{file} cannot be opened"))?;
        opened.set_modified(now())?;
        built(&format!("{what} touched ({file}), goal 20 s"))?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time; nothing is decided by it")]
fn timed_build(root: &Path) -> anyhow::Result<f64> {
    let began = Instant::now();
    run(root, Command::new("cargo").args(["build", "--quiet", "--workspace", "--bins"]))?;
    Ok(began.elapsed().as_secs_f64())
}

#[expect(clippy::disallowed_methods, reason = "the date of a touched file; nothing is decided by it")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Puts changed inputs into `target`, or into all targets one after the other, for `seconds` each.
pub fn fuzz(root: &Path, seconds: u64, target: Option<&str>) -> anyhow::Result<()> {
    let milliseconds = seconds.saturating_mul(1_000).to_string();
    let mut command = Command::new("cargo");
    command.args(["test", "--package", "quarterdeck-tests", "--test", "fuzz", "--"]);
    command.args(["--test-threads", "1", "--nocapture"]).args(target);
    run(root, command.env("BOLERO_RANDOM_TEST_TIME_MS", milliseconds))
}

fn run(root: &Path, command: &mut Command) -> anyhow::Result<()> {
    let status = command.current_dir(root).status().context("cargo could not be started")?;
    if !status.success() {
        bail!("it failed: {status}");
    }
    Ok(())
}
