use robot::AgentId;
use tokio::time::interval;

use super::*;

/// Longest wait of a test: the awaited frame comes at once, or not at all.
const DEADLINE: Duration = Duration::from_secs(20);
const NEVER: Duration = Duration::from_secs(3_600);

/// A window's channel that has just had a frame and whose next tick is far away.
async fn between_ticks() -> (Arc<EventBus>, Frames) {
    let clock = Clock::start();
    let bus = Arc::new(EventBus::new(clock, CancellationToken::new()));
    let mut frames = bus.subscribe(());
    bus.changed(Tag::Robots);
    assert_eq!(frames.next().await.map(|frame| (frame.seq, frame.tags)), Some((1, vec![Tag::Robots])));
    frames.ticks = interval(NEVER);
    frames.ticks.tick().await;
    (bus, frames)
}

async fn next(frames: &mut Frames) -> Frame {
    tokio::time::timeout(DEADLINE, frames.next()).await.unwrap().unwrap()
}

fn say(bus: &EventBus, text: &str) {
    let event = Event::TextDelta { text: text.into() };
    let agent = AgentId::new("main").unwrap();
    bus.fact(Fact::Turn { agent, session: "desk".into(), turn: "turn-1".into(), event }, Some(Tag::Transcript));
}

#[tokio::test]
async fn u_401_words_leave_in_frames_of_their_own_and_wait_for_no_tick() {
    let (bus, mut frames) = between_ticks().await;
    for n in 0..6 {
        bus.event("before", format!("{n}"));
        say(&bus, "word");
        let frame = next(&mut frames).await;
        assert_eq!(
            (frame.seq, frame.facts.len(), frame.signals.len(), frame.tags.len()),
            (n + 2, 2, 0, 0),
            "{frame:?}"
        );
        assert!(is_of_words(&frame.facts[1]), "what was before stays before");
    }
    bus.event("after", "no words");
    frames.ticks = interval(Duration::from_millis(1));
    let frame = next(&mut frames).await;
    let tags = vec![Tag::Transcript, Tag::Events];
    assert_eq!((frame.facts.len(), frame.tags), (1, tags), "one look at the transcript for all words");
}

#[tokio::test]
async fn u_401_words_are_merged_for_a_moment_and_what_is_no_word_waits_for_its_tick() {
    let (bus, mut frames) = between_ticks().await;
    bus.event("quiet", "nothing to read along");
    frames.drain_notes();
    assert_eq!((frames.facts.len(), frames.words_due), (1, None));
    say(&bus, "a");
    frames.drain_notes();
    let due = frames.words_due;
    assert!(due.is_some_and(|due| due.since(frames.words_sent) == WORDS_EVERY), "{due:?}");
    say(&bus, "b");
    frames.drain_notes();
    assert_eq!(frames.words_due, due, "later words make none wait longer");
    assert_eq!(next(&mut frames).await.facts.len(), 3);
}

#[tokio::test]
async fn u_403_a_window_that_fell_behind_is_told_to_reload() {
    let (bus, mut frames) = between_ticks().await;
    for _ in 0..FACT_QUEUE_MAX * 2 {
        say(&bus, "word");
    }
    let frame = next(&mut frames).await;
    assert_eq!((&frame.facts[0], frame.facts.len() <= FACTS_PER_FRAME_MAX), (&Fact::Resync, true));
}

#[tokio::test]
async fn mo_17_a_frame_names_the_missions_that_have_changed_once_and_where_they_are_too_many_any_of_them() {
    let (bus, mut frames) = between_ticks().await;
    let missions =
        |count: usize| (0..count).map(|n| MissionId::new(format!("m-{n}")).unwrap()).collect::<BTreeSet<_>>();
    bus.missions_changed(missions(1));
    bus.missions_changed(missions(2));
    frames.ticks = interval(Duration::from_millis(1));
    let frame = next(&mut frames).await;
    let named: Vec<String> = frame.missions.iter().map(ToString::to_string).collect();
    assert_eq!((named, frame.tags), (vec!["m-0".to_owned(), "m-1".to_owned()], Vec::new()));
    bus.missions_changed(missions(MISSIONS_PER_FRAME_MAX + 1));
    let frame = next(&mut frames).await;
    assert_eq!((frame.missions, frame.tags), (Vec::new(), vec![Tag::Missions]));
}
