//! The `[[hooks]]` of `config.toml`.

use std::path::{Path, PathBuf};

use agent::Hook;
use serde::Deserialize;

use crate::config::check_tool_pattern;

/// Hooks of a station.
const HOOKS_MAX: usize = 32;
/// Arguments of a program, itself included.
const RUN_MAX: usize = 32;
/// Bytes of one of them.
const ARGUMENT_BYTES_MAX: usize = 4_096;
/// Tools that one hook names.
const TOOLS_MAX: usize = 64;
/// Seconds that a hook may take.
const TIMEOUT_S_MAX: u32 = 30;
/// Seconds that it may take if nothing is said.
const TIMEOUT_S: u32 = 5;
/// Folders that every cell has.
const IN_EVERY_CELL: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// One hook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookSettings {
    /// The point at which it is asked.
    pub on: Hook,
    /// The program, an absolute path, and its arguments.
    pub run: Vec<String>,
    /// The tools it is asked about, `*` at the end of a name for any rest; all if left out.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Seconds it may take.
    #[serde(default = "timeout_s")]
    pub timeout_secs: u32,
}

impl HookSettings {
    /// The program.
    pub fn program(&self) -> &str {
        self.run.first().map_or("", String::as_str)
    }

    /// The tools it is asked about.
    pub fn tools(&self) -> Vec<String> {
        if self.tools.is_empty() { vec!["*".to_owned()] } else { self.tools.clone() }
    }

    /// Files that the program needs and that no cell has of itself: those among its arguments, itself included.
    pub fn files(&self) -> Vec<PathBuf> {
        let paths = self.run.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
        paths.filter(|path| !IN_EVERY_CELL.iter().any(|folder| path.starts_with(folder))).collect()
    }

    /// Refuses what could not be carried out as it stands.
    fn check(&self) -> Result<(), String> {
        if !Path::new(self.program()).is_absolute() {
            return Err("run: expected the absolute path of a program, and its arguments".to_owned());
        }
        let is_fit = |argument: &String| argument.len() <= ARGUMENT_BYTES_MAX && !argument.contains('\0');
        if self.run.len() > RUN_MAX || !self.run.iter().all(is_fit) {
            return Err(format!("run: at most {RUN_MAX} arguments of {ARGUMENT_BYTES_MAX} bytes, without NUL"));
        }
        if !(1..=TIMEOUT_S_MAX).contains(&self.timeout_secs) {
            return Err(format!("timeout_secs = {}: expected 1 to {TIMEOUT_S_MAX}", self.timeout_secs));
        }
        if !self.tools.is_empty() && !self.on.is_of_tools() {
            return Err(format!("tools: {} is about no tool", self.on));
        }
        if self.tools.len() > TOOLS_MAX {
            return Err(format!("tools: at most {TOOLS_MAX}"));
        }
        self.tools.iter().try_for_each(|tool| check_tool_pattern(tool).map_err(|error| format!("tools: {error}")))
    }
}

/// Refuses hooks that could not be asked; says which, the key, and what was expected.
pub fn check(hooks: &[HookSettings]) -> Result<(), String> {
    if hooks.len() > HOOKS_MAX {
        return Err(format!("hooks: at most {HOOKS_MAX}"));
    }
    hooks.iter().zip(1..).try_for_each(|(hook, number)| {
        hook.check().map_err(|error| format!("hooks: number {number}, on {}: {error}", hook.on))
    })
}

fn timeout_s() -> u32 {
    TIMEOUT_S
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn parse(rest: &str) -> Result<Vec<HookSettings>, String> {
        Settings::parse(&format!("[[hooks]]\n{rest}")).map(|settings| settings.tools.hooks)
    }

    #[test]
    fn t_39_a_hook_is_a_point_and_a_program() {
        let hooks = parse("on = \"tool:before\"\nrun = [\"/bin/sh\", \"-c\", \"cat\"]\ntools = [\"send_*\"]").unwrap();
        let [hook] = hooks.as_slice() else { panic!("{hooks:?}") };
        assert_eq!((hook.on, hook.program(), hook.timeout_secs), (Hook::ToolBefore, "/bin/sh", 5));
        assert_eq!((hook.tools(), hook.files()), (vec!["send_*".to_owned()], Vec::new()));
        let all = parse("on = \"session:start\"\nrun = [\"/bin/true\"]").unwrap();
        assert_eq!(all[0].tools(), ["*"]);
    }

    #[test]
    fn t_39_a_hook_that_could_not_be_asked_is_refused_at_start() {
        for (text, expected) in [
            (
                "on = \"tool:befor\"\nrun = [\"/bin/true\"]",
                "hooks: on = \"tool:befor\": expected one of message:receive",
            ),
            ("on = \"tool:before\"", "missing field `run`"),
            ("on = \"tool:before\"\nrun = []", "number 1, on tool:before: run: expected the absolute path"),
            ("on = \"tool:before\"\nrun = [\"true\"]", "run: expected the absolute path"),
            ("on = \"tool:before\"\nrun = [\"/bin/true\"]\ntimeout_secs = 31", "timeout_secs = 31: expected 1 to 30"),
            ("on = \"tool:before\"\nrun = [\"/bin/true\"]\ntimeout_secs = 0", "expected 1 to 30"),
            ("on = \"tool:before\"\nrun = [\"/bin/true\"]\ntools = [\"a b\"]", "tools: \"a b\" is no tool's name"),
            ("on = \"message:receive\"\nrun = [\"/bin/true\"]\ntools = [\"a\"]", "message:receive is about no tool"),
            ("on = \"tool:before\"\nrun = [\"/bin/true\"]\nallow = true", "unknown field `allow`"),
        ] {
            let refused = parse(text).unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }
}
