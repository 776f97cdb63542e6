//! `check`: everything that can be held against everything else, each with its result and what to do.

use std::fmt;
use std::path::Path;

use crate::adapter::Facts;
use crate::code::GateCode;
use crate::error::GateError;
use crate::setup::Setup;
use crate::state::key_if_made;
use crate::wiring::{Mode, Placement, Wiring};

/// The results of a check.
#[derive(Debug, Default)]
pub struct Report {
    lines: Vec<(Mark, String)>,
}

/// Result of one comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Good,
    /// Nothing is wrong, but people should know.
    Note,
    Wrong,
}

impl Report {
    /// True if nothing is wrong.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.lines.iter().all(|(mark, _)| *mark != Mark::Wrong)
    }

    pub(crate) fn good(&mut self, what: impl Into<String>) {
        self.lines.push((Mark::Good, what.into()));
    }

    pub(crate) fn note(&mut self, what: impl Into<String>) {
        self.lines.push((Mark::Note, what.into()));
    }

    pub(crate) fn wrong(&mut self, error: &GateError) {
        self.lines.push((Mark::Wrong, format!("{error}\n       {}", error.remedy())));
    }

    fn compared(&mut self, what: impl Into<String>, result: Result<(), GateError>) {
        match result {
            Ok(()) => self.good(what),
            Err(error) => self.wrong(&error),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mark, what) in &self.lines {
            let mark = match mark {
                Mark::Good => "ok",
                Mark::Note => "note",
                Mark::Wrong => "WRONG",
            };
            writeln!(f, "{mark:<6} {what}")?;
        }
        let wrong = self.lines.iter().filter(|(mark, _)| *mark == Mark::Wrong).count();
        match wrong {
            0 => writeln!(f, "Nothing is wrong."),
            1 => writeln!(f, "One thing is wrong."),
            _ => writeln!(f, "{wrong} things are wrong."),
        }
    }
}

/// Checks the wiring at `config` and everything that belongs to it. Unless `offline`, the station is looked for, and
/// the robot is watched for a moment by the half of its adapter that cannot move it.
pub async fn check(config: &Path, state: Option<&Path>, offline: bool) -> Report {
    let mut report = Report::default();
    let wiring = match Wiring::read(config) {
        Ok(wiring) => wiring,
        Err(error) => {
            report.wrong(&error);
            return report;
        }
    };
    report.good(format!("wiring {}: its form, and no limits in it", config.display()));
    check_wiring(&wiring, &mut report);
    match Setup::read(config, state) {
        Ok(setup) => {
            check_setup(&setup, offline, &mut report);
            if !offline {
                station::look(&setup, &mut report).await;
            }
        }
        Err(error) => report.wrong(&error),
    }
    report
}

fn check_wiring(wiring: &Wiring, report: &mut Report) {
    let place = match wiring.placement {
        Placement::Beside => "placement beside the station",
        Placement::Onboard => "placement on the robot's computer",
    };
    match wiring.reach() {
        Ok(reach) => report.good(format!("{place}, reached at {reach}")),
        Err(error) => report.wrong(&error),
    }
    if wiring.placement == Placement::Beside {
        report.note("a cut between this computer and the robot is not seen by the robot");
    }
    match wiring.adapter() {
        Ok(kind) if kind.is_built() => report.good(format!("adapter {}: this program has it", kind.name())),
        Ok(kind) => report.wrong(&kind.not_built()),
        Err(error) => report.wrong(&error),
    }
}

fn check_commander(setup: &Setup, report: &mut Report) {
    // The fault is reported with the wiring already.
    if setup.wiring.reach().is_err() {
        return;
    }
    match (setup.wiring.mode, setup.station()) {
        (_, Err(error)) => report.wrong(&error),
        (Mode::Shadow, Ok(_)) => report.note("mode shadow: the robot is watched, and nobody can move or stop it from here"),
        (Mode::Command, Ok(Some((id, _)))) => report.good(format!("station {id} may command, and its key is one")),
        (Mode::Command, Ok(None)) => report.note(
            "no station may command: pair the gate with `quarterdeck-gate pair`; until then anybody can stop the robot, nobody move it",
        ),
    }
}

fn check_setup(setup: &Setup, offline: bool, report: &mut Report) {
    let Setup { manifest, wiring, .. } = setup;
    report.good(format!("manifest {}.toml: it can be read, and its limits hold together", manifest.id));
    let misfits = setup.misfits();
    if misfits.is_empty() {
        report.good("manifest and wiring: gate, state keys and codecs fit");
    }
    misfits.iter().for_each(|misfit| report.wrong(misfit));
    check_commander(setup, report);
    if wiring.mode == Mode::Command {
        check_key(setup, report);
    }
    #[cfg(feature = "exec")]
    if wiring.exec.is_some() {
        exec::check(setup, offline, report);
    }
    #[cfg(feature = "ros2")]
    if wiring.ros2.is_some() {
        ros2::check(setup, offline, report);
    }
    #[cfg(feature = "vda5050")]
    if wiring.vda5050.is_some() {
        vda5050::check(setup, offline, report);
    }
}

fn check_key(setup: &Setup, report: &mut Report) {
    match key_if_made(&setup.state) {
        Ok(None) => {
            report.note("the gate has no key yet: `quarterdeck-gate key` makes it and prints it for the manifest")
        }
        Ok(Some(key)) => {
            let public = key.public().to_string();
            let same = setup.manifest.public_key.as_deref() == Some(public.as_str());
            let differs = || GateError::new(GateCode::KeyMismatch, format!("this gate's key is {public}"));
            report.compared("public_key of the manifest is this gate's", same.then_some(()).ok_or_else(differs));
        }
        Err(error) => report.wrong(&error),
    }
}

/// The properties of a robot behind its adapter, as they are shown to people.
fn note_facts(facts: &Facts, report: &mut Report) {
    report.note(format!("hold: {}", facts.hold));
    report.note(format!("stop: {}", facts.stop));
    report.note(format!("last to command: {}", facts.last_to_command));
    report.note(format!("base timeout: {}", facts.base_timeout));
    report.note(format!("other commanders: {}", facts.foreign));
}

#[cfg(feature = "exec")]
mod exec;
#[cfg(feature = "ros2")]
mod order;
#[cfg(feature = "ros2")]
mod ros2;
mod station;
#[cfg(feature = "vda5050")]
mod vda5050;
mod watch;

#[cfg(test)]
mod tests;
