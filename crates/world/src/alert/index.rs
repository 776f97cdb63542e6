//! All rules, found by key: a write looks only at the rules that name its key.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use robot::{MissionId, Now};

use super::history::{Retired, Watched};
use super::rule::Alert;
use super::{AlertError, AlertId, AlertRow, AlertRule, AlertState, AlertValue, RuleHistory, RuleRecord};
use crate::agenda::{Agenda, Subject};
use crate::state::claims::Slot;
use crate::{Changes, Key};

/// The most rules an agent may have.
const ALERTS_MAX: usize = 10_000;

/// All rules of a world.
#[derive(Debug, Default)]
pub(crate) struct Alerts {
    alerts: BTreeMap<AlertId, Alert>,
    /// The rules in force by the keys that they read. Looked up only, so that the order of the map does not matter.
    by_key: HashMap<Key, Vec<AlertId>>,
    by_watched: BTreeMap<Watched, AlertId>,
    retired: Retired,
}

/// Surroundings of a rule: the values it reads, the agenda it plans in, the changes it makes.
pub(crate) struct Surroundings<'a> {
    pub(crate) slots: &'a BTreeMap<Key, Slot>,
    pub(crate) agenda: &'a mut Agenda,
    pub(crate) changes: &'a mut Changes,
}

impl Alerts {
    /// Puts a rule in force. Data that is true already is its first edge, once [`Alerts::look`] is called.
    pub(crate) fn add(&mut self, id: AlertId, rule: AlertRule, now: Now) -> Result<Arc<str>, AlertError> {
        if self.alerts.len() >= ALERTS_MAX {
            return Err(AlertError::LimitReached { limit: ALERTS_MAX });
        }
        let mut alert = Alert::compile(rule, now)?;
        let watched = alert.watched();
        let repeated = self.by_watched.get(&watched).or_else(|| self.alerts.get_key_value(&id).map(|(id, _)| id));
        if let Some(known) = repeated {
            return Err(AlertError::Duplicate { id: known.clone() });
        }
        if let Some(history) = self.retired.take(&watched, now) {
            alert.take_history(&id, history);
        }
        let printed = Arc::clone(alert.printed());
        self.by_watched.insert(watched, id.clone());
        self.index(&id, &alert);
        self.alerts.insert(id, alert);
        Ok(printed)
    }

    /// Puts `rule` in the place of the one with `id`, which keeps its debounce.
    pub(crate) fn update(&mut self, id: &AlertId, rule: AlertRule, now: Now) -> Result<Arc<str>, AlertError> {
        let mut alert = Alert::compile(rule, now)?;
        let watched = alert.watched();
        if let Some(other) = self.by_watched.get(&watched).filter(|other| *other != id) {
            return Err(AlertError::Duplicate { id: other.clone() });
        }
        let Some(mut before) = self.alerts.remove(id) else { return Err(AlertError::NotFound { id: id.clone() }) };
        self.unindex(id, &before);
        self.by_watched.remove(&before.watched());
        // Another rule with the old predicate goes on with its debounce, or editing would be a way around it.
        if before.watched() != watched {
            self.retired.keep(before.watched(), before.history().clone(), now);
        }
        alert.replaces(&mut before);
        let printed = Arc::clone(alert.printed());
        self.by_watched.insert(watched, id.clone());
        // A paused rule is not found by its keys, so that writes cost nothing for it.
        if !alert.is_paused() {
            self.index(id, &alert);
        }
        self.alerts.insert(id.clone(), alert);
        Ok(printed)
    }

    /// Takes a rule out of force; false if there is none.
    pub(crate) fn remove(&mut self, id: &AlertId, now: Now) -> bool {
        let Some(alert) = self.alerts.remove(id) else { return false };
        self.unindex(id, &alert);
        self.by_watched.remove(&alert.watched());
        self.retired.keep(alert.watched(), alert.history().clone(), now);
        true
    }

    /// Has the next rule of `mission` with this printed predicate go on where `history` ends; `since` is when it was
    /// removed.
    pub(crate) fn remember(&mut self, watched: Watched, history: RuleHistory, since: Now) {
        self.retired.keep(watched, history, since);
    }

    /// Takes the rules of `mission` out of force, or puts them back; the ids of those that changed.
    pub(crate) fn set_paused(&mut self, mission: &MissionId, paused: bool, now: Now) -> Vec<AlertId> {
        let of_mission =
            |alert: &Alert| alert.rule().mission_id.as_ref() == Some(mission) && alert.is_paused() != paused;
        let ids: Vec<_> = self.alerts.iter().filter(|(_, alert)| of_mission(alert)).map(|(id, _)| id.clone()).collect();
        for id in &ids {
            // Taken out, because the index borrows the whole table.
            let Some(mut alert) = self.alerts.remove(id) else { continue };
            alert.set_paused(paused, now);
            if paused {
                self.unindex(id, &alert);
            } else {
                self.index(id, &alert);
            }
            self.alerts.insert(id.clone(), alert);
        }
        ids
    }

