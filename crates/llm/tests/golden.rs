//! Requests as they leave, byte for byte. A golden file is `golden/<wire>/<case>.http`; `UPDATE_EXPECT=1` writes it anew.
#![expect(clippy::expect_used, reason = "a request that cannot be written has failed")]

#[path = "golden/requests.rs"]
mod requests;

use expect_test::expect_file;
use llm::{Anthropic, Auth, Caps, Chat, Gemini, HttpRequest, Marks, Ollama, ServerKind, Wire, caps};

fn check_all(folder: &str, caps: Caps, wire: fn(Caps) -> Box<dyn Wire>) {
    let wire = wire(caps);
    for (case, request) in requests::cases(wire.caps()) {
        let (sent, _) = wire.encode(&request, &Marks::default()).unwrap_or_else(|error| panic!("{case}: {error}"));
        let path = format!("{}/tests/golden/{folder}/{case}.http", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&text(&sent));
        let again = wire.encode(&request, &Marks::default()).map(|(again, _)| again);
        assert_eq!(again, Ok(sent), "{case}: equal requests are equal bytes");
    }
}

fn text(sent: &HttpRequest) -> String {
    let headers = sent.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect::<String>();
    let key = match sent.auth {
        Auth::Bearer => "authorization: Bearer KEY".to_owned(),
        Auth::Header(name) => format!("{name}: KEY"),
    };
    let body = String::from_utf8(sent.body.clone()).expect("a body is text");
    format!("POST {}\n{headers}{key}\n\n{body}\n", sent.path)
}

#[test]
fn wt_04_w_01_requests_of_anthropic() {
    let of = |model| caps(ServerKind::Anthropic, "claude", "https://api.anthropic.com", model);
    check_all("anthropic", of("claude-opus-4-8"), |caps| Box::new(Anthropic::new(caps)));
    check_all("anthropic-budget", of("claude-sonnet-4-5"), |caps| Box::new(Anthropic::new(caps)));
    check_all("anthropic-bound", of("claude-opus-5-5"), |caps| Box::new(Anthropic::new(caps)));
}

#[test]
fn wt_04_w_01_requests_of_gemini() {
    let of = |model| caps(ServerKind::Gemini, "gemini", "https://generativelanguage.googleapis.com", model);
    check_all("gemini", of("gemini-3-pro-preview"), |caps| Box::new(Gemini::new(caps)));
    check_all("gemini-subset", of("gemini-2.0-flash"), |caps| Box::new(Gemini::new(caps)));
}

#[test]
fn wt_04_w_01_requests_of_chat_completions() {
    let of = |server, model| caps(server, "other", "http://127.0.0.1/v1", model);
    check_all("openai", of(ServerKind::Openai, "gpt-5.2"), |caps| Box::new(Chat::new(caps)));
    check_all("chat", of(ServerKind::LlamaCpp, "qwen3-8b"), |caps| Box::new(Chat::new(caps)));
    let no_tools = Caps { native_tools: false, ..of(ServerKind::LlamaCpp, "smollm2") };
    check_all("chat-printed", no_tools, |caps| Box::new(Chat::new(caps)));
    let loops = of(ServerKind::OpenaiCompatible, "deepseek-reasoner");
    check_all("chat-reasoning", loops, |caps| Box::new(Chat::new(caps)));
}

#[test]
fn wt_04_w_01_requests_of_ollama() {
    let caps = caps(ServerKind::Ollama, "ollama", "http://127.0.0.1:11434", "qwen3:8b");
    check_all("ollama", caps, |caps| Box::new(Ollama::new(caps)));
}
