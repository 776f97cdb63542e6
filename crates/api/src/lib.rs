//! The wire contract: how a host starts a station, calls its operations and listens to it, and the TypeScript form
//! of everything that crosses.

mod desk;
pub mod generated;
mod host_code;

use std::sync::Arc;

use runtime::error::{ErrorKind, OpError};
use serde::Serialize;
use serde_json::Value;
use station::Station;
use ts_rs::TS;

pub use desk::{
    DESK, DeskAct, DeskStatus, Looked, RememberedStation, RemoteLink, RemoteView, StopDelivery, StopDeliveryState,
};
pub use host_code::HostCode;
pub use runtime::audit::{Anchor, Broken, ChainCheck, Fault};
pub use runtime::clock::{Clock, ClockShift};
pub use runtime::config::Config;
#[cfg(feature = "failpoints")]
pub use runtime::crash::from_environment as crash_points_from_environment;
pub use runtime::event_bus::Frames;
pub use runtime::lock::lock;
pub use runtime::secrets::{KeyStore, SecretValue};
pub use runtime::session::{APP_WINDOW, Session};
pub use runtime::wire::{Fact, Frame, SafetyStatus, Signal, Stop, StopShortcut, Tag};
pub use station::fresh_token;
pub use station::operations::{Answer, Heeded, answers_picture, input_bytes_max, is_spoken, is_urgent};
pub use station::{Launched, SimulatorLauncher, SimulatorProcess, StartError};
pub use station::{OfferedTool, ServerAnswer, ServerFuture, ServerNews, ToolServer, ToolServers, Transport};

/// A running station, as hosts see it.
#[derive(Clone)]
pub struct Api {
    station: Arc<Station>,
}

/// A refusal on the wire.
#[derive(Debug, Clone, Serialize, TS, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ErrorBody {
    /// Stable code, snake_case; docs/errors.md lists all.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// Facts for a program, by name.
    #[ts(type = "Record<string, unknown>")]
    pub details: Value,
    #[serde(skip)]
    #[ts(skip)]
    status: u16,
}

impl ErrorBody {
    /// A refusal made by a host itself.
    #[must_use]
    pub fn new(code: HostCode, message: impl Into<String>) -> Self {
        OpError::new(code, message.into()).into()
    }

    /// The refusal that a station elsewhere has answered with this HTTP status.
    #[must_use]
    pub fn of_station(code: String, message: String, details: Value, status: u16) -> Self {
        Self { code, message, details, status }
    }

    /// The HTTP status that fits.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }
}

impl From<OpError> for ErrorBody {
    fn from(error: OpError) -> Self {
        let status = status(error.kind);
        Self { code: error.code.to_string(), message: error.message, details: error.details, status }
    }
}

/// The HTTP status of a kind of refusal.
const fn status(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::BadRequest => 400,
        ErrorKind::SignedOut => 401,
        ErrorKind::Forbidden => 403,
        ErrorKind::NotFound => 404,
        ErrorKind::BadMethod => 405,
        ErrorKind::TooSlow => 408,
        ErrorKind::Conflict => 409,
        ErrorKind::TooLarge => 413,
        ErrorKind::BadInput => 422,
        ErrorKind::TooOften => 429,
        ErrorKind::Internal => 500,
        ErrorKind::Unavailable => 503,
    }
}

/// Nesting depth of a request.
const DEPTH_MAX: usize = 64;

impl Api {
    /// Starts a station. Call it inside a multi-thread tokio runtime.
    pub async fn start(
        config: Config,
        launcher: Arc<dyn SimulatorLauncher>,
        tool_servers: Arc<dyn ToolServers>,
    ) -> Result<Self, StartError> {
        Ok(Self { station: Station::start(config, launcher, tool_servers).await? })
    }

    /// The same on another clock, which a test can set while the station runs.
    pub async fn start_with_clock(
        config: Config,
        launcher: Arc<dyn SimulatorLauncher>,
        tool_servers: Arc<dyn ToolServers>,
        clock: Clock,
    ) -> Result<Self, StartError> {
        Ok(Self { station: Station::start_with_clock(config, launcher, tool_servers, clock).await? })
    }

