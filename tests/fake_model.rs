//! A small model server for scenarios: it speaks Chat Completions on loopback, gives scripted answers, and keeps the
//! requests.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

/// The largest request that is read.
const REQUEST_BYTES_MAX: usize = 8 << 20;
/// Side calls ask for one word; conversations have more room.
const SIDE_TOKENS_MAX: u64 = 64;

/// A test that waits for a request gets it within this time, or fails.
const ASKED_WITHIN: Duration = Duration::from_secs(60);
/// Calls that are written in one piece: a million of them would fill the memory.
const CALLS_AT_ONCE: usize = 1_000;

/// The call of a tool that reads.
const LIST_ROBOTS: &str = r#"{"name":"list_robots","arguments":"{}"}"#;

/// The server's answer to one request of a conversation.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Says this, in several pieces.
    Say(String),
    /// Calls tools, each with its arguments.
    Call(Vec<(&'static str, Value)>),
    /// Calls a tool that reads so many times, all in one answer.
    CallOften(u32),
    /// Refuses with this status and body.
    Refuse(u16, Value),
    /// Sends bytes that are no answer.
    Garbage,
    /// Says one word, notes the time when it left, and ends when told to.
    Timed(String, Timing),
    /// Says how far it has read the prompt, as llama.cpp does; says that it is done when it is told to.
    Reading(Value, Arc<Notify>),
    /// Says something, then breaks off.
    BreakOff(String),
    /// Sends ten megabytes of words.
    Flood,
    /// Never answers.
    Hang,
    /// Sends the caller elsewhere.
    Redirect(String),
}

/// The timing of an answer's word.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Hears when the word left.
    pub left: mpsc::Sender<Instant>,
    /// Lets the answer end.
    pub go_on: Arc<Notify>,
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its first line and its headers.
    pub head: String,
    /// Its body.
    pub body: Value,
}

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<Answer>,
    /// The answer to side calls.
    side: Option<Answer>,
    /// The answer when no other is left.
    rest: Option<Answer>,
    asked: Vec<Asked>,
    placed: usize,
    /// Places nothing for now.
    places_nothing: bool,
    /// The word that it obeys, and what it does then.
    obeys: Option<(String, Vec<(&'static str, Value)>)>,
}

/// A running server; it ends with the value.
pub struct FakeModel {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    came: Arc<Notify>,
    /// Ends with the value.
    _serving: JoinSet<()>,
}

impl FakeModel {
    /// Starts a server that gives `answers` in order, then only says that it is done.
    pub async fn start(answers: impl IntoIterator<Item = Answer>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let script = Arc::new(Mutex::new(Script { answers: answers.into_iter().collect(), ..Script::default() }));
        let (shared, came) = (Arc::clone(&script), Arc::new(Notify::new()));
        let coming = Arc::clone(&came);
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut calls = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (script, came) = (Arc::clone(&shared), Arc::clone(&coming));
                calls.spawn(async move {
                    // A caller that hangs up is part of what is tested.
                    let _ = serve(stream, &script, &came).await;
                });
            }
        });
        Ok(Self { address, script, came, _serving: serving })
    }

    /// Has it obey from now on: wherever `word` stands in what it is shown, it makes `calls`, once in each turn, and says
    /// so. A message that begins with `#read`, a tool and its input has it call that tool first.
    pub fn obey(&self, word: &str, calls: Vec<(&'static str, Value)>) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).obeys = Some((word.to_owned(), calls));
    }

    /// Its address, as a provider's base.
    pub fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests of conversations so far, oldest first; side calls are left out.
    pub fn asked(&self) -> Vec<Asked> {
        let script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        script.asked.iter().filter(|asked| !is_side_call(&asked.body)).cloned().collect()
    }

    /// Waits until it was asked so often in conversations.
    pub async fn until_asked(&self, times: usize) -> anyhow::Result<()> {
        let asked = async {
            loop {
                let came = self.came.notified();
                if self.asked().len() >= times {
                    return;
                }
                came.await;
            }
        };
        Ok(tokio::time::timeout(ASKED_WITHIN, asked).await?)
    }

    /// The side calls it was asked so far.
    pub fn asked_beside(&self) -> Vec<Asked> {
        let script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        script.asked.iter().filter(|asked| is_side_call(&asked.body)).cloned().collect()
    }

    /// Texts that it was asked to place.
    pub fn placed(&self) -> usize {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).placed
    }

    /// Has it place texts, or refuse to.
    pub fn set_places(&self, places: bool) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).places_nothing = !places;
    }

    /// Has every side call answered so.
    pub fn beside(&self, answer: Answer) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).side = Some(answer);
    }

    /// Has it do this whenever it has nothing else to say.
    pub fn otherwise(&self, answer: Answer) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).rest = Some(answer);
    }

    /// Adds to what it will answer.
    pub fn then(&self, answer: Answer) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).answers.push_back(answer);
    }
}

