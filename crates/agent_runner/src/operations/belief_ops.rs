//! Beliefs: what is held to be true for longer.

use std::sync::Arc;

use agent::Careful;
use memory::belief::{BeliefError, BeliefState, Kind, KindName, KindParams, Statement};
use robot::{Effect, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use world::Key;

use super::{AgentCall, FORGET_REASON_CHARS_MAX, Operation, agent_row};
use crate::operation_names::{FORGET_BELIEF, UPDATE_BELIEF};
use crate::recall::beliefs::{Assertion, Listing, Named, Span};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Terms, UI, UI_MCP, given_within};
use runtime::wire::{BeliefForgotten, BeliefFound, BeliefHistory, BeliefRow, BeliefUpdated};

/// Rows `list_beliefs` gives if no limit is named.
const ROWS_DEFAULT: usize = 100;
/// Rows it gives at most.
const ROWS_MAX: usize = 1_000;
/// Rows of a history if no limit is named.
const POINTS_DEFAULT: u32 = 1_000;
/// Rows of a history at most: as many as a belief keeps.
const POINTS_MAX: u32 = 10_000;
/// The shortest half-life, seconds.
const HALF_LIFE_SECS_MIN: i64 = 60;
/// The longest half-life, seconds: ten years.
const HALF_LIFE_SECS_MAX: i64 = 3_650 * 86_400;
/// The longest pin, seconds: a year.
const PIN_SECS_MAX: i64 = 366 * 86_400;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Irreversible, Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        agent_row(
            UPDATE_BELIEF,
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Says what is held to be true, and how sure that is.",
            update_belief,
        )
        .in_missions()
        .example(json!({"subject": "door", "predicate": "state", "value": "open", "confidence": 0.9}))
        .core()
        .own_words()
        .careful(Careful::Reviewed),
        agent_row("get_belief", Terms(Viewer, Read, ALL, Trust::Trusted), "Beliefs about a subject.", get_belief)
            .in_missions()
            .example(json!({"subject": "door", "predicate": "state"})),
        agent_row(
            "list_beliefs",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "Beliefs, by subject and predicate.",
            list_beliefs,
        )
        .in_missions(),
        agent_row(
            "belief_history",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Changes of a belief over time, each with its reason.",
            belief_history,
        )
        .in_missions()
        .example(json!({"subject": "door", "predicate": "state"})),
        agent_row(
            "confirm_belief",
            Terms(Operator, Write, UI, Trust::Text),
            "Says that a belief is right.",
            confirm_belief,
        )
        .example(json!({"id": "belief-4"})),
        agent_row(
            "pin_belief",
            Terms(Operator, Write, UI, Trust::Text),
            "Keeps a belief from decaying for a time.",
            pin_belief,
        )
        .example(json!({"id": "belief-4"})),
        agent_row(
            FORGET_BELIEF,
            Terms(Admin, Irreversible, UI_MCP, Trust::Text),
            "Erases a belief with its history.",
            forget_belief,
        )
        .example(json!({"id": "belief-4", "reason": "It was a mistake."})),
    ]
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateBelief {
    /// The subject of the belief, 1 to 128 characters.
    subject: String,
    /// The property of the subject, 1 to 128 characters.
    predicate: String,
    /// The value held to be true, at most 1,024 characters.
    value: String,
    /// 0 to 1. May be left out to confirm what is held already.
    confidence: Option<f64>,
    /// A label.
    source: Option<String>,
    /// Words for people, at most 2,000 characters.
    notes: Option<String>,
    /// The way in which values are compared; inferred from the value if left out.
    kind: Option<KindName>,
    /// Tolerances of a number, or the words of an enum.
    kind_params: Option<KindParams>,
    /// The time in which confidence halves, 60 s to ten years; 14 days if left out.
    half_life_secs: Option<i64>,
    /// The world key that confirms or contradicts it; by default the one its own names make.
    observes: Option<String>,
}

