use safety::machine::{CauseSet, SafetyCause};

use super::*;

async fn open(folder: &tempfile::TempDir) -> StationDb {
    StationDb::open(&folder.path().join("station.db")).await.unwrap()
}

fn robots(ids: &[&str]) -> BTreeSet<RobotId> {
    ids.iter().map(|id| RobotId::new(*id).unwrap()).collect()
}

fn stop(stop_id: u64, released: &[&str]) -> OpenStop {
    OpenStop {
        stop_id,
        by: "dana".into(),
        asked: stop_id != 2,
        reason: None,
        reason_kind: Some("{\"code\":\"drill\"}".into()),
        at_ms: 1,
        robots: robots(&["arm-1", "rover-1"]),
        released: robots(released),
    }
}

#[tokio::test]
async fn a_stop_stays_open_until_its_last_robot_is_released_and_survives_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.save_stop(&stop(1, &[]), true).await.unwrap();
    db.save_stop(&stop(1, &["arm-1"]), true).await.unwrap();
    db.save_stop(&stop(2, &["arm-1", "rover-1"]), false).await.unwrap();
    db.save_stop(&OpenStop { asked: false, ..stop(3, &[]) }, true).await.unwrap();
    db.close().await;
    let db = open(&folder).await;
    let found = db.stops().await.unwrap().into_iter().map(|stored| (stored.open, stored.stop.unwrap()));
    let last = OpenStop { asked: false, ..stop(3, &[]) };
    let expected = [(true, stop(1, &["arm-1"])), (false, stop(2, &["arm-1", "rover-1"])), (true, last)];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert_eq!(db.last_stop_id().await.unwrap(), 3);
}

#[tokio::test]
async fn a_robot_stays_locked_across_reopening_until_that_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (arm, rover) = (RobotId::new("arm-1").unwrap(), RobotId::new("rover-1").unwrap());
    let locked = |robot: &RobotId, causes: &[SafetyCause]| StoredLockout {
        robot: robot.clone(),
        causes: Some(causes.iter().copied().collect()),
    };
    let db = open(&folder).await;
    assert_eq!(db.lockouts().await.unwrap(), []);
    let both = [SafetyCause::Breach, SafetyCause::IdentityMismatch];
    db.save_lockout(&arm, [SafetyCause::Breach].into_iter().collect(), 1).await.unwrap();
    db.save_lockout(&arm, both.into_iter().collect(), 2).await.unwrap();
    db.save_lockout(&rover, [SafetyCause::StateFault].into_iter().collect(), 3).await.unwrap();
    db.close().await;
    let db = open(&folder).await;
    assert_eq!(db.lockouts().await.unwrap(), [locked(&arm, &both), locked(&rover, &[SafetyCause::StateFault])]);
    db.end_lockout(&arm).await.unwrap();
    db.close().await;
    assert_eq!(open(&folder).await.lockouts().await.unwrap(), [locked(&rover, &[SafetyCause::StateFault])]);
}

#[tokio::test]
async fn a_lockout_that_cannot_be_read_is_one_all_the_same_and_one_of_no_robot_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let edit = async |sql: &'static str| sqlx::query(sql).execute(&db.pool).await.map(drop).unwrap();
    for causes in ["", "[]", "null", "[\"breach\"", "[\"breach\",\"of_tomorrow\"]", "{}"] {
        db.save_lockout(&RobotId::new("arm-1").unwrap(), CauseSet::EMPTY, 1).await.unwrap();
        let update = sqlx::query("UPDATE lockout SET causes = ?1").bind(causes);
        update.execute(&db.pool).await.unwrap();
        let found = db.lockouts().await.unwrap();
        assert_eq!(found.iter().map(|row| (row.robot.as_str(), row.causes)).collect::<Vec<_>>(), [("arm-1", None)]);
    }
    edit("UPDATE lockout SET robot = 'ARM 1'").await;
    let error = db.lockouts().await.unwrap_err().to_string();
    assert!(error.contains("lockout") && error.contains("ARM 1"), "{error}");
}

