use super::*;
use crate::test_support::Rig;
use runtime::error::OpError;
use runtime::wire::Released;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A station with one robot of one switch, which has no gate: nobody has to confirm a release.
async fn rig() -> (Rig, Arc<RobotHandle>) {
    let rig = Rig::start_with_gateless_robot().await;
    let unit = Arc::clone(&rig.unit);
    (rig, unit)
}

fn desk() -> Session {
    Session::bootstrap()
}

fn pressed(rig: &Rig, unit: &RobotHandle) -> u64 {
    press_at_once(&rig.fleet, &desk(), None, Some(std::slice::from_ref(unit.id()))).stop_id
}

async fn released(rig: &Rig, unit: &RobotHandle, stop_ids: impl Into<BTreeSet<u64>>) -> Result<Released, OpError> {
    release(&rig.fleet, &desk(), &stop_ids.into(), std::slice::from_ref(unit.id())).await
}

/// Runs `task` up to where it waits.
fn run_until_it_waits(task: std::pin::Pin<&mut impl Future>) {
    assert!(matches!(task.poll(&mut Context::from_waker(Waker::noop())), Poll::Pending), "it waits for nothing");
}

fn in_force(rig: &Rig, unit: &RobotHandle) -> (BTreeSet<u64>, BTreeSet<u64>) {
    (rig.fleet.stops.binding(unit.id()), unit.control().open_stops.keys().copied().collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_pressed_while_the_same_persons_stop_is_being_released_stays_in_force_and_can_be_released() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    let second = {
        let claiming = unit.claiming.lock().await;
        let mut releasing = pin!(released(&rig, &unit, [first]));
        run_until_it_waits(releasing.as_mut());
        let second = pressed(&rig, &unit);
        drop(claiming);
        releasing.await.unwrap();
        second
    };
    assert_ne!(first, second);
    assert_eq!(in_force(&rig, &unit), (BTreeSet::from([second]), BTreeSet::from([second])));
    assert!(unit.fence.is_latched());
    released(&rig, &unit, [second]).await.unwrap();
    assert_eq!(in_force(&rig, &unit), (BTreeSet::new(), BTreeSet::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_pressed_between_the_robots_release_and_the_end_of_the_stop_stays_in_force_and_can_be_released() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    let (stop_ids, robots) = (BTreeSet::from([first]), [unit.id().clone()]);
    let releasing = rig.fleet.stops.begin_release(&stop_ids, &robots).unwrap();
    release::release_unit(&rig.fleet, &desk(), &unit, &stop_ids).await.unwrap();
    let second = pressed(&rig, &unit);
    let rooms = vec![(first, rig.fleet.runtime.audit.reserve().unwrap())];
    release::mark_released(&rig.fleet, &desk(), rooms, &robots);
    drop(releasing);
    assert_ne!(first, second);
    assert_eq!(in_force(&rig, &unit), (BTreeSet::from([second]), BTreeSet::from([second])));
    released(&rig, &unit, [second]).await.unwrap();
    assert_eq!(in_force(&rig, &unit), (BTreeSet::new(), BTreeSet::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_release_begins_while_the_stop_is_being_pressed() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    let robots = BTreeSet::from([unit.id().clone()]);
    let asked = Why::Asked(SafetyCause::StopRobot);
    let (pressing, _) = rig.fleet.stops.press((desk().actor(), asked), None, robots, rig.fleet.runtime.clock.now());
    assert_eq!(pressing.stop_id(), first);
    assert_eq!(released(&rig, &unit, [first]).await.unwrap_err().code, "stop_set_changed");
    drop(pressing);
    released(&rig, &unit, [first]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_fails_leaves_the_stop_as_it_was() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    drop(rig.fleet.stops.begin_release(&BTreeSet::from([first]), &[unit.id().clone()]).unwrap());
    assert_eq!(pressed(&rig, &unit), first, "pressing again sends the same stop again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_pressed_during_a_drill_of_the_same_person_is_not_ended_with_the_drill() {
    let (rig, unit) = rig().await;
    let of_drill = drill(&rig.fleet, &desk(), &unit);
    let real = pressed(&rig, &unit);
    assert_ne!(of_drill, real);
    assert_eq!(released(&rig, &unit, [of_drill]).await.unwrap_err().code, "stop_set_changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn f27_a_release_that_finds_no_room_in_the_audit_is_refused_before_any_robot_is_let_go() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    let mut rooms = Vec::new();
    while let Ok(room) = rig.fleet.runtime.audit.reserve() {
        rooms.push(room);
    }
    // The robot's state may have noticed the full audit by then, which refuses the release as well.
    let refused = released(&rig, &unit, [first]).await.unwrap_err();
    assert!(["audit_full", "causes_open"].contains(&refused.code.as_str()), "{refused:?}");
    assert_eq!(in_force(&rig, &unit), (BTreeSet::from([first]), BTreeSet::from([first])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_people_have_seen_is_on_disk_although_the_station_ends_meanwhile() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    rig.fleet.runtime.ended.cancel();
    released(&rig, &unit, [first]).await.unwrap();
    rig.fleet.runtime.tasks.close();
    rig.fleet.runtime.tasks.wait().await;
    let rows = rig.fleet.runtime.db.stops().await.unwrap();
    assert_eq!(rows.iter().map(|row| (row.stop_id, row.open)).collect::<Vec<_>>(), [(first, false)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_is_put_whatever_the_state_of_the_robot_is_here() {
    let (rig, unit) = rig().await;
    assert_eq!(unit.state(), safety::machine::State::Disarmed);
    let before = unit.link.hold();
    crate::arming::hold(&rig.fleet, unit.id()).unwrap();
    assert_eq!(unit.link.hold(), before + 2, "one was put between them");
}
