use std::sync::Arc;

use proptest::prelude::*;
use robot::Trust;
use serde_json::{Value, json};

use super::Anthropic;
use crate::wire::tests::message;
use crate::{
    Block, CallId, Caps, Effort, EncodeError, Headers, MarkWish, Marks, ModelErrorKind, Request, RequestMessage,
    ServerKind, Sidecar, SidecarBlock, Speaker, ThinkingWish, ToolChoice, ToolDecl, TransientMark, Wire, caps,
};

mod marks;

fn of(model: &str) -> Caps {
    caps(ServerKind::Anthropic, "claude", "https://api.anthropic.com", model)
}

fn text(words: &str) -> Block {
    Block::Text { text: words.to_owned(), trust: Trust::Trusted }
}

fn request() -> Request {
    let marks = MarkWish { messages: true, system: true, transient: TransientMark::BeforeTransient };
    Request { marks, ..crate::wire::tests::request() }
}

fn body(caps: Caps, request: &Request, marks: &Marks) -> (Value, Marks) {
    let (sent, marks) = Anthropic::new(caps).encode(request, marks).expect("it can be written");
    (serde_json::from_slice(&sent.body).expect("a body is JSON"), marks)
}

fn check_choice(model: &str, choice: ToolChoice, thinking: ThinkingWish, expected: Value) {
    let request = Request { choice: choice.clone(), thinking, ..request() };
    let (body, _) = body(of(model), &request, &Marks::default());
    assert_eq!(body["tool_choice"], expected, "{model} {choice:?} {thinking:?}");
}

#[test]
fn wt_05_the_choice_of_tools_by_model() {
    let named = || ToolChoice::Named("t".to_owned());
    let budget = ThinkingWish::Budget(2_000);
    let rows = [
        ("claude-opus-4-8", ToolChoice::Auto, ThinkingWish::Own, Value::Null),
        ("claude-opus-4-8", ToolChoice::None, ThinkingWish::Own, json!({"type": "none"})),
        ("claude-opus-4-8", ToolChoice::Required, ThinkingWish::Effort(Effort::High), json!({"type": "any"})),
        ("claude-opus-4-8", named(), ThinkingWish::Own, json!({"type": "tool", "name": "t"})),
        ("claude-sonnet-4-5", ToolChoice::Required, ThinkingWish::Own, json!({"type": "any"})),
        ("claude-sonnet-4-5", ToolChoice::Required, budget, Value::Null),
        ("claude-sonnet-4-5", named(), budget, Value::Null),
        ("claude-sonnet-4-5", ToolChoice::None, budget, json!({"type": "none"})),
        ("claude-fable-5-1", ToolChoice::Required, ThinkingWish::Own, Value::Null),
        ("claude-opus-5-5", named(), ThinkingWish::Own, Value::Null),
        ("claude-opus-5-5", ToolChoice::None, ThinkingWish::Own, json!({"type": "none"})),
    ];
    for (model, choice, thinking, expected) in rows {
        check_choice(model, choice, thinking, expected);
    }
}

fn check_thinking(model: &str, wish: ThinkingWish, expected: &Value) {
    let request = Request { thinking: wish, sampling: Some(crate::Sampling { temperature: 0.5 }), ..request() };
    let (body, _) = body(of(model), &request, &Marks::default());
    let found = json!([body["thinking"], body["output_config"], body["temperature"]]);
    assert_eq!(found, *expected, "{model} {wish:?}");
}

#[test]
fn wa_04_thinking_and_sampling_as_the_model_takes_them() {
    let rows = [
        ("claude-sonnet-4-5", ThinkingWish::Own, json!([null, null, 0.5])),
        ("claude-sonnet-4-5", ThinkingWish::Off, json!([{"type": "disabled"}, null, 0.5])),
        (
            "claude-sonnet-4-5",
            ThinkingWish::Budget(10),
            json!([{"type": "enabled", "budget_tokens": 1024}, null, null]),
        ),
        (
            "claude-sonnet-4-5",
            ThinkingWish::Effort(Effort::High),
            json!([{"type": "enabled", "budget_tokens": 7999}, null, null]),
        ),
        ("claude-opus-4-6", ThinkingWish::Budget(5_000), json!([{"type": "adaptive"}, {"effort": "medium"}, null])),
        ("claude-opus-4-7", ThinkingWish::Own, json!([null, null, null])),
        ("claude-opus-4-7", ThinkingWish::Off, json!([{"type": "disabled"}, null, null])),
        ("claude-opus-5-5", ThinkingWish::Off, json!([null, {"effort": "low"}, null])),
        ("claude-3-5-haiku", ThinkingWish::Effort(Effort::High), json!([null, null, 0.5])),
        ("claude-of-next-year", ThinkingWish::Effort(Effort::High), json!([null, null, null])),
    ];
    for (model, wish, expected) in rows {
        check_thinking(model, wish, &expected);
    }
    let between = Caps { thinking_off: Some(crate::ThinkingOff::BetweenTools), ..of("claude-opus-5-5") };
    let off = Request { thinking: ThinkingWish::Off, ..request() };
    assert_eq!(body(between, &off, &Marks::default()).0["thinking"], json!({"type": "between_tools"}));
}

