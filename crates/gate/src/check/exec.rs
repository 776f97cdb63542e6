//! The part of the check that is about a program that speaks for a robot.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Report, watch};
use crate::adapters::exec::{ExecWatcher, places};
use crate::code::GateCode;
use crate::error::GateError;
use crate::host;
use crate::setup::Setup;

/// Time for which the robot is watched.
const WATCH: Duration = Duration::from_secs(3);

/// Checks the table `[exec]`, and unless `offline` what its program says.
pub fn check(setup: &Setup, offline: bool, report: &mut Report) {
    let Some(wiring) = &setup.wiring.exec else { return };
    let found = match wiring.argv(&setup.folder) {
        Some((program, _)) => executable(&program).map(|()| program),
        None => Err(GateError::new(GateCode::BadCommand, "`command` is empty")),
    };
    match &found {
        Ok(program) => report.good(format!("program {}: it is there and can be started", program.display())),
        Err(error) => report.wrong(error),
    }
    if found.is_ok() && !offline {
        watch::look(setup, report, check_program);
    }
}

fn executable(program: &Path) -> Result<(), GateError> {
    let can_start = |place: &PathBuf| {
        place.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    let missing = || GateError::new(GateCode::BadCommand, format!("{} is no program", program.display()));
    places(program).iter().any(can_start).then_some(()).ok_or_else(missing)
}

fn check_program(setup: &Setup, report: &mut Report) {
    let frame = setup.manifest.default_frame.clone();
    let opened = setup.exec_program().and_then(|(program, wiring)| {
        ExecWatcher::watch(program, wiring, frame, &host::clock())
            .map_err(|error| GateError::new(GateCode::NotStarted, error.to_string()))
    });
    match opened {
        Ok(mut watcher) => watch::watch(setup, &mut watcher, WATCH, GateCode::BadCommand, report),
        Err(error) => report.wrong(&error),
    }
}
