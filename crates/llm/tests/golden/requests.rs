//! The requests that every wire format is asked to write.

use std::sync::Arc;

use llm::{
    Api, Block, CallId, Caps, Effort, MarkWish, Request, RequestMessage, Sampling, ServerKind, Sidecar, SidecarBlock,
    Speaker, Stop, ThinkingWish, ToolChoice, ToolDecl, TransientMark, caps,
};
use robot::{ConversationId, Origin, Trust};
use serde_json::{Value, json};

/// Each case and its name, for the model of `own`.
pub fn cases(own: &Caps) -> Vec<(String, Request)> {
    let mut cases = vec![
        ("plain", plain()),
        ("parallel-calls", parallel_calls(None)),
        ("error-result", error_result()),
        ("thinking-replay", parallel_calls(Some(sidecar(own)))),
        ("transient-tail", transient_tail(own)),
        ("system-in-the-middle", system_in_the_middle(own)),
        ("final-call", Request { choice: ToolChoice::None, ..parallel_calls(Some(sidecar(own))) }),
        ("forced-call", Request { choice: ToolChoice::Required, ..plain() }),
        ("named-call", Request { choice: ToolChoice::Named("stop_all".to_owned()), ..plain() }),
        ("thinking-off", Request { thinking: ThinkingWish::Off, ..plain() }),
        ("thinking-hard", Request { thinking: ThinkingWish::Effort(Effort::High), output_max: 20_000, ..plain() }),
        ("dropped-thinking", Request { drop_blocks: true, ..parallel_calls(None) }),
        ("no-tools", Request { tools: Arc::from([]), choice: ToolChoice::None, ..plain() }),
        ("open-call", open_call(own)),
        (
            "128-tools",
            Request { tools: (0..128).map(|number| decl(&format!("tool_{number:03}"))).collect(), ..plain() },
        ),
    ];
    let others = [
        ("resume-from-anthropic", caps(ServerKind::Anthropic, "other", "https://a", "claude-opus-4-5")),
        ("resume-from-gemini", caps(ServerKind::Gemini, "other", "https://g", "gemini-3-flash-preview")),
        ("resume-from-chat", caps(ServerKind::Vllm, "other", "https://v", "qwen3-32b")),
    ];
    cases.extend(others.into_iter().map(|(name, other)| (name, parallel_calls(Some(sidecar(&other))))));
    cases.into_iter().map(|(name, request)| (name.to_owned(), request)).collect()
}

fn plain() -> Request {
    Request {
        session: ConversationId::from("s-1"),
        epoch: 1,
        system: vec!["You watch robots.".to_owned(), "Missions: none.".to_owned()],
        tools: Arc::from([send_command(), decl("stop_all")]),
        messages: vec![user(0, "Fahre zur Ladestation ☕")],
        choice: ToolChoice::Auto,
        output_max: 4_096,
        thinking: ThinkingWish::Own,
        sampling: Some(Sampling { temperature: 0.25 }),
        transient_from: None,
        marks: MarkWish { messages: true, system: true, transient: TransientMark::BeforeTransient },
        drop_blocks: false,
    }
}

