//! Answers of model providers: a stream gives the same reply however it is split, and no stream does harm.

use std::path::Path;
use std::sync::Arc;

use llm::{
    Anthropic, Block, Chat, Delta, Gemini, MarkWish, ModelError, Ollama, Reply, Request, RequestMessage, ServerKind,
    Speaker, ThinkingWish, ToolChoice, ToolDecl, Wire, caps,
};
use robot::{ConversationId, Origin, Trust};
use serde_json::json;

use crate::harness::check_in;

#[test]
fn wt_03_streams_of_anthropic() {
    check_wire("anthropic", &Anthropic::new(caps(ServerKind::Anthropic, "p", "https://p", "claude-opus-4-8")));
}

#[test]
fn wt_03_streams_of_gemini() {
    check_wire("gemini", &Gemini::new(caps(ServerKind::Gemini, "p", "https://p", "gemini-3-pro-preview")));
}

/// As a local server sends them, because calls and thinking inside the text are read as well.
#[test]
fn wt_03_streams_of_chat_completions() {
    check_wire("chat", &Chat::new(caps(ServerKind::LlamaCpp, "p", "http://p", "smollm2")));
}

#[test]
fn wt_03_streams_of_ollama() {
    check_wire("ollama", &Ollama::new(caps(ServerKind::Ollama, "p", "http://p", "qwen3:8b")));
}

fn check_wire(name: &str, wire: &(impl Wire + std::panic::RefUnwindSafe)) {
    let folder = Path::new("crates/llm/tests/streams").join(name);
    check_in(name, &folder, |stream| {
        let (deltas, whole) = play(wire, &[stream]);
        let (before, behind) = stream.split_at(stream.len() / 3);
        assert_eq!(play(wire, &[before, behind]), (deltas.clone(), whole.clone()));
        let pieces: Vec<&[u8]> = stream.chunks(7).collect();
        assert_eq!(play(wire, &pieces), (deltas, whole));
    });
}

/// Feeds the pieces; neighbouring deltas of a kind are one.
fn play(wire: &impl Wire, pieces: &[&[u8]]) -> (Vec<Delta>, Result<Reply, ModelError>) {
    let mut decoder = wire.decoder(&request());
    let mut merged: Vec<Delta> = Vec::new();
    for delta in pieces.iter().flat_map(|piece| decoder.push(piece)).collect::<Vec<_>>() {
        match (merged.last_mut(), delta) {
            (Some(Delta::Text(said)), Delta::Text(more)) | (Some(Delta::Thinking(said)), Delta::Thinking(more)) => {
                said.push_str(&more);
            }
            (Some(Delta::CallArgs { index, json }), Delta::CallArgs { index: same, json: more }) if *index == same => {
                json.push_str(&more);
            }
            (_, delta) => merged.push(delta),
        }
    }
    (merged, decoder.finish())
}

fn request() -> Request {
    let tool = |name: &str| ToolDecl {
        name: name.to_owned(),
        description: String::new(),
        input_schema: json!({ "type": "object", "properties": { "robot": { "type": "string" } } }),
    };
    Request {
        session: ConversationId::from("s"),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::from([tool("list_robots"), tool("send_command")]),
        messages: vec![RequestMessage {
            speaker: Speaker::User,
            origin: Origin::System,
            entry: Some(0),
            blocks: vec![Block::Text { text: "{\"name\":\"send_command\"}".to_owned(), trust: Trust::Text }],
            sidecar: None,
        }],
        choice: ToolChoice::Auto,
        output_max: 100,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}