#[tokio::test]
async fn an_epoch_only_rises_also_across_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let robot = RobotId::new("arm-1").unwrap();
    let db = open(&folder).await;
    assert_eq!(db.raise_epoch(&robot, 0).await.unwrap(), 1);
    db.close().await;
    assert_eq!(open(&folder).await.raise_epoch(&robot, 0).await.unwrap(), 2);
}

#[tokio::test]
async fn an_epoch_rises_above_the_one_the_robot_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (db, robot) = (open(&folder).await, RobotId::new("arm-1").unwrap());
    assert_eq!(db.raise_epoch(&robot, 41).await.unwrap(), 42);
    assert_eq!(db.raise_epoch(&robot, 7).await.unwrap(), 43);
}

#[tokio::test]
async fn a_proposal_is_claimed_for_sending_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let row = ApprovalRow {
        proposal: "pr-1".into(),
        version: 1,
        action_hash: "00".into(),
        by: "dana".into(),
        at_ms: 1,
        body: "{}".into(),
    };
    assert!(db.claim_dispatch(&row).await.unwrap());
    assert!(!db.claim_dispatch(&row).await.unwrap());
    db.end_dispatch(&"pr-1".into(), ApprovalState::Failed).await.unwrap();
    assert!(!db.claim_dispatch(&row).await.unwrap());
    assert_eq!(db.approvals(1).await.unwrap(), [(row, ApprovalState::Failed)]);
}

#[tokio::test]
async fn the_station_id_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let first = StationId::new("desk-1").unwrap();
    assert_eq!(db.station_id(&first).await.unwrap(), first);
    assert_eq!(db.station_id(&StationId::new("desk-2").unwrap()).await.unwrap(), first);
}

#[tokio::test]
async fn enabled_motion_is_remembered_until_it_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    assert!(!db.motion_enabled().await.unwrap());
    db.set_motion_enabled(true).await.unwrap();
    db.close().await;
    let db = open(&folder).await;
    assert!(db.motion_enabled().await.unwrap());
    db.set_motion_enabled(false).await.unwrap();
    assert!(!db.motion_enabled().await.unwrap());
}

#[tokio::test]
async fn u_612_the_notice_is_accepted_once_and_stays_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    assert_eq!(db.accepted_notice().await.unwrap(), None);
    let accepted = AcceptedNotice { by: "dana".into(), at_ms: 1 };
    db.accept_notice(&accepted).await.unwrap();
    db.close().await;
    assert_eq!(open(&folder).await.accepted_notice().await.unwrap(), Some(accepted));
}

fn site_plan(version: u64, wall_m: f64) -> StoredSitePlan {
    let plan = world::SitePlan {
        walls: vec![vec![[0.0, 0.0], [wall_m, 0.0]]],
        ..world::SitePlan::empty(robot::FrameId::new("map").unwrap())
    };
    StoredSitePlan { version, by: "dana".into(), at_ms: 1, plan }
}

#[tokio::test]
async fn ws_54_a_site_plan_follows_the_one_that_was_seen_and_survives_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    assert_eq!(db.site_plan().await.unwrap(), (0, None));
    assert!(!db.save_site_plan(&site_plan(2, 1.0)).await.unwrap());
    assert!(db.save_site_plan(&site_plan(1, 1.0)).await.unwrap());
    assert!(!db.save_site_plan(&site_plan(1, 9.0)).await.unwrap());
    assert!(db.save_site_plan(&site_plan(2, 2.0)).await.unwrap());
    db.close().await;
    assert_eq!(open(&folder).await.site_plan().await.unwrap(), (2, Some(site_plan(2, 2.0))));
}

#[tokio::test]
async fn ws_54_a_site_plan_that_cannot_be_read_is_none_and_can_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    for (stored, version) in [("no JSON", 0), ("{\"version\": 7, \"plan\": 1}", 7), ("[]", 0)] {
        sqlx::query(
            "INSERT INTO station (name, value) VALUES ('site_plan', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1",
        )
        .bind(stored)
        .execute(&db.pool)
        .await
        .unwrap();
        assert_eq!(db.site_plan().await.unwrap(), (version, None), "{stored}");
        assert!(db.save_site_plan(&site_plan(version + 1, 1.0)).await.unwrap(), "{stored}");
    }
}
