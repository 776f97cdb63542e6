//! Two real sessions over loopback: a station and a robot. Nothing sleeps; everything waits for a message.

mod attacks;
mod pairing;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use robot::{Command, CommandId, Instant, LeaseToken, ParseContext, RawCommand, Source, parse_command};
use safety::{
    Approved, Fence, Fresh, JudgeNumbers, Limits, Pose, RefusedAtSend, RobotState, SourceTimes, Speeds, judge,
};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::*;
use crate::envelope::{Ack, BeatAnswer, OpenStop, Status, StopMessage, StoppedBy, Subject, parse};
use crate::fixtures::{at_rest, manifest, open_stop, robot, station};
use crate::robot_gate::{Credentials, RobotGate, Volatile};
use crate::signing::SigningKey;
use crate::{Claims, RobotKeys, RobotLink, Sent, StopPutFn};

/// The robot's private key; its public half stands in the manifest of the fixtures. RFC 8032, test 1.
const ROBOT_SEED: [u8; 32] = [
    0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5,
    0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
];
/// Far beyond what any of it takes, also on a busy computer.
const DEADLINE: Duration = Duration::from_secs(20);

fn clock() -> ClockFn {
    clock_ahead(Arc::default())
}

/// A clock that jumps ahead by so many milliseconds.
#[expect(clippy::disallowed_methods, reason = "a test's station clock")]
fn clock_ahead(ahead_ms: Arc<AtomicU64>) -> ClockFn {
    let start = std::time::Instant::now();
    Arc::new(move || {
        let elapsed = start.elapsed() + Duration::from_millis(ahead_ms.load(Ordering::SeqCst));
        Now { station: Instant(elapsed.as_nanos() as u64), wall_ms: 1_700_000_000_000 }
    })
}

async fn sessions(clock: &ClockFn) -> (Link, Link) {
    let listen = LinkConfig { listen: vec!["tcp/127.0.0.1:0".to_owned()], ..LinkConfig::default() };
    let station = Link::open(listen, Arc::clone(clock)).await.unwrap();
    let connect = LinkConfig { connect: station.endpoints(), ..LinkConfig::default() };
    let robot = Link::open(connect, Arc::clone(clock)).await.unwrap();
    (station, robot)
}

async fn listen(link: &Link, key_expr: &str) -> (Subscription, Receiver<Sample>) {
    let (sender, receiver) = sync_channel(1_000);
    let subscription = link.subscribe(key_expr, move |sample| drop(sender.try_send(sample))).await.unwrap();
    (subscription, receiver)
}

/// The next message for which `wanted` gives something.
fn wait_for<M: DeserializeOwned, T>(samples: &Receiver<Sample>, mut wanted: impl FnMut(M) -> Option<T>) -> T {
    loop {
        let sample = samples.recv_timeout(DEADLINE).unwrap();
        if let Some(found) = wanted(parse(&sample.payload).unwrap()) {
            return found;
        }
    }
}

/// A station and a robot's gate on a thread of its own.
struct Rig {
    clock: ClockFn,
    ahead_ms: Arc<AtomicU64>,
    key: Arc<SigningKey>,
    link: RobotLink,
    claims: Claims,
    acks: Receiver<Sample>,
    answers: Receiver<Sample>,
    to_gate: SyncSender<Option<SignedSample>>,
    gate: Option<JoinHandle<()>>,
    _subscriptions: [Subscription; 2],
    sessions: (Link, Link),
}

