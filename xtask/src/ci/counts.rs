//! Reads the closing lines of the test runners: libtest, vitest, node and Python's unittest.

/// Tests that passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
}

impl Counts {
    /// Adds the figures of `line`, if it is a closing line; colours are removed before.
    pub fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            // test result: ok. 5 passed; 0 failed; 0 ignored; …
            ["test", "result:", _, passed, "passed;", failed, "failed;", ..] => self.add(passed, failed),
            // Tests  2 failed | 40 passed (42)
            ["Tests", failed, "failed", "|", passed, "passed", ..] => self.add(passed, failed),
            ["Tests", failed, "failed", ..] => self.add("0", failed),
            ["Tests", passed, "passed", ..] => self.add(passed, "0"),
            // ℹ pass 7
            ["ℹ" | "#", "pass", passed] => self.add(passed, "0"),
            ["ℹ" | "#", "fail", failed] => self.add("0", failed),
            // python: 3 passed, 0 failed
            ["python:", passed, "passed,", failed, "failed"] => self.add(passed, failed),
            _ => {}
        }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    fn add(&mut self, passed: &str, failed: &str) {
        let (Ok(passed), Ok(failed)) = (passed.parse(), failed.parse()) else { return };
        *self = self.plus(Self { passed, failed });
    }
}

/// `line` without codes of a terminal: some test runners colour their output even into a pipe.
pub fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            plain.push(character);
        } else if characters.next() == Some('[') {
            // A code ends with its first letter: `m` for a colour, `K` for a line that is cleared.
            let _code = characters.by_ref().find(|character| matches!(character, '\u{40}'..='\u{7e}'));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, passed: u64, failed: u64) {
        let mut counts = Counts::default();
        counts.read(&without_colours(line));
        assert_eq!(counts, Counts { passed, failed }, "{line:?}");
    }

    #[test]
    fn reads_the_closing_line_of_each_runner() {
        check("test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s", 5, 0);
        check("test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", 4, 1);
        check("      Tests  42 passed (42)", 42, 0);
        check("\u{1b}[2m      Tests \u{1b}[22m 2 failed | 40 passed (42)", 40, 2);
        check("      Tests  2 failed (2)", 0, 2);
        check("\u{1b}[?25l\u{1b}[2KTests  3 passed (3)", 3, 0);
        check("ℹ pass 7", 7, 0);
        check("# fail 2", 0, 2);
        check("python: 3 passed, 1 failed", 3, 1);
    }

    #[test]
    fn leaves_other_lines_alone() {
        check("test result of the arm: 5 passed", 0, 0);
        check("Tests are data", 0, 0);
        check("", 0, 0);
    }
}
