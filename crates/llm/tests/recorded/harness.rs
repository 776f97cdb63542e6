//! Plays one recorded stream in every way its bytes can arrive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use llm::{
    Block, Caps, Decoder, Delta, MarkWish, ModelError, ModelErrorKind, Reply, ReplyBlock, Request, RequestMessage,
    ServerKind, SidecarBlock, Speaker, Stop, ThinkingWish, ToolChoice, ToolDecl, Usage,
};
use robot::{ConversationId, Origin, Trust};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Expected outcome of a stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Origin of the stream.
    source: String,
    /// Under which licence it is here.
    licence: String,
    /// False if it was made by hand.
    recorded: bool,
    server: ServerKind,
    model: String,
    /// `auto`, `none` or `required`.
    #[serde(default)]
    choice: Option<ToolChoice>,
    outcome: Outcome,
}

/// Its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Outcome {
    Reply { text: String, thinking: usize, calls: Vec<(String, String)>, stop: Stop, usage: Usage },
    Error { kind: ModelErrorKind, usage: Option<Usage> },
}

/// The streams of a folder.
pub fn streams(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut streams: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end != "json")).collect();
    streams.sort();
    streams
}

/// Checks one stream: whole, byte by byte and split inside every character it gives what is expected, with equal
/// deltas; cut after any event it gives an error, or a reply whose calls are whole.
pub fn check(path: &Path, wire: fn(Caps) -> Box<dyn llm::Wire>) {
    let name = path.display();
    let expected = fs::read_to_string(path.with_extension("json")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: Expected = serde_json::from_str(&expected).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!expected.source.is_empty() && !expected.licence.is_empty(), "{name}");
    assert!(expected.recorded || expected.source.starts_with("made by hand"), "{name}");
    let bytes = fs::read(path).expect("the stream can be read");
    let wire = wire(llm::caps(expected.server, "provider", "https://provider", &expected.model));
    let request = request(expected.choice);
    let play = |pieces: &[&[u8]]| play(wire.decoder(&request), pieces);

    let (deltas, whole) = play(&[&bytes]);
    let outcome = outcome(&whole);
    let found = serde_json::to_string(&outcome).expect("an outcome has a text");
    assert_eq!(outcome, expected.outcome, "{name}, whole: {found}");
    told(&deltas, &whole, &path.display().to_string());

    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(play(&single), (deltas.clone(), whole.clone()), "{name}, byte by byte");
    for split in inside_characters(&bytes) {
        let (before, behind) = bytes.split_at(split);
        assert_eq!(play(&[before, behind]), (deltas.clone(), whole.clone()), "{name}, split at {split}");
    }
    for cut in ends_of_events(&bytes) {
        let (_, partial) = play(&[&bytes[..cut]]);
        cut_short(&partial, &whole, &format!("{name}, cut at {cut}"));
    }
}

/// A request with the tools that the streams call.
fn request(choice: Option<ToolChoice>) -> Request {
    let tool = |name: &str| ToolDecl {
        name: name.to_owned(),
        description: name.to_owned(),
        input_schema: json!({"type": "object", "properties": {"robot": {"type": "string"}, "speed": {"type": "number"}}}),
    };
    Request {
        session: ConversationId::from("s-1"),
        epoch: 1,
        system: vec!["Be brief.".to_owned()],
        tools: Arc::from([tool("list_robots"), tool("send_command"), tool("stop_all")]),
        messages: vec![RequestMessage {
            speaker: Speaker::User,
            origin: Origin::System,
            entry: Some(6),
            blocks: vec![Block::Text { text: "Where is the arm?".to_owned(), trust: Trust::Trusted }],
            sidecar: None,
        }],
        choice: choice.unwrap_or(ToolChoice::Auto),
        output_max: 1_000,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}

/// Feeds the pieces; neighbouring deltas of a kind are one.
fn play(mut decoder: Box<dyn Decoder>, pieces: &[&[u8]]) -> (Vec<Delta>, Result<Reply, ModelError>) {
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

fn outcome(result: &Result<Reply, ModelError>) -> Outcome {
    match result {
        Ok(reply) => {
            let blocks = reply.sidecar.iter().flat_map(|sidecar| &sidecar.blocks);
            let thinking =
                blocks.filter(|block| matches!(block, SidecarBlock::Thinking { .. } | SidecarBlock::Redacted { .. }));
            Outcome::Reply {
                text: text(reply),
                thinking: thinking.count(),
                calls: calls(reply),
                stop: reply.stop.clone(),
                usage: reply.usage,
            }
        }
        Err(error) => Outcome::Error { kind: error.kind, usage: error.usage },
    }
}

fn text(reply: &Reply) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Text(text) => Some(text.as_str()),
        ReplyBlock::Call { .. } => None,
    });
    texts.collect()
}

fn calls(reply: &Reply) -> Vec<(String, String)> {
    let calls = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Call { name, args_raw, .. } => Some((name.clone(), args_raw.clone())),
        ReplyBlock::Text(_) => None,
    });
    calls.collect()
}

/// The reply says in the end the same as its parts did while they came.
fn told(deltas: &[Delta], whole: &Result<Reply, ModelError>, name: &str) {
    let Ok(reply) = whole else { return };
    let newest = deltas.iter().rposition(|delta| *delta == Delta::Restart).map_or(0, |at| at + 1);
    let (mut said, mut started, mut ended) = (String::new(), 0, 0);
    for delta in &deltas[newest..] {
        match delta {
            Delta::Text(text) => said.push_str(text),
            Delta::CallStart { .. } => started += 1,
            Delta::CallEnd { .. } => ended += 1,
            Delta::Thinking(_) | Delta::CallArgs { .. } | Delta::Usage(_) | Delta::Prompt(_) | Delta::Restart => {}
        }
    }
    assert_eq!(said, text(reply), "{name}, told");
    assert_eq!((started, ended), (calls(reply).len(), calls(reply).len()), "{name}, told calls");
}

/// A stream that was cut is an error, or it ended before the cut: then nothing in it is half.
fn cut_short(partial: &Result<Reply, ModelError>, whole: &Result<Reply, ModelError>, name: &str) {
    match (partial, whole) {
        (Err(error), Err(known)) if error.kind == known.kind => {}
        (Err(error), _) => assert_eq!(error.kind, ModelErrorKind::Transport, "{name}"),
        (Ok(partial), Ok(whole)) => {
            assert!(calls(whole).starts_with(&calls(partial)), "{name}: {:?}", calls(partial));
            assert!(text(whole).starts_with(&text(partial)), "{name}");
        }
        (Ok(_), Err(known)) => panic!("{name}: a reply came of a stream that fails: {known}"),
    }
}

fn inside_characters(bytes: &[u8]) -> Vec<usize> {
    let inside = |at: &usize| bytes[*at] & 0b1100_0000 == 0b1000_0000;
    (1..bytes.len()).filter(inside).collect()
}

/// After each blank line, and after each line of a stream of lines.
fn ends_of_events(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    ends.filter(|end| *end < bytes.len()).collect()
}