async fn rig() -> Rig {
    let ahead_ms = Arc::<AtomicU64>::default();
    let clock = clock_ahead(Arc::clone(&ahead_ms));
    let (at_station, at_robot) = sessions(&clock).await;
    let (manifest, keys) = (manifest(), RobotKeys::new(&manifest()));
    let (acks_subscription, acks) = listen(&at_station, &keys.ack()).await;
    let (answers_subscription, answers) = listen(&at_station, &keys.beat_answer()).await;
    let (to_gate, inbox) = sync_channel::<Option<SignedSample>>(1_000);
    let hand_over = to_gate.clone();
    let key = Arc::new(SigningKey::from_seed(&[1; 32]));
    let credentials =
        Credentials { key: SigningKey::from_seed(&ROBOT_SEED), stations: [(station("desk"), key.public())].into() };
    let hand_over = move |sample| drop(hand_over.try_send(Some(sample)));
    let mut gate = RobotGate::open(&at_robot, &manifest, credentials, Box::new(Volatile), hand_over).await.unwrap();
    let gate_clock = Arc::clone(&clock);
    let gate = std::thread::spawn(move || {
        while let Ok(Some(sample)) = inbox.recv() {
            let now = gate_clock().station;
            let handled = gate.handle(&sample, &at_rest(now), now);
            gate.put(&handled.reply.unwrap()).unwrap();
        }
    });
    let fence = Arc::new(Fence::new(1, 1));
    let (link, claims) = at_station.robot(&manifest, station("desk"), &key, fence, Box::new(|_| {})).unwrap();
    let rig = Rig {
        clock,
        ahead_ms,
        key,
        link,
        claims,
        acks,
        answers,
        to_gate,
        gate: Some(gate),
        _subscriptions: [acks_subscription, answers_subscription],
        sessions: (at_station, at_robot),
    };
    rig.beat_until_answered();
    rig
}

impl Drop for Rig {
    fn drop(&mut self) {
        drop(self.to_gate.send(None));
        self.gate.take().map(JoinHandle::join);
    }
}

impl Rig {
    /// The first beats may come before the two sessions know each other's subscriptions, and the answer to one from
    /// before a claim may still be under way.
    fn beat_until_answered(&self) {
        for _ in 0..200 {
            let n = self.link.beat().unwrap();
            while let Ok(sample) = self.answers.recv_timeout(Duration::from_millis(100)) {
                let answer: BeatAnswer = parse(&sample.payload).unwrap();
                assert!(self.link.note_beat_answer(&answer));
                if answer.n == n {
                    return;
                }
            }
        }
        panic!("no beat was answered");
    }

    /// Claims the robot under epoch 1, releases what its start has latched, and beats under the claim.
    fn claim(&self) {
        // As long as a claim may hold: on a busy computer nobody renews it in time.
        self.claims.claim(1, 5_000, false).unwrap();
        assert_eq!(self.status_of(&Subject::Claim { station: station("desk"), epoch: 1 }), Status::Received);
        self.claims.release(1, &[OpenStop { by: StoppedBy::Restart, stop_id: 1 }]).unwrap();
        assert_eq!(self.status_of(&Subject::Release { station: station("desk"), epoch: 1 }), Status::Received);
        self.beat_until_answered();
    }

    fn status_of(&self, subject: &Subject) -> Status {
        wait_for(&self.acks, |ack: Ack| (ack.subject == *subject).then_some(ack.status))
    }

    fn send(&self, approved: Approved<Command>) -> Result<Sent, BridgeError> {
        send(&self.link, approved)
    }

    fn approved(&self, seq: u64, epoch: u64) -> Approved<Command> {
        let manifest = manifest();
        // A busy computer takes longer from judging to sending than a station may.
        let numbers = JudgeNumbers { approved_for: Duration::from_secs(2), ..JudgeNumbers::default() };
        let limits = Limits::compile(&manifest, &[], 1).unwrap().with_numbers(numbers);
        let now = (self.clock)().station;
        let frame = manifest.default_frame.clone();
        let pose = Pose { frame, position_m: [0.0; 3], orientation: None };
        let state = RobotState {
            snapshot_seq: 1,
            heard: SourceTimes::at_hand(&manifest, now),
            pose: Fresh::at(pose, now),
            speeds: Speeds { velocity: Fresh::at(0.0, now), ..Speeds::default() },
            joints: Fresh::NEVER,
            transforms: Vec::new(),
            set_points: Vec::new(),
            armed: true,
            escape_only: false,
            commissioning: safety::Commissioning::Complete,
            unconstrained_until: None,
            latched: false,
            latch_generation: self.link.fence().generation(),
            epoch,
        };
        let context = ParseContext {
            fresh_id: id(seq),
            source: Source::Person("ada".to_owned()),
            lease: LeaseToken { station: station("desk"), epoch, seq },
            issued_at: now,
            approval: None,
        };
        let raw: RawCommand = serde_json::from_str(GOAL).unwrap();
        judge(&limits, &state, parse_command(&raw, &manifest, context).unwrap(), now).into_approved().unwrap()
    }
}

