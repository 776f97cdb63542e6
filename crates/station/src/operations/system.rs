//! The signed-in session, the simulator, descriptions of operations.

use std::sync::Arc;

use robot::{Audience, Effect, Role, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::Operation;
use crate::access::Pin;
use crate::{Station, operations};
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, UI_MCP, message, row};
use runtime::session::Session;
use runtime::wire::SessionInfo;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "session_info",
            Terms(Viewer, Read, UI, Trust::Text),
            "The signed-in session and the station.",
            session_info,
        )
        .takes_agent(),
        row(
            "start_simulator",
            Terms(Operator, Write, UI, Trust::Text),
            "Starts the built-in simulator.",
            start_simulator,
        )
        .takes_agent(),
        row("stop_simulator", Terms(Operator, Write, UI, Trust::Text), "Ends the built-in simulator.", stop_simulator),
        row(
            "inject_fault",
            Terms(Operator, Write, UI, Trust::Text),
            "Switches a fault of the simulator on or off.",
            inject_fault,
        )
        .example(json!({"target": "arm-1", "fault": "frozen_pose", "on": true})),
        row(
            "describe_operation",
            Terms(Viewer, Read, UI_MCP, Trust::Trusted),
            "An operation with its terms, an example, and the schemas of what goes in and comes out.",
            describe_operation,
        )
        .example(json!({"name": "arm_robot"})),
    ]
}

async fn session_info(station: Arc<Station>, session: Session, _: Nothing) -> Result<SessionInfo, OpError> {
    let now = station.runtime.clock.now().station;
    let agent = station.runner.agents.shown_to(&session)?;
    Ok(SessionInfo {
        actor: session.actor().to_owned(),
        role: session.role(now),
        admin_until_mono_ms: session.admin_until(now).map(robot::Instant::mono_ms),
        locked: session.is_locked(),
        session_id: session.id().clone(),
        kind: session.kind(),
        station: station.runtime.id.clone(),
        public_key: station.runtime.key.public().to_string(),
        mode: station.fleet.mode(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulator: station.simulator.state(),
        zenoh_endpoints: station.runtime.link.endpoints(),
        agent: agent.id.clone(),
        session: agent.turns.session(),
        model: agent.model(&station.runner),
        agent_mode: agent.turns.mode_now(&station.runner),
        audit_signing: station.runtime.audit.signing(),
        stop_shortcut: session.stop_shortcut(),
        has_token: session.has_token(),
        has_admin_pin: Pin::is_set(&station.runtime.db).await,
    })
}

async fn start_simulator(station: Arc<Station>, by: Session, _: Nothing) -> Result<Message, OpError> {
    station.simulator.start(&station, &station.runner.agents.shown_to(&by)?).await?;
    Ok(message("The simulator runs."))
}

async fn stop_simulator(station: Arc<Station>, _: Session, _: Nothing) -> Result<Message, OpError> {
    station.simulator.stop();
    Ok(message("The simulator ends."))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DescribeOperation {
    /// Its name.
    name: String,
}

/// An operation, as programs read it.
#[derive(Debug, Serialize, JsonSchema, TS)]
struct OperationDescription {
    name: &'static str,
    description: &'static str,
    /// The least role that may call it.
    role: Role,
    effect: Effect,
    /// The audiences that it is offered to.
    audience: &'static [Audience],
    /// The call may name an agent in `agent`.
    about_agent: bool,
    /// An input that it takes; null if it needs none.
    #[ts(type = "unknown")]
    example: Value,
    /// JSON schema of its input.
    #[ts(type = "unknown")]
    input: Value,
    /// JSON schema of its output.
    #[ts(type = "unknown")]
    output: Value,
}

async fn describe_operation(
    _: Arc<Station>,
    _: Session,
    input: DescribeOperation,
) -> Result<OperationDescription, OpError> {
    let row = operations::find(&input.name)?;
    Ok(OperationDescription {
        name: row.name,
        description: row.description,
        role: row.role,
        effect: row.effect,
        audience: row.audience,
        about_agent: row.about_agent,
        example: row.example.clone(),
        input: (row.input_schema)(),
        output: (row.output_schema)(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InjectFault {
    /// A simulated robot or source, for example `rover-1`.
    target: String,
    /// `drop_link`, `half_open`, `lossy`, `delay`, `stale_sensor`, `frozen_sensor`, `nan_sample`, `no_ack`, `pendant`,
    /// `silent_pose`, `silent_velocity`, `silent_joints`, `silent_force`, `silent_frame`, `silent_camera`,
    /// `repeated_stamp`,
    /// `never_moves`, `astray` or `echo_set_point`.
    fault: String,
    /// On or off.
    on: bool,
}

async fn inject_fault(station: Arc<Station>, _: Session, input: InjectFault) -> Result<Message, OpError> {
    station.simulator.fault(&input.target, &input.fault, input.on).await?;
    let word = if input.on { "on" } else { "off" };
    Ok(message(format!("{} of {} is {word}.", input.fault, input.target)))
}
