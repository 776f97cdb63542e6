//! Failed tests, read from the output of the test runners: libtest, node, vitest and Python's unittest.

/// Lines of a failure's output that are kept, besides those that name a seed.
const OUTPUT_LINES: usize = 12;

/// One failed test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The test program or file, where its runner names one.
    pub program: String,
    /// The test.
    pub test: String,
    /// The first lines of its output, and every line that names a seed: with it the failure is played again.
    pub output: Vec<String>,
}

/// The failures of one run, collected line by line.
#[derive(Debug, Default)]
pub struct Failures {
    program: String,
    /// The test whose captured output is being read.
    output_of: Option<String>,
    found: Vec<Failure>,
}

impl Failures {
    /// Takes what `line` says of a failure.
    pub fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            //      Running tests/scenarios/main.rs (target/debug/deps/scenarios-0f2a…)
            ["Running", "unittests", _, path] | ["Running", _, path] => self.program = program(path),
            ["Doc-tests", crate_name] => self.program = format!("{crate_name} (documentation)"),
            ["test", name, "...", "FAILED"] => self.add(name),
            // ---- hooks::t_39 stdout ----
            ["----", name, "stdout", "----"] => self.output_of = Some((*name).to_owned()),
            ["failures:"] | ["✖", "failing", "tests:"] => self.output_of = None,
            // test at tests/e2e/stop.test.mjs:65:1
            ["test", "at", place] => self.program = file(place),
            // ✖ stops every robot by keyboard (812.3ms)
            ["✖", name @ .., _] if !is_heading(name) => self.begin(&name.join(" ")),
            //  FAIL  src/shared/ages.test.ts > counts on
            ["FAIL", file, ">", name @ ..] => {
                (*file).clone_into(&mut self.program);
                self.begin(&name.join(" "));
            }
            // ✔ arms by keyboard (402.1ms)
            ["✔" | "✓", ..] => self.output_of = None,
            // FAIL: test_counts (test_samples.Samples.test_counts)
            ["FAIL:" | "ERROR:", name, ..] => self.add(name),
            _ => self.keep(line),
        }
    }

    /// The failures read so far, each once.
    pub fn into_found(self) -> Vec<Failure> {
        self.found
    }

    fn add(&mut self, test: &str) {
        if !self.found.iter().any(|failure| failure.program == self.program && failure.test == test) {
            let (program, test) = (self.program.clone(), test.to_owned());
            self.found.push(Failure { program, test, output: Vec::new() });
        }
    }

    /// Adds a test whose output follows the line that names it. Node names it again at its end, there with its file.
    fn begin(&mut self, test: &str) {
        let program = &self.program;
        if let Some(failure) = self.found.iter_mut().find(|failure| failure.test == test && failure.program.is_empty())
        {
            failure.program.clone_from(program);
        } else {
            self.add(test);
            self.output_of = Some(test.to_owned());
        }
    }

    fn keep(&mut self, line: &str) {
        let Some(test) = &self.output_of else { return };
        let Some(failure) = self.found.iter_mut().find(|failure| failure.test == *test) else { return };
        let is_worth_it = failure.output.len() < OUTPUT_LINES || names_a_seed(line);
        if is_worth_it && !line.trim().is_empty() {
            failure.output.push(line.trim_end().to_owned());
        }
    }
}

fn names_a_seed(line: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word.eq_ignore_ascii_case("seed"))
}

/// `(target/debug/deps/scenarios-0f2a51)` is `scenarios`.
fn program(path: &str) -> String {
    let file = path.trim_matches(['(', ')']).rsplit('/').next().unwrap_or_default();
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// `tests/e2e/stop.test.mjs:65:1` is `tests/e2e/stop.test.mjs`.
fn file(place: &str) -> String {
    place.split(':').next().unwrap_or_default().to_owned()
}

/// Node closes with "✖ failing tests:" and lists every failure again.
fn is_heading(name: &[&str]) -> bool {
    name.is_empty() || name == ["failing"]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(output: &str) -> Vec<Failure> {
        let mut failures = Failures::default();
        output.lines().for_each(|line| failures.read(line));
        failures.into_found()
    }

    fn check(output: &str, expected: &[(&str, &str)]) {
        let found = found(output);
        let found: Vec<_> = found.iter().map(|f| (f.program.as_str(), f.test.as_str())).collect();
        assert_eq!(found, expected, "{output}");
    }

    #[test]
    fn a_failed_rust_test_keeps_its_program_the_first_lines_it_wrote_and_its_seed() {
        let lines: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let found = found(&format!(
            "     Running tests/scenarios/main.rs (target/debug/deps/scenarios-0f2a51)\n\
             test hooks::t_39 ... ok\n\
             test stopping::f25 ... FAILED\n\
             \n\
             failures:\n\
             \n\
             ---- stopping::f25 stdout ----\n\
             {lines}Error: seed 7: list_robots never got there\n\
             \n\
             failures:\n    stopping::f25\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored\n"
        ));
        let [failure] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((failure.program.as_str(), failure.test.as_str()), ("scenarios", "stopping::f25"));
        let output: Vec<&str> = failure.output.iter().map(String::as_str).collect();
        let expected: Vec<String> = (1..=OUTPUT_LINES).map(|n| format!("line {n}")).collect();
        let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        expected.push("Error: seed 7: list_robots never got there");
        assert_eq!(output, expected);
    }

    #[test]
    fn a_failed_browser_test_keeps_the_first_lines_it_wrote_and_its_seed() {
        let found = found(
            "✔ arms (1.2ms)\n✖ stops (812.3ms)\n  AssertionError: 3 of 4\n  seed 7\n✔ jogs (3ms)\nother\n\
             ✖ failing tests:\n\ntest at tests/e2e/stop.test.mjs:65:1\n✖ stops (812.3ms)\n  AssertionError: 3 of 4\n",
        );
        let [failure] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((failure.program.as_str(), failure.test.as_str()), ("tests/e2e/stop.test.mjs", "stops"));
        assert_eq!(failure.output, ["  AssertionError: 3 of 4", "  seed 7"]);
    }

    #[test]
    fn each_runner_names_its_failures_once() {
        check(
            "✖ stops by keyboard (812.3ms)\nℹ fail 1\n✖ failing tests:\n\ntest at tests/e2e/stop.test.mjs:65:1\n\
             ✖ stops by keyboard (812.3ms)\n",
            &[("tests/e2e/stop.test.mjs", "stops by keyboard")],
        );
        check(" FAIL  src/ages.test.ts > counts on\n", &[("src/ages.test.ts", "counts on")]);
        check("FAIL: test_counts (test_samples.Samples.test_counts)\n", &[("", "test_counts")]);
        check("test a ... ok\ntest result: ok. 1 passed; 0 failed\nFailed to connect > retry\n", &[]);
    }
}
