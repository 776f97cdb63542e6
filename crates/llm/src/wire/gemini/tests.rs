use std::sync::Arc;

use robot::{Origin, Trust};
use serde_json::{Value, json};

use super::{Gemini, schema};
use crate::{
    Block, CallId, Caps, EncodeError, Headers, Marks, ModelErrorKind, Reply, Request, RequestMessage, ServerKind,
    Speaker, ThinkingWish, ToolChoice, ToolDecl, Wire, caps,
};

fn of(model: &str) -> Caps {
    caps(ServerKind::Gemini, "gemini", "https://g", model)
}

fn message(entry: u64, speaker: Speaker, blocks: Vec<Block>) -> RequestMessage {
    RequestMessage { speaker, origin: Origin::System, entry: Some(entry), blocks, sidecar: None }
}

fn request() -> Request {
    Request { system: Vec::new(), ..crate::wire::tests::request() }
}

fn body(caps: Caps, request: &Request) -> Value {
    let (sent, _) = Gemini::new(caps).encode(request, &Marks::default()).expect("it can be written");
    serde_json::from_slice(&sent.body).expect("a body is JSON")
}

/// Reply read from a stream of `events`.
fn reply(request: &Request, events: &[Value]) -> Reply {
    let mut decoder = Gemini::new(of("gemini-3-pro-preview")).decoder(request);
    for event in events {
        decoder.push(format!("data: {event}\n\n").as_bytes());
    }
    decoder.finish().expect("a reply")
}

fn parts(parts: Value, finish: Option<&str>) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish}]})
}

#[test]
fn wt_05_the_choice_of_tools() {
    let rows = [
        (ToolChoice::Auto, Value::Null),
        (ToolChoice::None, json!({"mode": "NONE"})),
        (ToolChoice::Required, json!({"mode": "ANY"})),
        (ToolChoice::Named("t".to_owned()), json!({"mode": "ANY", "allowedFunctionNames": ["t"]})),
    ];
    for (choice, expected) in rows {
        let body = body(of("gemini-3-pro-preview"), &Request { choice: choice.clone(), ..request() });
        assert_eq!(body["toolConfig"]["functionCallingConfig"], expected, "{choice:?}");
    }
}

#[test]
fn wa_04_thinking_as_the_model_takes_it() {
    use crate::Effort;
    let rows = [
        ("gemini-2.0-flash", ThinkingWish::Off, Value::Null),
        ("gemini-2.5-flash", ThinkingWish::Off, json!({"thinkingBudget": 0, "includeThoughts": false})),
        ("gemini-2.5-pro", ThinkingWish::Off, json!({"thinkingBudget": 128, "includeThoughts": true})),
        ("gemini-2.5-pro", ThinkingWish::Budget(500), json!({"thinkingBudget": 500, "includeThoughts": true})),
        ("gemini-2.5-pro", ThinkingWish::Own, json!({"includeThoughts": true})),
        ("gemini-3-pro", ThinkingWish::Effort(Effort::High), json!({"thinkingLevel": "high", "includeThoughts": true})),
        ("gemini-3-pro", ThinkingWish::Budget(5_000), json!({"thinkingLevel": "medium", "includeThoughts": true})),
        ("gemini-3-pro", ThinkingWish::Off, json!({"thinkingLevel": "low", "includeThoughts": true})),
    ];
    for (model, thinking, expected) in rows {
        let body = body(of(model), &Request { thinking, ..request() });
        assert_eq!(body["generationConfig"]["thinkingConfig"], expected, "{model} {thinking:?}");
    }
}

#[test]
fn wg_01_results_stand_in_the_order_of_their_calls_and_bear_names() {
    let call =
        |id: &str| Block::Call { id: CallId(id.to_owned()), name: format!("tool_{id}"), args_raw: String::new() };
    let result = |id: &str| Block::Result {
        call: CallId(id.to_owned()),
        json: format!("[\"{id}\"]"),
        is_error: false,
        trust: Trust::Trusted,
    };
    let mut request = request();
    request.messages.push(message(1, Speaker::Assistant, vec![call("a"), call("b")]));
    request.messages.push(message(2, Speaker::User, vec![result("b"), result("a")]));
    let with_ids = body(of("gemini-3-pro-preview"), &request);
    let expected = json!([
        {"functionResponse": {"id": "a", "name": "tool_a", "response": {"result": ["a"]}}},
        {"functionResponse": {"id": "b", "name": "tool_b", "response": {"result": ["b"]}}},
    ]);
    assert_eq!(with_ids["contents"][2]["parts"], expected);
    let without_ids = body(of("gemini-2.5-pro"), &request);
    assert_eq!(without_ids["contents"][2]["parts"][0]["functionResponse"]["id"], Value::Null);
}

