//! The alert rules of an agent: stored, put in force, changed, removed.

use std::sync::Arc;

use memory::StoredAlert;
use robot::{MissionId, Now};
use world::{AlertError, AlertId, AlertRow, AlertRule, AlertState, AlertValue, Registered, RuleHistory, RuleRecord};

use super::Ingest;
use crate::AgentWorld;
use crate::Sensing;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{AlertRegistered, Tag};

/// Rules that a list takes from the world at once.
const RULES_PER_LOOK: usize = 200;

impl Ingest {
    /// Puts the rules of the agent's database in force, each with its debounce and its quota. What cannot be read is
    /// named and left out.
    pub(super) async fn load_rules(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
    ) -> Result<(), memory::MemoryError> {
        let now = sensing.runtime.clock.now();
        for removed in agent.db.removed_alerts(now.wall_ms).await? {
            let ago_ms = u64::try_from(now.wall_ms.saturating_sub(removed.removed_ms)).unwrap_or(0);
            let station_then = now.station.minus(std::time::Duration::from_millis(ago_ms));
            let since = Now { station: station_then, wall_ms: removed.removed_ms };
            let history = RuleHistory::of_record(&removed.record, now);
            self.world().remember_rule(removed.mission, removed.predicate, history, since);
        }
        for stored in agent.db.alerts().await? {
            let started = match stored {
                Ok(stored) => {
                    let history = RuleHistory::of_record(&stored.record, now);
                    let mission = stored.rule.mission_id.clone();
                    // Kept by mission and predicate, where the rule finds it when it starts (decision 0028).
                    self.world().remember_rule(mission, stored.predicate, history, now);
                    self.start_rule(sensing, agent, AlertId(stored.id), stored.rule).map(drop)
                }
                Err(error) => Err(error.into()),
            };
            if let Err(error) = started {
                sensing.runtime.bus.event_of(&agent.id, "alert_unusable", error.to_string());
            }
        }
        Ok(())
    }

    /// Stores a rule and puts it in force.
    pub async fn register_alert(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        by: &Session,
        rule: AlertRule,
    ) -> Result<AlertRegistered, OpError> {
        let _changing = self.changing.lock().await;
        let id = AlertId(format!("al-{}", uuid::Uuid::now_v7()));
        let registered = self.add_rule(sensing, agent, by.actor(), &id, rule).await?;
        Ok(answer("Alert registered".into(), id, registered))
    }

    /// Puts a rule in force, and stores it. The caller holds `changing`.
    pub(super) async fn add_rule(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        actor: &str,
        id: &AlertId,
        rule: AlertRule,
    ) -> Result<Registered, OpError> {
        // In force first, because that checks it; what the disk does not take is taken back.
        let registered = self.start_rule(sensing, agent, id.clone(), rule.clone())?;
        if let Err(error) = save(sensing, agent, actor, stored(id, rule, &registered)).await {
            self.world().remove_alert(id, sensing.runtime.clock.now());
            sensing.alarms.retire(&agent.id, id);
            return Err(error);
        }
        sensing.runtime.bus.changed(Tag::Alerts);
        Ok(registered)
    }

    /// Puts another rule in the place of one. A person who does so gives it its quota of turns back.
    pub async fn update_alert(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        by: &Session,
        id: AlertId,
        change: impl FnOnce(AlertRule) -> AlertRule,
    ) -> Result<AlertRegistered, OpError> {
        let _changing = self.changing.lock().await;
        let now = sensing.runtime.clock.now();
        let before = self.world().alert_rule(&id).cloned().ok_or_else(|| AlertError::NotFound { id: id.clone() })?;
        let rule = change(before.clone());
        let update = |rule: AlertRule| {
            let (registered, changes) = {
                let mut world = self.world();
                let (registered, mut changes) = world.update_alert(&id, rule, now)?;
                agent.rules.push(&mut changes);
                (registered, changes)
            };
            super::report(sensing, agent, &changes.notices);
            Ok::<_, AlertError>(registered)
        };
        let registered = update(rule.clone())?;
        if let Err(error) = save(sensing, agent, by.actor(), stored(&id, rule, &registered)).await {
            // The disk still has the old rule, and so has the world again.
            update(before)?;
            return Err(error);
        }
        if by.kind() == robot::SessionKind::Person {
            self.clear_wakes(agent, &id);
        }
        sensing.runtime.bus.changed(Tag::Alerts);
        Ok(answer(format!("Alert {} updated", id.0), id, registered))
    }

    /// Takes a rule out of force, and notes that it is gone.
    pub async fn unregister_alert(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        id: &AlertId,
    ) -> Result<(), OpError> {
        let _changing = self.changing.lock().await;
        self.drop_rule(sensing, agent, id).await
    }

