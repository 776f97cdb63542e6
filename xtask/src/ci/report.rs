//! The table at the end.

use std::fmt::Write;
use std::time::Duration;

use super::counts::Counts;

/// How a step came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Passed,
    /// Something is wrong, or its program is missing.
    Failed,
    /// Nothing is known: what it asks could not be reached.
    Unreachable,
}

/// One step in the table.
pub struct Line {
    /// The step.
    pub name: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// How long it took.
    pub took: Duration,
    /// The tests in it.
    pub counts: Counts,
}

/// The table, a warning for each thing that could not be checked, and the closing line.
pub fn table(lines: &[Line]) -> String {
    let mut text = String::from("\n━━ what ran ━━\n");
    for line in lines {
        let tests = match line.counts {
            Counts { passed: 0, failed: 0 } => String::new(),
            Counts { passed, failed } => format!("{passed} passed, {failed} failed"),
        };
        let row = format!("{:<12} {:<24} {:>7.1} s  {tests}", word(line.outcome), line.name, line.took.as_secs_f64());
        let _infallible = writeln!(text, "{}", row.trim_end());
    }
    for line in lines.iter().filter(|line| line.outcome == Outcome::Unreachable) {
        let _infallible =
            writeln!(text, "\nNOT CHECKED: {}: the network it needs could not be reached. This is no pass.", line.name);
    }
    let total = lines.iter().fold(Counts::default(), |sum, line| sum.plus(line.counts));
    let steps_failed = lines.iter().filter(|line| line.outcome == Outcome::Failed).count();
    let took: Duration = lines.iter().map(|line| line.took).sum();
    let _infallible = writeln!(
        text,
        "\n{} steps, {steps_failed} failed, {:.1} min\n{} passed, {} failed",
        lines.len(),
        took.as_secs_f64() / 60.0,
        total.passed,
        total.failed
    );
    text
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "ok",
        Outcome::Failed => "FAILED",
        Outcome::Unreachable => "NOT CHECKED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_checked_is_loud() {
        let line = |name, outcome, passed| Line {
            name,
            outcome,
            took: Duration::from_secs(30),
            counts: Counts { passed, failed: 0 },
        };
        let text = table(&[line("rust tests", Outcome::Passed, 12), line("advisories", Outcome::Unreachable, 0)]);
        assert_eq!(
            text,
            "\n━━ what ran ━━\n\
             ok           rust tests                  30.0 s  12 passed, 0 failed\n\
             NOT CHECKED  advisories                  30.0 s\n\n\
             NOT CHECKED: advisories: the network it needs could not be reached. This is no pass.\n\n\
             2 steps, 0 failed, 1.0 min\n12 passed, 0 failed\n"
        );
    }
}
