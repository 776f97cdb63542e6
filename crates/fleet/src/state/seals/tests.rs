use memory::{AuditLine, StoredConstraint};
use robot::{Now, StationId};
use serde_json::json;

use super::*;
use runtime::audit::{AuditEntry, AuditRecord};
use runtime::session::Session;

fn constraint(id: &str, owner: &str, speed_mps: f64) -> Constraint {
    let (robot, mission) = match owner.split_once('/') {
        Some(("robot", robot)) => (Some(robot), None),
        Some((_, mission)) => (None, Some(mission)),
        None => (None, None),
    };
    serde_json::from_value(json!({
        "id": id, "robot": robot, "mission": mission, "actuator": null, "frame": null,
        "kind": { "MaxVelocity": speed_mps }, "created_by": "dana", "reason": null,
    }))
    .unwrap()
}

fn row(id: &str, owner: &str, speed_mps: f64) -> StoredConstraint {
    StoredConstraint { id: id.into(), owner: owner.into(), constraint: Ok(constraint(id, owner, speed_mps)) }
}

/// Two robots and a mission with a limit each, all as it was saved.
fn saved() -> (Known, StoredConstraints) {
    let rows =
        vec![row("con-1", "robot/arm-1", 0.5), row("con-2", "robot/rover-1", 0.5), row("con-3", "mission/weld", 0.5)];
    let all: Vec<Constraint> = rows.iter().filter_map(|row| row.constraint.clone().ok()).collect();
    let owners = all.iter().filter_map(Owner::of);
    let seals: BTreeMap<Owner, String> = owners.map(|owner| (owner.clone(), seal(&owner, &all))).collect();
    let set = SetRow { version: 2, hash: "aa".into() };
    let known = Known { seals, sets: BTreeMap::from([(RobotId::new("arm-1").unwrap(), set)]) };
    let seals = known.seals.iter().map(|(owner, seal)| (owner.to_string(), seal.clone())).collect();
    let sets = known.sets.iter().map(|(robot, set)| (robot.to_string(), set.clone())).collect();
    (known, StoredConstraints { rows, seals, sets })
}

/// Edits what is stored and compares what is found: owner and cause of each fault.
fn check(edit: impl FnOnce(&mut StoredConstraints), expected: &[(&str, SafetyCause)]) -> Vec<SetFault> {
    let (known, mut stored) = saved();
    edit(&mut stored);
    let found = known.faults(&stored);
    let told: Vec<(String, SafetyCause)> = found
        .iter()
        .map(|fault| (fault.owner.as_ref().map_or_else(|| "all".to_owned(), Owner::to_string), fault.cause()))
        .collect();
    let expected: Vec<(String, SafetyCause)> =
        expected.iter().map(|(who, cause)| ((*who).to_owned(), *cause)).collect();
    assert_eq!(told, expected, "{found:#?}");
    found
}

#[test]
fn att_33_every_edit_by_hand_is_found_and_concerns_its_owner_alone() {
    use SafetyCause::SetTampered;
    check(|_| {}, &[]);
    check(|stored| stored.rows.reverse(), &[]);
    check(|stored| stored.rows[0] = row("con-1", "robot/arm-1", 0.9), &[("robot/arm-1", SetTampered)]);
    check(|stored| drop(stored.rows.remove(2)), &[("mission/weld", SetTampered)]);
    check(|stored| stored.rows.push(row("con-9", "robot/rover-1", 0.1)), &[("robot/rover-1", SetTampered)]);
    check(|stored| stored.rows.push(row("con-9", "robot/rover-2", 0.1)), &[("robot/rover-2", SetTampered)]);
    check(|stored| drop(stored.seals.remove("robot/arm-1")), &[("robot/arm-1", SetTampered)]);
    check(|stored| drop(stored.sets.remove("arm-1")), &[("robot/arm-1", SetTampered)]);
    check(|stored| stored.rows[1].owner = "robot/arm-1".into(), &[("robot/rover-1", SetTampered)]);
    let renamed = check(|stored| stored.rows[1].id = "con-7".into(), &[("robot/rover-1", SetTampered)]);
    assert!(renamed[0].sentence.contains("con-7"), "{}", renamed[0].sentence);
    check(|stored| stored.rows[1].owner = "nobody".into(), &[("all", SetTampered), ("robot/rover-1", SetTampered)]);
}

#[test]
fn att_33_a_row_and_its_seal_edited_alike_still_differ_from_the_audit() {
    check(
        |stored| {
            stored.rows[0] = row("con-1", "robot/arm-1", 0.9);
            let owner = "robot/arm-1".parse().unwrap();
            stored.seals.insert("robot/arm-1".into(), seal(&owner, [&constraint("con-1", "robot/arm-1", 0.9)]));
        },
        &[("robot/arm-1", SafetyCause::SetTampered)],
    );
}

#[test]
fn c2_a_row_that_cannot_be_read_is_named() {
    let found = check(
        |stored| stored.rows[2].constraint = Err("unknown variant `Newer`".into()),
        &[("mission/weld", SafetyCause::SetUnreadable)],
    );
    assert!(found[0].sentence.contains("con-3") && found[0].sentence.contains("Newer"), "{}", found[0].sentence);
}

fn recorded(entry: AuditEntry, detail: &str, hash: &str, version: Option<u64>) -> Checked {
    let entry = AuditEntry { input_hash: Some(hash.into()), set_version: version, ..entry.about(detail) };
    let record = AuditRecord::after(&Default::default(), &StationId::new("desk").unwrap(), Now::default(), entry);
    Checked::of(&AuditLine { seq: 1, record: record.line() }).unwrap()
}

#[test]
fn what_was_saved_is_what_the_newest_records_say() {
    let record =
        |operation, detail, hash, version| recorded(AuditEntry::by_station(operation, "ok"), detail, hash, version);
    let known = Known::from_records([
        record("constraint_seal", "owner=robot/arm-1", "aa", None),
        record("constraint_seal", "owner=robot/arm-1", "bb", None),
        record("constraint_set", "robot=arm-1 constraint=con-1", "cc", Some(3)),
        record("constraint_seal", "owner=nobody", "dd", None),
    ])
    .unwrap();
    assert_eq!(known.seals, BTreeMap::from([("robot/arm-1".parse().unwrap(), "bb".into())]));
    assert_eq!(known.sets.values().collect::<Vec<_>>(), [&SetRow { version: 3, hash: "cc".into() }]);
    assert_eq!(Known::from_records([]), None);
}

#[test]
fn a_refused_call_and_a_seal_by_anybody_but_the_station_say_nothing_of_what_was_saved() {
    let by = Session::app_window();
    let seal = "owner=robot/arm-1";
    let refused = recorded(AuditEntry::by_station("constraint_seal", "unknown_operation"), seal, "aa", None);
    let forged = recorded(AuditEntry::by(&by, "constraint_seal", "ok"), seal, "aa", None);
    let set = recorded(AuditEntry::by(&by, "constraint_set", "forbidden"), "robot=arm-1", "aa", Some(9));
    assert_eq!(Known::from_records([refused, forged, set]), None);
    let set = recorded(AuditEntry::by(&by, "constraint_set", "ok"), "robot=arm-1", "aa", Some(9));
    assert!(Known::from_records([set]).is_some_and(|known| known.sets.len() == 1));
}
