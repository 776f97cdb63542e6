//! Tells a model's own text from untrusted text that it repeats.

use crate::{Block, Request};
use robot::Trust;

/// All untrusted text of a request.
#[derive(Debug, Default)]
pub(super) struct Untrusted {
    /// Without white space and escapes: a model repeats text, not its layout.
    texts: Vec<String>,
}

impl Untrusted {
    pub fn of(request: &Request) -> Self {
        let blocks = request.messages.iter().flat_map(|message| &message.blocks);
        let texts = blocks.filter_map(|block| match block {
            Block::Text { text, trust: Trust::Text } | Block::Result { json: text, trust: Trust::Text, .. } => {
                Some(bare(text))
            }
            Block::Text { trust: Trust::Trusted | Trust::Typed, .. }
            | Block::Result { trust: Trust::Trusted | Trust::Typed, .. }
            | Block::Call { .. } => None,
        });
        Self { texts: texts.collect() }
    }

    /// True if untrusted text holds `call`, an object that reads like a call.
    pub fn holds(&self, call: &str) -> bool {
        let call = bare(call);
        self.texts.iter().any(|text| text.contains(&call))
    }
}

/// `\u003c` and the like never hide a brace or a quote, which is what a call is made of.
fn bare(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != '\\').collect()
}
