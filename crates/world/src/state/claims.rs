//! The place of one key: what its sources claim, which claim counts, and which is shown.

use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, Sample, Trust};

use crate::reading::{Clean, Observed, Order, Reading};
use crate::state::freshness::lost_after_ms;
use crate::{AgeBasis, Entry, Flags, Freshness, Provider, ProviderId};

/// The most claims a key keeps; a fifth replaces the oldest.
const CLAIMS_MAX: usize = 4;
/// A newer claim counts if its confidence is at most this far below the best live one.
const CONFIDENCE_MARGIN: f64 = 0.20;
/// Differences of confidence below this are rounding.
const CONFIDENCE_ROUNDING: f64 = 1e-9;
/// Time for which a lost entry stays, milliseconds: "sensor lost" is information.
const LOST_KEPT_MS: u64 = 24 * 3_600 * 1_000;

/// The claim of one source, through one provider, about a key.
#[derive(Debug)]
struct Claim {
    entry: Entry,
    order: Order,
    /// The provider's `min_interval_secs`.
    min_interval: Duration,
}

/// One row that was accepted for a key.
pub(crate) struct AcceptedRow<'a> {
    pub(crate) provider: &'a Provider,
    pub(crate) sample: &'a Sample,
    pub(crate) reading: &'a Reading,
    pub(crate) value: &'a Clean<'a>,
    pub(crate) observed: &'a Observed,
    pub(crate) instance: Option<&'a str>,
}

/// All claims about one key. The chosen one is what rules see at once, `shown` what everybody else sees.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    claims: Vec<Claim>,
    /// Index of the chosen claim, and the freshness rules last saw it with.
    chosen: Option<(usize, Freshness)>,
    /// The value or confidence of a claim has changed since the last settling.
    touched: bool,
    contested: bool,
    shown: Option<(Arc<Entry>, Freshness)>,
    /// The chosen claim has something that is not shown yet: it waits for the end of the interval.
    is_held: bool,
    interval_end: Instant,
    /// Its change is noted, and nobody has asked for it yet.
    pub(crate) is_noted: bool,
}

/// Effects of [`Slot::settle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moved {
    /// Rules on the key have to look.
    pub(crate) chosen: bool,
    /// Another entry is shown.
    pub(crate) shown: bool,
    /// Its value or confidence is another one.
    pub(crate) value: bool,
    /// It became, or ceased to be, contested.
    pub(crate) contest: bool,
    /// The freshness of what is shown differs.
    pub(crate) freshness: bool,
    /// Nothing is left to show.
    pub(crate) gone: bool,
}

impl Slot {
    /// A key as an earlier run left it.
    pub(crate) fn restored(entry: Entry, at: Instant) -> Self {
        let freshness = entry.freshness(at);
        // The least order there is, so that no sample of this run counts as older.
        let claim = Claim { entry: entry.clone(), order: Order::default(), min_interval: Duration::ZERO };
        Self {
            claims: vec![claim],
            chosen: Some((0, freshness)),
            shown: Some((Arc::new(entry), freshness)),
            ..Self::default()
        }
    }

    /// The entry that rules see.
    pub(crate) fn chosen(&self) -> Option<&Entry> {
        let (index, _) = self.chosen?;
        self.claims.get(index).map(|claim| &claim.entry)
    }

    /// The entry that everybody else sees.
    pub(crate) fn shown(&self) -> Option<&Arc<Entry>> {
        self.shown.as_ref().map(|(entry, _)| entry)
    }

