//! The table at the end.

use std::fmt::Write;
use std::time::Duration;

use super::command::Finished;
use super::counts::Counts;

/// The outcome of a step.
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
    /// Its outcome.
    pub outcome: Outcome,
    /// Its duration.
    pub took: Duration,
    /// Its tests, and the end of its output.
    pub finished: Finished,
}

/// The end of each step that failed, then the table, a warning for each thing that could not be checked, the totals, and
/// the failed tests with what they wrote: the end of a long output is what is read first, and may be all that is kept.
pub fn table(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines.iter().filter(|line| line.outcome == Outcome::Failed) {
        tell_end(&mut text, line);
    }
    text.push_str("\n━━ what ran ━━\n");
    for line in lines {
        let tests = match line.finished.counts {
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
    let total = lines.iter().fold(Counts::default(), |sum, line| sum.plus(line.finished.counts));
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
    for line in lines.iter().filter(|line| line.outcome == Outcome::Failed) {
        for failure in &line.finished.failures {
            let _infallible = writeln!(text, "FAILED       {}: {} {}", line.name, failure.program, failure.test);
            for written in &failure.output {
                let _infallible = writeln!(text, "    {written}");
            }
        }
    }
    text
}

/// The end of a step's output.
fn tell_end(text: &mut String, Line { name, finished, .. }: &Line) {
    let _infallible = writeln!(text, "\n━━ the end of {name} ━━");
    for written in &finished.last_lines {
        let _infallible = writeln!(text, "{written}");
    }
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
    use crate::ci::failures::Failure;

    fn line(name: &'static str, outcome: Outcome, passed: u64) -> Line {
        let finished = Finished { counts: Counts { passed, failed: 0 }, ..Finished::default() };
        Line { name, outcome, took: Duration::from_secs(30), finished }
    }

    #[test]
    fn what_could_not_be_checked_is_loud() {
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

    #[test]
    fn a_failed_test_stands_at_the_very_end_with_what_it_wrote() {
        let mut failed = line("crashes", Outcome::Failed, 0);
        failed.finished.last_lines.push_back("crash 5: audit, passage 0".to_owned());
        let failure = Failure { program: "p".to_owned(), test: "t".to_owned(), output: vec!["seed 7".to_owned()] };
        failed.finished.failures.push(failure);
        let text = table(&[line("rust tests", Outcome::Passed, 12), failed]);
        assert!(text.contains("━━ the end of crashes ━━\ncrash 5: audit, passage 0\n\n━━ what ran"), "{text}");
        assert!(text.ends_with("12 passed, 0 failed\nFAILED       crashes: p t\n    seed 7\n"), "{text}");
    }
}
