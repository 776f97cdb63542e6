//! Promises that every wire keeps.

use std::sync::Arc;

use robot::{ConversationId, Origin, Trust};
use serde_json::{Value, json};

use super::{Anthropic, Chat, Gemini, Ollama, Wire};
use crate::{
    Block, CallId, Delta, Headers, MarkWish, Marks, ModelError, ModelErrorKind, Reply, ReplyBlock, Request,
    RequestMessage, ServerKind, Sidecar, SidecarBlock, Speaker, Stop, ThinkingWish, ToolChoice, ToolDecl, caps,
};

fn wires() -> [Box<dyn Wire>; 5] {
    [
        Box::new(Anthropic::new(caps(ServerKind::Anthropic, "a", "https://a", "claude-opus-5-5"))),
        Box::new(Chat::new(caps(ServerKind::Openai, "o", "https://o", "gpt-5"))),
        Box::new(Chat::new(caps(ServerKind::OpenaiCompatible, "c", "https://c", "m"))),
        Box::new(Gemini::new(caps(ServerKind::Gemini, "g", "https://g", "gemini-3-pro-preview"))),
        Box::new(Ollama::new(caps(ServerKind::Ollama, "l", "http://l", "m"))),
    ]
}

pub(super) fn message(entry: u64, speaker: Speaker, block: Block) -> RequestMessage {
    RequestMessage { speaker, origin: Origin::System, entry: Some(entry), blocks: vec![block], sidecar: None }
}

pub(super) fn request() -> Request {
    let tool = ToolDecl { name: "t".to_owned(), description: String::new(), input_schema: json!({"type": "object"}) };
    let words = Block::Text { text: "Hello.".to_owned(), trust: Trust::Trusted };
    Request {
        session: ConversationId::from("s"),
        epoch: 1,
        system: vec!["System.".to_owned()],
        tools: Arc::from([tool]),
        messages: vec![message(0, Speaker::User, words)],
        choice: ToolChoice::Auto,
        output_max: 8_000,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}

/// A conversation in which the model of `wire` itself called `name` as `id`.
fn after_call(wire: &dyn Wire, id: &str, name: &str) -> Request {
    let mut request = request();
    let id = CallId(id.to_owned());
    let call = Block::Call { id: id.clone(), name: name.to_owned(), args_raw: "{}".to_owned() };
    let own = SidecarBlock::Call { id: id.clone(), name: name.to_owned(), args_raw: "{}".to_owned(), sig: None };
    let sidecar = Sidecar { blocks: vec![own], stop: Stop::ToolUse, ..Sidecar::of(wire.caps()) };
    request.messages.push(RequestMessage { sidecar: Some(Arc::new(sidecar)), ..message(1, Speaker::Assistant, call) });
    let json = r#"{"error":"there is no such tool"}"#.to_owned();
    let result = Block::Result { call: id, json, is_error: true, trust: Trust::Trusted };
    request.messages.push(message(2, Speaker::User, result));
    request
}

/// Every value of a field of one of these names, anywhere in `json`.
fn fields<'a>(json: &'a Value, names: &[&str], found: &mut Vec<&'a str>) {
    match json {
        Value::Object(object) => {
            for (name, value) in object {
                found.extend(value.as_str().filter(|_| names.contains(&name.as_str())));
                fields(value, names, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, names, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn wp_04_no_name_or_id_that_a_server_refuses_is_sent_back_even_to_the_server_it_came_from() {
    let is_word = |text: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        (1..=64).contains(&text.len()) && text.bytes().all(plain)
    };
    let long = "x".repeat(70);
    for wire in wires() {
        for (id, name) in
            [("c1", "multi_tool_use.parallel"), ("c2", "functions.x"), ("c3", ""), (&long, "t"), ("a b", "t")]
        {
            let request = after_call(wire.as_ref(), id, name);
            let (sent, _) = wire.encode(&request, &Marks::default()).expect("a request");
            let body: Value = serde_json::from_slice(&sent.body).expect("JSON");
            let mut names = Vec::new();
            fields(&body, &["name", "tool_name"], &mut names);
            assert!(names.iter().all(|name| is_word(name)), "{}: {id} {name}: {names:?}", wire.caps().name);
            let mut ids = Vec::new();
            fields(&body, &["id", "tool_use_id", "tool_call_id"], &mut ids);
            assert!(ids.iter().all(|id| is_word(id)), "{}: {id} {name}: {ids:?}", wire.caps().name);
            assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "call and result have one id: {ids:?}");
        }
    }
}

fn read(wire: &dyn Wire, pieces: &[&str]) -> (Result<Reply, ModelError>, Vec<Delta>) {
    let mut decoder = wire.decoder(&request());
    let deltas = pieces.iter().flat_map(|piece| decoder.push(piece.as_bytes())).collect();
    (decoder.finish(), deltas)
}

fn words(reply: &Reply) -> String {
    let text = |block: &ReplyBlock| match block {
        ReplyBlock::Text(text) => Some(text.clone()),
        ReplyBlock::Call { .. } => None,
    };
    reply.blocks.iter().filter_map(text).collect()
}

/// The streams of the wires, in their order, with `a` and `b` as two pieces of text.
fn streams(a: &str, b: &str) -> [Vec<String>; 5] {
    let chat = || {
        vec![
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{a}\"}}}}]}}\n\n"),
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{b}\"}},\"finish_reason\":\"stop\"}}]}}\n\n"),
        ]
    };
    let block = |text: &str| {
        format!(
            "data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}}}\n\n"
        )
    };
    [
        vec![
            "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n".to_owned(),
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
                .to_owned(),
            block(a),
            block(b),
            "data: {\"type\":\"message_stop\"}\n\n".to_owned(),
        ],
        chat(),
        chat(),
        vec![
            format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{a}\"}}]}}}}]}}\n\n"),
            format!(
                "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{b}\"}}]}},\"finishReason\":\"STOP\"}}]}}\n\n"
            ),
        ],
        vec![
            format!("{{\"message\":{{\"content\":\"{a}\"}}}}\n"),
            format!("{{\"message\":{{\"content\":\"{b}\"}},\"done\":true}}\n"),
        ],
    ]
}

