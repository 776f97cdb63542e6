//! How many tokens a text is, for servers that do not say.

use crate::{Block, Request};

/// Tokens of so many bytes, at 3.5 bytes a token.
pub(crate) const fn tokens(bytes: usize) -> u64 {
    (bytes as u64).saturating_mul(2).div_ceil(7)
}

/// Tokens of all that a model reads for `request`.
pub(crate) fn input_tokens(request: &Request) -> u64 {
    let system: usize = request.system.iter().map(String::len).sum();
    let schema_bytes = |schema: &serde_json::Value| schema.to_string().len();
    let tools = request.tools.iter().map(|tool| tool.name.len() + tool.description.len() + schema_bytes(&tool.input_schema));
    let blocks = request.messages.iter().flat_map(|message| &message.blocks).map(|block| match block {
        Block::Text { text, .. } => text.len(),
        Block::Call { name, args_raw, .. } => name.len() + args_raw.len(),
        Block::Result { json, .. } => json.len(),
    });
    tokens(system + tools.sum::<usize>() + blocks.sum::<usize>())
}
