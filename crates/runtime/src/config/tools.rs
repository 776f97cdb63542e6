//! Settings of `config.toml` for tools that are not operations: MCP servers, declared programs, the sandbox, hooks, and
//! permissions to call tools.

use super::hooks::HookSettings;
use super::permissions::{self, PermissionRule};
use super::sandbox::{SandboxSettings, ShellTools, check_shell_tools};
use super::{hooks, mcp};

/// The `[mcp]`, `[sandbox]`, `[shell_tools]`, `[[hooks]]` and `[[permissions]]` parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolSettings {
    /// The `[mcp]` part.
    pub mcp: mcp::Servers,
    /// The `[sandbox]` part.
    pub sandbox: SandboxSettings,
    /// The `[shell_tools]` part.
    pub shell_tools: ShellTools,
    /// The `[[hooks]]` parts.
    pub hooks: Vec<HookSettings>,
    /// The `[[permissions]]` parts.
    pub permissions: Vec<PermissionRule>,
}

impl ToolSettings {
    /// Refuses what could not be carried out as it stands; says the key and what was expected.
    pub fn check(&self) -> Result<(), String> {
        mcp::check(&self.mcp)?;
        self.sandbox.check()?;
        hooks::check(&self.hooks)?;
        permissions::check(&self.permissions)?;
        check_shell_tools(&self.shell_tools)
    }
}
