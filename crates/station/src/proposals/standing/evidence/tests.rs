use memory::AuditLine;
use robot::{Now, RobotId, StationId};

use super::*;
use runtime::audit::AuditRecord;

fn row() -> StandingApproval {
    let envelope = serde_json::json!({
        "actuator": "base", "workspace": { "x": [-1, 1], "y": [-1, 1], "z": [-1, 1] }, "speed_mps_max": 0.3,
    });
    StandingApproval {
        id: "sa-1".into(),
        robot: RobotId::new("rover-1").unwrap(),
        mission: None,
        operation: "send_command".into(),
        envelope: serde_json::from_value(envelope).unwrap(),
        uses_max: 3,
        uses: 0,
        granted_by: "admin".into(),
        granted_ms: 1,
        expires_ms: 2,
        set_version: 1,
        stop_id: 0,
        ended: None,
    }
}

/// True if a row holds after these records.
fn check(records: &[AuditEntry], row: &StandingApproval, expected: bool) {
    let station = StationId::new("desk-1").unwrap();
    let checked = records.iter().map(|entry| {
        let record = AuditRecord::after(&Default::default(), &station, Now::default(), entry.clone());
        Checked::of(&AuditLine { seq: 1, record: record.line() }).unwrap()
    });
    assert_eq!(granted(&checked.collect::<Vec<_>>()).holds(row), expected, "{records:?}");
}

#[test]
fn c10_a_standing_approval_is_what_was_granted_on_record_or_none() {
    let granted = record(&Session::bootstrap(), &row(), 8.0);
    check(&[], &row(), false);
    check(std::slice::from_ref(&granted), &row(), true);
    for edited in [
        StandingApproval { uses_max: 100, ..row() },
        StandingApproval { robot: RobotId::new("arm-1").unwrap(), ..row() },
        StandingApproval { expires_ms: 3, ..row() },
        StandingApproval { stop_id: 4, ..row() },
        StandingApproval { id: "sa-2".into(), ..row() },
    ] {
        check(std::slice::from_ref(&granted), &edited, false);
    }
    let ended = AuditEntry::by_station("standing_approval", "ended").about("id=sa-1 uses=0 reason=revoked");
    check(&[granted.clone(), ended], &row(), false);
    let used = AuditEntry::by_station("approval", "ok").about("id=pr-1 standing_approval=sa-1 action_hash=00");
    check(&[granted.clone(), used.clone()], &row(), false);
    check(&[granted, used], &StandingApproval { uses: 1, ..row() }, true);
}
