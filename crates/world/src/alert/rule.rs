//! One rule with its state: Clear, Active, Held, and the debounce.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, Now};

use super::history::Watched;
use super::{
    AlertError, AlertId, AlertRule, AlertState, AlertValue, Fire, RuleCondition, RuleHistory, RuleMove, RuleRecord,
};
use crate::alarm::AlarmTerms;
use crate::facts::WorldFacts;
use crate::predicate::{Memory, Rule, Truth};
use crate::state::claims::Slot;
use crate::{Entry, Key};

/// The most values a fire names.
const FIRE_VALUES_MAX: usize = 16;
/// State of a rule that needs no report: there is no data, and nothing is suppressed.
const NOTHING_TOLD: (RuleCondition, bool) = (RuleCondition::Lost, false);
/// The longest description, in characters.
const DESCRIPTION_CHARS_MAX: usize = 1_024;

/// A rule in force.
#[derive(Debug)]
pub(super) struct Alert {
    rule: AlertRule,
    watch: Watch,
    printed: Arc<str>,
    alarm: Option<Arc<AlarmTerms>>,
    /// Predicate that takes its alarm out of the list.
    suppress: Option<Watch>,
    state: AlertState,
    since: Now,
    /// Last report: the predicate's condition, and true if the alarm was suppressed.
    told: (RuleCondition, bool),
    history: RuleHistory,
    evaluations: u64,
    version: u64,
    /// Its mission does not run.
    paused: bool,
    /// The debounce kept back an edge; if the rule is still Active at its end, it fires then.
    edge_waits: bool,
}

/// A predicate with what it remembers.
#[derive(Debug)]
struct Watch {
    predicate: Rule,
    memory: Memory,
}

/// The outcome of looking at a rule.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) fire: Option<Fire>,
    pub(super) moved: Option<RuleMove>,
}

impl Watch {
    fn new(predicate: Rule) -> Self {
        Self { memory: Memory::of(&predicate), predicate }
    }

    fn look(&mut self, slots: &BTreeMap<Key, Slot>, at: Instant) -> RuleCondition {
        let find = |key: &Key| slots.get(key).and_then(Slot::chosen);
        let facts = WorldFacts { keys: self.predicate.names(), find, at };
        match self.predicate.evaluate(&facts, &mut self.memory, at) {
            Truth::True => RuleCondition::True,
            Truth::False => RuleCondition::False,
            Truth::Unknown if facts.any_lost() => RuleCondition::Lost,
            Truth::Unknown => RuleCondition::Unknown,
        }
    }
}

impl Alert {
    pub(super) fn compile(rule: AlertRule, now: Now) -> Result<Self, AlertError> {
        let out_of_range = |field, min, max| Err(AlertError::OutOfRange { field, min, max });
        // NaN lies in no range: the conversion into a duration would panic on it later.
        if !(1.0..=86_400.0).contains(&rule.debounce_secs) {
            return out_of_range("debounce_secs", 1, 86_400);
        }
        if !(0.0..=100.0).contains(&rule.arousal_boost) {
            return out_of_range("arousal_boost", 0, 100);
        }
        if rule.description.as_ref().is_some_and(|text| text.chars().count() > DESCRIPTION_CHARS_MAX) {
            return out_of_range("description", 0, 1_024);
        }
        let predicate = Rule::parse(&rule.predicate).map_err(AlertError::BadPredicate)?;
        let alarm = rule.alarm.as_ref().map(AlarmTerms::check).transpose().map_err(AlertError::BadAlarm)?;
        let (alarm, suppress) = alarm.unzip();
        Ok(Self {
            printed: predicate.to_string().into(),
            watch: Watch::new(predicate),
            alarm: alarm.map(Arc::new),
            suppress: suppress.flatten().map(Watch::new),
            rule,
            state: AlertState::Clear,
            since: now,
            told: NOTHING_TOLD,
            history: RuleHistory::default(),
            evaluations: 0,
            version: 1,
            paused: false,
            edge_waits: false,
        })
    }

