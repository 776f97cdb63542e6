use super::*;

fn left(stop_id: u64, robots: &[&str], asked: bool) -> OpenStop {
    let robots = robots.iter().map(|id| RobotId::new(*id).unwrap()).collect();
    OpenStop { stop_id, by: "dana".into(), asked, reason: None, at_ms: 5, robots, released: BTreeSet::new() }
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
        let (pressing, is_new) = stops.press(("supervision", why), None, robots.clone(), robot::Now::default());
        (pressing.stop_id(), is_new)
    };
    let asked = Why::Asked(SafetyCause::StopRobot);
    assert_eq!([Why::State, Why::State, asked, asked].map(press), [(5, true), (5, false), (5, true), (5, false)]);
    assert!(stops.open()[0].stored.asked);
}
