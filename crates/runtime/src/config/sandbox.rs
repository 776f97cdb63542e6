//! The `[sandbox]` and `[shell_tools.<name>]` parts of `config.toml`.

mod interpreters;
pub mod template_params;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use robot::AgentId;
use serde::Deserialize;

use self::template_params::{Hole, Holes};

/// The source of the inputs of verdicts.
pub const RECORDINGS: &str = "recordings";
/// The source of the history of a world key.
pub const WORLD_HISTORY: &str = "world_history";
/// Sources, and shell tools.
const DECLARED_MAX: usize = 64;
/// Bytes of a name.
const NAME_BYTES_MAX: usize = 40;
/// Seconds a shell tool may take at most.
const TIME_S_MAX: u32 = 30;
/// Bytes of its output that are kept at most.
const OUTPUT_BYTES_MAX: u32 = 64 * 1024;
/// Bytes of a file that a source gives, unless it says less.
const SOURCE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The investigation sandbox: the agents that have one, and the sources that may be fetched into it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxSettings {
    /// The agents that have it.
    pub agents: BTreeSet<AgentId>,
    /// True if the inputs of verdicts may be fetched, as the source `recordings`.
    pub recordings: bool,
    /// True if the history of a key may be fetched, as the source `world_history`.
    pub world_history: bool,
    /// The other sources that may be fetched, by name.
    pub sources: BTreeMap<String, SourceSettings>,
}

/// One source: an address with holes, or files below a folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSettings {
    /// Description of the content, for the model.
    #[serde(default)]
    pub description: String,
    /// An https address.
    pub url: Option<String>,
    /// Values that the address leaves open.
    #[serde(default)]
    pub holes: Holes,
    /// The folder of files; the parameter `path` names one.
    pub files_under: Option<PathBuf>,
    /// Pattern of the files, `*` for any part of a name and `**` for any path; all if left out.
    pub glob: Option<String>,
    /// Bytes of one fetch at most.
    #[serde(default = "source_bytes_max")]
    pub bytes_max: u64,
}

/// One declared program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellToolSettings {
    /// Description of the program, for the model.
    pub description: String,
    /// An absolute path.
    pub program: PathBuf,
    /// Each is one argument, holes included.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Values that the arguments leave open.
    #[serde(default)]
    pub holes: Holes,
    /// Seconds it may take.
    #[serde(default = "time_s")]
    pub time_s: u32,
    /// Bytes of its output that are kept.
    #[serde(default = "output_bytes")]
    pub output_bytes: u32,
}

impl SandboxSettings {
    /// Refuses what could not be carried out as it stands; says the key and what was expected.
    pub fn check(&self) -> Result<(), String> {
        check_count("sandbox.sources", self.sources.len())?;
        for (name, source) in &self.sources {
            let checked = check_name(name).and_then(|()| match name.as_str() {
                RECORDINGS | WORLD_HISTORY => Err("this name is the station's own".to_owned()),
                _ => source.check(),
            });
            checked.map_err(|error| format!("sandbox.sources.{name}: {error}"))?;
        }
        Ok(())
    }
}

impl SourceSettings {
    fn check(&self) -> Result<(), String> {
        if !(1..=SOURCE_BYTES_MAX).contains(&self.bytes_max) {
            return Err(format!("bytes_max = {}: expected 1 to {SOURCE_BYTES_MAX}", self.bytes_max));
        }
        match (&self.url, &self.files_under) {
            (Some(url), None) if !url.starts_with("https://") => Err("url: expected https".to_owned()),
            (Some(url), None) => {
                let host = url["https://".len()..].split('/').next().unwrap_or_default();
                if host.contains('{') {
                    return Err("url: a hole in the host could name any computer".to_owned());
                }
                if self.holes.values().any(|hole| matches!(hole, Hole::PathUnder(_))) {
                    return Err("holes: an address has no path_under".to_owned());
                }
                template_params::check([url.as_str()], &self.holes)
            }
            (None, Some(root)) if !root.is_absolute() => Err("files_under: not absolute".to_owned()),
            (None, Some(_)) if !self.holes.is_empty() => Err("holes: files have none but path".to_owned()),
            (None, Some(_)) => Ok(()),
            (Some(_), Some(_)) | (None, None) => Err("expected either url or files_under".to_owned()),
        }
    }
}

impl ShellToolSettings {
    /// Refuses what could not be carried out as it stands.
    fn check(&self) -> Result<(), String> {
        if !self.program.is_absolute() {
            return Err("program: expected an absolute path".to_owned());
        }
        if !(1..=TIME_S_MAX).contains(&self.time_s) {
            return Err(format!("time_s = {}: expected 1 to {TIME_S_MAX}", self.time_s));
        }
        if !(1..=OUTPUT_BYTES_MAX).contains(&self.output_bytes) {
            return Err(format!("output_bytes = {}: expected 1 to {OUTPUT_BYTES_MAX}", self.output_bytes));
        }
        template_params::check(self.arguments.iter().map(String::as_str), &self.holes)?;
        interpreters::check(&self.program, &self.arguments)
    }
}

/// The declared programs by name.
pub type ShellTools = BTreeMap<String, ShellToolSettings>;

/// The `[shell_tools]` part; says the key and what was expected.
pub fn check_shell_tools(tools: &ShellTools) -> Result<(), String> {
    check_count("shell_tools", tools.len())?;
    tools.iter().try_for_each(|(name, tool)| {
        check_name(name).and_then(|()| tool.check()).map_err(|error| format!("shell_tools.{name}: {error}"))
    })
}

fn check_count(key: &str, count: usize) -> Result<(), String> {
    if count > DECLARED_MAX { Err(format!("{key}: at most {DECLARED_MAX}")) } else { Ok(()) }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.chars().all(is_fit) && !name.contains("__") {
        return Ok(());
    }
    Err(format!("a name is 1 to {NAME_BYTES_MAX} of a to z, 0 to 9 and single _"))
}

fn source_bytes_max() -> u64 {
    SOURCE_BYTES_MAX
}

fn time_s() -> u32 {
    TIME_S_MAX
}

fn output_bytes() -> u32 {
    OUTPUT_BYTES_MAX
}
