//! Trial of a provider on samples that were kept: the answer to "does this rule match?", written nowhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{Instant, Now, RejectReason, Sample, Scalar, Scanned};

use crate::provider::MAX_AGE_SECS;
use crate::{Key, Provider, Warning, World};

/// Entries an answer names.
const WRITES_MAX: usize = 50;
/// A maximum age of so many periods of the source survives two lost samples.
const PERIODS_PER_MAX_AGE: f64 = 3.0;

/// The result of trying a provider on some samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Samples there were.
    pub samples: u64,
    /// Rows in them.
    pub rows: u64,
    /// Rows that became a value.
    pub matched: u64,
    /// Samples and rows that did not, by reason.
    pub rejects: BTreeMap<RejectReason, u64>,
    /// The entries that there would be, the first 50 by key.
    pub writes: Vec<TrialWrite>,
    /// The clause of the filter at which the newest rejected row failed.
    pub first_failing_clause: Option<String>,
    /// The usual time between two samples of one source, milliseconds.
    pub period_ms: Option<u64>,
    /// A maximum age that would fit that, seconds.
    pub suggested_max_age_secs: Option<f64>,
    /// Warnings about the rule, given these samples.
    pub warnings: Vec<Warning>,
}

/// An entry there would be.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialWrite {
    /// Its key.
    pub key: Key,
    /// The last value.
    pub value: Scalar,
    /// 0 to 1; none is unknown.
    pub confidence: Option<f64>,
    /// Age it would have now, milliseconds.
    pub age_ms: u64,
    /// Number of times it was written.
    pub n: u64,
}

/// Runs `provider` over `samples`, each with what its plan found in it, oldest first, in a world of its own.
#[must_use]
pub fn trial(provider: &Provider, samples: &[(Sample, Result<Scanned, RejectReason>)], now: Now) -> Trial {
    let mut world = World::new();
    // An empty world has neither an equal provider nor a full table.
    let added = world.add_provider(provider.without_interval());
    debug_assert!(added.is_ok());
    let mut writes: BTreeMap<Key, u64> = BTreeMap::new();
    let mut first_failing_clause = None;
    for (sample, scanned) in samples {
        let at = Now { station: sample.received, wall_ms: sample.received_ms };
        world.apply(provider.id(), sample, scanned.as_ref().map_err(|reason| *reason), at);
        // Time passes with each sample too; an entry that only aged was not written by it.
        for entry in world.take_changed().entries.iter().filter(|entry| entry.received_at == sample.received) {
            *writes.entry(entry.key.clone()).or_default() += 1;
        }
        let rows = scanned.iter().flat_map(|scanned| &scanned.rows);
        first_failing_clause = rows.filter_map(|row| provider.failing_clause(row)).next_back().or(first_failing_clause);
    }
    let period_ms = median_period_ms(samples.iter().map(|(sample, _)| sample));
    let mut warnings = world.warnings_about(provider);
    warnings.extend(provider.warnings_of_samples(samples.len(), period_ms));
    let write = |(key, n): (&Key, &u64)| {
        let entry = world.entry(key.as_str())?;
        let (value, age_ms) = (entry.value.clone(), entry.age_ms(now.station));
        Some(TrialWrite { key: key.clone(), value, confidence: entry.confidence, age_ms, n: *n })
    };
    let stats = world.provider_stats(provider.id()).cloned().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a period is far below 2^53 ms")]
    let suggested = |ms: u64| (ms as f64 * PERIODS_PER_MAX_AGE / 1_000.0).clamp(MAX_AGE_SECS.0, MAX_AGE_SECS.1);
    Trial {
        samples: stats.samples,
        rows: stats.rows,
        matched: stats.matched,
        rejects: stats.rejects,
        writes: writes.iter().filter_map(write).take(WRITES_MAX).collect(),
        first_failing_clause,
        period_ms,
        suggested_max_age_secs: period_ms.map(suggested),
        warnings,
    }
}

/// The median time between two samples of the same source, milliseconds.
#[must_use]
pub fn median_period_ms<'a>(samples: impl Iterator<Item = &'a Sample>) -> Option<u64> {
    let mut last: BTreeMap<Arc<str>, Instant> = BTreeMap::new();
    let mut periods: Vec<u64> = samples
        .filter_map(|sample| {
            let before = last.insert(Arc::clone(&sample.key_expr), sample.received);
            before.map(|before| sample.received.ms_since(before))
        })
        .collect();
    let middle = periods.len() / 2;
    (!periods.is_empty()).then(|| *periods.select_nth_unstable(middle).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WarningCode;
    use crate::test_support::{CAMERA, compile, detections, now, sample, scanned};
    use serde_json::{Value, json};

    /// The documented example over samples that come every 500 ms.
    fn check(documents: &[Value]) -> Trial {
        check_every(500, documents)
    }

    fn check_every(period_ms: u64, documents: &[Value]) -> Trial {
        let provider = compile("cp-1", detections()).unwrap();
        let at = |i: usize| sample(CAMERA, i as u64 * period_ms);
        let samples: Vec<_> =
            documents.iter().enumerate().map(|(i, document)| (at(i), Ok(scanned(provider.plan(), document)))).collect();
        trial(&provider, &samples, now(10_000))
    }

    #[test]
    fn ws_48_counts_what_matched_what_was_rejected_and_at_which_clause() {
        let see = |label: &str, confidence: f64| json!({"label": label, "confidence": confidence, "zone": "hallway"});
        let trial = check(&[see("person", 0.9), see("person", 0.5), see("dog", 0.95), see("person", 0.85)]);
        assert_eq!((trial.samples, trial.rows, trial.matched), (4, 4, 3));
        assert_eq!(trial.rejects, BTreeMap::from([(RejectReason::Filtered, 1)]));
        assert_eq!(trial.first_failing_clause.as_deref(), Some("confidence > 0.8"));
        let writes: Vec<_> = trial.writes.iter().map(|write| (write.key.as_str(), write.n, write.age_ms)).collect();
        assert_eq!(writes, [("dog.location", 1, 9_000), ("person.location", 2, 8_500)]);
        assert_eq!((trial.period_ms, trial.suggested_max_age_secs), (Some(500), Some(1.5)));
        assert_eq!(trial.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [WarningCode::TextValues]);
    }

    #[test]
    fn ws_48_a_burst_suggests_an_age_that_may_be_given() {
        let row = json!({"label": "person", "confidence": 0.9, "zone": "hallway"});
        let trial = check_every(0, &[row.clone(), row]);
        assert_eq!((trial.period_ms, trial.suggested_max_age_secs), (Some(0), Some(0.1)));
    }

    #[test]
    fn ws_48_ws_49_without_samples_it_says_so() {
        let trial = check(&[]);
        assert_eq!((trial.samples, trial.period_ms), (0, None));
        assert!(trial.warnings.iter().any(|warning| warning.code == WarningCode::NoSampleYet));
    }
}
