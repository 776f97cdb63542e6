//! Repeats the test suites beside busy threads, and lists each test that failed with how often and what it wrote.
//! A test that fails once in a hundred runs is found here before it turns `make test` red on somebody's desk.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::{bail, ensure};

use crate::ci::command;
use crate::ci::failures::Failure;
use crate::ci::plan::{Plan, Step};

/// The runs to make, and the load beside them.
pub struct Wanted<'a> {
    /// Runs of each suite.
    pub times: usize,
    /// Busy threads beside them.
    pub load: usize,
    /// Names of suites; none names all.
    pub suites: &'a [String],
}

/// Runs the wanted suites; fails if any test failed in any run.
pub fn run(root: &Path, wanted: &Wanted<'_>) -> anyhow::Result<()> {
    let plan = Plan::new(root)?;
    let all: Vec<Step> = plan.steps().into_iter().filter(|step| step.is_suite).collect();
    for name in wanted.suites {
        let known: Vec<&str> = all.iter().map(|step| step.name).collect();
        ensure!(known.contains(&name.as_str()), "there is no suite {name:?}; there are {known:?}");
    }
    let is_wanted = |step: &&Step| wanted.suites.is_empty() || wanted.suites.iter().any(|name| name == step.name);
    let suites: Vec<&Step> = all.iter().filter(is_wanted).collect();
    let load = Load::start(wanted.load);
    let mut tally = Tally::default();
    for round in 1..=wanted.times {
        for step in &suites {
            println!("\n━━ {} ━━ run {round} of {}, {} busy threads", step.name, wanted.times, wanted.load);
            let finished = command::run(&plan, step)?;
            // A suite that breaks off names no test, and has failed all the same.
            let nameless = !finished.success && finished.failures.is_empty();
            tally.add(step.name, finished.counts.passed, &finished.failures, nameless);
        }
    }
    drop(load);
    print!("{}", tally.table());
    if !tally.failed.is_empty() {
        bail!("{} tests failed in some run", tally.failed.len());
    }
    Ok(())
}

/// Threads that keep the processor busy until dropped.
struct Load {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    fn start(threads: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let spin = |_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || while !is_over.load(Ordering::Relaxed) {})
        };
        let threads = (0..threads).map(spin).collect();
        Self { is_over, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A thread that only counts cannot panic.
            let _ = thread.join();
        }
    }
}

/// The number of failures of each test.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: BTreeMap<(String, String, String), Failed>,
}

#[derive(Default)]
struct Failed {
    times: usize,
    output: Vec<String>,
}

impl Tally {
    fn add(&mut self, suite: &str, passed: u64, failures: &[Failure], nameless: bool) {
        self.passed += passed;
        let crashed = Failure { program: String::new(), test: "(the suite broke off)".to_owned(), output: Vec::new() };
        for failure in failures.iter().chain(nameless.then_some(&crashed)) {
            let key = (suite.to_owned(), failure.program.clone(), failure.test.clone());
            let failed = self.failed.entry(key).or_default();
            failed.times += 1;
            failed.output.extend(failure.output.iter().cloned());
        }
    }

    fn table(&self) -> String {
        let mut text = String::from("\n━━ flakes ━━\n");
        for ((suite, program, test), failed) in &self.failed {
            let _infallible = writeln!(text, "{:>3} × {suite}: {program} {test}", failed.times);
            for line in &failed.output {
                let _infallible = writeln!(text, "      {line}");
            }
        }
        let failures: usize = self.failed.values().map(|failed| failed.times).sum();
        let _infallible = writeln!(text, "{} passed, {failures} failed", self.passed);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_failed_twice_is_one_line_with_both_seeds() {
        let failure = |seed: &str| Failure {
            program: "scenarios".to_owned(),
            test: "stopping::f25".to_owned(),
            output: vec![seed.to_owned()],
        };
        let mut tally = Tally::default();
        tally.add("rust tests", 10, &[failure("seed 7: one")], false);
        tally.add("rust tests", 10, &[failure("seed 7: two")], false);
        tally.add("real window", 0, &[], true);
        assert_eq!(
            tally.table(),
            "\n━━ flakes ━━\n  1 × real window:  (the suite broke off)\n  2 × rust tests: scenarios stopping::f25\n      \
             seed 7: one\n      seed 7: two\n20 passed, 3 failed\n"
        );
    }
}
