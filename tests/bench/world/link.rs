//! The same over Zenoh on loopback: how long a sample takes to its callback, bare and with everything of ours behind it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant as Clock};

use bridge::{Link, LinkConfig, SamplePublisher, Scanner, Subscription};
use robot::{Codec, Instant, Now, Sample};
use world::{ProviderId, World};

use crate::measure::{Latencies, add, latencies, now};
use crate::pure::{PAYLOAD, provider, rule};
use crate::report::Row;

/// Samples in one run at a fixed rate.
const PACED: u32 = 1_000;
/// Rounds of bare and ours.
const ROUNDS: usize = 8;
/// Samples in one run without pause.
const BURST: u64 = 50_000;
/// Beyond this something is wrong with the link.
const PATIENCE: Duration = Duration::from_secs(20);

struct Arm {
    publisher: SamplePublisher,
    arrived: Receiver<Clock>,
    count: Arc<AtomicU64>,
    _subscription: Subscription,
}

pub async fn rows() -> Vec<Row> {
    let began = now();
    let clock: bridge::ClockFn =
        Arc::new(move || Now { station: Instant(began.elapsed().as_nanos() as u64), wall_ms: 1_772_000_000_000 });
    let listen = LinkConfig { listen: vec!["tcp/127.0.0.1:0".into()], ..LinkConfig::default() };
    let station = Link::open(listen, Arc::clone(&clock)).await.unwrap();
    let connect = LinkConfig { connect: station.endpoints(), ..LinkConfig::default() };
    let sensor = Link::open(connect, clock).await.unwrap();
    let bare = arm(&station, &sensor, "lab/cam-1/vision/detections", |_| {}).await;
    let ours = arm(&station, &sensor, "lab/cam-2/vision/detections", ours()).await;
    let rows = vec![paced(&bare, &ours), burst(&bare, &ours)];
    station.close().await;
    sensor.close().await;
    rows
}

/// Everything that happens on the receive thread: scan, filter, key, world, rule.
fn ours() -> impl Fn(&Sample) + Send + Sync + 'static {
    let mut world = World::new();
    world.add_provider(provider("cp-1")).unwrap();
    rule(&mut world, 0, "person.location");
    let state = Mutex::new((world, Scanner::new(provider("cp-1").plan())));
    let id = ProviderId("cp-1".into());
    move |sample| {
        let mut state = state.lock().unwrap();
        let (world, scanner) = &mut *state;
        let at = Now { station: sample.received, wall_ms: sample.received_ms };
        drop(world.apply(&id, sample, scanner.scan(sample), at));
    }
}

async fn arm(station: &Link, sensor: &Link, topic: &str, act: impl Fn(&Sample) + Send + Sync + 'static) -> Arm {
    let (sender, arrived): (SyncSender<Clock>, _) = sync_channel(1);
    let count = Arc::new(AtomicU64::new(0));
    let counting = Arc::clone(&count);
    let subscription = station.subscribe(topic, move |sample| {
        act(&sample);
        counting.fetch_add(1, Ordering::Relaxed);
        // Code that runs a burst does not look at each.
        let _ = sender.try_send(now());
    });
    let subscription = subscription.await.unwrap();
    let publisher = sensor.sample_publisher(topic, Codec::Json).unwrap();
    let arm = Arm { publisher, arrived, count, _subscription: subscription };
    // The first samples may go before the subscription is known to the other side.
    while arm.count.load(Ordering::Relaxed) == 0 {
        arm.publisher.put(PAYLOAD.as_bytes().to_vec()).unwrap();
        let _ = arm.arrived.recv_timeout(Duration::from_millis(20));
    }
    arm
}

/// P2: one sample a millisecond, each awaited before the next is due.
fn paced(bare: &Arm, ours: &Arm) -> Row {
    let (mut a, mut b, mut ratios) = (latencies(), latencies(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut round_a, mut round_b) = (latencies(), latencies());
        run_paced(bare, &mut round_a);
        run_paced(ours, &mut round_b);
        ratios.push(round_a.value_at_quantile(0.5) as f64 / round_b.value_at_quantile(0.5) as f64);
        a.add(&round_a).unwrap();
        b.add(&round_b).unwrap();
    }
    ratios.sort_by(f64::total_cmp);
    let ratios = [ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]];
    let what = "put to the end of the callback, 1 kHz".into();
    Row { id: "P2", what, against: Some(("bare callback", ratios, a)), latencies: b, goal: "p50 ratio >= 0.91" }
}

fn run_paced(arm: &Arm, latencies: &mut Latencies) {
    let began = now();
    while arm.arrived.try_recv().is_ok() {}
    for n in 0..PACED {
        let due = Duration::from_millis(u64::from(n));
        std::thread::sleep(due.saturating_sub(began.elapsed()));
        let sent = now();
        arm.publisher.put(PAYLOAD.as_bytes().to_vec()).unwrap();
        if let Ok(arrived) = arm.arrived.recv_timeout(PATIENCE) {
            add(latencies, arrived.duration_since(sent));
        }
    }
}

/// P1, P3: as fast as it goes. The time per sample until all that are coming have come.
fn burst(bare: &Arm, ours: &Arm) -> Row {
    let (mut a, mut b, mut ratios) = (latencies(), latencies(), Vec::new());
    for _ in 0..ROUNDS {
        let (per_bare, per_ours) = (run_burst(bare), run_burst(ours));
        add(&mut a, per_bare);
        add(&mut b, per_ours);
        ratios.push(per_bare.as_secs_f64() / per_ours.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let ratios = [ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]];
    let what = "time a sample, as fast as it goes".into();
    Row { id: "P3", what, against: Some(("bare callback", ratios, a)), latencies: b, goal: "ratio >= 0.75; 10 µs" }
}

fn run_burst(arm: &Arm) -> Duration {
    let before = arm.count.load(Ordering::Relaxed);
    let began = now();
    for _ in 0..BURST {
        arm.publisher.put(PAYLOAD.as_bytes().to_vec()).unwrap();
    }
    // A full network drops samples: what counts is what arrived, and until when.
    let mut last = (arm.count.load(Ordering::Relaxed), now());
    while last.1.elapsed() < Duration::from_millis(100) {
        std::thread::sleep(Duration::from_millis(1));
        let count = arm.count.load(Ordering::Relaxed);
        if count != last.0 {
            last = (count, now());
        }
    }
    let arrived = u32::try_from((last.0 - before).max(1)).unwrap_or(u32::MAX);
    last.1.duration_since(began) / arrived
}
