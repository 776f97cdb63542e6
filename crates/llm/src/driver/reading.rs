//! Sends a request and reads the answer while it comes, within all limits.

use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, timeout, timeout_at};

use super::HttpModel;
use crate::http::{self, HttpError};
use crate::wire::{errors, usage};
use crate::{Decoder, Delta, DeltaSink, Headers, HttpRequest, ModelError, ModelErrorKind, Reply, Request, Wire};

/// No reply is longer: the longest output of any model is a tenth of it.
const RESPONSE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// One event of a stream is a few hundred bytes.
const LINE_BYTES_MAX: usize = 256 * 1024;
/// Of an error this much is read; an error object is far shorter.
const ERROR_BYTES_MAX: usize = 64 * 1024;

impl HttpModel {
    pub(super) async fn exchange(
        &self,
        wire: &dyn Wire,
        sent: &HttpRequest,
        request: &Request,
        deltas: &DeltaSink,
    ) -> Result<Reply, ModelError> {
        let begun = Instant::now();
        let response = timeout(self.times.first, self.post(sent)).await;
        let response = response.map_err(|_| too_slow("did not begin to answer", self.times.first))??;
        let status = response.status().as_u16();
        if response.status().is_redirection() {
            let message = format!("{} answers with a redirection, which is not followed", http::host(&self.base));
            return Err(ModelError { status: Some(status), ..ModelError::own(ModelErrorKind::BadRequest, message) });
        }
        if !response.status().is_success() {
            let headers = headers(&response);
            let body = timeout(self.times.idle, start_of(response)).await.unwrap_or_default();
            return Err(wire.classify(status, &headers, &body));
        }
        let mut reader = Reader { decoder: wire.decoder(request), deltas, bytes: 0, line_bytes: 0, has_content: false };
        let ended = self.read(&mut reader, response, begun + self.times.first).await;
        let reply = match (reader.decoder.finish(), ended) {
            (reply, Ok(())) => reply?,
            // All of it was here before the connection failed.
            (Ok(reply), Err(Ended::Failed(_))) => reply,
            (Ok(reply), Err(Ended::Broken(error))) => return Err(ModelError { usage: Some(reply.usage), ..error }),
            (Err(partial), Err(Ended::Failed(error) | Ended::Broken(error))) => {
                return Err(ModelError { usage: partial.usage, ..error });
            }
        };
        errors::unless_overflowed(wire.caps(), usage::tokens_of(request), reply)
    }

    async fn post(&self, sent: &HttpRequest) -> Result<Response, ModelError> {
        let mut url = self.base.clone();
        url.set_path("");
        let address =
            format!("{}{}{}", url.as_str().trim_end_matches('/'), self.base.path().trim_end_matches('/'), sent.path);
        let request = self.client.post(address).headers(self.headers(sent)).body(sent.body.clone());
        request.send().await.map_err(|error| transport(&http::no_answer(&http::host(&self.base), &error)))
    }

    async fn read(&self, reader: &mut Reader<'_>, mut response: Response, first: Instant) -> Result<(), Ended> {
        loop {
            let by = if reader.has_content { Instant::now() + self.times.idle } else { first };
            let Ok(read) = timeout_at(by, response.chunk()).await else {
                let (what, time) = match reader.has_content {
                    true => ("fell silent in the middle of its answer", self.times.idle),
                    false => ("sent no content", self.times.first),
                };
                return Err(Ended::Failed(too_slow(what, time)));
            };
            let host = http::host(&self.base);
            let chunk = read.map_err(|error| Ended::Failed(transport(&http::no_answer(&host, &error))))?;
            let Some(chunk) = chunk else { return Ok(()) };
            reader.take(&chunk).map_err(|message| Ended::Broken(ModelError::own(ModelErrorKind::Protocol, message)))?;
        }
    }
}

/// How an answer ended too early.
enum Ended {
    /// The connection failed; what came may be all.
    Failed(ModelError),
    /// The answer passes a limit; nothing of it counts.
    Broken(ModelError),
}

/// An answer that is being read.
struct Reader<'a> {
    decoder: Box<dyn Decoder>,
    deltas: &'a DeltaSink,
    bytes: usize,
    /// Of the line that is not complete.
    line_bytes: usize,
    /// Something else than figures came.
    has_content: bool,
}

impl Reader<'_> {
    fn take(&mut self, chunk: &[u8]) -> Result<(), String> {
        self.bytes += chunk.len();
        if self.bytes > RESPONSE_BYTES_MAX {
            return Err(format!("the answer is longer than {RESPONSE_BYTES_MAX} bytes"));
        }
        for line in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.line_bytes += line.len();
            if self.line_bytes > LINE_BYTES_MAX {
                return Err(format!("a line of the answer is longer than {LINE_BYTES_MAX} bytes"));
            }
            if line.ends_with(b"\n") {
                self.line_bytes = 0;
            }
        }
        for delta in self.decoder.push(chunk) {
            self.has_content |= !matches!(delta, Delta::Usage(_));
            (self.deltas)(delta);
        }
        Ok(())
    }
}

/// The start of an error's body; what cannot be read any more is not missed.
async fn start_of(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < ERROR_BYTES_MAX {
        let Ok(Some(chunk)) = response.chunk().await else { break };
        body.extend_from_slice(&chunk[..chunk.len().min(ERROR_BYTES_MAX - body.len())]);
    }
    body
}

fn headers(response: &Response) -> Headers {
    let pairs = response.headers().iter();
    let texts = pairs.filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
    Headers(texts.collect())
}

fn transport(error: &HttpError) -> ModelError {
    ModelError::own(ModelErrorKind::Transport, error.to_string())
}

fn too_slow(what: &str, time: Duration) -> ModelError {
    ModelError::own(ModelErrorKind::Transport, format!("the model {what} for {} s", time.as_secs_f32()))
}