#[test]
fn w_05_a_character_cut_between_two_events_arrives_whole() {
    for (wire, stream) in wires().iter().zip(streams("A \\ud83e", "\\udd16 robot")) {
        let pieces: Vec<&str> = stream.iter().map(String::as_str).collect();
        let (reply, _) = read(wire.as_ref(), &pieces);
        assert_eq!(words(&reply.expect("a reply")), "A 🤖 robot", "{}", wire.caps().name);
    }
}

/// The text of a reply and of its deltas, whose bytes came cut in two at `at`.
fn read_cut(wire: &dyn Wire, bytes: &[u8], at: usize) -> (Reply, String) {
    let mut decoder = wire.decoder(&request());
    let deltas: Vec<Delta> = [&bytes[..at], &bytes[at..]].into_iter().flat_map(|half| decoder.push(half)).collect();
    let texts = deltas.into_iter().map(|delta| if let Delta::Text(text) = delta { text } else { format!("{delta:?}") });
    (decoder.finish().expect("a reply"), texts.collect())
}

#[test]
fn fp_05_a_stream_cut_in_two_at_every_byte_is_the_same_reply() {
    // Escaped and not, whole and in halves, with what else stands in front of a brace or an end of line.
    let texts = [("Grün 🤖 \\ud83e\\udd16 \\ud83e", "\\udd16, 日本 \\\\ \\n{\\\"a\\\": 1}"), ("\\u00e9", "é")];
    for (a, b) in texts {
        for (wire, stream) in wires().iter().zip(streams(a, b)) {
            let bytes = stream.concat().into_bytes();
            let whole = read_cut(wire.as_ref(), &bytes, 0);
            assert!(!words(&whole.0).contains('\u{fffd}'), "{}: {:?}", wire.caps().name, words(&whole.0));
            for at in 1..bytes.len() {
                assert_eq!(read_cut(wire.as_ref(), &bytes, at), whole, "{} cut at {at}", wire.caps().name);
            }
        }
    }
}

