//! A trial run of a provider over the kept samples, and a readable form of those samples.

use std::sync::Arc;
use std::time::Duration;

use bridge::{Decoder, PAYLOAD_BYTES_MAX, ReadableSample, show, show_beginning};
use robot::{Now, Sample, Scan};
use world::{Entry, Provider, Trial, trial};

use super::subscriptions::{Feed, Topic};
use crate::AgentWorld;
use crate::Sensing;
use runtime::error::OpError;
use runtime::wire::{ContextTested, RawSample, TestedWrite, TopicField, TopicRow, word};

/// Runs `provider` over the kept samples of its key expression; with none, listens for `wait`.
pub async fn test(
    sensing: &Arc<Sensing>,
    agent: &AgentWorld,
    provider: Provider,
    wait: Duration,
) -> Result<ContextTested, OpError> {
    let kept = listen(sensing, &provider.config().topic_pattern, wait).await?.kept();
    let scanned = |sample: &Arc<Sample>| (Sample::clone(sample), Decoder.scan(sample, provider.plan()));
    let samples: Vec<_> = kept.iter().map(scanned).collect();
    let now = sensing.runtime.clock.now();
    let tried = trial(&provider, &samples, now);
    let in_world = agent.ingest.ask(move |world| world.warnings_about(&provider)).await?;
    let mut answer = tested(tried);
    for warning in in_world {
        if answer.warnings.iter().all(|known| known.code != warning.code) {
            answer.warnings.push(warning);
        }
    }
    Ok(answer)
}

/// The feed of `pattern`; if it has kept nothing yet, `wait` later.
async fn listen(sensing: &Arc<Sensing>, pattern: &str, wait: Duration) -> Result<Arc<Feed>, OpError> {
    let opened = sensing.feeds.open(sensing, pattern).await;
    let feed = opened.map_err(|error| OpError::bad_input(error.code(), "topic_pattern", error.to_string()))?;
    if feed.kept().is_empty() {
        // There is no event for "that was all": the wait is what was asked for.
        tokio::time::sleep(wait).await;
    }
    Ok(feed)
}

/// Listens to `pattern` for `wait`, or until it ends, and gives what it brought. It stays listed for ten minutes.
pub async fn watch(sensing: &Arc<Sensing>, pattern: &str, wait: Duration) -> Result<Vec<TopicRow>, OpError> {
    let feed = listen(sensing, pattern, wait).await?;
    let now = sensing.runtime.clock.now();
    let heard = feed.heard();
    sensing.feeds.listen_on(pattern, feed, now.station);
    // The list is made once a second only, and what was heard a moment ago is to stand in it.
    sensing.feeds.refresh(now.station);
    let topics = sensing.feeds.topics();
    Ok(topics.iter().filter(|topic| heard.contains(&topic.key_expr)).map(|topic| topic_row(topic, now)).collect())
}

/// Every topic that was heard, as it was at most a second ago.
pub fn topics(sensing: &Sensing) -> Vec<TopicRow> {
    let now = sensing.runtime.clock.now();
    sensing.feeds.topics().iter().map(|topic| topic_row(topic, now)).collect()
}

/// A topic as it is listed.
fn topic_row(topic: &Topic, now: Now) -> TopicRow {
    let sample = &topic.newest;
    let shown = match topic.newest_bytes {
        bytes if bytes > PAYLOAD_BYTES_MAX as u64 => show_beginning(sample),
        bytes if bytes > sample.payload.len() as u64 => ReadableSample { cut: true, ..show(sample) },
        _ => show(sample),
    };
    let ReadableSample { form, text, cut, looks_like, fields } = shown;
    TopicRow {
        key_expr: topic.key_expr.to_string(),
        samples: topic.samples,
        rate_hz: topic.rate_hz,
        bytes_per_s: topic.bytes_per_s,
        age_ms: now.station.ms_since(sample.received),
        encoding: sample.encoding.to_string(),
        form,
        bytes: topic.newest_bytes,
        too_large: topic.too_large,
        looks_like,
        last: text,
        cut,
        fields: fields
            .into_iter()
            .map(|field| TopicField { path: field.path, kind: field.kind, example: field.example })
            .collect(),
    }
}

/// The kept sample that `entry` came from.
pub fn raw(feed: &Feed, entry: &Entry) -> Option<RawSample> {
    let is_it = |sample: &Arc<Sample>| {
        sample.key_expr == entry.source
            && sample.received_ms == entry.received_ms
            && entry.sample_n.is_none_or(|n| sample.n == n)
    };
    feed.kept().into_iter().rfind(is_it).map(|sample| raw_sample(&sample))
}

fn raw_sample(sample: &Sample) -> RawSample {
    let ReadableSample { form, text, cut, .. } = show(sample);
    RawSample {
        key_expr: sample.key_expr.to_string(),
        received_ms: sample.received_ms,
        n: sample.n,
        encoding: sample.encoding.to_string(),
        form,
        text,
        cut,
    }
}

fn tested(tried: Trial) -> ContextTested {
    let write = |write: world::TrialWrite| TestedWrite {
        key: write.key.to_string(),
        value: write.value,
        confidence: write.confidence,
        age_ms: write.age_ms,
        n: write.n,
    };
    ContextTested {
        samples: tried.samples,
        rows: tried.rows,
        matched: tried.matched,
        rejects: tried.rejects.iter().map(|(reason, count)| (word(reason), *count)).collect(),
        writes: tried.writes.into_iter().map(write).collect(),
        first_failing_clause: tried.first_failing_clause,
        period_ms: tried.period_ms,
        suggested_max_age_secs: tried.suggested_max_age_secs,
        warnings: tried.warnings,
    }
}