    /// Calls an operation.
    pub async fn call(&self, session: &Session, name: &str, input: Value) -> Result<Value, ErrorBody> {
        Ok(station::operations::dispatch(&self.station, session, name, input).await?)
    }

    /// Calls an operation that [`answers_picture`].
    pub async fn call_for_picture(&self, session: &Session, name: &str, input: Value) -> Result<Answer, ErrorBody> {
        Ok(station::operations::dispatch_picture(&self.station, session, name, input).await?)
    }

    /// Carries out the stop that the words of a call ask for, if [`is_spoken`], on the thread of words and before
    /// anything else is asked of the call. It begins at once, from whatever thread.
    pub fn heed(
        &self,
        session: &Session,
        name: &str,
        input: Value,
    ) -> impl Future<Output = Result<Heeded, ErrorBody>> + use<> {
        // Outside the async block: the search for a stop begins with the call, and not with its first poll.
        let heeding = station::operations::heed(&self.station, session, name, input);
        async move { Ok(heeding.await?) }
    }

    /// Calls an operation whose words have been heeded.
    pub async fn call_heeded(&self, session: &Session, name: &str, heeded: Heeded) -> Result<Value, ErrorBody> {
        Ok(station::operations::dispatch_heeded(&self.station, session, name, heeded).await?)
    }

    /// Carries out an operation that [`is_urgent`] on the thread of stops and gives the answer to `answered`
    /// there. Returns at once, from whatever thread.
    pub fn act_at_once(
        &self,
        session: &Session,
        name: &str,
        input: Value,
        answered: impl FnOnce(Result<Value, ErrorBody>) + Send + 'static,
    ) {
        let answered = |answer: Result<Value, OpError>| answered(answer.map_err(ErrorBody::from));
        station::operations::act_at_once(&self.station, session, name, input, answered);
    }

    /// The session of a token's bearer; none if it is no token of the station, or has expired.
    #[must_use]
    pub fn sign_in(&self, token: &str) -> Option<Session> {
        self.station.sign_in(token)
    }

    /// False for the session of a token that was revoked or has expired: its connections end.
    #[must_use]
    pub fn is_signed_in(&self, session: &Session) -> bool {
        self.station.is_signed_in(session)
    }

    /// The store of keys that outlive a run.
    #[must_use]
    pub fn key_store(&self) -> KeyStore {
        self.station.key_store()
    }

    /// Takes `secret` out of logs and of what is shown from now on.
    pub fn hide(&self, secret: &str) {
        self.station.hide(secret);
    }

    /// Raises the alarm that a host is flooded; `sentence` says with what and from where.
    pub fn note_flood(&self, sentence: String) {
        self.station.note_flood(sentence);
    }

    /// Puts a refusal that the host itself made on record; `by` is who asked, if that is known.
    pub fn note_refused(&self, by: Option<&Session>, operation: &str, error: &ErrorBody) {
        self.station.note_refused_by_host(by, operation, &error.code);
    }

    /// Opens a channel of frames. Call it inside a tokio runtime.
    #[must_use]
    pub fn subscribe(&self, session: &Session) -> Frames {
        self.station.subscribe(session)
    }

    /// Ends the station within 5 s.
    pub async fn shutdown(&self) {
        self.station.shutdown().await;
    }
}

/// Reads a request body; an empty one is an empty object. Keys that stand twice are refused: nobody knows which one
/// the sender meant.
pub fn parse_body(body: &[u8]) -> Result<Value, ErrorBody> {
    // An operation without input is called without a body.
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Object(Default::default()));
    }
    let bad = |message: String| ErrorBody::new(HostCode::BadJson, message);
    let strict: strict::Strict =
        serde_json::from_slice(body).map_err(|error| bad(format!("The body is no JSON: {error}.")))?;
    // `serde_json` stops at 128 levels, so the recursion that counts them is bounded.
    if depth(&strict.0) > DEPTH_MAX {
        return Err(bad(format!("The body is nested deeper than {DEPTH_MAX}.")));
    }
    Ok(strict.0)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

mod strict;

#[cfg(test)]
mod tests;
