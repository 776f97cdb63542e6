use super::*;
use crate::{ApprovalState, OpenStop};

async fn open(folder: &tempfile::TempDir) -> StationDb {
    StationDb::open(&folder.path().join("station.db")).await.unwrap()
}

fn standing(uses_max: u64) -> StandingApproval {
    let envelope = serde_json::json!({
        "actuator": "base", "workspace": { "x": [-1, 1], "y": [-1, 1], "z": [-1, 1] }, "speed_mps_max": 0.3,
    });
    StandingApproval {
        id: "sa-1".into(),
        robot: RobotId::new("rover-1").unwrap(),
        mission: None,
        operation: "send_command".into(),
        envelope: serde_json::from_value(envelope).unwrap(),
        uses_max,
        uses: 0,
        granted_by: "dana".into(),
        granted_ms: 1,
        expires_ms: 2,
        set_version: 1,
        stop_id: 0,
        ended: None,
    }
}

fn approval(proposal: &str) -> ApprovalRow {
    ApprovalRow {
        proposal: proposal.into(),
        version: 1,
        action_hash: "00".into(),
        by: "dana".into(),
        at_ms: 1,
        body: "{}".into(),
    }
}

#[tokio::test]
async fn a_use_is_counted_with_its_claim_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.add_standing_approval(&standing(2)).await.unwrap();
    assert!(db.claim_dispatch_under("sa-1", &approval("pr-1")).await.unwrap());
    assert!(!db.claim_dispatch_under("sa-1", &approval("pr-1")).await.unwrap(), "claimed before");
    db.close().await;
    let db = open(&folder).await;
    assert_eq!(db.standing_approvals().await.unwrap(), [StandingApproval { uses: 1, ..standing(2) }]);
    assert!(db.claim_dispatch_under("sa-1", &approval("pr-2")).await.unwrap());
    assert!(!db.claim_dispatch_under("sa-1", &approval("pr-3")).await.unwrap(), "used up");
    assert!(db.claim_dispatch(&approval("pr-3")).await.unwrap(), "a person can still approve it");
    let states: Vec<_> = db.approvals(9).await.unwrap().into_iter().map(|(_, state)| state).collect();
    assert_eq!(states, [ApprovalState::Dispatched; 3]);
}

#[tokio::test]
async fn a_stop_on_disk_ends_every_older_approval_even_if_nobody_wrote_that_down() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.add_standing_approval(&standing(2)).await.unwrap();
    let stop = OpenStop {
        stop_id: 1,
        by: "dana".into(),
        asked: true,
        reason: None,
        reason_kind: None,
        at_ms: 1,
        robots: Default::default(),
        released: Default::default(),
    };
    db.save_stop(&stop, false).await.unwrap();
    assert_eq!(db.standing_approvals().await.unwrap(), []);
    assert!(!db.claim_dispatch_under("sa-1", &approval("pr-1")).await.unwrap());
}

#[tokio::test]
async fn an_ended_approval_is_used_no_more_and_keeps_its_first_reason() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    db.add_standing_approval(&standing(2)).await.unwrap();
    db.end_standing_approval("sa-1", "revoked").await.unwrap();
    db.end_standing_approval("sa-1", "expired").await.unwrap();
    assert!(!db.claim_dispatch_under("sa-1", &approval("pr-1")).await.unwrap());
    let ended: String = sqlx::query_scalar("SELECT ended FROM standing_approval").fetch_one(&db.pool).await.unwrap();
    assert_eq!(ended, "revoked");
}