    /// The keys of its predicate.
    pub(super) fn keys(&self) -> &[Key] {
        self.watch.predicate.names()
    }

    /// All keys that make it look: also those that suppress its alarm.
    pub(super) fn watched_keys(&self) -> impl Iterator<Item = &Key> {
        let suppressing = self.suppress.as_ref().map_or(&[][..], |watch| watch.predicate.names());
        self.keys().iter().chain(suppressing.iter().filter(|key| !self.keys().contains(key)))
    }

    pub(super) const fn state(&self) -> AlertState {
        self.state
    }

    pub(super) fn printed(&self) -> &Arc<str> {
        &self.printed
    }

    pub(super) const fn rule(&self) -> &AlertRule {
        &self.rule
    }

    /// Its mission and predicate: two rules of one mission with the same predicate are one.
    pub(super) fn watched(&self) -> Watched {
        (self.rule.mission_id.clone(), self.printed.to_string())
    }

    /// Goes on where `history` ends. Counts go on only for the rule they are of.
    pub(super) fn take_history(&mut self, id: &AlertId, history: RuleHistory) {
        let is_own = history.rule.as_ref() == Some(id);
        let counts = if is_own { (history.fires, history.suppressed) } else { (0, 0) };
        self.history = RuleHistory { rule: Some(id.clone()), fires: counts.0, suppressed: counts.1, ..history };
    }

    /// Takes the place of `before`: its debounce and quota hold, and with the same predicate also its state.
    pub(super) fn replaces(&mut self, before: &mut Self) {
        self.history = before.history.clone();
        (self.version, self.paused, self.evaluations) = (before.version + 1, before.paused, before.evaluations);
        if self.watch.predicate == before.watch.predicate {
            std::mem::swap(&mut self.watch.memory, &mut before.watch.memory);
            (self.state, self.since, self.edge_waits) = (before.state, before.since, before.edge_waits);
        }
    }

    pub(super) fn clear_wakes(&mut self) {
        self.history.wakes.clear();
    }

    pub(super) fn woke(&mut self, now: Now) {
        self.history.woke(now);
    }

    pub(super) const fn history(&self) -> &RuleHistory {
        &self.history
    }

    pub(super) fn record(&self, id: &AlertId) -> RuleRecord {
        self.history.record(id)
    }

    pub(super) const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Out of force while its mission does not run: Clear, and nothing remembered of its predicate.
    pub(super) fn set_paused(&mut self, paused: bool, now: Now) {
        self.paused = paused;
        self.watch.memory = Memory::of(&self.watch.predicate);
        (self.state, self.since, self.edge_waits) = (AlertState::Clear, now, false);
        self.told = NOTHING_TOLD;
    }

    /// Looks at the world at `now`.
    pub(super) fn evaluate(&mut self, id: &AlertId, slots: &BTreeMap<Key, Slot>, now: Now) -> Looked {
        self.evaluations += 1;
        let condition = self.watch.look(slots, now.station);
        // Hiding an alarm takes a known truth: on doubtful data it stays in the list.
        let suppressed =
            self.suppress.as_mut().is_some_and(|watch| watch.look(slots, now.station) == RuleCondition::True);
        let state = match (condition, self.state) {
            (RuleCondition::True, _) => AlertState::Active,
            // After a loss the next true value is an edge: the condition may have ended unseen meanwhile.
            (RuleCondition::False | RuleCondition::Lost, _) | (RuleCondition::Unknown, AlertState::Clear) => {
                AlertState::Clear
            }
            // A short gap in the data is no end, or one late sample would make the same situation fire again.
            (RuleCondition::Unknown, AlertState::Active | AlertState::Held) => AlertState::Held,
        };
        let is_edge = self.state == AlertState::Clear && state == AlertState::Active;
        if state != self.state {
            (self.state, self.since) = (state, now);
        }
        let moves = is_edge || self.told != (condition, suppressed);
        self.told = (condition, suppressed);
        let moved = moves.then(|| self.moved(id, is_edge, slots, now));
        let fire = self.debounce(is_edge, now).then(|| self.fire(id, slots, now));
        Looked { fire, moved }
    }

