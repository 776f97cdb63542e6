//! Servers of tools that are not ours, and what an Admin lets of them.

use std::sync::Arc;

use robot::{Audience, Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml_edit::{Array, Value as Toml};

use super::Operation;
use crate::code::AgentCode;
use crate::operation_names::CALL_MCP_TOOL;
use crate::runner::AgentRunner;
use runtime::config::{put, table_at};
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, message, row};
use runtime::session::Session;
use runtime::wire::{McpServerRow, ToolAnswer, word};

/// The agent's, and a person's who lets it happen.
const UI_AGENT: &[Audience] = &[Audience::Ui, Audience::Agent];

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator};
    vec![
        row(
            "list_mcp_servers",
            Terms(Admin, Read, UI, Trust::Text),
            "External MCP servers and the tools that they offer.",
            list_mcp_servers,
        ),
        row("add_mcp_server", Terms(Admin, Write, UI, Trust::Text), "Connects an external MCP server.", add_mcp_server)
            .example(json!({"id": "weather", "url": "https://tools.example/mcp"})),
        row(
            "remove_mcp_server",
            Terms(Admin, Write, UI, Trust::Text),
            "Disconnects an external MCP server.",
            remove_mcp_server,
        )
        .example(json!({"id": "weather"})),
        row(
            "pin_mcp_tool",
            Terms(Admin, Write, UI, Trust::Text),
            "Lets agents call a tool of an MCP server, as it is now.",
            pin_mcp_tool,
        )
        .example(json!({"server": "weather", "tool": "today", "hash": "sha256:0f1e2d", "effect": "read"})),
        row(
            "unpin_mcp_tool",
            Terms(Admin, Write, UI, Trust::Text),
            "Takes a tool of an MCP server from agents.",
            unpin_mcp_tool,
        )
        .example(json!({"server": "weather", "tool": "today"})),
        row(
            CALL_MCP_TOOL,
            Terms(Operator, Write, UI_AGENT, Trust::Text),
            "Calls a tool of an external MCP server.",
            call_mcp_tool,
        )
        .example(json!({"tool": "weather__today", "arguments": {"city": "Graz"}}))
        .stands_for_tools(),
    ]
}

async fn list_mcp_servers(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<McpServerRow>, OpError> {
    Ok(runner.mcp.rows())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddMcpServer {
    /// A name for it: a letter and up to 19 of a to z, 0 to 9, `-` and single `_`.
    id: String,
    /// Its program, an absolute path, and arguments; or else `url`.
    #[serde(default)]
    command: Vec<String>,
    /// Folders outside the system's own that the program needs; it may read them.
    #[serde(default)]
    program_folders: Vec<String>,
    /// Its https address.
    url: Option<String>,
    /// True to take the server's own hints on what its tools do.
    #[serde(default)]
    trusted: bool,
}

async fn add_mcp_server(runner: Arc<AgentRunner>, _: Session, input: AddMcpServer) -> Result<Message, OpError> {
    let AddMcpServer { id, command, program_folders, url, trusted } = input;
    if runner.mcp.has(&id) {
        return Err(OpError::new(AgentCode::ServerExists, format!("There is a server {id} already.")));
    }
    let list = |texts: &[String]| -> Option<Toml> {
        (!texts.is_empty()).then(|| texts.iter().map(String::as_str).collect::<Array>().into())
    };
    runner
        .edit_config(|document| {
            let server = table_at(document, &["mcp", &id])?;
            put(server, "command", list(&command));
            put(server, "program_folders", list(&program_folders));
            put(server, "url", url.map(Toml::from));
            put(server, "trusted", trusted.then(|| true.into()));
            Some(())
        })
        .await?;
    Ok(message(format!("{id} is being connected. None of its tools can be called before it is let.")))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemoveMcpServer {
    /// Its name.
    id: String,
}

async fn remove_mcp_server(runner: Arc<AgentRunner>, _: Session, input: RemoveMcpServer) -> Result<Message, OpError> {
    check_server(&runner, &input.id)?;
    runner
        .edit_config(|document| {
            table_at(document, &["mcp"])?.remove(&input.id);
            Some(())
        })
        .await?;
    Ok(message(format!("{} is disconnected.", input.id)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PinMcpTool {
    /// The server.
    server: String,
    /// The server's name for the tool.
    tool: String,
    /// The hash of the form that was looked at.
    hash: String,
    /// The effect of the tool: `read`, `write` or `irreversible`; unknown if left out, and then each call asks.
    effect: Option<Effect>,
}

async fn pin_mcp_tool(runner: Arc<AgentRunner>, _: Session, input: PinMcpTool) -> Result<Message, OpError> {
    let PinMcpTool { server, tool, hash, effect } = input;
    if effect == Some(Effect::Actuate) {
        let text = "No tool of a server moves robots; its effect is read, write or irreversible.";
        return Err(OpError::bad_input(AgentCode::BadEffect, "effect", text));
    }
    // By the hash that was looked at: the server may offer another form by now.
    let form = runner.mcp.form_to_pin(&server, &tool, &hash)?;
    runner
        .edit_config(|document| {
            let pin = table_at(document, &["mcp", &server, "pins", &tool])?;
            put(pin, "hash", Some(hash.into()));
            put(pin, "effect", effect.map(|effect| word(&effect).into()));
            put(pin, "form", Some(form.into()));
            Some(())
        })
        .await?;
    Ok(message(format!("Agents may call {server}__{tool} from their next turn on.")))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnpinMcpTool {
    /// The server.
    server: String,
    /// The server's name for the tool.
    tool: String,
}

async fn unpin_mcp_tool(runner: Arc<AgentRunner>, _: Session, input: UnpinMcpTool) -> Result<Message, OpError> {
    let UnpinMcpTool { server, tool } = input;
    check_server(&runner, &server)?;
    if !runner.tool_settings().mcp.get(&server).is_some_and(|settings| settings.pins.contains_key(&tool)) {
        return Err(OpError::not_found(AgentCode::ToolNotFound, "pinned tool", format!("{server}__{tool}")));
    }
    runner
        .edit_config(|document| {
            table_at(document, &["mcp", &server, "pins"])?.remove(&tool);
            Some(())
        })
        .await?;
    Ok(message(format!("No agent can call {server}__{tool} any more.")))
}

fn check_server(runner: &AgentRunner, id: &str) -> Result<(), OpError> {
    if runner.mcp.has(id) { Ok(()) } else { Err(OpError::not_found(AgentCode::ServerNotFound, "server", id)) }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CallMcpTool {
    /// `server__tool`.
    tool: String,
    /// The arguments, as the tool's input schema wants them.
    #[serde(default)]
    arguments: Map<String, Value>,
}

async fn call_mcp_tool(runner: Arc<AgentRunner>, by: Session, input: CallMcpTool) -> Result<ToolAnswer, OpError> {
    if runner.mcp.effect(&input.tool) == Some(Effect::Irreversible) {
        // What cannot be undone is never done on an agent's word alone.
        super::only_let_by_a_person(&by)?;
    }
    runner.mcp.call(&input.tool, input.arguments).await
}
