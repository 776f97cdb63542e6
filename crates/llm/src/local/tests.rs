use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::answers::Answers;
use crate::{ServerKind, caps};

/// Answers of a server: version, tags, props, models; null where it has none.
fn answers([version, tags, props, models]: [Value; 4]) -> Answers {
    let there = |answer: Value| Some(answer).filter(|answer| !answer.is_null());
    Answers { version: there(version), tags: there(tags), props: there(props), models: there(models), running: None }
}

fn check(base: &str, given: [Value; 4], expected: &Expect) {
    check_answers(base, &answers(given), expected);
}

fn check_answers(base: &str, answers: &Answers, expected: &Expect) {
    let found = answers.server(base);
    expected
        .assert_eq(&found.map_or("nothing".to_owned(), |found| serde_json::to_string(&found).expect("it has a text")));
}

#[test]
fn ollama_is_known_by_its_version_and_models() {
    let tags = json!({ "models": [{ "name": "qwen3:8b", "size": 5, "details": { "parameter_size": "8.2B" } }, { "name": "smollm2:135m" }] });
    check(
        "http://127.0.0.1:11434",
        [json!({ "version": "0.12.3" }), tags, Value::Null, json!({ "data": [] })],
        &expect![[
            r#"{"kind":"ollama","base":"http://127.0.0.1:11434","models":[{"name":"qwen3:8b","window":null,"parameters":8200000000},{"name":"smollm2:135m","window":null}],"has_tools":null,"user_last":null}"#
        ]],
    );
}

#[test]
fn llama_cpp_says_its_window_and_what_its_template_can() {
    let props = json!({
        "default_generation_settings": { "n_ctx": 4096 },
        "chat_template": "{% for message in messages %}{% endfor %}",
        "chat_template_caps": { "supports_tools": false },
    });
    let models =
        json!({ "data": [{ "id": "smollm2.gguf", "owned_by": "llamacpp", "meta": { "n_params": 134515008 } }] });
    check(
        "http://127.0.0.1:8080",
        [Value::Null, Value::Null, props, models],
        &expect![[
            r#"{"kind":"llama_cpp","base":"http://127.0.0.1:8080","models":[{"name":"smollm2.gguf","window":4096,"parameters":134515008}],"has_tools":false,"user_last":false}"#
        ]],
    );
    let qwen = json!({
        "default_generation_settings": {},
        "n_ctx": 8192,
        "chat_template": "{% if tools %}{% endif %}{{ raise_exception('No user query found in messages.') }}",
    });
    check(
        "http://h:1",
        [Value::Null, Value::Null, qwen, json!({ "data": [{ "id": "q" }] })],
        &expect![[
            r#"{"kind":"llama_cpp","base":"http://h:1","models":[{"name":"q","window":8192}],"has_tools":true,"user_last":true}"#
        ]],
    );
}

#[test]
fn the_others_are_known_by_their_list_of_models() {
    let list = |row: Value| [Value::Null, Value::Null, Value::Null, json!({ "object": "list", "data": [row] })];
    check(
        "http://127.0.0.1:9",
        list(json!({ "id": "qwen3", "owned_by": "vllm", "max_model_len": 40960 })),
        &expect![[
            r#"{"kind":"vllm","base":"http://127.0.0.1:9","models":[{"name":"qwen3","window":40960}],"has_tools":null,"user_last":null}"#
        ]],
    );
    check(
        "http://127.0.0.1:9",
        list(json!({ "id": "q", "owned_by": "organization_owner" })),
        &expect![[
            r#"{"kind":"lm_studio","base":"http://127.0.0.1:9","models":[{"name":"q","window":null}],"has_tools":null,"user_last":null}"#
        ]],
    );
    check(
        "http://127.0.0.1:9",
        list(json!({ "id": "q" })),
        &expect![[
            r#"{"kind":"openai_compatible","base":"http://127.0.0.1:9","models":[{"name":"q","window":null}],"has_tools":null,"user_last":null}"#
        ]],
    );
}

#[test]
fn another_server_on_such_a_port_is_no_model_server() {
    let nothing = &expect!["nothing"];
    check("http://h", [Value::Null, Value::Null, Value::Null, Value::Null], nothing);
    check("http://h", [json!({ "version": "1" }), Value::Null, Value::Null, Value::Null], nothing);
    check("http://h", [json!({ "version": 1 }), json!({ "models": [] }), json!({ "a": 1 }), json!([1])], nothing);
}

#[test]
fn ollama_says_the_window_of_a_model_that_runs() {
    let tags = json!({ "models": [{ "name": "a" }, { "name": "b" }] });
    let running = json!({ "models": [{ "name": "b", "context_length": 4096 }] });
    let known = answers([json!({ "version": "0.12.3" }), tags, Value::Null, Value::Null]);
    check_answers(
        "http://h",
        &Answers { running: Some(running), ..known },
        &expect![[
            r#"{"kind":"ollama","base":"http://h","models":[{"name":"a","window":null},{"name":"b","window":4096}],"has_tools":null,"user_last":null}"#
        ]],
    );
}

#[test]
fn w_02_what_a_server_says_lowers_and_never_raises() {
    let props =
        json!({ "default_generation_settings": { "n_ctx": 2048 }, "chat_template_caps": { "supports_tools": false } });
    let small = answers([Value::Null, Value::Null, props, json!({ "data": [{ "id": "x.gguf" }] })]);
    let mut lowered = caps(ServerKind::LlamaCpp, "here", "http://h", "another-name");
    small.server("http://h").expect("a server").lower(&mut lowered);
    assert_eq!((lowered.window, lowered.output_max, lowered.native_tools), (2_048, 2_048, false));
    let large = json!({ "data": [{ "id": "q", "max_model_len": 999_999_999 }] });
    let large = answers([Value::Null, Value::Null, Value::Null, large]);
    let before = caps(ServerKind::Vllm, "here", "http://h", "q");
    let mut after = before.clone();
    large.server("http://h").expect("a server").lower(&mut after);
    assert_eq!(after, before);
}
