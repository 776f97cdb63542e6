//! External MCP servers: each is kept connected, its tools are compared with those that an Admin let, and its answers
//! are untrusted text.

mod offer;
mod reconnect;
mod transport;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use agent::{Careful, ToolOutput, ToolSpec};
use robot::{Effect, SharedCode, Trust};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

pub use offer::OfferedTool;
pub(crate) use offer::hash;
pub use transport::{ServerAnswer, ServerFuture, ServerNews, ToolServer, ToolServers, Transport};

use crate::code::AgentCode;
use crate::tools::sandbox::Sandbox;
use runtime::Runtime;
use runtime::config::{Pin, ServerSettings, Servers};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{McpServerRow, McpServerState, McpToolRow, McpToolState, ServerLoss, Tag, ToolAnswer, ToolFault};

/// Time limit of a server's answer.
const ANSWER_WAIT: Duration = Duration::from_secs(30);
/// Time limit of the loop, milliseconds: longer than the station's own, whose answer says what happened.
const TIMEOUT_MS: u32 = 35_000;
/// Stands between a server's name and its tool's.
pub(crate) const BETWEEN: &str = "__";

/// Every server that `config.toml` names.
pub(crate) struct Mcp {
    runtime: Arc<Runtime>,
    /// Cells for the servers that are programs.
    sandbox: Arc<Sandbox>,
    host: Arc<dyn ToolServers>,
    servers: Mutex<BTreeMap<String, Server>>,
}

struct Server {
    settings: ServerSettings,
    link: Link,
    /// Tools that it offered when it was last asked; none if it never answered.
    offered: Option<Vec<OfferedTool>>,
    /// Ends the task that keeps it connected.
    ended: CancellationToken,
}

enum Link {
    Connecting,
    Ready(Arc<dyn ToolServer>),
    Lost(ServerLoss),
}

impl Mcp {
    pub fn new(runtime: Arc<Runtime>, sandbox: Arc<Sandbox>, host: Arc<dyn ToolServers>) -> Arc<Self> {
        Arc::new(Self { runtime, sandbox, host, servers: Mutex::default() })
    }