fn check_response(json: &str, is_error: bool, expected: Value) {
    let mut request = request();
    let id = CallId("a".to_owned());
    let call = Block::Call { id: id.clone(), name: "t".to_owned(), args_raw: "{}".to_owned() };
    request.messages.push(message(1, Speaker::Assistant, vec![call]));
    let result = Block::Result { call: id, json: json.to_owned(), is_error, trust: Trust::Trusted };
    request.messages.push(message(2, Speaker::User, vec![result]));
    let body = body(of("gemini-2.5-pro"), &request);
    assert_eq!(body["contents"][2]["parts"][0]["functionResponse"]["response"], expected, "{json}");
}

#[test]
fn wp_05_an_error_is_said_where_the_wire_has_no_field_for_it() {
    check_response(r#"{"code":"x"}"#, true, json!({"error": {"code": "x"}}));
    check_response(r#"{"error":"x"}"#, true, json!({"error": "x"}));
    check_response(r#"{"error":"x"}"#, false, json!({"error": "x"}));
    check_response("[1]", true, json!({"error": [1]}));
    check_response("no JSON", true, json!({"error": "no JSON"}));
    check_response("no JSON", false, json!({"result": "no JSON"}));
}

fn check_schema(full: Value, expected: Option<Value>) {
    let wrapped = json!({"type": "object", "properties": {"x": full.clone()}, "$defs": {
        "Name": {"type": "string"}, "Loop": {"type": "array", "items": {"$ref": "#/$defs/Loop"}}}});
    let found = schema::subset(&wrapped).map(|schema| schema["properties"]["x"].clone());
    assert_eq!(found, expected, "{full}");
}

#[test]
fn wg_02_t_23_the_smaller_dialect_of_schemas() {
    let rows = [
        (json!({"type": "string", "format": "uri", "default": "a"}), json!({"type": "string"})),
        (
            json!({"type": "integer", "format": "int64", "exclusiveMaximum": 4}),
            json!({"type": "integer", "format": "int64"}),
        ),
        (json!({"const": "a"}), json!({"type": "string", "enum": ["a"]})),
        (json!({"type": ["number", "null"]}), json!({"type": "number", "nullable": true})),
        (json!({"type": ["number", "string"]}), json!({"anyOf": [{"type": "number"}, {"type": "string"}]})),
        (json!({"$ref": "#/$defs/Name"}), json!({"type": "string"})),
        (json!({"anyOf": [{"$ref": "#/$defs/Name"}, {"type": "null"}]}), json!({"type": "string", "nullable": true})),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "number"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "number"}]}),
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"b": {"type": "number"}}, "required": ["b"]}]}),
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["a", "b"]}),
        ),
        (json!({"type": "object", "additionalProperties": {"type": "string"}}), json!({"type": "object"})),
    ];
    for (full, expected) in rows {
        check_schema(full, Some(expected));
    }
    assert_eq!(schema::subset(&json!({"type": "object", "properties": {}})), None);
}

#[test]
fn wg_02_a_schema_that_contains_itself_ends() {
    let deep = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/Loop"}},
        "$defs": {"Loop": {"type": "array", "items": {"$ref": "#/$defs/Loop"}}}});
    let text = schema::subset(&deep).expect("it has a property").to_string();
    assert_eq!(text.matches("items").count(), 8);
    let fan: serde_json::Map<String, Value> = (0..30).map(|at| (format!("p{at}"), json!({"$ref": "#"}))).collect();
    let fan = schema::subset(&json!({"type": "object", "properties": fan})).expect("it has properties").to_string();
    assert!(fan.len() < 200_000, "{}", fan.len());
}

