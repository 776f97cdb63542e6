//! Alert rules.

use std::sync::Arc;

use robot::{Effect, MissionId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use world::alarm::AlarmConfig;
use world::{AlertId, AlertRow, AlertRule};

use super::world_ops::{check_mission, follow};
use super::{AgentCall, Operation, agent_row};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Message, Terms, UI_MCP, message};
use runtime::wire::AlertRegistered;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        agent_row(
            "register_alert",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Registers a rule that fires when its predicate becomes true.",
            register_alert,
        )
        .example(json!({"predicate": "door.state = 'open' for 30 s", "description": "The dock door stands open."})),
        agent_row(
            "update_alert",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Changes a rule. Its debounce goes on; with another predicate it starts anew.",
            update_alert,
        )
        .example(json!({"alert_id": "alert-1", "debounce_secs": 10.0})),
        agent_row("unregister_alert", Terms(Admin, Write, UI_MCP, Trust::Text), "Removes a rule.", unregister_alert)
            .example(json!({"alert_id": "alert-1"})),
        agent_row(
            "list_alerts",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Alert rules with state and last firing.",
            list_alerts,
        )
        .in_missions()
        .in_rooms(),
    ]
}

async fn register_alert(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: AlertRule,
) -> Result<AlertRegistered, OpError> {
    check_mission(&runner, &agent, input.mission_id.as_ref())?;
    let mission = input.mission_id.clone();
    let registered = agent.world.ingest.register_alert(&runner.sensing, &agent.world, &by, input).await?;
    // After the registration: only a rule that is known can be put out of force.
    follow(&runner, &agent, mission.as_ref());
    Ok(registered)
}

/// Changes of an alert rule; a field that is left out stays as it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateAlert {
    /// The rule.
    alert_id: AlertId,
    /// Another predicate.
    predicate: Option<String>,
    /// Another debounce, seconds, 1 to 86,400.
    debounce_secs: Option<f64>,
    /// Another boost, 0 to 100.
    arousal_boost: Option<f64>,
    /// Another description, at most 1,024 characters.
    description: Option<String>,
    /// Another alarm; all of it.
    alarm: Option<AlarmConfig>,
}

async fn update_alert(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: UpdateAlert,
) -> Result<AlertRegistered, OpError> {
    let UpdateAlert { alert_id, predicate, debounce_secs, arousal_boost, description, alarm } = input;
    let change = |rule: AlertRule| AlertRule {
        predicate: predicate.unwrap_or(rule.predicate),
        debounce_secs: debounce_secs.unwrap_or(rule.debounce_secs),
        arousal_boost: arousal_boost.unwrap_or(rule.arousal_boost),
        description: description.or(rule.description),
        alarm: alarm.or(rule.alarm),
        // A rule stays with its mission, whose state it follows.
        mission_id: rule.mission_id,
    };
    agent.world.ingest.update_alert(&runner.sensing, &agent.world, &by, alert_id, change).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnregisterAlert {
    /// The rule.
    alert_id: AlertId,
}

async fn unregister_alert(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: UnregisterAlert,
) -> Result<Message, OpError> {
    agent.world.ingest.unregister_alert(&runner.sensing, &agent.world, &input.alert_id).await?;
    Ok(message(format!("Alert {} removed", input.alert_id.0)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAlerts {
    /// Only rules of this mission.
    mission_id: Option<MissionId>,
}

async fn list_alerts(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ListAlerts,
) -> Result<Vec<AlertRow>, OpError> {
    check_mission(&runner, &agent, input.mission_id.as_ref())?;
    let rows = agent.world.ingest.alerts(runner.runtime.clock.now()).await?;
    Ok(rows.into_iter().filter(|row| input.mission_id.is_none() || row.mission_id == input.mission_id).collect())
}
