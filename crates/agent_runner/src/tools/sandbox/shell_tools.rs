//! Programs that an Admin declared: an absolute path, a template of arguments with typed holes, no shell.

use std::path::PathBuf;
use std::time::Duration;

use agent::{ToolOutput, ToolSpec};
use robot::Effect;
use serde_json::{Map, Value};

use runtime::config::template_params::{self, Hole};
use runtime::config::{ShellToolSettings, ShellTools};

use super::{Bounds, Cell, Purpose, Sandbox};
use crate::code::AgentCode;
use runtime::error::OpError;
use runtime::wire::ProgramEnded;

/// Prefix of the names of these tools.
pub(crate) const PREFIX: &str = "shell_";

/// Longest wait of the loop, milliseconds: as long as a program may take, and for its cell besides.
const TIMEOUT_MS: u32 = 35_000;

/// Their specs for the agent's loop. Every run is a proposal with the most care: nobody knows what a program does.
pub(crate) fn specs(tools: &ShellTools) -> Vec<ToolSpec> {
    let spec = |(name, tool): (&String, &ShellToolSettings)| {
        let schema = template_params::schema(&tool.holes);
        let spec = ToolSpec::new(&format!("{PREFIX}{name}"), &tool.description, schema, Effect::Irreversible);
        ToolSpec { output: ToolOutput::Text, timeout_ms: Some(TIMEOUT_MS), ..spec }
    };
    tools.iter().map(spec).collect()
}

/// Runs the tool called `name`.
pub(crate) async fn run(
    sandbox: &Sandbox,
    tools: &ShellTools,
    name: &str,
    given: &Map<String, Value>,
) -> Result<ProgramEnded, OpError> {
    let tool = name.strip_prefix(PREFIX).and_then(|name| tools.get(name));
    let tool = tool.ok_or_else(|| OpError::not_found(AgentCode::ToolNotFound, "shell tool", name))?;
    let filled = template_params::filled(&tool.holes, given)?;
    let arguments: Vec<String> =
        tool.arguments.iter().map(|template| template_params::fill(template, &filled)).collect();
    let readable: Vec<PathBuf> = tool
        .holes
        .values()
        .filter_map(|hole| match hole {
            Hole::PathUnder(root) => Some(root.clone()),
            Hole::Integer(_) | Hole::Enum(_) => None,
        })
        .collect();
    // The folder of a run is memory, and ends with it.
    let cell = Cell { purpose: Purpose::Run, work: None, readable: &readable, may_grow: true };
    let program = tool.program.display().to_string();
    let bounds = Bounds { time: Duration::from_secs(tool.time_s.into()), output_bytes: tool.output_bytes as usize };
    Ok(sandbox.run(&cell, &program, &arguments, bounds).await?.into())
}
