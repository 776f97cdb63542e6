//! The `[[permissions]]` of `config.toml`: decisions on calls of tools, made beforehand by people.

use agent::Permission;
use robot::{AgentId, MissionId};
use serde::Deserialize;

/// Rules of a station.
const RULES_MAX: usize = 256;
/// Bytes of a tool's name.
const TOOL_BYTES_MAX: usize = 64;

/// One rule: of the site, or of a person for one agent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermissionRule {
    /// The tool's name; `*` at the end stands for any rest.
    pub tool: String,
    /// The decision on a call.
    pub verdict: Permission,
    /// The agent it is for; every agent if left out.
    pub agent: Option<AgentId>,
    /// The mission whose standing approvals bound the agent, in mode `run:<mission>`; at all times if left out.
    pub mission: Option<MissionId>,
}

/// Refuses rules that no tool could ever match; says what was expected.
pub fn check(rules: &[PermissionRule]) -> Result<(), String> {
    if rules.len() > RULES_MAX {
        return Err(format!("permissions: at most {RULES_MAX} rules"));
    }
    rules.iter().try_for_each(|rule| check_tool_pattern(&rule.tool).map_err(|error| format!("permissions: {error}")))
}

/// Refuses a text that is no tool's name, nor the beginning of one.
pub fn check_tool_pattern(tool: &str) -> Result<(), String> {
    let name = tool.strip_suffix('*').unwrap_or(tool);
    let is_fit = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !tool.is_empty() && tool.len() <= TOOL_BYTES_MAX && name.chars().all(is_fit) {
        return Ok(());
    }
    Err(format!("{tool:?} is no tool's name, nor the beginning of one with * behind it"))
}
