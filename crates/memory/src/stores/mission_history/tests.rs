//! Runs, steps and texts of missions, as they are kept.

use crate::{AgentDb, Author, SeenVersion, StoredActivation, StoredMission, StoredRun};

const STATION: Author<'static> = Author { actor: "station", reason: None };
const ANNA: Author<'static> = Author { actor: "anna", reason: Some("belt changed") };

async fn db() -> (tempfile::TempDir, AgentDb) {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    (folder, db)
}

fn run(number: u32) -> StoredRun {
    let json = format!(r#"{{"id":"run-{number}","number":{number},"end":null}}"#);
    StoredRun { id: format!("run-{number}"), number, run: json }
}

fn mission(row_version: i64, activation: &str, run: Option<StoredRun>) -> StoredMission {
    let activation = StoredActivation {
        id: activation.to_owned(),
        source: format!("text of {activation}"),
        hash: format!("hash of {activation}"),
        at_ms: 1,
        by: "anna".to_owned(),
        accepted: None,
        granted: None,
        role: None,
        reason: None,
        dry_run: None,
    };
    StoredMission {
        id: "patrol".to_owned(),
        status: "active".to_owned(),
        phase: if run.is_some() { "running" } else { "held" }.to_owned(),
        cause: None,
        since_ms: row_version,
        activation: Some(activation),
        runs: run.as_ref().map_or(0, |run| run.number),
        run,
        triggers: None,
        row_version,
    }
}

#[tokio::test]
async fn me_15_the_newest_thousand_runs_are_kept_and_read_page_by_page() {
    let (_folder, db) = db().await;
    db.save_mission(&mission(1, "act-1", None), ANNA).await.unwrap();
    for number in 1..=1_003 {
        let stands = mission(i64::from(number) + 1, "act-1", Some(run(number)));
        assert!(db.save_mission(&stands, STATION).await.unwrap());
    }
    let newest = db.mission_runs("patrol", u32::MAX, 2).await.unwrap();
    assert!(newest[0].run.contains("run-1003") && newest[1].run.contains("run-1002"), "{newest:?}");
    assert_eq!(newest[0].source.as_deref(), Some("text of act-1"));
    assert_eq!(db.mission_runs("patrol", u32::MAX, 5_000).await.unwrap().len(), 1_000);
    assert_eq!(db.mission_runs("patrol", 6, 10).await.unwrap().len(), 2, "the first three are gone");
    let stored = db.missions().await.unwrap();
    assert_eq!(stored[0].run, Some(run(1_003)), "the newest run stands with its mission");
}

#[tokio::test]
async fn ml_06_another_text_ends_the_run_of_the_one_before_in_the_same_write() {
    let (_folder, db) = db().await;
    db.save_mission(&mission(1, "act-1", None), ANNA).await.unwrap();
    db.save_mission(&mission(2, "act-1", Some(run(1))), STATION).await.unwrap();
    db.save_mission(&mission(3, "act-2", None), ANNA).await.unwrap();
    let runs = db.mission_runs("patrol", u32::MAX, 5).await.unwrap();
    assert!(runs[0].run.contains(r#""end":{"outcome":"superseded","at_ms":3}"#), "{runs:?}");
}

#[tokio::test]
async fn ml_07_a_change_of_a_row_that_somebody_has_changed_is_refused_whole_and_each_transition_is_one_row() {
    let (_folder, db) = db().await;
    assert!(db.save_mission(&mission(1, "act-1", None), ANNA).await.unwrap());
    let paused = |row_version| StoredMission { status: "paused".to_owned(), ..mission(row_version, "act-1", None) };
    assert!(db.save_mission(&paused(2), ANNA).await.unwrap());
    let late = StoredMission { status: "completed".to_owned(), ..mission(2, "act-1", None) };
    assert!(!db.save_mission(&late, STATION).await.unwrap(), "it was made of the row before");
    assert!(!db.save_mission(&paused(7), STATION).await.unwrap(), "nor is a row left out");
    assert_eq!(db.missions().await.unwrap()[0].status, "paused");
    let steps = db.mission_transitions("patrol", i64::MAX, 10).await.unwrap();
    assert_eq!(steps.iter().map(|step| step.to_status.as_str()).collect::<Vec<_>>(), ["paused", "active"]);
}

#[tokio::test]
async fn me_14_steps_of_runs_are_left_out_of_the_history_and_the_reason_is_kept() {
    let (_folder, db) = db().await;
    db.save_mission(&mission(1, "act-1", None), STATION).await.unwrap();
    db.save_mission(&mission(2, "act-1", Some(run(1))), STATION).await.unwrap();
    let paused = StoredMission { status: "paused".to_owned(), ..mission(3, "act-1", Some(run(1))) };
    db.save_mission(&paused, ANNA).await.unwrap();
    let steps = db.mission_transitions("patrol", i64::MAX, 10).await.unwrap();
    let told: Vec<(&str, Option<&str>, Option<&str>)> =
        steps.iter().map(|step| (step.to_status.as_str(), step.hash.as_deref(), step.reason.as_deref())).collect();
    assert_eq!(told, [("paused", None, Some("belt changed")), ("active", Some("hash of act-1"), None)]);
    assert_eq!(db.mission_transitions("patrol", steps[0].seq, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn me_14_fifty_texts_are_kept_and_every_one_that_was_activated() {
    let (_folder, db) = db().await;
    db.save_mission(&mission(1, "act-1", None), ANNA).await.unwrap();
    let seen = |number: i64, author: Option<&str>| SeenVersion {
        mission: "patrol".to_owned(),
        hash: format!("hash {number}"),
        source: format!("text {number}"),
        author: author.map(str::to_owned),
    };
    for number in 0..60 {
        db.keep_mission_versions(&[seen(number, None)], true, 1_000 + number).await.unwrap();
    }
    let versions = db.mission_versions("patrol", 100).await.unwrap();
    assert_eq!((versions.len(), versions[0].hash.as_str()), (51, "hash 59"));
    assert!(versions.iter().any(|version| version.hash == "hash of act-1"));
    // An earlier text that comes back is the newest; one that only stands there at the start is not.
    db.keep_mission_versions(&[seen(40, Some("anna"))], true, 5_000).await.unwrap();
    db.keep_mission_versions(&[seen(30, None)], false, 6_000).await.unwrap();
    let versions = db.mission_versions("patrol", 2).await.unwrap();
    assert_eq!((versions[0].hash.as_str(), versions[0].author.as_deref()), ("hash 40", Some("anna")));
    assert_eq!(versions[1].hash, "hash 59");
    assert_eq!(db.mission_source("patrol", "hash 40").await.unwrap().as_deref(), Some("text 40"));
    assert_eq!(db.mission_source("patrol", "hash 1").await.unwrap(), None);
}
