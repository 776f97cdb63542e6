//! What `config.toml` says of tools that are not operations: servers, declared programs, the sandbox.

use crate::mcp;
use crate::sandbox::{SandboxSettings, ShellTools, check_shell_tools};

/// The `[mcp]`, `[sandbox]` and `[shell_tools]` parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToolSettings {
    pub mcp: mcp::Servers,
    pub sandbox: SandboxSettings,
    pub shell_tools: ShellTools,
}

impl ToolSettings {
    /// Refuses what could not be carried out as it stands; says the key and what was expected.
    pub fn check(&self) -> Result<(), String> {
        mcp::check(&self.mcp)?;
        self.sandbox.check()?;
        check_shell_tools(&self.shell_tools)
    }
}
