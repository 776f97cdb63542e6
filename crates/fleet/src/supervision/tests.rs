use std::time::Duration;

use bridge::envelope::{Ack, Status, Subject};
use robot::StationId;
use runtime::wire::Fact;
use safety::fallback::FallbackClass;
use safety::monitor::{PoseSource, StateSample};
use safety::{Measured, Pose};

use super::*;
use crate::state::robot_handle::Grant;
use crate::test_support::{Rig, until};

fn stepped(rig: &Rig, act: impl Into<Option<Act>>) -> State {
    step(&rig.fleet, &rig.unit, CauseSet::EMPTY, act.into())
}

/// Steps the robot with `cause`; it confirms the stop at once, if that makes one, however busy the machine is.
fn event(rig: &Rig, cause: SafetyCause) -> State {
    let state = step(&rig.fleet, &rig.unit, [cause].into_iter().collect(), None);
    for stop_id in rig.fleet.stops.binding(rig.unit.id()) {
        rig.fleet.stops.note_ack(&rig.fleet, &rig.unit, stop_id, (Status::Received, None, false), rig.now());
    }
    state
}

/// Arms the robot, with its fence open.
fn arm(rig: &Rig) {
    rig.answer();
    is_seen(rig);
    assert_eq!(stepped(rig, Act::Arm), State::Arming);
    assert_eq!(stepped(rig, None), State::Arming);
    rig.pass_s(6);
    is_seen(rig);
    assert_eq!(stepped(rig, None), State::Armed);
    assert!(rig.unit.open_fence(rig.unit.fence.generation()));
}

async fn armed() -> Rig {
    let rig = Rig::start_patient(&[]).await;
    arm(&rig);
    rig
}

fn causes(rig: &Rig) -> Vec<SafetyCause> {
    rig.unit.control().safety.causes().iter().map(|active| active.cause).collect()
}

fn present(rig: &Rig, cause: SafetyCause) -> bool {
    stepped(rig, None);
    rig.unit.control().present.has(cause)
}