#[test]
fn wa_03_a_system_message_for_one_turn_is_marked_so() {
    let caps = Caps { system_clear: true, ..of("claude-opus-4-8") };
    let mut request = request();
    request.messages.push(RequestMessage { entry: None, ..message(0, Speaker::System, text("Two calls are left.")) });
    request.transient_from = Some(1);
    let (body, _) = body(caps, &request, &Marks::default());
    assert_eq!(body["messages"][1]["role"], "system");
    assert_eq!(body["messages"][1]["clear_at"], "next_user_message");
}

fn sidecar_blocks() -> Vec<SidecarBlock> {
    vec![
        SidecarBlock::Thinking { s: "Hm.".to_owned(), sig: Some("sig".to_owned()) },
        SidecarBlock::Text { s: "Hi.".to_owned(), sig: None },
    ]
}

#[test]
fn wa_12_wa_13_the_repair_leaves_out_thinking_and_lets_the_provider_drop_it() {
    let model = of("claude-opus-5-5");
    let mut request = request();
    let assistant = message(1, Speaker::Assistant, text("Hi."));
    let sidecar = Some(Arc::new(Sidecar { blocks: sidecar_blocks(), ..Sidecar::of(&model) }));
    request.messages.extend([RequestMessage { sidecar, ..assistant }, message(2, Speaker::User, text("And?"))]);
    let (kept, _) = body(model.clone(), &request, &Marks::default());
    assert_eq!(kept["messages"][1]["content"][0]["signature"], "sig");
    let repaired = crate::wire::replay::without_proofs(&request);
    let older = of("claude-sonnet-4-5");
    let own = |model: &Caps| Some(Arc::new(Sidecar { blocks: sidecar_blocks(), ..Sidecar::of(model) }));
    let mut again = Request { drop_blocks: true, thinking: ThinkingWish::Budget(2_000), ..request.clone() };
    again.messages[1].sidecar = own(&older);
    let (again, _) = body(older, &again, &Marks::default());
    assert_eq!(again["messages"][1]["content"], json!([{"type": "text", "text": "Hi."}]), "it knows no binding");
    assert_eq!(again["thinking"], Value::Null);
    let (body, _) = body(model, &repaired, &Marks::default());
    assert_eq!(body["messages"][1]["content"], json!([{"type": "text", "text": "Hi."}]));
    assert_eq!(body["thinking"]["block_binding"], json!({"prefix_mismatch_behavior": "drop_block"}));
}

