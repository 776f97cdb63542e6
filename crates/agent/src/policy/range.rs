//! Ranges of the numbers of a policy. A value outside is an error that names the range; nothing is clamped.

use std::ops::RangeInclusive;

use super::{Policy, Preset, Ratio};

/// A number of a policy and what it may be.
pub(super) struct Bounded {
    pub key: &'static str,
    pub value: f64,
    pub range: RangeInclusive<f64>,
}

/// The first number of `policy` that is outside its range.
pub(super) fn first_outside(policy: &Policy) -> Option<Bounded> {
    // A value that is no number is in no range.
    numbers(policy).into_iter().find(|number| !number.range.contains(&number.value))
}

fn numbers(policy: &Policy) -> Vec<Bounded> {
    let mut all = counts(policy);
    all.extend(shares(policy));
    all
}

/// Calls that the designs allow for one turn.
fn calls_range(preset: Preset) -> RangeInclusive<f64> {
    match preset {
        Preset::Companion => 6.0..=22.0,
        // The workflow says how many.
        Preset::Investigator => 1.0..=500.0,
        Preset::Vault | Preset::Chat | Preset::Operator => 1.0..=50.0,
    }
}

fn counts(policy: &Policy) -> Vec<Bounded> {
    let Policy { budget, compact, mask, tools, prefetch, retry, session, sampling, ingress, agency, .. } = policy;
    let of = |key, value: u32, range| Bounded { key, value: f64::from(value), range };
    let always = [
        of("budget.calls", budget.calls, calls_range(policy.preset)),
        of("budget.wall_s", budget.wall_s, 1.0..=86_400.0),
        of("budget.autonomous_wall_s", budget.autonomous_wall_s, 1.0..=120.0),
        of("budget.reply_calls", budget.reply_calls, 1.0..=64.0),
        of("empty.nudges", policy.empty.nudges, 0.0..=10.0),
        of("compact.passes", compact.passes, 0.0..=10.0),
        of("compact.keep.head", compact.keep.head, 0.0..=50.0),
        of("compact.keep.tail", compact.keep.tail, 1.0..=200.0),
        of("mask.keep", mask.keep, 0.0..=1_000.0),
        of("mask.trim_to_chars", mask.trim_to_chars, 1.0..=100_000.0),
        of("tools.reads_at_once", tools.reads_at_once, 1.0..=8.0),
        of("tools.repeat.block", tools.repeat.block, 2.0..=50.0),
        of("tools.timeout_s", tools.timeout_s, 1.0..=600.0),
        of("tools.cut_above_bytes", tools.cut_above_bytes, 1_024.0..=1_048_576.0),
        of("tools.select.top", tools.select.top, 1.0..=128.0),
        of("tools.select.cap", tools.select.cap, 1.0..=128.0),
        of("gate.loops", policy.gate.loops, 0.0..=12.0),
        of("memory.lines", policy.memory.lines, 0.0..=1_000.0),
        of("memory.daily_lines", policy.memory.daily_lines, 0.0..=1_000.0),
        of("prefetch.messages", prefetch.messages, 0.0..=50.0),
        of("prefetch.hits", prefetch.hits, 0.0..=50.0),
        of("prefetch.hit_chars", prefetch.hit_chars, 50.0..=2_000.0),
        of("prefetch.feed", prefetch.feed, 0.0..=50.0),
        of("prefetch.wait_s", prefetch.wait_s, 1.0..=60.0),
        of("rag.candidates", policy.rag.candidates, 1.0..=20.0),
        of("retry.rate_limit_tries", retry.rate_limit_tries, 0.0..=10.0),
        of("retry.other_tries", retry.other_tries, 0.0..=10.0),
        of("retry.base_ms", retry.base_ms, 1.0..=60_000.0),
        of("retry.max_ms", retry.max_ms, 1.0..=60_000.0),
        of("session.keep_days", session.keep_days, 1.0..=3_650.0),
        of("route.reflex_tokens", policy.route.reflex_tokens, 64.0..=4_096.0),
        of("ingress.debounce_ms", ingress.debounce_ms, 0.0..=10_000.0),
        of("agency.says", agency.says, 0.0..=12.0),
        of("agency.wait_min_s", agency.wait_min_s, 1.0..=15.0),
        // The longest wait must not be shorter than the shortest one.
        of("agency.wait_max_s", agency.wait_max_s, f64::from(agency.wait_min_s)..=15.0),
        of("approval.wait_s", policy.approval.wait_s, 1.0..=30.0),
    ];
    let at_times = [
        ("budget.extend_by", budget.extend_by, 1.0..=320.0),
        ("length_stalls.advise", policy.length_stalls.advise, 1.0..=20.0),
        ("length_stalls.stop", policy.length_stalls.stop, 1.0..=20.0),
        ("compact.window", compact.window, 1_024.0..=10_000_000.0),
        ("compact.messages", compact.messages, 20.0..=10_000.0),
        ("mask.trim_above_chars", mask.trim_above_chars, 500.0..=1_000_000.0),
        ("tools.repeat.nudge", tools.repeat.nudge, 2.0..=50.0),
        ("tools.spill_above_bytes", tools.spill_above_bytes, 1_024.0..=51_200.0),
        ("prompt.chars_max", policy.prompt.chars_max, 2_000.0..=200_000.0),
        ("session.idle_min", session.idle_min, 1.0..=525_600.0),
        ("sampling.output_max", sampling.output_max, 64.0..=1_000_000.0),
        ("ingress.sender_per_s", ingress.sender_per_s, 1.0..=100.0),
        ("ingress.room_per_min", ingress.room_per_min, 1.0..=1_000.0),
    ];
    let at_times = at_times.into_iter().filter_map(|(key, value, range)| Some(of(key, value?, range)));
    always.into_iter().chain(at_times).collect()
}

fn shares(policy: &Policy) -> Vec<Bounded> {
    let Policy { budget, compact, rag, retry, sampling, .. } = policy;
    let (share, temperature) = (0.05..=1.0, 0.0..=2.0);
    let weights = [
        ("rag.memory_vector", rag.memory_vector),
        ("rag.memory_min", rag.memory_min),
        ("rag.tools_vector", rag.tools_vector),
        ("rag.tools_min", rag.tools_min),
        ("retry.jitter", retry.jitter),
    ];
    let optional = [
        ("budget.warn_at", budget.warn_at, share.clone()),
        ("compact.trigger", compact.trigger, share.clone()),
        ("compact.flush_at", compact.flush_at, share.clone()),
        ("compact.warn_at", compact.warn_at, share.clone()),
        ("compact.hard_at", compact.hard_at, share.clone()),
        ("compact.keep.tail_share", compact.keep.tail_share, share),
        ("compact.gain_min", compact.gain_min, 0.0..=0.5),
        ("sampling.main", sampling.main, temperature.clone()),
        ("sampling.router", sampling.router, temperature.clone()),
        ("sampling.judges", sampling.judges, temperature.clone()),
        ("sampling.flush", sampling.flush, temperature.clone()),
        ("sampling.summary", sampling.summary, temperature),
    ];
    let of = |key, value: Ratio, range| Bounded { key, value: value.value(), range };
    let weights = weights.into_iter().map(|(key, value)| of(key, value, 0.0..=1.0));
    weights.chain(optional.into_iter().filter_map(|(key, value, range)| Some(of(key, value?, range)))).collect()
}
