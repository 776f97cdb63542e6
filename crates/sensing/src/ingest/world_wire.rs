//! Entries, points and notices in the form in which screens and programs get them.

use robot::{AgentId, Now, Scalar, Trust};
use world::{Awaited, Entry, Freshness, HistoryPoint, Key, Notice, SkewedClock};

use crate::Sensing;
use runtime::wire::{AgeBasis, Signal, SignalValue, ValueOrigin, WorldPoint, WorldRow};

/// An entry as `list_world_state` shows it.
pub fn row(agent: &AgentId, entry: &Entry, now: Now) -> WorldRow {
    WorldRow {
        key: entry.key.to_string(),
        signal: signal_id(agent, &entry.key),
        value: Some(entry.value.clone()),
        unit: entry.unit.as_deref().map(str::to_owned),
        confidence: entry.confidence,
        updated_at: Some(entry.observed_ms(now).div_euclid(1_000)),
        age_ms: Some(entry.age_ms(now.station)),
        freshness: entry.freshness(now.station),
        source: entry.source.to_string(),
        provider: entry.provider.0.to_string(),
        origin: entry.origin,
        trust: entry.trust,
        contested: entry.flags.contested,
        age_basis: entry.age_basis,
        flags: entry.flags,
        seq: entry.seq,
    }
}

/// A key that was never heard of as `list_world_state` shows it.
pub fn awaited_row(agent: &AgentId, awaited: &Awaited) -> WorldRow {
    WorldRow {
        key: awaited.key.to_string(),
        signal: signal_id(agent, &awaited.key),
        value: None,
        unit: None,
        confidence: None,
        updated_at: None,
        age_ms: None,
        freshness: Freshness::Never,
        source: awaited.source.to_string(),
        provider: awaited.provider.0.to_string(),
        origin: ValueOrigin::Measured,
        trust: Trust::Typed,
        contested: false,
        age_basis: AgeBasis::Received,
        flags: world::Flags::default(),
        seq: 0,
    }
}

/// A point of the history.
pub fn point(point: &HistoryPoint) -> WorldPoint {
    WorldPoint {
        kind: point.kind,
        value: point.value.clone(),
        confidence: point.confidence,
        observed_ms: point.observed_ms,
        received_ms: point.received_ms,
        source: point.source.to_string(),
    }
}

/// Names the live signal of a key. Two agents may both know of it.
pub(crate) fn signal_id(agent: &AgentId, key: &Key) -> String {
    format!("world/{agent}/{key}")
}

pub(super) fn signal(sensing: &Sensing, agent: &AgentId, entry: &Entry) -> Signal {
    let value = match &entry.value {
        Scalar::Bool(truth) => SignalValue::Bool(*truth),
        Scalar::Text(text) => SignalValue::Text(text.clone()),
        // A number always has a float form, so that no NaN leaves here.
        number @ (Scalar::Int(_) | Scalar::Float(_)) => SignalValue::Number(number.as_f64().unwrap_or(f64::NAN)),
    };
    let before_ns = entry.age_before_ms.saturating_mul(1_000_000);
    Signal {
        id: signal_id(agent, &entry.key),
        source: entry.source.to_string(),
        value,
        unit: entry.unit.as_deref().map(str::to_owned),
        confidence: entry.confidence,
        observed_mono_ms: robot::Instant(entry.observed_at.0.saturating_sub(before_ns)).mono_ms(),
        max_age_ms: entry.max_age_ms,
        age_basis: entry.age_basis,
        origin: entry.origin,
        // Nothing of an earlier run is ever shown as current.
        source_lost: entry.lost_source || entry.flags.restored,
        simulated: sensing.sources.is_simulated(&entry.source),
    }
}

/// The sentence of a notice for people, with its code.
pub(super) fn notice(notice: &Notice) -> (&'static str, String) {
    match notice {
        Notice::TooManyKeys { provider, keys_max } => (
            "too_many_keys",
            format!("The context {} has its most keys, {keys_max}: new ones push out old ones.", provider.0),
        ),
        Notice::RejectsAll { provider } => {
            ("context_rejects_all", format!("The context {} has rejected every row for 60 s.", provider.0))
        }
        Notice::NoSample { provider } => (
            "context_no_sample",
            format!("The context {} has seen no sample for five times its maximum age.", provider.0),
        ),
        Notice::SourceClocks { provider, skewed, worst: Some(SkewedClock { source, behind_ms }) } => {
            let off = robot::span_in_words(behind_ms.unsigned_abs());
            let side = if *behind_ms < 0 { "ahead" } else { "behind" };
            let others = match skewed.saturating_sub(1) {
                0 => String::new(),
                1 => ", and one more clock is off".to_owned(),
                others => format!(", and {others} more clocks are off"),
            };
            let sentence = format!(
                "The clock of {source}, which the context {} reads, is {off} {side}{others}: \
                 values are as old as their arrival.",
                provider.0
            );
            ("source_clock_skewed", sentence)
        }
        Notice::SourceClocks { provider, worst: None, .. } => {
            ("source_clock_right", format!("No source of the context {} has a clock that is off any more.", provider.0))
        }
    }
}
