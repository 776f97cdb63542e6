//! The `[mcp.<server>]` parts of `config.toml`: MCP servers, and the tools that an Admin allowed of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use robot::Effect;
use serde::Deserialize;

/// Servers of a station.
const SERVERS_MAX: usize = 16;
/// Bytes of a server's name: with `__` and a tool's name it stays within what providers take.
const SERVER_BYTES_MAX: usize = 20;
/// Arguments of a command.
const COMMAND_MAX: usize = 64;
/// Folders of a program.
const FOLDERS_MAX: usize = 4;
/// Tools of all servers that may be pinned.
const PINS_MAX: usize = 128;
/// Folders that hold more than a program.
const NO_PROGRAM_FOLDERS: [&str; 6] = ["/", "/etc", "/home", "/root", "/var", "/tmp"];

/// The servers by name.
pub type Servers = BTreeMap<String, ServerSettings>;

/// One server: a program that speaks on its pipes, or an address.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerSettings {
    /// The program, an absolute path, and its arguments.
    pub command: Vec<String>,
    /// Folders outside the system's own that the program needs; it may read them and nothing else.
    pub program_folders: Vec<PathBuf>,
    /// Wishes for the network of this machine; such a program is not started.
    pub network: bool,
    /// An https address, or one on this machine.
    pub url: Option<String>,
    /// True if its own hints tell the effect of its tools, where no person has declared one.
    pub trusted: bool,
    /// The allowed tools, by the tool's own name.
    pub pins: BTreeMap<String, Pin>,
}

/// A tool as a person allowed it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// SHA-256 of `form`, hex.
    pub hash: String,
    /// The effect of a call; unknown if left out, and then each call asks.
    pub effect: Option<Effect>,
    /// Canonical JSON of its name, description, input schema and annotations.
    pub form: String,
}

impl ServerSettings {
    /// True if the same program or address answers under both.
    #[must_use]
    pub fn is_same_server(&self, other: &Self) -> bool {
        let of = |server: &Self| {
            let Self { command, program_folders, network, url, .. } = server.clone();
            (command, program_folders, network, url)
        };
        of(self) == of(other)
    }
}

/// Refuses what could not be carried out as it stands; says the key and what was expected.
pub fn check(servers: &Servers) -> Result<(), String> {
    if servers.len() > SERVERS_MAX {
        return Err(format!("mcp: at most {SERVERS_MAX} servers"));
    }
    if servers.values().map(|server| server.pins.len()).sum::<usize>() > PINS_MAX {
        return Err(format!("mcp: at most {PINS_MAX} pinned tools"));
    }
    servers.iter().try_for_each(|(id, server)| {
        check_id(id).and_then(|()| server.check()).map_err(|error| format!("mcp.{id}: {error}"))
    })
}

impl ServerSettings {
    fn check(&self) -> Result<(), String> {
        match (self.command.first(), &self.url) {
            (Some(program), None) => self.check_program(program)?,
            (None, Some(url)) => check_url(url)?,
            (Some(_), Some(_)) | (None, None) => return Err("expected either command or url".to_owned()),
        }
        for (tool, pin) in &self.pins {
            if pin.effect == Some(Effect::Actuate) {
                return Err(format!("pins.{tool}.effect: nothing but this station moves robots"));
            }
        }
        Ok(())
    }

    fn check_program(&self, program: &str) -> Result<(), String> {
        if !Path::new(program).is_absolute() {
            return Err("command: expected an absolute path".to_owned());
        }
        if self.command.len() > COMMAND_MAX || self.command.iter().any(|part| part.contains('\0')) {
            return Err(format!("command: expected at most {COMMAND_MAX} parts without NUL"));
        }
        if self.program_folders.len() > FOLDERS_MAX {
            return Err(format!("program_folders: at most {FOLDERS_MAX}"));
        }
        let is_fit = |folder: &PathBuf| {
            folder.is_absolute() && !NO_PROGRAM_FOLDERS.iter().any(|other| folder.as_path() == Path::new(other))
        };
        match self.program_folders.iter().find(|folder| !is_fit(folder)) {
            Some(folder) => Err(format!("program_folders: {} is no program's own folder", folder.display())),
            None => Ok(()),
        }
    }
}

fn check_id(id: &str) -> Result<(), String> {
    let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let begins = id.starts_with(|c: char| c.is_ascii_lowercase());
    // The name of a server's tool must differ from every operation's and shell tool's name.
    if begins && id.len() <= SERVER_BYTES_MAX && id.chars().all(is_fit) && !id.contains("__") && !id.ends_with('_') {
        return Ok(());
    }
    Err(format!("a server's name is a letter and up to {} of a to z, 0 to 9, - and single _", SERVER_BYTES_MAX - 1))
}

fn check_url(url: &str) -> Result<(), String> {
    let is_near = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        .iter()
        // The host has to end there: `http://localhost.example` is another computer.
        .any(|near| url.strip_prefix(near).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])));
    // In front of `@` stands a user, and the host that counts is behind it.
    let has_user = url.split('/').nth(2).is_some_and(|host| host.contains('@'));
    if (url.starts_with("https://") || is_near) && !has_user {
        return Ok(());
    }
    Err("url: expected https, or http on this machine".to_owned())
}
