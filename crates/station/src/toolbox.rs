//! Everything an agent may call: the operations that are offered to it, the tools of servers that an Admin let, declared
//! programs, and the sandbox where it holds. Whatever it calls goes through the operation table.

mod compact;
mod rate;
mod table;

use std::sync::Arc;

use agent::{
    Careful, Layer, Message, Mode, OnCancel, Permission, Rule, Scope, Stops, ToolCall, ToolOutcome, ToolOutput,
    ToolSpec, Trigger,
};
use llm::ModelKind;
use robot::{AgentId, Effect, Origin, RobotId, Trust};
use serde_json::{Value, json};

use crate::agents::AgentUnit;
use crate::mcp::BETWEEN;
use crate::operations;
use crate::proposals::Wanted;
use crate::sandbox::shell_tools;
use crate::station::Station;
pub(crate) use compact::compact;
pub(crate) use rate::CallRate;
use runtime::config::PermissionRule;
use runtime::error::OpError;
use runtime::redaction::Redaction;
pub(crate) use table::with_tables;

/// What a person tells the command interpreter to write down.
const OWN_WORDS: [&str; 3] = ["remember_note", "update_belief", "schedule_task"];
/// Operations that stand for tools with names of their own.
const STANDING_FOR_OTHERS: [&str; 2] = [CALL_MCP_TOOL, RUN_SHELL_TOOL];
const CALL_MCP_TOOL: &str = "call_mcp_tool";
const RUN_SHELL_TOOL: &str = "run_shell_tool";
const POST_ROOM: &str = "post_room";
const ASK_OUTPUT: &str = "ask_output";
/// Operations of the investigation sandbox.
const SANDBOX: [&str; 3] = ["sandbox_exec", "fetch_to_sandbox", "fetch_batch_to_sandbox"];

/// What a turn of a room may call. Nothing here reads what was said, remembered or decided at the desk, nothing writes
/// what the agent remembers, and nothing sets a mission going.
const FOR_ROOMS: &[&str] = &[
    "ask_output",
    "check_command",
    "create_proposal",
    "explain_verdict",
    "hold_robot",
    "list_alarms",
    "list_alerts",
    "list_constraints",
    "list_missions",
    "list_robots",
    "list_rooms",
    "list_verdicts",
    "list_world_state",
    "pause_all_missions",
    "pause_mission",
    "read_output",
    "safety_status",
    "send_command",
    "stop_all",
    "stop_robot",
];

/// How long the loop waits for them: longer than a run, and than a fetch, may take.
const SANDBOX_TIMEOUT_MS: u32 = 65_000;
/// The same for a model that reads: as long as one on this machine may take before it begins to answer.
const READER_TIMEOUT_MS: u32 = 300_000;

/// What `agent` may call, from its next turn on.
pub(crate) async fn tools(station: &Station, agent: &AgentUnit) -> Vec<ToolSpec> {
    let settings = station.tool_settings();
    let has_sandbox = settings.sandbox.agents.contains(&agent.id);
    let cells_hold = (has_sandbox || !settings.shell_tools.is_empty()) && station.sandbox.problem().await.is_none();
    let mut tools = operations::tools();
    tools.retain(|tool| {
        let name = tool.name.as_str();
        !STANDING_FOR_OTHERS.contains(&name) && (!SANDBOX.contains(&name) || (has_sandbox && cells_hold))
    });
    for tool in &mut tools {
        tool.careful = careful(&tool.name);
        tool.data_bearing = tool.name == "read_output";
        // What writes is not torn off in the middle.
        tool.on_cancel = if tool.effect == Effect::Write { OnCancel::Finish } else { OnCancel::Drop };
        if tool.name == ASK_OUTPUT {
            tool.timeout_ms = Some(READER_TIMEOUT_MS);
        }
        if SANDBOX.contains(&tool.name.as_str()) {
            tool.output = ToolOutput::Text;
            tool.timeout_ms = Some(SANDBOX_TIMEOUT_MS);
        }
    }
    if cells_hold {
        tools.extend(shell_tools::specs(&settings.shell_tools));
    }
    tools.extend(station.mcp.specs());
    tools.iter_mut().for_each(set_scope);
    tools
}

/// What gives words of the desk, or takes words of a room, is not for rooms.
fn set_scope(tool: &mut ToolSpec) {
    if !FOR_ROOMS.contains(&tool.name.as_str()) {
        tool.scope = Scope::Direct;
    }
}

