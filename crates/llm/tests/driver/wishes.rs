use std::sync::Arc;

use llm::{
    Api, Block, CallId, Caps, ModelErrorKind, ReplyBlock, Request, RequestMessage, Sampling, ServerKind, Sidecar,
    SidecarBlock, Speaker, Stop, ToolDecl, caps,
};
use robot::{ConversationId, Origin};
use serde_json::{Value, json};

use crate::mock::{Act, Mock, answer, event, says, stream_head};
use crate::{call, local, model, request};

const NO_TEMPERATURE: &str =
    r#"{"error":{"message":"Unsupported parameter: 'temperature'","type":"invalid_request_error"}}"#;

fn body(sent: &str) -> Value {
    let (_, body) = sent.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

fn warm() -> Request {
    Request { sampling: Some(Sampling { temperature: 0.5 }), ..request() }
}

#[test]
fn w_02_what_is_refused_by_name_is_left_out_for_the_conversation() {
    let mock = Mock::play(vec![vec![answer(400, &[], NO_TEMPERATURE)], says("a"), says("b"), says("c")]);
    let model = model(local(&mock.base), None);
    call(&model, warm()).0.expect("a second try");
    call(&model, warm()).0.expect("it is remembered");
    call(&model, Request { session: ConversationId::from("s-2"), ..warm() }).0.expect("another conversation");
    let temperatures: Vec<Value> = mock.requests().iter().map(|sent| body(sent)["temperature"].clone()).collect();
    assert_eq!(temperatures, [json!(0.5), Value::Null, Value::Null, json!(0.5)]);
}

#[test]
fn w_02_t_24_a_server_without_tools_gets_them_in_the_text() {
    let printed = r#"<tool_call>{\"name\": \"stop_robot\", \"arguments\": {}}</tool_call>"#;
    for (status, refusal) in [
        (400, r#"{"error":"registry.ollama.ai/library/gemma does not support tools"}"#),
        (
            400,
            r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}"#,
        ),
        (500, r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#),
    ] {
        let mock = Mock::play(vec![vec![answer(status, &[], refusal)], says(printed)]);
        let tool = ToolDecl {
            name: "stop_robot".into(),
            description: String::new(),
            input_schema: json!({ "type": "object" }),
        };
        let caps = caps(ServerKind::LlamaCpp, "here", &mock.base, "m");
        let reply = call(&model(caps, None), Request { tools: Arc::from([tool]), ..request() }).0.expect("a reply");
        assert!(matches!(&reply.blocks[..], [ReplyBlock::Call { name, .. }] if name == "stop_robot"), "{reply:?}");
        let sent = body(&mock.requests()[1]);
        assert_eq!(sent["tools"], Value::Null);
        assert!(sent["messages"][0]["content"].as_str().expect("text").contains("stop_robot({"));
    }
}

#[test]
fn w_02_there_is_one_second_try() {
    let refusal = || vec![answer(400, &[], NO_TEMPERATURE)];
    let mock = Mock::play(vec![refusal(), refusal(), says("never")]);
    let error = call(&model(local(&mock.base), None), warm()).0.expect_err("refused twice");
    assert_eq!(error.kind, ModelErrorKind::BadRequest);
    assert_eq!(mock.requests().len(), 2);
}

#[test]
fn w_02_a_request_that_is_wrong_is_not_tried_again() {
    let wrong = r#"{"error":{"message":"messages: unexpected role","type":"invalid_request_error"}}"#;
    let mock = Mock::play(vec![vec![answer(400, &[], wrong)], says("never")]);
    assert!(call(&model(local(&mock.base), None), warm()).0.is_err());
    assert_eq!(mock.requests().len(), 1);
}

#[test]
fn wa_13_thinking_that_is_bound_elsewhere_is_left_out_from_then_on() {
    let bound = r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1: Invalid signature in thinking block: bound to a different conversation"}}"#;
    let done = || {
        let events = [
            r#"{"type":"message_start","message":{"id":"m","usage":{"input_tokens":5,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Ok"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
            r#"{"type":"message_stop"}"#,
        ];
        let events = events.map(|data| {
            let name = serde_json::from_str::<Value>(data).expect("JSON")["type"].as_str().expect("a type").to_owned();
            Act::Send(format!("event: {name}\ndata: {data}\n\n").into())
        });
        [vec![stream_head()], events.to_vec()].concat()
    };
    let mock = Mock::play(vec![vec![answer(400, &[], bound)], done(), done()]);
    let caps = caps(ServerKind::Anthropic, "claude", mock.base.trim_end_matches("/v1"), "claude-opus-5-5");
    let model = model(caps.clone(), None);
    call(&model, thought(&caps)).0.expect("a second try");
    call(&model, thought(&caps)).0.expect("it is remembered");
    let sent: Vec<Value> = mock.requests().iter().map(|sent| body(sent)).collect();
    let drops = |body: &Value| body.pointer("/thinking/block_binding/prefix_mismatch_behavior").cloned();
    assert_eq!(
        sent.iter().map(drops).collect::<Vec<_>>(),
        [None, Some(json!("drop_block")), Some(json!("drop_block"))]
    );
    let has_thinking = |body: &Value| body["messages"].to_string().contains("c2ln");
    assert_eq!(sent.iter().map(has_thinking).collect::<Vec<_>>(), [true, false, true]);
}

/// A conversation in which the model of `caps` has thought.
fn thought(caps: &Caps) -> Request {
    let sidecar = Sidecar {
        provider: caps.provider.clone(),
        api: Api::AnthropicMessages,
        model: caps.name.clone(),
        base: caps.base.clone(),
        response_id: None,
        stop: Stop::ToolUse,
        usage_raw: Value::Null,
        blocks: vec![
            SidecarBlock::Thinking { s: "Look.".to_owned(), sig: Some("c2ln".to_owned()) },
            SidecarBlock::Call {
                id: CallId("toolu_1".into()),
                name: "list_robots".into(),
                args_raw: "{}".into(),
                sig: None,
            },
        ],
        calls_left_out: 0,
    };
    let call = Block::Call { id: CallId("toolu_1".into()), name: "list_robots".into(), args_raw: "{}".into() };
    let result = Block::Result {
        call: CallId("toolu_1".into()),
        json: "{}".into(),
        is_error: false,
        trust: robot::Trust::Typed,
    };
    let message = |entry, speaker, origin, block| RequestMessage {
        speaker,
        origin,
        entry: Some(entry),
        blocks: vec![block],
        sidecar: None,
    };
    let said =
        RequestMessage { sidecar: Some(Arc::new(sidecar)), ..message(1, Speaker::Assistant, Origin::Agent, call) };
    let mut asked = request();
    asked.messages.extend([said, message(2, Speaker::User, Origin::Tool("list_robots".into()), result)]);
    asked
}

#[test]
fn we_03_a_prompt_that_was_cut_without_a_word_is_an_overflow() {
    let usage = |prompt: u32, completion: u32| {
        format!(r#"{{"choices":[],"usage":{{"prompt_tokens":{prompt},"completion_tokens":{completion}}}}}"#)
    };
    let stops = |reason: &str| format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#);
    let long = "the dock ".repeat(2_000);
    for (prompt, completion, reason, is_overflow) in [
        (9_000, 5, "stop", true),
        (4_090, 0, "length", true),
        (4_000, 0, "length", false),
        (900, 5, "stop", true),
        (5_000, 5, "stop", true),
    ] {
        let script = vec![stream_head(), event(&stops(reason)), event(&usage(prompt, completion)), event("[DONE]")];
        let mock = Mock::play(vec![script]);
        let caps = Caps { window: 4_096, overflow_silent: true, ..local(&mock.base) };
        let mut asked = request();
        asked.system = vec![if prompt == 900 { long.clone() } else { String::new() }];
        let reply = call(&model(caps, None), asked).0;
        let overflowed = reply.as_ref().is_err_and(|error| error.kind == ModelErrorKind::Overflow);
        assert_eq!(overflowed, is_overflow, "{prompt} {completion} {reason}: {reply:?}");
    }
}
