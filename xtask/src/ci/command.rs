//! Runs one step: its output is shown as it comes, and read for what it says about tests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, pipe};
use std::process::Command;

use anyhow::Context;

use super::counts::{self, Counts};
use super::failures::{Failure, Failures};
use super::plan::{Plan, Step};

/// Output of cargo-deny when the advisory database cannot be had. That is no verdict about our dependencies.
const UNREACHABLE: &[&str] = &["failed to fetch advisory database", "failed to load advisory database"];

/// Lines of a step's end that the table repeats if it failed.
const LAST_LINES: usize = 20;

/// The end of a step.
#[derive(Default)]
pub struct Finished {
    /// The program said that all is well.
    pub success: bool,
    /// Something that it needs from the network could not be had.
    pub unreachable: bool,
    /// Tests it reported.
    pub counts: Counts,
    /// Tests it reported as failed.
    pub failures: Vec<Failure>,
    /// The end of its output, without colours and empty lines.
    pub last_lines: VecDeque<String>,
}

/// Runs `step` to its end. A program that is missing is an error, never a skip.
pub fn run(plan: &Plan, step: &Step) -> anyhow::Result<Finished> {
    let (program, args) = step.argv.split_first().context("a step names a program")?;
    let (output, writer) = pipe()?;
    let mut command = Command::new(program);
    command.args(args).current_dir(&plan.root).envs(plan.environment());
    command.envs(step.variables.iter().map(|(name, value)| (name, value)));
    // One pipe for both, so that their lines keep their order.
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("{program} could not be started"))?;
    // Its copy of the pipe would keep the output from ending.
    drop(command);

    let mut finished = Finished::default();
    let mut failures = Failures::default();
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        finished.unreachable |= UNREACHABLE.iter().any(|sign| line.contains(sign));
        let plain = counts::without_colours(&line);
        finished.counts.read(&plain);
        failures.read(&plain);
        finished.keep(plain);
    }
    finished.failures = failures.into_found();
    finished.success = child.wait()?.success();
    Ok(finished)
}

impl Finished {
    fn keep(&mut self, line: String) {
        if line.trim().is_empty() {
            return;
        }
        if self.last_lines.len() == LAST_LINES {
            self.last_lines.pop_front();
        }
        self.last_lines.push_back(line);
    }
}
