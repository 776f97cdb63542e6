use super::{Answer, TooLong, capability, error, kind_of_status, said, too_long, unless_overflowed};
use crate::{Capability, Headers, ModelError, ModelErrorKind, Reply, ServerKind, Stop, Usage, caps};

fn headers(pairs: &[(&str, &str)]) -> Headers {
    Headers(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
}

fn check_retry(pairs: &[(&str, &str)], body: &str, expected_ms: Option<u64>) {
    let headers = headers(pairs);
    let answer = Answer { status: Some(429), headers: &headers, body: body.as_bytes() };
    let error = error(ModelErrorKind::RateLimit, answer, said(body.as_bytes()).as_ref());
    assert_eq!(error.retry_after_ms, expected_ms, "{pairs:?} {body}");
}

#[test]
fn we_01_the_first_retry_time_found_counts() {
    let delay = r#"{"error":{"message":"slow","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}]}}"#;
    check_retry(&[("retry-after-ms", "1200"), ("retry-after", "7")], delay, Some(1_200));
    check_retry(&[("retry-after", "7")], delay, Some(7_000));
    check_retry(&[("retry-after", "0.5")], "", Some(500));
    check_retry(
        &[("retry-after", "Fri, 06 Nov 2026 10:00:30 GMT"), ("date", "Fri, 06 Nov 2026 10:00:00 GMT")],
        "",
        Some(30_000),
    );
    check_retry(&[("retry-after", "Fri, 06 Nov 2026 10:00:30 GMT")], "", None);
    check_retry(
        &[("retry-after", "Fri, 06 Nov 2026 09:00:00 GMT"), ("date", "Fri, 06 Nov 2026 10:00:00 GMT")],
        "",
        None,
    );
    check_retry(&[("x-ratelimit-reset-tokens", "6m0s")], delay, Some(34_400));
    check_retry(&[], r#"{"error":{"message":"Limit reached. Please try again in 1.2s. See"}}"#, Some(1_200));
    check_retry(&[], r#"{"error":{"message":"Please try again in 120ms."}}"#, Some(120));
    check_retry(&[("x-ratelimit-reset-requests", "1s"), ("x-ratelimit-reset-tokens", "6m0s")], "", Some(360_000));
    check_retry(&[("x-ratelimit-reset-requests", "2")], "", Some(2_000));
    check_retry(&[("retry-after", "-5")], "", None);
    check_retry(&[("retry-after", "soon")], "", None);
    check_retry(&[("retry-after", "NaN")], "", None);
    check_retry(&[("retry-after-ms", "x"), ("retry-after", "2")], "", Some(2_000));
    check_retry(&[("x-ratelimit-reset-tokens", "s")], "", None);
    check_retry(&[], "", None);
}

#[test]
fn we_01_limits_that_are_not_reached_give_no_retry_time() {
    let headers = headers(&[("x-ratelimit-reset-requests", "20ms")]);
    let answer = Answer { status: Some(500), headers: &headers, body: b"" };
    assert_eq!(error(ModelErrorKind::Overloaded, answer, None).retry_after_ms, None);
}

#[test]
fn we_02_a_pattern_names_the_window_and_the_exclusions_win() {
    let patterns = [
        TooLong { says: "maximum context length is", window_at: Some(0) },
        TooLong { says: "prompt is too long", window_at: Some(1) },
    ];
    let rows: &[(&str, Option<Option<u32>>)] = &[
        ("This model's maximum context length is 128,000 tokens, however you sent 130000", Some(Some(128_000))),
        ("prompt is too long: 210000 tokens > 200000 maximum", Some(Some(200_000))),
        ("Prompt is too long", Some(None)),
        ("maximum context length is 1M tokens", Some(None)),
        ("maximum context length is 2048k tokens, not 3000000", Some(None)),
        ("maximum context length is 0 tokens", Some(None)),
        ("prompt is too long: 210k tokens > 200,000 maximum", Some(Some(200_000))),
        ("prompt is too long for your rate limit", None),
        ("maximum context length is fine, tokens per minute are not", None),
        ("Too many requests: prompt is too long", None),
        ("You exceeded your current quota: prompt is too long", None),
        ("request throttled: prompt is too long", None),
        ("something else", None),
    ];
    for (message, expected) in rows {
        assert_eq!(too_long(&patterns, message), *expected, "{message}");
    }
}

fn check_figures(usage: Usage, stop: Stop, estimate_tokens: u64, fits: bool) {
    let caps = caps(ServerKind::Ollama, "", "", "x");
    let reply = Reply { blocks: Vec::new(), stop, usage, sidecar: None };
    let checked = unless_overflowed(&caps, estimate_tokens, reply);
    assert_eq!(
        checked.as_ref().err().map(|error| error.kind),
        (!fits).then_some(ModelErrorKind::Overflow),
        "{usage:?}"
    );
}

#[test]
fn we_03_figures_prove_an_overflow_that_was_not_reported() {
    let read = |in_fresh, out| Usage { in_fresh, out, ..Usage::default() };
    check_figures(read(8_192, 5), Stop::End, 8_000, true);
    check_figures(read(8_193, 5), Stop::End, 8_000, false);
    check_figures(read(8_111, 0), Stop::Length, 8_000, false);
    check_figures(read(8_110, 0), Stop::Length, 8_000, true);
    check_figures(read(8_111, 1), Stop::Length, 8_000, true);
    check_figures(read(4_000, 5), Stop::End, 5_001, false);
    check_figures(read(4_000, 5), Stop::End, 5_000, true);
    check_figures(read(100, 5), Stop::End, 1_000, true);
    check_figures(read(100, 5), Stop::WindowExceeded, 100, false);
    check_figures(Usage { estimated: true, ..read(9_000, 5) }, Stop::End, 90_000, true);
}

#[test]
fn we_03_a_complete_reply_stays_whatever_a_servers_own_tools_have_read() {
    let caps = caps(ServerKind::Anthropic, "", "", "claude-opus-5-5");
    let usage = Usage { in_fresh: 404_500 + u64::from(caps.window), out: 5, ..Usage::default() };
    let reply = Reply { blocks: Vec::new(), stop: Stop::End, usage, sidecar: None };
    assert!(unless_overflowed(&caps, 1_000, reply.clone()).is_ok());
    assert!(unless_overflowed(&caps, 1_000, Reply { stop: Stop::Length, ..reply }).is_err());
}

#[test]
fn we_04_a_routers_error_keeps_the_words_of_the_provider_behind_it() {
    let body = br#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"detail\":\"no such tool\"}"}}}"#;
    assert_eq!(said(body).unwrap_or_default().message, r#"Provider returned error: {"detail":"no such tool"}"#);
}

#[test]
fn we_04_a_body_that_is_no_error_object_is_classified_by_its_status() {
    let page = format!("<html>{}</html>", "x".repeat(1_000));
    let headers = headers(&[("x-request-id", "r1")]);
    let answer = Answer { status: Some(502), headers: &headers, body: page.as_bytes() };
    let error = error(kind_of_status(502), answer, said(page.as_bytes()).as_ref());
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(error.message.len(), "the server answered 502: ".len() + 200);
    assert_eq!(error.request_id.as_deref(), Some("r1"));
    for (status, kind) in [
        (400, ModelErrorKind::BadRequest),
        (401, ModelErrorKind::Auth),
        (402, ModelErrorKind::Quota),
        (403, ModelErrorKind::Auth),
        (404, ModelErrorKind::BadRequest),
        (408, ModelErrorKind::Transport),
        (409, ModelErrorKind::Overloaded),
        (429, ModelErrorKind::RateLimit),
        (500, ModelErrorKind::Overloaded),
        (504, ModelErrorKind::Overloaded),
        (529, ModelErrorKind::Overloaded),
    ] {
        assert_eq!(kind_of_status(status), kind, "{status}");
    }
}

/// The message and the codes, if it is an error object.
type Shape = Option<(&'static str, &'static [&'static str])>;

#[test]
fn we_04_error_objects_are_read_in_every_known_shape() {
    let rows: &[(&str, Shape)] = &[
        (r#"{"type":"error","error":{"type":"api_error","message":"m"}}"#, Some(("m", &["api_error"]))),
        (r#"{"error":{"message":"m","type":"t","code":"c","param":null}}"#, Some(("m", &["t", "c"]))),
        (
            r#"[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]"#,
            Some(("m", &["RESOURCE_EXHAUSTED"])),
        ),
        (r#"{"error":"m"}"#, Some(("m", &[]))),
        (r#"{"object":"error","message":"m","type":"NotFoundError"}"#, Some(("m", &["NotFoundError"]))),
        (r#"{"detail":[{"msg":"m"}]}"#, Some((r#"[{"msg":"m"}]"#, &[]))),
        (r#"{"unexpected":true}"#, None),
        ("", None),
    ];
    for (body, expected) in rows {
        let said = said(body.as_bytes());
        let found = said.as_ref().map(|said| (said.message.as_str(), said.codes.iter().map(String::as_str).collect()));
        assert_eq!(found, expected.map(|(message, codes)| (message, codes.to_vec())), "{body}");
    }
}

#[test]
fn w_02_a_refusal_names_the_capability_and_it_is_lowered_once() {
    let rows: &[(&str, Option<Capability>)] = &[
        ("Thinking may not be enabled when tool_choice forces tool use.", Some(Capability::ForcedChoice)),
        ("tool_choice `any` is not supported on this model", Some(Capability::ForcedChoice)),
        ("`temperature` is deprecated for this model.", Some(Capability::Sampling)),
        ("Unsupported value: 'temperature' does not support 0.2 with this model.", Some(Capability::Sampling)),
        ("\"thinking.type.disabled\" is not supported for this model", Some(Capability::ThinkingOff)),
        ("adaptive thinking is not supported on this model", Some(Capability::Thinking)),
        ("\"thinking.type.enabled\" is not supported for this model. Use adaptive", Some(Capability::Thinking)),
        ("This model does not support the effort parameter.", Some(Capability::Thinking)),
        ("Unsupported parameter: 'reasoning_effort'", Some(Capability::Thinking)),
        ("role 'system' is not supported on this model", Some(Capability::SystemMid)),
        ("Unknown field: stream_options", Some(Capability::StreamUsage)),
        ("registry.ollama.ai/library/gemma:2b does not support tools", Some(Capability::NativeTools)),
        ("Invalid JSON payload received. Unknown name \"parametersJsonSchema\"", Some(Capability::FullSchema)),
        ("messages: roles must alternate", None),
    ];
    for (message, expected) in rows {
        let error = ModelError { status: Some(400), ..ModelError::own(ModelErrorKind::BadRequest, *message) };
        assert_eq!(capability(&error), *expected, "{message}");
        let Some(lacking) = expected else { continue };
        let caps = caps(ServerKind::Anthropic, "", "", "claude-opus-4-8");
        let caps = crate::Caps { sampling: true, system_clear: true, ..caps };
        let lowered = caps.without(*lacking).expect("it had it");
        assert_eq!(lowered.without(*lacking), None, "{message}");
    }
    let busy = ModelError { status: Some(429), ..ModelError::own(ModelErrorKind::RateLimit, "temperature") };
    assert_eq!(capability(&busy), None);
}
