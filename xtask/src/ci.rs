//! Runs every check and every test one after the other, whatever fails, and ends with a table of what ran.

pub mod command;
mod counts;
pub mod failures;
pub mod plan;
mod report;
mod space;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};

use command::Finished;
use plan::{Plan, Step};
use report::{Line, Outcome};

/// Runs the whole plan; fails if a step failed.
pub fn run(root: &Path) -> anyhow::Result<()> {
    let plan = Plan::new(root)?;
    space::check(plan.bin.parent().context("programs lie in a target folder")?)?;
    let mut lines = Vec::new();
    for step in plan.steps() {
        println!("\n━━ {} ━━ {}", step.name, step.shown());
        lines.push(run_step(&plan, &step));
    }
    print!("{}", report::table(&lines));
    if lines.iter().any(|line| line.outcome == Outcome::Failed) {
        bail!("something failed; the table says what");
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a build's duration is shown to a person and decides nothing")]
fn run_step(plan: &Plan, step: &Step) -> Line {
    let started = Instant::now();
    let finished = command::run(plan, step);
    let took = started.elapsed();
    let (outcome, finished) = match finished {
        Ok(finished) if finished.success => (Outcome::Passed, finished),
        Ok(finished) if finished.unreachable && step.may_be_unreachable => (Outcome::Unreachable, finished),
        Ok(finished) => (Outcome::Failed, finished),
        // A step that cannot run has failed, and the others still run.
        Err(error) => {
            println!("{error:#}");
            (Outcome::Failed, Finished { last_lines: [format!("{error:#}")].into(), ..Finished::default() })
        }
    };
    Line { name: step.name, outcome, took, finished }
}