    fn servers(&self) -> MutexGuard<'_, BTreeMap<String, Server>> {
        lock(&self.servers)
    }

    /// Keeps exactly the servers of `wanted`. One whose program or address is another is connected anew.
    pub fn keep(self: &Arc<Self>, wanted: &Servers) {
        let mut servers = self.servers();
        servers.retain(|id, server| {
            let stays = wanted.get(id).is_some_and(|wanted| wanted.is_same_server(&server.settings));
            if !stays {
                server.ended.cancel();
            }
            stays
        });
        for (id, settings) in wanted {
            if let Some(server) = servers.get_mut(id) {
                // A change of pins does not concern the connection.
                server.settings = settings.clone();
                continue;
            }
            let ended = self.runtime.ended.child_token();
            let server =
                Server { settings: settings.clone(), link: Link::Connecting, offered: None, ended: ended.clone() };
            servers.insert(id.clone(), server);
            reconnect::start(self, id.clone(), settings.clone(), ended);
        }
        drop(servers);
        self.runtime.bus.changed(Tag::Tools);
    }

    /// The tools that were let and are still what they were. They are listed also while their server is away, so that
    /// the list does not change with every restart of a program.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let servers = self.servers();
        let of_server = |(id, server): (&String, &Server)| -> Vec<ToolSpec> {
            let pins = server.settings.pins.iter();
            pins.filter_map(|(name, pin)| server.usable(name, pin).map(|tool| spec(id, server, &tool, pin))).collect()
        };
        servers.iter().flat_map(of_server).collect()
    }

    /// The tools that were let and of which nobody has said what they do.
    pub fn unknown_effects(&self) -> Vec<String> {
        let servers = self.servers();
        let of_server = |(id, server): (&String, &Server)| -> Vec<String> {
            let is_unknown = |(name, pin): &(&String, &Pin)| {
                server.usable(name, pin).is_some_and(|tool| tool.effect(pin, server.settings.trusted).is_none())
            };
            let unknown = server.settings.pins.iter().filter(is_unknown);
            unknown.map(|(name, _)| format!("{id}{BETWEEN}{name}")).collect()
        };
        servers.iter().flat_map(of_server).collect()
    }

    /// Effect of the tool called `name`; none if it is not known, or there is no such tool.
    pub fn effect(&self, name: &str) -> Option<Effect> {
        let (server, tool) = name.split_once(BETWEEN)?;
        let servers = self.servers();
        let server = servers.get(server)?;
        let pin = server.settings.pins.get(tool)?;
        // By the pinned form: hints that the server has changed since count for nothing.
        OfferedTool::of_form(&pin.form)?.effect(pin, server.settings.trusted)
    }

    /// Calls the tool called `server__tool`.
    pub async fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolAnswer, OpError> {
        // The lock is given back here: no other call waits for this server's answer.
        let (server, tool) = self.callable(name, &arguments)?;
        let answered = tokio::time::timeout(ANSWER_WAIT, server.call(tool, arguments)).await;
        let answer = answered.map_err(|_| {
            let message = format!("{name} did not answer within {} s.", ANSWER_WAIT.as_secs());
            OpError::new(AgentCode::TimedOut, message)
        })?;
        let answer = answer.map_err(|error| unavailable(name, &error))?;
        told(name, answer)
    }

    fn callable(&self, name: &str, arguments: &Map<String, Value>) -> Result<(Arc<dyn ToolServer>, String), OpError> {
        let unknown = || OpError::not_found(AgentCode::ToolNotFound, "tool of a server", name);
        let (id, tool) = name.split_once(BETWEEN).ok_or_else(unknown)?;
        let servers = self.servers();
        let server = servers.get(id).ok_or_else(unknown)?;
        let pin = server.settings.pins.get(tool).ok_or_else(unknown)?;
        let Some(offered) = server.usable(tool, pin) else {
            let message = format!("{name} is not what an Admin let; it stays off until it is let again.");
            return Err(OpError::new(AgentCode::ToolChanged, message));
        };
        let arguments = Value::Object(arguments.clone());
        // An Admin cannot let a tool whose schema does not compile.
        if let Ok(schema) = jsonschema::validator_for(&offered.input_schema)
            && let Err(error) = schema.validate(&arguments)
        {
            let path = error.instance_path().to_string();
            return Err(OpError::bad_input(SharedCode::InvalidInput, &path, format!("{path}: {error}")));
        }
        match &server.link {
            Link::Ready(server) => Ok((Arc::clone(server), tool.to_owned())),
            Link::Connecting => Err(unavailable(name, "it is not connected yet")),
            Link::Lost(loss) => Err(unavailable(name, &loss.to_string())),
        }
    }

    /// As screens show them.
    pub fn rows(&self) -> Vec<McpServerRow> {
        self.servers().iter().map(|(id, server)| server.row(id)).collect()
    }

    /// The form of what `server` offers under `tool`, if it has this `hash` and may be let.
    pub fn form_to_pin(&self, server: &str, tool: &str, wanted: &str) -> Result<String, OpError> {
        let servers = self.servers();
        let found =
            servers.get(server).ok_or_else(|| OpError::not_found(AgentCode::ServerNotFound, "server", server))?;
        let offered = found.offered.iter().flatten().find(|offered| offered.name == tool);
        let offered =
            offered.ok_or_else(|| OpError::not_found(AgentCode::ToolNotFound, "tool of this server", tool))?;
        if let Some(problem) = offered.problem() {
            return Err(OpError::new(AgentCode::ToolRefused, format!("{tool} cannot be let: {problem}.")));
        }
        let form = offered.form();
        // Compared under the same lock, so that what is pinned is what was looked at.
        if hash(&form) != wanted {
            let message = format!("{tool} is no longer what was looked at. Look again.");
            return Err(OpError::new(AgentCode::ToolChanged, message));
        }
        Ok(form)
    }

    /// True if there is a server called `id`.
    pub fn has(&self, id: &str) -> bool {
        self.servers().contains_key(id)
    }
}

impl Server {
    /// The pinned tool, unless the server offers another under its name, or none any more.
    fn usable(&self, name: &str, pin: &Pin) -> Option<OfferedTool> {
        let tool = OfferedTool::of_form(&pin.form).filter(|tool| tool.name == name)?;
        // Somebody may have edited the form in `config.toml`.
        if hash(&pin.form) != pin.hash {
            return None;
        }
        match &self.offered {
            // It has not answered yet, and the pin holds the whole declaration (decision 0049).
            None => Some(tool),
            Some(offered) => offered.iter().any(|offered| offered.form() == pin.form).then_some(tool),
        }
    }

