//! The alert rules of a world.

use std::collections::BTreeMap;

use robot::{MissionId, Now};

use super::{Running, World};
use crate::agenda::Subject;
use crate::alert::Surroundings;
use crate::{
    AlertError, AlertId, AlertRow, AlertRule, AlertState, AlertValue, Changes, Key, ProviderId, Registered,
    RuleHistory, RuleRecord, Warning, WarningCode,
};

impl World {
    /// Puts an alert rule in force. If its predicate is true on fresh data now, that is its first edge.
    pub fn register_alert(
        &mut self,
        id: AlertId,
        rule: AlertRule,
        now: Now,
    ) -> Result<(Registered, Changes), AlertError> {
        let mut changes = self.advance(now);
        let predicate = self.alerts.add(id.clone(), rule, now)?;
        self.look_at_rule(&id, now, &mut changes);
        changes.next_due = self.agenda.next_due();
        Ok((Registered { predicate: predicate.to_string(), warnings: self.warnings_of(&id) }, changes))
    }

    /// Puts `rule` in the place of the one with `id`. Its debounce and its quota go on; with another predicate it
    /// starts Clear.
    pub fn update_alert(
        &mut self,
        id: &AlertId,
        rule: AlertRule,
        now: Now,
    ) -> Result<(Registered, Changes), AlertError> {
        let mut changes = self.advance(now);
        let predicate = self.alerts.update(id, rule, now)?;
        // The moment was planned for the old predicate.
        self.agenda.forget(&Subject::Alert(id.clone()));
        self.look_at_rule(id, now, &mut changes);
        changes.next_due = self.agenda.next_due();
        Ok((Registered { predicate: predicate.to_string(), warnings: self.warnings_of(id) }, changes))
    }

    /// Takes an alert rule out of force; false if there is none.
    pub fn remove_alert(&mut self, id: &AlertId, now: Now) -> bool {
        self.agenda.forget(&Subject::Alert(id.clone()));
        self.alerts.remove(id, now)
    }

    /// Has the next rule of `mission` with this printed predicate go on where `history` ends. `since` is when the rule
    /// it is of was removed, or now for one that is put back after a restart.
    pub fn remember_rule(&mut self, mission: Option<MissionId>, predicate: String, history: RuleHistory, since: Now) {
        self.alerts.remember((mission, predicate), history, since);
    }

    /// Takes the rules of a mission that does not run out of force; their ids.
    pub fn pause_rules(&mut self, mission: &MissionId, now: Now) -> Vec<AlertId> {
        let paused = self.alerts.set_paused(mission, true, now);
        for id in &paused {
            self.agenda.forget(&Subject::Alert(id.clone()));
        }
        paused
    }

    /// Puts the rules of a mission that runs back in force. What is true on fresh data is their first edge.
    pub fn resume_rules(&mut self, mission: &MissionId, now: Now) -> Changes {
        let mut changes = self.advance(now);
        for id in self.alerts.set_paused(mission, false, now) {
            self.look_at_rule(&id, now, &mut changes);
        }
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// The alert rules, by id.
    #[must_use]
    pub fn alerts(&self, now: Now) -> Vec<AlertRow> {
        self.alerts_after(None, usize::MAX, now)
    }

    /// At most `most` of the alert rules after `after`, by id: there may be too many to look at in one go.
    #[must_use]
    pub fn alerts_after(&self, after: Option<&AlertId>, most: usize, now: Now) -> Vec<AlertRow> {
        self.alerts.rows_after(after, &self.slots, |key| is_dangling(&self.providers, key), now).take(most).collect()
    }

    /// The ids of the alert rules.
    pub fn alert_ids(&self) -> impl Iterator<Item = &AlertId> {
        self.alerts.ids()
    }

    /// The state of one rule.
    #[must_use]
    pub fn alert_state(&self, id: &AlertId) -> Option<AlertState> {
        self.alerts.state(id)
    }

    /// The printed predicate of one rule.
    #[must_use]
    pub fn alert_predicate(&self, id: &AlertId) -> Option<&str> {
        self.alerts.predicate(id)
    }

    /// Number of rules of `mission` that are in force.
    #[must_use]
    pub fn rules_in_force(&self, mission: &MissionId) -> usize {
        self.alerts.in_force(mission)
    }

    /// One rule as it was given.
    #[must_use]
    pub fn alert_rule(&self, id: &AlertId) -> Option<&AlertRule> {
        self.alerts.rule(id)
    }

    /// The history of one rule, for storing.
    #[must_use]
    pub fn rule_record(&self, id: &AlertId) -> Option<RuleRecord> {
        self.alerts.record(id)
    }

    /// Present values of one rule's keys.
    #[must_use]
    pub fn rule_values(&self, id: &AlertId, now: Now) -> Vec<AlertValue> {
        self.alerts.values(id, &self.slots, now)
    }

    /// Notes that these rules started a turn.
    pub fn rules_woke(&mut self, ids: &[AlertId], now: Now) {
        self.alerts.woke(ids, now);
    }

    /// Gives a rule its quota of turns back; false if there is no such rule.
    pub fn clear_wakes(&mut self, id: &AlertId) -> bool {
        self.alerts.clear_wakes(id)
    }

    /// The keys of rules that only `provider` can write: without it nothing can.
    #[must_use]
    pub fn dangling_without(&self, provider: &ProviderId) -> Vec<Warning> {
        let can_write = |running: &Running, key: &Key| running.provider.template().can_write(key);
        let Some(its) = self.providers.get(provider) else { return Vec::new() };
        let others = || self.providers.iter().filter(|(id, _)| *id != provider).map(|(_, running)| running);
        let dangles = |key: &&Key| can_write(its, key) && !others().any(|other| can_write(other, key));
        self.alerts.all_keys().into_iter().filter(dangles).map(dangling).collect()
    }

    fn warnings_of(&self, id: &AlertId) -> Vec<Warning> {
        let keys = self.alerts.keys(id).iter();
        keys.filter(|key| is_dangling(&self.providers, key)).map(dangling).collect()
    }

    pub(super) fn look_at_rule(&mut self, id: &AlertId, at: Now, changes: &mut Changes) {
        let mut around = Surroundings { slots: &self.slots, agenda: &mut self.agenda, changes };
        self.alerts.look(id, &mut around, at);
    }
}

fn is_dangling(providers: &BTreeMap<ProviderId, Running>, key: &Key) -> bool {
    !providers.values().any(|running| running.provider.template().can_write(key))
}

fn dangling(key: &Key) -> Warning {
    let message = format!("no provider can write {key}");
    Warning { code: WarningCode::DanglingKey, key: Some(key.clone()), message }
}
