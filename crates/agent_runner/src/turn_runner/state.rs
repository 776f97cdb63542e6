//! The desk's state that is kept for the next run: the running turn, and the causes that may wake the agent.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use agent::AlertNotice;
use llm::ModelKind;
use memory::{AgentDb, MemoryError, StateKey};
use robot::{ConversationId, TurnId};
use serde::{Deserialize, Serialize};
use tokio::time::MissedTickBehavior;
use world::AlertId;
use world::alarm::{BuiltIn, Of};
use world::arousal::ArousalRecord;

use super::{Start, TurnRunner};
use crate::agents::AgentUnit;
use crate::models::ledger::Place;
use crate::runner::AgentRunner;
use runtime::lock::lock;

/// Period at which the wake causes are saved, if they have changed.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// The turn that runs, as the next run finds it if this one dies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunningTurn {
    pub turn: TurnId,
    pub session: ConversationId,
    /// The alerts behind it, with their words.
    pub woken: Vec<(AlertId, AlertNotice)>,
}

/// The wake causes, as stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct WakesRecord {
    pub arousal: ArousalRecord,
    /// Alerts that wait for a turn, with their words.
    pub waiting: Vec<(AlertId, AlertNotice)>,
}

impl RunningTurn {
    pub fn of(start: &Start) -> Self {
        // Causes that made room for a person before are not put back a second time.
        let woken = start.woken.as_ref().filter(|_| !start.again);
        Self {
            turn: start.turn.clone(),
            session: start.conversation.session.clone(),
            woken: woken.map(super::wake::Causes::alerts).unwrap_or_default(),
        }
    }
}

impl TurnRunner {
    /// Notes on disk that a turn runs, or that none does. A turn that cannot be noted runs all the same: its transcript
    /// says what it did.
    pub(super) async fn note_running(&self, agent: &AgentUnit, turn: Option<&RunningTurn>) {
        if let Err(error) = agent.db.set_state(StateKey::Turn, turn).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "the turn that runs is not noted");
        }
    }

    /// Writes what the desk holds, into a database that a backup has replaced.
    pub(crate) async fn put_back(&self, db: &AgentDb) -> Result<(), MemoryError> {
        self.conversations.put_back(db).await?;
        self.mode.save(db).await?;
        db.set_state(StateKey::CallsMax, self.calls_max().as_ref()).await?;
        let paused = lock(&self.paused).clone();
        db.set_state(StateKey::Paused, Some(&paused)).await?;
        lock(&self.wakes).note_changed();
        Ok(())
    }

    /// Saves what may wake the agent, if it has changed.
    pub(super) async fn save_wakes(&self, runner: &AgentRunner, agent: &AgentUnit) {
        let record = lock(&self.wakes).take_changed(runner.runtime.clock.now());
        let Some(record) = record else { return };
        if let Err(error) = agent.db.set_state(StateKey::Wakes, Some(&record)).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "what may wake the agent is not saved");
            // Tried again at the next tick.
            lock(&self.wakes).note_changed();
        }
    }

    /// Looks whether the day's money is spent; the built-in interpreter costs nothing.
    pub(super) async fn look_at_budget(&self, runner: &AgentRunner, agent: &AgentUnit) {
        self.look_at_missions(runner, agent);
        let place = Place { session: ConversationId::from(""), turn: None, mission: None };
        let spent = match agent.model(runner).kind {
            ModelKind::Interpreter => Ok(false),
            ModelKind::Language => {
                agent.ledger.budgets(&place, agent.limits(runner)).await.map(|budgets| budgets.day.is_spent())
            }
        };
        match spent {
            Ok(spent) => {
                // A turn of its own that ran out of money waits for a person, and others like it would only
                // join it.
                lock(&self.wakes).set_budget_spent(spent || self.awaits_answer());
                runner.sensing.alarms.set(BuiltIn::SpendLimitReached, &Of::agent(&agent.id), spent, || {
                    format!("What {} may spend in a day is spent; no turn of its own starts.", agent.id)
                });
            }
            // The last known state holds; for the turn itself a sum that cannot be read counts as spent
            // (decision 0047).
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "what is spent today is not known"),
        }
    }

    /// Looks which missions have spent their money: no alert of theirs starts a turn. The interpreter costs nothing.
    fn look_at_missions(&self, runner: &AgentRunner, agent: &AgentUnit) {
        let spent = match agent.model(runner).kind {
            ModelKind::Language => runner.missions.spent(&agent.id),
            ModelKind::Interpreter => BTreeSet::new(),
        };
        lock(&self.wakes).set_spent_missions(spent);
    }

    /// Saves it now and then, until the station ends.
    pub(super) fn keep_saving(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
        let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
        runner.runtime.tasks.clone().spawn(async move {
            let mut ticks = tokio::time::interval(SAVE_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = runner.runtime.ended.cancelled() => return,
                    _ = ticks.tick() => {
                        agent.turns.look_at_budget(&runner, &agent).await;
                        agent.turns.save_wakes(&runner, &agent).await;
                    }
                }
            }
        });
    }
}