/// Calls for one word: how hard a message is, whether an answer is one.
fn is_side_call(body: &Value) -> bool {
    let most = body["max_tokens"].as_u64().or(body["max_completion_tokens"].as_u64());
    body["tools"].is_null() && most.is_some_and(|most| most <= SIDE_TOKENS_MAX)
}

async fn serve(mut stream: TcpStream, script: &Mutex<Script>, came: &Notify) -> anyhow::Result<()> {
    let asked = read_request(&mut stream).await?;
    if !asked.head.starts_with("POST ") {
        stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await?;
        return Ok(());
    }
    if asked.head.starts_with("POST /v1/embeddings ") {
        return match placed(script, &asked.body) {
            Some(body) => send_json(&mut stream, &body).await,
            None => send(&mut stream, Answer::Refuse(503, json!({ "error": { "message": "busy" } }))).await,
        };
    }
    let is_side_call = is_side_call(&asked.body);
    let body = asked.body.clone();
    let answer = {
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        script.asked.push(asked);
        let side = || script.side.clone().unwrap_or_else(|| Answer::Say("DONE: it is".into()));
        let obeyed = script.obeys.as_ref().map(|(word, calls)| obey(&body, word, calls));
        let next = if is_side_call { Some(side()) } else { script.answers.pop_front().or(obeyed) };
        let next = next.or_else(|| script.rest.clone());
        next.unwrap_or_else(|| Answer::Say("I have nothing more to say.".into()))
    };
    came.notify_waiters();
    send(&mut stream, answer).await
}

