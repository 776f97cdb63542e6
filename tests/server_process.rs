//! A real `quarterdeck-server` and plain sockets to it: what any program on this computer can do.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::{Folder, SETTINGS, built};

/// An alarm is raised within this time, or the scenario fails.
const ALARM_WITHIN: Duration = Duration::from_secs(60);

/// A server with a data directory of its own; it ends with this.
pub struct ServerProcess {
    /// The address at which it listens.
    pub address: String,
    /// The token it printed.
    pub token: String,
    folder: Folder,
    child: Child,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Body, if it is JSON.
    pub body: Value,
}

/// A connection that stays open between requests.
pub struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

impl ServerProcess {
    /// Starts the server with these flags; with `--with-sim` it answers once it knows the simulated robots.
    pub async fn start(flags: &[&str]) -> anyhow::Result<Self> {
        Self::start_in(tempfile::tempdir()?, flags).await
    }

    /// Starts the server on what `folder` holds.
    pub async fn start_in(folder: TempDir, flags: &[&str]) -> anyhow::Result<Self> {
        std::fs::write(folder.path().join("config.toml"), SETTINGS)?;
        Self::start_with(folder.into(), flags, &[]).await
    }

    /// Starts the server on a folder with a `config.toml`, and with these variables.
    pub async fn start_on(folder: &Path, variables: &[(String, String)]) -> anyhow::Result<Self> {
        let folder = Folder { path: folder.to_owned(), _kept: None };
        Self::start_with(folder, &[], variables).await
    }

    async fn start_with(folder: Folder, flags: &[&str], variables: &[(String, String)]) -> anyhow::Result<Self> {
        let mut child = Command::new(built("quarterdeck-server")?)
            .arg("--data-dir")
            .arg(&folder.path)
            .args(flags)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().context("no output")?;
        let line = BufReader::new(output).lines().next_line().await?.context("it did not start")?;
        let started: Value = serde_json::from_str(&line)?;
        let address = started["url"].as_str().unwrap_or_default();
        let address = address.trim_start_matches("https://").trim_start_matches("http://").to_owned();
        let token = started["token"].as_str().unwrap_or_default().to_owned();
        Ok(Self { address, token, folder, child })
    }

    /// The folder in which it keeps its files.
    pub fn data_dir(&self) -> &Path {
        &self.folder.path
    }

    /// Kills it, as a loss of power would.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Opens a connection.
    pub async fn connect(&self) -> anyhow::Result<Connection> {
        Connection::open(&self.address).await
    }

    /// Calls an operation over a connection of its own; it must be answered.
    pub async fn get(&self, name: &str, input: Value) -> anyhow::Result<Value> {
        let reply = self.connect().await?.call(&self.token, name, &input).await?;
        anyhow::ensure!(reply.status == 200, "{name}: {reply:?}");
        Ok(reply.body)
    }

    /// The same; it must be refused, and gives status and code.
    pub async fn refused(&self, name: &str, input: Value) -> anyhow::Result<(u16, String)> {
        let reply = self.connect().await?.call(&self.token, name, &input).await?;
        Ok((reply.status, reply.body["code"].as_str().unwrap_or_default().to_owned()))
    }
}