/// Two calls in one reply, both answered, and words of the operator that came while they ran.
fn parallel_calls(sidecar: Option<Sidecar>) -> Request {
    let calls = vec![
        text("I look at both."),
        call("toolu_01", "send_command", r#"{"robot": "arm-1",  "speed": 0.10}"#),
        call("functions.stop_all:1", "stop_all", ""),
    ];
    let assistant =
        RequestMessage { sidecar: sidecar.map(Arc::new), ..message(1, Speaker::Assistant, Origin::Agent, calls) };
    let messages = vec![
        user(0, "Move the arm, then stop everything."),
        assistant,
        tool(2, result("functions.stop_all:1", r#"{"stop_id":41}"#, false)),
        tool(3, result("toolu_01", r#"{"state":"received"}"#, false)),
        user(4, "And now?"),
    ];
    Request { messages, ..plain() }
}

fn error_result() -> Request {
    let messages = vec![
        user(0, "Move the arm."),
        message(
            1,
            Speaker::Assistant,
            Origin::Agent,
            vec![call("toolu_01", "send_command", r#"{"robot": "arm-1", "sp"#)],
        ),
        tool(2, result("toolu_01", r#"{"code":"arguments_invalid","message":"no JSON"}"#, true)),
    ];
    Request { messages, ..plain() }
}

/// A nudge that is gone after this call, merged into the results.
fn transient_tail(own: &Caps) -> Request {
    let mut request = parallel_calls(Some(sidecar(own)));
    request.messages.pop();
    request.transient_from = Some(request.messages.len());
    request.messages.push(RequestMessage {
        entry: None,
        ..message(0, Speaker::User, Origin::System, vec![text("Two calls are left.")])
    });
    Request { thinking: ThinkingWish::Effort(Effort::Low), ..request }
}

/// One system message that may stand where it does, and one between calls and results that may not.
fn system_in_the_middle(own: &Caps) -> Request {
    let mut request = parallel_calls(Some(sidecar(own)));
    let says = |entry, words: &str| message(entry, Speaker::System, Origin::System, vec![text(words)]);
    request.messages.insert(2, says(7, "The gate was closed."));
    request.messages.push(says(8, "A person is in the hallway."));
    request
}

/// A call that nobody answered, and the next words of the operator.
fn open_call(own: &Caps) -> Request {
    let mut request = parallel_calls(Some(sidecar(own)));
    request.messages.drain(2..4);
    request
}

/// The reply of [`parallel_calls`] as the model of `caps` gave it.
fn sidecar(caps: &Caps) -> Sidecar {
    let sig = |text: &str| Some(text.to_owned());
    let id = |text: &str| CallId(text.to_owned());
    let by_part = caps.api == Api::GeminiGenerateContent;
    let mut blocks = vec![
        SidecarBlock::Thinking { s: "Both, then.".to_owned(), sig: if by_part { None } else { sig("EqQBCgIYAhIM") } },
        SidecarBlock::Redacted { data: "EmwKAhgBEgy3".to_owned() },
        SidecarBlock::Text { s: "I look at both.".to_owned(), sig: None },
        SidecarBlock::Call {
            id: id("toolu_01"),
            name: "send_command".to_owned(),
            args_raw: r#"{"robot": "arm-1",  "speed": 0.10}"#.to_owned(),
            sig: if by_part { sig("CiMBjz1r") } else { None },
        },
        SidecarBlock::Call {
            id: id("functions.stop_all:1"),
            name: "stop_all".to_owned(),
            args_raw: String::new(),
            sig: None,
        },
    ];
    if by_part {
        blocks.remove(1);
        blocks.push(SidecarBlock::Text { s: String::new(), sig: sig("CiQBend") });
    }
    Sidecar {
        provider: caps.provider.clone(),
        api: caps.api,
        model: caps.name.clone(),
        base: caps.base.clone(),
        response_id: Some("msg_01".to_owned()),
        stop: Stop::ToolUse,
        usage_raw: json!({"input_tokens": 5}),
        blocks,
        calls_left_out: 0,
    }
}

fn message(entry: u64, speaker: Speaker, origin: Origin, blocks: Vec<Block>) -> RequestMessage {
    RequestMessage { speaker, origin, entry: Some(entry), blocks, sidecar: None }
}

fn user(entry: u64, words: &str) -> RequestMessage {
    message(entry, Speaker::User, Origin::System, vec![text(words)])
}

fn tool(entry: u64, block: Block) -> RequestMessage {
    message(entry, Speaker::User, Origin::Tool("x".to_owned()), vec![block])
}

fn text(words: &str) -> Block {
    Block::Text { text: words.to_owned(), trust: Trust::Trusted }
}

fn call(id: &str, name: &str, args_raw: &str) -> Block {
    Block::Call { id: CallId(id.to_owned()), name: name.to_owned(), args_raw: args_raw.to_owned() }
}

fn result(call: &str, json: &str, is_error: bool) -> Block {
    Block::Result { call: CallId(call.to_owned()), json: json.to_owned(), is_error, trust: Trust::Trusted }
}

fn decl(name: &str) -> ToolDecl {
    let input_schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    ToolDecl { name: name.to_owned(), description: format!("Does {name}."), input_schema }
}

/// A tool whose schema has everything that a smaller dialect does not know.
fn send_command() -> ToolDecl {
    let input_schema: Value = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "required": ["robot"],
        "properties": {
            "robot": {"type": "string", "minLength": 1, "default": "arm-1"},
            "kind": {"const": "pose_goal"},
            "note": {"type": ["string", "null"], "format": "markdown"},
            "speed": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "format": "double"},
            "frame": {"anyOf": [{"$ref": "#/$defs/Frame"}, {"type": "null"}]},
            "motion": {"oneOf": [{"$ref": "#/$defs/Goal"}, {"type": "string"}]},
            "both": {"allOf": [{"$ref": "#/$defs/Goal"}, {"properties": {"slow": {"type": "boolean"}}, "required": ["slow"]}]},
            "tree": {"$ref": "#/$defs/Tree"}
        },
        "$defs": {
            "Frame": {"type": "string", "enum": ["map", "base_link"]},
            "Goal": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
            "Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}}
        }
    });
    ToolDecl { name: "send_command".to_owned(), description: "Sends a command.".to_owned(), input_schema }
}
