//! The part of the check that is about a program that speaks for a robot.

use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use robot::StateKind;

use super::{Report, note_facts};
use crate::adapter::{Reading, ReadingValue, Watcher};
use crate::code::GateCode;
use crate::error::GateError;
use crate::exec::ExecWatcher;
use crate::host;
use crate::setup::Setup;
use crate::sources::Sources;
use crate::state::StateFolder;
use crate::wiring::Reach;

/// Time for which the robot is watched.
const WATCH: Duration = Duration::from_secs(3);
/// Period of looks at it.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Time for the station to answer.
const REACH_WITHIN: Duration = Duration::from_secs(1);

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
        check_station(setup, report);
        // Two programs at one robot may disturb each other.
        match StateFolder::open(&setup.state) {
            Ok(_held) => check_program(setup, report),
            Err(error) => report.note(format!("the robot is not looked at: {}", error.message)),
        }
    }
}

/// A name without a slash is looked for as a shell would.
fn executable(program: &Path) -> Result<(), GateError> {
    let has_place = program.components().count() > 1;
    let folders = std::env::var_os("PATH").filter(|_| !has_place);
    let places: Vec<PathBuf> = match &folders {
        Some(folders) => std::env::split_paths(folders).map(|folder| folder.join(program)).collect(),
        None => vec![program.to_owned()],
    };
    let can_start = |place: &PathBuf| {
        place.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    let missing = || GateError::new(GateCode::BadCommand, format!("{} is no program", program.display()));
    places.iter().any(can_start).then_some(()).ok_or_else(missing)
}

fn check_station(setup: &Setup, report: &mut Report) {
    // What is behind a router shows when the gate runs.
    let Ok(Reach::Here(endpoint)) = setup.wiring.reach() else { return };
    let address = endpoint.strip_prefix("tcp/").and_then(|address| address.parse::<SocketAddr>().ok());
    match address.map(|address| TcpStream::connect_timeout(&address, REACH_WITHIN)) {
        Some(Ok(_)) => report.good(format!("something listens at {endpoint}")),
        Some(Err(error)) => report.note(format!("nothing listens at {endpoint} now: {error}")),
        None => {}
    }
}

/// Watches the robot. What is started here has no means of moving it.
fn check_program(setup: &Setup, report: &mut Report) {
    let clock = host::clock();
    let frame = setup.manifest.default_frame.clone();
    let opened = setup.exec_program().and_then(|(program, wiring)| {
        ExecWatcher::watch(program, wiring, frame, &clock)
            .map_err(|error| GateError::new(GateCode::NotStarted, error.to_string()))
    });
    let mut watcher = match opened {
        Ok(watcher) => watcher,
        Err(error) => return report.wrong(&error),
    };
    note_facts(&watcher.facts(), report);
    let (mut readings, mut sources, mut faults) = (Vec::new(), Sources::default(), Vec::new());
    let began = clock().station;
    while clock().station.since(began) < WATCH {
        let events = watcher.poll(clock().station);
        faults.extend(events.faults);
        for reading in events.readings {
            readings.push(reading.clone());
            sources.note(reading);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    faults.sort_unstable();
    faults.dedup();
    for fault in faults {
        report.wrong(&GateError::new(GateCode::BadCommand, fault.clause()));
    }
    if sources.stale() > 0 {
        report.note(format!("{} measurements came with a stamp that does not rise steadily", sources.stale()));
    }
    check_kinds(setup, &readings, report);
}

fn check_kinds(setup: &Setup, readings: &[Reading], report: &mut Report) {
    let mut wanted: Vec<StateKind> = setup.manifest.state.iter().map(|source| source.kind).collect();
    // Nothing is admitted through space without a measured speed.
    if !setup.manifest.switches_only() && !wanted.contains(&StateKind::Velocity) {
        wanted.push(StateKind::Velocity);
    }
    for kind in wanted {
        let count = readings.iter().filter(|reading| kind_of(&reading.value) == Some(kind)).count();
        let name = format!("{kind:?}").to_lowercase();
        if count == 0 {
            let message = format!("the program reports no {name} in its current form within {} s", WATCH.as_secs());
            report.wrong(&GateError::new(GateCode::ManifestUnfit, message));
        } else {
            report.good(format!("{name}: {:.0} measurements a second", count as f64 / WATCH.as_secs_f64()));
        }
    }
}

const fn kind_of(value: &ReadingValue) -> Option<StateKind> {
    match value {
        ReadingValue::Pose(_) => Some(StateKind::Pose),
        ReadingValue::Velocity(_) => Some(StateKind::Velocity),
        ReadingValue::Joints(_) => Some(StateKind::Joints),
        ReadingValue::Force(_) => Some(StateKind::Force),
        ReadingValue::Extra(..) => None,
    }
}