/// Status, headers, body; kind and window.
type ErrorRow = (u16, &'static [(&'static str, &'static str)], String, ModelErrorKind, Option<u32>);

/// One call, its result and a nudge that is gone after this call.
fn nudged_after_a_result(args_raw: &str) -> Request {
    let mut request = request();
    let id = CallId("toolu_1".to_owned());
    let call = Block::Call { id: id.clone(), name: "t".to_owned(), args_raw: args_raw.to_owned() };
    let result = Block::Result { call: id, json: "{}".to_owned(), is_error: true, trust: Trust::Trusted };
    request.messages.push(message(1, Speaker::Assistant, call));
    request.messages.push(message(2, Speaker::User, result));
    request.messages.push(RequestMessage { entry: None, ..message(0, Speaker::User, text("Go on.")) });
    Request { transient_from: Some(3), ..request }
}

#[test]
fn wb_07_a_nudge_beside_results_waits_where_it_would_cost_the_thinking() {
    let kinds = |model: &str, thinking: ThinkingWish| -> Vec<String> {
        let request = Request { thinking, ..nudged_after_a_result("{}") };
        let (body, _) = body(of(model), &request, &Marks::default());
        let blocks = body["messages"][2]["content"].as_array().cloned().unwrap_or_default();
        blocks.iter().filter_map(|block| block["type"].as_str().map(str::to_owned)).collect()
    };
    let budget = ThinkingWish::Budget(2_000);
    assert_eq!(kinds("claude-sonnet-4-5", budget), ["tool_result"]);
    assert_eq!(kinds("claude-sonnet-4-5", ThinkingWish::Own), ["tool_result", "text"], "it does not think");
    assert_eq!(kinds("claude-opus-4-5", budget), ["tool_result", "text"]);
}

#[test]
fn wp_02_arguments_go_back_as_they_came_and_broken_ones_as_none() {
    let input = |args_raw: &str| {
        let request = nudged_after_a_result(args_raw);
        let (sent, _) =
            Anthropic::new(of("claude-opus-4-8")).encode(&request, &Marks::default()).expect("it can be written");
        let body = String::from_utf8(sent.body).expect("a body is text");
        let (_, behind) = body.split_once(r#""input":"#).expect("a call");
        behind.split_once("}]").map(|(input, _)| input.to_owned()).expect("the end of the call")
    };
    assert_eq!(input(r#"{ "b":1.0,  "a" : [ 2 ] }"#), r#"{ "b":1.0,  "a" : [ 2 ] }"#);
    for broken in ["", "null", "[1]", r#"{"a":"#, "nonsense"] {
        assert_eq!(input(broken), "{}", "{broken}");
    }
}

#[test]
fn wu_01_wu_03_all_input_is_counted_and_the_raw_figures_are_kept() {
    let wire = Anthropic::new(of("claude-opus-4-8"));
    let mut decoder = wire.decoder(&request());
    let usage = json!({"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300,
        "output_tokens": 4, "service_tier": "standard"});
    let start = json!({"type": "message_start", "message": {"id": "m", "content": [], "usage": usage}});
    let end = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}});
    for event in [start, end, json!({"type": "message_stop"})] {
        decoder.push(format!("data: {event}\n\n").as_bytes());
    }
    let reply = decoder.finish().expect("a reply");
    assert_eq!((reply.usage.input(), reply.usage.cache_write_5m, reply.usage.out), (321, 300, 9));
    let raw = reply.sidecar.map(|sidecar| sidecar.usage_raw).unwrap_or_default();
    assert_eq!((&raw["service_tier"], &raw["output_tokens"]), (&json!("standard"), &json!(9)));
}

fn check_error(status: u16, headers: &[(&str, &str)], body: &str, kind: ModelErrorKind, window: Option<u32>) {
    let headers = Headers(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
    let error = Anthropic::new(of("claude-opus-4-8")).classify(status, &headers, body.as_bytes());
    assert_eq!((error.kind, error.window), (kind, window), "{status} {body}");
    assert_eq!(error.status, Some(status));
}

#[test]
fn wt_05_we_02_errors_by_kind() {
    use ModelErrorKind as K;
    let said =
        |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}}).to_string();
    let bad = |message: &str| said("invalid_request_error", message);
    const WAIT: &[(&str, &str)] = &[("retry-after", "5")];
    let rows: Vec<ErrorRow> = vec![
        (400, &[], bad("prompt is too long: 210000 tokens > 200000 maximum"), K::Overflow, Some(200_000)),
        (
            400,
            &[],
            bad("input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length"),
            K::Overflow,
            Some(200_000),
        ),
        (413, &[], said("request_too_large", "Request exceeds the maximum size"), K::Overflow, None),
        (413, &[], "<html>too large</html>".to_owned(), K::Overflow, None),
        (429, WAIT, said("rate_limit_error", "slow down"), K::RateLimit, None),
        (429, &[], said("rate_limit_error", "slow down"), K::Quota, None),
        (429, WAIT, said("rate_limit_error", "You reached your monthly spend limit"), K::Quota, None),
        (402, &[], said("billing_error", "pay"), K::Quota, None),
        (400, &[], bad("Your credit balance is too low to access the API."), K::Quota, None),
        (409, &[], said("conflict_error", "again"), K::Overloaded, None),
        (500, &[], said("api_error", "Internal server error"), K::Overloaded, None),
        (503, &[], String::new(), K::Overloaded, None),
        (504, &[], said("timeout_error", "late"), K::Overloaded, None),
        (529, &[], said("overloaded_error", "Overloaded"), K::Overloaded, None),
        (408, &[], String::new(), K::Transport, None),
        (401, &[], said("authentication_error", "invalid x-api-key"), K::Auth, None),
        (403, &[], said("permission_error", "no"), K::Auth, None),
        (
            400,
            &[],
            bad("Invalid signature in thinking block at messages.3: it is bound to a different conversation"),
            K::PrefixBound,
            None,
        ),
        (400, &[], bad("messages.1.content.0: Invalid `signature` in `thinking` block"), K::PrefixBound, None),
        (400, &[], bad("This request appears to violate our Usage Policy"), K::Refused, None),
        (400, &[], bad("messages: roles must alternate"), K::BadRequest, None),
        (404, &[], said("not_found_error", "model: claude-x"), K::BadRequest, None),
    ];
    for (status, headers, body, kind, window) in rows {
        check_error(status, headers, &body, kind, window);
    }
}