async fn update_belief(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: UpdateBelief,
) -> Result<BeliefUpdated, OpError> {
    // Before its fields are moved out: a review replays the input as it came.
    let as_written = json!(input);
    let kind = match (input.kind, &input.kind_params) {
        (Some(kind), params) => Some(Kind::new(kind, params.as_ref())?),
        (None, Some(_)) => return Err(invalid("kind_params", "it belongs to a kind, which is missing").into()),
        (None, None) => None,
    };
    let half_life_secs = in_range("half_life_secs", input.half_life_secs, HALF_LIFE_SECS_MIN, HALF_LIFE_SECS_MAX)?;
    let observes = input.observes.as_deref().map(Key::new).transpose();
    let said = Statement {
        value: input.value,
        confidence: input.confidence,
        source: input.source,
        notes: input.notes,
        kind,
        half_life_ms: half_life_secs.map(|secs| secs * 1_000),
        observes: observes.map_err(|error| invalid("observes", error.to_string()))?,
    };
    let assertion = Assertion { subject: input.subject, predicate: input.predicate, said };
    if by.is_tainted() {
        return agent.beliefs.put_before_a_person(&runner.runtime, &agent.reviews, &by, &assertion, as_written).await;
    }
    agent.beliefs.update(&runner.runtime, &by, assertion).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetBelief {
    /// The subject of the belief.
    subject: String,
    /// The property of the subject; all if left out.
    predicate: Option<String>,
}

async fn get_belief(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: GetBelief,
) -> Result<BeliefFound, OpError> {
    let beliefs = &agent.beliefs;
    let now_ms = runner.runtime.clock.now().wall_ms;
    match input.predicate {
        Some(predicate) => {
            let belief = beliefs.find(&Named::Names(input.subject, predicate))?;
            Ok(BeliefFound::One(Box::new(crate::recall::beliefs::row(&belief, now_ms))))
        }
        None => Ok(BeliefFound::Several(beliefs.about(&input.subject, now_ms)?)),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListBeliefs {
    /// Only those about this.
    subject: Option<String>,
    /// Only those with this text in subject, predicate or value.
    query: Option<String>,
    /// Only those in this state; faded ones are listed only when asked for.
    state: Option<BeliefState>,
    /// Only those that something happened to since, Unix seconds.
    changed_since: Option<i64>,
    /// At most so many, 1 to 1,000.
    limit: Option<usize>,
    /// The id of the last one of the page before.
    after: Option<String>,
}

async fn list_beliefs(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ListBeliefs,
) -> Result<Vec<BeliefRow>, OpError> {
    let limit = in_range("limit", input.limit, 1, ROWS_MAX)?.unwrap_or(ROWS_DEFAULT);
    let beliefs = &agent.beliefs;
    let listing = Listing {
        subject: input.subject,
        query: input.query,
        state: input.state,
        changed_since_ms: input.changed_since.map(|secs| secs.saturating_mul(1_000)),
        after: input.after,
        limit,
    };
    beliefs.list(&listing, runner.runtime.clock.now().wall_ms)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct History {
    /// The belief, or its subject and predicate.
    id: Option<String>,
    /// The subject of the belief.
    subject: Option<String>,
    /// The property of the subject.
    predicate: Option<String>,
    /// From then on, Unix seconds.
    from: Option<i64>,
    /// Until then, Unix seconds.
    to: Option<i64>,
    /// At most so many rows, the newest ones, 1 to 10,000.
    max_points: Option<u32>,
}

async fn belief_history(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: History,
) -> Result<BeliefHistory, OpError> {
    let points = in_range("max_points", input.max_points, 1, POINTS_MAX)?.unwrap_or(POINTS_DEFAULT);
    let named = match (input.id, input.subject, input.predicate) {
        (Some(id), None, None) => Named::Id(id),
        (None, Some(subject), Some(predicate)) => Named::Names(subject, predicate),
        _ => {
            return Err(OpError::bad_input(
                SharedCode::InvalidInput,
                "id",
                "Give either id, or subject and predicate.",
            ));
        }
    };
    let ms = |secs: i64| secs.saturating_mul(1_000);
    // The second that is asked for belongs to it whole.
    let span = Span { from_ms: input.from.map(ms), to_ms: input.to.map(|to| ms(to).saturating_add(999)), points };
    agent.beliefs.history(&named, &span, runner.runtime.clock.now().wall_ms).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConfirmBelief {
    /// `belief-<uuid>`.
    id: String,
}

async fn confirm_belief(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: ConfirmBelief,
) -> Result<BeliefRow, OpError> {
    agent.beliefs.confirm(&runner.runtime, &by, input.id).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PinBelief {
    /// `belief-<uuid>`.
    id: String,
    /// Until when, Unix seconds, at most a year ahead; null lets it decay again.
    until: Option<i64>,
}

async fn pin_belief(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: PinBelief,
) -> Result<BeliefRow, OpError> {
    let now_s = runner.runtime.clock.now().unix_s();
    let until = in_range("until", input.until, now_s.saturating_add(1), now_s.saturating_add(PIN_SECS_MAX))?;
    agent.beliefs.pin(&runner.runtime, &by, input.id, until.map(|secs| secs * 1_000)).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForgetBelief {
    /// `belief-<uuid>`.
    id: String,
    /// The reason, 1 to 200 characters; it stays in the audit.
    reason: String,
}

async fn forget_belief(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: ForgetBelief,
) -> Result<BeliefForgotten, OpError> {
    agent.beliefs.forget(&runner.runtime, &by, input.id, given_within(&input.reason, FORGET_REASON_CHARS_MAX)?).await
}

fn in_range<T: PartialOrd + Copy + std::fmt::Display + serde::Serialize>(
    field: &str,
    given: Option<T>,
    min: T,
    max: T,
) -> Result<Option<T>, OpError> {
    match given {
        Some(value) if !(min <= value && value <= max) => Err(OpError::out_of_range(field, min, max)),
        Some(_) | None => Ok(given),
    }
}

fn invalid(field: &'static str, message: impl Into<String>) -> BeliefError {
    BeliefError { field, message: message.into() }
}
