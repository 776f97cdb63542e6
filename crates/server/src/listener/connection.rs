//! One connection: HTTP/1.1 with a limit on how long its client may be silent.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{convert::Infallible, io, sync::Arc};

use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// Longest time the head of a request may take from its first byte on, and the first head from the connection on.
const HEAD_WAIT: Duration = Duration::from_secs(5);
/// Longest silence of a connection between requests, and longest time a client may leave an answer untaken.
const IDLE_WAIT: Duration = Duration::from_secs(60);
/// The longest head of a request, bytes.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// The phase of a connection.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// A head is due.
    Head(Instant),
    /// A request is being answered; the answering code has limits of its own.
    Answering,
    /// Nothing was asked since.
    Idle(Instant),
}

/// Watches how long a client is silent.
#[derive(Debug)]
pub(super) struct Watch(Mutex<Phase>);

impl Watch {
    pub fn new() -> Self {
        Self(Mutex::new(Phase::Head(Instant::now())))
    }

    pub fn begin_answer(&self) {
        *self.lock() = Phase::Answering;
    }

    pub fn end_answer(&self) {
        *self.lock() = Phase::Idle(Instant::now());
    }

    fn heard(&self) {
        let mut phase = self.lock();
        // In the other phases a byte gives no more time: a head that drips in would never be over.
        if let Phase::Idle(_) = *phase {
            *phase = Phase::Head(Instant::now());
        }
    }

    fn wrote(&self) {
        let mut phase = self.lock();
        if let Phase::Idle(_) = *phase {
            *phase = Phase::Idle(Instant::now());
        }
    }

    /// When the client has been silent for too long.
    fn deadline(&self) -> Option<Instant> {
        match *self.lock() {
            Phase::Head(since) => Some(since + HEAD_WAIT),
            Phase::Idle(since) => Some(since + IDLE_WAIT),
            Phase::Answering => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Phase> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers requests until the client goes, is silent for too long, or has to go.
pub(super) async fn serve<T, S>(
    stream: T,
    service: S,
    watch: &Arc<Watch>,
    closing: &CancellationToken,
    evicted: &CancellationToken,
) where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let stream = TokioIo::new(Watched { stream, watch: Arc::clone(watch) });
    let mut http = http1::Builder::new();
    // The head has its deadline in `Watch`, so hyper needs no timer of its own.
    http.max_buf_size(HEAD_BYTES_MAX).header_read_timeout(None);
    // Else hyper drops a request whose client has closed already, before it was looked at: a pedal that sends its stop and
    // goes would stop nothing.
    http.half_close(true);
    let served = http.serve_connection(stream, service);
    let (mut served, mut silence) = (pin!(served.with_upgrades()), pin!(sleep_until(Instant::now())));
    let (mut closing, mut evicted) = (pin!(closing.cancelled()), pin!(evicted.cancelled()));
    let mut is_closing = false;
    // Polled by hand, because the deadline moves with what is read and written.
    poll_fn(|context| {
        if !is_closing && closing.as_mut().poll(context).is_ready() {
            is_closing = true;
            served.as_mut().graceful_shutdown();
        }
        // The error of a client that breaks off is nothing to report.
        if served.as_mut().poll(context).is_ready() || evicted.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        let Some(deadline) = watch.deadline() else { return Poll::Pending };
        if silence.deadline() != deadline {
            silence.as_mut().reset(deadline);
        }
        silence.as_mut().poll(context)
    })
    .await;
}

/// A stream whose reads and writes are watched.
struct Watched<T> {
    stream: T,
    watch: Arc<Watch>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Watched<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        if into.filled().len() > before {
            self.watch.heard();
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Watched<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if matches!(written, Poll::Ready(Ok(_))) {
            self.watch.wrote();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use hyper::service::service_fn;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn a_whole_request_is_carried_out_though_its_client_has_closed_already() {
        for body in ["", "{}"] {
            let (mut client, server) = tokio::io::duplex(4_096);
            let length = body.len();
            let request = format!("POST /op/stop_all HTTP/1.1\r\nhost: here\r\ncontent-length: {length}\r\n\r\n{body}");
            client.write_all(request.as_bytes()).await.unwrap();
            client.shutdown().await.unwrap();
            let watch = Arc::new(Watch::new());
            let service = service_fn(async |_: Request<Incoming>| {
                // As one that waits for the thread of stops.
                tokio::task::yield_now().await;
                Ok::<_, Infallible>(Response::new(Body::from("stopped")))
            });
            let never = CancellationToken::new();
            serve(server, service, &watch, &never, &never).await;
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            assert!(answer.ends_with("stopped"), "{body:?}: {answer:?}");
        }
    }
}
