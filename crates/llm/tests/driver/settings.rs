use std::time::Duration;

use expect_test::{Expect, expect};
use llm::http::{FetchLimits, fetch};
use llm::{ModelErrorKind, ModelSettings, ServerKind, Times, caps, http_model};
use secrecy::SecretString;

use crate::mock::{Mock, answer, says};
use crate::{call, local, model, request, run};

const KEY: &str = "sk-canary-0123456789";

fn check_refused(base: &str, is_local: bool, expected: Expect) {
    let caps = caps(ServerKind::OpenaiCompatible, "here", base, "some-model");
    let refusal = http_model(ModelSettings::new(caps, is_local), None).expect_err(base);
    expected.assert_eq(&refusal.to_string());
}

#[test]
fn w_03_only_encrypted_addresses_of_the_internet_are_used() {
    check_refused(
        "http://api.example.com",
        false,
        expect!["api.example.com is not encrypted: use https, or mark it as local"],
    );
    for base in [
        "https://127.0.0.1",
        "https://10.0.0.7",
        "https://[::1]",
        "https://169.254.169.254",
        "https://[::ffff:192.168.1.1]",
    ] {
        let caps = caps(ServerKind::OpenaiCompatible, "here", base, "some-model");
        let refusal = http_model(ModelSettings::new(caps, false), None).expect_err(base).to_string();
        assert!(refusal.ends_with("its address is private, and it is not marked as local"), "{refusal}");
    }
    check_refused(
        "http://8.8.8.8",
        true,
        expect!["8.8.8.8 is refused: its address is public: without encryption only local ones are used"],
    );
    check_refused("ftp://127.0.0.1", true, expect!["`ftp://127.0.0.1/` is no address like https://host/path"]);
    check_refused(
        "https://user:secret@example.com",
        false,
        expect!["`https://user:secret@example.com` is no address like https://host/path"],
    );
    check_refused("", false, expect!["`` is no address like https://host/path"]);
}

#[test]
fn w_03_a_name_that_leads_inside_is_refused_when_it_is_looked_up() {
    let caps = caps(ServerKind::OpenaiCompatible, "here", "https://localhost:9", "some-model");
    let model = http_model(ModelSettings::new(caps, false), None).expect("nothing is looked up yet");
    let error = call(&model, request()).0.expect_err("it leads inside");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("private"), "{error}");
    let limits = FetchLimits { bytes_max: 100, time: Duration::from_secs(5) };
    let error = run(fetch("https://localhost:9/x", limits)).expect_err("it leads inside");
    assert!(error.to_string().contains("private"), "{error}");
    assert!(run(fetch("http://localhost:9/x", limits)).is_err());
}

#[test]
fn w_03_a_model_that_is_local_or_thinks_has_more_time() {
    let of = |model: &str, is_local: bool| {
        let caps = caps(ServerKind::Openai, "o", "https://api.openai.com", model);
        let Times { first, idle } = Times::of(&caps, is_local);
        (first.as_secs(), idle.as_secs())
    };
    assert_eq!(of("gpt-4.1", false), (120, 30));
    assert_eq!(of("o3", false), (300, 30));
    assert_eq!(of("gpt-4.1", true), (300, 120));
}

#[test]
fn w_04_the_key_goes_to_its_server_and_nowhere_else() {
    let quoted = format!(r#"{{"error":{{"message":"Incorrect key {KEY}","code":"{KEY}"}}}}"#);
    let elsewhere = Mock::play(vec![says("x")]);
    let location = format!("{}/chat/completions", elsewhere.base);
    let mock = Mock::play(vec![
        says("Docked."),
        vec![answer(401, &[("x-request-id", KEY)], &quoted)],
        vec![answer(307, &[("location", &location)], "")],
        vec![answer(200, &[], &quoted)],
    ]);
    let model = model(local(&mock.base), Some(KEY));
    let mut said = format!("{model:?}");
    for _ in 0..4 {
        let (reply, told) = call(&model, request());
        said.push_str(&format!("{reply:?} {told:?}"));
        said.extend(reply.err().map(|error| error.to_string()));
    }
    assert!(!said.contains(KEY), "{said}");
    assert!(said.contains("Incorrect key [key]"), "{said}");
    assert!(mock.requests().iter().all(|sent| sent.contains(&format!("authorization: Bearer {KEY}\r\n"))));
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn w_04_a_key_that_is_no_header_is_refused_unseen() {
    let caps = caps(ServerKind::Openai, "openai", "https://api.openai.com", "gpt-4.1");
    let broken = SecretString::from(format!("{KEY}\n"));
    let refusal = http_model(ModelSettings::new(caps, false), Some(broken)).expect_err("it has a line end");
    assert_eq!(refusal.to_string(), "the key of openai holds characters that no key has");
}

#[test]
fn w_04_without_a_key_nothing_is_sent() {
    let mock = Mock::play(vec![says("Docked.")]);
    call(&model(local(&mock.base), None), request()).0.expect("a reply");
    assert!(!mock.requests()[0].contains("authorization"));
}

#[test]
fn an_address_is_understood_with_and_without_its_version() {
    for (server, given, path) in [
        (ServerKind::LlamaCpp, "", "/v1/chat/completions"),
        (ServerKind::LlamaCpp, "/v1/", "/v1/chat/completions"),
        (ServerKind::OpenaiCompatible, "", "/chat/completions"),
        (ServerKind::OpenaiCompatible, "/api/v2", "/api/v2/chat/completions"),
        (ServerKind::Anthropic, "/v1", "/v1/messages"),
        (ServerKind::Gemini, "/v1beta", "/v1beta/models/m:streamGenerateContent?alt=sse"),
    ] {
        let mock = Mock::play(vec![vec![answer(400, &[], "")]]);
        let base = format!("{}{given}", mock.base.trim_end_matches("/v1"));
        call(&model(caps(server, "here", &base, "m"), None), request()).0.expect_err("it is only asked");
        assert!(mock.requests()[0].starts_with(&format!("POST {path} ")), "{}", mock.requests()[0]);
    }
}
