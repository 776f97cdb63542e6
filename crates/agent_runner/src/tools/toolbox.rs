//! Everything an agent may call: the operations that are offered to it, the tools of servers that an Admin let,
//! declared programs, and the sandbox where it holds. Whatever it calls goes through the operation table.

mod compact;
mod rate;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use agent::{Layer, Message, Mode, Permission, Rule, Scope, ToolCall, ToolOutcome, ToolSpec, Trigger};
use llm::ModelKind;
use robot::{AgentId, Effect, Origin, RobotId, Stops, Trust};
use serde_json::{Value, json};

use crate::code::AgentCode;
use crate::operation_names::{CALL_MCP_TOOL, RUN_SHELL_TOOL};
use crate::surroundings::{Host, Operations, Proposer, Robots, Wanted};
use crate::tools::mcp::{BETWEEN, Mcp};
use crate::tools::sandbox::{Sandbox, shell_tools};
pub use compact::compact;
use rate::CallRate;
use runtime::Runtime;
use runtime::config::{PermissionRule, ToolSettings};
use runtime::error::OpError;
use runtime::lock::{lock, read, write};
use runtime::operation::{Row, ToolTerms};
pub(crate) use table::with_tables;

/// The tools of agents, and the rules by which they may call them.
pub struct Toolbox {
    runtime: Arc<Runtime>,
    operations: Arc<dyn Operations>,
    proposer: Arc<dyn Proposer>,
    robots: Arc<dyn Robots>,
    mcp: Arc<Mcp>,
    sandbox: Arc<Sandbox>,
    settings: RwLock<Arc<ToolSettings>>,
    /// Calls with an effect of each agent.
    rates: Mutex<BTreeMap<AgentId, CallRate>>,
}

impl Toolbox {
    pub(crate) fn new(
        runtime: Arc<Runtime>,
        host: &Host,
        mcp: Arc<Mcp>,
        sandbox: Arc<Sandbox>,
        settings: ToolSettings,
    ) -> Self {
        Self {
            runtime,
            operations: Arc::clone(&host.operations),
            proposer: Arc::clone(&host.proposer),
            robots: Arc::clone(&host.robots),
            mcp,
            sandbox,
            settings: RwLock::new(Arc::new(settings)),
            rates: Mutex::default(),
        }
    }

    /// Settings of tools in `config.toml`, as they are now.
    pub(crate) fn settings(&self) -> Arc<ToolSettings> {
        Arc::clone(&read(&self.settings))
    }

    /// Takes over settings that are in `config.toml` now.
    pub(crate) fn set(&self, settings: Arc<ToolSettings>) {
        *write(&self.settings) = settings;
    }

    /// Tools that `agent` may call, from its next turn on.
    pub async fn tools(&self, agent: &AgentId) -> Vec<ToolSpec> {
        let settings = self.settings();
        let has_sandbox = settings.sandbox.agents.contains(agent);
        // A cell is tried out only if something would run in one.
        let cells_hold = (has_sandbox || !settings.shell_tools.is_empty()) && self.sandbox.problem().await.is_none();
        let is_offered =
            |terms: &ToolTerms| !terms.stands_for_tools && (!terms.in_sandbox || (has_sandbox && cells_hold));
        let rows = self.operations.of_agents().into_iter().filter(|row| is_offered(&row.tool));
        let mut tools: Vec<ToolSpec> = rows.map(|row| row.tool()).collect();
        let own = tools.len();
        if cells_hold {
            tools.extend(shell_tools::specs(&settings.shell_tools));
        }
        tools.extend(self.mcp.specs());
        // Tools that are not the station's are for nobody but whoever sits at its desk.
        tools.iter_mut().skip(own).for_each(|tool| tool.scope = Scope::Direct);
        tools
    }