#[test]
fn fp_05_a_text_cut_between_events_at_every_unit_of_it_is_the_same_text() {
    let text = "A 🤖 at 日本, ä 😀😀!";
    let units: Vec<u16> = text.encode_utf16().collect();
    let escaped = |units: &[u16]| units.iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
    for at in 0..=units.len() {
        for (wire, stream) in wires().iter().zip(streams(&escaped(&units[..at]), &escaped(&units[at..]))) {
            let pieces: Vec<&str> = stream.iter().map(String::as_str).collect();
            let (reply, _) = read(wire.as_ref(), &pieces);
            assert_eq!(words(&reply.expect("a reply")), text, "{} cut at {at}", wire.caps().name);
        }
    }
}

#[test]
fn wc_05_text_before_a_lone_end_of_thinking_is_thinking_on_every_chat_server() {
    for (wire, stream) in wires().iter().zip(streams("They ask.\\n\\nI look", ".</think>\\n\\nAt the dock.")) {
        if matches!(wire.caps().server, Some(ServerKind::Anthropic | ServerKind::Gemini)) {
            continue; // both have a field of its own for it
        }
        let pieces: Vec<&str> = stream.iter().map(String::as_str).collect();
        let (reply, _) = read(wire.as_ref(), &pieces);
        let reply = reply.expect("a reply");
        assert_eq!(words(&reply), "At the dock.", "{}", wire.caps().name);
        let blocks = &reply.sidecar.as_ref().expect("a sidecar").blocks;
        assert!(
            matches!(&blocks[0], SidecarBlock::Thinking { s, .. } if s == "They ask.\n\nI look."),
            "{}: {blocks:?}",
            wire.caps().name
        );
    }
}

#[test]
fn wc_05_thinking_that_a_tag_opens_is_thinking_on_every_chat_server() {
    for (wire, stream) in wires().iter().zip(streams("<think>I look", ".</think>At the dock.")) {
        if matches!(wire.caps().server, Some(ServerKind::Anthropic | ServerKind::Gemini)) {
            continue;
        }
        let pieces: Vec<&str> = stream.iter().map(String::as_str).collect();
        assert_eq!(words(&read(wire.as_ref(), &pieces).0.expect("a reply")), "At the dock.", "{}", wire.caps().name);
    }
}

