use super::*;

async fn open(folder: &tempfile::TempDir) -> StationDb {
    StationDb::open(&folder.path().join("station.db")).await.unwrap()
}

fn constraint(id: &str) -> Constraint {
    let text = format!(
        r#"{{"id": "{id}", "robot": "arm-1", "mission": null, "actuator": null, "frame": null,
            "kind": {{"MaxVelocity": 0.5}}, "created_by": "dana", "reason": null}}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn change(version: u64) -> SetChange {
    let put = ConstraintChange::Put(constraint("con-1"));
    let sealed = SealedChange { change: Some(put), owner: "robot/arm-1".into(), seal: format!("seal-{version}") };
    let set = SetRow { version, hash: format!("hash-{version}") };
    SetChange { sealed: Some(sealed), at_ms: 1, sets: BTreeMap::from([(RobotId::new("arm-1").unwrap(), set)]) }
}

fn record(seq: u64, operation: &str) -> AuditLine {
    AuditLine { seq, record: format!(r#"{{"seq":{seq},"operation":"{operation}"}}"#) }
}

#[tokio::test]
async fn a_change_and_its_records_are_saved_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.append_audit(&[record(1, "start")]).await.unwrap();
    let records = [record(2, "constraint_set"), record(3, "constraint_seal")];
    db.change_constraints(&change(2), &records).await.unwrap();
    let saved = db.constraints().await.unwrap();
    assert_eq!(saved.rows[0].constraint, Ok(constraint("con-1")));
    assert_eq!(saved.sets["arm-1"], SetRow { version: 2, hash: "hash-2".into() });
    assert_eq!(db.audit_of_constraints().await.unwrap(), records);
    // The number is taken: the record cannot be written, and neither is the change.
    assert!(db.change_constraints(&change(3), &[record(3, "constraint_set")]).await.is_err());
    assert_eq!(db.constraints().await.unwrap(), saved);
}

#[tokio::test]
async fn c8_a_set_is_replaced_only_if_the_stored_one_is_the_one_it_follows() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.change_constraints(&change(2), &[]).await.unwrap();
    for version in [2, 4] {
        let refused = db.change_constraints(&change(version), &[]).await;
        assert!(matches!(refused, Err(MemoryError::SetChanged { .. })), "{version}: {refused:?}");
    }
    db.change_constraints(&change(3), &[]).await.unwrap();
}

#[tokio::test]
async fn c2_a_row_that_cannot_be_read_is_named_with_its_owner_not_skipped() {
    for body in ["'no json'", r#"'{"kind": "newer"}'"#, "CAST(x'fffe' AS TEXT)"] {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder).await;
        let sql = format!(
            "INSERT INTO constraint_row (id, owner, body, created_ms) VALUES ('con-2', 'robot/arm-1', {body}, 1)"
        );
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&db.pool).await.unwrap();
        let row = db.constraints().await.unwrap().rows.remove(0);
        assert_eq!((row.id.as_str(), row.owner.as_str()), ("con-2", "robot/arm-1"));
        assert!(row.constraint.is_err(), "{body}");
    }
}
