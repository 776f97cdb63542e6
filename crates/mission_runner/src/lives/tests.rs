use memory::{StoredMission, of_word};
use missions::run::RunStart;
use robot::{Instant, Now};
use world::cron::Zone;

use super::*;

pub(super) fn active(row_version: i64) -> Life {
    let state = State { status: Status::Active, phase: Phase::Live, cause: None };
    let (triggers, unsaved) = (Vec::new(), None);
    Life { state, since_ms: 0, version: None, run: None, runs: 0, triggers, row_version, unsaved }
}

/// The same with the text of a mission, which a person has activated.
fn with_text(life: Life, front: &str) -> Life {
    with_source(life, "weld", &format!("---\n{front}\n---\nGo.\n"))
}

/// The same with the whole text of the mission `id`.
pub(super) fn with_source(life: Life, id: &str, source: &str) -> Life {
    let file = MissionFile::read(MissionId::new(id).unwrap(), source).unwrap();
    let activation = StoredActivation {
        id: "act-1".into(),
        hash: "h".into(),
        at_ms: 0,
        by: "dana".into(),
        source: source.to_owned(),
        accepted: None,
        granted: None,
        role: None,
        reason: None,
        dry_run: None,
    };
    let version = Version::new(activation, file, &Zone::utc(), Now { station: Instant::default(), wall_ms: 0 });
    Life { version: Some(Arc::new(version)), ..life }
}

fn by(actor: &str) -> StoppedBy {
    StoppedBy { actor: actor.to_owned(), reason: None }
}

#[test]
fn ml_22_a_stop_that_comes_while_a_start_is_written_stays_in_force_and_is_written_after_it() {
    let (lives, id) = (Lives::default(), MissionId::new("weld").unwrap());
    assert!(lives.put_saved(&id, active(1), |_| false), "nothing stopped it");
    assert_eq!(lives.stand_still(&id, &Act::Pause(Cause::Stop), by("anna"), 7), Ok(true));
    assert!(!lives.put_saved(&id, active(2), |_| false), "the start was written when the stop had come");
    let now = lives.life(&id).unwrap();
    assert_eq!((now.state.status, now.row_version), (Status::Paused, 3));
}

#[test]
fn mo_16_ml_07_of_two_stops_at_once_one_changes_the_mission_and_one_row_is_written() {
    let (lives, id) = (Lives::default(), MissionId::new("weld").unwrap());
    lives.put(&id, active(1));
    let stop = |act: &Act, actor| lives.stand_still(&id, act, by(actor), 7);
    let pause = |name: &str| Act::Pause(Cause::Person(name.to_owned()));
    assert_eq!((stop(&pause("anna"), "anna"), stop(&pause("ben"), "ben")), (Ok(true), Ok(false)));
    assert_eq!(stop(&Act::Cancel, "ben"), Ok(true));
    assert!(stop(&Act::Complete { parts_open: false }, "anna").is_err(), "it has ended");
    let now = lives.life(&id).unwrap();
    assert_eq!((now.state.status, now.row_version), (Status::Cancelled, 2));
    assert_eq!(now.unsaved.map(|by| by.actor), Some("ben".to_owned()), "the author of what stands");
    lives.note_saved(&id, 2);
    assert!(lives.life(&id).unwrap().unsaved.is_none());
}

#[test]
fn the_words_of_statuses_and_phases_are_those_of_rows_that_exist() {
    use Phase::{Checking, Held, Live, Running};
    use Status::{Active, Cancelled, Completed, Failed, Paused};
    let statuses = [Active, Paused, Completed, Failed, Cancelled].map(|status| word(&status));
    assert_eq!(statuses, ["active", "paused", "completed", "failed", "cancelled"]);
    assert_eq!([Held, Checking, Live, Running].map(|phase| word(&phase)), ["held", "checking", "live", "running"]);
    assert_eq!((of_word("failed").ok(), of_word("running").ok()), (Some(Failed), Some(Running)));
    assert!(of_word::<Status>("draft").is_err() && of_word::<Phase>("").is_err());
}

