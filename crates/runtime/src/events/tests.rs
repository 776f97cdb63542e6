use super::*;

fn agent(name: &str) -> AgentId {
    AgentId::new(name).unwrap()
}

fn told(events: &Events, after: Option<u64>, limit: usize) -> Vec<(u64, String, u64)> {
    let rows = events.rows(after, limit, |_| true);
    rows.into_iter().map(|row| (row.seq, row.sentence, row.count)).collect()
}

#[test]
fn u_1302_events_are_listed_newest_first_a_page_at_a_time_whoever_they_are_of() {
    let events = Events::default();
    events.note(None, "a", "1", 1_000);
    events.note(Some(&agent("main")), "a", "2", 2_999);
    events.note(Some(&agent("other")), "a", "3", 3_000);
    assert_eq!(told(&events, None, 2), [(3, "3".into(), 1), (2, "2".into(), 1)]);
    assert_eq!(told(&events, Some(2), 2), [(1, "1".into(), 1)]);
    assert_eq!(told(&events, Some(1), 2), []);
    let own = events.rows(None, 9, |of| of.is_none_or(|of| *of == agent("main")));
    let seen: Vec<_> = own.iter().map(|row| (row.agent.as_ref().map(AgentId::as_str), row.happened_at)).collect();
    assert_eq!(seen, [(Some("main"), 2), (None, 1)]);
}

#[test]
fn u_1302_what_happens_again_and_again_is_one_row_with_a_count() {
    let events = Events::default();
    for sentence in ["x", "x", "y", "x", "x", "x"] {
        events.note(None, "a", sentence, 0);
    }
    assert_eq!(told(&events, None, 9), [(6, "x".into(), 3), (3, "y".into(), 1), (2, "x".into(), 2)]);
    assert_eq!(events.unsaved(), [None]);
    let batch = events.take_unsaved(None);
    let written: Vec<u64> = batch.events.iter().map(|event| event.seq).collect();
    assert_eq!((&batch.kept, written), (&vec![2, 3, 6], vec![2, 3, 6]));
    assert!(events.unsaved().is_empty(), "nothing is written twice");
    events.note_saved(
        None,
        &batch,
        Err(MemoryError::File { action: "write", path: "station.db".into(), source: std::io::Error::other("full") }),
    );
    assert_eq!(events.unsaved().len(), 1, "what the disk did not take waits for it");
}

#[test]
fn u_2309_the_newest_are_kept_and_neither_number_nor_length_grows() {
    let events = Events::default();
    for n in 0..EVENTS_MAX + 5 {
        events.note(None, "a", &n.to_string(), 0);
    }
    let kept = told(&events, None, usize::MAX);
    assert_eq!((kept.len(), kept.last().map(|row| row.0)), (EVENTS_MAX, Some(6)));
    for n in 0..20 {
        events.note(None, "a", &format!("{n}").repeat(SENTENCES_MAX / 16), 0);
    }
    let bytes: usize = told(&events, None, usize::MAX).iter().map(|row| row.1.len()).sum();
    assert!((1..=SENTENCES_MAX).contains(&bytes), "{bytes}");
}

#[test]
fn u_1302_what_a_run_has_left_stands_before_what_this_one_tells() {
    let events = Events::default();
    let left = |seq| StoredEvent { seq, at_ms: 0, code: "a".into(), sentence: seq.to_string(), count: 1 };
    events.take_up(None, vec![left(3)]);
    events.take_up(Some(&agent("main")), vec![left(2), left(7)]);
    events.note(None, "a", "new", 0);
    let seqs: Vec<u64> = told(&events, None, 9).into_iter().map(|row| row.0).collect();
    assert_eq!(seqs, [8, 7, 3, 2]);
    assert_eq!(events.unsaved().len(), 1, "what is on disk is not written again");
}

#[tokio::test]
async fn e2_12_a_forgotten_text_is_in_no_event_of_its_agent() {
    let events = Events::default();
    let phrase = "the blue vase broke";
    events.note(Some(&agent("main")), "alert_fired", &format!("seen: {phrase}"), 0);
    events.take_unsaved(Some(&agent("main")));
    events.forget(&agent("main"), &Needles::of(&[phrase.into()]), "[forgotten tb-1]").await;
    assert_eq!(told(&events, None, 9), [(1, "seen: [forgotten tb-1]".into(), 1)]);
    assert_eq!(events.unsaved().len(), 1, "the disk learns it");
}

#[tokio::test]
async fn st_01_a_database_that_is_being_written_keeps_only_its_own_events_back() {
    let folder = tempfile::tempdir().unwrap();
    let station = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    let (main, other) = (agent("main"), agent("other"));
    let [main_db, other_db] = [
        AgentDb::open(&folder.path().join("main.db")).await.unwrap(),
        AgentDb::open(&folder.path().join("other.db")).await.unwrap(),
    ];
    let events = Events::default();
    for owner in [Some(&main), None, Some(&other)] {
        events.note(owner, "a", "x", 0);
    }
    let turn = events.writers.turn(Some(&main)).await;
    assert_eq!(events.due(), [None, Some(other.clone())]);
    let mut waits = std::pin::pin!(events.save_of(&main, &main_db));
    tokio::select! {
        biased;
        () = &mut waits => panic!("somebody else writes it"),
        () = async { tokio::join!(events.save(&station), events.save_of(&other, &other_db)); } => {}
    }
    assert_eq!((station.events().await.unwrap().len(), other_db.events().await.unwrap().len()), (1, 1));
    assert_eq!(events.unsaved(), [Some(main.clone())]);
    drop(turn);
    waits.await;
    assert_eq!((main_db.events().await.unwrap().len(), events.unsaved()), (1, vec![]));
}