    /// The same for a caller that holds `changing`.
    pub(super) async fn drop_rule(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        id: &AlertId,
    ) -> Result<(), OpError> {
        let now = sensing.runtime.clock.now();
        let record = self.world().rule_record(id).ok_or_else(|| AlertError::NotFound { id: id.clone() })?;
        // On disk first: a rule that was removed must not fire again after a crash.
        agent.db.remove_alert(&record, now.wall_ms).await?;
        self.world().remove_alert(id, now);
        // Its earlier fires are dealt with first, so that its alarm says last that it is gone.
        agent.rules.deal(sensing, agent);
        sensing.waker.removed(&agent.id, id);
        sensing.alarms.retire(&agent.id, id);
        sensing.runtime.bus.changed(Tag::Alerts);
        Ok(())
    }

    /// Every rule as it is in force.
    pub(super) fn held_rules(&self) -> Vec<StoredAlert> {
        let held = |id: AlertId| {
            let world = self.world();
            let (rule, record) = world.alert_rule(&id).cloned().zip(world.rule_record(&id))?;
            let predicate = world.alert_predicate(&id)?.to_owned();
            Some(StoredAlert { id: id.0, rule, predicate, record })
        };
        self.alert_ids().into_iter().filter_map(held).collect()
    }

    fn start_rule(
        &self,
        sensing: &Sensing,
        agent: &AgentWorld,
        id: AlertId,
        rule: AlertRule,
    ) -> Result<Registered, OpError> {
        let now = sensing.runtime.clock.now();
        let (registered, changes) = {
            let mut world = self.world();
            let (registered, mut changes) = world.register_alert(id, rule, now)?;
            agent.rules.push(&mut changes);
            (registered, changes)
        };
        super::report(sensing, agent, &changes.notices);
        Ok(registered)
    }

    /// Every rule with its state, those of one part at a time: a receive thread waits for no long list.
    pub async fn alerts(&self, now: Now) -> Result<Vec<AlertRow>, OpError> {
        let mut rows: Vec<AlertRow> = Vec::new();
        loop {
            let after = rows.last().map(|row| row.id.clone());
            let part = self.ask(move |world| world.alerts_after(after.as_ref(), RULES_PER_LOOK, now)).await?;
            let is_last = part.len() < RULES_PER_LOOK;
            rows.extend(part);
            if is_last {
                return Ok(rows);
            }
        }
    }

    /// The id of every rule.
    pub(super) fn alert_ids(&self) -> Vec<AlertId> {
        self.world().alert_ids().cloned().collect()
    }

    /// The record of one rule's fires.
    pub(crate) fn rule_record(&self, id: &AlertId) -> Option<RuleRecord> {
        self.world().rule_record(id)
    }

    /// The present values of the keys of one rule.
    pub(crate) fn rule_values(&self, id: &AlertId, now: Now) -> Vec<AlertValue> {
        self.world().rule_values(id, now)
    }

    /// True if the condition of a rule holds now.
    pub fn is_true(&self, id: &AlertId) -> bool {
        self.world().alert_state(id) == Some(AlertState::Active)
    }

    /// Notes that these rules started a turn.
    pub fn rules_woke(&self, agent: &AgentWorld, ids: &[AlertId], now: Now) {
        self.world().rules_woke(ids, now);
        ids.iter().for_each(|id| agent.rules.note(agent, id));
    }

    /// The mission that a rule belongs to.
    #[must_use]
    pub fn mission_of(&self, id: &AlertId) -> Option<MissionId> {
        self.world().alert_rule(id)?.mission_id.clone()
    }

    /// Gives a rule its quota of turns back.
    pub(crate) fn clear_wakes(&self, agent: &AgentWorld, id: &AlertId) {
        if self.world().clear_wakes(id) {
            agent.rules.note(agent, id);
        }
    }
}

/// A rule that has not fired, as the disk keeps it.
fn stored(id: &AlertId, rule: AlertRule, registered: &Registered) -> StoredAlert {
    let record = RuleRecord { id: id.clone(), last_fired_ms: None, fires: 0, suppressed: 0, wakes_ms: Vec::new() };
    StoredAlert { id: id.0.clone(), rule, predicate: registered.predicate.clone(), record }
}

async fn save(sensing: &Sensing, agent: &AgentWorld, actor: &str, stored: StoredAlert) -> Result<(), OpError> {
    agent.db.save_alert(&stored, actor, sensing.runtime.clock.now().wall_ms).await?;
    // A rule that inherits a debounce needs it on disk as well.
    agent.rules.note(agent, &stored.record.id);
    Ok(())
}

fn answer(message: String, id: AlertId, registered: Registered) -> AlertRegistered {
    AlertRegistered { message, id: id.0, predicate: registered.predicate, warnings: registered.warnings }
}
