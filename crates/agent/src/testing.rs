//! Building blocks that the tests of several modules share.

use std::sync::Arc;

use llm::{Block, CallId, MarkWish, Request, RequestMessage, Speaker, ThinkingWish, ToolChoice};
use robot::{ConversationId, Origin, Trust};

use crate::{Entry, EntryKind, EntryPlace, Transcript};

/// Time of all messages, Sunday 2026-03-08 17:15:20 UTC.
pub(crate) const WALL_MS: i64 = 1_772_990_120_000;

/// A request with one user message for each of `words`.
pub(crate) fn request(words: &[&str]) -> Request {
    let message = |word: &&str| RequestMessage {
        speaker: Speaker::User,
        origin: Origin::System,
        entry: None,
        blocks: vec![text(word)],
        sidecar: None,
    };
    Request {
        session: ConversationId::from("s"),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::new([]),
        messages: words.iter().map(message).collect(),
        choice: ToolChoice::Auto,
        output_max: 100,
        thinking: ThinkingWish::Own,
        sampling: None,
        marks: MarkWish::default(),
        drop_blocks: false,
        transient_from: None,
    }
}

/// Words that are trusted.
pub(crate) fn text(words: &str) -> Block {
    Block::Text { text: words.into(), trust: Trust::Trusted }
}

/// A call of `look` by this id.
pub(crate) fn call(id: &str) -> Block {
    Block::Call { id: CallId(id.into()), name: "look".into(), args_raw: "{}".into() }
}

/// The result of the call `id`.
pub(crate) fn result(id: &str, json: &str) -> Block {
    Block::Result { call: CallId(id.into()), json: json.into(), is_error: false, trust: Trust::Trusted }
}

/// Appends an entry.
pub(crate) fn push(transcript: &mut Transcript, kind: EntryKind, blocks: Vec<Block>) -> u64 {
    let origin = match kind {
        EntryKind::User => Origin::Operator("dana".into()),
        EntryKind::Assistant => Origin::Agent,
        EntryKind::ToolResult => Origin::Tool("look".into()),
        EntryKind::Volatile | EntryKind::Nudge | EntryKind::Summary(_) | EntryKind::Marker(_) => Origin::System,
    };
    let id = transcript.next_id();
    transcript.push(Entry::new(EntryPlace { id, epoch: transcript.epoch(), at_ms: WALL_MS }, kind, blocks, origin));
    id
}

/// A transcript of lines of the form `kind word word`: `user` and `reply` take words, `call` and `result` ids of calls,
/// `volatile`, `nudge` and `gone` (a refused exchange that began with this entry) what they say.
pub(crate) fn transcript(lines: &str) -> Transcript {
    let mut transcript = Transcript::default();
    for line in lines.lines() {
        let (kind, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let words = rest.split_whitespace();
        let (kind, blocks) = match kind {
            "user" => (EntryKind::User, vec![text(rest)]),
            "volatile" => (EntryKind::Volatile, vec![text(rest)]),
            "nudge" => (EntryKind::Nudge, vec![text(rest)]),
            "reply" => (EntryKind::Assistant, vec![text(rest)]),
            "call" => (EntryKind::Assistant, words.map(call).collect()),
            "result" => {
                let (id, json) = rest.split_once(' ').unwrap_or((rest, "{}"));
                (EntryKind::ToolResult, vec![result(id, json)])
            }
            "failed" => {
                let (id, json) = rest.split_once(' ').unwrap_or((rest, "{\"code\":\"failed\",\"message\":\"no\"}"));
                let call = CallId(id.into());
                let block = Block::Result { call, json: json.into(), is_error: true, trust: Trust::Trusted };
                (EntryKind::ToolResult, vec![block])
            }
            other => panic!("no entry is a {other}"),
        };
        push(&mut transcript, kind, blocks);
    }
    transcript
}