/// The answer of a model that takes every word it is shown for an order.
fn obey(body: &Value, word: &str, calls: &[(&'static str, Value)]) -> Answer {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let is_told = |message: &Value| message["role"] == "user" && message.to_string().contains("[Desk ");
    let turn = messages.iter().rposition(is_told).unwrap_or(0);
    let has_called = |name: &str| {
        let made = messages[turn..].iter().flat_map(|message| message["tool_calls"].as_array().into_iter().flatten());
        made.into_iter().any(|call| call["function"]["name"] == name)
    };
    let told = texts(&messages[turn]);
    if let Some((name, rest)) = told.split_once("#read ").and_then(|(_, rest)| rest.trim().split_once(' '))
        && !has_called(name)
    {
        let input = serde_json::Deserializer::from_str(rest).into_iter().next().and_then(Result::ok);
        return Answer::Call(vec![(name.to_owned().leak(), input.unwrap_or_default())]);
    }
    let has_read = messages.iter().any(|message| message["role"] != "system" && message.to_string().contains(word));
    match calls.first() {
        Some((first, _)) if has_read && !has_called(first) => Answer::Call(calls.to_vec()),
        Some(_) if has_read => Answer::Say(format!("As I was told: {word}.")),
        Some(_) | None => Answer::Say("Nobody has told me anything.".into()),
    }
}

fn texts(message: &Value) -> String {
    let parts = message["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    message["content"].as_str().map_or_else(|| parts.collect::<Vec<_>>().join("\n"), str::to_owned)
}

/// Words that mean the same to the model for embeddings, one direction a row.
const MEANINGS: [&[&str]; 2] = [&["hot", "temperature", "heat"], &["dog", "animal", "puppy"]];

/// The place of each text: in the directions of the words it holds; none while nothing is placed.
fn placed(script: &Mutex<Script>, body: &Value) -> Option<Value> {
    let place = |text: &Value| {
        let text = text.as_str().unwrap_or_default().to_lowercase();
        let holds = |words: &&[&str]| if words.iter().any(|word| text.contains(word)) { 1.0 } else { 0.0 };
        // Every text has something of its own, so that none stands nowhere.
        MEANINGS.iter().map(holds).chain([0.1]).collect::<Vec<f64>>()
    };
    let texts = body["input"].as_array().map_or(&[][..], Vec::as_slice);
    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
    if script.places_nothing {
        return None;
    }
    script.placed += texts.len();
    let rows = texts.iter().enumerate().map(|(index, text)| json!({ "index": index, "embedding": place(text) }));
    let usage = json!({ "prompt_tokens": EMBEDDING_TOKENS, "total_tokens": EMBEDDING_TOKENS });
    Some(json!({ "data": rows.collect::<Vec<_>>(), "usage": usage }))
}

async fn send_json(stream: &mut TcpStream, body: &Value) -> anyhow::Result<()> {
    let body = body.to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    stream.write_all(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
    stream.shutdown().await?;
    Ok(())
}

async fn read_request(stream: &mut TcpStream) -> anyhow::Result<Asked> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        anyhow::ensure!(bytes.len() < REQUEST_BYTES_MAX && stream.read_buf(&mut bytes).await? > 0, "no request");
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let length = length.unwrap_or(0).min(REQUEST_BYTES_MAX);
    while bytes.len() < end + length && stream.read_buf(&mut bytes).await? > 0 {}
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or_default();
    Ok(Asked { head, body })
}

async fn call_often(stream: &mut TcpStream, times: u32) -> anyhow::Result<()> {
    for first in (0..times).step_by(CALLS_AT_ONCE) {
        // Written by hand: building a million values would be what keeps the computer busy.
        let calls = (first..times).take(CALLS_AT_ONCE).map(|index| {
            let call = format!(r#"{{"index":{index},"id":"call_{index}","type":"function","function":{LIST_ROBOTS}}}"#);
            format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n")
        });
        stream.write_all(calls.collect::<String>().as_bytes()).await?;
    }
    Ok(stream.write_all(events(&[], "tool_calls").as_bytes()).await?)
}

async fn send(stream: &mut TcpStream, answer: Answer) -> anyhow::Result<()> {
    const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    match answer {
        Answer::Say(text) => {
            let middle = text.floor_char_boundary(text.len() / 2);
            let pieces = [&text[..middle], &text[middle..]].map(|piece| json!({ "content": piece }));
            stream.write_all(STREAM.as_bytes()).await?;
            stream.write_all(events(&pieces, "stop").as_bytes()).await?;
        }
        Answer::Call(calls) => {
            let calls = calls.iter().enumerate().map(|(index, (name, args))| {
                json!({ "tool_calls": [{
                    "index": index, "id": format!("call_{index}"), "type": "function",
                    "function": { "name": name, "arguments": args.to_string() },
                }] })
            });
            stream.write_all(STREAM.as_bytes()).await?;
            stream.write_all(events(&calls.collect::<Vec<_>>(), "tool_calls").as_bytes()).await?;
        }
        Answer::CallOften(times) => {
            stream.write_all(STREAM.as_bytes()).await?;
            call_often(stream, times).await?;
        }
        Answer::Refuse(status, body) => {
            let body = body.to_string();
            let head = format!("HTTP/1.1 {status} No\r\ncontent-type: application/json\r\nconnection: close");
            stream.write_all(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
        }
        Answer::Garbage => {
            stream.write_all(STREAM.as_bytes()).await?;
            stream.write_all(b"data: {\"choices\": [<html>\n\n\x00\xff\xfe\n\ndata: nonsense\n\n").await?;
        }
        Answer::Reading(progress, go_on) => {
            stream.write_all(STREAM.as_bytes()).await?;
            let choice = json!({ "index": 0, "delta": { "role": "assistant", "content": null } });
            let read = json!({ "choices": [choice], "prompt_progress": progress });
            stream.write_all(format!("data: {read}\n\n").as_bytes()).await?;
            go_on.notified().await;
            stream.write_all(events(&[json!({ "content": "Done." })], "stop").as_bytes()).await?;
        }
        Answer::Timed(word, timing) => {
            stream.write_all(STREAM.as_bytes()).await?;
            let left = now();
            stream.write_all(event(&json!({ "content": word })).as_bytes()).await?;
            timing.left.send(left).await?;
            timing.go_on.notified().await;
            stream.write_all(events(&[], "stop").as_bytes()).await?;
        }
        Answer::BreakOff(text) => {
            stream.write_all(STREAM.as_bytes()).await?;
            stream.write_all(event(&json!({ "content": text })).as_bytes()).await?;
        }
        Answer::Flood => {
            stream.write_all(STREAM.as_bytes()).await?;
            let piece = event(&json!({ "content": "x".repeat(64 << 10) }));
            for _ in 0..160 {
                stream.write_all(piece.as_bytes()).await?;
            }
        }
        Answer::Hang => std::future::pending().await,
        Answer::Redirect(to) => {
            let head = format!("HTTP/1.1 307 Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close");
            stream.write_all(format!("{head}\r\n\r\n").as_bytes()).await?;
        }
    }
    stream.shutdown().await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time; nothing is decided by it")]
fn now() -> Instant {
    Instant::now()
}

/// Input tokens that every answer reports.
pub const PROMPT_TOKENS: u64 = 100;
/// Those of them that a cache gave.
pub const CACHED_TOKENS: u64 = 40;
/// Output tokens that every answer reports.
pub const COMPLETION_TOKENS: u64 = 7;

/// Tokens that every answer of the model for embeddings reports: with a price, more than a day may cost.
pub const EMBEDDING_TOKENS: u64 = 1_000_000_000;

fn events(deltas: &[Value], reason: &str) -> String {
    let mut text: String = deltas.iter().map(event).collect();
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let usage = json!({ "choices": [], "usage": {
        "prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS,
        "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
        "prompt_tokens_details": { "cached_tokens": CACHED_TOKENS },
    } });
    text.push_str(&format!("data: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n"));
    text
}

fn event(delta: &Value) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))
}