    /// The entries of all sources.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Entry> {
        self.claims.iter().map(|claim| &claim.entry)
    }

    /// True if `provider` has said something about the key.
    pub(crate) fn is_claimed_by(&self, provider: &ProviderId) -> bool {
        self.claims.iter().any(|claim| claim.entry.provider == *provider)
    }

    /// When a source last said something about the key.
    pub(crate) fn last_observed(&self) -> Instant {
        self.claims.iter().map(|claim| claim.entry.observed_at).max().unwrap_or_default()
    }

    /// True if the same source has already said something newer.
    pub(crate) fn has_newer(&self, provider: &ProviderId, source: &str, order: &Order) -> bool {
        let newer = |claim: &Claim| claim.is_of(provider, source) && order.is_before(&claim.order);
        self.claims.iter().any(newer)
    }

    /// Takes in what a source says now.
    pub(crate) fn put(&mut self, said: &AcceptedRow<'_>) {
        // What an earlier run left gives way to the first value of this one.
        self.drop_claims_where(|entry| entry.flags.restored);
        let (provider, source) = (said.provider.id(), &said.sample.key_expr);
        let same = self.claims.iter().position(|claim| claim.is_of(provider, source));
        if let Some(claim) = same.and_then(|i| self.claims.get_mut(i)) {
            self.touched |= claim.renew(said);
        } else {
            self.make_room();
            self.claims.push(Claim::new(said));
            self.touched = true;
        }
        self.is_held = true;
    }

    /// Drops what `provider` made.
    pub(crate) fn drop_claims(&mut self, provider: &ProviderId) {
        self.drop_claims_where(|entry| entry.provider == *provider);
    }

    /// Drops every claim; the next settling finds nothing left.
    pub(crate) fn drop_all(&mut self) {
        self.drop_claims_where(|_| true);
    }

    /// Drops what holds a forgotten text, shown or claimed; true if something did. What is left is shown at once.
    pub(crate) fn forget(&mut self, says: &impl Fn(&str) -> bool) -> bool {
        let said = |entry: &Entry| entry.says(says);
        let is_shown = self.shown().is_some_and(|entry| said(entry));
        if !is_shown && !self.claims().any(said) {
            return false;
        }
        self.drop_claims_where(said);
        self.is_held = true;
        // What was shown is forgotten, and must not stay on screens until an interval ends.
        self.interval_end = Instant::default();
        true
    }

    /// Marks what `provider` made as paused, or as running again with a new window; true if something was marked.
    pub(crate) fn set_paused(&mut self, provider: &ProviderId, paused: bool) -> bool {
        let mut changed = false;
        for claim in self.claims.iter_mut().filter(|claim| claim.entry.provider == *provider) {
            changed |= claim.entry.flags.paused != paused;
            claim.entry.flags.paused = paused;
        }
        if changed {
            self.is_held = true;
            self.interval_end = Instant::default();
        }
        changed
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
        if changed {
            self.is_held = true;
            // No interval may keep a lost value looking alive.
            self.interval_end = Instant::default();
        }
        changed
    }

    /// Ends the interval now, so that a held value is shown with the next settling; true if one is held.
    pub(crate) fn end_interval(&mut self) -> bool {
        self.interval_end = Instant::default();
        self.is_held
    }

    /// Chooses, shows and ages what is there at `at`. `seq` rises if another entry is shown.
    pub(crate) fn settle(&mut self, at: Instant, seq: &mut u64) -> Moved {
        self.drop_claims_where(|entry| at >= forgotten_at(entry));
        let Some(index) = choose(&self.claims, at) else {
            // The flag survives, or the key would be queued twice for the next reader of changes.
            let is_noted = self.is_noted;
            *self = Self { is_noted, ..Self::default() };
            return Moved { gone: true, chosen: true, ..Moved::default() };
        };
        let mut moved = Moved { chosen: self.settle_chosen(index, at), ..Moved::default() };
        if self.is_held && at >= self.interval_end {
            self.show(index, at, seq, &mut moved);
        } else if let Some((entry, freshness)) = &mut self.shown {
            let now = entry.freshness(at);
            moved.freshness = *freshness != now;
            *freshness = now;
        }
        moved
    }

    /// Makes the claim at `index` the chosen one; true if rules have to look.
    fn settle_chosen(&mut self, index: usize, at: Instant) -> bool {
        let Some(claim) = self.claims.get(index) else { return false };
        let freshness = claim.entry.freshness(at);
        // Only a live source contradicts: an older value was true in its time.
        let contested = self.claims.iter().enumerate().any(|(i, other)| {
            i != index && other.entry.freshness(at) == Freshness::Live && other.entry.value != claim.entry.value
        });
        let paused = claim.entry.flags.paused;
        let before = self.chosen.replace((index, freshness));
        let is_other = before.is_none_or(|(before, _)| before != index);
        self.is_held |= is_other || contested != self.contested;
        self.contested = contested;
        let touched = std::mem::take(&mut self.touched);
        // An entry of a paused provider ages, and raises nothing.
        let aged = before.is_some_and(|(_, before)| before != freshness) && !paused;
        is_other || touched || aged
    }

    fn show(&mut self, index: usize, at: Instant, seq: &mut u64, moved: &mut Moved) {
        let Some(claim) = self.claims.get(index) else { return };
        *seq += 1;
        moved.shown = true;
        let freshness = claim.entry.freshness(at);
        match &mut self.shown {
            Some((shown, before)) => {
                let is_same = shown.value == claim.entry.value;
                moved.value = !is_same || shown.confidence != claim.entry.confidence;
                moved.contest = shown.flags.contested != self.contested;
                moved.freshness = *before != freshness;
                let changed_at = if is_same { shown.changed_at } else { at };
                // Copied only while a snapshot still holds it.
                let shown = Arc::make_mut(shown);
                shown.copy_from(&claim.entry);
                (shown.seq, shown.changed_at, shown.flags.contested) = (*seq, changed_at, self.contested);
                *before = freshness;
            }
            None => {
                moved.value = true;
                let mut shown = claim.entry.clone();
                (shown.seq, shown.changed_at, shown.flags.contested) = (*seq, at, self.contested);
                self.shown = Some((Arc::new(shown), freshness));
            }
        }
        self.is_held = false;
        self.interval_end = at.plus(claim.min_interval);
    }

    /// The next moment after `at` at which silence changes something here.
    pub(crate) fn next_due(&self, at: Instant) -> Option<Instant> {
        let transitions = self.claims.iter().filter_map(|claim| claim.entry.next_transition(at));
        let forgotten = self.claims.iter().map(|claim| forgotten_at(&claim.entry));
        let shown = self.shown().and_then(|entry| entry.next_transition(at));
        let interval_end = self.is_held.then_some(self.interval_end);
        // Strictly later: a moment that is due now would be planned again without end.
        transitions.chain(forgotten).chain(shown).chain(interval_end).filter(|due| *due > at).min()
    }

    fn make_room(&mut self) {
        if self.claims.len() < CLAIMS_MAX {
            return;
        }
        let oldest = self.claims.iter().enumerate().min_by_key(|(_, claim)| claim.entry.observed_at);
        if let Some((oldest, _)) = oldest {
            self.claims.remove(oldest);
            self.chosen = None;
        }
    }

    fn drop_claims_where(&mut self, dropped: impl Fn(&Entry) -> bool) {
        let before = self.claims.len();
        self.claims.retain(|claim| !dropped(&claim.entry));
        if self.claims.len() < before {
            // The indices have moved.
            self.chosen = None;
        }
    }
}

