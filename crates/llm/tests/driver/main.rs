//! The driver against a server that misbehaves.
#![expect(clippy::expect_used, reason = "a test that cannot play its part has failed")]

mod embeddings;
mod faults;
mod mock;
mod settings;
mod wishes;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use llm::{
    Block, Caps, Delta, HttpModel, MarkWish, Model, ModelError, ModelSettings, Reply, Request, RequestMessage,
    ServerKind, Speaker, ThinkingWish, Times, ToolChoice, caps, http_model,
};
use robot::{ConversationId, Origin, Trust};
use secrecy::SecretString;

/// For tests of silence, which must be quick.
const SHORT: Times = Times { first: Duration::from_millis(300), idle: Duration::from_millis(300) };
/// For all others, on a machine however busy.
const LONG: Times = Times { first: Duration::from_secs(120), idle: Duration::from_secs(120) };

fn local(base: &str) -> Caps {
    caps(ServerKind::OpenaiCompatible, "here", base, "some-model")
}

fn model(caps: Caps, key: Option<&str>) -> HttpModel {
    within(LONG, caps, key)
}

fn within(times: Times, caps: Caps, key: Option<&str>) -> HttpModel {
    let settings = ModelSettings { times, ..ModelSettings::new(caps, true) };
    http_model(settings, key.map(SecretString::from)).expect("a model")
}

/// Calls it once; gives what was told as well.
fn call(model: &HttpModel, request: Request) -> (Result<Reply, ModelError>, Vec<Delta>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let reply = run(model.call(request, Arc::new(move |delta| heard.lock().expect("the list").push(delta))));
    let told = told.lock().expect("the list").clone();
    (reply, told)
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

fn request() -> Request {
    Request {
        session: ConversationId::from("s-1"),
        epoch: 0,
        system: vec!["Be brief.".to_owned()],
        tools: Arc::from([]),
        messages: vec![RequestMessage {
            speaker: Speaker::User,
            origin: Origin::Operator("dana".to_owned()),
            entry: Some(0),
            blocks: vec![Block::Text { text: "Where is the arm?".to_owned(), trust: Trust::Trusted }],
            sidecar: None,
        }],
        choice: ToolChoice::Auto,
        output_max: 100,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}
