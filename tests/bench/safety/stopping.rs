//! P7 and P19: from a breach in a sample, or a press, to the stop on the wire. The link is a real session, quiet first
//! and then busy with samples.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use bridge::signing::SigningKey;
use bridge::{Link, LinkConfig, RobotLink};
use robot::{Codec, FrameId, Instant, Manifest, Now, StationId};
use safety::machine::SafetyCause;
use safety::monitor::{Expected, History, PoseSource, StateSample};
use safety::{Approved, Fence, Limits, Measured, Pose};

use crate::load::Load;
use crate::measure::{add, compare, latencies, now};
use crate::report::Row;

const MANIFEST: &str = include_str!("../../../crates/sim/manifests/arm-1.toml");
/// Robots that are stopped at once.
const ROBOTS: usize = 100;
/// Presses of STOP ALL that are timed.
const PRESSES: u64 = 50;
/// Breaches in each quarter of a round.
const BREACHES: usize = 50;
/// Room for every put that is reported while one press is timed, repetitions included.
const REPORTS_MAX: usize = 4_096;

/// A robot's link and what its stop thread has put.
struct Stopping {
    link: RobotLink,
    put: Receiver<u64>,
}

/// Both rows, quiet and under load.
pub async fn rows() -> Vec<Row> {
    let listen = LinkConfig { listen: vec!["tcp/127.0.0.1:0".to_owned()], ..LinkConfig::default() };
    let session = Link::open(listen, Arc::new(Now::default)).await.unwrap();
    let mut rows = tokio::task::block_in_place(|| vec![breach(&session), stop_all(&session)]);
    let load = Load::start(&session).await;
    let mut loaded = tokio::task::block_in_place(|| vec![breach(&session), stop_all(&session)]);
    let per_ms = load.end().await;
    loaded.iter_mut().for_each(|row| row.what.push_str(&format!("; {per_ms:.0}k samples/s")));
    rows.append(&mut loaded);
    session.close().await;
    rows
}

fn robot(session: &Link, n: usize) -> Stopping {
    let id = format!("arm-{n}");
    let manifest = Manifest::parse(&MANIFEST.replace("arm-1", &id), &id).unwrap();
    let (reports, put) = sync_channel(REPORTS_MAX);
    let on_put = Box::new(move |stop_id| {
        let _full_is_long_past = reports.try_send(stop_id);
    });
    let station = StationId::new("desk").unwrap();
    let key = Arc::new(SigningKey::from_seed(&[7; 32]));
    let (link, _) = session.robot(&manifest, station, &key, Arc::new(Fence::new(1, 1)), on_put).unwrap();
    Stopping { link, put }
}

impl Stopping {
    fn stop(&self, stop_id: u64) {
        self.link.fence().engage();
        self.link.stop(Approved::stop(self.link.robot().clone(), self.link.station().clone(), stop_id));
    }

    /// Waits until this stop was put; repetitions of earlier ones are passed over.
    fn wait(&self, stop_id: u64) {
        while self.put.recv().unwrap() < stop_id {}
        self.link.stop_done(stop_id);
    }
}

fn breach(session: &Link) -> Row {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    let (arm, mut stop_id) = (robot(session, 1), 0);
    let bare = session.sample_publisher("lab/arm-1/out/bench", Codec::Json).unwrap();
    let frame = FrameId::new("base_link").unwrap();
    let at = Instant::from_millis(10_000);
    let outside = Measured { value: Pose { frame, position_m: [2.0, 0.0, 0.6], orientation: None }, observed: at };
    let compared = compare(
        BREACHES,
        |_| bare.put(vec![b' '; 130]).unwrap(),
        |_| {
            let sample = StateSample::Pose(PoseSource::First, &outside, &[]);
            let causes = History::default().observe(&limits, sample, Expected::default(), at);
            assert!(causes.has(SafetyCause::Breach));
            stop_id += 1;
            arm.stop(stop_id);
            arm.wait(stop_id);
        },
    );
    Row::compared("P7", "a breach in a sample to its stop put".into(), "bare put", compared, "p99 < 200 µs added")
}

fn stop_all(session: &Link) -> Row {
    let robots: Vec<Stopping> = (1..=ROBOTS).map(|n| robot(session, n)).collect();
    let mut took = latencies();
    for stop_id in 1..=PRESSES {
        let pressed = now();
        robots.iter().for_each(|robot| robot.stop(stop_id));
        robots.iter().for_each(|robot| robot.wait(stop_id));
        add(&mut took, pressed.elapsed());
    }
    let what = format!("stop {ROBOTS} robots, to the last put");
    Row { id: "P19", what, against: None, latencies: took, goal: "p99 < 5 ms" }
}