/// Number of holds that `act` puts.
fn holds(rig: &Rig, act: impl FnOnce()) -> u64 {
    let before = rig.unit.link.hold();
    act();
    rig.unit.link.hold() - before - 1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fence_that_is_open_without_leave_is_closed_and_locks_the_robot_until_the_station_is_started_anew() {
    let rig = Rig::start_with_gate().await;
    let unit = Arc::clone(&rig.unit);
    assert_eq!(step(&rig.fleet, &unit, CauseSet::EMPTY, None), State::Disarmed);
    assert!(unit.fence.release(unit.fence.generation()).is_some());
    assert_eq!(step(&rig.fleet, &unit, CauseSet::EMPTY, None), State::Lockout);
    assert!(unit.fence.is_latched());
    assert_eq!(causes(&rig), [SafetyCause::StateFault]);
    assert_eq!(step(&rig.fleet, &unit, CauseSet::EMPTY, Some(Act::Recommission)), State::Lockout);
}

#[test]
fn an_open_fence_of_a_robot_that_is_not_armed_is_a_fault_of_the_station() {
    let (disarmed, fence) = (machine::RobotSafety::new(Instant::from_millis(0)), Fence::new(1, 1));
    assert!(is_impossible(&disarmed, &fence));
    fence.engage();
    assert!(!is_impossible(&disarmed, &fence));
}

#[tokio::test(flavor = "multi_thread")]
async fn f3_a_robot_that_answers_late_is_held_and_one_that_is_lost_is_stopped() {
    let rig = armed().await;
    assert_eq!((stepped(&rig, None), rig.unit.fence.is_latched()), (State::Armed, false));
    rig.pass_silent_s(61);
    assert_eq!(holds(&rig, || assert_eq!(stepped(&rig, None), State::Hold)), 1);
    assert_eq!((causes(&rig), rig.unit.fence.is_latched()), (vec![SafetyCause::BeatLate], true));
    assert_eq!(rig.fleet.stops.binding(rig.unit.id()).len(), 0);
    rig.pass_silent_s(120);
    assert_eq!(stepped(&rig, None), State::SafeStop);
    assert_eq!(causes(&rig), [SafetyCause::BeatLate, SafetyCause::BeatLost]);
    assert!(rig.unit.control().safety.causes().iter().all(|active| active.is_present()));
    let rows = rig.fleet.open_stops();
    assert_eq!(rows.iter().map(|row| row.by.as_str()).collect::<Vec<_>>(), [Session::supervision().actor()]);
    assert_eq!(rows[0].reason.as_deref(), Some(SafetyCause::BeatLate.rule().sentence));
    let link = rig
        .fleet
        .fallbacks
        .rows(rig.unit.id(), &*rig.fleet.observer)
        .into_iter()
        .find(|row| row.class == FallbackClass::Link);
    assert_eq!(link.and_then(|row| row.why).as_deref(), Some(SafetyCause::BeatLost.rule().sentence));
    rig.answer();
    stepped(&rig, None);
    assert!(rig.unit.control().safety.causes().iter().all(|active| !active.is_present()));
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_stop_or_a_hold_that_the_robot_does_not_confirm_is_unconfirmed_while_the_link_is_alive() {
    let rig = Rig::start_patient(&[]).await;
    rig.answer();
    assert!(!present(&rig, SafetyCause::StopUnconfirmed));
    rig.unit.hold(rig.now());
    rig.pass_silent_s(61);
    assert!(!present(&rig, SafetyCause::StopUnconfirmed), "the link says what is wrong");
    rig.answer();
    assert!(present(&rig, SafetyCause::StopUnconfirmed), "a hold");

    let rig = Rig::start_patient(&[]).await;
    rig.answer();
    stops::press_at_once(&rig.fleet, &Session::bootstrap(), None, None);
    rig.pass_s(1);
    assert!(present(&rig, SafetyCause::StopUnconfirmed), "a stop");
    rig.fleet.stops.note_looked(rig.unit.id());
    assert!(!present(&rig, SafetyCause::StopUnconfirmed));
}

#[tokio::test(flavor = "multi_thread")]
async fn f16_a_robot_that_needs_a_screen_is_held_while_nobody_is_there_and_another_is_not() {
    let rig = armed().await;
    rig.pass_s(61);
    assert!(!rig.fleet.presence.anybody(rig.now()));
    assert!(!present(&rig, SafetyCause::OperatorAbsent), "it moves unattended");
    rig.unit.control().supervision = Some(Supervision::Required);
    rig.fleet.presence.note_call(&"window".into(), rig.now());
    assert!(!present(&rig, SafetyCause::OperatorAbsent));
    rig.pass_s(61);
    assert_eq!(stepped(&rig, None), State::Hold);
    assert_eq!(causes(&rig), [SafetyCause::OperatorAbsent]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_is_armed_no_longer_than_its_limits_are_complete_or_somebody_lets_it_move_without() {
    let rig = measured(&[("\"switch\"", "\"gripper\"")]).await;
    rig.answer();
    assert!(present(&rig, SafetyCause::SetEmptied));
    assert_eq!(stepped(&rig, Act::Arm), State::Disarmed);
    let until = rig.now().plus(Duration::from_secs(3_600));
    rig.unit.control().grant = Some(Grant { until, sentence: String::new() });
    assert!(!present(&rig, SafetyCause::SetEmptied));
    arm(&rig);
    rig.unit.control().grant = None;
    assert_eq!(holds(&rig, || assert_eq!(stepped(&rig, None), State::Disarmed)), 1);
    assert!(rig.unit.fence.is_latched());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_another_station_has_claimed_since_is_held() {
    let rig = armed().await;
    {
        let mut control = rig.unit.control();
        control.epoch = 1;
        control.beats.gate_epoch = 2;
        control.beats.claimed_by = Some(rig.fleet.runtime.id.clone());
    }
    assert_eq!(stepped(&rig, None), State::Armed);
    rig.unit.control().beats.claimed_by = Some(StationId::new("desk-2").unwrap());
    assert_eq!(stepped(&rig, None), State::Hold);
    assert_eq!(causes(&rig), [SafetyCause::EpochConflict]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_whose_latch_is_not_on_disk_is_held_until_it_is() {
    let rig = armed().await;
    let robots = [rig.unit.id().clone()];
    note_latch(&rig.fleet, &robots, true);
    assert_eq!(stepped(&rig, None), State::Armed);
    note_latch(&rig.fleet, &robots, false);
    assert_eq!(stepped(&rig, None), State::Hold);
    assert!(present(&rig, SafetyCause::StoreUnavailable));
    note_latch(&rig.fleet, &robots, true);
    assert!(!present(&rig, SafetyCause::StoreUnavailable));
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_told_of_each_change_of_the_state_or_of_its_causes_and_of_nothing_else() {
    let rig = armed().await;
    let mut frames = rig.fleet.runtime.bus.subscribe(());
    let mut state = rig.unit.state_changed.subscribe();
    for (does, told, events) in [
        (None, false, &[][..]),
        (Some(SafetyCause::RobotGateFault), true, &["robot_gate_fault"]),
        (Some(SafetyCause::RobotGateFault), false, &[]),
        (None, true, &[]),
        (Some(SafetyCause::UncleanRestart), true, &["unclean_restart"]),
    ] {
        match does {
            Some(cause) => event(&rig, cause),
            None => stepped(&rig, None),
        };
        rig.fleet.runtime.bus.event("end", "nothing follows".to_owned());
        let (mut shown, mut codes) = (false, Vec::new());
        while codes.last().is_none_or(|code| code != "end") {
            for fact in frames.next().await.unwrap().facts {
                shown |= matches!(fact, Fact::RobotSafety { .. });
                if let Fact::Event { code, .. } = fact {
                    codes.push(code);
                }
            }
        }
        codes.pop();
        assert_eq!(*state.borrow_and_update(), rig.unit.state());
        assert_eq!((shown, codes), (told, events.iter().map(|&code| code.to_owned()).collect()), "{does:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_robot_is_locked_on_disk() {
    let rig = armed().await;
    assert_eq!(event(&rig, SafetyCause::IdentityMismatch), State::Lockout);
    until("it is shown as locked once the disk has it", || rig.unit.state() == State::Lockout).await;
    let locked = rig.fleet.runtime.db.lockouts().await.unwrap();
    assert_eq!(locked.iter().map(|left| left.robot.clone()).collect::<Vec<_>>(), [rig.unit.id().clone()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_a_state_has_asked_for_ends_with_the_state() {
    let rig = Rig::start_with_gateless_robot().await;
    assert_eq!(event(&rig, SafetyCause::RobotGateFault), State::SafeStop);
    assert_eq!(rig.fleet.stops.binding(rig.unit.id()).len(), 1);
    assert_eq!(stepped(&rig, None), State::SafeStop);
    rig.pass_silent_s(2);
    assert_eq!(stepped(&rig, Act::Disarm { looked: true }), State::Disarmed);
    until("its stop is released", || rig.unit.control().open_stops.is_empty()).await;
    assert!(rig.fleet.stops.binding(rig.unit.id()).is_empty());
}

/// The robot has come out of a hold, and is claimed anew.
async fn out_of_a_hold() -> Rig {
    let rig = armed().await;
    assert_eq!(event(&rig, SafetyCause::HoldRequested), State::Hold);
    assert_eq!(stepped(&rig, None), State::Hold);
    rig.pass_s(61);
    let hold_id = rig.unit.link.hold() - 1;
    rig.unit.control().told_acknowledged(hold_id);
    assert_eq!(stepped(&rig, Act::Acknowledge(SafetyCause::HoldRequested)), State::Armed);
    assert!(rig.unit.fence.is_latched(), "nothing passes before the robot has confirmed the claim");
    rig
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_comes_out_of_a_hold_once_it_has_confirmed_a_new_claim() {
    let rig = out_of_a_hold().await;
    let confirmed = || {
        let subject = Subject::Claim { station: rig.fleet.runtime.id.clone(), epoch: rig.unit.control().epoch };
        let (robot, status) = (rig.unit.id().clone(), Status::Received);
        let ack = Ack { robot, subject, status, claimed_by: None, speed_mps: None, standstill: false };
        // Nobody listens before the claim is put.
        let _ = rig.fleet.acks.send(Arc::new(ack));
        !rig.unit.fence.is_latched()
    };
    until("motion passes again", confirmed).await;
    assert!(rig.unit.fence.admits(rig.unit.fence.generation(), rig.unit.control().epoch));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_does_not_confirm_the_claim_after_a_hold_is_disarmed() {
    let rig = out_of_a_hold().await;
    until("it is disarmed", || rig.unit.state() == State::Disarmed).await;
    assert!(rig.unit.fence.is_latched());
}

/// A robot of one switch whose pose is measured: it has nowhere where it may not be.
async fn measured(replaced: &[(&str, &str)]) -> Rig {
    let pose =
        "state = [{ kind = \"pose\", key = \"lab/gate-1/out/state/pose\", codec = \"json\", max_age_ms = 2000 }]";
    let rig = Rig::start_patient(&[&[("state = []", pose)], replaced].concat()).await;
    is_seen(&rig);
    rig
}

fn pose() -> Pose {
    Pose { frame: robot::FrameId::new("base_link").unwrap(), position_m: [0.0; 3], orientation: None }
}

/// Its pose is measured, if anything there measures one.
fn is_seen(rig: &Rig) {
    if rig.unit.manifest.state.is_empty() {
        return;
    }
    let measured = Measured { value: pose(), observed: rig.now() };
    rig.unit.watch(StateSample::Pose(PoseSource::First, &measured, &[]), measured.observed);
    rig.unit.measure(|known| {
        known.heard.note(0, measured.observed);
        known.pose.renew(measured.clone());
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_was_armed_to_escape_is_disarmed_once_it_is_where_it_may_be() {
    let rig = measured(&[]).await;
    rig.answer();
    rig.unit.control().escape_from = Some(pose());
    assert_eq!(stepped(&rig, Act::ArmToEscape), State::Arming);
    assert_eq!(stepped(&rig, None), State::Arming, "it is not armed yet");
    rig.pass_s(6);
    is_seen(&rig);
    assert_eq!(stepped(&rig, None), State::Armed);
    assert_eq!(stepped(&rig, None), State::Disarmed);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_arms_a_robot_to_escape_whose_place_is_unknown() {
    let rig = Rig::start_patient(&[]).await;
    rig.answer();
    assert_eq!(stepped(&rig, Act::ArmToEscape), State::Disarmed);
    assert_eq!(stepped(&rig, Act::Arm), State::Arming);
}

#[tokio::test(flavor = "multi_thread")]
async fn f10_a_robot_whose_pose_falls_silent_is_held() {
    let rig = measured(&[]).await;
    arm(&rig);
    assert_eq!(stepped(&rig, None), State::Armed);
    rig.pass_s(3);
    assert_eq!(stepped(&rig, None), State::Hold);
    assert_eq!(causes(&rig), [SafetyCause::PoseStale]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_a_state_has_asked_for_is_not_released_before_the_state_is_over() {
    let rig = Rig::start_with_gateless_robot().await;
    assert_eq!(event(&rig, SafetyCause::RobotGateFault), State::SafeStop);
    let claims = rig.unit.claims.lock().await;
    stops::release_supervised(&rig.fleet, &rig.unit, &claims).await.unwrap();
    assert_eq!(rig.fleet.stops.binding(rig.unit.id()).len(), 1);
    assert_eq!(rig.unit.control().open_stops.len(), 1);
}
