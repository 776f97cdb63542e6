//! Events: things that happened and need no answer.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Operation;
use crate::Station;
use runtime::error::OpError;
use runtime::events::EVENTS_MAX;
use runtime::operation::{Terms, UI_MCP, row};
use runtime::session::Session;
use runtime::wire::EventRow;

/// Events `list_events` gives if no limit is named.
const EVENTS_DEFAULT: usize = 100;

pub(super) fn rows() -> Vec<Operation> {
    let terms = Terms(Role::Viewer, Effect::Read, UI_MCP, Trust::Text);
    vec![row("list_events", terms, "Events that need no answer, the newest first.", list_events)]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListEvents {
    /// Only those before the event with this `seq`: the next page.
    after: Option<u64>,
    /// At most so many, 1 to 1,000; 100 if left out.
    limit: Option<usize>,
}

async fn list_events(station: Arc<Station>, by: Session, input: ListEvents) -> Result<Vec<EventRow>, OpError> {
    let limit = input.limit.unwrap_or(EVENTS_DEFAULT);
    if !(1..=EVENTS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, EVENTS_MAX));
    }
    Ok(station.runtime.bus.events().rows(input.after, limit, by.sees()))
}
