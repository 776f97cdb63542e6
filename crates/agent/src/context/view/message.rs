//! The messages of a request, from the entries that are shown.

use std::collections::HashMap;
use std::sync::Arc;

use llm::{Block, CallId, RequestMessage, Sidecar, SidecarBlock, Speaker};
use robot::{Origin, Trust};
use serde_json::{Value, json};

use super::{Frame, NudgeWay, is_prefix_bound, thinking_from};
use crate::context::mask::{Answered, masked};
use crate::context::visible::VisibleEntries;
use crate::conversation::entry::print_origin;
use crate::{Entry, EntryKind, Transcript, VolatilePlace};

/// Stands before every summary.
const SUMMARY_TITLE: &str = "[Previous conversation summary]";
/// Stands before state inside a user's message.
const TURN_CONTEXT_TITLE: &str = "[Turn context]";

/// Makes messages of one transcript for one model.
pub(super) struct Rendering<'a> {
    shown: VisibleEntries<'a>,
    frame: &'a Frame,
    place: VolatilePlace,
    nudges: NudgeWay,
    /// Thinking of older entries is left out.
    thinking_from: u64,
}

impl<'a> Rendering<'a> {
    pub fn new(transcript: &'a Transcript, frame: &'a Frame) -> Self {
        let place = match frame.policy.volatile {
            // A system text that changes from turn to turn would lose the thinking that is bound to it.
            VolatilePlace::System if is_prefix_bound(&frame.caps) => VolatilePlace::BeforeUser,
            place @ (VolatilePlace::System
            | VolatilePlace::BeforeUser
            | VolatilePlace::InsideUser
            | VolatilePlace::Nowhere) => place,
        };
        let nudges = NudgeWay::of(&frame.policy, &frame.caps);
        Self { shown: VisibleEntries::of(transcript), frame, place, nudges, thinking_from: thinking_from(transcript) }
    }

