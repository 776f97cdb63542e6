use std::time::Duration;

use llm::{Embedder, EmbeddingSettings, ModelErrorKind, ServerKind, Usage, embedder};
use secrecy::SecretString;

use crate::mock::{Act, Mock, answer};
use crate::run;

fn of(server: ServerKind, base: &str, time: Duration) -> Embedder {
    let (base, model) = (base.to_owned(), "small".to_owned());
    let settings = EmbeddingSettings { server, base, model, is_local: true, time };
    embedder(settings, Some(SecretString::from("sk-1"))).expect("an embedder")
}

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("text {number}")).collect()
}

fn read(in_fresh: u64, estimated: bool) -> Usage {
    Usage { in_fresh, estimated, ..Usage::default() }
}

const LONG: Duration = Duration::from_secs(120);

#[test]
fn texts_are_placed_in_their_order() {
    let body = r#"{"data":[{"index":1,"embedding":[0.5,-1]},{"index":0,"embedding":[1e-3,2]}],"usage":{"prompt_tokens":7,"total_tokens":7}}"#;
    let mock = Mock::play(vec![vec![answer(200, &[], body)]]);
    let found = run(of(ServerKind::OpenaiCompatible, &mock.base, LONG).embeddings(&texts(2))).expect("places");
    assert_eq!(found.places, [vec![0.001, 2.0], vec![0.5, -1.0]]);
    assert_eq!((found.usage, found.usage_raw["total_tokens"].as_u64()), (read(7, false), Some(7)));
    let sent = &mock.requests()[0];
    assert!(sent.starts_with("POST /v1/embeddings ") && sent.contains("authorization: Bearer sk-1\r\n"), "{sent}");
    assert!(sent.ends_with(r#"{"input":["text 0","text 1"],"model":"small"}"#), "{sent}");
}

#[test]
fn ollama_is_asked_in_its_own_form() {
    let mock = Mock::play(vec![vec![answer(200, &[], r#"{"embeddings":[[1,2]],"prompt_eval_count":3}"#)]]);
    let found = run(of(ServerKind::Ollama, &mock.base, LONG).embeddings(&texts(1))).expect("places");
    assert_eq!((found.places, found.usage), (vec![vec![1.0, 2.0]], read(3, false)));
    assert!(mock.requests()[0].starts_with("POST /api/embed "));
}

#[test]
fn k_01_what_a_server_does_not_say_it_took_is_a_guess() {
    let mock = Mock::play(vec![vec![answer(200, &[], r#"{"embeddings":[[1],[2]]}"#)]]);
    let found = run(of(ServerKind::Ollama, &mock.base, LONG).embeddings(&texts(2))).expect("places");
    assert_eq!((found.usage, found.usage_raw.is_null()), (read(3, true), true));
}

#[test]
fn an_answer_that_places_nothing_is_an_error() {
    let rows = [
        (answer(200, &[], r#"{"embeddings":[[1],[2]]}"#), ModelErrorKind::Protocol),
        (answer(200, &[], r#"{"embeddings":[["x"]]}"#), ModelErrorKind::Protocol),
        (answer(200, &[], r#"{"embeddings":[[1e300]]}"#), ModelErrorKind::Protocol),
        (answer(200, &[], "<html>"), ModelErrorKind::Protocol),
        (answer(401, &[], r#"{"error":"key sk-1"}"#), ModelErrorKind::Auth),
        (answer(302, &[("location", "http://127.0.0.1:1/")], ""), ModelErrorKind::BadRequest),
        (Act::Stall, ModelErrorKind::Transport),
    ];
    for (act, kind) in rows {
        let time = if matches!(act, Act::Stall) { Duration::from_millis(300) } else { LONG };
        let mock = Mock::play(vec![vec![act]]);
        let error = run(of(ServerKind::Ollama, &mock.base, time).embeddings(&texts(1))).expect_err("no places");
        assert_eq!(error.kind, kind, "{error}");
        assert!(!error.message.contains("sk-1"), "{error}");
    }
}
