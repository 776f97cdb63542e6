//! Rows about one agent.

use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ts_rs::TS;

use super::Operation;
use crate::agents::AgentUnit;
use crate::station::Station;
use runtime::error::OpError;
use runtime::operation::{Terms, row};
use runtime::session::Session;

/// A call of an operation about one agent.
pub(super) struct AgentCall {
    /// The calling session.
    pub by: Session,
    /// The agent that it is about.
    pub agent: Arc<AgentUnit>,
}

/// A row about one agent, which its handler is given: the caller itself, the one the call names, or the only one.
pub(super) fn agent_row<I, O, H, F>(
    name: &'static str,
    terms: Terms,
    description: &'static str,
    handler: H,
) -> Operation
where
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
    H: Fn(Arc<Station>, AgentCall, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let of_agent = move |station: Arc<Station>, by: Session, input: I| async move {
        let agent = station.agents.meant_by(&by)?;
        handler(station, AgentCall { by, agent }, input).await
    };
    row(name, terms, description, of_agent).takes_agent()
}
