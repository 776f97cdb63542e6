//! Runs one step: its output is shown as it comes, and read for what it says about tests.

use std::io::{BufRead, BufReader, pipe};
use std::process::Command;

use anyhow::Context;

use super::counts::Counts;
use super::plan::{Plan, Step};

/// What cargo-deny says when the advisory database cannot be had. That is no verdict about our dependencies.
const UNREACHABLE: &[&str] = &["failed to fetch advisory database", "failed to load advisory database"];

/// How a step ended.
pub struct Finished {
    /// The program said that all is well.
    pub success: bool,
    /// What it needs from the network could not be had.
    pub unreachable: bool,
    /// The tests it told of.
    pub counts: Counts,
}

/// Runs `step` to its end. A program that is missing is an error, never a skip.
pub fn run(plan: &Plan, step: &Step) -> anyhow::Result<Finished> {
    let (program, args) = step.argv.split_first().context("a step names a program")?;
    let (output, writer) = pipe()?;
    let mut command = Command::new(program);
    command.args(args).current_dir(&plan.root).envs(plan.environment());
    command.envs(step.variables.iter().map(|(name, value)| (name, value)));
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("{program} could not be started"))?;
    drop(command); // its copy of the pipe would keep the output from ending

    let mut finished = Finished { success: false, unreachable: false, counts: Counts::default() };
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        finished.unreachable |= UNREACHABLE.iter().any(|sign| line.contains(sign));
        finished.counts.read(&line);
    }
    finished.success = child.wait()?.success();
    Ok(finished)
}
