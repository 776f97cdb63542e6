use tokio::task::JoinHandle;

use super::*;
use crate::test_support::Rig;
use bridge::envelope::GateFault;
use robot::StationId;

fn other() -> StationId {
    StationId::new("desk-2").unwrap()
}

fn claim_of(rig: &Rig) -> Subject {
    Subject::Claim { station: rig.fleet.runtime.id.clone(), epoch: rig.unit.control().epoch }
}

fn ack(rig: &Rig, subject: Subject, status: Status) -> Ack {
    Ack { robot: rig.unit.id().clone(), subject, status, claimed_by: None, speed_mps: None, standstill: false }
}

fn tell(rig: &Rig, ack: Ack) {
    rig.fleet.acks.send(Arc::new(ack)).unwrap();
}

/// A claim that waits for the gate's word.
async fn claiming(rig: &Rig) -> JoinHandle<Result<u64, OpError>> {
    let (fleet, unit) = (Arc::clone(&rig.fleet), Arc::clone(&rig.unit));
    let task = rig.fleet.runtime.tasks.spawn(async move {
        let claims = unit.claims.lock().await;
        unit.claim(&fleet, &Session::bootstrap(), &claims).await
    });
    while rig.fleet.acks.receiver_count() == 0 {
        tokio::task::yield_now().await;
    }
    task
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_in_force_by_the_word_of_its_own_robot_on_that_very_claim() {
    let rig = Rig::start_with_gate().await;
    let task = claiming(&rig).await;
    let (station, epoch) = (rig.fleet.runtime.id.clone(), rig.unit.control().epoch);
    let refused = Status::Refused(Reason::Lease);
    let of_another = Ack { robot: RobotId::new("gate-2").unwrap(), ..ack(&rig, claim_of(&rig), refused) };
    tell(&rig, of_another);
    tell(&rig, ack(&rig, Subject::Claim { station: station.clone(), epoch: epoch + 1 }, refused));
    tell(&rig, ack(&rig, Subject::Claim { station: other(), epoch }, refused));
    tell(&rig, ack(&rig, Subject::Release { station, epoch }, refused));
    assert!(!rig.unit.fence.admits(rig.unit.fence.generation(), epoch));
    tell(&rig, ack(&rig, claim_of(&rig), Status::Received));
    assert_eq!(task.await.unwrap().unwrap(), epoch);
    assert_eq!(rig.unit.fence.epoch(), epoch);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_somebody_has_overtaken_opens_nothing_although_the_robot_confirms_it() {
    let rig = Rig::start_with_gate().await;
    let task = claiming(&rig).await;
    rig.unit.control().handovers += 1;
    let before = rig.unit.fence.epoch();
    tell(&rig, ack(&rig, claim_of(&rig), Status::Received));
    task.await.unwrap().unwrap();
    assert_eq!(rig.unit.fence.epoch(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_is_refused_names_the_station_to_ask_if_there_is_one() {
    let rig = Rig::start_with_gate().await;
    let own = rig.fleet.runtime.id.clone();
    for (status, claimed_by, code) in [
        (Status::Refused(Reason::Lease), Some(other()), "claimed_elsewhere"),
        (Status::Refused(Reason::Lease), Some(own), "refused_by_robot"),
        (Status::Refused(Reason::Lease), None, "refused_by_robot"),
        (Status::Refused(Reason::Replay), Some(other()), "refused_by_robot"),
        (Status::BadSignature, None, "robot_unreachable"),
    ] {
        let task = claiming(&rig).await;
        tell(&rig, Ack { claimed_by, ..ack(&rig, claim_of(&rig), status) });
        assert_eq!(task.await.unwrap().unwrap_err().code, code);
    }
}

/// The fate of the robot when it is claimed anew, its gate holding `stops`: "released" if it was asked to end some
/// of them, "kept" if none.
async fn regained(rig: &Rig, stops: impl IntoIterator<Item = OpenStop>) -> &'static str {
    rig.unit.control().beats.gate_stops = stops.into_iter().collect();
    loop {
        let (fleet, unit) = (Arc::clone(&rig.fleet), Arc::clone(&rig.unit));
        let task = rig.fleet.runtime.tasks.spawn(async move {
            let claims = unit.claims.lock().await;
            unit.regain(&fleet, &Session::bootstrap(), &claims).await
        });
        while !task.is_finished() {
            let (station, epoch) = (rig.fleet.runtime.id.clone(), rig.unit.control().epoch);
            let release = ack(rig, Subject::Release { station, epoch }, Status::Refused(Reason::Replay));
            for told in [ack(rig, claim_of(rig), Status::Received), release] {
                // Nobody listens before the claim is put, and between it and the release.
                let _ = rig.fleet.acks.send(Arc::new(told));
            }
            tokio::task::yield_now().await;
        }
        match task.await.unwrap() {
            Ok(()) => return "kept",
            Err(error) if error.code == "refused_by_robot" => return "released",
            // The machine was busy for the whole second.
            Err(error) if error.code == "robot_unreachable" => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn claiming_a_robot_anew_ends_what_its_gate_latched_by_itself_and_nothing_that_somebody_stopped() {
    let rig = Rig::start_with_gate().await;
    let own = |stop_id: u64| OpenStop { by: StoppedBy::Station(rig.fleet.runtime.id.clone()), stop_id };
    let of_other = OpenStop { by: StoppedBy::Station(other()), stop_id: 7 };
    let strangers = OpenStop { by: StoppedBy::Stranger, stop_id: 7 };
    let fault = StoppedBy::Fault(GateFault::Silent);
    let of_gate = [StoppedBy::Restart, StoppedBy::Deadman, fault].map(|by| OpenStop { by, stop_id: 1 });
    let robots = std::slice::from_ref(rig.unit.id());
    let pressed = stops::press_at_once(&rig.fleet, &Session::bootstrap(), None, Some(robots)).stop_id;
    assert_eq!(regained(&rig, []).await, "kept");
    assert_eq!(regained(&rig, [of_other]).await, "kept");
    assert_eq!(regained(&rig, [strangers]).await, "kept");
    assert_eq!(regained(&rig, [own(pressed)]).await, "kept");
    assert_eq!(regained(&rig, [own(pressed + 1)]).await, "released");
    for stop in of_gate {
        assert_eq!(regained(&rig, [stop]).await, "released");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_ends_at_the_gate_what_it_names_and_what_nothing_here_keeps_and_no_other_stop() {
    let rig = Rig::start_with_gate().await;
    let robots = std::slice::from_ref(rig.unit.id());
    let pressed = || stops::press_at_once(&rig.fleet, &Session::bootstrap(), None, Some(robots)).stop_id;
    let kept = stops::drill(&rig.fleet, &Session::bootstrap(), &rig.unit);
    let named = pressed();
    assert_ne!(kept, named);
    let own = |stop_id: u64| OpenStop { by: StoppedBy::Station(rig.fleet.runtime.id.clone()), stop_id };
    let strangers = |stop_id: u64| OpenStop { by: StoppedBy::Stranger, stop_id };
    let of_gate = OpenStop { by: StoppedBy::Restart, stop_id: 1 };
    {
        let mut control = rig.unit.control();
        let held = [own(kept), own(named + 1), strangers(7), strangers(8), strangers(9), of_gate.clone()];
        control.beats.gate_stops = held.into_iter().collect();
        control.beats.note_taken_over(strangers(7), named);
        control.beats.note_taken_over(strangers(8), kept);
    }
    let ended = |stop_ids: &[u64]| rig.unit.ended_at_gate(&rig.fleet, &stop_ids.iter().copied().collect());
    // The gate has not told of the named stop yet; nobody here knows one of the number after it.
    let expected = [own(named), own(named + 1), strangers(7), of_gate.clone()];
    assert_eq!(ended(&[named, named + 2]), expected.into_iter().collect());
    assert_eq!(ended(&[]), [own(named + 1), of_gate].into_iter().collect());
}

async fn armed_by(rig: &Rig, reason: Option<&str>) -> Result<RobotSafety, OpError> {
    arm(&rig.fleet, &Session::bootstrap(), rig.unit.id(), Purpose::Work(reason)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn motion_passes_once_the_gate_has_confirmed_the_claim_and_answered_for_its_whole_time() {
    let rig = Rig::start_armed().await;
    let epoch = rig.unit.control().epoch;
    assert!(!rig.unit.fence.is_latched() && rig.unit.fence.admits(rig.unit.fence.generation(), epoch));
    assert_eq!(armed_by(&rig, None).await.unwrap().state, State::Armed, "armed already");
    assert_eq!((rig.unit.fence.is_latched(), rig.unit.control().epoch), (false, epoch));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_was_told_to_end_its_motion_is_not_taken_for_armed() {
    let rig = Rig::start_armed().await;
    rig.unit.fence.engage();
    assert_eq!(armed_by(&rig, None).await.unwrap_err().code, "robot_unreachable");
    assert_eq!((rig.unit.state(), rig.unit.fence.is_latched()), (State::Disarmed, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_to_arm_names_what_speaks_against_it() {
    let check = async |rig: &Rig, code: &str, named: &str| {
        let error = armed_by(rig, None).await.unwrap_err();
        assert!(error.code == code && error.message.contains(named), "{error:?}");
        assert_eq!(rig.unit.state(), State::Disarmed);
        error
    };
    let rig = Rig::start_patient(&[]).await;
    check(&rig, "not_armable", "does not answer").await;
    rig.answer();
    rig.unit.control().supervision = Some(robot::Supervision::Required);
    rig.pass_s(61);
    let error = check(&rig, "not_armable", SafetyCause::OperatorAbsent.rule().sentence).await;
    assert_eq!(error.details["cause"], "operator_absent");
    supervision::note_latch(&rig.fleet, [rig.unit.id()], false);
    supervision::step(&rig.fleet, &rig.unit, CauseSet::EMPTY, None);
    check(&rig, "not_armable", SafetyCause::StoreUnavailable.rule().sentence).await;

    let stop_id = stops::drill(&rig.fleet, &Session::bootstrap(), &rig.unit);
    let error = armed_by(&rig, None).await.unwrap_err();
    assert_eq!((error.code.as_str(), &error.details["stop_ids"]), ("latched", &serde_json::json!([stop_id])));

    let key = "public_key = \"ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\"";
    let gateless = Rig::start_patient(&[("gate = \"reference\"", "gate = \"none\""), (key, "")]).await;
    check(&gateless, "not_armable", "has no gate").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cause_is_acknowledged_once_it_is_over_and_only_if_that_ends_it() {
    let rig = Rig::start_armed().await;
    let step = |cause: Option<SafetyCause>| {
        supervision::step(&rig.fleet, &rig.unit, cause.into_iter().collect(), None);
    };
    let acknowledged = |cause| acknowledge(&rig.fleet, rig.unit.id(), cause).map_err(|error| error.code.to_string());
    let refused = |code: &str| Err(code.to_owned());
    let hold = SafetyCause::HoldRequested;
    assert_eq!(acknowledged(hold).map(drop), refused("no_such_cause"));
    step(Some(hold));
    assert_eq!(acknowledged(SafetyCause::BeatLate).map(drop), refused("no_such_cause"));
    assert_eq!(acknowledged(hold).map(drop), refused("cause_present"));
    step(None);
    assert_eq!(acknowledged(hold).map(drop), Ok(()));
    step(Some(SafetyCause::RobotGateFault));
    step(None);
    assert_eq!(acknowledged(SafetyCause::RobotGateFault).map(drop), refused("not_by_acknowledgement"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_armed_robot_changes_what_it_is_armed_for_by_being_disarmed_first() {
    let rig = Rig::start_armed().await;
    let by = Session::bootstrap();
    let error = arm(&rig.fleet, &by, rig.unit.id(), Purpose::Commissioning).await.unwrap_err();
    assert!(error.code == "not_armable" && error.message.contains("armed for work"), "{error:?}");
    rig.unit.control().for_commissioning = true;
    let error = armed_by(&rig, None).await.unwrap_err();
    assert!(error.code == "not_armable" && error.message.contains("armed for commissioning"), "{error:?}");
    assert!(arm(&rig.fleet, &by, rig.unit.id(), Purpose::Commissioning).await.is_ok(), "armed for it already");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_is_not_commissioned_is_armed_for_nothing_but_commissioning() {
    let rig = Rig::start_patient(&[]).await;
    rig.answer();
    let act = |purpose| check_armable(&rig.fleet, &rig.unit, purpose).map_err(|error| error.code.to_string());
    for (left, for_work) in [
        (safety::Commissioning::Complete, Ok(Act::Arm)),
        (safety::Commissioning::Missing, Err("not_commissioned".to_owned())),
    ] {
        rig.unit.control().beats.commissioning = left;
        assert_eq!(act(Purpose::Work(None)), for_work);
        assert_eq!(act(Purpose::Commissioning), Ok(Act::Arm));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_is_where_it_may_not_be_is_armed_to_escape_from_there_for_a_reason_alone() {
    let pose =
        "state = [{ kind = \"pose\", key = \"lab/gate-1/out/state/pose\", codec = \"json\", max_age_ms = 2000 }]";
    let room = "goal_jump_m_max = 1.0, workspace = { x = [-0.5, 0.5], y = [-0.5, 0.5], z = [-0.5, 0.5] }";
    let replaced = [("state = []", pose), ("goal_jump_m_max = 1.0", room), ("\"switch\"", "\"tool\"")];
    let rig = Rig::start_patient(&replaced).await;
    rig.answer();
    let act = |reason| {
        let refused = |error: OpError| (error.code.to_string(), error.details["remedy"].as_str().map(str::to_owned));
        check_armable(&rig.fleet, &rig.unit, Purpose::Work(reason)).map_err(refused)
    };
    let unknown = Err(("no_fresh_pose".to_owned(), None));
    assert_eq!((act(None), act(Some("to mend it"))), (unknown.clone(), unknown), "nobody knows where it is");
    let is_at = |x_m: f64| {
        let frame = robot::FrameId::new("base_link").unwrap();
        let value = safety::Pose { frame, position_m: [x_m, 0.0, 0.0], orientation: None };
        let observed = rig.now();
        rig.unit.measure(|known| {
            known.heard.note(0, observed);
            known.pose.renew(Measured { value: value.clone(), observed });
        });
    };
    is_at(0.7);
    let remedy = Err(("inconsistent_set".to_owned(), Some("reason_to_escape".to_owned())));
    assert_eq!((act(None), act(Some("to mend it"))), (remedy, Ok(Act::ArmToEscape)));
    is_at(0.0);
    assert_eq!((act(None), act(Some("to mend it"))), (Ok(Act::Arm), Ok(Act::Arm)));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_epoch_that_a_robot_is_claimed_under_is_on_record() {
    let rig = Rig::start_armed().await;
    let epochs = rig.records("epoch").await;
    assert_eq!(epochs.last().map(|record| record["epoch"].as_u64()), Some(Some(rig.unit.control().epoch)));
}