    fn index(&mut self, id: &AlertId, alert: &Alert) {
        for key in alert.watched_keys() {
            self.by_key.entry(key.clone()).or_default().push(id.clone());
        }
    }

    fn unindex(&mut self, id: &AlertId, alert: &Alert) {
        for key in alert.watched_keys() {
            if let Some(ids) = self.by_key.get_mut(key) {
                ids.retain(|other| other != id);
                if ids.is_empty() {
                    self.by_key.remove(key);
                }
            }
        }
    }

    /// True if some rule names `key`.
    pub(crate) fn names(&self, key: &Key) -> bool {
        self.by_key.contains_key(key)
    }

    /// The rules that name `key`.
    pub(crate) fn on_key(&self, key: &Key) -> &[AlertId] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// The keys that rules name.
    pub(crate) fn named_keys(&self) -> impl Iterator<Item = &Key> {
        self.by_key.keys()
    }

    pub(crate) fn keys(&self, id: &AlertId) -> &[Key] {
        self.alerts.get(id).map_or(&[], Alert::keys)
    }

    /// Every key of a rule's predicate, each once.
    pub(crate) fn all_keys(&self) -> std::collections::BTreeSet<&Key> {
        self.alerts.values().flat_map(Alert::keys).collect()
    }

    pub(crate) fn rule(&self, id: &AlertId) -> Option<&AlertRule> {
        self.alerts.get(id).map(Alert::rule)
    }

    pub(crate) fn record(&self, id: &AlertId) -> Option<RuleRecord> {
        self.alerts.get(id).map(|alert| alert.record(id))
    }

    pub(crate) fn values(&self, id: &AlertId, slots: &BTreeMap<Key, Slot>, now: Now) -> Vec<AlertValue> {
        self.alerts.get(id).map_or_else(Vec::new, |alert| alert.values(slots, now))
    }

    /// The rules that started a turn.
    pub(crate) fn woke(&mut self, ids: &[AlertId], now: Now) {
        for id in ids {
            if let Some(alert) = self.alerts.get_mut(id) {
                alert.woke(now);
            }
        }
    }

    /// A person gives a rule its quota back; false if there is no such rule.
    pub(crate) fn clear_wakes(&mut self, id: &AlertId) -> bool {
        let found = self.alerts.get_mut(id);
        found.map(Alert::clear_wakes).is_some()
    }

    /// Evaluates the rules that name `key`.
    pub(crate) fn look_at_key(&mut self, key: &Key, around: &mut Surroundings<'_>, now: Now) {
        for id in self.by_key.get(key).into_iter().flatten() {
            if let Some(alert) = self.alerts.get_mut(id) {
                look(id, alert, around, now);
            }
        }
    }

    /// Evaluates one rule.
    pub(crate) fn look(&mut self, id: &AlertId, around: &mut Surroundings<'_>, now: Now) {
        if let Some(alert) = self.alerts.get_mut(id) {
            look(id, alert, around, now);
        }
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &AlertId> {
        self.alerts.keys()
    }

    pub(crate) fn state(&self, id: &AlertId) -> Option<AlertState> {
        self.alerts.get(id).map(Alert::state)
    }

    /// Number of rules of `mission` that are in force.
    pub(crate) fn in_force(&self, mission: &MissionId) -> usize {
        let is_in_force = |alert: &&Alert| alert.rule().mission_id.as_ref() == Some(mission) && !alert.is_paused();
        self.alerts.values().filter(is_in_force).count()
    }

    pub(crate) fn predicate(&self, id: &AlertId) -> Option<&str> {
        self.alerts.get(id).map(|alert| &**alert.printed())
    }

    /// The rules after `after`, by id.
    pub(crate) fn rows_after<'a>(
        &'a self,
        after: Option<&AlertId>,
        slots: &'a BTreeMap<Key, Slot>,
        is_dangling: impl Fn(&Key) -> bool + 'a,
        now: Now,
    ) -> impl Iterator<Item = AlertRow> + 'a {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let row = move |(id, alert): (&AlertId, &Alert)| {
            let dangling = alert.keys().iter().filter(|key| is_dangling(key)).cloned().collect();
            alert.row(id, slots, dangling, now)
        };
        self.alerts.range::<AlertId, _>((from, Bound::Unbounded)).map(row)
    }
}

fn look(id: &AlertId, alert: &mut Alert, around: &mut Surroundings<'_>, now: Now) {
    if alert.is_paused() {
        return;
    }
    let looked = alert.evaluate(id, around.slots, now);
    around.changes.fires.extend(looked.fire);
    around.changes.moves.extend(looked.moved);
    if let Some(due) = alert.next_due() {
        around.agenda.plan(&Subject::Alert(id.clone()), due);
    }
}
