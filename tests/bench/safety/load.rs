//! A busy station beside what is measured: samples into the world as fast as a large site sends them, and a disk that
//! stores them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridge::{Link, LinkConfig, SamplePublisher, Scanner, Subscription};
use memory::{AgentDb, WorldBatch};
use robot::{Codec, Now, Sample};
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinSet;
use world::{Key, Provider, ProviderId, StoredEntry, World};

use crate::measure::now;

/// Samples that are put a millisecond: a hundred thousand a second.
const PER_MS: u32 = 100;
/// Rows that go to the disk at once.
const BATCH: usize = 500;
/// Between two batches, as the station has it.
const BATCH_EVERY: Duration = Duration::from_millis(20);
const TOPIC: &str = "lab/cam-1/vision/detections";
const PAYLOAD: &str =
    r#"{"label":"person","confidence":0.92,"zone":"hallway","camera":"cam-1","frame_id":"map","n":1}"#;

/// Samples and a disk, until it is ended.
pub struct Load {
    began: Instant,
    arrived: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    sending: JoinHandle<()>,
    sensor: Link,
    _storing: JoinSet<()>,
    _subscription: Subscription,
    _folder: TempDir,
}

impl Load {
    /// Begins to send to `station` and to store.
    pub async fn start(station: &Link) -> Self {
        let connect = LinkConfig { connect: station.endpoints(), ..LinkConfig::default() };
        let sensor = Link::open(connect, Arc::new(Now::default)).await.unwrap();
        let (arrived, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let subscription = received(station, Arc::clone(&arrived)).await;
        let (publisher, over) = (sensor.sample_publisher(TOPIC, Codec::Json).unwrap(), Arc::clone(&is_over));
        let sending = std::thread::spawn(move || send(&publisher, &over));
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let mut storing = JoinSet::new();
        storing.spawn(store(db));
        let began = now();
        Self {
            began,
            arrived,
            is_over,
            sending,
            sensor,
            _storing: storing,
            _subscription: subscription,
            _folder: folder,
        }
    }

    /// Ends it; how many samples a second have arrived, in thousands.
    pub async fn end(self) -> f64 {
        let per_ms = self.arrived.load(Ordering::Relaxed) as f64 / self.began.elapsed().as_millis() as f64;
        self.is_over.store(true, Ordering::Relaxed);
        self.sending.join().unwrap();
        self.sensor.close().await;
        per_ms
    }
}

/// Everything that happens on the receive thread: scan, filter, key, world.
async fn received(station: &Link, arrived: Arc<AtomicU64>) -> Subscription {
    let mut world = World::new();
    let provider = provider();
    let scanner = Scanner::new(provider.plan());
    let id = ProviderId("cp-1".into());
    world.add_provider(provider).unwrap();
    let state = Mutex::new((world, scanner));
    let subscribed = station.subscribe(TOPIC, move |sample| {
        let mut state = state.lock().unwrap();
        let (world, scanner) = &mut *state;
        let at = Now { station: sample.received, wall_ms: sample.received_ms };
        drop(world.apply(&id, &sample, scanner.scan(&sample), at));
        arrived.fetch_add(1, Ordering::Relaxed);
    });
    subscribed.await.unwrap()
}

fn provider() -> Provider {
    let config = json!({
        "topic_pattern": TOPIC, "world_state_key_template": "{label}.location", "value_field": "zone",
        "filter": "confidence>0.8",
    });
    Provider::compile(ProviderId("cp-1".into()), serde_json::from_value(config).unwrap()).unwrap()
}

fn send(publisher: &SamplePublisher, is_over: &AtomicBool) {
    let began = now();
    for millisecond in 1.. {
        for _ in 0..PER_MS {
            publisher.put(PAYLOAD.as_bytes().to_vec()).unwrap();
        }
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(millisecond).saturating_sub(began.elapsed()));
    }
}

/// Batches without end; the database folds its log together every few of them.
async fn store(db: AgentDb) {
    let mut ticks = tokio::time::interval(BATCH_EVERY);
    let mut world = World::new();
    let provider = provider();
    let mut scanner = Scanner::new(provider.plan());
    world.add_provider(provider).unwrap();
    let sample = Sample {
        key_expr: TOPIC.into(),
        encoding: "application/json".into(),
        payload: PAYLOAD.as_bytes().into(),
        stamp_ms: None,
        received: robot::Instant::default(),
        received_ms: 0,
        n: 0,
    };
    world.apply(&ProviderId("cp-1".into()), &sample, scanner.scan(&sample), Now::default());
    let entry = world.entry("person.location").unwrap().stored(Now::default());
    let row = |n: usize| StoredEntry { key: Key::new(&format!("person-{n}.location")).unwrap(), ..entry.clone() };
    let entries: Vec<StoredEntry> = (0..BATCH).map(row).collect();
    loop {
        ticks.tick().await;
        db.save_world(&WorldBatch { entries: entries.clone(), ..WorldBatch::default() }).await.unwrap();
    }
}
