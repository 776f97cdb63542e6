//! The place of one key: what its sources claim, which claim counts, and which is shown.

use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, Trust};

use crate::freshness::{first_older_than, lost_after_ms, next_transition};
use crate::{AgeBasis, Entry, Freshness, ProviderId};

/// The most claims a key keeps; a fifth replaces the oldest.
const CLAIMS_MAX: usize = 4;
/// A newer claim counts if its confidence is at most this far below the best live one.
const CONFIDENCE_MARGIN: f64 = 0.20;
/// Differences of confidence below this are rounding.
const CONFIDENCE_ROUNDING: f64 = 1e-9;
/// How long a lost entry stays: "sensor lost" is information.
const LOST_KEPT_MS: u64 = 24 * 3_600 * 1_000;

/// What one source, through one provider, says about a key.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) entry: Entry,
    /// The provider's `min_interval_secs`.
    pub(crate) min_interval: Duration,
}

/// All claims about one key. `chosen` is what rules see at once, `shown` what everybody else sees.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    claims: Vec<Claim>,
    chosen: Option<(Arc<Entry>, Freshness)>,
    shown: Option<(Arc<Entry>, Freshness)>,
    /// The chosen value waits for the end of the interval.
    is_held: bool,
    interval_end: Instant,
}

/// What [`Slot::settle`] moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moved {
    /// Rules on the key have to look.
    pub(crate) chosen: bool,
    /// The shown entry or its freshness differs.
    pub(crate) shown: bool,
    /// Nothing is left to show.
    pub(crate) gone: bool,
}

impl Slot {
    /// What rules see.
    pub(crate) fn chosen(&self) -> Option<&Arc<Entry>> {
        self.chosen.as_ref().map(|(entry, _)| entry)
    }

    /// What everybody else sees.
    pub(crate) fn shown(&self) -> Option<&Arc<Entry>> {
        self.shown.as_ref().map(|(entry, _)| entry)
    }

    /// When a source last said something about the key.
    pub(crate) fn last_observed(&self) -> Instant {
        self.claims.iter().map(|claim| claim.entry.observed_at).max().unwrap_or_default()
    }

    /// True if the same source has already said something newer.
    pub(crate) fn has_newer(&self, entry: &Entry) -> bool {
        self.claims.iter().any(|claim| is_same_source(&claim.entry, entry) && is_older(entry, &claim.entry))
    }

    /// Takes in what a source says now.
    pub(crate) fn put(&mut self, claim: Claim) {
        let same = self.claims.iter().position(|known| is_same_source(&known.entry, &claim.entry));
        let full = self.claims.len() >= CLAIMS_MAX;
        let oldest = || self.claims.iter().enumerate().min_by_key(|(_, known)| known.entry.observed_at).map(|(i, _)| i);
        match same.or_else(|| if full { oldest() } else { None }).and_then(|i| self.claims.get_mut(i)) {
            Some(place) => *place = claim,
            None => self.claims.push(claim),
        }
    }

    /// Drops what `provider` made.
    pub(crate) fn drop_claims(&mut self, provider: &ProviderId) {
        self.claims.retain(|claim| claim.entry.provider != *provider);
    }

