//! Everything an agent may call: the operations that are offered to it, the tools of servers that an Admin let, declared
//! programs, and the sandbox where it holds. Whatever it calls goes through the operation table.

mod compact;
mod rate;
mod table;

use std::sync::Arc;

use agent::{Layer, Message, Mode, Permission, Rule, Scope, ToolCall, ToolOutcome, ToolSpec, Trigger};
use llm::ModelKind;
use robot::{AgentId, Effect, Origin, RobotId, Stops, Trust};
use serde_json::{Value, json};

use crate::agents::AgentUnit;
use crate::code::StationCode;
use crate::mcp::BETWEEN;
use crate::operations::{self, CALL_MCP_TOOL, CREATE_PROPOSAL, RUN_SHELL_TOOL};
use crate::proposals::Wanted;
use crate::sandbox::shell_tools;
use crate::station::Station;
pub(crate) use compact::compact;
pub(crate) use rate::CallRate;
use runtime::config::PermissionRule;
use runtime::error::OpError;
use runtime::operation::{Row, ToolTerms};
use runtime::redaction::Redaction;
pub(crate) use table::with_tables;

/// Tools that `agent` may call, from its next turn on.
pub(crate) async fn tools(station: &Station, agent: &AgentUnit) -> Vec<ToolSpec> {
    let settings = station.tool_settings();
    let has_sandbox = settings.sandbox.agents.contains(&agent.id);
    let cells_hold = (has_sandbox || !settings.shell_tools.is_empty()) && station.sandbox.problem().await.is_none();
    let is_offered = |terms: &ToolTerms| !terms.stands_for_tools && (!terms.in_sandbox || (has_sandbox && cells_hold));
    let rows = operations::agent_rows().filter(|row| is_offered(&row.tool));
    let mut tools: Vec<ToolSpec> = rows.map(|row| row.tool()).collect();
    let own = tools.len();
    if cells_hold {
        tools.extend(shell_tools::specs(&settings.shell_tools));
    }
    tools.extend(station.mcp.specs());
    // Tools that are not the station's are for nobody but whoever sits at its desk.
    tools.iter_mut().skip(own).for_each(|tool| tool.scope = Scope::Direct);
    tools
}

/// Standing decisions on tools, for `agent`: a tool of unknown effect asks each time, then come the settings of the
/// site, of the agent and of the mission that it runs.
pub(crate) fn rules(station: &Station, agent: &AgentId, mode: &Mode) -> Vec<Rule> {
    let asks = |tool| Rule { layer: Layer::BuiltIn, tool, verdict: Permission::Ask };
    let asking = operations::agent_rows().filter(|row| row.tool.asks).map(|row| row.name.to_owned());
    let asked = station.mcp.unknown_effects().into_iter().chain(asking);
    let settings = station.tool_settings();
    let is_in_force = |rule: &&PermissionRule| {
        rule.agent.as_ref().is_none_or(|id| id == agent)
            && (rule.mission.is_none() || rule.mission.as_ref() == mode.mission())
    };
    let set = settings.permissions.iter().filter(is_in_force);
    let set = set.map(|rule| Rule {
        layer: match (&rule.mission, &rule.agent) {
            (Some(_), _) => Layer::Mission,
            (None, Some(_)) => Layer::User,
            (None, None) => Layer::Site,
        },
        tool: rule.tool.clone(),
        verdict: rule.verdict,
    });
    asked.map(asks).chain(set).collect()
}

/// Operations that the command interpreter runs unasked: it writes what a person at a desk has just told it, word for
/// word. A language model may have read more than these words, and a schedule has the agent's rights alone.
pub(crate) fn own_words(kind: ModelKind, message: &Message) -> Vec<Rule> {
    let is_told = message.trigger() == Trigger::Operator && matches!(message.origin(), Origin::Operator(_));
    match kind {
        ModelKind::Interpreter if is_told => {
            let allows =
                |row: &Row| Rule { layer: Layer::BuiltIn, tool: row.name.to_owned(), verdict: Permission::Allow };
            operations::agent_rows().filter(|row| row.tool.own_words).map(|row| allows(row)).collect()
        }
        ModelKind::Interpreter | ModelKind::Language => Vec::new(),
    }
}

