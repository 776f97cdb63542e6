use super::*;

fn left(stop_id: u64, robots: &[&str], asked: bool) -> OpenStop {
    let robots = robots.iter().map(|id| RobotId::new(*id).unwrap()).collect();
    OpenStop {
        stop_id,
        by: "dana".into(),
        asked,
        reason: None,
        reason_kind: None,
        at_ms: 5,
        robots,
        released: BTreeSet::new(),
    }
}

#[test]
fn c10_a_stop_left_open_is_a_persons_to_release_unless_the_state_of_a_locked_robot_asked_for_it() {
    let stops = Stops::new(2, vec![left(1, &["arm-1"], true), left(2, &["arm-1"], false)]);
    let [arm, rover] = ["arm-1", "rover-1"].map(|id| RobotId::new(id).unwrap());
    let asked = Some(SafetyCause::StopRobot);
    assert_eq!(stops.left(&arm, false), BTreeMap::from([(1, asked), (2, asked)]));
    assert_eq!(stops.left(&arm, true), BTreeMap::from([(1, asked), (2, None)]));
    assert_eq!(stops.left(&rover, false), BTreeMap::new());
}

#[test]
fn a_stop_of_no_robot_binds_the_whole_station() {
    assert!(!Stops::new(1, vec![left(1, &["arm-1"], true)]).station_bound());
    assert!(Stops::new(2, vec![left(1, &["arm-1"], true), left(2, &[], true)]).station_bound());
}

#[test]
fn c10_a_stop_that_a_state_asked_for_is_saved_again_once_somebody_asks_for_the_same() {
    let (stops, robots) = (Stops::new(4, Vec::new()), BTreeSet::from([RobotId::new("arm-1").unwrap()]));
    let press = |why| {
        let (pressing, is_new) =
            stops.press(Press { by: "supervision", why, reason: None, robots: robots.clone() }, robot::Now::default());
        (pressing.stop_id(), is_new)
    };
    let asked = Why::Asked(SafetyCause::StopRobot);
    assert_eq!([Why::State, Why::State, asked, asked].map(press), [(5, true), (5, false), (5, true), (5, false)]);
    assert!(stops.open()[0].stored.asked);
}

#[test]
fn the_reason_for_a_stop_is_kept_with_its_code_and_one_that_an_older_version_kept_reads_as_its_sentence() {
    let now = Instant::default();
    let stops = Stops::new(0, Vec::new());
    let robots = BTreeSet::from([RobotId::new("arm-1").unwrap()]);
    let reason = StopReason::Cause { cause: SafetyCause::BeatLost };
    let press = Press { by: "supervision", why: Why::State, reason: Some(reason.clone()), robots };
    drop(stops.press(press, robot::Now::default()));
    let kept = stops.open()[0].stored.clone();
    let taken_up = |stored: OpenStop| {
        let row = Stops::new(1, vec![stored]).open()[0].row(&[], now);
        (row.reason, row.reason_kind)
    };
    let sentence = Some(SafetyCause::BeatLost.rule().sentence.to_owned());
    assert_eq!(taken_up(kept.clone()), (sentence.clone(), Some(reason)));
    let older = OpenStop { reason_kind: None, ..kept.clone() };
    assert_eq!(taken_up(older), (sentence.clone(), None));
    let newer = OpenStop { reason_kind: Some("{\"code\":\"moonrise\"}".into()), ..kept };
    assert_eq!(taken_up(newer), (sentence, None));
}