    fn debounce(&mut self, is_edge: bool, now: Now) -> bool {
        let is_over = self.debounce_end().is_none_or(|end| now.station >= end);
        if !is_over {
            self.history.suppressed += u64::from(is_edge);
            self.edge_waits |= is_edge;
            return false;
        }
        let waited = std::mem::take(&mut self.edge_waits) && self.state == AlertState::Active;
        if !is_edge && !waited {
            return false;
        }
        self.history.last_fired = Some(now);
        self.history.fires += 1;
        true
    }

    fn debounce_end(&self) -> Option<Instant> {
        let length = Duration::from_secs_f64(self.rule.debounce_secs);
        self.history.last_fired.map(|fired| fired.station.plus(length))
    }

    /// When it has to be looked at although nothing is written: the end of a `for`, or of a debounce.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let debounce_end = self.debounce_end().filter(|_| self.edge_waits);
        let suppress_due = self.suppress.as_ref().and_then(|watch| watch.memory.due());
        self.watch.memory.due().into_iter().chain(debounce_end).chain(suppress_due).min()
    }

    fn moved(&self, id: &AlertId, is_edge: bool, slots: &BTreeMap<Key, Slot>, now: Now) -> RuleMove {
        let (condition, suppressed) = self.told;
        RuleMove {
            alert: id.clone(),
            mission: self.rule.mission_id.clone(),
            predicate: Arc::clone(&self.printed),
            description: self.rule.description.clone(),
            condition,
            edges: u64::from(is_edge),
            suppressed,
            alarm: self.alarm.clone(),
            values: if is_edge { self.values(slots, now) } else { Vec::new() },
            at: now,
        }
    }

    fn fire(&self, id: &AlertId, slots: &BTreeMap<Key, Slot>, now: Now) -> Fire {
        // It fires all the same: the quota is about waking the agent, not about what people and records see.
        let woke_too_often = self.history.quota_left(now) == 0;
        Fire {
            alert: id.clone(),
            mission: self.rule.mission_id.clone(),
            predicate: self.printed.to_string(),
            description: self.rule.description.clone(),
            arousal_boost: if woke_too_often { 0.0 } else { self.rule.arousal_boost },
            woke_too_often,
            is_alarm: self.alarm.is_some(),
            merged: 1,
            values: self.values(slots, now),
            at: now,
        }
    }

    pub(super) fn values(&self, slots: &BTreeMap<Key, Slot>, now: Now) -> Vec<AlertValue> {
        let chosen = self.keys().iter().filter_map(|key| slots.get(key)?.chosen());
        let value = |entry: &Entry| AlertValue {
            key: entry.key.clone(),
            value: entry.value.clone(),
            confidence: entry.confidence,
            age_ms: entry.age_ms(now.station),
            source: entry.source.to_string(),
            received_ms: entry.received_ms,
            n: entry.sample_n,
            provider: entry.provider.clone(),
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
        let quota_left = self.history.quota_left(now);
        super::AlertRow {
            id: id.clone(),
            mission_id: self.rule.mission_id.clone(),
            predicate: self.printed.to_string(),
            description: self.rule.description.clone(),
            debounce_secs: self.rule.debounce_secs,
            arousal_boost: self.rule.arousal_boost,
            state: self.state,
            since: unix_s(self.since),
            last_fired_at: self.history.last_fired.map(|fired| fired.unix_s()),
            fires: self.history.fires,
            suppressed: self.history.suppressed,
            evaluations: self.evaluations,
            quota_left,
            woke_too_often: quota_left == 0,
            paused: self.paused,
            alarm: self.rule.alarm.clone(),
            version: self.version,
            dangling_keys,
            values_now: self.values(slots, now),
        }
    }
}