    /// State of the newest turn that stands in the system text; untrusted words never do.
    pub fn in_system(&self) -> Option<String> {
        if self.place != VolatilePlace::System {
            return None;
        }
        let entries = &self.shown.entries;
        let user = entries.iter().rposition(|entry| entry.kind == EntryKind::User)?;
        let state = entries[user + 1..].iter().take_while(|entry| entry.kind == EntryKind::Volatile);
        let texts: Vec<&str> =
            state.flat_map(|entry| &entry.blocks).filter(|block| !is_untrusted(block)).filter_map(words).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    pub fn messages(&self) -> Vec<RequestMessage> {
        let mut messages = Vec::with_capacity(self.shown.entries.len());
        let mut rest = self.shown.entries.as_slice();
        while let Some((entry, after)) = rest.split_first() {
            rest = after;
            match entry.kind {
                EntryKind::User => {
                    let state = rest.iter().take_while(|entry| entry.kind == EntryKind::Volatile).count();
                    let (state, after) = rest.split_at(state);
                    self.with_state(entry, state, &mut messages);
                    rest = after;
                }
                EntryKind::Volatile => messages.push(of_entry(Speaker::User, entry, self.quoted(entry))),
                EntryKind::Nudge => messages.push(of_entry(self.nudges.speaker(), entry, entry.blocks.clone())),
                EntryKind::Summary(_) => messages.push(self.summary(entry)),
                EntryKind::Assistant => {
                    let end = rest.iter().take_while(|entry| entry.kind == EntryKind::ToolResult).count();
                    let (results, after) = rest.split_at(end);
                    self.reply(entry, results, &mut messages);
                    rest = after;
                }
                // A result that follows no reply answers nothing that is shown.
                EntryKind::ToolResult | EntryKind::Marker(_) => {}
            }
        }
        messages
    }

    /// A user's message and the state that was gathered for it. The state stands before the words, so that they are the
    /// newest.
    fn with_state(&self, entry: &Entry, state: &[&Entry], messages: &mut Vec<RequestMessage>) {
        match self.place {
            VolatilePlace::BeforeUser => {
                messages.extend(state.iter().map(|state| of_entry(Speaker::User, state, self.quoted(state))));
            }
            VolatilePlace::InsideUser if !state.is_empty() => {
                let title = Block::Text { text: TURN_CONTEXT_TITLE.to_owned(), trust: Trust::Trusted };
                let state = state.iter().flat_map(|state| self.quoted(state));
                let blocks = std::iter::once(title).chain(state).chain(entry.blocks.iter().cloned());
                messages.push(of_entry(Speaker::User, entry, blocks.collect()));
                return;
            }
            VolatilePlace::System => {
                for state in state {
                    // The typed part already stands in the system text, where untrusted words never stand.
                    let mut blocks = self.quoted(state);
                    blocks.retain(is_untrusted);
                    if !blocks.is_empty() {
                        messages.push(of_entry(Speaker::User, state, blocks));
                    }
                }
            }
            VolatilePlace::InsideUser | VolatilePlace::Nowhere => {}
        }
        // Words that a hook has put in place of a person's are untrusted (decision 0079), so they are quoted.
        let is_of_hook = matches!(entry.origin, Origin::Tool(_));
        let words = if is_of_hook { self.quoted(entry) } else { entry.blocks.clone() };
        messages.push(of_entry(Speaker::User, entry, words));
    }

    /// The blocks of state, the untrusted ones between lines that they cannot imitate.
    fn quoted(&self, entry: &Entry) -> Vec<Block> {
        let quoted = entry.blocks.iter().map(|block| match block {
            Block::Text { text, trust: Trust::Text } => {
                let text = self.frame.quote_key.quoted(entry.id, &print_origin(&entry.origin), text);
                Block::Text { text, trust: Trust::Text }
            }
            Block::Text { .. } | Block::Call { .. } | Block::Result { .. } => block.clone(),
        });
        quoted.collect()
    }

    fn summary(&self, entry: &Entry) -> RequestMessage {
        let title = Block::Text { text: SUMMARY_TITLE.to_owned(), trust: Trust::Trusted };
        of_entry(Speaker::User, entry, std::iter::once(title).chain(self.quoted(entry)).collect())
    }

    /// A reply and the first result of each of its calls, in their order; a call without one was interrupted.
    fn reply(&self, entry: &Entry, results: &[&Entry], messages: &mut Vec<RequestMessage>) {
        // Signatures and ids of one model mean nothing to another, and some providers refuse them.
        let sidecar = entry.sidecar.as_ref().filter(|sidecar| sidecar.is_of(&self.frame.caps));
        let ids = self.ids(entry, sidecar.map(AsRef::as_ref));
        let id_of = |id: &CallId| ids.get(id).cloned().unwrap_or_else(|| id.clone());
        let blocks: Vec<Block> = entry.blocks.iter().map(|block| with_id(block, &id_of)).collect();
        let sidecar = sidecar.map(|sidecar| self.with_thinking_of(entry, sidecar));
        // An empty message is one that providers refuse.
        if blocks.is_empty() && sidecar.is_none() {
            return;
        }
        messages.push(RequestMessage { sidecar, ..of_entry(Speaker::Assistant, entry, blocks) });
        for block in &entry.blocks {
            let Block::Call { id, name, args_raw } = block else { continue };
            let is_its =
                |entry: &&&Entry| matches!(entry.blocks.first(), Some(Block::Result { call, .. }) if call == id);
            let message = results.iter().find(is_its).and_then(|result| {
                let policy = &self.frame.policy;
                let block =
                    masked(result, Answered { name, args_raw }, self.shown.mask, policy, &self.frame.data_bearing)?;
                Some(of_entry(Speaker::User, result, vec![with_id(&block, &id_of)]))
            });
            // Providers refuse a call without a result, so one that was left open by a crash gets an error.
            messages.push(message.unwrap_or_else(|| interrupted(id_of(id), name)));
        }
    }

    /// The id of each call of a reply as its provider knows it: the loop gives another one to a call whose id was there
    /// before.
    fn ids(&self, entry: &Entry, sidecar: Option<&Sidecar>) -> HashMap<CallId, CallId> {
        let own = entry.blocks.iter().filter_map(|block| match block {
            Block::Call { id, .. } => Some(id),
            Block::Text { .. } | Block::Result { .. } => None,
        });
        let mut made = sidecar.into_iter().flat_map(|sidecar| &sidecar.blocks).filter_map(|block| match block {
            SidecarBlock::Call { id, .. } => Some(id.clone()),
            SidecarBlock::Text { .. }
            | SidecarBlock::Thinking { .. }
            | SidecarBlock::Redacted { .. }
            | SidecarBlock::Item { .. } => None,
        });
        own.map(|id| (id.clone(), made.next().unwrap_or_else(|| id.clone()))).collect()
    }

    /// The reply as its provider gave it, without thinking that is older than the epoch.
    fn with_thinking_of(&self, entry: &Entry, sidecar: &Arc<Sidecar>) -> Arc<Sidecar> {
        if entry.id >= self.thinking_from || !sidecar.blocks.iter().any(is_thinking) {
            return Arc::clone(sidecar);
        }
        let mut sidecar = Sidecar::clone(sidecar);
        // Thinking from before an edit no longer fits what stands before it, and its provider may refuse it.
        sidecar.blocks.retain(|block| !is_thinking(block));
        Arc::new(sidecar)
    }
}

/// A text of the loop's own.
pub(super) fn of_loop(speaker: Speaker, entry: Option<u64>, text: &str) -> RequestMessage {
    let blocks = vec![Block::Text { text: text.to_owned(), trust: Trust::Trusted }];
    RequestMessage { speaker, origin: Origin::System, entry, sidecar: None, blocks }
}

fn of_entry(speaker: Speaker, entry: &Entry, blocks: Vec<Block>) -> RequestMessage {
    RequestMessage { speaker, origin: entry.origin.clone(), entry: Some(entry.id), blocks, sidecar: None }
}

fn is_thinking(block: &SidecarBlock) -> bool {
    match block {
        SidecarBlock::Thinking { .. } | SidecarBlock::Redacted { .. } => true,
        SidecarBlock::Item { raw } => raw.get("type").and_then(Value::as_str) == Some("reasoning"),
        SidecarBlock::Text { .. } | SidecarBlock::Call { .. } => false,
    }
}

/// A block with the id that the model gets, and arguments that are a JSON object whatever was written.
fn with_id(block: &Block, id_of: &impl Fn(&CallId) -> CallId) -> Block {
    match block {
        Block::Text { .. } => block.clone(),
        Block::Call { id, name, args_raw } => {
            // Providers take only an object here; that the arguments were wrong stands in the result of the
            // call.
            let is_object = matches!(serde_json::from_str(args_raw), Ok(Value::Object(_)));
            let args_raw = if is_object { args_raw.clone() } else { "{}".to_owned() };
            Block::Call { id: id_of(id), name: name.clone(), args_raw }
        }
        Block::Result { call, json, is_error, trust } => {
            Block::Result { call: id_of(call), json: json.clone(), is_error: *is_error, trust: *trust }
        }
    }
}

fn interrupted(call: CallId, name: &str) -> RequestMessage {
    let json = json!({ "code": "interrupted", "message": "interrupted, not known if it ran" }).to_string();
    RequestMessage {
        speaker: Speaker::User,
        origin: Origin::Tool(name.to_owned()),
        entry: None,
        sidecar: None,
        blocks: vec![Block::Result { call, json, is_error: true, trust: Trust::Trusted }],
    }
}

fn is_untrusted(block: &Block) -> bool {
    matches!(block, Block::Text { trust: Trust::Text, .. })
}

fn words(block: &Block) -> Option<&str> {
    match block {
        Block::Text { text, .. } => Some(text),
        Block::Call { .. } | Block::Result { .. } => None,
    }
}