impl Claim {
    fn new(said: &AcceptedRow<'_>) -> Self {
        let (provider, sample) = (said.provider, said.sample);
        // Placeholders: `renew` fills in all that a sample brings.
        let entry = Entry {
            key: said.reading.key.clone(),
            value: said.value.value().into(),
            unit: provider.unit(),
            confidence: None,
            observed_at: Instant::default(),
            source_ms: None,
            received_at: Instant::default(),
            received_ms: 0,
            sample_n: None,
            age_basis: AgeBasis::Received,
            max_age_ms: provider.max_age_ms(),
            source: Arc::clone(&sample.key_expr),
            instance: None,
            provider: provider.id().clone(),
            mission: provider.config().mission_id.clone(),
            origin: provider.config().origin,
            trust: said.reading.trust,
            changed_at: sample.received,
            seq: 0,
            flags: Flags::default(),
            lost_source: false,
            age_before_ms: 0,
        };
        let mut claim = Self { entry, order: said.observed.order, min_interval: provider.min_interval() };
        claim.renew(said);
        claim
    }

    /// Takes over what is said now; true if the value or the confidence differs.
    fn renew(&mut self, said: &AcceptedRow<'_>) -> bool {
        let AcceptedRow { provider, sample, reading, value, observed, instance } = said;
        let entry = &mut self.entry;
        let differs = value.value().store(&mut entry.value) | (entry.confidence != reading.confidence);
        entry.confidence = reading.confidence;
        entry.trust = reading.trust;
        entry.observed_at = observed.at;
        entry.source_ms = observed.source_ms;
        entry.received_at = sample.received;
        entry.received_ms = sample.received_ms;
        entry.sample_n = Some(sample.n);
        entry.age_basis = observed.basis;
        entry.max_age_ms = provider.max_age_ms();
        entry.origin = provider.config().origin;
        // A source that speaks is there.
        entry.lost_source = false;
        if entry.instance.as_deref() != *instance {
            entry.instance = instance.map(Arc::from);
        }
        // These describe one sample. A contest depends on the other claims and is found when the slot settles.
        entry.flags = Flags {
            untrusted_ts: observed.untrusted,
            late: observed.late,
            cut: value.cut,
            cleaned: value.cleaned,
            ..Flags::default()
        };
        self.order = observed.order;
        self.min_interval = provider.min_interval();
        differs
    }

    fn is_of(&self, provider: &ProviderId, source: &str) -> bool {
        self.entry.provider == *provider && *self.entry.source == *source
    }
}

fn forgotten_at(entry: &Entry) -> Instant {
    entry.older_than_at(lost_after_ms(entry.max_age_ms).saturating_add(LOST_KEPT_MS))
}

/// Among live and aging claims that are sure enough the one observed last; if there is none, the one observed last.
fn choose(claims: &[Claim], at: Instant) -> Option<usize> {
    if claims.len() < 2 {
        return claims.len().checked_sub(1);
    }
    // Unknown is not sure: it counts as 0, never as 1.
    let sure = |entry: &Entry| entry.confidence.unwrap_or(0.0);
    let state = |claim: &Claim| claim.entry.freshness(at);
    let best = claims.iter().filter(|claim| state(claim) == Freshness::Live).map(|claim| sure(&claim.entry));
    let least = best.fold(0.0, f64::max) - CONFIDENCE_MARGIN - CONFIDENCE_ROUNDING;
    let counts = |claim: &Claim| state(claim) <= Freshness::Aging && sure(&claim.entry) >= least;
    let any_counts = claims.iter().any(counts);
    let newest =
        claims.iter().enumerate().filter(|(_, claim)| !any_counts || counts(claim)).max_by(|(_, a), (_, b)| {
            let (a, b) = (&a.entry, &b.entry);
            // Down to the names of the sources, so that the same samples always choose the same claim.
            let by_confidence = sure(a).total_cmp(&sure(b));
            a.observed_at.cmp(&b.observed_at).then(by_confidence).then_with(|| b.source.cmp(&a.source))
        });
    newest.map(|(index, _)| index)
}

/// The trust of an entry decides whether its text may be quoted outside a boundary.
pub(crate) const fn is_typed(entry: &Entry) -> bool {
    match entry.trust {
        Trust::Trusted | Trust::Typed => true,
        Trust::Text => false,
    }
}
