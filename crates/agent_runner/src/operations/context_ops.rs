//! Providers: which samples become world state.

use std::sync::Arc;

use robot::{Effect, MissionId, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use world::{Provider, ProviderConfig, ProviderId};

use super::world_ops::{check_mission, follow, wait_secs};
use super::{AgentCall, Operation, agent_row};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Message, Terms, UI_MCP, message};
use runtime::wire::{ContextConfigured, ContextRow, ContextTested};

/// Seconds for which `test_context` listens by default.
const TEST_SECS_DEFAULT: f64 = 2.0;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        agent_row(
            "configure_context",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Turns samples of a key expression into world state.",
            configure_context,
        ).example(json!({"topic_pattern": "lab/cam-1/vision/detections", "world_state_key_template": "{label}.location", "value_field": "zone", "filter": "confidence > 0.8"})),
        agent_row(
            "update_context",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Changes parameters of a context.",
            update_context,
        ).example(json!({"id": "context-1", "version": 1, "max_age_secs": 5.0})),
        agent_row(
            "remove_context",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Stops a context and takes back what it claims; history stays.",
            remove_context,
        ).example(json!({"id": "context-1"})),
        agent_row(
            "list_contexts",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Contexts with state, rates and rejects.",
            list_contexts,
        ).in_missions(),
        agent_row(
            "test_context",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Runs a context, stored or not, over the last samples; writes nothing.",
            test_context,
        ).example(json!({"draft": {"topic_pattern": "lab/cam-1/vision/detections", "world_state_key_template": "{label}.location", "value_field": "zone"}})),
    ]
}

async fn configure_context(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: ProviderConfig,
) -> Result<ContextConfigured, OpError> {
    check_mission(&runner, &agent, input.mission_id.as_ref())?;
    let mission = input.mission_id.clone();
    let configured = agent.world.ingest.configure(&runner.sensing, &agent.world, &by, input).await?;
    follow(&runner, &agent, mission.as_ref());
    Ok(configured)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct UpdateContext {
    /// The context.
    id: ProviderId,
    /// The version that the change was made from.
    version: u64,
    /// The parameters that change, as `configure_context` takes them; null is as if left out there.
    // Flattened fields rule out `deny_unknown_fields`: `changed` refuses unknown names instead.
    #[serde(flatten)]
    changes: Map<String, Value>,
}

async fn update_context(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: UpdateContext,
) -> Result<ContextConfigured, OpError> {
    let config = changed(&agent.world.ingest.config_of(&input.id)?, input.changes)?;
    check_mission(&runner, &agent, config.mission_id.as_ref())?;
    let mission = config.mission_id.clone();
    let updated = agent.world.ingest.update(&runner.sensing, &agent.world, &input.id, input.version, config).await?;
    follow(&runner, &agent, mission.as_ref());
    Ok(updated)
}

/// `config` with `changes`, read as strictly as a new one.
fn changed(config: &ProviderConfig, changes: Map<String, Value>) -> Result<ProviderConfig, OpError> {
    let mut fields = match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) | Err(_) => Map::new(),
    };
    for (name, value) in changes {
        if value.is_null() {
            fields.remove(&name)
        } else {
            fields.insert(name, value)
        };
    }
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let path = error.path().to_string();
        OpError::bad_input(SharedCode::InvalidInput, &path, format!("{path}: {}", error.inner()))
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfContext {
    /// The context.
    id: ProviderId,
}

async fn remove_context(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfContext,
) -> Result<Message, OpError> {
    agent.world.ingest.remove(&runner.sensing, &agent.world, &input.id).await?;
    Ok(message(format!("Context {} removed", input.id.0)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListContexts {
    /// Only contexts of this mission.
    mission_id: Option<MissionId>,
}

async fn list_contexts(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ListContexts,
) -> Result<Vec<ContextRow>, OpError> {
    let rows = agent.world.ingest.contexts(runner.runtime.clock.now(), input.mission_id.clone()).await?;
    // Contexts of a mission are shown also when its file is gone; only an empty answer needs the check.
    if let Some(mission) = input.mission_id.filter(|_| rows.is_empty()) {
        runner.missions.check_exists(&agent.id, &mission)?;
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TestContext {
    /// A stored context; or else a draft.
    id: Option<ProviderId>,
    /// A context that is not stored: an input of `configure_context`.
    draft: Option<ProviderConfig>,
    /// Seconds to listen if no sample is kept, 0 to 10; 2 if left out.
    wait_secs: Option<f64>,
}

async fn test_context(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: TestContext,
) -> Result<ContextTested, OpError> {
    let wait = wait_secs(input.wait_secs.unwrap_or(TEST_SECS_DEFAULT))?;
    let (id, config) = match (input.id, input.draft) {
        (Some(id), None) => (id.clone(), agent.world.ingest.config_of(&id)?),
        (None, Some(draft)) => (ProviderId("cp-draft".into()), draft),
        (Some(_), Some(_)) | (None, None) => {
            return Err(OpError::bad_input(SharedCode::InvalidInput, "draft", "Name either an id or a draft."));
        }
    };
    sensing::test(&runner.sensing, &agent.world, Provider::compile(id, config)?, wait).await
}