    /// Standing decisions on tools, for `agent`: a tool of unknown effect asks each time, then come the settings of the
    /// site, of the agent and of the mission that it runs.
    pub fn rules(&self, agent: &AgentId, mode: &Mode) -> Vec<Rule> {
        let asks = |tool| Rule { layer: Layer::BuiltIn, tool, verdict: Permission::Ask };
        let asking = self.operations.of_agents().into_iter().filter(|row| row.tool.asks).map(|row| row.name.to_owned());
        let asked = self.mcp.unknown_effects().into_iter().chain(asking);
        let settings = self.settings();
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

    /// Operations that the command interpreter runs unasked: it writes what a person at a desk has just told it, word
    /// for word. A language model may have read more than these words, and a schedule has the agent's rights alone.
    pub(crate) fn own_words(&self, kind: ModelKind, message: &Message) -> Vec<Rule> {
        let is_told = message.trigger() == Trigger::Operator && matches!(message.origin(), Origin::Operator(_));
        match kind {
            ModelKind::Interpreter if is_told => {
                let allows =
                    |row: &Row| Rule { layer: Layer::BuiltIn, tool: row.name.to_owned(), verdict: Permission::Allow };
                self.operations.of_agents().into_iter().filter(|row| row.tool.own_words).map(allows).collect()
            }
            ModelKind::Interpreter | ModelKind::Language => Vec::new(),
        }
    }

    /// Refuses a call with an effect if there were too many of `agent` in the last minute. A stop is never one too
    /// many.
    pub fn check_rate(&self, agent: &AgentId, call: &ToolCall) -> Result<(), OpError> {
        if call.effect == Effect::Read || self.operations.stops_of(&call.name) != Stops::No {
            return Ok(());
        }
        let now = self.runtime.clock.now().station;
        if lock(&self.rates).entry(agent.clone()).or_default().admit(now) {
            return Ok(());
        }
        let sentence = "Too many calls with an effect in this minute. Wait, and do less.";
        let robot = call.args["robot"].as_str().and_then(|robot| RobotId::new(robot).ok());
        if let Some(robot) = robot {
            self.robots.note_denied(&robot, sentence);
        }
        Err(OpError::new(AgentCode::RateLimited, sentence))
    }

    /// The tool that an operation stands for, and what it is given, as a card says it.
    pub fn meant<'a>(&self, wanted: &'a Wanted) -> (&'a str, &'a Value) {
        let stands = self.operations.row(&wanted.operation).is_some_and(|row| row.tool.stands_for_tools);
        let tool = wanted.input["tool"].as_str().filter(|_| stands);
        tool.map_or((wanted.operation.as_str(), &wanted.input), |tool| (tool, &wanted.input["arguments"]))
    }

    /// Effect of the server's tool that `wanted` calls, if it is known; otherwise that of the operation.
    pub fn effect(&self, wanted: &Wanted, of_operation: Effect) -> Effect {
        let tool = wanted.input["tool"].as_str().filter(|_| wanted.operation == CALL_MCP_TOOL);
        tool.and_then(|tool| self.mcp.effect(tool)).unwrap_or(of_operation)
    }

    /// The outcome of a call that an operation carried out, no better than its row and its type let it be. Keys that a
    /// tool gave away are taken out: nothing of a transcript is secret.
    pub fn outcome(&self, operation: &str, answer: Result<Value, OpError>) -> ToolOutcome {
        let (mut value, is_error, trust) = match answer {
            Ok(answer) => {
                let trust = self.operations.row(operation).map_or(Trust::Text, |row| row.trust_of(&answer));
                (answer, false, trust)
            }
            Err(error) => (json!(error), true, error.trust),
        };
        self.runtime.redaction.redact(&mut value);
        // Providers take an object as the result of a tool (decision 0038).
        let json = if value.is_object() { value.to_string() } else { json!({ "items": value }).to_string() };
        ToolOutcome { is_error, trust, json, ..ToolOutcome::answer(&Value::Null) }
    }

    /// Operation, reason and mission that a call asks a person for. The operation that makes cards asks for the one it
    /// names.
    pub(crate) fn asked_for(&self, call: &ToolCall) -> (Wanted, String, Option<robot::MissionId>) {
        if call.name != self.proposer.operation() {
            return (wanted(&call.name, &call.args), String::new(), None);
        }
        let field = |name: &str| call.args.get(name).and_then(Value::as_str).unwrap_or_default();
        let input = call.args.get("input").cloned().unwrap_or_default();
        let wanted = Wanted { operation: field("operation").to_owned(), input };
        (wanted, field("reason").to_owned(), robot::MissionId::new(field("mission_id")).ok())
    }
}

/// The operation that carries out a call.
pub fn wanted(name: &str, args: &Value) -> Wanted {
    let operation = if name.contains(BETWEEN) {
        CALL_MCP_TOOL
    } else if name.starts_with(shell_tools::PREFIX) {
        RUN_SHELL_TOOL
    } else {
        return Wanted { operation: name.to_owned(), input: args.clone() };
    };
    Wanted { operation: operation.to_owned(), input: json!({ "tool": name, "arguments": args }) }
}

/// A refusal as the agent reads it.
#[must_use]
pub fn tool_error(error: &OpError) -> ToolOutcome {
    let json = serde_json::to_value(error).unwrap_or_else(|_| json!({})).to_string();
    ToolOutcome { json, is_error: true, refused: false, trust: error.trust, spill: None }
}
