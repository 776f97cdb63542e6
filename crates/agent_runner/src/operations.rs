//! Operations on agents: what is said to them, what they know, and what they work with.

mod agent_ops;
mod agent_row;
mod alert_ops;
mod belief_ops;
mod context_ops;
mod fetch;
mod job_ops;
mod mcp_ops;
mod memory_ops;
mod model_ops;
mod note_ops;
mod output_ops;
mod provider_ops;
mod room_ops;
mod sandbox_ops;
mod secret_ops;
mod session_ops;
mod turn_ops;
mod world_ops;

pub use agent_row::{AgentCall, OfAgents, agent_row};
pub(crate) use note_ops::REMEMBER_NOTE;

use std::sync::Arc;

use crate::runner::AgentRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::operation;
use runtime::session::Session;

/// An operation on agents.
pub type Operation = operation::Operation<Arc<AgentRunner>>;

/// Makes the rows of an area.
pub type Rows = fn() -> Vec<Operation>;

/// Every area by its title, in the order of the reference.
pub const AREAS: [(&str, Rows); 17] = [
    ("World", world_ops::rows),
    ("Contexts", context_ops::rows),
    ("Alert rules", alert_ops::rows),
    ("Agents", agent_ops::rows),
    ("Conversations", session_ops::rows),
    ("Turns", turn_ops::rows),
    ("Rooms", room_ops::rows),
    ("Jobs", job_ops::rows),
    ("Memory", memory_ops::rows),
    ("Beliefs", belief_ops::rows),
    ("Notes and reviews", note_ops::rows),
    ("Tool outputs", output_ops::rows),
    ("Sandbox", sandbox_ops::rows),
    ("External MCP servers", mcp_ops::rows),
    ("Models and budgets", model_ops::rows),
    ("Model providers", provider_ops::rows),
    ("Keys", secret_ops::rows),
];

/// The longest reason to forget something, in characters: it stays in the audit whole.
const FORGET_REASON_CHARS_MAX: usize = 200;

/// Refuses what an agent wants carried out without a person's word.
fn only_let_by_a_person(by: &Session) -> Result<(), OpError> {
    if by.is_agent() {
        return Err(OpError::new(RuntimeCode::Forbidden, "A person lets each such call happen."));
    }
    Ok(())
}
