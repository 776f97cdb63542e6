//! Requests as they leave, byte for byte. A golden file is `golden/<wire>/<case>.http`; `UPDATE_EXPECT=1` writes it anew.

#[path = "golden/requests.rs"]
mod requests;

use expect_test::expect_file;
use llm::{Anthropic, Auth, Caps, Gemini, HttpRequest, Marks, ServerKind, Wire, caps};

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