#[test]
fn ml_10_a_mission_that_becomes_active_behind_a_stop_of_its_robot_stands_still() {
    let (lives, id) = (Lives::default(), MissionId::new("weld").unwrap());
    let named = |robots: &[RobotId]| robots.iter().any(|robot| robot.as_str() == "arm-1");
    let life = |row_version| with_text(active(row_version), "robots: [arm-1]");
    assert!(!lives.put_saved(&id, life(1), named), "the stop came while the activation of a draft was written");
    let now = lives.life(&id).unwrap();
    assert_eq!((now.state.status, now.state.cause, now.row_version), (Status::Paused, Some(Cause::Stop), 2));
    assert!(now.unsaved.is_some(), "it is written after the activation");
    lives.note_saved(&id, 2);
    assert!(!lives.put_saved(&id, life(3), named), "another stop came while it was resumed");
    assert_eq!(lives.status(&id), Some(Status::Paused));
    let (others, other) = (Lives::default(), MissionId::new("patrol").unwrap());
    assert!(others.put_saved(&other, active(1), named), "it names no robot");
    assert!(others.put_saved(&id, life(1), |_| false));
    assert!(others.put_saved(&id, life(2), named), "it was active: whoever stops the robot pauses it");
}

#[test]
fn ml_07_ml_28_a_turn_that_a_restart_cut_off_waits_to_be_written_and_is_the_next_version_of_its_row() {
    let mut run = Run::new(RunStart { id: "run-1".into(), number: 1, start: None }, 1, 0);
    assert!(run.dispatch(1));
    let life = with_text(Life { run: Some(run), ..active(4) }, "triggers: [{cron: \"0 6 * * *\"}]");
    let running = State { phase: Phase::Running, ..life.state.clone() };
    let back = Life { state: running, ..life.clone() }.after_restart();
    assert_eq!((back.state.phase, back.has_open_run(), back.row_version), (Phase::Live, false, 5));
    let (lives, id) = (Lives::default(), MissionId::new("weld").unwrap());
    lives.put(&id, back);
    assert_eq!(lives.unsaved(), std::slice::from_ref(&id), "until the disk has it");
    lives.note_saved(&id, 5);
    assert_eq!(lives.unsaved(), []);
    let untouched = Life { run: None, ..life }.after_restart();
    assert_eq!((untouched.row_version, untouched.unsaved.is_some()), (4, false));
}

#[test]
fn ml_15_ml_28_a_start_that_was_being_checked_is_checked_anew_after_a_restart() {
    let phase_after = |status, phase| {
        let state = State { status, phase, cause: None };
        Life { state, ..active(1) }.after_restart().state.phase
    };
    assert_eq!(phase_after(Status::Active, Phase::Checking), Phase::Held);
    assert_eq!(phase_after(Status::Active, Phase::Live), Phase::Live);
}

#[test]
fn ml_07_ml_28_a_mission_whose_row_cannot_be_read_stands_still_and_keeps_its_place() {
    let row = |status: &str, cause: Option<&str>| {
        let stored = active(7).stored(&MissionId::new("weld").unwrap());
        StoredMission { status: status.into(), phase: "?".into(), cause: cause.map(str::to_owned), ..stored }
    };
    let stands = |status: &str, cause: Option<&str>| {
        let stored = row(status, cause);
        assert!(life(stored.clone(), &Zone::utc(), Now { station: Instant::default(), wall_ms: 0 }).is_none());
        let (id, life) = unreadable(stored).unwrap();
        let lives = Lives::default();
        lives.put(&id, life.clone());
        assert_eq!((life.row_version, lives.check_may_act(&id).is_err()), (7, true));
        (life.state.status, life.state.cause)
    };
    assert_eq!(stands("active", None), (Status::Paused, Some(Cause::CompileFailed)));
    assert_eq!(stands("paused", Some("\"stop\"")), (Status::Paused, Some(Cause::Stop)));
    assert_eq!(stands("?", Some("?")), (Status::Paused, Some(Cause::CompileFailed)));
    assert_eq!(stands("cancelled", None), (Status::Cancelled, None));
}
