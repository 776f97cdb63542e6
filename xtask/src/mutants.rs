//! Mutation test of what decides over motion: a change of the code that no test notices is a hole in the tests.

use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, bail, ensure};

use crate::ci::plan::Plan;

/// The version that the arguments below are written for.
const CARGO_MUTANTS: &str = "cargo-mutants@27.1.0";
/// A test that a mutant sends into a loop is ended after this, seconds.
const TIMEOUT_S: &str = "300";

/// The code that is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Area {
    /// All of `safety`
    Safety,
    /// The gate, stops, arming and approvals of `station`
    Station,
    /// The predicates of `world`
    World,
}

/// The code of an area and the tests that have to notice its changes.
struct Scope {
    packages: &'static [&'static str],
    /// No files name all of the package.
    files: &'static [&'static str],
    /// Parts of the names of the whole-station scenarios that are run as well; the unit tests of the same names are.
    scenarios: &'static [&'static str],
}

impl Area {
    const fn scope(self) -> Scope {
        match self {
            Self::Safety => Scope { packages: &["safety"], files: &[], scenarios: &[] },
            Self::Station => Scope {
                packages: &["station", "fleet", "runtime"],
                files: &[
                    "crates/fleet/src/gate.rs",
                    "crates/fleet/src/gate/*.rs",
                    "crates/fleet/src/stops.rs",
                    "crates/fleet/src/stops/*.rs",
                    "crates/runtime/src/stop_lane.rs",
                    "crates/station/src/operations/typed_stop.rs",
                    "crates/fleet/src/arming.rs",
                    "crates/fleet/src/supervision.rs",
                    "crates/station/src/proposals.rs",
                    "crates/station/src/proposals/**/*.rs",
                ],
                scenarios: &[
                    "gate::",
                    "stops::",
                    "stopping::",
                    "typed_stop",
                    "arming",
                    "supervision::",
                    "proposals::",
                    "motion::",
                    "control::",
                    "chain::",
                    "store::",
                    "unseen::",
                ],
            },
            Self::World => Scope {
                packages: &["world"],
                files: &["crates/world/src/predicate.rs", "crates/world/src/predicate/*.rs"],
                scenarios: &[],
            },
        }
    }
}

/// One of `of` parts of equal size, counted from 1: `3/20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    part: usize,
    of: usize,
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = || format!("{text:?} is no slice: write for example 3/20");
        let (part, of) = text.split_once('/').ok_or_else(expected)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| expected());
        let slice = Self { part: number(part)?, of: number(of)? };
        if slice.part == 0 || slice.part > slice.of {
            return Err(format!("{text:?} is no slice: the first number is 1 to {}", slice.of.max(1)));
        }
        Ok(slice)
    }
}

/// Runs the mutants of `slice`; fails if the tests miss one.
pub fn run(root: &Path, area: Area, slice: Slice) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("the place of this program is unknown")?;
    let target = program.parent().and_then(Path::parent).context("this program lies in a target folder")?;
    let tools = target.join("tools");
    let mut install = Command::new("cargo");
    install.args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&tools).arg(CARGO_MUTANTS);
    ensure!(install.status()?.success(), "{CARGO_MUTANTS} could not be installed");

    let scope = area.scope();
    let mut mutants = Command::new(tools.join("bin/cargo-mutants"));
    mutants.args(["mutants", "--timeout", TIMEOUT_S]);
    for package in scope.packages {
        mutants.args(["--package", package]);
    }
    // Shards of cargo-mutants count from 0.
    mutants.args(["--shard", &format!("{}/{}", slice.part - 1, slice.of), "--output"]).arg(target.join("mutants"));
    for file in scope.files {
        mutants.args(["--file", file]);
    }
    let scenarios = (!scope.scenarios.is_empty()).then_some("quarterdeck-tests");
    let tested: Vec<&str> = scope.packages.iter().copied().chain(scenarios).collect();
    mutants.args(["--test-package", &tested.join(",")]);
    // A target folder of its own keeps its builds from one slice to the next.
    mutants.env("CARGO_TARGET_DIR", target.join("mutants-build")).args(["--", "--lib"]);
    if !scope.scenarios.is_empty() {
        // The programs beside the station are not changed: those that are built already serve.
        mutants.envs(Plan::new(root)?.environment());
        mutants.args(["--test", "scenarios", "--"]).args(scope.scenarios);
    }
    let status = mutants.current_dir(root).status().context("cargo-mutants could not be started")?;
    if !status.success() {
        bail!("{status}: see {} for what the tests missed", target.join("mutants/mutants.out/missed.txt").display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_one_of_its_parts() {
        assert_eq!("3/20".parse(), Ok(Slice { part: 3, of: 20 }));
        for wrong in ["0/20", "21/20", "1/0", "3", "a/b", "-1/2"] {
            assert!(wrong.parse::<Slice>().is_err(), "{wrong}");
        }
    }
}
