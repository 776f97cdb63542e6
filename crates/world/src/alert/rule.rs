//! One rule with its state: Clear, Active, Held, and the debounce.

use std::collections::BTreeMap;
use std::time::Duration;

use robot::{Instant, Now, Scalar};

use super::{AlertError, AlertId, AlertRule, AlertState, AlertValue, Fire};
use crate::predicate::{Facts, Memory, Rule, StateTest, Truth};
use crate::slot::Slot;
use crate::{Entry, Freshness, Key};

/// The most values a fire names.
const FIRE_VALUES_MAX: usize = 16;
/// The longest description, in characters.
const DESCRIPTION_CHARS_MAX: usize = 1_024;

/// A rule in force.
#[derive(Debug)]
pub(super) struct Alert {
    rule: AlertRule,
    predicate: Rule,
    memory: Memory,
    state: AlertState,
    since: Now,
    last_fired: Option<Now>,
    fires: u64,
    suppressed: u64,
    /// The debounce kept back an edge; if the rule is still Active at its end, it fires then.
    edge_waits: bool,
}

impl Alert {
    pub(super) fn compile(rule: AlertRule, now: Now) -> Result<Self, AlertError> {
        let out_of_range = |field, expected| Err(AlertError::OutOfRange { field, expected });
        if !(1.0..=86_400.0).contains(&rule.debounce_secs) {
            return out_of_range("debounce_secs", "1 to 86,400 s");
        }
        if !(0.0..=100.0).contains(&rule.arousal_boost) {
            return out_of_range("arousal_boost", "0 to 100");
        }
        if rule.description.as_ref().is_some_and(|text| text.chars().count() > DESCRIPTION_CHARS_MAX) {
            return out_of_range("description", "at most 1,024 characters");
        }
        let predicate = Rule::parse(&rule.predicate).map_err(AlertError::BadPredicate)?;
        Ok(Self {
            memory: Memory::of(&predicate),
            rule,
            predicate,
            state: AlertState::Clear,
            since: now,
            last_fired: None,
            fires: 0,
            suppressed: 0,
            edge_waits: false,
        })
    }

    pub(super) fn keys(&self) -> &[Key] {
        self.predicate.names()
    }

    pub(super) fn printed(&self) -> String {
        self.predicate.to_string()
    }

    /// True if both watch for the same in the same mission.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        self.rule.mission_id == other.rule.mission_id && self.predicate == other.predicate
    }

    /// Looks at the world at `now`; true if the rule fires.
    pub(super) fn evaluate(&mut self, slots: &BTreeMap<Key, Slot>, now: Now) -> bool {
        let facts = WorldFacts { keys: self.predicate.names(), slots, at: now.station };
        let truth = self.predicate.evaluate(&facts, &mut self.memory, now.station);
        let state = match (truth, self.state) {
            (Truth::True, _) => AlertState::Active,
            (Truth::False, _) | (Truth::Unknown, AlertState::Clear) => AlertState::Clear,
            (Truth::Unknown, AlertState::Active | AlertState::Held) if facts.any_lost() => AlertState::Clear,
            (Truth::Unknown, AlertState::Active | AlertState::Held) => AlertState::Held,
        };
        let is_edge = self.state == AlertState::Clear && state == AlertState::Active;
        if state != self.state {
            self.state = state;
            self.since = now;
        }
        self.debounce(is_edge, now)
    }

    fn debounce(&mut self, is_edge: bool, now: Now) -> bool {
        let is_over = self.debounce_end().is_none_or(|end| now.station >= end);
        if !is_over {
            self.suppressed += u64::from(is_edge);
            self.edge_waits |= is_edge;
            return false;
        }
        let waited = std::mem::take(&mut self.edge_waits) && self.state == AlertState::Active;
        if !is_edge && !waited {
            return false;
        }
        self.last_fired = Some(now);
        self.fires += 1;
        true
    }

    fn debounce_end(&self) -> Option<Instant> {
        let length = Duration::from_secs_f64(self.rule.debounce_secs);
        self.last_fired.map(|fired| fired.station.plus(length))
    }

    /// When it has to be looked at although nothing is written: the end of a `for`, or of a debounce.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let debounce_end = self.debounce_end().filter(|_| self.edge_waits);
        self.memory.due().into_iter().chain(debounce_end).min()
    }

    pub(super) fn fire(&self, id: &AlertId, slots: &BTreeMap<Key, Slot>, now: Now) -> Fire {
        Fire {
            alert: id.clone(),
            mission: self.rule.mission_id.clone(),
            predicate: self.printed(),
            description: self.rule.description.clone(),
            arousal_boost: self.rule.arousal_boost,
            values: self.values(slots),
            at: now,
        }
    }

    fn values(&self, slots: &BTreeMap<Key, Slot>) -> Vec<AlertValue> {
        let chosen = self.keys().iter().filter_map(|key| slots.get(key)?.chosen());
        let value = |entry: &Entry| AlertValue {
            key: entry.key.clone(),
            value: entry.value.clone(),
            confidence: entry.confidence,
        };
        chosen.map(value).take(FIRE_VALUES_MAX).collect()
    }

    pub(super) fn row(
        &self,
        id: &AlertId,
        slots: &BTreeMap<Key, Slot>,
        dangling_keys: Vec<Key>,
        now: Now,
    ) -> super::AlertRow {
        let unix_s = |at: Now| now.wall_ms_of(at.station).div_euclid(1_000);
        super::AlertRow {
            id: id.clone(),
            mission_id: self.rule.mission_id.clone(),
            predicate: self.printed(),
            description: self.rule.description.clone(),
            debounce_secs: self.rule.debounce_secs,
            arousal_boost: self.rule.arousal_boost,
            state: self.state,
            since: unix_s(self.since),
            last_fired_at: self.last_fired.map(unix_s),
            fires: self.fires,
            suppressed: self.suppressed,
            dangling_keys,
            values_now: self.values(slots),
        }
    }
}

/// The world as a rule sees it: what is stale, lost or missing is unknown.
struct WorldFacts<'a> {
    keys: &'a [Key],
    slots: &'a BTreeMap<Key, Slot>,
    at: Instant,
}

impl WorldFacts<'_> {
    fn entry(&self, name: usize) -> Option<&Entry> {
        let slot = self.slots.get(self.keys.get(name)?)?;
        slot.chosen()
    }

    fn fresh(&self, name: usize) -> Option<&Entry> {
        self.entry(name).filter(|entry| entry.freshness(self.at) <= Freshness::Aging)
    }

    fn any_lost(&self) -> bool {
        let is_lost = |name| self.entry(name).is_none_or(|entry| entry.freshness(self.at) >= Freshness::Lost);
        (0..self.keys.len()).any(is_lost)
    }
}

impl Facts for WorldFacts<'_> {
    fn value(&self, name: usize) -> Option<&Scalar> {
        self.fresh(name).map(|entry| &entry.value)
    }

    fn confidence(&self, name: usize) -> Option<f64> {
        self.fresh(name).and_then(|entry| entry.confidence)
    }

    fn is(&self, name: usize, test: StateTest) -> bool {
        let Some(freshness) = self.entry(name).map(|entry| entry.freshness(self.at)) else { return false };
        match test {
            StateTest::Exists => true,
            StateTest::Fresh => freshness <= Freshness::Aging,
            StateTest::Stale => freshness > Freshness::Aging,
            StateTest::Lost => freshness == Freshness::Lost,
        }
    }
}
