//! People's requests to an agent: talk to it, end a turn, set its mode of autonomy.

use std::sync::Arc;

use agent::{Mode, Preset};
use robot::{AgentId, ConversationId, Effect, Role, Trust, TurnId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::runner::AgentRunner;
use runtime::config::ModelChoice;
use runtime::error::OpError;
use runtime::operation::{Nothing, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{AgentRow, MessageSent, ModeSet, SteerQueued, TurnCancelled};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        agent_row(
            "send_message",
            Terms(Operator, Write, UI, Trust::Text),
            "Says something to the agent.",
            send_message,
        )
        .example(json!({"text": "Where is the person?"}))
        .spoken(),
        agent_row(
            "turn_steer",
            Terms(Operator, Write, UI, Trust::Text),
            "Says something to a turn that runs.",
            turn_steer,
        )
        .example(json!({"turn": "turn-9", "text": "Only the left table."}))
        .spoken(),
        agent_row(
            "turn_cancel",
            Terms(Operator, Write, UI, Trust::Text),
            "Ends a reply. Robots carry on.",
            turn_cancel,
        )
        .example(json!({"turn": "turn-9"})),
        row("list_agents", Terms(Viewer, Read, UI, Trust::Text), "The agents of this station.", list_agents),
        agent_row(
            "set_mode",
            Terms(Operator, Write, UI, Trust::Text),
            "Sets the agent's autonomy: watch, ask, assist, or the run of a mission.",
            set_mode,
        )
        .example(json!({"mode": "assist"})),
        row(
            "create_agent",
            Terms(Admin, Write, UI, Trust::Text),
            "Makes an agent with a memory of its own.",
            create_agent,
        )
        .example(json!({"id": "night"})),
    ]
}

async fn list_agents(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<AgentRow>, OpError> {
    Ok(runner.agents.all().iter().map(|agent| agent.row(&runner)).collect())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateAgent {
    /// Its name: 1 to 64 of a to z, 0 to 9, `_` and `-`.
    id: AgentId,
    /// The preset that its policy starts from: `operator` if left out, `companion`, `vault`, `investigator` or `chat`.
    #[schemars(with = "Option<String>")]
    preset: Option<Preset>,
    /// Its model; without one the built-in command interpreter answers.
    model: Option<ModelChoice>,
}

async fn create_agent(runner: Arc<AgentRunner>, _: Session, input: CreateAgent) -> Result<AgentRow, OpError> {
    runner.agents.create(&runner, input.id, input.preset.unwrap_or_default(), input.model).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// The conversation; the desk's first one if left out.
    session: Option<ConversationId>,
    /// At most 16,000 characters.
    text: String,
}

async fn send_message(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: SendMessage,
) -> Result<MessageSent, OpError> {
    agent.turns.message(&runner, &agent, &by, input.session.as_ref(), &input.text).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TurnSteer {
    /// The turn.
    turn: TurnId,
    /// At most 16,000 characters.
    text: String,
}

async fn turn_steer(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: TurnSteer,
) -> Result<SteerQueued, OpError> {
    agent.turns.steer(&runner, &agent, &by, &input.turn, &input.text).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TurnCancel {
    /// The turn.
    turn: TurnId,
}

async fn turn_cancel(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: TurnCancel,
) -> Result<TurnCancelled, OpError> {
    agent.turns.cancel(&runner, &agent, &input.turn).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetMode {
    /// The mode: `watch`, `ask`, `assist` or `run:<mission>`.
    mode: Mode,
}

async fn set_mode(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: SetMode,
) -> Result<ModeSet, OpError> {
    if let Some(mission) = input.mode.mission() {
        runner.missions.check_exists(&agent.id, mission)?;
    }
    let mode = agent.turns.set_mode(&runner, &agent.db, input.mode).await?;
    Ok(ModeSet { mode })
}
