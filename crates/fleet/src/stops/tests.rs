use super::*;
use crate::test_support::{Rig, until};
use bridge::envelope::{GateFault, Status};
use robot::Instant;
use runtime::audit::Room;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{Fact, Released};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
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

fn because(cause: SafetyCause) -> StopReason {
    StopReason::Cause { cause }
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
        let claims = unit.claims.lock().await;
        let mut releasing = pin!(released(&rig, &unit, [first]));
        run_until_it_waits(releasing.as_mut());
        let second = pressed(&rig, &unit);
        drop(claims);
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
    let claims = unit.claims.lock().await;
    release::release_unit(&rig.fleet, &desk(), &unit, &claims, &stop_ids).await.unwrap();
    drop(claims);
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
    let (by, now) = (desk(), rig.fleet.runtime.clock.now());
    let (pressing, _) = rig.fleet.stops.press(Press { by: by.actor(), why: asked, reason: None, robots }, now);
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
async fn a_drill_that_meets_a_stop_of_the_same_person_ends_its_own_and_not_that_one() {
    let (rig, unit) = rig().await;
    let real = pressed(&rig, &unit);
    let of_drill = drill(&rig.fleet, &desk(), &unit);
    assert_ne!(of_drill, real);
    assert_eq!(in_force(&rig, &unit).0, BTreeSet::from([real, of_drill]));
    assert_eq!(released(&rig, &unit, [of_drill]).await.unwrap_err().code, "stop_set_changed");
}

/// All room that the audit has, with that of the records on their way to the disk.
async fn all_rooms(rig: &Rig) -> Vec<Room> {
    let (audit, mut rooms) = (&rig.fleet.runtime.audit, Vec::new());
    loop {
        let held = rooms.len();
        rooms.extend(std::iter::from_fn(|| audit.reserve().ok()));
        if rooms.len() == held {
            return rooms;
        }
        audit.settle().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f27_a_release_that_finds_no_room_in_the_audit_is_refused_before_any_robot_is_let_go() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    let _rooms = all_rooms(&rig).await;
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

/// A robot whose gate has answered once.
async fn answering() -> (Rig, Arc<RobotHandle>) {
    let rig = Rig::start_with_gate().await;
    let unit = Arc::clone(&rig.unit);
    unit.control().beats.last_answer = Some(rig.fleet.runtime.clock.now().station);
    (rig, unit)
}

/// So many milliseconds after the press.
fn after(rig: &Rig, stop_id: u64, ms: u64) -> Instant {
    let pressed = rig.fleet.stops.lock().get(&stop_id).and_then(|record| record.pressed);
    pressed.unwrap().plus(std::time::Duration::from_millis(ms))
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_stop_is_unconfirmed_from_when_the_robots_word_is_due_until_it_comes_or_a_person_has_looked() {
    let (rig, unit) = answering().await;
    let stops = &rig.fleet.stops;
    let unconfirmed = |stop_id, ms| stops.unconfirmed(&unit, after(&rig, stop_id, ms));
    let first = pressed(&rig, &unit);
    assert_eq!([0, 300, 301].map(|ms| unconfirmed(first, ms)), [false, false, true]);
    unit.control().beats.last_answer = None;
    assert!(!unconfirmed(first, 301), "a robot that was never there is told by its link");
    unit.control().beats.last_answer = Some(rig.fleet.runtime.clock.now().station);
    stops.note_looked(unit.id());
    assert!(!unconfirmed(first, 301));

    let second = press_at_once(&rig.fleet, &Session::stranger(), None, Some(std::slice::from_ref(unit.id()))).stop_id;
    let word = |status| stops.note_ack(&rig.fleet, &unit, second, (status, None, false), after(&rig, second, 5));
    word(Status::Refused(robot::Reason::Replay));
    assert!(unconfirmed(second, 301) && !stops.acknowledged(unit.id()));
    word(Status::Received);
    assert!(!unconfirmed(second, 301));
    assert!(!stops.acknowledged(unit.id()), "the first one is looked at, not acknowledged");
    stops.note_ack(&rig.fleet, &unit, first, (Status::Received, None, false), after(&rig, first, 5));
    assert!(stops.acknowledged(unit.id()));
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_robot_that_does_not_confirm_is_told_once_with_its_hardware_stop() {
    let (rig, unit) = answering().await;
    let mut frames = rig.fleet.runtime.bus.subscribe(());
    let first = pressed(&rig, &unit);
    let second = press_at_once(&rig.fleet, &Session::stranger(), None, Some(std::slice::from_ref(unit.id()))).stop_id;
    rig.fleet.stops.note_ack(&rig.fleet, &unit, second, (Status::Received, None, false), after(&rig, second, 5));
    rig.fleet.stops.sweep(&rig.fleet, after(&rig, first, 300));
    rig.fleet.runtime.bus.event("due", "it is due now".to_owned());
    for ms in [301, 400, 5_000] {
        rig.fleet.stops.sweep(&rig.fleet, after(&rig, first, ms));
    }
    rig.fleet.runtime.bus.event("end", "nothing follows".to_owned());
    let mut told = Vec::new();
    while told.last().is_none_or(|(code, _)| code != "end") {
        let facts = frames.next().await.unwrap().facts;
        let event = |fact| if let Fact::Event { code, sentence, .. } = fact { Some((code, sentence)) } else { None };
        told.extend(facts.into_iter().filter_map(event));
    }
    told.retain(|(code, _)| ["due", "stop_not_confirmed", "end"].contains(&code.as_str()));
    assert_eq!(told.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), ["due", "stop_not_confirmed", "end"]);
    assert!(told[1].1.contains("gate-1") && told[1].1.contains("red button on the post"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_stands_for_a_stop_by_its_gates_word_and_a_speed_that_agrees() {
    let (rig, unit) = answering().await;
    let first = pressed(&rig, &unit);
    let row = || rig.fleet.open_stops().remove(0).robots.remove(0);
    let word = |speed_mps, still| {
        let ack = (Status::Received, speed_mps, still);
        rig.fleet.stops.note_ack(&rig.fleet, &unit, first, ack, after(&rig, first, 40));
        row().standstill
    };
    assert_eq!(word(None, true), Some(false), "nothing was measured");
    assert_eq!(word(Some(0.02), true), Some(false));
    assert_eq!(word(Some(0.0), false), Some(false));
    assert_eq!(row().standstill_after_ms, None);
    assert_eq!(word(Some(-0.01), true), Some(true));
    assert_eq!((row().acked_after_ms, row().standstill_after_ms), (Some(40.0), Some(40.0)));
    assert_eq!(rig.fleet.stops.times_of(first, unit.id()), (Some(40.0), Some(40.0)));
    assert_eq!(rig.fleet.stops.times_of(first + 1, unit.id()), (None, None));
    for (speed_mps, turn_radps, still) in [(0.02, 0.0, false), (0.01, 0.0, true), (0.0, 1.0, false)] {
        rig.fleet.stops.note_speed(&rig.fleet, &unit, speed_mps, turn_radps);
        assert_eq!((row().standstill, row().speed_mps), (Some(still), Some(speed_mps)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drill_and_a_halt_bind_the_robot_under_the_numbers_that_they_give() {
    let (rig, unit) = rig().await;
    let given = [drill(&rig.fleet, &desk(), &unit), halt(&rig.fleet, &unit, because(SafetyCause::StopUnconfirmed))];
    assert_eq!(given, [1, 2]);
    let causes = unit.control().open_stops.clone();
    assert_eq!(causes, given.map(|stop_id| (stop_id, Some(SafetyCause::StopRobot))).into());
    assert_eq!(rig.fleet.stops.binding(unit.id()), BTreeSet::from(given));
}

#[tokio::test(flavor = "multi_thread")]
async fn x_03_a_stop_ends_the_turns_and_a_second_one_that_a_fallback_sends_after_it_ends_no_later_turn() {
    let (rig, unit) = rig().await;
    pressed(&rig, &unit);
    assert_eq!(rig.turns_ended(), 1);
    halt(&rig.fleet, &unit, because(SafetyCause::StopUnconfirmed));
    assert_eq!(rig.turns_ended(), 1);
    pressed(&rig, &unit);
    assert_eq!(rig.turns_ended(), 2, "a person's second press ends what began since the first");
}

#[tokio::test(flavor = "multi_thread")]
async fn x_03_a_fallback_that_stops_a_robot_first_ends_the_turns() {
    let (rig, unit) = rig().await;
    halt(&rig.fleet, &unit, because(SafetyCause::BeatLost));
    assert_eq!(rig.turns_ended(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_numbered_counted_unless_it_is_a_drill_and_known_to_be_saved_once_the_disk_has_it() {
    let (rig, unit) = rig().await;
    let stops = &rig.fleet.stops;
    let counted = || (stops.last_id(), stops.presses());
    assert_eq!(counted(), (0, 0));
    let first = pressed(&rig, &unit);
    assert_eq!((first, counted()), (1, (1, 1)));
    assert_eq!((pressed(&rig, &unit), counted()), (1, (1, 2)), "pressed again");
    assert_eq!((drill(&rig.fleet, &desk(), &unit), counted()), (2, (2, 2)));
    assert!(!stops.is_saved(3), "there is no such stop");
    until("the disk has it", || stops.is_saved(first)).await;
    assert_eq!(rig.fleet.runtime.db.stops().await.unwrap()[0].stop_id, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_stop_and_its_release_are_on_record_with_the_robots_that_they_bind() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    released(&rig, &unit, [first]).await.unwrap();
    rig.fleet.runtime.tasks.close();
    rig.fleet.runtime.tasks.wait().await;
    let records = rig.fleet.runtime.audit.evidence(&rig.fleet.runtime.db).await.unwrap();
    let of_stop = records.iter().filter(|record| record.named("stop_id=") == Some("1"));
    let hash = runtime::audit::canonical_hash(&BTreeSet::from([unit.id().clone()]));
    let found = of_stop.map(|record| (record.operation.as_str(), record.outcome.as_str(), record.input_hash.clone()));
    assert_eq!(found.collect::<Vec<_>>(), [("stop", "ok", Some(hash.clone())), ("stop_release", "closed", Some(hash))]);
}

/// A peer that hears what the station puts.
async fn peer(rig: &Rig) -> bridge::Link {
    let clock = rig.fleet.runtime.clock;
    let config = bridge::LinkConfig { connect: rig.fleet.runtime.link.endpoints(), ..Default::default() };
    bridge::Link::open(config, Arc::new(move || clock.now())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_stop_is_put_again_and_again_until_the_robot_is_said_to_stand() {
    let (rig, unit) = answering().await;
    let (puts, heard) = (Arc::new(AtomicU64::new(0)), bridge::RobotKeys::new(&unit.manifest).stop());
    let count = Arc::clone(&puts);
    let on_put = move |_| {
        count.fetch_add(1, Ordering::SeqCst);
    };
    let peer = peer(&rig).await;
    let _heard = peer.subscribe(&heard, on_put).await.unwrap();
    let first = pressed(&rig, &unit);
    let sent = || rig.fleet.open_stops()[0].robots[0].sent_after_ms;
    until("it is known that it was put", || sent().is_some()).await;
    let at_first = sent();
    rig.fleet.stops.note_ack(&rig.fleet, &unit, first, (Status::Received, Some(0.5), false), after(&rig, first, 5));
    let before = puts.load(Ordering::SeqCst);
    until("it is put again although it is confirmed", || puts.load(Ordering::SeqCst) > before + 1).await;
    assert_eq!(sent(), at_first, "when it was put first counts");
}

#[tokio::test(flavor = "multi_thread")]
async fn screens_are_told_of_a_stop_and_of_each_change_of_it_and_of_nothing_else() {
    let (rig, unit) = answering().await;
    let stops = &rig.fleet.stops;
    let mut frames = rig.fleet.runtime.bus.subscribe(());
    let first = pressed(&rig, &unit);
    until("the disk has it", || stops.is_saved(first)).await;
    until("it was put", || rig.fleet.open_stops()[0].robots[0].sent_after_ms.is_some()).await;
    let (fleet, late) = (&rig.fleet, after(&rig, first, 301));
    for (does, told) in [
        (&(|| {}) as &dyn Fn(), true),
        (&|| stops.note_speed(fleet, &unit, 0.5, 0.0), true),
        (&|| stops.note_speed(fleet, &unit, 0.4, 0.0), false),
        (&|| stops.note_speed(fleet, &unit, 0.0, 0.0), true),
        (&|| stops.sweep(fleet, late), true),
        (&|| stops.sweep(fleet, late), false),
        (&|| stops.note_ack(fleet, &unit, first, (Status::Received, None, false), late), true),
        (&|| stops.note_sent(fleet, unit.id(), first, late), false),
    ] {
        does();
        rig.fleet.runtime.bus.event("end", "nothing follows".to_owned());
        let (mut shown, mut ended) = (false, false);
        while !ended {
            for fact in frames.next().await.unwrap().facts {
                shown |= matches!(&fact, Fact::Stop { stop } if stop.stop_id == first);
                ended |= matches!(&fact, Fact::Event { code, .. } if code == "end");
            }
        }
        assert_eq!(shown, told);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_is_told_whether_a_stop_is_a_drill() {
    let (rig, unit) = answering().await;
    let (told, key) = (Arc::<Mutex<BTreeMap<u64, bool>>>::default(), bridge::RobotKeys::new(&unit.manifest).stop());
    let noted = Arc::clone(&told);
    let on_put = move |sample: robot::Sample| {
        let message: serde_json::Value = serde_json::from_slice(&sample.payload).unwrap();
        let is_drill = message.get("drill").is_some_and(|drill| drill == true);
        lock(&noted).insert(message["stop_id"].as_u64().unwrap(), is_drill);
    };
    let peer = peer(&rig).await;
    let _heard = peer.subscribe(&key, on_put).await.unwrap();
    let of_drill = drill(&rig.fleet, &desk(), &unit);
    let real = pressed(&rig, &unit);
    until("both were put", || lock(&told).len() == 2).await;
    assert_eq!(*lock(&told), BTreeMap::from([(of_drill, true), (real, false)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_voids_what_waits_to_move_its_robots_and_a_drill_voids_nothing() {
    let (rig, unit) = rig().await;
    drill(&rig.fleet, &desk(), &unit);
    let of_one = pressed(&rig, &unit);
    let of_all = press_at_once(&rig.fleet, &Session::stranger(), None, None).stop_id;
    until("both have voided", || rig.voided().len() == 2).await;
    let voided = rig.voided().into_iter().map(|stop| (stop.stop_id, stop.presses, stop.is_of_all, stop.robots));
    let robots = || BTreeSet::from([unit.id().clone()]);
    assert_eq!(voided.collect::<Vec<_>>(), [(of_one, 1, false, robots()), (of_all, 2, true, robots())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_somebody_else_has_put_at_the_robot_is_in_force_here_too_and_what_its_gate_latched_is_not() {
    let (rig, unit) = answering().await;
    let other = robot::StationId::new("desk-2").unwrap();
    let own = rig.fleet.runtime.id.clone();
    let fault = StoppedBy::Fault(GateFault::Silent);
    for by in [StoppedBy::Station(own), StoppedBy::Restart, StoppedBy::Deadman, fault] {
        take_over(&rig.fleet, &unit, GateStop { by, stop_id: 7 });
    }
    for (by, actor) in [
        (StoppedBy::Station(other.clone()), Session::other_station(&other)),
        (StoppedBy::Stranger, Session::stranger()),
    ] {
        let stop = GateStop { by, stop_id: 7 };
        unit.control().beats.gate_stops = BTreeSet::from([stop.clone()]);
        take_over(&rig.fleet, &unit, stop);
        let taken_over = || unit.control().beats.held()[0].1;
        until("it is taken over", || taken_over().is_some()).await;
        let row = rig.fleet.open_stops().pop().unwrap();
        assert_eq!((Some(row.stop_id), row.by.as_str()), (taken_over(), actor.actor()));
        assert!(unit.control().open_stops.contains_key(&row.stop_id));
    }
    assert_eq!(rig.fleet.open_stops().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_not_released_while_something_else_is_wrong_with_the_robot() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    supervision::step(&rig.fleet, &unit, [SafetyCause::RobotGateFault].into_iter().collect(), None);
    let refused = released(&rig, &unit, [first]).await.unwrap_err();
    assert_eq!((refused.code.as_str(), &refused.details["cause"]), ("causes_open", &"robot_gate_fault".into()));
    assert_eq!(in_force(&rig, &unit), (BTreeSet::from([first]), BTreeSet::from([first])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_whose_gate_does_not_confirm_the_release_stays_stopped_and_those_let_go_before_it_are_named() {
    let (rig, unit) = rig().await;
    let silent = rig.add_with_gate("gate-2").await;
    let first = press_at_once(&rig.fleet, &desk(), None, None).stop_id;
    let robots = [unit.id().clone(), silent.id().clone()];
    let error = release(&rig.fleet, &desk(), &BTreeSet::from([first]), &robots).await.unwrap_err();
    assert_eq!(
        (error.code.as_str(), &error.details["released"]),
        ("robot_unreachable", &serde_json::json!(["gate-1"]))
    );
    assert!(error.message.contains("gate-2") && error.message.ends_with("Released before that: gate-1."), "{error:?}");
    assert_eq!(in_force(&rig, &unit), (BTreeSet::new(), BTreeSet::new()));
    assert_eq!(in_force(&rig, &silent), (BTreeSet::from([first]), BTreeSet::from([first])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_says_whether_the_disk_has_its_stop() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    until("the disk has it", || rig.fleet.stops.is_saved(first)).await;
    let again = press(&rig.fleet, &desk(), None, Some(unit.id())).await;
    assert_eq!((again.stop_id, again.latch_saved), (first, true));
    rig.fleet.runtime.db.close().await;
    let second = press(&rig.fleet, &Session::stranger(), None, Some(unit.id())).await;
    assert_eq!((second.stop_id, second.latch_saved), (first + 1, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_waits_for_what_it_voids_but_not_for_ever() {
    let (rig, unit) = rig().await;
    let kept = rig.keep_from_voiding();
    let began = rig.fleet.runtime.clock.now().station;
    press(&rig.fleet, &desk(), None, Some(unit.id())).await;
    assert!(rig.fleet.runtime.clock.now().station.ms_since(began) >= 1_000, "it did not wait");
    assert_eq!(rig.voided().len(), 0);
    drop(kept);
    until("it has voided", || rig.voided().len() == 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_release_lets_go_at_once_and_is_answered_after_the_disk() {
    let (rig, unit) = rig().await;
    let first = pressed(&rig, &unit);
    // What writes the release has no thread to run on meanwhile.
    let ((busy, is_busy), (free, is_free)) = (sync_channel(1), sync_channel::<()>(1));
    let occupied = rig.fleet.runtime.tasks.spawn(async move {
        busy.send(()).unwrap();
        // Its end is that the other side is gone.
        let _ = is_free.recv();
    });
    is_busy.recv().unwrap();
    let mut releasing = pin!(released(&rig, &unit, [first]));
    run_until_it_waits(releasing.as_mut());
    assert_eq!(in_force(&rig, &unit), (BTreeSet::new(), BTreeSet::new()));
    drop(free);
    releasing.await.unwrap();
    occupied.await.unwrap();
}
