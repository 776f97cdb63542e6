use llm::ModelErrorKind::{self, BadRequest, Overloaded, Protocol, RateLimit, Transport};
use llm::{Delta, ReplyBlock, ServerKind, Times, Usage};

use crate::mock::{Act, Mock, answer, event, says, stream_head};
use crate::{LONG, SHORT, call, local, model, request, within};

const CONTENT: &str = r#"{"choices":[{"index":0,"delta":{"content":"He"},"finish_reason":null}],"usage":{"prompt_tokens":8,"completion_tokens":1}}"#;
const LIMITED: &str = r#"{"error":{"message":"slow down","type":"rate_limit_exceeded"}}"#;

/// One call gives this kind of error, and asks to wait so long.
fn check(script: Vec<Act>, kind: ModelErrorKind, retry_after_ms: Option<u64>) {
    check_within(LONG, script, kind, retry_after_ms);
}

fn check_within(times: Times, script: Vec<Act>, kind: ModelErrorKind, retry_after_ms: Option<u64>) {
    let told = format!("{script:.200?}");
    let mock = Mock::play(vec![script]);
    let error = call(&within(times, local(&mock.base), None), request()).0.expect_err(&told);
    assert_eq!((error.kind, error.retry_after_ms), (kind, retry_after_ms), "{told}: {error}");
    mock.wait_until_asked();
    assert_eq!(mock.requests().len(), 1, "one attempt: {told}");
}

