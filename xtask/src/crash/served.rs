//! A station in a process of its own, spoken to over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

/// Anything that is waited for happens within so many questions, or the run has failed.
const QUESTIONS_MAX: u32 = 200;
/// The time between two questions.
const QUESTION_EVERY: Duration = Duration::from_millis(100);
/// Time for an answer.
const ANSWER_WAIT: Duration = Duration::from_secs(20);

/// The audit's signing key of these runs: 32 zero bytes.
const SIGNING_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// A running `quarterdeck-server` with the simulator; killed when dropped.
pub struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    /// Starts it, and waits until the arm answers.
    pub fn start(bin: &Path, data_dir: &Path, failpoints: Option<&str>) -> anyhow::Result<Self> {
        let mut command = Command::new(bin.join("quarterdeck-server"));
        command.arg("--data-dir").arg(data_dir).arg("--with-sim");
        // A variable of whoever runs this must not crash the start that is to be checked.
        command.env("RUST_LOG", "error").env_remove("FAILPOINTS");
        command.env("QUARTERDECK_SECRET_AUDIT_SIGNING_KEY", SIGNING_KEY);
        command.envs(failpoints.map(|points| ("FAILPOINTS", points)));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the server does not start")?;
        let mut pipe = child.stderr.take().context("the server has an output for errors")?;
        // Read to its end, so that the server never waits for room in it.
        let errors = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // If the pipe breaks, what was read so far is all there is.
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let mut line = String::new();
        let output = child.stdout.take().context("the server has an output")?;
        BufReader::new(output).read_line(&mut line)?;
        let mut station = Self { child, address: String::new(), token: String::new() };
        let started: Value = serde_json::from_str(&line).with_context(|| {
            let errors = errors.join().unwrap_or_default();
            format!("the server ended before it was ready: {}", errors.trim())
        })?;
        let url = started["url"].as_str().context("the server names its address")?;
        station.address = url.trim_start_matches("http://").to_owned();
        station.token = started["token"].as_str().context("the server names its token")?.to_owned();
        station.until("list_robots", |rows| {
            let arm = rows.as_array().and_then(|rows| rows.iter().find(|row| row["id"] == "arm-1"));
            arm.is_some_and(|row| row["link"] == "live" && row["pose"].is_object())
        })?;
        Ok(station)
    }

    /// Calls an operation that must be answered.
    pub fn call(&mut self, operation: &str, input: &Value) -> anyhow::Result<Value> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(ANSWER_WAIT))?;
        let (body, host, token) = (input.to_string(), &self.address, &self.token);
        write!(
            stream,
            // Closed after the answer, so that reading to the end reads one answer.
            "POST /op/{operation} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("the server cut the answer off")?;
        if !head.starts_with("HTTP/1.1 200") {
            bail!("{operation} was refused: {body}");
        }
        Ok(serde_json::from_str(body)?)
    }

    /// Calls an operation again until it is not refused.
    pub fn call_until_done(&mut self, operation: &str, input: &Value) -> anyhow::Result<Value> {
        for _ in 1..QUESTIONS_MAX {
            let answer = self.call(operation, input);
            if answer.is_ok() || self.child.try_wait()?.is_some() {
                return answer;
            }
            std::thread::sleep(QUESTION_EVERY);
        }
        self.call(operation, input)
    }

    /// Asks `operation` again until `holds`, and gives that answer.
    pub fn until(&mut self, operation: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
        self.until_with(operation, &json!({}), holds)
    }

    /// The same with an input.
    pub fn until_with(
        &mut self,
        operation: &str,
        input: &Value,
        holds: impl Fn(&Value) -> bool,
    ) -> anyhow::Result<Value> {
        let mut answer = Value::Null;
        for _ in 0..QUESTIONS_MAX {
            answer = self.call(operation, input)?;
            if holds(&answer) {
                return Ok(answer);
            }
            std::thread::sleep(QUESTION_EVERY);
        }
        bail!("{operation} never got there: {answer:#}")
    }

    /// True if it has ended by itself; a moment after its connections break it has.
    pub fn has_ended(&mut self) -> anyhow::Result<bool> {
        for _ in 0..QUESTIONS_MAX {
            if self.child.try_wait()?.is_some() {
                return Ok(true);
            }
            std::thread::sleep(QUESTION_EVERY);
        }
        Ok(false)
    }

    /// Ends it as `kill -9` does, if it has not ended.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.kill();
    }
}
