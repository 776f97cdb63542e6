//! Turns that a spent budget paused. One that a person began goes on under its own name once there is money again; one
//! that began by itself is over, and keeps others of its kind away until a person has answered.

use std::sync::Arc;

use agent::{Input, Message, MeterName, Outcome};
use memory::StateKey;
use robot::{ConversationId, TurnId};
use serde::{Deserialize, Serialize};

use super::{Start, TurnRunner};
use crate::agents::AgentUnit;
use crate::models::ledger::Place;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{Meter, PausedTurn, Tag};

/// Turns that may be paused at a time; the oldest is given up for one more.
const PAUSED_MAX: usize = 16;

/// A turn that waits for a person to add to a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Paused {
    turn: TurnId,
    session: ConversationId,
    mission: Option<String>,
    /// The budget that was spent.
    meter: Meter,
    /// Nobody asked for it: it does not go on.
    by_itself: bool,
}

impl Paused {
    fn place(&self) -> Place {
        let (session, turn) = (self.session.clone(), Some(self.turn.clone()));
        Place { session, turn, mission: self.mission.clone() }
    }
}

impl TurnRunner {
    /// Turns that an earlier run left paused.
    pub(super) async fn load_paused(db: &memory::AgentDb) -> Result<Vec<Paused>, memory::MemoryError> {
        Ok(db.state(StateKey::Paused).await?.unwrap_or_default())
    }

    /// Keeps the turn of `start` if a spent budget ended it. The run of a job has ended with it, and the budget of a
    /// day or of a mission keeps turns away by itself.
    pub(super) async fn pause(&self, agent: &AgentUnit, start: &Start, outcome: Option<&Outcome>) {
        let Some(Outcome::Paused(name)) = outcome else { return };
        // Calls, time and window bound one turn, and nothing that a person adds lets it go on.
        let Some(meter) = meter_of(*name) else { return };
        // A room has its answer once; who asked there asks again.
        if start.job.is_some() || start.room.is_some() || (start.by_itself && meter != Meter::Turn) {
            return;
        }
        let (session, mission) = (start.conversation.session.clone(), start.mission.clone());
        let paused =
            Paused { turn: start.turn.clone(), session: session.clone(), mission, meter, by_itself: start.by_itself };
        self.edit_paused(agent, |all| {
            // A conversation goes on from its newest turn only.
            all.retain(|older| older.session != session);
            all.push(paused);
            let excess = all.len().saturating_sub(PAUSED_MAX);
            all.drain(..excess);
        })
        .await;
    }

    /// A person goes on otherwise in `session`: what was paused there is given up.
    pub(super) async fn give_up(&self, agent: &AgentUnit, session: &ConversationId) {
        self.edit_paused(agent, |all| all.retain(|paused| paused.session != *session)).await;
    }

    /// Gives up the paused turn `turn`; false if there is none.
    pub(super) async fn give_up_turn(&self, agent: &AgentUnit, turn: &TurnId) -> bool {
        let is_paused = lock(&self.paused).iter().any(|paused| paused.turn == *turn);
        if is_paused {
            self.edit_paused(agent, |all| all.retain(|paused| paused.turn != *turn)).await;
            self.stirred.notify_one();
        }
        is_paused
    }

    /// A budget has grown: the turn that runs hears of it, and what waited for it goes on if nothing else is spent.
    pub(crate) async fn budget_added(&self, runner: &AgentRunner, agent: &AgentUnit) -> Result<(), OpError> {
        if let Some(place) = self.running.look(|current| current.place.clone()) {
            let bills = agent.bills(runner, &place).await;
            self.running.look(|current| {
                // A full queue means that calls of a model have ended, which brings the sums as well.
                let _ = current.inputs.try_send(Input::Billed(bills));
            });
        }
        let waiting = lock(&self.paused).clone();
        for paused in waiting {
            // It may draw on another budget that is spent as well.
            if agent.bills(runner, &paused.place()).await.is_spent() {
                continue;
            }
            let turn = paused.turn.clone();
            self.edit_paused(agent, |all| all.retain(|other| other.turn != turn)).await;
            if !paused.by_itself {
                self.go_on_with(paused).await?;
            }
        }
        self.look_at_budget(runner, agent).await;
        self.stirred.notify_one();
        runner.runtime.bus.changed(Tag::Agents);
        Ok(())
    }

    async fn go_on_with(&self, paused: Paused) -> Result<(), OpError> {
        let Paused { turn, session, mission, meter, .. } = paused;
        let conversation: Arc<_> = self.conversations.get(&session).await?;
        let message = Message::resume(&turn, name_of(meter));
        self.queue.push_again(Start { mission, ..Start::of(turn, message, conversation) });
        Ok(())
    }

    /// True if a turn that began by itself is paused for a person's answer.
    pub(super) fn awaits_answer(&self) -> bool {
        lock(&self.paused).iter().any(|paused| paused.by_itself)
    }

    /// The turns that wait for a person to add to a budget, oldest first.
    pub(crate) fn paused(&self) -> Vec<PausedTurn> {
        let row = |paused: &Paused| PausedTurn {
            turn: paused.turn.clone(),
            session: paused.session.clone(),
            meter: paused.meter,
        };
        lock(&self.paused).iter().map(row).collect()
    }

    async fn edit_paused(&self, agent: &AgentUnit, edit: impl FnOnce(&mut Vec<Paused>)) {
        let edited = {
            let mut paused = lock(&self.paused);
            let before = paused.clone();
            edit(&mut paused);
            (*paused != before).then(|| paused.clone())
        };
        let Some(edited) = edited else { return };
        // Held here in any case; the disk only matters to the next run.
        if let Err(error) = agent.db.set_state(StateKey::Paused, Some(&edited)).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "which turns are paused is not saved");
        }
    }
}

const fn meter_of(name: MeterName) -> Option<Meter> {
    match name {
        MeterName::Turn => Some(Meter::Turn),
        MeterName::Mission => Some(Meter::Mission),
        MeterName::Day => Some(Meter::Day),
        MeterName::Calls | MeterName::Wall | MeterName::Context => None,
    }
}

const fn name_of(meter: Meter) -> MeterName {
    match meter {
        Meter::Turn => MeterName::Turn,
        Meter::Mission => MeterName::Mission,
        Meter::Day => MeterName::Day,
    }
}
