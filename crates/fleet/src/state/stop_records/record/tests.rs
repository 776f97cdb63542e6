use super::*;

const BOTH: [&str; 2] = ["arm-1", "rover-1"];

fn robot(id: &str) -> RobotId {
    RobotId::new(id).unwrap()
}

fn stop(robots: &[&str], released: &[&str]) -> OpenStop {
    let set = |ids: &[&str]| ids.iter().copied().map(robot).collect();
    OpenStop {
        stop_id: 1,
        by: "dana".into(),
        asked: true,
        reason: None,
        reason_kind: None,
        at_ms: 5,
        robots: set(robots),
        released: set(released),
    }
}

fn pressed() -> Record {
    Record::new(stop(&BOTH, &[]), at(10), false)
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

#[test]
fn pressing_again_repeats_a_stop_of_this_run_of_which_all_is_in_force_and_no_other() {
    let both = BTreeSet::from(BOTH.map(robot));
    assert!(pressed().is_repeated("dana", &both));
    assert!(!pressed().is_repeated("kim", &both));
    assert!(!pressed().is_repeated("dana", &BTreeSet::from([robot("arm-1")])));
    for other in [
        Record { closed: true, ..pressed() },
        Record { drill: true, ..pressed() },
        Record { releasing: 1, ..pressed() },
        Record { stored: stop(&BOTH, &["arm-1"]), ..pressed() },
        Record { pressed: None, ..pressed() },
    ] {
        assert!(!other.is_repeated("dana", &both), "{other:?}");
    }
}

#[test]
fn c10_a_stop_binds_each_robot_until_that_one_is_let_go_and_is_over_once_the_last_release_is_on_record() {
    let (mut record, [arm, rover]) = (pressed(), BOTH.map(robot));
    assert!(record.binds(&arm) && record.binds(&rover) && !record.binds(&robot("gate-1")));
    record.let_go(&[arm.clone(), robot("gate-1")]);
    assert_eq!((record.binds(&arm), record.binds(&rover), record.is_open()), (false, true, true));
    assert_eq!((record.still_bound(), record.stored.released.len()), (vec![rover.clone()], 1));
    assert_eq!(record.to_save(), (stop(&BOTH, &[]), true), "the release is not on record");
    record.note_on_record(&BTreeSet::from([arm]));
    assert_eq!(record.to_save(), (stop(&BOTH, &["arm-1"]), true));
    record.let_go(std::slice::from_ref(&rover));
    assert!(!record.is_open() && !record.binds(&rover) && !record.is_over());
    record.note_on_record(&BTreeSet::from([rover]));
    assert_eq!((record.to_save(), record.is_over()), ((stop(&BOTH, &BOTH), false), true));
}

#[test]
fn c10_a_stop_that_an_earlier_run_has_left_open_is_saved_as_it_was_left() {
    for left in [stop(&[], &[]), stop(&BOTH, &[]), stop(&BOTH, &["arm-1"])] {
        let record = Record::left(left.clone());
        assert_eq!((record.to_save(), *record.saved.borrow(), record.pressed), ((left, true), true, None));
    }
}

#[test]
fn a_robot_has_stood_for_a_stop_since_it_was_first_seen_still_with_the_stop_acknowledged() {
    let mut answer = Answer::default();
    let mut seen = |acked: Option<u64>, still: bool, ms: u64| {
        answer.acked = acked.map(at);
        answer.stands(still, at(ms));
        pressed().after_ms(answer.stood)
    };
    assert_eq!(seen(None, true, 20), None);
    assert_eq!(seen(Some(30), false, 40), None);
    assert_eq!(seen(Some(30), true, 260), Some(250.0));
    assert_eq!(seen(Some(30), true, 300), Some(250.0));
}
