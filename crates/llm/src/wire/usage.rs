//! A guess at tokens by length, for servers that report nothing.

use crate::{Block, Request, SidecarBlock, Usage};

/// Characters of a token, in tenths: between English prose and JSON.
const TENTHS_OF_CHARS_PER_TOKEN: usize = 35;

/// About how many tokens a text of so many bytes has.
pub(crate) const fn tokens(bytes: usize) -> u64 {
    (bytes * 10 / TENTHS_OF_CHARS_PER_TOKEN) as u64
}

/// More tokens than any model reads or writes in one call; larger figures are a server's mistake.
const PLAUSIBLE_MAX: u64 = 1_000_000_000;

/// True if these figures are plausible, each at most `PLAUSIBLE_MAX`.
pub(crate) fn is_plausible(usage: &Usage) -> bool {
    let figures = [usage.in_fresh, usage.cache_read, usage.cache_write_5m, usage.cache_write_1h, usage.out];
    figures.into_iter().chain(usage.reasoning).all(|figure| figure <= PLAUSIBLE_MAX)
}

/// The figures, if they can be meant: others are never charged.
pub(crate) fn plausible(usage: Usage) -> Option<Usage> {
    is_plausible(&usage).then_some(usage)
}

/// About how many tokens a request has.
pub(crate) fn tokens_of(request: &Request) -> u64 {
    let system = request.system.iter().map(String::len);
    let tools =
        request.tools.iter().map(|tool| tool.name.len() + tool.description.len() + tool.input_schema.to_string().len());
    let blocks = request.messages.iter().flat_map(|message| &message.blocks).map(|block| match block {
        Block::Text { text, .. } => text.len(),
        Block::Call { name, args_raw, .. } => name.len() + args_raw.len(),
        Block::Result { json, .. } => json.len(),
    });
    tokens(system.chain(tools).chain(blocks).sum())
}

/// The usage of a call that reported none.
pub(crate) fn estimated(request_tokens: u64, reply: &[SidecarBlock]) -> Usage {
    let written = reply.iter().map(|block| match block {
        SidecarBlock::Text { s, .. } | SidecarBlock::Thinking { s, .. } => s.len(),
        SidecarBlock::Redacted { data } => data.len(),
        SidecarBlock::Call { name, args_raw, .. } => name.len() + args_raw.len(),
        SidecarBlock::Item { raw } => raw.to_string().len(),
    });
    Usage { in_fresh: request_tokens, out: tokens(written.sum()), estimated: true, ..Usage::default() }
}