#[test]
fn we_05_an_error_inside_a_stream_is_classified_like_an_answer() {
    for (kind, status) in [
        ("invalid_request_error", 400),
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("request_too_large", 413),
        ("api_error", 500),
        ("timeout_error", 504),
        ("overloaded_error", 529),
    ] {
        let event =
            json!({"type": "error", "error": {"type": kind, "message": "prompt is too long: 3 tokens > 2 maximum"}});
        let wire = Anthropic::new(of("claude-opus-4-8"));
        let answer = wire.classify(status, &Headers::default(), event.to_string().as_bytes());
        let mut decoder = wire.decoder(&request());
        decoder.push(format!("event: error\ndata: {event}\n\n").as_bytes());
        let inside = decoder.finish().expect_err("an error");
        assert_eq!((inside.kind, inside.window), (answer.kind, answer.window), "{kind}");
    }
}

#[test]
fn wt_04_the_number_of_tools_has_no_bound_here() {
    let decl =
        |number: u32| ToolDecl { name: format!("t{number}"), description: String::new(), input_schema: json!({}) };
    let many = Request { tools: (0..300).map(decl).collect(), ..request() };
    let (body, _) = body(of("claude-opus-4-8"), &many, &Marks::default());
    assert_eq!(body["tools"].as_array().map(Vec::len), Some(300));
    let none = Request { messages: Vec::new(), ..request() };
    let empty = Anthropic::new(of("claude-opus-4-8")).encode(&none, &Marks::default());
    assert_eq!(empty.err(), Some(EncodeError::Empty));
}

/// One step of a made-up conversation.
#[derive(Debug, Clone, Copy)]
enum Happens {
    Says,
    SaysNothing,
    Answers,
    Calls(usize),
    Nudged,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        Just(Happens::Says),
        Just(Happens::SaysNothing),
        Just(Happens::Answers),
        (1_usize..4).prop_map(Happens::Calls),
        Just(Happens::Nudged),
    ]
}

/// The conversation after each step that is followed by a call of the model, nudges gone after theirs.
fn conversations(steps: &[Happens], own: &Caps) -> Vec<Request> {
    let mut requests = Vec::new();
    let mut stays = vec![message(0, Speaker::User, text("Begin."))];
    for step in steps {
        let entry = stays.len() as u64;
        let mut transient = None;
        match step {
            Happens::Says => stays.push(message(entry, Speaker::User, text("More."))),
            Happens::SaysNothing => stays.push(message(entry, Speaker::User, text("  "))),
            Happens::Answers => stays.push(assistant(entry, 0, own)),
            Happens::Calls(count) => {
                stays.push(assistant(entry, *count, own));
                let result = |number: usize| Block::Result {
                    call: CallId(format!("c{entry}_{number}")),
                    json: "{}".to_owned(),
                    is_error: false,
                    trust: Trust::Trusted,
                };
                stays.extend(
                    (0..*count).map(|number| message(entry + 1 + number as u64, Speaker::User, result(number))),
                );
            }
            Happens::Nudged => {
                transient = Some(RequestMessage { entry: None, ..message(0, Speaker::User, text("Go on.")) })
            }
        }
        let transient_from = transient.is_some().then_some(stays.len());
        let messages = stays.iter().cloned().chain(transient).collect();
        requests.push(Request { messages, transient_from, ..request() });
    }
    requests
}

