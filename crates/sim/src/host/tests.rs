//! The site and a station in two real sessions over loopback. Nothing sleeps; everything waits for a message.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

use bridge::envelope::{BeatAnswer, OpenStop, StoppedBy, parse};
use bridge::signing::SigningKey;
use bridge::{LinkConfig, RobotKeys, RobotLink, Subscription};
use robot::{Now, Sample, StationId};
use safety::{Approved, Fence};

use super::*;

/// Far beyond what any of it takes, also on a busy computer.
const DEADLINE: Duration = Duration::from_secs(20);

#[expect(clippy::disallowed_methods, reason = "a test's clock")]
fn clock() -> ClockFn {
    let start = std::time::Instant::now();
    Arc::new(move || Now { station: Instant(start.elapsed().as_nanos() as u64), wall_ms: 1_700_000_000_000 })
}

/// Tells of each line that the site has answered, which it has acted on then.
struct Answered(SyncSender<()>);

impl Write for Answered {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.send(()).map_err(std::io::Error::other)
    }
}

/// A station that hears `rover-1`, and the site on a thread of its own.
struct Rig {
    link: RobotLink,
    acks: Receiver<Sample>,
    answers: Receiver<Sample>,
    states: Receiver<Sample>,
    to_site: SyncSender<Inbound>,
    answered: Receiver<()>,
    site: Option<JoinHandle<()>>,
    _kept: (Vec<Subscription>, Link, Link),
}

/// Two sessions, of a station and of the site.
async fn sessions(clock: &ClockFn) -> (Link, Link) {
    let config = LinkConfig { listen: vec!["tcp/127.0.0.1:0".to_owned()], ..LinkConfig::default() };
    let at_station = Link::open(config, Arc::clone(clock)).await.unwrap();
    let config = LinkConfig { connect: at_station.endpoints(), ..LinkConfig::default() };
    let at_site = Link::open(config, Arc::clone(clock)).await.unwrap();
    (at_station, at_site)
}

async fn rig() -> Rig {
    let clock = clock();
    let (at_station, at_site) = sessions(&clock).await;
    let world = SimWorld::new(1).unwrap();
    let manifest = world.robots[&rover()].manifest.clone();
    let keys = RobotKeys::new(&manifest);
    let mut subscriptions = Vec::new();
    let mut receivers = Vec::new();
    for key in [keys.ack(), keys.beat_answer(), "lab/rover-1/out/state/pose".to_owned()] {
        let (sender, receiver) = sync_channel(10_000);
        let hand_over = move |sample| sender.try_send(sample).unwrap_or_default();
        subscriptions.push(at_station.subscribe(&key, hand_over).await.unwrap());
        receivers.push(receiver);
    }
    let [acks, answers, states] = receivers.try_into().unwrap();
    let (to_site, inbox) = sync_channel(1_000);
    let key = Arc::new(SigningKey::from_seed(&[1; 32]));
    let gates = crate::gates(world.robots.keys(), &[(station(), key.public())].into(), None).unwrap();
    let host = Host::open(&at_site, world, gates, clock, &to_site).await.unwrap();
    let (tell, answered) = sync_channel(10);
    let site = std::thread::spawn(move || host.run(&inbox, Answered(tell)));
    let fence = Arc::new(Fence::new(1, 1));
    let (link, _) = at_station.robot(&manifest, station(), &key, fence, Box::new(|_| {})).unwrap();
    let kept = (subscriptions, at_station, at_site);
    Rig { link, acks, answers, states, to_site, answered, site: Some(site), _kept: kept }
}

fn rover() -> RobotId {
    "rover-1".parse().unwrap()
}

fn station() -> StationId {
    "desk".parse().unwrap()
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.to_site.send(Inbound::End).unwrap_or_default();
        self.site.take().map(JoinHandle::join);
    }
}

