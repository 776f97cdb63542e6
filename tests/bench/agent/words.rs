//! P10: the first word of an answer, from the model's socket to its driver and to a window.

use std::sync::Arc;
use std::time::Instant;

use api::{Fact, Frames};
use llm::{Block, Delta, Model, ModelSettings, Request, RequestMessage, ServerKind, Speaker, http_model};
use quarterdeck_tests::Site;
use quarterdeck_tests::fake_model::{Answer, FakeModel, Timing};
use robot::{ConversationId, Origin, Trust};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};

use crate::measure::{Latencies, add, latencies, now};
use crate::report::Row;

/// Rounds of one answer for each arm.
const ROUNDS: usize = 60;

/// When an answer was asked for, when its first word left the model, and when that word was there.
struct Word {
    asked: Instant,
    left: Instant,
    came: Instant,
}

/// A model that says one word an answer and waits.
struct OneWord {
    model: FakeModel,
    timing: Timing,
    left: mpsc::Receiver<Instant>,
}

/// The driver alone, and the whole way of a message.
pub async fn rows() -> Vec<Row> {
    let mut one_word = OneWord::start().await;
    let mut site = Site::start_empty().await.unwrap();
    site.use_model(&one_word.model).await.unwrap();
    let mut frames = site.api.subscribe(&site.admin);
    let caps = llm::caps(ServerKind::OpenaiCompatible, "local", &one_word.model.base(), "m-1");
    let driver = http_model(ModelSettings::new(caps, true), None).unwrap();
    let (mut plain, mut decoded, mut shown) = (Arm::default(), Arm::default(), Arm::default());
    for round in 0..ROUNDS {
        plain.add(&one_word.plain().await);
        decoded.add(&one_word.decoded(&driver).await);
        shown.add(&one_word.shown(&mut site, &mut frames, round).await);
    }
    site.api.shutdown().await;
    vec![
        decoded.word("a word of the model, decoded", &plain, "p99 <= 3 ms added"),
        shown.word("a word of the model in a window's frame", &plain, "not held for more than 16 ms"),
        shown.answer("a message to the first word in a window's frame", &plain, "–"),
    ]
}

/// Latencies of one way of asking.
struct Arm {
    word: Latencies,
    answer: Latencies,
}

impl Default for Arm {
    fn default() -> Self {
        Self { word: latencies(), answer: latencies() }
    }
}

impl Arm {
    fn add(&mut self, word: &Word) {
        add(&mut self.word, word.came.duration_since(word.left));
        add(&mut self.answer, word.came.duration_since(word.asked));
    }

    fn word(&self, what: &str, plain: &Self, goal: &'static str) -> Row {
        row(what, &plain.word, &self.word, goal)
    }

    fn answer(&self, what: &str, plain: &Self, goal: &'static str) -> Row {
        row(what, &plain.answer, &self.answer, goal)
    }
}

fn row(what: &str, plain: &Latencies, ours: &Latencies, goal: &'static str) -> Row {
    let ratio = plain.value_at_quantile(0.5) as f64 / ours.value_at_quantile(0.5) as f64;
    let against = Some(("plain client", [ratio; 3], plain.clone()));
    Row { id: "P10", what: what.to_owned(), against, latencies: ours.clone(), goal }
}

impl OneWord {
    async fn start() -> Self {
        let (sender, left) = mpsc::channel(1);
        let timing = Timing { left: sender, go_on: Arc::new(Notify::new()) };
        Self { model: FakeModel::start([]).await.unwrap(), timing, left }
    }

    fn prepare(&self, word: &str) {
        self.model.then(Answer::Timed(word.to_owned(), self.timing.clone()));
    }

    /// When the word left the model that has just been heard.
    async fn left(&mut self) -> Instant {
        self.left.recv().await.unwrap()
    }

    /// A socket, and no more of HTTP than it takes.
    async fn plain(&mut self) -> Word {
        const WORD: &str = "plainly";
        self.prepare(WORD);
        let address = self.model.base().replace("http://", "").replace("/v1", "");
        let asked = now();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let body = json!({ "model": "m-1", "stream": true, "messages": [] }).to_string();
        let head = format!("POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        let mut heard = Vec::new();
        while !String::from_utf8_lossy(&heard).contains(WORD) {
            assert!(stream.read_buf(&mut heard).await.unwrap() > 0, "the model said nothing");
        }
        let came = now();
        self.timing.go_on.notify_one();
        stream.read_to_end(&mut heard).await.unwrap();
        Word { asked, left: self.left().await, came }
    }

    /// Asks through the driver with which the station asks models.
    async fn decoded(&mut self, driver: &impl Model) -> Word {
        self.prepare("decoded");
        let (sender, mut pieces) = mpsc::channel(1);
        let heard = move |delta: Delta| {
            if matches!(delta, Delta::Text(_)) {
                // Only the first word is waited for.
                let _ = sender.try_send(now());
            }
        };
        let asked = now();
        let call = driver.call(request(), Arc::new(heard));
        let first = async {
            let came = pieces.recv().await.unwrap();
            self.timing.go_on.notify_one();
            came
        };
        let (reply, came) = tokio::join!(call, first);
        reply.unwrap();
        Word { asked, left: self.left().await, came }
    }

    /// The whole way: a message, a turn, a frame.
    async fn shown(&mut self, site: &mut Site, frames: &mut Frames, round: usize) -> Word {
        let word = format!("shown{round}.");
        self.prepare(&word);
        let asked = now();
        site.get("send_message", json!({ "text": "Say a word." })).await.unwrap();
        while !says(&frames.next().await.unwrap().facts, &word) {}
        let came = now();
        self.timing.go_on.notify_one();
        site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await.unwrap();
        Word { asked, left: self.left().await, came }
    }
}

fn says(facts: &[Fact], word: &str) -> bool {
    facts.iter().any(|fact| matches!(fact, Fact::Turn { event: agent::Event::TextDelta { text }, .. } if text == word))
}

fn request() -> Request {
    let question = RequestMessage {
        speaker: Speaker::User,
        origin: Origin::Operator("dana".into()),
        entry: Some(1),
        blocks: vec![Block::Text { text: "Say a word.".into(), trust: Trust::Trusted }],
        sidecar: None,
    };
    Request {
        session: ConversationId::from("bench"),
        epoch: 1,
        system: vec!["Answer in one word.".into()],
        tools: Arc::new([]),
        messages: vec![question],
        choice: llm::ToolChoice::Auto,
        output_max: 1_000,
        thinking: llm::ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: llm::MarkWish::default(),
        drop_blocks: false,
    }
}
