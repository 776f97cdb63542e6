use super::super::tests::of;
use super::classify;
use crate::ModelErrorKind::{self, Auth, BadRequest, Overflow, Overloaded, Quota, RateLimit, Refused, Transport};
use crate::{Headers, ServerKind};

fn check(server: ServerKind, status: u16, body: &str, kind: ModelErrorKind, window: Option<u32>) {
    let error = classify(&of(server, "m"), status, &Headers::default(), body.as_bytes());
    assert_eq!((error.kind, error.window, error.status), (kind, window, Some(status)), "{server:?} {body}");
    if kind == Overflow {
        // The same inside a stream, where no status tells.
        let event = serde_json::from_str(body).expect("an event is JSON");
        let inside = super::classify_in_stream(&of(server, "m"), &event);
        assert_eq!((inside.kind, inside.window), (kind, window), "inside a stream: {body}");
    }
}

#[test]
fn wt_05_we_02_overflow_as_each_server_says_it() {
    let rows = [
        (
            ServerKind::Openai,
            r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
            Some(128_000),
        ),
        (
            ServerKind::Openai,
            r#"{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}"#,
            None,
        ),
        (
            ServerKind::LlamaCpp,
            r#"{"error":{"code":400,"message":"request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":6031,"n_ctx":4096}}"#,
            Some(4_096),
        ),
        (
            ServerKind::Vllm,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).","type":"BadRequestError","param":null,"code":400}"#,
            Some(4_096),
        ),
        (
            ServerKind::LmStudio,
            r#"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}"#,
            None,
        ),
        (
            ServerKind::OpenaiCompatible,
            r#"{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.","code":400}}"#,
            Some(32_768),
        ),
        (
            ServerKind::OpenaiCompatible,
            r#"{"error":{"message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length","type":"invalid_request_error"}}"#,
            Some(32_768),
        ),
        (
            ServerKind::OpenaiCompatible,
            r#"{"error":"This model's maximum prompt length is 131072 but the request contains 200000 tokens."}"#,
            Some(131_072),
        ),
    ];
    for (server, body, window) in rows {
        check(server, 400, body, Overflow, window);
    }
}

#[test]
fn wt_05_errors_by_kind() {
    let error = |message: &str, code: &str| format!(r#"{{"error":{{"message":"{message}","code":"{code}"}}}}"#);
    let rows = [
        (
            429,
            error("Rate limit reached for tokens per minute: maximum context length is 5", "rate_limit_exceeded"),
            RateLimit,
        ),
        (429, error("You exceeded your current quota", "insufficient_quota"), Quota),
        (402, error("Insufficient Balance", "invalid_request_error"), Quota),
        (401, error("Incorrect API key", "invalid_api_key"), Auth),
        (403, error("Country not supported", "unsupported_country"), Auth),
        (400, error("The response was filtered", "content_filter"), Refused),
        (400, error("Unknown parameter", "unknown_parameter"), BadRequest),
        (404, error("The model does not exist", "model_not_found"), BadRequest),
        (500, error("The server had an error", "server_error"), Overloaded),
        (503, error("Loading model", "unavailable_error"), Overloaded),
        (408, String::new(), Transport),
        (502, "<html><title>502</title></html>".to_owned(), Overloaded),
        (409, String::new(), Overloaded),
    ];
    for (status, body, kind) in rows {
        check(ServerKind::OpenaiCompatible, status, &body, kind, None);
    }
}

#[test]
fn wt_05_a_template_that_cannot_is_a_wrong_request() {
    let no_jinja = r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#;
    check(ServerKind::LlamaCpp, 500, no_jinja, BadRequest, None);
    let roles = r#"{"error":{"code":500,"message":"Error executing chat template: roles must alternate","type":"server_error"}}"#;
    check(ServerKind::LlamaCpp, 500, roles, BadRequest, None);
    check(ServerKind::Vllm, 500, roles, Overloaded, None);
}

#[test]
fn we_04_a_page_is_kept_in_part() {
    let page = format!("<html>{}", "x".repeat(1_000));
    let error = classify(&of(ServerKind::Openai, "m"), 502, &Headers::default(), page.as_bytes());
    assert!(error.message.contains("502: <html>xxx") && error.message.len() < 260, "{}", error.message);
}
