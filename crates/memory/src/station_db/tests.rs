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
        reason: None,
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
    db.close().await;
    let db = open(&folder).await;
    assert_eq!(db.open_stops().await.unwrap(), [stop(1, &["arm-1"])]);
    assert_eq!(db.last_stop_id().await.unwrap(), 2);
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
    db.end_dispatch("pr-1", ApprovalState::Failed).await.unwrap();
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
