//! Runs every check and every test one after the other, whatever fails, and ends with a table of what ran.

mod command;
mod counts;
mod plan;
mod report;

use std::path::Path;
use std::time::Instant;

use anyhow::bail;

use command::Finished;
use plan::{Plan, Step};
use report::{Line, Outcome};

/// Runs the whole plan; fails if a step failed.
pub fn run(root: &Path) -> anyhow::Result<()> {
    let plan = Plan::new(root)?;
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
    let (outcome, counts) = match finished {
        Ok(Finished { success: true, counts, .. }) => (Outcome::Passed, counts),
        Ok(Finished { unreachable: true, counts, .. }) if step.may_be_unreachable => (Outcome::Unreachable, counts),
        Ok(Finished { counts, .. }) => (Outcome::Failed, counts),
        Err(error) => {
            println!("{error:#}");
            (Outcome::Failed, counts::Counts::default())
        }
    };
    Line { name: step.name, outcome, took, counts }
}
