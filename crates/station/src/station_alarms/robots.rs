//! Faults of a robot, as alarms: they stand while a cause of its state stands, and go with it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use robot::RobotId;
use safety::machine::SafetyCause;
use world::alarm::{BuiltIn, Of};

use crate::station::Station;
use fleet::RobotHandle;
use runtime::wire::LinkState;

/// Time between two looks at the causes of every robot.
const FOLLOW_EVERY: Duration = Duration::from_millis(100);

/// A drill is due so long after the last one, milliseconds.
const DRILL_EVERY_MS: i64 = 7 * 24 * 3_600 * 1_000;

/// The alarm that a cause of a robot's state raises, if it has one.
const fn alarm_of(cause: SafetyCause) -> Option<BuiltIn> {
    match cause {
        SafetyCause::StopUnconfirmed => Some(BuiltIn::StopNotConfirmed),
        SafetyCause::Breach | SafetyCause::OverSpeed | SafetyCause::OverForce | SafetyCause::UnexpectedMotion => {
            Some(BuiltIn::LimitBreached)
        }
        SafetyCause::EpochConflict | SafetyCause::RobotGateFault => Some(BuiltIn::GateRejectsStation),
        SafetyCause::BeatLate
        | SafetyCause::BeatLost
        | SafetyCause::PoseStale
        | SafetyCause::TransformStale
        | SafetyCause::SourceStale
        | SafetyCause::SensorFrozen
        | SafetyCause::PoseImplausible
        | SafetyCause::SensorDisagreement
        | SafetyCause::BreachAhead
        | SafetyCause::LeaseExpired
        | SafetyCause::OperatorAbsent
        | SafetyCause::ValidatorError
        | SafetyCause::ValidatorSlow
        | SafetyCause::SetUnreadable
        | SafetyCause::SetTampered
        | SafetyCause::StoreUnavailable
        | SafetyCause::SetEmptied
        | SafetyCause::AuditUnavailable
        | SafetyCause::ProcessSuspended
        | SafetyCause::UncleanRestart
        | SafetyCause::StopAll
        | SafetyCause::StopRobot
        | SafetyCause::HoldRequested
        | SafetyCause::IdentityMismatch
        | SafetyCause::StateFault => None,
    }
}

/// Follows every robot until the station ends.
pub(super) fn start(station: &Arc<Station>) {
    let task_station = Arc::clone(station);
    let mut known = BTreeSet::new();
    station.runtime.spawn_every(FOLLOW_EVERY, move || {
        let units = task_station.fleet.units();
        let present: BTreeSet<RobotId> = units.iter().map(|unit| unit.id().clone()).collect();
        for gone in std::mem::replace(&mut known, present).difference(&known) {
            // Nothing else would ever clear them.
            BuiltIn::ALL.into_iter().for_each(|alarm| task_station.sensing.alarms.clear(alarm, &Of::robot(gone)));
        }
        units.iter().for_each(|unit| follow(&task_station, unit));
    });
}

fn follow(station: &Station, unit: &RobotHandle) {
    let (of, id) = (Of::robot(unit.id()), unit.id());
    // Copied, so that the robot's lock is not held while alarms are set.
    let causes = unit.control().safety.causes().to_vec();
    for alarm in [BuiltIn::StopNotConfirmed, BuiltIn::LimitBreached, BuiltIn::GateRejectsStation] {
        let cause = causes.iter().map(|active| active.cause).find(|cause| alarm_of(*cause) == Some(alarm));
        station.sensing.alarms.set(alarm, &of, cause.is_some(), || {
            let sentence = cause.map_or("", |cause| cause.rule().sentence);
            if alarm == BuiltIn::StopNotConfirmed {
                return format!("{id}: {sentence} Hardware stop: {}.", unit.manifest.hardware_estop);
            }
            format!("{id}: {sentence}")
        });
    }
    let grant = unit.control().grant.clone();
    station.sensing.alarms.set(BuiltIn::UnconstrainedGrant, &of, grant.is_some(), || {
        grant.map(|grant| grant.sentence).unwrap_or_default()
    });
    let link = unit.link_state(station.runtime.clock.now().station);
    let tested_at = station.sensing.alarms.tested_at(id);
    // The stop of a simulated robot says nothing about hardware (decision 0070).
    let due = (!unit.simulated).then(|| drill_due(id, tested_at, station.runtime.clock.now().wall_ms)).flatten();
    // A robot that does not answer cannot be tested.
    if due.is_none() || link == LinkState::Live {
        station.sensing.alarms.set(BuiltIn::StopPathUntested, &of, due.is_some(), || due.unwrap_or_default());
    }
    let differs = unit.has_another_manifest();
    station.sensing.alarms.set(BuiltIn::GateManifestDiffers, &of, differs, || {
        format!("{id}: its gate checks by another manifest than this station.")
    });
    match link {
        LinkState::Lost => {
            station.sensing.alarms.set(BuiltIn::RobotLinkLost, &of, true, || format!("{id} no longer answers."));
        }
        LinkState::Live => station.sensing.alarms.set(BuiltIn::RobotLinkLost, &of, false, String::new),
        // A late robot is not lost yet, and one that never answered has nothing to lose.
        LinkState::Late | LinkState::Never => {}
    }
}

/// The sentence of a drill that is due. A test that is dated in the future counts as none: the clock was set back.
fn drill_due(robot: &RobotId, tested_ms: Option<i64>, now_ms: i64) -> Option<String> {
    let Some(tested_ms) = tested_ms else {
        return Some(format!("{robot} was never stopped as a test; nobody knows how long a stop takes."));
    };
    let age_ms = now_ms.saturating_sub(tested_ms);
    (!(0..=DRILL_EVERY_MS).contains(&age_ms))
        .then(|| format!("{robot} was not stopped as a test in the last 7 days; the stop drill is due."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_33_a_drill_is_due_seven_days_after_the_last_and_where_there_is_none() {
        let robot: RobotId = "rover-9".parse().unwrap();
        let day_ms = 24 * 3_600 * 1_000;
        let due = |tested_days: Option<i64>| drill_due(&robot, tested_days.map(|days| days * day_ms), 100 * day_ms);
        assert!(due(None).is_some_and(|why| why.contains("never")));
        assert!(due(Some(93)).is_none() && due(Some(100)).is_none());
        assert!(due(Some(92)).is_some_and(|why| why.contains("7 days")));
        assert!(due(Some(101)).is_some(), "a test of tomorrow is none");
    }
}