#[test]
fn wg_05_signatures_go_back_on_their_very_parts() {
    let own = of("gemini-3-pro-preview");
    let mut request = request();
    let said = json!([
        {"text": "Hm.", "thought": true},
        {"text": "I "}, {"text": "look."},
        {"functionCall": {"name": "t", "args": {"b": 1, "a": 2}}, "thoughtSignature": "one"},
        {"functionCall": {"name": "t"}},
        {"inlineData": {"mimeType": "x", "data": "y"}},
        {"text": "", "thoughtSignature": "end"},
    ]);
    let reply = reply(&request, &[parts(said, Some("STOP"))]);
    let sidecar = reply.sidecar.map(|sidecar| {
        Arc::new(crate::Sidecar {
            provider: own.provider.clone(),
            base: own.base.clone(),
            model: own.name.clone(),
            ..sidecar
        })
    });
    request.messages.push(RequestMessage { sidecar, ..message(1, Speaker::Assistant, Vec::new()) });
    let expected = json!([
        {"text": "Hm.", "thought": true},
        {"text": "I look."},
        {"functionCall": {"id": "call_1_0", "name": "t", "args": {"b": 1, "a": 2}}, "thoughtSignature": "one"},
        {"functionCall": {"id": "call_1_1", "name": "t", "args": {}}},
        {"inlineData": {"mimeType": "x", "data": "y"}},
        {"text": "", "thoughtSignature": "end"},
    ]);
    assert_eq!(body(own, &request)["contents"][1]["parts"], expected);
}

