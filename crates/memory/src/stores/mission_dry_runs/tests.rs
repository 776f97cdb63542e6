//! Dry runs of missions, as they are kept.

use super::{DRY_RUNS_KEPT, StoredDryRun};
use crate::{AgentDb, Author, StoredActivation, StoredMission};

fn run(number: i64) -> StoredDryRun {
    StoredDryRun {
        id: format!("dry-{number}"),
        mission_id: "patrol".to_owned(),
        hash: "hash".to_owned(),
        at_ms: number,
        ok: number % 2 == 0,
        sentence: "Every step would be allowed.".to_owned(),
        basis: "[]".to_owned(),
        outcome: (number > 1).then(|| r#"{"code":"allowed"}"#.to_owned()),
    }
}

/// The mission, activated by somebody who saw the first dry run.
fn mission() -> StoredMission {
    let activation = StoredActivation {
        id: "act-1".to_owned(),
        source: "text".to_owned(),
        hash: "hash".to_owned(),
        at_ms: 1,
        by: "anna".to_owned(),
        accepted: None,
        granted: None,
        role: None,
        reason: None,
        dry_run: Some("dry-1".to_owned()),
    };
    StoredMission {
        id: "patrol".to_owned(),
        status: "active".to_owned(),
        phase: "held".to_owned(),
        cause: None,
        since_ms: 1,
        activation: Some(activation),
        run: None,
        runs: 0,
        triggers: None,
        row_version: 1,
    }
}

#[tokio::test]
async fn mo_20_a_dry_run_of_the_text_itself_comes_before_a_newer_one_of_another_text() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    assert_eq!(db.newest_dry_run("patrol", "hash").await.unwrap(), None);
    for number in 1..=2 {
        db.keep_dry_run(&run(number)).await.unwrap();
    }
    db.keep_dry_run(&StoredDryRun { hash: "other".to_owned(), ..run(3) }).await.unwrap();
    assert_eq!(db.newest_dry_run("patrol", "hash").await.unwrap(), Some(run(2)));
    assert_eq!(db.newest_dry_run("patrol", "unknown").await.unwrap().map(|run| run.at_ms), Some(3));
}

#[tokio::test]
async fn mo_20_the_newest_twenty_dry_runs_are_kept_and_the_one_that_an_activation_names() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    db.keep_dry_run(&run(1)).await.unwrap();
    assert!(db.save_mission(&mission(), Author { actor: "anna", reason: None }).await.unwrap());
    let last = i64::from(DRY_RUNS_KEPT) + 5;
    for number in 2..=last {
        db.keep_dry_run(&run(number)).await.unwrap();
    }
    db.keep_dry_run(&StoredDryRun { id: "dry-other".to_owned(), mission_id: "dock".to_owned(), ..run(0) })
        .await
        .unwrap();
    let mut kept = Vec::new();
    for number in 1..=last {
        kept.extend(db.dry_run("patrol", &format!("dry-{number}")).await.unwrap().map(|run| run.at_ms));
    }
    assert_eq!(kept, std::iter::once(1).chain(last - i64::from(DRY_RUNS_KEPT) + 1..=last).collect::<Vec<_>>());
    assert_eq!(db.dry_run("patrol", &format!("dry-{last}")).await.unwrap(), Some(run(last)));
    assert_eq!(db.dry_run("dock", "dry-1").await.unwrap(), None, "it is of another mission");
    let stored = db.missions().await.unwrap().remove(0);
    assert_eq!(stored.activation.and_then(|activation| activation.dry_run).as_deref(), Some("dry-1"));
}
