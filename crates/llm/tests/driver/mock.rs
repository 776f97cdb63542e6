//! A server on loopback that plays what it is told, byte by byte, and remembers what it was sent.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// More connections than any test makes.
const CONNECTIONS_MAX: usize = 16;
/// A thread comes to run within this, also on a busy machine.
const RUNS_WITHIN: Duration = Duration::from_secs(60);

/// Behaviour of the server on one connection.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes for ever.
    Repeat(Vec<u8>),
    /// Says nothing until the client hangs up.
    Stall,
}

/// A server that plays.
pub struct Mock {
    /// Its address.
    pub base: String,
    requests: Arc<Mutex<Vec<String>>>,
    asked: Receiver<()>,
    hung_up: Receiver<()>,
}

impl Mock {
    /// Plays one list of acts on each connection, in order; then it hangs up.
    pub fn play(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (gone, hung_up) = sync_channel(CONNECTIONS_MAX);
        let (tell, asked) = sync_channel(CONNECTIONS_MAX);
        let heard = Arc::clone(&requests);
        let hear = move |request: String| {
            heard.lock().expect("the list").push(request);
            // Not every test waits for it, and some have ended.
            tell.try_send(()).unwrap_or_default();
        };
        thread::spawn(move || {
            for script in scripts {
                let Ok((stream, _)) = listener.accept() else { return };
                serve(stream, &script, &hear, &gone);
            }
        });
        Self { base, requests, asked, hung_up }
    }

    /// Every request so far, as it came.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("the list").clone()
    }

    /// Waits until it has read a request: whoever does not wait for the answer may be there before.
    pub fn wait_until_asked(&self) {
        self.asked.recv_timeout(RUNS_WITHIN).expect("a request");
    }

    /// Waits until a client hung up on a server that said nothing.
    pub fn wait_until_hung_up(&self) {
        self.hung_up.recv().expect("the client hangs up");
    }
}

fn serve(mut stream: TcpStream, script: &[Act], hear: &impl Fn(String), gone: &SyncSender<()>) {
    let Some(request) = read_request(&mut stream) else { return };
    hear(request);
    for act in script {
        let played = match act {
            Act::Send(bytes) => stream.write_all(bytes),
            Act::Repeat(bytes) => loop {
                if let Err(error) = stream.write_all(bytes) {
                    break Err(error);
                }
            },
            Act::Stall => {
                while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
                gone.send(()).expect("somebody waits");
                return;
            }
        };
        if played.is_err() {
            return; // the client has heard enough
        }
    }
}

fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().expect("a length")) {
                return Some(text);
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
        }
    }
}

/// A whole answer.
pub fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Act {
    let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    Act::Send(
        format!("HTTP/1.1 {status} X\r\n{lines}content-length: {length}\r\nconnection: close\r\n\r\n{body}").into(),
    )
}

/// The head of a stream that ends when the server hangs up.
pub fn stream_head() -> Act {
    Act::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec())
}

/// A piece of a stream.
pub fn event(data: &str) -> Act {
    Act::Send(format!("data: {data}\n\n").into())
}

/// A stream that says `words` and ends well.
pub fn says(words: &str) -> Vec<Act> {
    let choice = |delta: &str, finish: &str| {
        format!(r#"{{"id":"c","choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}"#)
    };
    vec![
        stream_head(),
        event(&choice(&format!(r#"{{"content":"{words}"}}"#), "null")),
        event(&choice("{}", r#""stop""#)),
        event(r#"{"choices":[],"usage":{"prompt_tokens":8,"completion_tokens":3}}"#),
        event("[DONE]"),
    ]
}