#[test]
fn wg_06_what_another_model_called_bears_a_stand_in() {
    let call = |id: &str| Block::Call { id: CallId(id.to_owned()), name: "t".to_owned(), args_raw: "{}".to_owned() };
    let mut request = request();
    request.messages.push(message(1, Speaker::Assistant, vec![call("a"), call("b")]));
    let newer = body(of("gemini-3-pro-preview"), &request);
    assert_eq!(newer["contents"][1]["parts"][0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(newer["contents"][1]["parts"][1]["thoughtSignature"], Value::Null);
    let older = body(of("gemini-2.5-pro"), &request);
    assert_eq!(older["contents"][1]["parts"][0]["thoughtSignature"], Value::Null);
}

#[test]
fn wg_01_calls_without_a_name_of_their_own_get_one_by_entry() {
    let two = json!([{"functionCall": {"name": "t"}}, {"functionCall": {"name": "t", "id": "own"}}, {"functionCall": {"name": "t"}}]);
    let reply = reply(&request(), &[parts(two, Some("STOP"))]);
    let ids: Vec<String> = reply
        .blocks
        .iter()
        .filter_map(|block| match block {
            crate::ReplyBlock::Call { id, .. } => Some(id.0.clone()),
            crate::ReplyBlock::Text(_) => None,
        })
        .collect();
    assert_eq!(ids, ["call_1_0", "own", "call_1_1"]);
}

fn check_error(status: u16, error: Value, kind: ModelErrorKind, window: Option<u32>) {
    let body = json!({"error": error}).to_string();
    let wire = Gemini::new(of("gemini-3-pro-preview"));
    let answer = wire.classify(status, &Headers::default(), body.as_bytes());
    assert_eq!((answer.kind, answer.window), (kind, window), "{status} {body}");
    let mut decoder = wire.decoder(&request());
    decoder.push(format!("data: {body}\n\n").as_bytes());
    let inside = decoder.finish().expect_err("an error");
    assert_eq!((inside.kind, inside.window), (kind, window), "inside a stream: {body}");
}

#[test]
fn wt_05_we_05_errors_by_kind_as_an_answer_and_inside_a_stream() {
    use ModelErrorKind as K;
    let error = |code: u16, status: &str, message: &str, details: Value| json!({"code": code, "status": status, "message": message, "details": details});
    let quota = |id: &str| json!([{"@type": "QuotaFailure", "violations": [{"quotaId": id}]}]);
    let delay = |text: &str| json!([{"@type": "RetryInfo", "retryDelay": text}]);
    let long = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";
    let rows = [
        (error(400, "INVALID_ARGUMENT", long, json!([])), K::Overflow, Some(1_048_576)),
        (error(400, "INVALID_ARGUMENT", "Invalid value at 'contents'", json!([])), K::BadRequest, None),
        (error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", json!([])), K::Auth, None),
        (error(400, "INVALID_ARGUMENT", "no", json!([{"reason": "API_KEY_INVALID"}])), K::Auth, None),
        (error(400, "INVALID_ARGUMENT", "Corrupted thought signature.", json!([])), K::PrefixBound, None),
        (
            error(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature", json!([])),
            K::PrefixBound,
            None,
        ),
        (error(401, "UNAUTHENTICATED", "no", json!([])), K::Auth, None),
        (error(403, "PERMISSION_DENIED", "no", json!([])), K::Auth, None),
        (error(404, "NOT_FOUND", "no such model", json!([])), K::BadRequest, None),
        (error(429, "RESOURCE_EXHAUSTED", "slow down", quota("RequestsPerMinutePerProject")), K::RateLimit, None),
        (error(429, "RESOURCE_EXHAUSTED", "slow down", quota("RequestsPerDayPerProject-FreeTier")), K::Quota, None),
        (error(429, "RESOURCE_EXHAUSTED", "slow down", delay("34.4s")), K::RateLimit, None),
        (error(429, "RESOURCE_EXHAUSTED", "slow down", delay("301s")), K::Quota, None),
        (error(500, "INTERNAL", "oh", json!([])), K::Overloaded, None),
        (error(503, "UNAVAILABLE", "busy", json!([])), K::Overloaded, None),
        (error(504, "DEADLINE_EXCEEDED", "late", json!([])), K::Overloaded, None),
    ];
    for (error, kind, window) in rows {
        let status = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).expect("a status");
        check_error(status, error, kind, window);
    }
}

#[test]
fn wt_04_more_tools_than_it_takes_are_refused() {
    let decl =
        |number: u32| ToolDecl { name: format!("t{number}"), description: String::new(), input_schema: json!({}) };
    let wire = Gemini::new(of("gemini-2.5-pro"));
    let request = Request { tools: (0..129).map(decl).collect(), ..request() };
    let refused = wire.encode(&request, &Marks::default()).err();
    assert_eq!(refused, Some(EncodeError::TooManyTools { model: "gemini-2.5-pro".to_owned(), max: 128, count: 129 }));
}

#[test]
fn h_03_each_provider_gets_the_whole_schema_under_its_own_name() {
    let whole = json!({"type": "object", "properties": {"at": {"$ref": "#/$defs/at"}}, "additionalProperties": false,
        "$defs": {"at": {"type": "array", "items": {"type": "number"}, "default": []}}});
    let tool = ToolDecl { name: "t".to_owned(), description: "Does it.".to_owned(), input_schema: whole.clone() };
    let request = Request { tools: Arc::from([tool]), ..request() };
    let declared = &body(of("gemini-3-pro-preview"), &request)["tools"][0]["functionDeclarations"][0];
    assert_eq!((&declared["parametersJsonSchema"], &declared["parameters"]), (&whole, &Value::Null));
    let claude = crate::Anthropic::new(caps(ServerKind::Anthropic, "claude", "https://a", "claude-opus-4-8"));
    let (sent, _) = claude.encode(&request, &Marks::default()).expect("it can be written");
    let sent: Value = serde_json::from_slice(&sent.body).expect("a body is JSON");
    assert_eq!(sent["tools"][0]["input_schema"], whole);
}

#[test]
fn h_27_what_came_from_the_cache_is_reported_and_what_went_into_it_is_not() {
    let usage = json!({"promptTokenCount": 1_000, "cachedContentTokenCount": 800, "candidatesTokenCount": 7,
        "thoughtsTokenCount": 3, "totalTokenCount": 1_010});
    let mut end = parts(json!([{"text": "Hi."}]), Some("STOP"));
    end["usageMetadata"] = usage;
    let usage = reply(&request(), &[end]).usage;
    assert_eq!((usage.in_fresh, usage.cache_read, usage.out), (200, 800, 10));
    assert_eq!((usage.cache_write_5m, usage.cache_write_1h), (0, 0));
}
