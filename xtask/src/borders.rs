//! Commands on the very borders of the limits, in exact arithmetic: the long form of the rows G16 and G17 of the safety
//! matrix. The tests do the same with a few cases each.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Puts `cases` commands on the borders in each property. What decides at a station is built optimised, because exact
/// arithmetic takes its time; the gate of a robot is not, because building what it stands on takes longer than its
/// cases.
pub fn run(root: &Path, cases: u32) -> anyhow::Result<()> {
    for (package, row, profile) in [("safety", "g16_", "release"), ("bridge", "g17_", "dev")] {
        println!("{row}: {cases} cases a property, in {package}");
        let mut tests = Command::new("cargo");
        tests.args(["test", "--profile", profile, "--package", package, "--lib", "--", row]);
        tests.current_dir(root).env("PROPTEST_CASES", cases.to_string());
        // The default bounds suit 256 cases; a long run rejects more on its way.
        let rejects = cases.to_string();
        tests.envs([("PROPTEST_MAX_GLOBAL_REJECTS", &rejects), ("PROPTEST_MAX_LOCAL_REJECTS", &rejects)]);
        let status = tests.status().context("cargo could not be started")?;
        if !status.success() {
            bail!("{row}: {status}; the case is above");
        }
    }
    Ok(())
}
