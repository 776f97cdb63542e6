//! Two arms in one process, in rounds A B B A, so that what changes on the machine meets both alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// Rounds of A B B A.
const ROUNDS: usize = 15;
/// The longest duration that is told apart, nanoseconds.
const LONGEST_NS: u64 = 10_000_000_000;

/// Durations of the runs of something, nanoseconds.
pub type Latencies = Histogram<u64>;

/// The comparison of two arms.
pub struct Compared {
    /// Time of A over time of B, the median of the rounds: how many times faster B is.
    pub ratio: f64,
    /// The least of the rounds.
    pub ratio_min: f64,
    /// The greatest of the rounds.
    pub ratio_max: f64,
    /// The floor or peer.
    pub a: Latencies,
    /// Ours.
    pub b: Latencies,
}

/// Times `runs` runs of each arm in each quarter of a round. Each arm gets the number of the run.
pub fn compare<T, U>(runs: usize, mut a: impl FnMut(usize) -> T, mut b: impl FnMut(usize) -> U) -> Compared {
    let (mut of_a, mut of_b) = (latencies(), latencies());
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let first = timed(runs, &mut a, &mut of_a);
            let ours = timed(runs, &mut b, &mut of_b) + timed(runs, &mut b, &mut of_b);
            (first + timed(runs, &mut a, &mut of_a)).as_secs_f64() / ours.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    Compared { ratio: ratios[ROUNDS / 2], ratio_min: ratios[0], ratio_max: ratios[ROUNDS - 1], a: of_a, b: of_b }
}

/// An empty record of latencies, three digits exact.
pub fn latencies() -> Latencies {
    Histogram::new_with_max(LONGEST_NS, 3).unwrap()
}

/// Adds a duration to a record.
pub fn add(latencies: &mut Latencies, took: Duration) {
    latencies.saturating_record(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
}

/// The clock of benchmarks.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time; nothing is decided by it")]
pub fn now() -> Instant {
    Instant::now()
}

fn timed<T>(runs: usize, arm: &mut impl FnMut(usize) -> T, latencies: &mut Latencies) -> Duration {
    let started = now();
    for run in 0..runs {
        let one = now();
        black_box(arm(run));
        add(latencies, one.elapsed());
    }
    started.elapsed()
}
