//! All rules, found by key: a write looks only at the rules that name its key.

use std::collections::BTreeMap;

use robot::Now;

use super::rule::Alert;
use super::{AlertError, AlertId, AlertRow, AlertRule, Fire};
use crate::Key;
use crate::agenda::{Agenda, Subject};
use crate::slot::Slot;

/// The most rules an agent may have.
const ALERTS_MAX: usize = 10_000;

/// All rules of a world.
#[derive(Debug, Default)]
pub(crate) struct Alerts {
    alerts: BTreeMap<AlertId, Alert>,
    by_key: BTreeMap<Key, Vec<AlertId>>,
}

/// What a rule may look at and plan.
pub(crate) struct Surroundings<'a> {
    pub(crate) slots: &'a BTreeMap<Key, Slot>,
    pub(crate) agenda: &'a mut Agenda,
    pub(crate) fires: &'a mut Vec<Fire>,
}

impl Alerts {
    /// Puts a rule in force. Data that is true already is its first edge, once [`Alerts::look`] is called.
    pub(crate) fn add(&mut self, id: AlertId, rule: AlertRule, now: Now) -> Result<String, AlertError> {
        if self.alerts.len() >= ALERTS_MAX {
            return Err(AlertError::LimitReached { limit: ALERTS_MAX });
        }
        let alert = Alert::compile(rule, now)?;
        if let Some((id, _)) = self.alerts.iter().find(|(known, other)| **known == id || other.repeats(&alert)) {
            return Err(AlertError::Duplicate { id: id.clone() });
        }
        for key in alert.keys() {
            self.by_key.entry(key.clone()).or_default().push(id.clone());
        }
        let printed = alert.printed();
        self.alerts.insert(id, alert);
        Ok(printed)
    }

    /// Takes a rule out of force; false if there is none.
    pub(crate) fn remove(&mut self, id: &AlertId) -> bool {
        let Some(alert) = self.alerts.remove(id) else { return false };
        for key in alert.keys() {
            if let Some(ids) = self.by_key.get_mut(key) {
                ids.retain(|other| other != id);
                if ids.is_empty() {
                    self.by_key.remove(key);
                }
            }
        }
        true
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

    pub(crate) fn rows(
        &self,
        slots: &BTreeMap<Key, Slot>,
        is_dangling: impl Fn(&Key) -> bool,
        now: Now,
    ) -> Vec<AlertRow> {
        let row = |(id, alert): (&AlertId, &Alert)| {
            let dangling = alert.keys().iter().filter(|key| is_dangling(key)).cloned().collect();
            alert.row(id, slots, dangling, now)
        };
        self.alerts.iter().map(row).collect()
    }
}

fn look(id: &AlertId, alert: &mut Alert, around: &mut Surroundings<'_>, now: Now) {
    if alert.evaluate(around.slots, now) {
        around.fires.push(alert.fire(id, around.slots, now));
    }
    if let Some(due) = alert.next_due() {
        around.agenda.plan(&Subject::Alert(id.clone()), due);
    }
}
