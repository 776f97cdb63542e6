//! The conversations of an agent: their list, what was said in them, and beginning anew.

use std::sync::Arc;

use robot::{ConversationId, Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::code::AgentCode;
use crate::conversations::{ExportForm, exported};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{Nothing, Terms, UI};
use runtime::wire::{SessionExport, SessionRow, SessionsFound, SetAsideDone, SummaryEdited, Tag, TranscriptPage};

/// Entries `get_transcript` gives if no limit is named.
const ENTRIES_DEFAULT: usize = 200;
/// Entries it gives at most.
const ENTRIES_MAX: usize = 2_000;
/// Matches `search_sessions` gives if no limit is named.
const HITS_DEFAULT: usize = 50;
/// Matches it gives at most.
const HITS_MAX: usize = 200;
/// Characters of what is searched for.
const QUERY_CHARS_MAX: usize = 200;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        agent_row(
            "list_sessions",
            Terms(Viewer, Read, UI, Trust::Text),
            "The conversations, the newest first.",
            list_sessions,
        ),
        agent_row(
            "new_session",
            Terms(Operator, Write, UI, Trust::Text),
            "Begins a further conversation.",
            new_session,
        ),
        agent_row(
            "reset_session",
            Terms(Operator, Write, UI, Trust::Text),
            "Begins a conversation anew; its file stays.",
            reset_session,
        )
        .example(json!({"session": "chat-1"})),
        agent_row(
            "set_aside_untrusted",
            Terms(Operator, Write, UI, Trust::Text),
            "Sets untrusted text, and what was written under it, aside: no model is shown it again.",
            set_aside_untrusted,
        )
        .example(json!({"session": "chat-1"})),
        agent_row(
            "edit_summary",
            Terms(Operator, Write, UI, Trust::Text),
            "Puts other words in the place of a summary.",
            edit_summary,
        )
        .example(json!({"entry": 12, "text": "The gripper was changed on arm-1."})),
        agent_row(
            "pin_session",
            Terms(Operator, Write, UI, Trust::Text),
            "Keeps a conversation at the top.",
            pin_session,
        )
        .example(json!({"session": "chat-1", "on": true})),
        agent_row("search_sessions", Terms(Viewer, Read, UI, Trust::Text), "Finds what was said.", search_sessions)
            .example(json!({"query": "gripper"})),
        agent_row(
            "export_session",
            Terms(Viewer, Read, UI, Trust::Text),
            "A whole conversation as one file.",
            export_session,
        )
        .example(json!({"session": "chat-1", "form": "markdown"})),
        agent_row(
            "get_transcript",
            Terms(Viewer, Read, UI, Trust::Text),
            "Entries of a conversation, oldest first.",
            get_transcript,
        ),
    ]
}

async fn list_sessions(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    _: Nothing,
) -> Result<Vec<SessionRow>, OpError> {
    Ok(agent.turns.session_rows())
}

async fn new_session(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    _: Nothing,
) -> Result<SessionRow, OpError> {
    let made = agent.turns.conversations.make().await?;
    runner.runtime.bus.changed(Tag::Transcript);
    Ok(made)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneSession {
    /// The conversation.
    session: ConversationId,
}

async fn reset_session(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OneSession,
) -> Result<SessionRow, OpError> {
    agent.turns.reset_session(&runner, &agent, &input.session).await
}

async fn set_aside_untrusted(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OneSession,
) -> Result<SetAsideDone, OpError> {
    agent.turns.set_aside(&runner, &input.session).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditSummary {
    /// The conversation; the desk's first one if left out.
    session: Option<ConversationId>,
    /// The entry that holds the summary; the newest one, which is shown.
    entry: u64,
    /// The new summary, 1 to 32,000 characters.
    text: String,
}

async fn edit_summary(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: EditSummary,
) -> Result<SummaryEdited, OpError> {
    let desk = &agent.turns;
    desk.edit_summary(&runner, &by, &input.session.unwrap_or_else(|| desk.session()), input.entry, &input.text).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PinSession {
    /// The conversation.
    session: ConversationId,
    /// True keeps it at the top of the list, false lets it go.
    on: bool,
}

async fn pin_session(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: PinSession,
) -> Result<SessionRow, OpError> {
    agent.turns.conversations.pin(&agent.db, &input.session, input.on).await?;
    runner.runtime.bus.changed(Tag::Transcript);
    Ok(agent.turns.session_row(&input.session))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchSessions {
    /// Words that an entry must hold, all of them; 1 to 200 characters.
    query: String,
    /// At most so many matches, 1 to 200.
    limit: Option<usize>,
}

async fn search_sessions(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: SearchSessions,
) -> Result<SessionsFound, OpError> {
    let limit = within("limit", input.limit.unwrap_or(HITS_DEFAULT), HITS_MAX)?;
    if input.query.trim().is_empty() {
        return Err(OpError::bad_input(AgentCode::EmptyQuery, "query", "The query holds no word."));
    }
    within("query", input.query.chars().count(), QUERY_CHARS_MAX)?;
    Ok(agent.turns.conversations.search(&input.query, limit, runner.runtime.clock).await?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportSession {
    /// The conversation.
    session: ConversationId,
    /// `json` or `markdown`.
    form: ExportForm,
}

async fn export_session(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ExportSession,
) -> Result<SessionExport, OpError> {
    let conversation = agent.turns.conversations.get(&input.session).await?;
    // Copied out, so that the turn that writes does not wait for the export.
    let lines = conversation.lines().clone();
    Ok(exported(&input.session, &lines, input.form))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetTranscript {
    /// The conversation; the desk's first one if left out.
    session: Option<ConversationId>,
    /// Only entries after this one.
    after: Option<u64>,
    /// At most so many, the newest ones, 1 to 2,000.
    limit: Option<usize>,
}

async fn get_transcript(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: GetTranscript,
) -> Result<TranscriptPage, OpError> {
    let limit = within("limit", input.limit.unwrap_or(ENTRIES_DEFAULT), ENTRIES_MAX)?;
    agent.turns.transcript(input.session.as_ref(), input.after, limit).await
}

/// Refuses a number outside 1 to `max`.
fn within(field: &str, number: usize, max: usize) -> Result<usize, OpError> {
    if (1..=max).contains(&number) {
        return Ok(number);
    }
    Err(OpError::out_of_range(field, 1, max))
}