    /// Marks the claims of `source` and what lies below it; true if one changed.
    pub(crate) fn set_source_alive(&mut self, source: &str, alive: bool) -> bool {
        let is_below = |entry: &Entry| {
            entry.source.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut changed = false;
        for claim in self.claims.iter_mut().filter(|claim| is_below(&claim.entry)) {
            changed |= claim.entry.lost_source == alive;
            claim.entry.lost_source = !alive;
        }
        changed
    }

    /// Chooses, shows and ages what is there at `at`. `seq` rises if another entry is shown.
    pub(crate) fn settle(&mut self, at: Instant, seq: &mut u64) -> Moved {
        self.claims.retain(|claim| at < forgotten_at(&claim.entry));
        let Some(index) = choose(&self.claims, at) else {
            *self = Self::default();
            return Moved { gone: true, chosen: true, shown: true };
        };
        let mut moved = self.settle_chosen(index, at);
        let min_interval = self.claims.get(index).map_or(Duration::ZERO, |claim| claim.min_interval);
        if self.is_held && (at >= self.interval_end || self.source_moved()) {
            self.show(at, min_interval, seq);
            moved.shown = true;
        } else if let Some((entry, freshness)) = &mut self.shown {
            let now = entry.freshness(at);
            moved.shown = *freshness != now;
            *freshness = now;
        }
        moved
    }

    fn settle_chosen(&mut self, index: usize, at: Instant) -> Moved {
        let Some(claim) = self.claims.get(index) else { return Moved::default() };
        let mut entry = claim.entry.clone();
        if let Some(chosen) = self.chosen() {
            (entry.seq, entry.changed_at) = (chosen.seq, chosen.changed_at);
        }
        let freshness = entry.freshness(at);
        entry.flags.contested = self.claims.iter().enumerate().any(|(i, other)| {
            i != index && other.entry.freshness(at) == Freshness::Live && other.entry.value != entry.value
        });
        if let Some((chosen, chosen_freshness)) = &mut self.chosen
            && **chosen == entry
        {
            let moved = *chosen_freshness != freshness;
            *chosen_freshness = freshness;
            return Moved { chosen: moved, ..Moved::default() };
        }
        self.chosen = Some((Arc::new(entry), freshness));
        self.is_held = true;
        Moved { chosen: true, ..Moved::default() }
    }

    /// A source that went or came back is shown at once: no interval may keep a lost value looking alive.
    fn source_moved(&self) -> bool {
        let is_lost = |entry: &Arc<Entry>| entry.lost_source;
        self.chosen().map(is_lost) != self.shown().map(is_lost)
    }

    fn show(&mut self, at: Instant, min_interval: Duration, seq: &mut u64) {
        let Some((chosen, freshness)) = &mut self.chosen else { return };
        *seq += 1;
        let entry = Arc::make_mut(chosen);
        entry.seq = *seq;
        entry.changed_at = match &self.shown {
            Some((before, _)) if before.value == entry.value => before.changed_at,
            Some(_) | None => at,
        };
        self.shown = Some((Arc::clone(chosen), *freshness));
        self.is_held = false;
        self.interval_end = at.plus(min_interval);
    }

    /// The next moment after `at` at which silence changes something here.
    pub(crate) fn next_due(&self, at: Instant) -> Option<Instant> {
        let transitions = self
            .claims
            .iter()
            .filter(|claim| !claim.entry.lost_source)
            .filter_map(|claim| next_transition(claim.entry.observed_at, claim.entry.max_age_ms, at));
        let forgotten = self.claims.iter().map(|claim| forgotten_at(&claim.entry));
        let shown = self.shown().and_then(|entry| next_transition(entry.observed_at, entry.max_age_ms, at));
        let interval_end = self.is_held.then_some(self.interval_end);
        transitions.chain(forgotten).chain(shown).chain(interval_end).filter(|due| *due > at).min()
    }
}

fn forgotten_at(entry: &Entry) -> Instant {
    first_older_than(entry.observed_at, lost_after_ms(entry.max_age_ms).saturating_add(LOST_KEPT_MS))
}

/// Among live and aging claims that are sure enough the one observed last; if there is none, the one observed last.
fn choose(claims: &[Claim], at: Instant) -> Option<usize> {
    let sure = |entry: &Entry| entry.confidence.unwrap_or(0.0);
    let state = |claim: &Claim| claim.entry.freshness(at);
    let best = claims.iter().filter(|claim| state(claim) == Freshness::Live).map(|claim| sure(&claim.entry));
    let least = best.fold(0.0, f64::max) - CONFIDENCE_MARGIN - CONFIDENCE_ROUNDING;
    let counts = |claim: &Claim| state(claim) <= Freshness::Aging && sure(&claim.entry) >= least;
    let any_counts = claims.iter().any(counts);
    let newest =
        claims.iter().enumerate().filter(|(_, claim)| !any_counts || counts(claim)).max_by(|(_, a), (_, b)| {
            let (a, b) = (&a.entry, &b.entry);
            let by_confidence = sure(a).total_cmp(&sure(b));
            a.observed_at.cmp(&b.observed_at).then(by_confidence).then_with(|| b.source.cmp(&a.source))
        });
    newest.map(|(index, _)| index)
}

fn is_same_source(a: &Entry, b: &Entry) -> bool {
    a.provider == b.provider && a.source == b.source
}

/// Stamps of one source are compared as sent: they are exact where the arrival has jitter.
fn is_older(new: &Entry, known: &Entry) -> bool {
    match (new.age_basis, known.age_basis, new.source_ms, known.source_ms) {
        (AgeBasis::Source, AgeBasis::Source, Some(new), Some(known)) => new < known,
        _ => new.observed_at < known.observed_at,
    }
}

/// The trust of an entry decides whether its text may be quoted outside a boundary.
pub(crate) const fn is_typed(entry: &Entry) -> bool {
    match entry.trust {
        Trust::Trusted | Trust::Typed => true,
        Trust::Text => false,
    }
}