    fn row(&self, id: &str) -> McpServerRow {
        let (state, loss) = match &self.link {
            Link::Connecting => (McpServerState::Connecting, None),
            Link::Ready(_) => (McpServerState::Ready, None),
            Link::Lost(loss) => (McpServerState::Lost, Some(loss.clone())),
        };
        let ServerSettings { command, program_folders, network: _, url, trusted, pins } = self.settings.clone();
        let offered = self.offered.iter().flatten().map(|tool| self.offered_row(id, tool));
        let is_offered = |name: &String| self.offered.iter().flatten().any(|tool| tool.name == *name);
        let gone = pins.iter().filter(|(name, _)| !is_offered(name));
        let gone = gone.filter_map(|(_, pin)| Some(self.pinned_row(id, &OfferedTool::of_form(&pin.form)?, pin)));
        McpServerRow {
            id: id.to_owned(),
            command,
            program_folders: program_folders.iter().map(|folder| folder.display().to_string()).collect(),
            url,
            trusted,
            state,
            reason: loss.as_ref().map(ServerLoss::to_string),
            loss,
            tools: offered.chain(gone).collect(),
        }
    }

    fn offered_row(&self, id: &str, tool: &OfferedTool) -> McpToolRow {
        let pin = self.settings.pins.get(&tool.name);
        let form = tool.form();
        let (state, problem) = match (pin, tool.problem()) {
            (_, Some(problem)) => (McpToolState::Refused, Some(problem)),
            (None, None) => (McpToolState::New, None),
            (Some(pin), None) if pin.form == form && pin.hash == hash(&form) => (McpToolState::Pinned, None),
            (Some(_), None) => (McpToolState::Changed, None),
        };
        let pinned_form = pin.filter(|_| state == McpToolState::Changed).map(|pin| pin.form.clone());
        McpToolRow {
            effect: pin.and_then(|pin| tool.effect(pin, self.settings.trusted)),
            hash: hash(&form),
            form,
            pinned_form,
            ..row(id, tool, state, problem)
        }
    }

    /// A tool that was let and that its server does not offer now.
    fn pinned_row(&self, id: &str, tool: &OfferedTool, pin: &Pin) -> McpToolRow {
        let state = if self.offered.is_some() { McpToolState::Gone } else { McpToolState::Pinned };
        McpToolRow {
            effect: tool.effect(pin, self.settings.trusted),
            hash: pin.hash.clone(),
            form: pin.form.clone(),
            ..row(id, tool, state, None)
        }
    }
}

fn row(id: &str, tool: &OfferedTool, state: McpToolState, fault: Option<ToolFault>) -> McpToolRow {
    McpToolRow {
        name: format!("{id}{BETWEEN}{}", tool.name),
        tool: tool.name.clone(),
        description: tool.description.clone(),
        state,
        problem: fault.as_ref().map(ToolFault::to_string),
        fault,
        effect: None,
        hash: String::new(),
        form: String::new(),
        pinned_form: None,
    }
}

fn spec(id: &str, server: &Server, tool: &OfferedTool, pin: &Pin) -> ToolSpec {
    // An unknown effect counts as a write, and a rule asks about each call (`unknown_effects`).
    let effect = tool.effect(pin, server.settings.trusted).unwrap_or(Effect::Write);
    let name = format!("{id}{BETWEEN}{}", tool.name);
    let spec = ToolSpec::new(&name, &tool.description, tool.input_schema.clone(), effect);
    // Whoever runs it is outside the station: what it is told has left.
    ToolSpec { output: ToolOutput::Text, careful: Careful::Asks, timeout_ms: Some(TIMEOUT_MS), ..spec }
}

/// Converts a server's answer; a failure of its tool is one of the call. Both are untrusted text.
fn told(name: &str, answer: ServerAnswer) -> Result<ToolAnswer, OpError> {
    let ServerAnswer { text, structured, is_error } = answer;
    if is_error {
        let failed = OpError::new(AgentCode::ToolFailed, format!("{name} failed: {text}"));
        return Err(failed.with(json!({ "trust": Trust::Text })));
    }
    Ok(ToolAnswer { text, structured, trust: Trust::Text })
}

fn unavailable(name: &str, reason: &str) -> OpError {
    OpError::new(AgentCode::ServerUnavailable, format!("{name} cannot be called: {reason}."))
}

#[cfg(test)]
mod tests;