#[test]
fn wt_06_a_whole_answer_is_a_reply() {
    let mock = Mock::play(vec![says("At the dock.")]);
    let (reply, told) = call(&model(local(&mock.base), None), request());
    let reply = reply.expect("a reply");
    assert_eq!(reply.blocks, [ReplyBlock::Text("At the dock.".into())]);
    assert_eq!(told[0], Delta::Text("At the dock.".into()));
    assert!(mock.requests()[0].starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
}

#[test]
fn wt_06_each_form_of_a_retry_time_is_understood() {
    for (headers, retry_after_ms) in [
        (&[("retry-after-ms", "1200"), ("retry-after", "9")][..], Some(1_200)),
        (&[("retry-after", "2")][..], Some(2_000)),
        (
            &[("date", "Fri, 06 Nov 2026 10:00:00 GMT"), ("retry-after", "Fri, 06 Nov 2026 10:00:30 GMT")][..],
            Some(30_000),
        ),
        (&[("x-ratelimit-reset-requests", "1m30s")][..], Some(90_000)),
        (&[("retry-after", "-1")][..], None),
        (&[][..], None),
    ] {
        check(vec![answer(429, headers, LIMITED)], RateLimit, retry_after_ms);
    }
    let in_words = r#"{"error":{"message":"Please try again in 1.2s.","code":"rate_limit_exceeded"}}"#;
    check(vec![answer(429, &[], in_words)], RateLimit, Some(1_200));
}

#[test]
fn wt_06_a_server_that_is_busy_or_behind_a_page() {
    check(vec![answer(529, &[], r#"{"error":{"message":"overloaded"}}"#)], Overloaded, None);
    check(vec![answer(503, &[("retry-after", "1")], "<html>Bad gateway</html>")], Overloaded, Some(1_000));
    check(vec![answer(408, &[], "")], Transport, None);
}

#[test]
fn wt_06_a_redirection_is_refused() {
    let inside = Mock::play(vec![says("secret")]);
    let location = format!("{}/chat/completions", inside.base);
    for status in [301, 302, 307, 308] {
        check(vec![answer(status, &[("location", &location)], "")], BadRequest, None);
    }
    assert!(inside.requests().is_empty());
}

#[test]
fn wt_06_a_connection_that_ends_early_is_transport() {
    check(vec![], Transport, None);
    check(vec![Act::Send(b"HTTP/1.1 200 OK\r\nconte".to_vec())], Transport, None);
    check(vec![stream_head()], Transport, None);
    check(vec![stream_head(), event(CONTENT)], Transport, None);
    let short = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\ndata: {\"choices\"";
    check(vec![Act::Send(short.into())], Transport, None);
}

#[test]
fn w_06_a_page_instead_of_a_reply_is_shown_and_not_asked_for_again() {
    let page = format!("<html><title>Sign in to the guest network</title>{}</html>", "x".repeat(1_000));
    let mock = Mock::play(vec![vec![answer(200, &[("content-type", "text/html")], &page)]]);
    let error = call(&model(local(&mock.base), None), request()).0.expect_err("no reply");
    assert_eq!((error.kind, error.status), (BadRequest, Some(200)));
    for part in ["200", "text/html", "Sign in to the guest network"] {
        assert!(error.message.contains(part), "{error}");
    }
    assert!(error.message.len() < 400, "{error}");
}

const SERVERS: [ServerKind; 8] = [
    ServerKind::Anthropic,
    ServerKind::Openai,
    ServerKind::Gemini,
    ServerKind::LlamaCpp,
    ServerKind::Ollama,
    ServerKind::LmStudio,
    ServerKind::Vllm,
    ServerKind::OpenaiCompatible,
];

/// A server that is spoken to in its own form.
fn own_wire(server: ServerKind, base: &str) -> llm::Caps {
    let caps = llm::caps(server, "here", base, "some-model");
    let api = if server == ServerKind::Ollama { llm::Api::OllamaChat } else { caps.api };
    llm::Caps { api, ..caps }
}

#[test]
fn w_06_a_page_and_json_that_is_no_reply_are_shown_as_they_are_on_every_wire() {
    let page =
        format!("<!DOCTYPE html>\n<html>\n<head>\n<title>Sign in</title>\n</head>\n{}</html>\n", "<p>\n".repeat(99));
    let bodies = [
        ("text/html", page.as_str(), "<title>Sign in</title>"),
        ("application/json", "{\"status\":\"ok\",\"sign_in\":true}\n", "sign_in"),
        ("application/json", "{\n  \"sign_in\": true\n}\n", "sign_in"),
        ("text/plain", "[1, 2]\n", "[1, 2]"),
    ];
    for server in SERVERS {
        for (kind, body, shown) in bodies {
            let mock = Mock::play(vec![vec![answer(200, &[("content-type", kind)], body)]]);
            let caps = own_wire(server, &mock.base);
            let error = call(&model(caps, None), request()).0.expect_err("no reply");
            assert_eq!((error.kind, error.status), (BadRequest, Some(200)), "{server:?} {body:.40}: {error}");
            for part in ["200", kind, shown] {
                assert!(error.message.contains(part), "{server:?}: {error}");
            }
            assert_eq!(mock.requests().len(), 1, "{server:?}");
        }
    }
}

#[test]
fn w_06_a_whole_reply_of_ollama_over_several_lines_is_a_reply() {
    let body = "{\n  \"message\": {\"role\": \"assistant\", \"content\": \"At the dock.\"},\n  \"done\": true\n}\n";
    let mock = Mock::play(vec![vec![answer(200, &[("content-type", "application/json")], body)]]);
    let caps = own_wire(ServerKind::Ollama, &mock.base);
    let reply = call(&model(caps, None), request()).0.expect("a reply");
    assert_eq!(reply.blocks, [ReplyBlock::Text("At the dock.".into())]);
}

#[test]
fn w_03_figures_that_no_server_can_mean_do_not_throw_a_reply_away() {
    let stream = r#"{"choices":[{"delta":{"content":"At the dock."},"finish_reason":"stop"}],"usage":{"prompt_tokens":18446744073709551615,"completion_tokens":18446744073709551615}}"#;
    let mock = Mock::play(vec![vec![stream_head(), event(stream)]]);
    let (reply, told) = call(&model(local(&mock.base), None), request());
    let reply = reply.expect("a reply");
    assert_eq!(reply.blocks, [ReplyBlock::Text("At the dock.".into())]);
    assert!(reply.usage.estimated && reply.usage.in_fresh < 100_000, "{:?}", reply.usage);
    assert!(!told.iter().any(|delta| matches!(delta, Delta::Usage(_))), "{told:?}");
}

#[test]
fn w_03_a_text_that_would_fill_the_window_is_cut() {
    let line = format!(r#"{{"choices":[{{"delta":{{"content":"{}"}}}}]}}"#, "word ".repeat(20_000));
    let end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let mut script = vec![stream_head()];
    script.extend((0..30).map(|_| event(&line)));
    script.push(event(end));
    let mock = Mock::play(vec![script]);
    let model = model(local(&mock.base), None);
    let window = llm::Model::caps(&model).window as usize;
    let reply = call(&model, request()).0.expect("a reply");
    let ReplyBlock::Text(text) = &reply.blocks[0] else { panic!("{:?}", reply.stop) };
    assert!(text.len() < window.max(16 * 1024) + 100, "{} bytes, window {window}", text.len());
    assert!(text.ends_with("[cut: this text had 3000000 bytes]"), "{}", &text[text.len() - 100..]);
}

#[test]
fn wt_06_what_came_before_a_cut_is_counted() {
    let mock = Mock::play(vec![vec![stream_head(), event(CONTENT)]]);
    let (reply, told) = call(&model(local(&mock.base), None), request());
    let used = Usage { in_fresh: 8, out: 1, ..Usage::default() };
    assert_eq!(reply.expect_err("it was cut").usage, Some(used));
    assert_eq!(told, [Delta::Usage(used), Delta::Text("He".into())]);
}

#[test]
fn wt_06_a_reply_that_was_whole_before_the_connection_broke_counts() {
    let whole: Vec<Act> = says("Docked.").into_iter().skip(1).collect();
    let head = Act::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n".to_vec());
    let mock = Mock::play(vec![[vec![head], whole].concat()]);
    let reply = call(&model(local(&mock.base), None), request()).0.expect("a reply");
    assert_eq!(reply.blocks, [ReplyBlock::Text("Docked.".into())]);
}

#[test]
fn wt_06_w_03_silence_ends_the_call() {
    let comment = Act::Send(b": still here\n\n".to_vec());
    for script in [
        vec![Act::Stall],
        vec![stream_head(), Act::Stall],
        vec![stream_head(), comment, Act::Stall],
        vec![stream_head(), event(CONTENT), Act::Stall],
    ] {
        check_within(SHORT, script, Transport, None);
    }
    let half_an_error = Act::Send(b"HTTP/1.1 500 X\r\ncontent-length: 9\r\n\r\nx".to_vec());
    // Its head has to come in time for its end to be missed.
    let late_end = Times { first: LONG.first, ..SHORT };
    check_within(late_end, vec![half_an_error, Act::Stall], Overloaded, None);
}

#[test]
fn wt_06_w_03_an_answer_without_end_is_cut() {
    let comments = Act::Repeat(": still here\n\n".repeat(1_000).into());
    check(vec![stream_head(), comments], Protocol, None);
    let words = Act::Repeat(format!("data: {CONTENT}\n\n").repeat(100).into());
    check(vec![stream_head(), words], Protocol, None);
    let ten_mib = "x".repeat(10 * 1024 * 1024);
    check(vec![answer(200, &[], &ten_mib)], Protocol, None);
    check(vec![answer(500, &[], &ten_mib)], Overloaded, None);
}

#[test]
fn wt_06_w_03_a_line_without_end_is_cut() {
    let line = format!("data: {{\"x\":\"{}\"}}\n\n", "x".repeat(1024 * 1024));
    check(vec![stream_head(), Act::Send(line.into())], Protocol, None);
}

#[test]
fn wt_06_we_05_an_error_inside_a_stream_is_that_error() {
    check(vec![stream_head(), event(LIMITED)], RateLimit, None);
    check(vec![stream_head(), event(CONTENT), event(r#"{"error":{"code":503,"message":"busy"}}"#)], Overloaded, None);
    check(vec![answer(200, &[("content-type", "application/json")], LIMITED)], RateLimit, None);
    check(vec![stream_head(), event("{not json")], Protocol, None);
}

#[test]
fn w_03_dropping_the_call_hangs_up() {
    let mock = Mock::play(vec![vec![stream_head(), event(CONTENT), Act::Stall]]);
    let model = model(local(&mock.base), None);
    let (first, heard) = std::sync::mpsc::sync_channel(8);
    crate::run(async {
        let call = llm::Model::call(&model, request(), std::sync::Arc::new(move |delta| drop(first.try_send(delta))));
        let until_told = async {
            while heard.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            reply = call => panic!("it was to be cancelled: {reply:?}"),
            () = until_told => {}
        }
    });
    mock.wait_until_hung_up();
}
