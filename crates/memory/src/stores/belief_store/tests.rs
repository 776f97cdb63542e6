use super::*;
use crate::belief::{Author, BeliefName, ConfirmedBy, Evidence, Statement};

const HOUR_MS: i64 = 3_600_000;

async fn open(folder: &tempfile::TempDir) -> AgentDb {
    AgentDb::open(&folder.path().join("memory.db")).await.unwrap()
}

fn author(by: ConfirmedBy) -> Author {
    let evidence = Evidence::Operator { operator: "dana".into(), pinned_until: None };
    Author { by, name: "dana".into(), evidence: Some(evidence) }
}

fn said(value: &str) -> Statement {
    let kind = Kind::Enum(vec!["open".into(), "closed".into()]);
    Statement {
        value: value.into(),
        confidence: Some(0.7),
        kind: Some(kind),
        notes: Some("seen\ntwice".into()),
        observes: Some(Key::new("door.status").unwrap()),
        ..Statement::default()
    }
}

/// The name of the belief about the status of `subject`.
fn of(subject: &str) -> BeliefName<'_> {
    BeliefName { subject, predicate: "status" }
}

fn confirmation(belief: &Belief, at_ms: i64) -> BeliefEvent {
    belief.confirm(&author(ConfirmedBy::Person), at_ms).event.unwrap()
}

#[tokio::test]
async fn bl_01_a_belief_and_its_history_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let person = author(ConfirmedBy::Person);
    let made = Belief::create(BeliefId::new("belief-1"), of("door"), &said("open"), &person, 5).unwrap();
    let pinned = made.belief.pin(Some(99), &person, 6);
    let contradicted = pinned.belief.contradict("closed", &author(ConfirmedBy::Sensor), 7);
    let last = Arc::new(contradicted.belief.clone());
    let events = [made, pinned, contradicted].map(|change| change.event.unwrap());
    db.save_beliefs(&[Arc::clone(&last)], &events, Safety::Durable).await.unwrap();
    db.close().await;
    let db = open(&folder).await;
    let loaded: Vec<Belief> = db.beliefs().await.unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(loaded, [last.as_ref().clone()]);
    assert_eq!(db.belief_events("belief-1", 0, 9, 9).await.unwrap(), events);
    assert_eq!(db.belief_events("belief-1", 0, 6, 1).await.unwrap(), events[1..2]);
    assert_eq!(db.belief_event_count("belief-1", 6, 9).await.unwrap(), 2);
    assert_eq!(db.belief_pins("belief-1").await.unwrap(), events[1..2]);
}

#[tokio::test]
async fn bl_15_an_erased_belief_leaves_no_row_and_its_late_events_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let person = author(ConfirmedBy::Person);
    let made = Belief::create(BeliefId::new("belief-1"), of("door"), &said("open"), &person, 5).unwrap();
    let event = made.event.unwrap();
    db.save_beliefs(&[Arc::new(made.belief)], std::slice::from_ref(&event), Safety::Durable).await.unwrap();
    db.erase_belief("belief-1").await.unwrap();
    db.save_beliefs(&[], &[event], Safety::Lazy).await.unwrap();
    assert!(db.beliefs().await.unwrap().is_empty());
    assert_eq!(db.belief_event_count("belief-1", 0, 9).await.unwrap(), 0);
}

#[tokio::test]
async fn st_01_a_belief_of_another_version_is_named_and_the_others_still_load() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let person = author(ConfirmedBy::Person);
    let made = |id: &str, subject: &str| {
        Arc::new(Belief::create(BeliefId::new(id), of(subject), &said("open"), &person, 5).unwrap().belief)
    };
    db.save_beliefs(&[made("belief-1", "door"), made("belief-2", "gate")], &[], Safety::Durable).await.unwrap();
    let mut edit = db.lazy("make a row of another version").await.unwrap();
    sqlx::query("UPDATE belief SET kind = 'mood' WHERE id = 'belief-1'").execute(&mut *edit).await.unwrap();
    edit.commit().await.unwrap();
    let loaded = db.beliefs().await.unwrap();
    assert!(loaded[0].as_ref().unwrap_err().to_string().contains("belief-1"));
    assert_eq!(loaded[1].as_ref().unwrap().id.as_str(), "belief-2");
}

#[tokio::test]
async fn bl_13_of_a_run_of_confirmations_the_first_and_last_of_each_hour_stay() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&folder).await;
    let person = author(ConfirmedBy::Person);
    let made = Belief::create(BeliefId::new("belief-1"), of("door"), &said("open"), &person, 0).unwrap();
    let mut events = vec![made.event.unwrap()];
    // 200 hours of 60 confirmations, and a contradiction in the middle of the first hour.
    events.extend((0..12_000).map(|minute| confirmation(&made.belief, 1_000 + minute * 60_000)));
    let sensor = author(ConfirmedBy::Sensor);
    events.insert(31, made.belief.contradict("closed", &sensor, 30 * 60_000 - 1).event.unwrap());
    db.save_beliefs(&[Arc::new(made.belief)], &events, Safety::Lazy).await.unwrap();
    let thinned = db.thin_belief_history().await.unwrap();
    assert_eq!(thinned, 2_002, "no more than needed");
    let left = db.belief_events("belief-1", 0, 250 * HOUR_MS, 20_000).await.unwrap();
    assert_eq!(left.len(), 10_000);
    let first: Vec<i64> = left.iter().filter(|event| event.at_ms < HOUR_MS).map(|event| event.at_ms).collect();
    let minute = |minute: i64| 1_000 + minute * 60_000;
    assert_eq!(first, [0, minute(0), minute(29), 30 * 60_000 - 1, minute(30), minute(59)]);
    assert_eq!(db.thin_belief_history().await.unwrap(), 0);
}
