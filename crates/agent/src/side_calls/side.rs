//! Calls beside the conversation: no tools, no history, one text in and a short one out.

use std::sync::Arc;

use llm::{Block, Caps, MarkWish, Request, RequestMessage, Sampling, Speaker, ThinkingWish, ToolChoice};
use robot::{ConversationId, Origin, Trust};

use crate::Ratio;

/// Parts of a side call.
#[derive(Debug, Clone)]
pub(crate) struct SideCall<'a> {
    pub session: &'a ConversationId,
    pub caps: &'a Caps,
    pub temperature: Option<Ratio>,
    pub output_max: u32,
    pub system: String,
    pub text: String,
    pub trust: Trust,
}

impl SideCall<'_> {
    pub fn request(self) -> Request {
        let message = RequestMessage {
            speaker: Speaker::User,
            origin: Origin::System,
            entry: None,
            blocks: vec![Block::Text { text: self.text, trust: self.trust }],
            sidecar: None,
        };
        Request {
            session: self.session.clone(),
            epoch: 0,
            system: vec![self.system],
            tools: Arc::new([]),
            messages: vec![message],
            choice: ToolChoice::Auto,
            output_max: self.output_max.min(self.caps.output_max),
            thinking: ThinkingWish::Off,
            sampling: sampling(self.caps, self.temperature),
            marks: MarkWish::default(),
            drop_blocks: false,
            transient_from: None,
        }
    }
}

/// The wish for a temperature, if the model takes one.
pub(crate) fn sampling(caps: &Caps, temperature: Option<Ratio>) -> Option<Sampling> {
    #[expect(clippy::cast_possible_truncation, reason = "a temperature has four decimals")]
    temperature.filter(|_| caps.sampling).map(|ratio| Sampling { temperature: ratio.value() as f32 })
}
