//! Answers beside a conversation. There is no model here that could judge, so nothing is held back and nothing made up.

use super::SideCall;
use crate::{Block, RequestMessage};

/// Lines of a summary.
const LINES_MAX: usize = 12;
/// Of a line this much is kept.
const LINE_CHARS_MAX: usize = 120;

pub(in crate::commands) fn answer(call: SideCall, messages: &[RequestMessage]) -> String {
    match call {
        SideCall::Router => "EXACT".to_owned(),
        SideCall::Judge => "DONE:".to_owned(),
        SideCall::Flush => "[]".to_owned(),
        SideCall::Summary => newest_lines(messages),
    }
}

/// The newest lines of what was said, each cut: what stood there, in its own words.
fn newest_lines(messages: &[RequestMessage]) -> String {
    let texts = messages.iter().flat_map(|message| &message.blocks).filter_map(|block| match block {
        Block::Text { text, .. } => Some(text.as_str()),
        Block::Call { .. } | Block::Result { .. } => None,
    });
    let lines: Vec<&str> = texts.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect();
    let newest = &lines[lines.len().saturating_sub(LINES_MAX)..];
    let cut = newest.iter().map(|line| line.chars().take(LINE_CHARS_MAX).collect::<String>());
    cut.collect::<Vec<_>>().join("\n")
}
