//! The headless host: the same station with no screen. HTTP for operations, a WebSocket for frames, the window's files.

mod auth;
mod certificate;
mod events;
mod http;
mod listener;
mod log;
mod mcp_client;
mod service;
mod simulator;
mod terminal;
mod verify_audit;
mod window;

pub use auth::Gatekeeper;
pub use certificate::{Certificate, make_certificate};
pub use listener::HttpListener;
pub use log::{end_log, start_log};
pub use mcp_client::McpClient;
pub use service::{Service, install};
pub use simulator::SiblingSimulator;
pub use terminal::{Terminal, credentials, stop_all};
pub use verify_audit::verify_audit;

/// The state that every route needs.
#[derive(Clone)]
pub struct Host {
    /// The station.
    pub api: api::Api,
    /// Checks of tokens, host names and request rates.
    pub gatekeeper: std::sync::Arc<Gatekeeper>,
}
