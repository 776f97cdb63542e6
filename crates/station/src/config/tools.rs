//! What `config.toml` says of tools that are not operations: servers, declared programs, the sandbox, of hooks, and
//! of leave to call tools.

use super::permissions::{self, PermissionRule};
use crate::hooks::{self, HookSettings};
use crate::mcp;
use crate::sandbox::{SandboxSettings, ShellTools, check_shell_tools};

/// The `[mcp]`, `[sandbox]`, `[shell_tools]`, `[[hooks]]` and `[[permissions]]` parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToolSettings {
    pub mcp: mcp::Servers,
    pub sandbox: SandboxSettings,
    pub shell_tools: ShellTools,
    pub hooks: Vec<HookSettings>,
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
