//! The request a transcript stands for. Within an epoch it only grows at its end, and it is legal whatever the
//! transcript holds: every call has exactly one result, right after it.

use std::sync::Arc;

use llm::{Block, CallId, MarkWish, Request, RequestMessage, SessionId, Speaker, ThinkingWish, ToolChoice, ToolDecl};
use robot::{Origin, Trust};

use crate::{Entry, EntryKind, Transcript};

/// What stays the same in every request of an epoch.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub session: SessionId,
    pub system: Vec<String>,
    pub tools: Arc<[ToolDecl]>,
    pub output_max: u32,
}

/// What differs from one call to the next.
#[derive(Debug, Clone)]
pub(crate) struct CallForm {
    pub choice: ToolChoice,
    /// Some models call tools although they were told not to; the last try leaves the tools out.
    pub with_tools: bool,
    /// Hints for this call only: they are in no transcript and in no other request.
    pub nudges: Vec<String>,
}

/// Renders `transcript` for one call.
pub(crate) fn view(transcript: &Transcript, frame: &Frame, form: &CallForm) -> Request {
    let mut messages = messages(transcript.entries());
    let transient_from = (!form.nudges.is_empty()).then_some(messages.len());
    messages.extend(form.nudges.iter().map(|nudge| RequestMessage {
        speaker: Speaker::User,
        origin: Origin::System,
        entry: None,
        sidecar: None,
        blocks: vec![Block::Text { text: nudge.clone(), trust: Trust::Trusted }],
    }));
    Request {
        session: frame.session.clone(),
        epoch: transcript.epoch(),
        system: frame.system.clone(),
        tools: if form.with_tools { Arc::clone(&frame.tools) } else { Arc::new([]) },
        messages,
        choice: form.choice.clone(),
        output_max: frame.output_max,
        thinking: ThinkingWish::Own,
        sampling: None,
        marks: MarkWish::default(),
        drop_blocks: false,
        transient_from,
    }
}

fn messages(entries: &[Entry]) -> Vec<RequestMessage> {
    let shown: Vec<&Entry> = entries.iter().filter(|entry| is_shown(entry)).collect();
    let mut messages = Vec::with_capacity(shown.len());
    let mut rest = shown.as_slice();
    while let Some((entry, after)) = rest.split_first() {
        rest = after;
        match entry.kind {
            EntryKind::User => {
                // The state of the world stands before the words it was gathered for.
                if let Some((context, after)) = rest.split_first()
                    && context.kind == EntryKind::Volatile
                {
                    messages.push(message(Speaker::User, context));
                    rest = after;
                }
                messages.push(message(Speaker::User, entry));
            }
            EntryKind::Volatile => messages.push(message(Speaker::User, entry)),
            EntryKind::Assistant => {
                messages.push(message(Speaker::Assistant, entry));
                let end = rest.iter().take_while(|entry| entry.kind == EntryKind::ToolResult).count();
                let (results, after) = rest.split_at(end);
                messages.extend(results_of(entry, results));
                rest = after;
            }
            // A result that follows no reply answers nothing that is shown.
            EntryKind::ToolResult | EntryKind::Nudge | EntryKind::Summary(_) | EntryKind::Marker(_) => {}
        }
    }
    messages
}

fn is_shown(entry: &Entry) -> bool {
    !matches!(entry.kind, EntryKind::Marker(_)) && !entry.blocks.is_empty()
}

fn message(speaker: Speaker, entry: &Entry) -> RequestMessage {
    RequestMessage {
        speaker,
        origin: entry.origin.clone(),
        entry: Some(entry.id),
        blocks: entry.blocks.clone(),
        sidecar: None,
    }
}

/// The first result of each call of `reply`, in the order of the calls; a call without one was interrupted.
fn results_of(reply: &Entry, results: &[&Entry]) -> Vec<RequestMessage> {
    let result_of = |id: &CallId| {
        results.iter().find(|entry| matches!(entry.blocks.first(), Some(Block::Result { call, .. }) if call == id))
    };
    reply
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Call { id, name, .. } => {
                Some(result_of(id).map_or_else(|| interrupted(id, name), |entry| message(Speaker::User, entry)))
            }
            Block::Text { .. } | Block::Result { .. } => None,
        })
        .collect()
}

fn interrupted(id: &CallId, name: &str) -> RequestMessage {
    let json = serde_json::json!({ "code": "interrupted", "message": "interrupted, not known if it ran" });
    RequestMessage {
        speaker: Speaker::User,
        origin: Origin::Tool(name.to_owned()),
        entry: None,
        sidecar: None,
        blocks: vec![Block::Result { call: id.clone(), json: json.to_string(), is_error: true, trust: Trust::Trusted }],
    }
}

#[cfg(test)]
mod tests;
