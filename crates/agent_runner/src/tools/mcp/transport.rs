//! Connections to external MCP servers. The protocol is the host's: here is what the station asks of it.

use std::fs::File;
use std::pin::Pin;
use std::process::Command;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::offer::OfferedTool;

/// Answer of a server, under way; an error is a sentence.
pub type ServerFuture<T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send>>;

/// Connector to MCP servers; the host hands it in at start.
pub trait ToolServers: Send + Sync {
    /// Connects to one. What it has to say by itself goes to `news`; what went wrong is a sentence.
    fn connect(&self, transport: Transport, news: mpsc::Sender<ServerNews>) -> ServerFuture<Arc<dyn ToolServer>>;
}

/// A server that answers. Dropping it ends its program.
pub trait ToolServer: Send + Sync {
    /// The process that all others of its program descend from; none if no program of this machine was started for it.
    fn process(&self) -> Option<u32>;

    /// Its tools, at most `tools_max`.
    fn list(&self, tools_max: usize) -> ServerFuture<Vec<OfferedTool>>;

    /// Calls one of them by its own name.
    fn call(&self, tool: String, arguments: Map<String, Value>) -> ServerFuture<ServerAnswer>;
}

/// Place of a server: a program to start, or an address.
#[derive(Debug)]
pub enum Transport {
    /// A program that speaks on its pipes, in a cell.
    Program {
        /// Starts it.
        command: Command,
        /// Inherited by it: to be kept until it runs.
        filter: File,
    },
    /// An address.
    Address(String),
}

/// News that a server sends without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerNews {
    /// Its tools may be others now.
    ToolsChanged,
    /// It is gone.
    Gone,
}

/// Answer of a server to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerAnswer {
    /// Its words; what is no text is named.
    pub text: String,
    /// The same as data, if the server says so.
    pub structured: Option<Value>,
    /// True if the server says that the call failed.
    pub is_error: bool,
}
