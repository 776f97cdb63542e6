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

/// The reason for which a step that ended well has failed.
const UNTESTED: &str = "no test of this step has passed: it has checked nothing";

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
    // A step that cannot run has failed, and the others still run.
    let mut finished = finished.unwrap_or_else(|error| {
        println!("{error:#}");
        Finished { last_lines: [format!("{error:#}")].into(), ..Finished::default() }
    });
    let outcome = outcome(step, &finished);
    if outcome == Outcome::Failed && finished.success {
        println!("{UNTESTED}");
        finished.last_lines.push_back(UNTESTED.to_owned());
    }
    Line { name: step.name, outcome, took, finished }
}

fn outcome(step: &Step, finished: &Finished) -> Outcome {
    // A filter that fits no test any more, or a runner whose last line nobody understands.
    let is_untested = step.has_tests && finished.counts.passed == 0;
    match finished.success {
        true if is_untested => Outcome::Failed,
        true => Outcome::Passed,
        false if finished.unreachable && step.may_be_unreachable => Outcome::Unreachable,
        false => Outcome::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::counts::Counts;
    use super::*;

    #[test]
    fn a_step_of_tests_that_runs_none_has_failed() {
        let step = |has_tests| Step {
            name: "interleavings",
            argv: Vec::new(),
            may_be_unreachable: false,
            variables: Vec::new(),
            is_suite: false,
            has_tests,
        };
        let finished =
            |passed, success| Finished { success, counts: Counts { passed, failed: 0 }, ..Finished::default() };
        assert_eq!(outcome(&step(true), &finished(0, true)), Outcome::Failed);
        assert_eq!(outcome(&step(true), &finished(3, true)), Outcome::Passed);
        assert_eq!(outcome(&step(false), &finished(0, true)), Outcome::Passed);
        assert_eq!(outcome(&step(true), &finished(3, false)), Outcome::Failed);
    }
}
