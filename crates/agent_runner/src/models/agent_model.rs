//! The model of an agent: its policy, its budget, and whether it answers.

use std::collections::BTreeMap;

use agent::{Bills, Message, ModelName, Policy, Surroundings, Trigger};
use llm::{CommandModel, Model, ModelError, ModelKind, StopDone};
use robot::{ConversationId, MissionId, Origin, TurnId};
use world::alarm::{BuiltIn, Of};

use crate::agents::AgentUnit;
use crate::conversations::Answerer;
use crate::models::ledger::{Limits, Place};
use crate::models::model_registry::{TurnModels, is_offline};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::wire::{BudgetRow, BudgetsRow, Meter, Tag};

impl AgentUnit {
    /// Name and kind of the model, as its label shows them.
    pub fn model(&self, runner: &AgentRunner) -> ModelName {
        match runner.models.of_agent(&self.id).main() {
            Some(choice) => ModelName { name: choice.model, kind: ModelKind::Language },
            None => {
                let interpreter = CommandModel::default();
                ModelName { name: interpreter.caps().name.clone(), kind: interpreter.caps().kind }
            }
        }
    }

    /// The same for the row of a conversation, with the provider.
    pub(crate) fn answerer(&self, runner: &AgentRunner) -> Answerer {
        let choice = runner.models.of_agent(&self.id).main();
        Answerer { provider: choice.map(|choice| choice.provider.to_string()), model: self.model(runner).name }
    }

    /// The error that took its model offline; none if it answers.
    pub(crate) fn offline(&self) -> Option<ModelError> {
        self.health.offline().clone()
    }

    /// The models of a turn. A desk's words that begin with `/` are commands, whatever is configured.
    pub(crate) async fn models_for(&self, runner: &AgentRunner, message: &Message) -> TurnModels {
        // Only what a person typed: words from elsewhere must not become a command by their first character.
        let of_desk = matches!(message.origin(), Origin::Operator(_));
        let is_said = matches!(message.trigger(), Trigger::Operator | Trigger::Schedule);
        if of_desk && is_said && StopDone::read(message.text()).1.starts_with('/') {
            return TurnModels::interpreter();
        }
        runner.models.for_turn(&self.id).await
    }

    /// Its settings. They were checked when `config.toml` was read.
    pub(crate) fn policy(&self, runner: &AgentRunner) -> Policy {
        runner.models.policy(&self.id)
    }

    /// Spending limits of a turn and of a day, micro-dollars, from its policy.
    pub(crate) fn limits(&self, runner: &AgentRunner) -> Limits {
        Limits::of(&self.policy(runner))
    }

    /// The same, with that of the mission that `place` belongs to.
    fn limits_of(&self, runner: &AgentRunner, place: &Place) -> Limits {
        let mission = place.mission.as_ref().and_then(|id| MissionId::new(id.clone()).ok());
        let mission = mission.and_then(|id| runner.missions.budget_microusd(&self.id, &id));
        Limits { mission, ..self.limits(runner) }
    }

    /// Money that the models of a mission have cost, against its budget with what people have added.
    pub async fn mission_budget(&self, runner: &AgentRunner, mission: &MissionId) -> Result<BudgetRow, OpError> {
        let limit = runner.missions.budget_microusd(&self.id, mission);
        Ok(self.ledger.of_mission(mission.as_str(), limit).await?.row())
    }

    /// True if a mission may have no call of a model any more. A sum that cannot be read is no small one.
    pub(crate) async fn is_mission_spent(&self, runner: &AgentRunner, mission: &MissionId) -> bool {
        match runner.missions.budget_microusd(&self.id, mission) {
            Some(_) => self.mission_budget(runner, mission).await.map_or(true, |row| row.is_spent()),
            None => false,
        }
    }

    /// Bills of a turn at `place`: spent and limit.
    pub(crate) async fn bills(&self, runner: &AgentRunner, place: &Place) -> Bills {
        self.ledger.bills(place, self.limits_of(runner, place)).await
    }

    /// Circumstances of a message that comes now: motion or alarms, and the names of robots and of keys.
    pub(crate) fn surroundings(&self, runner: &AgentRunner) -> Surroundings {
        let motions = runner.robots.motions();
        // A robot of which nothing is known may be moving.
        let is_moving = motions.iter().any(|motion| motion.standstill != Some(true));
        let robots = motions.iter().map(|motion| motion.robot.to_string());
        let keys = self.world.ingest.entries().into_iter().map(|entry| entry.key.to_string());
        let alarms = runner.sensing.alarms.counts(|of| of.is_none_or(|of| *of == self.id));
        Surroundings {
            is_busy: is_moving || alarms.active > 0,
            names: robots.chain(keys).collect(),
            near_tools: BTreeMap::new(),
        }
    }

    /// The model gave a reply.
    pub(crate) fn model_answered(&self, runner: &AgentRunner) {
        if self.health.offline().take().is_some() {
            runner.sensing.alarms.clear(BuiltIn::ModelOffline, &Of::agent(&self.id));
            runner.runtime.bus.changed(Tag::Agents);
        }
    }

    /// The model gave no reply. Only if it is not there is it offline: a request that it refused says nothing about it.
    pub(crate) fn model_failed(&self, runner: &AgentRunner, error: &ModelError) {
        if !is_offline(error.kind) {
            return;
        }
        *self.health.offline() = Some(error.clone());
        runner.sensing.alarms.raise(BuiltIn::ModelOffline, &Of::agent(&self.id), error.message.clone());
        runner.runtime.bus.changed(Tag::Agents);
    }

    /// Another model answers from now on: what was known of the older one says nothing about it.
    pub(crate) fn model_changed(&self, runner: &AgentRunner) {
        *self.health.offline() = None;
        self.health.reading.begin_anew();
        runner.sensing.alarms.clear(BuiltIn::ModelOffline, &Of::agent(&self.id));
        runner.runtime.bus.changed(Tag::Agents);
    }

    /// Tells of a budget that a person has added to.
    pub(crate) async fn budget_changed(
        &self,
        runner: &AgentRunner,
        meter: Meter,
        about: Option<&str>,
    ) -> Result<BudgetsRow, OpError> {
        let (turn, mission) = match meter {
            Meter::Turn => (about.map(TurnId::from), None),
            Meter::Mission => (None, about.map(str::to_owned)),
            Meter::Day => (None, None),
        };
        let place = Place { session: ConversationId::from(""), turn, mission };
        let budgets = self.ledger.budgets(&place, self.limits_of(runner, &place)).await?;
        runner.runtime.bus.changed(Tag::ModelCalls);
        Ok(budgets.row())
    }
}
