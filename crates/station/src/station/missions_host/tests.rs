use super::*;
use crate::test_support::Rig;
use fleet::stops;

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_of_the_whole_station_stops_every_robot_of_a_mission_also_one_that_came_after_it() {
    let rig = Rig::start().await;
    let host = StationHost::of(&Arc::downgrade(&rig.station));
    let robots = [RobotId::new("arm-1").unwrap()];
    assert_eq!(host.stopped_one(&robots), None);
    stops::press_at_once(&rig.station.fleet, &Session::bootstrap(), None, None);
    assert!(rig.station.fleet.stops.station_bound());
    assert_eq!(host.stopped_one(&robots).as_ref(), robots.first());
}
