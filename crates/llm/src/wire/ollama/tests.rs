use serde_json::{Value, json};

use super::Ollama;
use crate::wire::chat::tests::{of, request};
use crate::{
    Caps, Delta, Effort, Marks, PromptRead, Request, ServerKind, Thinking, ThinkingOff, ThinkingWish, ToolChoice,
    Usage, Wire,
};

fn body(caps: Caps, request: &Request) -> Value {
    let (sent, _) = Ollama::new(caps).encode(request, &Marks::default()).expect("it can be written");
    assert_eq!(sent.path, "/api/chat");
    serde_json::from_slice(&sent.body).expect("a body is JSON")
}

#[test]
fn the_window_that_the_operator_set_is_sent() {
    let sent = body(Caps { window: 32_768, ..of(ServerKind::Ollama, "qwen3:8b") }, &request());
    assert_eq!((&sent["options"]["num_ctx"], &sent["options"]["num_predict"]), (&json!(32_768), &json!(500)));
}

#[test]
fn a_model_that_must_not_call_gets_no_tools() {
    assert!(body(of(ServerKind::Ollama, "m"), &request())["tools"].is_array());
    let none = Request { choice: ToolChoice::None, ..request() };
    assert_eq!(body(of(ServerKind::Ollama, "m"), &none)["tools"], Value::Null);
}

#[test]
fn thinking_is_a_switch_or_an_effort() {
    let thinks = |thinking, thinking_off| Caps { thinking, thinking_off, ..of(ServerKind::Ollama, "m") };
    let rows = [
        (thinks(Thinking::No, None), ThinkingWish::Off, Value::Null),
        (thinks(Thinking::Adaptive, Some(ThinkingOff::Disabled)), ThinkingWish::Off, json!(false)),
        (thinks(Thinking::Adaptive, Some(ThinkingOff::Disabled)), ThinkingWish::Effort(Effort::Low), json!(true)),
        (thinks(Thinking::Effort, None), ThinkingWish::Off, json!("low")),
        (thinks(Thinking::Effort, None), ThinkingWish::Effort(Effort::High), json!("high")),
        (thinks(Thinking::Effort, None), ThinkingWish::Own, Value::Null),
    ];
    for (caps, thinking, expected) in rows {
        assert_eq!(body(caps, &Request { thinking, ..request() })["think"], expected, "{thinking:?}");
    }
}

#[test]
fn fp_18_the_end_says_how_long_the_prompt_took() {
    let mut decoder = Ollama::new(of(ServerKind::Ollama, "m")).decoder(&request());
    let end = r#"{"done":true,"prompt_eval_count":800,"prompt_eval_duration":4000000000,"eval_count":5}"#;
    let deltas = decoder.push(format!("{end}\n").as_bytes());
    let read = PromptRead { tokens: 800, cached: 0, done: 800, elapsed_ms: 4_000 };
    assert!(deltas.contains(&Delta::Prompt(read)), "{deltas:?}");
    assert_eq!(read.per_second(), Some(200));
}

#[test]
fn fp_18_what_was_in_the_cache_is_part_of_the_prompt_and_makes_no_server_faster() {
    let mut decoder = Ollama::new(of(ServerKind::Ollama, "m")).decoder(&request());
    let counts = r#""prompt_eval_count":800,"prompt_eval_cached_count":600"#;
    let end = format!(r#"{{"done":true,{counts},"prompt_eval_duration":4000000000,"eval_count":5}}"#);
    let deltas = decoder.push(format!("{end}\n").as_bytes());
    let read = PromptRead { tokens: 800, cached: 600, done: 800, elapsed_ms: 4_000 };
    assert!(deltas.contains(&Delta::Prompt(read)), "{deltas:?}");
    assert_eq!(read.per_second(), Some(50));
    let usage = Usage { in_fresh: 200, cache_read: 600, out: 5, ..Usage::default() };
    assert!(deltas.contains(&Delta::Usage(usage)), "{deltas:?}");
}
