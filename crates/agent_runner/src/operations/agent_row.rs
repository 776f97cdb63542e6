//! Rows about one agent.

use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ts_rs::TS;

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{Operation, Terms, row};
use runtime::session::Session;

/// A call of an operation about one agent.
pub struct AgentCall {
    /// The calling session.
    pub by: Session,
    /// The agent that it is about.
    pub agent: Arc<AgentUnit>,
}

/// A context in which the agents are found.
pub trait OfAgents: Send + Sync + 'static {
    /// The agents.
    fn runner(&self) -> &AgentRunner;
}

impl OfAgents for AgentRunner {
    fn runner(&self) -> &AgentRunner {
        self
    }
}

/// A row about one agent, which its handler is given: the caller itself, the one the call names, or the only one.
pub fn agent_row<S, I, O, H, F>(
    name: &'static str,
    terms: Terms,
    description: &'static str,
    handler: H,
) -> Operation<Arc<S>>
where
    S: OfAgents,
    I: DeserializeOwned + JsonSchema + Send + 'static,
    O: Serialize + JsonSchema + TS + 'static,
    H: Fn(Arc<S>, AgentCall, I) -> F + Send + Sync + Copy + 'static,
    F: Future<Output = Result<O, OpError>> + Send + 'static,
{
    let of_agent = move |context: Arc<S>, by: Session, input: I| async move {
        // Before the handler: no operation can be about an agent that is not named where there are several.
        let agent = context.runner().agents.meant_by(&by)?;
        handler(context, AgentCall { by, agent }, input).await
    };
    row(name, terms, description, of_agent).takes_agent()
}