/// Refuses a call with an effect if there were too many of `agent` in the last minute. A stop is never one too many.
pub(crate) fn check_rate(station: &Arc<Station>, agent: &AgentUnit, call: &ToolCall) -> Result<(), OpError> {
    if call.effect == Effect::Read || operations::stops_of(&call.name) != Stops::No {
        return Ok(());
    }
    if agent.call_rate.admit(station.runtime.clock.now().station) {
        return Ok(());
    }
    let sentence = "Too many calls with an effect in this minute. Wait, and do less.";
    let robot = call.args["robot"].as_str().and_then(|robot| RobotId::new(robot).ok());
    if let Some(unit) = robot.and_then(|robot| station.fleet.unit(&robot).ok()) {
        station.fleet.fallbacks.denied(&station.fleet, &unit, sentence);
    }
    Err(OpError::new(StationCode::RateLimited, sentence))
}

/// The operation that carries out a call.
pub(crate) fn wanted(name: &str, args: &Value) -> Wanted {
    let operation = if name.contains(BETWEEN) {
        CALL_MCP_TOOL
    } else if name.starts_with(shell_tools::PREFIX) {
        RUN_SHELL_TOOL
    } else {
        return Wanted { operation: name.to_owned(), input: args.clone() };
    };
    Wanted { operation: operation.to_owned(), input: json!({ "tool": name, "arguments": args }) }
}

/// The tool that an operation stands for, and what it is given, as a card says it.
pub(crate) fn meant(wanted: &Wanted) -> (&str, &Value) {
    let stands = operations::row_of(&wanted.operation).is_some_and(|row| row.tool.stands_for_tools);
    let tool = wanted.input["tool"].as_str().filter(|_| stands);
    tool.map_or((wanted.operation.as_str(), &wanted.input), |tool| (tool, &wanted.input["arguments"]))
}

/// Effect of the server's tool that `wanted` calls, if it is known; otherwise that of the operation.
pub(crate) fn effect(station: &Station, wanted: &Wanted, of_operation: Effect) -> Effect {
    let tool = wanted.input["tool"].as_str().filter(|_| wanted.operation == CALL_MCP_TOOL);
    tool.and_then(|tool| station.mcp.effect(tool)).unwrap_or(of_operation)
}

/// The outcome of a call that an operation carried out, no better than its row and its type let it be. Keys that a tool
/// gave away are taken out: nothing of a transcript is secret.
pub(crate) fn outcome(redaction: &Redaction, operation: &str, answer: Result<Value, OpError>) -> ToolOutcome {
    let (mut value, is_error, trust) = match answer {
        Ok(answer) => {
            let trust = operations::row_of(operation).map_or(Trust::Text, |row| row.trust_of(&answer));
            (answer, false, trust)
        }
        Err(error) => (json!(error), true, error.trust),
    };
    redaction.redact(&mut value);
    let json = if value.is_object() { value.to_string() } else { json!({ "items": value }).to_string() };
    ToolOutcome { is_error, trust, json, ..ToolOutcome::answer(&Value::Null) }
}

/// Operation, reason and mission that a call asks a person for; `create_proposal` asks for the operation it names.
pub(crate) fn asked_for(call: &ToolCall) -> (Wanted, String, Option<robot::MissionId>) {
    if call.name != CREATE_PROPOSAL {
        return (wanted(&call.name, &call.args), String::new(), None);
    }
    let field = |name: &str| call.args.get(name).and_then(Value::as_str).unwrap_or_default();
    let input = call.args.get("input").cloned().unwrap_or_default();
    let wanted = Wanted { operation: field("operation").to_owned(), input };
    (wanted, field("reason").to_owned(), robot::MissionId::new(field("mission_id")).ok())
}

#[cfg(test)]
mod marks;
#[cfg(test)]
mod tests;
