//! The part of the check that looks, for a moment, at the robot.

use std::time::Duration;

use robot::{JointName, StateKind};

use super::{Report, note_facts};
use crate::adapter::{JointReading, Reading, ReadingValue, Watcher};
use crate::code::GateCode;
use crate::error::GateError;
use crate::host;
use crate::setup::Setup;
use crate::sources::Sources;
use crate::state::StateFolder;

/// Period of looks at the robot.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Looks at the robot unless its gate runs: two programs at one robot may disturb each other.
pub fn look(setup: &Setup, report: &mut Report, robot: impl FnOnce(&Setup, &mut Report)) {
    match StateFolder::open(&setup.state) {
        Ok(_held) => robot(setup, report),
        Err(error) => report.note(format!("the robot is not looked at: {}", error.message)),
    }
}

/// Watches the robot for so long. The watcher has no means of moving it. A fault that it shows has the code of its
/// adapter.
pub fn watch(setup: &Setup, watcher: &mut impl Watcher, watched: Duration, code: GateCode, report: &mut Report) {
    let clock = host::clock();
    note_facts(&watcher.facts(), report);
    let (mut readings, mut sources, mut faults) = (Vec::new(), Sources::default(), Vec::new());
    let began = clock().station;
    while clock().station.since(began) < watched {
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
        report.wrong(&GateError::new(code, fault.clause()));
    }
    if sources.stale() > 0 {
        report.note(format!("{} measurements came with a stamp that does not rise steadily", sources.stale()));
    }
    let mut wanted: Vec<StateKind> = setup.manifest.state.iter().map(|source| source.kind).collect();
    // Nothing is admitted through space without a measured speed, which may come from the joints.
    if !setup.manifest.switches_only() && !wanted.contains(&StateKind::Velocity) {
        if sources.own_state(&setup.manifest, false, clock().station).speed.is_some() {
            report.good("the speed of every joint is measured");
        } else {
            wanted.push(StateKind::Velocity);
        }
    }
    check_kinds(wanted, &readings, watched, report);
    check_joints(setup, &readings, report);
}

fn check_kinds(wanted: Vec<StateKind>, readings: &[Reading], watched: Duration, report: &mut Report) {
    for kind in wanted {
        let count = readings.iter().filter(|reading| kind_of(&reading.value) == Some(kind)).count();
        let name = format!("{kind:?}").to_lowercase();
        if count == 0 {
            let message = format!("the robot reports no {name} in its current form within {} s", watched.as_secs());
            report.wrong(&GateError::new(GateCode::ManifestUnfit, message));
        } else {
            report.good(format!("{name}: {:.0} measurements a second", count as f64 / watched.as_secs_f64()));
        }
    }
}

/// Holds the joints that the manifest names against those that the robot measures.
pub(super) fn check_joints(setup: &Setup, readings: &[Reading], report: &mut Report) {
    let newest = readings.iter().rev().find_map(|reading| match &reading.value {
        ReadingValue::Joints(joints) => Some(joints),
        ReadingValue::Pose(_) | ReadingValue::Velocity(_) | ReadingValue::Force(_) | ReadingValue::Extra(..) => None,
    });
    let Some(JointReading { positions, speeds }) = newest else { return };
    for actuator in &setup.manifest.actuators {
        let places = actuator.joints.iter().map(|joint| positions.names.iter().position(|name| *name == joint.name));
        let places: Vec<Option<usize>> = places.collect();
        for (joint, place) in actuator.joints.iter().zip(&places) {
            let misfit = |message| GateError::new(GateCode::ManifestUnfit, message);
            let Some(place) = place else {
                report.wrong(&misfit(format!("nobody measures joint {} of {}", joint.name, actuator.id)));
                continue;
            };
            let position = positions.positions.get(*place).copied().unwrap_or(f64::NAN);
            let [low, high] = joint.position;
            // Written so that a position that is missing, which is not-a-number here, is outside too.
            if !(low <= position && position <= high) {
                report.wrong(&misfit(format!("joint {} is at {position:.3}, outside [{low}, {high}]", joint.name)));
            }
        }
        let measured: Vec<usize> = places.into_iter().flatten().collect();
        if !measured.is_sorted() {
            let names: Vec<&str> = positions.names.iter().map(JointName::as_str).collect();
            report.note(format!(
                "the robot measures the joints of {} in another order than the manifest's ({}): they are told apart by name",
                actuator.id,
                names.join(", ")
            ));
        }
    }
    if speeds.is_none() {
        report.note("the robot measures no speed of its joints");
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