/// What has been decided on tools ahead, for `agent`: a tool of which nobody has said what it does asks each time, then
/// what the settings of the site, of the agent and of the mission that it runs say.
pub(crate) fn rules(station: &Station, agent: &AgentId, mode: &Mode) -> Vec<Rule> {
    let asks = |tool| Rule { layer: Layer::BuiltIn, tool, verdict: Permission::Ask };
    // What an agent knows of its desk reaches a room only if a person there says so.
    let asked = station.mcp.unknown_effects().into_iter().chain([POST_ROOM.to_owned()]);
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

/// What the command interpreter need not ask about: it writes what a person at a desk has just told it to, word for
/// word. A language model may have read more than these words, and a schedule has the agent's rights alone.
pub(crate) fn own_words(kind: ModelKind, message: &Message) -> Vec<Rule> {
    let is_told = message.trigger() == Trigger::Operator && matches!(message.origin(), Origin::Operator(_));
    match kind {
        ModelKind::Interpreter if is_told => {
            let allows = |tool: &str| Rule { layer: Layer::BuiltIn, tool: tool.to_owned(), verdict: Permission::Allow };
            OWN_WORDS.into_iter().map(allows).collect()
        }
        ModelKind::Interpreter | ModelKind::Language => Vec::new(),
    }
}

/// What is different about an operation once text that nobody vouches for may speak through the model.
fn careful(operation: &str) -> Careful {
    match operation {
        "remember_note" | "update_belief" => Careful::Reviewed,
        // They plan for later, or carry words out of the station.
        "schedule_task" | "fetch_to_sandbox" | "fetch_batch_to_sandbox" => Careful::Asks,
        _ => Careful::No,
    }
}

/// Refuses a call with an effect if there were too many of `agent` in the last minute. A stop is never one too many.
pub(crate) fn check_rate(station: &Arc<Station>, agent: &AgentUnit, call: &ToolCall) -> Result<(), OpError> {
    if call.effect == Effect::Read || operations::stops_of(&call.name) != Stops::No {
        return Ok(());
    }
    if agent.call_rate.admit(station.clock.now().station) {
        return Ok(());
    }
    let sentence = "Too many calls with an effect in this minute. Wait, and do less.";
    let robot = call.args["robot"].as_str().and_then(|robot| RobotId::new(robot).ok());
    if let Some(unit) = robot.and_then(|robot| station.unit(&robot).ok()) {
        station.fallbacks.denied(station, &unit, sentence);
    }
    Err(OpError::conflict("rate_limited", sentence))
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
    let tool = wanted.input["tool"].as_str().filter(|_| STANDING_FOR_OTHERS.contains(&wanted.operation.as_str()));
    tool.map_or((wanted.operation.as_str(), &wanted.input), |tool| (tool, &wanted.input["arguments"]))
}

/// What the tool that an operation stands for does, if that is more than the operation's own effect says.
pub(crate) fn effect(station: &Station, wanted: &Wanted, of_operation: Effect) -> Effect {
    let tool = wanted.input["tool"].as_str().filter(|_| wanted.operation == CALL_MCP_TOOL);
    tool.and_then(|tool| station.mcp.effect(tool)).unwrap_or(of_operation)
}

/// The outcome of a call that an operation carried out, no better than its row and its type let it be. Keys that a tool
/// gave away are taken out: nothing of a transcript is secret.
pub(crate) fn outcome(redaction: &Redaction, operation: &str, answer: Result<Value, OpError>) -> ToolOutcome {
    let (mut value, is_error, trust) = match answer {
        Ok(answer) => {
            let row = operations::find(operation).ok();
            let trust = row.map_or(Trust::Text, |row| row.trust_of(&answer));
            (answer, false, trust)
        }
        Err(error) => (json!(error), true, error.trust),
    };
    redaction.redact(&mut value);
    let json = if value.is_object() { value.to_string() } else { json!({ "items": value }).to_string() };
    ToolOutcome { is_error, trust, json, ..ToolOutcome::answer(&Value::Null) }
}

/// What a call asks a person for. Asking by name is the call it names.
pub(crate) fn asked_for(call: &ToolCall) -> (Wanted, String, Option<robot::MissionId>) {
    if call.name != "create_proposal" {
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
