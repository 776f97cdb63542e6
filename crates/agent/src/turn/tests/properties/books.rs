//! A station that keeps the books which no turn may contradict.

use llm::{Request, RequestMessage, Speaker};

use super::*;

/// Requests to the station so far.
#[derive(Default)]
pub(super) struct Books {
    /// Calls of the newest reply, in order, that have not been dispatched.
    order: Vec<CallId>,
    pub open: Vec<ToolCall>,
    /// Calls that hooks are asked about.
    pub hooked: Vec<ToolCall>,
    pub requests: Vec<Request>,
    pub sides: Vec<Purpose>,
    pub usage: Usage,
    pub told: Usage,
    pub ends: Vec<Outcome>,
    pub is_visible: bool,
    /// For each compaction, true if it freed something.
    pub gains: Vec<bool>,
    pub appended: Vec<crate::Entry>,
}

impl Books {
    /// I-12, I-17: every call is dispatched once, and what moves something in the order of the reply.
    fn dispatch(&mut self, call: &ToolCall) {
        if call.id.0.starts_with("flush-") {
            return;
        }
        let at = self.order.iter().position(|id| *id == call.id);
        let at = at.unwrap_or_else(|| panic!("{call:?} is out of order or runs twice"));
        let is_motion = admit::actuates(call.effect) && !call.name.starts_with("stop");
        // Before a motion comes all that stands before it; an ask and a call that runs beside it may change places.
        let from = if is_motion { 0 } else { at };
        let dispatched = self.order.drain(from..=at);
        drop(dispatched);
        self.open.push(call.clone());
    }

    pub fn enter(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Call { purpose: Purpose::Main, request } => {
                    assert!(self.open.is_empty(), "the model is called while {:?} is open", self.open);
                    assert_legal(request);
                    self.requests.push(request.clone());
                }
                Effect::Call { purpose, request } => {
                    assert_legal(request);
                    self.sides.push(*purpose);
                }
                Effect::PrefixBroken { at } => panic!("E-09: the past was edited at byte {at}"),
                Effect::Hook(call) => {
                    assert!(!call.name.starts_with("stop"), "a stop waits for a hook: {call:?}");
                    self.hooked.push(call.clone());
                }
                Effect::Run(wave) => self.run(wave),
                Effect::Ask { call, .. } => {
                    let alone = self.open.is_empty();
                    assert!(!admit::actuates(call.effect) || alone, "{call:?} is asked beside {:?}", self.open);
                    self.dispatch(call);
                }
                Effect::Append { entry, .. } => self.append(entry),
                Effect::Emit(event) => self.hear(event),
                Effect::Warm(request) => assert_legal(request),
                Effect::End(outcome) => self.ends.push(*outcome),
                Effect::Prefetch { .. } | Effect::Wake { .. } | Effect::Abort => {}
            }
        }
    }

    fn run(&mut self, wave: &[ToolCall]) {
        for call in wave {
            let is_stop = call.name.starts_with("stop");
            let alone = wave.len() == 1 && self.open.is_empty();
            assert!(!admit::actuates(call.effect) || alone, "{call:?} does not run alone");
            assert!(!admit::actuates(call.effect) || is_stop, "{call:?} runs without a decision");
        }
        wave.iter().for_each(|call| self.dispatch(call));
    }

    fn append(&mut self, entry: &crate::Entry) {
        if entry.kind == EntryKind::Assistant {
            self.order = calls_of(entry);
        }
        let line = serde_json::to_string(entry).unwrap();
        let is_hint = line.contains("[Hint]") || line.contains("[Budget]");
        // A hint that stays may be summarised later; one that is taken back is in no entry.
        let may_hold = matches!(entry.kind, EntryKind::Nudge | EntryKind::Summary(_));
        assert!(!is_hint || may_hold, "a hint is on disk: {line}");
        self.appended.push(entry.clone());
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::CallEnded { call, .. } => {
                self.open.retain(|open| open.id != *call);
                self.hooked.retain(|hooked| hooked.id != *call);
            }
            Event::Usage { usage, .. } => self.usage.add(usage),
            Event::TurnEnded { usage, .. } => self.told = *usage,
            Event::Delivered { .. } => self.is_visible = true,
            Event::Compacted { before, after } => self.gains.push(after < before),
            Event::TurnStarted { .. }
            | Event::Routed { .. }
            | Event::Context { .. }
            | Event::TextDelta { .. }
            | Event::ThinkingDelta { .. }
            | Event::CallStarted { .. }
            | Event::Asked { .. }
            | Event::CallProgress { .. }
            | Event::Nudge { .. }
            | Event::Warn { .. }
            | Event::EpochChanged { .. }
            | Event::Restart { .. }
            | Event::Dropped { .. }
            | Event::ModelFailed { .. }
            | Event::Ignored { .. } => {}
        }
    }

    pub fn count(&self, purpose: Purpose) -> u32 {
        u32::try_from(self.sides.iter().filter(|side| **side == purpose).count()).unwrap()
    }
}

fn calls_of(entry: &crate::Entry) -> Vec<CallId> {
    entry
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Call { id, .. } => Some(id.clone()),
            Block::Text { .. } | Block::Result { .. } => None,
        })
        .collect()
}

/// I-01: each call has exactly one result, right after it, in order.
fn assert_legal(request: &Request) {
    let mut due: Vec<CallId> = Vec::new();
    let mut seen: Vec<CallId> = Vec::new();
    for message in &request.messages {
        for block in &message.blocks {
            match block {
                Block::Result { call, .. } => {
                    assert!(!due.is_empty() && due.remove(0) == *call, "result of {call} is out of place");
                }
                Block::Call { id, .. } => {
                    assert!(!seen.contains(id), "call id {id} twice");
                    seen.push(id.clone());
                    due.push(id.clone());
                }
                Block::Text { .. } => {
                    let in_reply = message.speaker == Speaker::Assistant;
                    assert!(in_reply || due.is_empty(), "words before the results of {due:?}");
                }
            }
        }
    }
    assert!(due.is_empty(), "no result of {due:?}");
}

/// I-02, I-06: within an epoch the older request is the beginning of the newer one, transient tails apart.
pub(super) fn assert_grows(older: &Request, newer: &Request) {
    let bare = older.tools.is_empty() || newer.tools.is_empty();
    assert!(bare || older.tools == newer.tools, "the tool list changed");
    if older.epoch != newer.epoch {
        return;
    }
    let stable = |request: &Request| -> Vec<RequestMessage> {
        let end = request.transient_from.unwrap_or(request.messages.len());
        request.messages[..end].to_vec()
    };
    let (older, newer) = (stable(older), stable(newer));
    let differs = older.iter().zip(&newer).position(|(older, newer)| older != newer);
    assert!(differs.is_none() && older.len() <= newer.len(), "the past was edited at {differs:?}: {:?}", newer.len());
}
