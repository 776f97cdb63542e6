//! Streams of providers, decoded however their bytes are split. A stream is `streams/<wire>/<name>.sse`; what is expected
//! of it, where it comes from and under which licence stands beside it in `<name>.json`.

#[path = "recorded/harness.rs"]
mod harness;

use std::path::Path;

use llm::{Anthropic, Caps, Chat, Gemini, Ollama, Wire};

fn check_all(folder: &str, wire: fn(Caps) -> Box<dyn Wire>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams").join(folder);
    let streams = harness::streams(&folder);
    assert!(!streams.is_empty(), "{} holds no stream", folder.display());
    for stream in streams {
        harness::check(&stream, wire);
    }
}

#[test]
fn wt_01_wt_02_streams_of_anthropic() {
    check_all("anthropic", |caps| Box::new(Anthropic::new(caps)));
}

#[test]
fn wt_01_wt_02_streams_of_gemini() {
    check_all("gemini", |caps| Box::new(Gemini::new(caps)));
}

#[test]
fn wt_01_wt_02_streams_of_chat_completions() {
    check_all("chat", |caps| Box::new(Chat::new(caps)));
}

#[test]
fn wt_01_wt_02_streams_of_ollama() {
    check_all("ollama", |caps| Box::new(Ollama::new(caps)));
}
