//! Sends a request and reads the answer while it comes, within all limits.

use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, timeout, timeout_at};

use super::bounds::bounded;
use super::{HttpModel, Times};
use crate::http::{self, HttpError};
use crate::wire::{errors, usage};
use crate::{Decoder, Delta, DeltaSink, Headers, HttpRequest, ModelError, ModelErrorKind, Reply, Request, Wire};

/// No reply is longer: the longest output of any model is a tenth of it.
const RESPONSE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// One event of a stream is a few hundred bytes.
const LINE_BYTES_MAX: usize = 256 * 1024;
/// Of an answer that is no reply this much is shown.
const BEGIN_BYTES: usize = 200;
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
            // Following it would carry the key and the conversation to another server.
            let message = format!("{} answers with a redirection, which is not followed", http::host(&self.base));
            return Err(ModelError { status: Some(status), ..ModelError::own(ModelErrorKind::BadRequest, message) });
        }
        if !response.status().is_success() {
            let headers = headers(&response);
            // An error whose body does not come in time is still classified by its status.
            let body = timeout(self.times.idle, start_of(response)).await.unwrap_or_default();
            return Err(wire.classify(status, &headers, &body));
        }
        let content_type = headers(&response).get("content-type").unwrap_or_default().to_owned();
        // The time for the first content began with the request, not with the headers of the answer.
        let mut reader = Reader::new(wire.decoder(request), deltas, begun + self.times.first);
        let ended = self.read(&mut reader, response).await;
        let (is_answer, begin) = (reader.decoder.is_answer(), reader.begin);
        let reply = match (reader.decoder.finish(), ended) {
            // Nothing had the form of this wire, so the beginning of the answer tells more than that it broke
            // off.
            (Err(error), Ok(())) if !is_answer && error.kind == ModelErrorKind::Transport && !begin.is_empty() => {
                return Err(no_reply(status, &content_type, &begin));
            }
            (Err(error), Ok(())) => return Err(error),
            (Ok(reply), Ok(())) => reply,
            // All of it was here before the connection failed.
            (Ok(reply), Err(Ended::Failed(_))) => reply,
            // An answer beyond the limits may be anything; only its cost counts.
            (Ok(reply), Err(Ended::Broken(error))) => return Err(ModelError { usage: Some(reply.usage), ..error }),
            (Err(partial), Err(Ended::Failed(error) | Ended::Broken(error))) => {
                return Err(ModelError { usage: partial.usage, ..error });
            }
        };
        let reply = bounded(with_plausible_usage(reply, request), wire.caps());
        errors::unless_overflowed(wire.caps(), usage::tokens_of(request), reply)
    }

    async fn post(&self, sent: &HttpRequest) -> Result<Response, ModelError> {
        let mut url = self.base.clone();
        // Put together as text, because `set_path` would escape the `?` of a path that carries a query.
        url.set_path("");
        let address =
            format!("{}{}{}", url.as_str().trim_end_matches('/'), self.base.path().trim_end_matches('/'), sent.path);
        let request = self.client.post(address).headers(self.headers(sent)).body(sent.body.clone());
        request.send().await.map_err(|error| transport(&http::no_answer(&http::host(&self.base), &error)))
    }

    async fn read(&self, reader: &mut Reader<'_>, mut response: Response) -> Result<(), Ended> {
        loop {
            let by = reader.next_due(Instant::now(), self.times);
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

/// Premature end of an answer.
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
    /// The first bytes, to show what came instead of a reply.
    begin: Vec<u8>,
    /// Of the line that is not complete.
    line_bytes: usize,
    /// That line is a comment, by which a gateway keeps a connection alive and says nothing of the model.
    is_comment: bool,
    /// Something else than comments came since the time for more was last set.
    has_moved: bool,
    /// Something else than figures came.
    has_content: bool,
    /// Deadline for more content.
    idle_due: Instant,
    /// Deadline for the first content.
    first_due: Instant,
    /// Tokens of the prompt that the server has read, as far as it says so.
    prompt_read: u64,
    /// It has read on since the time for content was last set.
    has_read_on: bool,
}

impl<'a> Reader<'a> {
    const fn new(decoder: Box<dyn Decoder>, deltas: &'a DeltaSink, first_due: Instant) -> Self {
        Self {
            decoder,
            deltas,
            bytes: 0,
            begin: Vec::new(),
            line_bytes: 0,
            is_comment: false,
            has_moved: false,
            has_content: false,
            idle_due: first_due,
            first_due,
            prompt_read: 0,
            has_read_on: false,
        }
    }

    /// Deadline for more content. A server that reads on in the prompt is at work, and is waited for anew.
    fn next_due(&mut self, now: Instant, times: Times) -> Instant {
        let has_moved = std::mem::take(&mut self.has_moved);
        if self.has_content {
            if has_moved {
                self.idle_due = now + times.idle;
            }
            return self.idle_due;
        }
        if std::mem::take(&mut self.has_read_on) {
            self.first_due = now + times.first;
        }
        self.first_due
    }

    fn take(&mut self, chunk: &[u8]) -> Result<(), String> {
        self.bytes += chunk.len();
        self.begin.extend_from_slice(&chunk[..chunk.len().min(BEGIN_BYTES - self.begin.len())]);
        if self.bytes > RESPONSE_BYTES_MAX {
            return Err(format!("the answer is longer than {RESPONSE_BYTES_MAX} bytes"));
        }
        // Decoders keep a line until it is complete, so its length is bounded before they see it.
        for line in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.is_comment = if self.line_bytes == 0 { line.starts_with(b":") } else { self.is_comment };
            self.has_moved |= !self.is_comment && !line.trim_ascii().is_empty();
            self.line_bytes += line.len();
            if self.line_bytes > LINE_BYTES_MAX {
                return Err(format!("a line of the answer is longer than {LINE_BYTES_MAX} bytes"));
            }
            if line.ends_with(b"\n") {
                self.line_bytes = 0;
            }
        }
        for delta in self.decoder.push(chunk) {
            // A figure that cannot be meant must not be shown or charged to a budget.
            if matches!(&delta, Delta::Usage(figures) if !usage::is_plausible(figures)) {
                continue;
            }
            match &delta {
                Delta::Usage(_) => {}
                Delta::Prompt(read) => {
                    self.has_read_on |= read.done > self.prompt_read;
                    self.prompt_read = self.prompt_read.max(read.done);
                }
                Delta::Text(_)
                | Delta::Thinking(_)
                | Delta::CallStart { .. }
                | Delta::CallArgs { .. }
                | Delta::CallEnd { .. }
                | Delta::Restart => self.has_content = true,
            }
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

/// An answer in another form, for example the sign-in page of a network: asking again would bring it again.
fn no_reply(status: u16, content_type: &str, begin: &[u8]) -> ModelError {
    let kind = if content_type.is_empty() { "no content type" } else { content_type };
    let begin = String::from_utf8_lossy(begin);
    let message = format!("the server answered {status} with something that is no reply ({kind}): {}", begin.trim());
    ModelError { status: Some(status), ..ModelError::own(ModelErrorKind::BadRequest, message) }
}

/// Figures that cannot be meant are replaced by an estimate.
fn with_plausible_usage(reply: Reply, request: &Request) -> Reply {
    if usage::is_plausible(&reply.usage) {
        return reply;
    }
    let written = reply.sidecar.as_ref().map_or(&[][..], |sidecar| &sidecar.blocks);
    let usage = usage::estimated(usage::tokens_of(request), written);
    Reply { usage, ..reply }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::wire::Chat;
    use crate::wire::chat::tests::{of, request};
    use crate::{PromptRead, ServerKind};

    fn progress(done: u64) -> String {
        let figures = format!(r#"{{"total":4000,"cache":1000,"processed":{done},"time_ms":2500}}"#);
        format!("data: {{\"choices\":[],\"prompt_progress\":{figures}}}\n\n")
    }

    #[test]
    fn fp_18_a_server_that_reads_on_in_the_prompt_is_waited_for_and_one_that_repeats_itself_is_not() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let times = Times { first: 120 * second, idle: 30 * second };
        let told = Arc::new(std::sync::Mutex::new(Vec::new()));
        let kept = Arc::clone(&told);
        let sink: Arc<DeltaSink> = Arc::new(move |delta| kept.lock().unwrap().push(delta));
        let decoder = Chat::new(of(ServerKind::LlamaCpp, "m")).decoder(&request());
        let mut reader = Reader::new(decoder, &*sink, now + times.first);
        let mut due_after = |chunk: &str, after: u32| {
            reader.take(chunk.as_bytes()).unwrap();
            reader.next_due(now + after * second, times) - now
        };
        assert_eq!(due_after("", 100), 120 * second);
        assert_eq!(due_after(&progress(2_000), 100), 220 * second);
        assert_eq!(due_after(&progress(2_000), 200), 220 * second, "no progress");
        assert_eq!(due_after(&progress(1_500), 210), 220 * second, "backwards");
        assert_eq!(due_after(&progress(4_000), 210), 330 * second);
        let word = "data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\n";
        assert_eq!(due_after(word, 300), 330 * second, "content came: from now on the gap between pieces counts");
        assert_eq!(
            due_after(": ping\n\n: p", 310),
            330 * second,
            "a gateway keeps the connection, the model is silent"
        );
        assert_eq!(due_after("ing\n\n", 320), 330 * second, "the rest of it");
        assert_eq!(due_after("data: {\"ch", 325), 355 * second, "half an event");
        let read = PromptRead { tokens: 4_000, cached: 1_000, done: 2_000, elapsed_ms: 2_500 };
        assert_eq!(told.lock().unwrap().first(), Some(&Delta::Prompt(read)));
        assert_eq!((read.fresh(), read.per_second()), (1_000, Some(400)));
    }
}
