//! Faults of a robot, as alarms: they stand while a cause of its state stands, and go with it.

use std::sync::Arc;
use std::time::Duration;

use safety::machine::SafetyCause;
use world::alarm::{BuiltIn, Of};

use crate::station::Station;
use fleet::robot_handle::RobotHandle;
use runtime::wire::LinkState;

/// Time between two looks at the causes of every robot.
const FOLLOW_EVERY: Duration = Duration::from_millis(100);

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
    station.runtime.spawn_every(FOLLOW_EVERY, move || {
        task_station.fleet.units().iter().for_each(|unit| follow(&task_station, unit));
    });
}

fn follow(station: &Station, unit: &RobotHandle) {
    let (of, id) = (Of::robot(unit.id()), unit.id());
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
    let is_untested = !unit.simulated && !station.sensing.alarms.is_tested(id);
    // Nobody can test a robot that does not answer.
    if !is_untested || link == LinkState::Live {
        station.sensing.alarms.set(BuiltIn::StopPathUntested, &of, is_untested, || {
            format!("{id} was never stopped as a test; nobody knows how long a stop takes.")
        });
    }
    match link {
        LinkState::Lost => {
            station.sensing.alarms.set(BuiltIn::RobotLinkLost, &of, true, || format!("{id} no longer answers."));
        }
        LinkState::Live => station.sensing.alarms.set(BuiltIn::RobotLinkLost, &of, false, String::new),
        // A late robot is not lost yet, and one that never answered has nothing to lose.
        LinkState::Late | LinkState::Never => {}
    }
}