impl Connection {
    /// Connects to a server.
    pub async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address: address.to_owned() })
    }

    /// Calls an operation.
    pub async fn call(&mut self, token: &str, name: &str, input: &Value) -> anyhow::Result<Reply> {
        let (address, body) = (&self.address, input.to_string());
        let request = format!(
            "POST /op/{name} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n\
             {body}",
            body.len()
        );
        self.send(&request).await?;
        self.reply().await
    }

    /// Sends bytes as they are.
    pub async fn send(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.stream.write_all(text.as_bytes()).await?)
    }

    /// Reads an answer.
    pub async fn reply(&mut self) -> anyhow::Result<Reply> {
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            anyhow::ensure!(self.stream.read_line(&mut line).await? > 0, "the server hung up");
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if status.is_none() {
                status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Ok(Reply { status: status.context("no status")?, body })
    }

    /// Waits until the server closes the connection; what it still says is read over.
    pub async fn closed(&mut self) -> anyhow::Result<()> {
        let mut rest = Vec::new();
        // A reset is a way to close, too.
        let _ = self.stream.read_to_end(&mut rest).await;
        Ok(())
    }

    /// Opens the channel of frames without signing in.
    pub async fn upgrade(&mut self) -> anyhow::Result<u16> {
        let request = format!(
            "GET /events HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.address
        );
        self.send(&request).await?;
        Ok(self.reply().await?.status)
    }

    /// Signs in to the channel of frames with a token that is wrong, and gives the code of the refusal.
    pub async fn refused_sign_in(&mut self, token: &str) -> anyhow::Result<String> {
        let opcode = self.sign_in(token).await?;
        anyhow::ensure!(opcode == 1, "no text, but {opcode}");
        let length = match self.stream.read_u8().await? {
            126 => self.stream.read_u16().await?.into(),
            length => usize::from(length),
        };
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).await?;
        let refusal: Value = serde_json::from_slice(&text)?;
        Ok(refusal["code"].as_str().unwrap_or_default().to_owned())
    }

    /// Says something on the channel of frames, where nobody listens.
    pub async fn say(&mut self) -> anyhow::Result<()> {
        Ok(self.stream.write_all(&[0x81, 0x82, 0, 0, 0, 0, b'h', b'i']).await?)
    }

    /// Signs in to the channel of frames and gives the code of the first answer: 1 is a text, 8 a goodbye.
    pub async fn sign_in(&mut self, token: &str) -> anyhow::Result<u8> {
        let text = json!({ "token": token }).to_string();
        // One masked text frame; the mask of zeros leaves the text as it is.
        let length = u8::try_from(text.len())?;
        anyhow::ensure!(length < 126, "a longer frame has another form");
        self.stream.write_all(&[0x81, 0x80 | length, 0, 0, 0, 0]).await?;
        self.send(&text).await?;
        let mut head = [0; 1];
        self.stream.read_exact(&mut head).await?;
        Ok(head[0] & 0x0f)
    }
}

/// Asks for the alarms until one of a flood says `sentence`.
///
/// # Errors
/// None does within 20 s, or the server hangs up.
pub async fn until_flood_alarm(address: &str, token: &str, sentence: &str) -> anyhow::Result<()> {
    let raised = async {
        // Fewer than would be a flood themselves.
        let mut looks = tokio::time::interval(Duration::from_millis(100));
        loop {
            looks.tick().await;
            // A load that has just ended may have used up what may be asked now.
            let alarms =
                Connection::open(address).await?.call(token, "list_alarms", &json!({})).await?.body.to_string();
            if alarms.contains("request_flood") && alarms.contains(sentence) {
                return anyhow::Ok(());
            }
        }
    };
    tokio::time::timeout(ALARM_WITHIN, raised).await?
}

/// Answers to the clients of a load.
#[derive(Debug, Default)]
pub struct Answers {
    /// Those that gave what was asked for.
    pub done: AtomicU64,
    /// Those that told the client to ask less often.
    pub too_many: AtomicU64,
    /// All others.
    pub others: AtomicU64,
}

/// A request that is sent again and again.
#[derive(Clone)]
pub struct Request {
    /// The client's token, right or wrong.
    pub token: String,
    /// The operation.
    pub name: &'static str,
    /// Its input.
    pub input: Value,
}

/// Sends `request` to the server at `address` as fast as it is answered, until it is `over`.
pub async fn hammer(address: String, request: Request, over: Arc<AtomicBool>, answers: Arc<Answers>) {
    while !over.load(Ordering::Relaxed) {
        // A client that is turned away comes back.
        let Ok(mut connection) = Connection::open(&address).await else { continue };
        while let Ok(reply) = connection.call(&request.token, request.name, &request.input).await {
            let counted = match reply.status {
                200 => &answers.done,
                429 => &answers.too_many,
                _ => &answers.others,
            };
            counted.fetch_add(1, Ordering::Relaxed);
            if over.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}