/// Hands a command over and waits for what became of it.
fn send(link: &RobotLink, approved: Approved<Command>) -> Result<Sent, BridgeError> {
    let (sender, outcome) = sync_channel(1);
    link.send(approved, Box::new(move |sent| sender.send(sent).unwrap()));
    outcome.recv_timeout(DEADLINE).unwrap()
}

const GOAL: &str = r#"{"robot": "arm-1", "actuator": "arm", "motion": {"pose_goal": {"position_m": [0.5, 0.2, 1.0], "speed_mps": 0.1}}}"#;

fn id(seq: u64) -> CommandId {
    CommandId(Uuid::from_u128(seq.into()))
}

fn command(seq: u64) -> Subject {
    Subject::Command { station: station("desk"), id: id(seq) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_a_stop_and_a_release_go_to_the_gate_and_back() {
    let rig = rig().await;
    rig.claim();
    let sent = rig.send(rig.approved(1, 1)).unwrap();
    assert_eq!((sent.command, sent.seq), (id(1), 1));
    assert_eq!(rig.status_of(&command(1)), Status::Received);

    rig.link.stop(Approved::stop(robot(), station("desk"), 41));
    assert_eq!(rig.status_of(&Subject::Stop { station: station("desk"), stop_id: 41 }), Status::Received);
    rig.link.stop_done(41);
    rig.send(rig.approved(2, 1)).unwrap();
    assert_eq!(rig.status_of(&command(2)), Status::Refused(robot::Reason::Latched));

    rig.claims.release(2, &[open_stop("desk", 41)]).unwrap();
    assert_eq!(rig.status_of(&Subject::Release { station: station("desk"), epoch: 2 }), Status::Received);
    rig.link.beat().unwrap();
    let unlatched = |answer: BeatAnswer| (answer.epoch == 2).then_some((answer.latched, answer.claimed_by));
    assert_eq!(wait_for(&rig.answers, unlatched), (false, Some(station("desk"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn t7_t8_a9_nothing_is_put_that_no_longer_holds() {
    let rig = rig().await;
    let refusal = |approved| match rig.send(approved) {
        Err(BridgeError::RefusedAtSend { refusal, .. }) => refusal,
        other => panic!("{other:?}"),
    };
    let before = rig.approved(2, 1);
    rig.link.fence().set_set_version(2);
    assert_eq!(refusal(before), RefusedAtSend::StaleSet);
    rig.link.fence().set_set_version(1);
    let before = rig.approved(1, 1);
    rig.ahead_ms.store(3_000, Ordering::SeqCst);
    assert_eq!(refusal(before), RefusedAtSend::Expired);
    let before = rig.approved(3, 1);
    rig.link.fence().engage();
    assert_eq!(refusal(before), RefusedAtSend::Latched);
}

#[tokio::test(flavor = "multi_thread")]
async fn a9_f6_while_sending_is_held_up_the_newest_command_takes_the_slot_and_a_stop_overtakes_it() {
    let rig = rig().await;
    rig.claim();
    let (hold_up, held_up) = sync_channel::<()>(1);
    let (sender, outcomes) = sync_channel(3);
    let tell = |seq: u64| {
        let sender = sender.clone();
        Box::new(move |sent: Result<Sent, BridgeError>| {
            sender.send((seq, sent.map_err(|error| error.code().as_str()))).unwrap()
        })
    };
    let tell_first = tell(1);
    // The callback keeps the thread as a full network would.
    let first = move |sent| {
        tell_first(sent);
        held_up.recv_timeout(DEADLINE).unwrap();
    };
    rig.link.send(rig.approved(1, 1), Box::new(first));
    let outcome = || outcomes.recv_timeout(DEADLINE).unwrap();
    assert_eq!(
        outcome(),
        (1, Ok(Sent { command: id(1), seq: 1, beat: rig.link.beat_answered.load(Ordering::SeqCst) }))
    );

    rig.link.send(rig.approved(2, 1), tell(2));
    rig.link.send(rig.approved(3, 1), tell(3));
    assert_eq!(outcome(), (2, Err("superseded")));
    rig.link.fence().engage();
    rig.link.stop(Approved::stop(robot(), station("desk"), 41));
    assert_eq!(rig.status_of(&Subject::Stop { station: station("desk"), stop_id: 41 }), Status::Received);
    rig.link.stop_done(41);
    hold_up.send(()).unwrap();
    assert_eq!(outcome(), (3, Err("refused_at_send")));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_not_to_our_beats_are_not_believed() {
    let rig = rig().await;
    let n = rig.link.beat().unwrap();
    let answer = wait_for(&rig.answers, |answer: BeatAnswer| (answer.n == n).then_some(answer));
    for forged in [
        BeatAnswer { n: n + 1, ..answer.clone() },
        BeatAnswer { not_nonce: !answer.not_nonce, ..answer.clone() },
        BeatAnswer { station: station("shed"), ..answer.clone() },
        BeatAnswer { n: 0, ..answer.clone() },
    ] {
        assert!(!rig.link.note_beat_answer(&forged), "{forged:?}");
    }
    assert!(rig.link.note_beat_answer(&answer));
}

#[tokio::test(flavor = "multi_thread")]
async fn att_17_a_recorded_answer_to_a_beat_of_this_run_is_believed_once_and_none_that_is_older_than_the_newest() {
    let rig = rig().await;
    let answers: Vec<BeatAnswer> = [rig.link.beat().unwrap(), rig.link.beat().unwrap()]
        .map(|n| wait_for(&rig.answers, |answer: BeatAnswer| (answer.n == n).then_some(answer)))
        .into();
    let [before, newest] = answers.as_slice() else { panic!("{answers:?}") };
    assert!(rig.link.note_beat_answer(newest));
    for recorded in [newest, before] {
        assert!(!rig.link.note_beat_answer(recorded), "beat {}", recorded.n);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_a_put_on_a_wildcard_reaches_nobody_and_is_told_of_by_name() {
    let clock = clock();
    let (at_station, at_robot) = sessions(&clock).await;
    let (told, refused) = sync_channel(1_000);
    let at_station = at_station.telling(Arc::new(move |key_expr| drop(told.try_send(key_expr.to_owned()))));
    let (_heard, heard) = listen(&at_station, "lab/rover-1/out/state/pose").await;
    let stranger = at_robot.session.clone();
    let wild = ["lab/*/out/state/pose", "lab/**", "lab/rover-1/out/state/po$*"];
    for key_expr in wild {
        // The first put may come before the sessions know of the subscription.
        while refused.recv_timeout(Duration::from_millis(100)).as_deref() != Ok(key_expr) {
            stranger.put(key_expr, "{}").wait().unwrap();
        }
    }
    stranger.put("lab/rover-1/out/state/pose", "{}").wait().unwrap();
    let first = heard.recv_timeout(DEADLINE).unwrap();
    assert_eq!(&*first.key_expr, "lab/rover-1/out/state/pose");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_is_sent_before_a_beat_was_answered() {
    let rig = rig().await;
    let fence = Arc::new(Fence::new(1, 1));
    let (fresh, _) = rig.sessions.0.robot(&manifest(), station("desk"), &rig.key, fence, Box::new(|_| {})).unwrap();
    let outcome = send(&fresh, rig.approved(1, 1));
    assert_eq!(outcome.unwrap_err().code(), "no_beat_answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn f6_f7_a_stop_is_repeated_until_done_while_samples_flood_the_session() {
    let clock = clock();
    let (at_station, at_robot) = sessions(&clock).await;
    let (_stops_subscription, stops) = listen(&at_robot, "lab/arm-1/cmd/stop").await;
    let (_flood_subscription, _flood) = listen(&at_robot, "lab/noise").await;
    let (put_sender, puts) = sync_channel(1_000);
    let key = Arc::new(SigningKey::from_seed(&[1; 32]));
    let on_put = Box::new(move |stop_id| put_sender.try_send(stop_id).unwrap_or_default());
    let (link, _) = at_station.robot(&manifest(), station("desk"), &key, Arc::new(Fence::new(1, 1)), on_put).unwrap();
    let flood = at_station.sample_publisher("lab/noise", Codec::Auto).unwrap();
    let (end_flood, flooded) = sync_channel::<()>(1);
    let flooding = std::thread::spawn(move || {
        while flooded.try_recv().is_err() {
            flood.put(vec![0; 10_000]).unwrap();
        }
    });
    link.stop(Approved::stop(robot(), station("desk"), 41));
    for _ in 0..3 {
        let stop_id = wait_for(&stops, |stop: StopMessage| Some(stop.stop_id));
        assert_eq!((stop_id, puts.recv_timeout(DEADLINE).unwrap()), (41, 41));
    }
    end_flood.send(()).unwrap();
    flooding.join().unwrap();

    link.stop_done(41);
    link.stop(Approved::stop(robot(), station("desk"), 42));
    let mut last = 41;
    while last == 41 {
        last = wait_for(&stops, |stop: StopMessage| Some(stop.stop_id));
    }
    for _ in 0..3 {
        assert_eq!(wait_for(&stops, |stop: StopMessage| Some(stop.stop_id)), 42);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_cannot_be_used_have_codes() {
    let link = Link::open(LinkConfig::default(), clock()).await.unwrap();
    assert_eq!(link.subscribe("lab//state", |_| {}).await.err().unwrap().code(), "bad_key_expression");
    for key in ["lab/arm-1/cmd/act/arm", "lab/*/out/state", "lab/arm-1/cmd"] {
        assert_eq!(link.sample_publisher(key, Codec::Json).err().unwrap().code(), "not_a_sample_key", "{key}");
    }
    link.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_arrives_at_the_other_session_and_not_at_its_own() {
    let clock = clock();
    let (at_station, at_robot) = sessions(&clock).await;
    let (_own, own) = listen(&at_robot, "lab/**").await;
    let (_other, other) = listen(&at_station, "lab/**").await;
    let publisher = at_robot.sample_publisher("lab/oven-1/out/state", Codec::Json).unwrap();
    let sample = loop {
        publisher.put(b"{}".to_vec()).unwrap();
        if let Ok(sample) = other.recv_timeout(Duration::from_millis(100)) {
            break sample;
        }
    };
    assert_eq!(
        (&*sample.key_expr, &*sample.encoding, &*sample.payload),
        ("lab/oven-1/out/state", "application/json", &b"{}"[..])
    );
    assert_eq!((sample.received_ms, at_station.peer_count()), (1_700_000_000_000, 1));
    assert!(own.try_recv().is_err());
}

#[test]
fn of_a_payload_that_is_too_large_the_beginning_is_taken() {
    let payload = ZBytes::from(b"stop now".to_vec());
    for (bytes_max, taken) in [(4, "stop"), (8, "stop now"), (9, "stop now"), (0, "")] {
        assert_eq!(&*beginning(&payload, bytes_max), taken.as_bytes());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_beat_waits_for_a_robot_that_takes_nothing_in() {
    let clock = clock();
    let (at_station, _at_robot) = sessions(&clock).await;
    let of = |publisher: Publisher<'_>| publisher.congestion_control();
    assert_eq!(of(at_station.beat_publisher("lab/arm-1/in/beat").unwrap()), CongestionControl::Drop);
    let of_stops = at_station.control_publisher("lab/arm-1/in/stop", Priority::RealTime).unwrap();
    assert_eq!(of(of_stops), CongestionControl::Block, "what is not put again soon is never dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_told_that_a_stop_was_put_and_panics_keeps_neither_stops_nor_holds_from_leaving() {
    let clock = clock();
    let (at_station, at_robot) = sessions(&clock).await;
    let keys = RobotKeys::new(&manifest());
    let (_holds, holds) = listen(&at_robot, &keys.hold()).await;
    let (_stops, stops) = listen(&at_robot, &keys.stop()).await;
    let (key, fence) = (Arc::new(SigningKey::from_seed(&[1; 32])), Arc::new(Fence::new(1, 1)));
    let on_put: StopPutFn = Box::new(|stop_id| panic!("stop {stop_id} was put"));
    let (link, _claims) = at_station.robot(&manifest(), station("desk"), &key, fence, on_put).unwrap();
    link.stop(Approved::stop(robot(), station("desk"), 41));
    for _ in 0..3 {
        stops.recv_timeout(DEADLINE).unwrap();
    }
    link.hold();
    holds.recv_timeout(DEADLINE).unwrap();
}