fn assistant(entry: u64, calls: usize, own: &Caps) -> RequestMessage {
    let call = |number: usize| (CallId(format!("c{entry}_{number}")), "t".to_owned(), "{}".to_owned());
    let mut message = message(entry, Speaker::Assistant, text("Yes."));
    let mut blocks = vec![
        SidecarBlock::Thinking { s: String::new(), sig: Some("sig".to_owned()) },
        SidecarBlock::Text { s: "Yes.".to_owned(), sig: None },
    ];
    for (id, name, args_raw) in (0..calls).map(call) {
        message.blocks.push(Block::Call { id: id.clone(), name: name.clone(), args_raw: args_raw.clone() });
        blocks.push(SidecarBlock::Call { id, name, args_raw, sig: None });
    }
    message.sidecar = Some(Arc::new(Sidecar { blocks, ..Sidecar::of(own) }));
    message
}

/// Everything in wire order without marks, one line a block.
fn stable(body: &Value) -> Vec<String> {
    let mut lines = vec![body["tools"].to_string()];
    let unmarked = |block: &Value| {
        let mut block = block.clone();
        block.as_object_mut().map(|block| block.remove("cache_control"));
        block.to_string()
    };
    lines.extend(body["system"].as_array().into_iter().flatten().map(unmarked));
    for message in body["messages"].as_array().into_iter().flatten() {
        let blocks = message["content"].as_array().into_iter().flatten();
        lines.extend(blocks.map(|block| format!("{} {}", message["role"], unmarked(block))));
    }
    lines
}

fn marked(body: &Value) -> Vec<&Value> {
    let messages = body["messages"].as_array().into_iter().flatten().flat_map(|message| message["content"].as_array());
    let blocks = body["system"].as_array().into_iter().chain(messages).flatten();
    blocks.filter(|block| block.get("cache_control").is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn wt_05_e_02_a_request_is_a_prefix_of_the_next(steps in prop::collection::vec(happens(), 1..14)) {
        let model = of("claude-opus-4-8");
        let mut before: Option<Vec<String>> = None;
        for request in conversations(&steps, &model) {
            let without_tail = Request {
                messages: request.messages[..request.transient_from.unwrap_or(request.messages.len())].to_vec(),
                transient_from: None,
                ..request
            };
            let (body, _) = body(model.clone(), &without_tail, &Marks::default());
            let now = stable(&body);
            if let Some(before) = before {
                prop_assert!(now.starts_with(&before), "{before:#?}\n{now:#?}");
            }
            before = Some(now);
        }
    }

    #[test]
    fn wb_05_i_04_at_most_three_marks_and_only_where_they_may_stand(
        steps in prop::collection::vec(happens(), 1..14),
        before_transient in any::<bool>(),
    ) {
        let model = of("claude-opus-4-8");
        let transient = if before_transient { TransientMark::BeforeTransient } else { TransientMark::SecondToLast };
        let mut marks = Marks::default();
        for request in conversations(&steps, &model) {
            let request = Request { marks: MarkWish { messages: true, system: true, transient }, ..request };
            let (body, next) = body(model.clone(), &request, &marks);
            marks = next;
            let marked = marked(&body);
            prop_assert!((1..=3).contains(&marked.len()), "{marked:?}");
            for block in marked {
                let kind = block["type"].as_str().unwrap_or_default();
                prop_assert!(["text", "tool_use", "tool_result"].contains(&kind), "{block}");
                prop_assert!(block["text"] != "Go on." && block["text"] != "  ", "{block}");
            }
        }
    }

    #[test]
    fn wa_01_wa_02_speakers_alternate_and_results_come_first(steps in prop::collection::vec(happens(), 1..14)) {
        let model = of("claude-opus-4-8");
        for request in conversations(&steps, &model) {
            let (body, _) = body(model.clone(), &request, &Marks::default());
            let messages = body["messages"].as_array().cloned().unwrap_or_default();
            for (at, message) in messages.iter().enumerate() {
                prop_assert_eq!(&message["role"], if at % 2 == 0 { "user" } else { "assistant" });
                let kinds: Vec<&str> = message["content"].as_array().into_iter().flatten()
                    .filter_map(|block| block["type"].as_str()).collect();
                prop_assert!(!kinds.is_empty());
                let results = kinds.iter().take_while(|kind| **kind == "tool_result").count();
                prop_assert!(!kinds[results..].contains(&"tool_result"), "{kinds:?}");
            }
            prop_assert_eq!(&messages[messages.len() - 1]["role"], "user");
        }
    }
}