impl Rig {
    /// Begins or ends a fault; the site has heard it when this returns, however long it did not come to run.
    fn fault(&self, fault: &str, on: bool) {
        let line = format!(r#"{{"fault":{{"target":"rover-1","fault":"{fault}","on":{on}}}}}"#);
        self.to_site.send(Inbound::Line(line)).unwrap();
        self.answered.recv_timeout(DEADLINE).unwrap();
    }

    /// Beats until one is answered; the first may come before the sessions know each other's subscriptions.
    fn beat(&self) -> BeatAnswer {
        for _ in 0..200 {
            let n = self.link.beat().unwrap();
            while let Ok(sample) = self.answers.recv_timeout(Duration::from_millis(100)) {
                let answer: BeatAnswer = parse(&sample.payload).unwrap();
                if answer.n == n {
                    return answer;
                }
            }
        }
        panic!("no beat was answered");
    }

    /// True if the gate holds that stop of the station.
    fn is_stopped(&self, stop_id: u64) -> bool {
        let by = StoppedBy::Station(station());
        self.beat().stops.contains(&OpenStop { by, stop_id })
    }

    fn stop(&self, stop_id: u64) -> Subject {
        self.link.stop(Approved::stop(rover(), station(), stop_id));
        Subject::Stop { station: station(), stop_id }
    }

    /// The statuses of `subject`, up to `last`.
    fn acks_until(&self, subject: &Subject, last: Status) -> Vec<Ack> {
        let mut acks = Vec::new();
        while acks.last().is_none_or(|ack: &Ack| ack.status != last) {
            let sample = self.acks.recv_timeout(DEADLINE).unwrap();
            acks.extend(Some(parse::<Ack>(&sample.payload).unwrap()).filter(|ack| ack.subject == *subject));
        }
        acks
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_acknowledged_then_standstill_is_reported() {
    let rig = rig().await;
    assert!(!rig.is_stopped(41));
    let subject = rig.stop(41);
    let acks = rig.acks_until(&subject, Status::Done);
    assert_eq!(acks[0].status, Status::Received);
    assert!(acks.last().unwrap().standstill);
    assert!(rig.is_stopped(41));
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_without_acknowledgements_the_stop_is_executed_all_the_same() {
    let rig = rig().await;
    rig.beat();
    rig.fault("no_ack", true);
    rig.stop(41);
    while !rig.is_stopped(41) {}
    assert!(rig.acks.try_recv().is_err());
    rig.fault("no_ack", false);
    rig.acks_until(&Subject::Stop { station: station(), stop_id: 41 }, Status::Received);
}

#[tokio::test(flavor = "multi_thread")]
async fn f3_a_dropped_link_neither_hears_nor_speaks_and_comes_back() {
    let rig = rig().await;
    rig.beat();
    rig.states.recv_timeout(DEADLINE).unwrap();
    rig.fault("drop_link", true);
    // Twice as long as the pause between two samples: what was under way has arrived by then.
    while rig.states.recv_timeout(Duration::from_millis(200)).is_ok() {}
    rig.link.beat().unwrap();
    assert!(rig.answers.recv_timeout(Duration::from_millis(300)).is_err());
    rig.fault("drop_link", false);
    rig.states.recv_timeout(DEADLINE).unwrap();
    rig.beat();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_sensor_is_silent_while_beats_go_on() {
    let rig = rig().await;
    rig.states.recv_timeout(DEADLINE).unwrap();
    rig.fault("stale_sensor", true);
    while rig.states.recv_timeout(Duration::from_millis(300)).is_ok() {}
    rig.beat();
    assert!(rig.states.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn att_18_a_flood_at_one_robot_keeps_back_no_stop_of_it_and_none_of_another() {
    const FLOOD: usize = 2_000;
    let clock = clock();
    let (at_station, at_site) = sessions(&clock).await;
    let world = SimWorld::new(1).unwrap();
    let key = Arc::new(SigningKey::from_seed(&[1; 32]));
    let robots: [RobotId; 2] = [rover(), "rover-2".parse().unwrap()];
    let [(flooded, _), (other, _)] = robots.each_ref().map(|id| {
        let fence = Arc::new(Fence::new(1, 1));
        at_station.robot(&world.robots[id].manifest, station(), &key, fence, Box::new(|_| {})).unwrap()
    });
    let (say, said) = sync_channel(100_000);
    let hear = move |sample: Sample| say.try_send(sample).unwrap_or_default();
    let _replies = at_station.subscribe("lab/*/out/*", hear).await.unwrap();
    let (to_site, inbound) = sync_channel(1_000);
    let gates = crate::gates(world.robots.keys(), &[(station(), key.public())].into(), None).unwrap();
    let host = Host::open(&at_site, world, gates, clock, &to_site).await.unwrap();
    let (came, arrived) = sync_channel(100_000);
    let note = move |sample: Sample| came.try_send(sample.key_expr).unwrap_or_default();
    let _commands = at_site.subscribe("lab/*/cmd/*", note).await.unwrap();
    // Nobody reads yet, and the first puts may come before the sessions know each other.
    let mut beats = 0;
    while beats < FLOOD {
        flooded.beat().unwrap();
        beats += arrived.try_iter().count();
    }
    for (link, id) in [&flooded, &other].into_iter().zip(&robots) {
        link.stop(Approved::stop(id.clone(), station(), 41));
        let key_expr = format!("lab/{id}/cmd/stop");
        // A stop is put again and again; with the second the first has come in.
        for _ in 0..2 {
            while *arrived.recv_timeout(DEADLINE).unwrap() != key_expr {}
        }
    }
    let site = std::thread::spawn(move || host.run(&inbound, std::io::sink()));
    let (mut acknowledged, mut answers) = (Vec::new(), 0);
    while acknowledged.len() < robots.len() {
        let sample = said.recv_timeout(DEADLINE).unwrap();
        match parse::<Ack>(&sample.payload) {
            Ok(Ack { robot, subject: Subject::Stop { stop_id: 41, .. }, status: Status::Received, .. }) => {
                acknowledged.extend(Some(robot.clone()).filter(|robot| !acknowledged.contains(robot)));
            }
            Ok(_) => {}
            Err(_) => answers += 1,
        }
    }
    assert!(answers < FLOOD / 10, "{answers} beats were answered before the stops");
    to_site.send(Inbound::End).unwrap();
    site.join().unwrap();
}
