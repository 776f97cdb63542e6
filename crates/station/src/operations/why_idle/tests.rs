use super::*;

/// The kind of blocker that names a cause while its condition holds.
fn named_as(cause: SafetyCause) -> BlockerCode {
    match cause {
        SafetyCause::BeatLate | SafetyCause::BeatLost => BlockerCode::Link,
        SafetyCause::PoseStale | SafetyCause::TransformStale | SafetyCause::SourceStale => BlockerCode::Source,
        SafetyCause::SetEmptied => BlockerCode::Limits,
        SafetyCause::StopAll | SafetyCause::StopRobot => BlockerCode::Latch,
        SafetyCause::SensorFrozen
        | SafetyCause::PoseImplausible
        | SafetyCause::SensorDisagreement
        | SafetyCause::BreachAhead
        | SafetyCause::Breach
        | SafetyCause::OverSpeed
        | SafetyCause::OverForce
        | SafetyCause::UnexpectedMotion
        | SafetyCause::LeaseExpired
        | SafetyCause::OperatorAbsent
        | SafetyCause::ValidatorError
        | SafetyCause::ValidatorSlow
        | SafetyCause::SetUnreadable
        | SafetyCause::SetTampered
        | SafetyCause::StoreUnavailable
        | SafetyCause::AuditUnavailable
        | SafetyCause::ProcessSuspended
        | SafetyCause::UncleanRestart
        | SafetyCause::HoldRequested
        | SafetyCause::StopUnconfirmed
        | SafetyCause::EpochConflict
        | SafetyCause::RobotGateFault
        | SafetyCause::IdentityMismatch
        | SafetyCause::StateFault => BlockerCode::Cause,
    }
}

#[test]
fn fs_17_every_cause_that_keeps_a_robot_from_arming_is_named_once_whatever_its_state() {
    for cause in SafetyCause::ALL {
        let present = [cause].into_iter().collect();
        let listed = KnownCauses { active: &[], present, is_doubted: false }.blockers(None);
        let causes: Vec<_> = listed.iter().map(|blocker| blocker.cause).collect();
        let expected = if named_as(cause) == BlockerCode::Cause { vec![Some(cause)] } else { Vec::new() };
        assert_eq!(causes, expected, "{cause:?} is named as {:?}", named_as(cause));
        assert!(listed.iter().all(|row| !row.cleared_by.is_empty() && !row.who.is_empty()), "{listed:?}");
    }
}

#[test]
fn fs_17_only_what_is_a_blocker_of_another_kind_is_left_out_of_the_causes() {
    for cause in SafetyCause::ALL {
        let of_another_kind = is_listed_elsewhere(cause) || !is_cause_of_its_own(cause);
        assert_eq!(of_another_kind, named_as(cause) != BlockerCode::Cause, "{cause:?}");
    }
}
