//! A reply that is being made, for servers that say text, thinking and calls.

use serde_json::Value;

use super::calls::{Calls, Fragment};
use crate::wire::markup::{MarkupPart, Spoken};
use crate::wire::{reply_of, usage};
use crate::{Caps, Delta, ModelError, Reply, Request, Sidecar, SidecarBlock, Stop, Usage};

/// A reply that is being made.
pub(in crate::wire) struct Answer {
    caps: Caps,
    input_tokens: u64,
    spoken: Spoken,
    thinking: String,
    calls: Calls,
    /// Makes the rest worthless.
    failure: Option<ModelError>,
}

impl Answer {
    /// Nothing yet, in answer to `request`.
    pub fn new(caps: Caps, request: &Request) -> Self {
        Self {
            input_tokens: usage::tokens_of(request),
            spoken: Spoken::new(&caps, request),
            thinking: String::new(),
            calls: Calls::new(request),
            failure: None,
            caps,
        }
    }

    pub const fn caps(&self) -> &Caps {
        &self.caps
    }

    pub const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// The first failure counts.
    pub fn fail(&mut self, error: ModelError) {
        // Later failures are mostly the consequence of the first.
        self.failure.get_or_insert(error);
    }

    pub fn text(&mut self, text: &str, deltas: &mut Vec<Delta>) {
        let heard = self.spoken.push(text);
        self.hear(heard, deltas);
    }

    fn hear(&mut self, heard: Vec<MarkupPart>, deltas: &mut Vec<Delta>) {
        for heard in heard {
            match heard {
                MarkupPart::Text(text) => deltas.push(Delta::Text(text)),
                MarkupPart::Thinking(text) => self.think(&text, deltas),
                MarkupPart::TakenBack(thought) => {
                    self.thinking.push_str(&thought);
                    self.repeat(deltas);
                }
            }
        }
    }

    pub fn think(&mut self, text: &str, deltas: &mut Vec<Delta>) {
        if !text.is_empty() {
            self.thinking.push_str(text);
            deltas.push(Delta::Thinking(text.to_owned()));
        }
    }

    pub fn call(&mut self, fragment: &Fragment<'_>, deltas: &mut Vec<Delta>) {
        self.calls.push(fragment, deltas);
    }

    /// The server says that this was all.
    pub fn end(&mut self, deltas: &mut Vec<Delta>) {
        // Calls in their own field win: printed ones would be the same calls once more.
        let (heard, printed) = self.spoken.end(!self.calls.is_empty());
        self.hear(heard, deltas);
        for call in printed {
            self.calls.push_whole(&call.name, &call.args_raw, deltas);
        }
        self.calls.end(deltas);
    }

    /// The whole reply. `stop` maps to an end by tools if there are calls.
    ///
    /// # Errors
    /// Something has failed before.
    pub fn finish(
        self,
        stop: Stop,
        usage_raw: Value,
        usage: Option<Usage>,
        id: Option<String>,
    ) -> Result<Reply, ModelError> {
        if let Some(error) = self.failure {
            return Err(ModelError { usage, ..error });
        }
        let text = self.spoken.shown();
        let mut own = Vec::new();
        own.extend((!self.thinking.is_empty()).then_some(SidecarBlock::Thinking { s: self.thinking, sig: None }));
        own.extend((!text.is_empty()).then_some(SidecarBlock::Text { s: text, sig: None }));
        let is_without_calls = self.calls.is_empty();
        let calls_left_out = self.calls.left_out();
        own.extend(self.calls.into_blocks());
        let usage = usage.unwrap_or_else(|| usage::estimated(self.input_tokens, &own));
        let sidecar = Sidecar {
            provider: self.caps.provider,
            api: self.caps.api,
            model: self.caps.name,
            base: self.caps.base,
            response_id: id,
            // Some servers end a reply by tools although it holds no call.
            stop: if stop == Stop::ToolUse && is_without_calls { Stop::End } else { stop },
            usage_raw,
            blocks: own,
            calls_left_out,
        };
        Ok(reply_of(sidecar, usage))
    }

    /// Says everything but words once more: those so far were something else.
    fn repeat(&self, deltas: &mut Vec<Delta>) {
        deltas.push(Delta::Restart);
        if !self.thinking.is_empty() {
            deltas.push(Delta::Thinking(self.thinking.clone()));
        }
        self.calls.repeat(deltas);
    }
}
