//! Developer commands: `cargo xtask check | gen | ci | flakes | routers | mutants | borders | crash | bench | fuzz | local-model | live`.

mod borders;
mod ci;
mod commits;
mod crash;
mod flakes;
mod live;
mod local_model;
mod mutants;
mod proof;
mod sizes;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

/// Developer commands of Quarterdeck.
#[derive(Parser)]
#[command(name = "xtask")]
enum Command {
    /// Refuse files that grew beyond their limit, and commits without their form
    Check,
    /// Write everything that is generated from the operation table and the codes of refusals
    Gen,
    /// Run every check and every test, and say what ran
    Ci,
    /// Kill a real station at every point between two effects, and check the next start
    Crash {
        /// Runs in all; each point at least once
        #[arg(long, default_value_t = 0)]
        runs: usize,
        /// Only the points whose names begin so, for example `mission_`
        #[arg(long, default_value = "")]
        points: String,
    },
    /// Repeat the test suites beside busy threads, and list what failed how often, with its seed
    Flakes {
        /// Runs of each suite
        #[arg(long, default_value_t = 10)]
        times: usize,
        /// Busy threads beside them
        #[arg(long, default_value_t = 0)]
        load: usize,
        /// Only this suite, for example `rust tests`; may be given several times
        #[arg(long)]
        suite: Vec<String>,
    },
    /// Kill the router of a site in the production profile again and again, and wait each time until everything is back
    Routers {
        /// Restarts
        #[arg(long, default_value_t = 50)]
        times: usize,
    },
    /// Change the code that decides over motion, and list the changes that no test notices
    Mutants {
        /// The code to change
        #[arg(long, default_value = "safety")]
        area: mutants::Area,
        /// A part of its mutants, for example 3/20
        #[arg(long, default_value = "1/1")]
        slice: mutants::Slice,
    },
    /// Put commands on the very borders of the limits, in exact arithmetic
    Borders {
        /// Cases of each property
        #[arg(long, default_value_t = 1_000_000)]
        cases: u32,
    },
    /// Measure against a floor of the same run
    Bench {
        /// The area to measure
        area: proof::Area,
    },
    /// Put randomly changed inputs into everything that reads text from outside
    Fuzz {
        /// Seconds for each target
        #[arg(long, default_value_t = 10)]
        seconds: u64,
        /// Only this target, for example `command_json`
        target: Option<String>,
    },
    /// Talk to a real model server on this machine
    LocalModel {
        /// A server that runs already; without it llama.cpp is installed and started with a small model
        #[arg(long)]
        url: Option<String>,
        /// Number of sentences for the station; all of them take some minutes
        #[arg(long)]
        sentences: Option<u32>,
    },
    /// Talk to a real service with the key of the environment, and say what of the specification holds there
    Live {
        /// The service; its key is in `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`
        #[arg(long)]
        provider: live::Provider,
        /// The model
        #[arg(long)]
        model: String,
        /// Another address than the usual one
        #[arg(long)]
        base: Option<String>,
    },
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // In one line: a stack trace would push the table of what failed out of sight.
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Writes everything that is generated. A type that is gone leaves no file behind.
fn generate(root: &Path) -> anyhow::Result<()> {
    let bindings = root.join(api::generated::BINDINGS);
    std::fs::remove_dir_all(&bindings).context("the types of before are not removed")?;
    for file in api::generated::files(&bindings).context("the types could not be written")? {
        std::fs::write(root.join(file.path), file.text)
            .with_context(|| format!("{} could not be written", file.path))?;
    }
    Ok(())
}

fn run() -> anyhow::Result<()> {
    let root = repository_root()?;
    match Command::parse() {
        Command::Check => sizes::check(&root).and_then(|()| commits::check(&root)),
        Command::Gen => generate(&root),
        Command::Ci => ci::run(&root),
        Command::Crash { runs, points } => crash::run(&root, runs, &points),
        Command::Flakes { times, load, suite } => flakes::run(&root, &flakes::Wanted { times, load, suites: &suite }),
        Command::Routers { times } => routers(&root, times),
        Command::Mutants { area, slice } => mutants::run(&root, area, slice),
        Command::Borders { cases } => borders::run(&root, cases),
        Command::Bench { area } => proof::bench(&root, area),
        Command::Fuzz { seconds, target } => proof::fuzz(&root, seconds, target.as_deref()),
        Command::Live { provider, model, base } => live::run(&root, provider, &model, base.as_deref()),
        Command::LocalModel { url, sentences } => local_model::run(&root, url.as_deref(), sentences),
    }
}

/// Builds the router if it is missing, and restarts it.
fn routers(root: &Path, times: usize) -> anyhow::Result<()> {
    let plan = ci::plan::Plan::new(root)?;
    for step in [plan.zenohd(), plan.router_restarts(times)] {
        anyhow::ensure!(ci::command::run(&plan, &step)?.success, "{} failed", step.name);
    }
    Ok(())
}

fn repository_root() -> anyhow::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the repository's root")?;
    Ok(root.to_owned())
}
