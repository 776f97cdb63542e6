//! The model of an agent, and the cost of its calls.

use std::sync::Arc;

use robot::{Effect, MissionId, ModelProviderId, Role, SharedCode, Trust, TurnId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::runner::AgentRunner;
use runtime::config::ModelChoice;
use runtime::error::OpError;
use runtime::operation::{Terms, UI};
use runtime::wire::{BudgetsRow, EmbeddingSelected, Meter, ModelCallList, ModelSelected};

/// Rows that `list_model_calls` gives.
const CALLS_MAX: u32 = 1_000;
/// The most that is added to a budget at once, US dollars: a slip of the finger is no fortune.
const USD_MAX: f64 = 1_000.0;
/// Millionths in a US dollar.
const MICROUSD: f64 = 1_000_000.0;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        agent_row(
            "select_model",
            Terms(Operator, Write, UI, Trust::Text),
            "Gives an agent another model.",
            select_model,
        )
        .example(json!({"provider": "local", "model": "qwen3"})),
        agent_row(
            "select_embedding",
            Terms(Operator, Write, UI, Trust::Text),
            "Gives an agent another model for embeddings.",
            select_embedding,
        ),
        agent_row(
            "list_model_calls",
            Terms(Viewer, Read, UI, Trust::Text),
            "Calls of models with what they cost.",
            list_model_calls,
        ),
        agent_row(
            "add_budget",
            Terms(Operator, Write, UI, Trust::Text),
            "Adds to what an agent may spend.",
            add_budget,
        )
        .example(json!({"meter": "day", "usd": 5.0})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SelectModel {
    /// The provider; without one the built-in command interpreter answers.
    provider: Option<ModelProviderId>,
    /// The model; goes together with the provider.
    model: Option<String>,
    /// The model of side calls; the same if left out.
    side: Option<ModelChoice>,
}

async fn select_model(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: SelectModel,
) -> Result<ModelSelected, OpError> {
    let main = chosen(input.provider, input.model)?;
    if main.is_none() && input.side.is_some() {
        return Err(OpError::bad_input(
            SharedCode::InvalidInput,
            "side",
            "A model of side calls needs a language model beside.",
        ));
    }
    runner.models.select(&agent.id, main, input.side.clone()).await?;
    agent.model_changed(&runner);
    // The new model has read nothing of the prompt yet.
    agent.turns.warm(&runner, &agent);
    Ok(ModelSelected { agent: agent.id.clone(), model: agent.model(&runner), side: input.side })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SelectEmbedding {
    /// The provider; without one memory and tools are searched by words alone.
    provider: Option<ModelProviderId>,
    /// The model; goes together with the provider.
    model: Option<String>,
}

async fn select_embedding(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: SelectEmbedding,
) -> Result<EmbeddingSelected, OpError> {
    let choice = chosen(input.provider, input.model)?;
    runner.models.select_embedding(&agent.id, choice.clone()).await?;
    agent.embeddings.stir();
    Ok(EmbeddingSelected { agent: agent.id.clone(), embedding: choice })
}

/// A model of a provider, or none: half a choice is none.
fn chosen(provider: Option<ModelProviderId>, model: Option<String>) -> Result<Option<ModelChoice>, OpError> {
    match (provider, model) {
        (Some(provider), Some(model)) => Ok(Some(ModelChoice { provider, model })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(OpError::bad_input(SharedCode::InvalidInput, "model", "Name a model of this provider.")),
        (None, Some(_)) => Err(OpError::bad_input(SharedCode::InvalidInput, "provider", "Name the model's provider.")),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListModelCalls {
    /// Only those that began then or later, UTC milliseconds.
    since: Option<i64>,
}

async fn list_model_calls(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ListModelCalls,
) -> Result<ModelCallList, OpError> {
    agent.ledger.list(input.since.unwrap_or(i64::MIN), CALLS_MAX, agent.limits(&runner)).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddBudget {
    /// Whose budget.
    meter: Meter,
    /// The amount, US dollars, more than 0 and at most 1,000.
    usd: f64,
    /// The turn, for that of a turn; the one that waits for it if left out.
    turn: Option<TurnId>,
    /// The mission, for that of a mission.
    mission_id: Option<MissionId>,
}

async fn add_budget(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: AddBudget,
) -> Result<BudgetsRow, OpError> {
    // Written so that NaN is refused as well.
    if !(input.usd > 0.0 && input.usd <= USD_MAX) {
        let message = format!("usd is more than 0 and at most {USD_MAX}.");
        return Err(OpError { message, ..OpError::out_of_range("usd", 0, USD_MAX) });
    }
    let about = match input.meter {
        Meter::Day => None,
        Meter::Turn => {
            let waits = || agent.turns.paused().into_iter().rfind(|paused| paused.meter == Meter::Turn);
            let turn = input.turn.or_else(|| agent.turns.running()).or_else(|| waits().map(|paused| paused.turn));
            let turn = turn.ok_or_else(|| OpError::bad_input(SharedCode::InvalidInput, "turn", "Name the turn."))?;
            // A turn without a call is none of this agent's, and money for it would be lost.
            agent.ledger.turn(&turn).await?;
            Some(turn.to_string())
        }
        Meter::Mission => {
            let Some(mission) = &input.mission_id else {
                return Err(OpError::bad_input(SharedCode::InvalidInput, "mission_id", "Name the mission."));
            };
            runner.missions.check_exists(&agent.id, mission)?;
            Some(mission.to_string())
        }
    };
    #[expect(clippy::cast_possible_truncation, reason = "checked above to be far below the greatest i64")]
    let microusd = (input.usd * MICROUSD).round() as i64;
    agent.ledger.grant(input.meter, about.as_deref(), microusd, by.actor()).await?;
    agent.turns.budget_added(&runner, &agent).await?;
    agent.budget_changed(&runner, input.meter, about.as_deref()).await
}