#[test]
fn w_06_a_whole_message_under_200_is_a_reply() {
    let whole = [
        r#"{"type":"message","id":"m","content":[{"type":"text","text":"At the dock."},{"type":"tool_use","id":"c","name":"t","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}"#,
        r#"{"choices":[{"message":{"content":"At the dock.","tool_calls":[{"id":"c","function":{"name":"t","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[{"message":{"content":"At the dock.","tool_calls":[{"id":"c","function":{"name":"t","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}"#,
        r#"[{"candidates":[{"content":{"parts":[{"text":"At the "}]}}]},{"candidates":[{"content":{"parts":[{"text":"dock."},{"functionCall":{"name":"t","args":{"a":1}}}]},"finishReason":"STOP"}]}]"#,
        r#"{"message":{"content":"At the dock.","tool_calls":[{"id":"c","function":{"name":"t","arguments":{"a":1}}}]},"done":true}"#,
    ];
    for (wire, body) in wires().iter().zip(whole) {
        let reply = read(wire.as_ref(), &[body]).0.expect("a reply");
        assert_eq!(words(&reply), "At the dock.", "{}", wire.caps().name);
        let call = reply.blocks.iter().find_map(|block| match block {
            ReplyBlock::Call { name, args_raw, .. } => Some((name.as_str(), args_raw.as_str())),
            ReplyBlock::Text(_) => None,
        });
        assert_eq!(call, Some(("t", r#"{"a":1}"#)), "{}", wire.caps().name);
        assert_eq!(reply.stop, Stop::ToolUse, "{}", wire.caps().name);
    }
}

#[test]
fn w_06_an_error_object_under_200_keeps_its_words_and_its_kind() {
    let bodies = [
        r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
        r#"{"error":{"message":"invalid x-api-key","code":"invalid_api_key"}}"#,
        r#"{"error":{"message":"invalid x-api-key","code":"invalid_api_key"}}"#,
        r#"[{"error":{"code":401,"message":"invalid x-api-key","status":"UNAUTHENTICATED"}}]"#,
        r#"{"error":{"message":"invalid x-api-key","code":"invalid_api_key"}}"#,
    ];
    for (wire, body) in wires().iter().zip(bodies) {
        let error = read(wire.as_ref(), &[body]).0.expect_err("an error");
        assert_eq!(error.kind, ModelErrorKind::Auth, "{}: {error}", wire.caps().name);
        assert!(error.message.contains("invalid x-api-key"), "{}: {error}", wire.caps().name);
    }
}

#[test]
fn w_03_no_wire_keeps_more_calls_than_the_bound() {
    let part = |n: usize| json!({"functionCall": {"name": "t", "args": {"n": n}}});
    let tool_use = |n: usize| json!({"type": "tool_use", "id": format!("c{n}"), "name": "t", "input": {"n": n}});
    let function = |n: usize| json!({"id": format!("c{n}"), "index": n, "function": {"name": "t", "arguments": "{}"}});
    let local = |n: usize| json!({"function": {"name": "t", "arguments": {"n": n}}});
    let all = |call: &dyn Fn(usize) -> Value| (0..1_000).map(call).collect::<Vec<Value>>();
    let chat = json!({"choices": [{"message": {"tool_calls": all(&function)}, "finish_reason": "tool_calls"}]});
    let bodies = [
        json!({"type": "message", "content": all(&tool_use), "stop_reason": "tool_use"}),
        chat.clone(),
        chat,
        json!({"candidates": [{"content": {"parts": all(&part)}, "finishReason": "STOP"}]}),
        json!({"message": {"tool_calls": all(&local)}, "done": true}),
    ];
    for (wire, body) in wires().iter().zip(bodies) {
        let reply = read(wire.as_ref(), &[&body.to_string()]).0.expect("a reply");
        assert_eq!(reply.blocks.len(), super::CALLS_MAX, "{}", wire.caps().name);
        let left_out = reply.sidecar.map_or(0, |sidecar| sidecar.calls_left_out);
        assert_eq!(left_out, 1_000 - super::CALLS_MAX as u64, "{}", wire.caps().name);
    }
}

fn check_error(server: usize, status: u16, body: &str, kind: ModelErrorKind) {
    let wire = &wires()[server];
    let error = wire.classify(status, &Headers::default(), body.as_bytes());
    assert_eq!(error.kind, kind, "{status} {body}");
}

#[test]
fn we_01_limits_of_a_minute_pass_and_slips_of_the_model_are_tried_once_more() {
    let limited = r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's per-minute rate limit of 50,000 input tokens"}}"#;
    check_error(0, 429, limited, ModelErrorKind::RateLimit);
    let slip = r#"{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=t>"}}"#;
    check_error(2, 400, slip, ModelErrorKind::Protocol);
    let error = wires()[2].classify(400, &Headers::default(), slip.as_bytes());
    assert_eq!(error.slip.as_deref(), Some("<function=t>"), "what it wrote goes with it");
}

#[test]
fn we_01_a_grammar_that_llama_cpp_cannot_use_is_not_asked_for_again() {
    let wire = Chat::new(caps(ServerKind::LlamaCpp, "l", "http://l", "m"));
    let body = br#"{"error":{"code":500,"message":"Cannot use both json_schema and grammar","type":"server_error"}}"#;
    assert_eq!(wire.classify(500, &Headers::default(), body).kind, ModelErrorKind::BadRequest);
}
