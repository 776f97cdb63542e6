//! The listener: one thread that hears every connection. It reads the heads of requests, looks at names, tokens
//! and limits, carries out what ends motion, and hands everything else to the station's own threads. Nothing here
//! waits for them, so a stop never stands behind an ordinary request.

mod connection;
mod rates;
mod seats;

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use api::{ErrorBody, HostCode, Session};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, header};
use axum::response::Response;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener as Listener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Host;
use crate::http::{self, BODY_WAIT, refuse};
use connection::Watch;
pub(crate) use rates::Rates;
pub(crate) use seats::Seat;
use seats::Seats;

/// The largest body of a request that ends motion: a robot's name and a reason.
const STOP_BYTES_MAX: usize = 64 * 1024;
/// The largest body in which words are heard whatever its sender has asked before: nobody types more, and
/// searching more would keep the words of others waiting.
const WORDS_BYTES_MAX: u64 = 16 * 1024;
/// Delay of the answer to a client that asks too often: one that repeats it at once makes little work.
pub(crate) const THROTTLE: Duration = Duration::from_millis(250);
/// Connections that may wait to be accepted. One that comes to a full queue is lost, and its client tries again a
/// second later and then less and less often; with the usual 128 a burst of strangers would do that to a stop.
const UNACCEPTED_MAX: u32 = 4_096;
/// Longest time open connections may take to end.
const CLOSE_WAIT: Duration = Duration::from_secs(1);
/// Longest time of a TLS handshake. There are no more of them at once than there are seats, and one whose seat
/// somebody else needs ends sooner.
const HANDSHAKE_WAIT: Duration = Duration::from_secs(5);
/// Pause when the system gives it no connection.
const ACCEPT_RETRY: Duration = Duration::from_millis(10);

/// Content security policy of our pages. `style-src` needs no nonce because the window makes no style elements.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; frame-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The listening thread of a server.
pub struct HttpListener {
    thread: JoinHandle<()>,
    closing: CancellationToken,
}

impl HttpListener {
    /// Listens at `address`. Call it inside a tokio runtime.
    ///
    /// # Errors
    /// The system does not let us listen there.
    pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Closed connections of the last run would keep a restarted server from its port for a minute. On other
        // systems the option would let two programs share it.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(UNACCEPTED_MAX)?.into_std()
    }

    /// Starts to answer at `listener`. Ordinary requests run on the runtime that this is called in.
    ///
    /// # Errors
    /// The system gives no thread, or the listener cannot be used.
    pub fn open(listener: TcpListener, host: Host) -> anyhow::Result<Self> {
        listener.set_nonblocking(true).context("the listener cannot be used")?;
        let closing = CancellationToken::new();
        let ordinary = TowerToHyperService::new(http::router(host.clone()));
        let desk = Arc::new(Desk { host, ordinary, station: Handle::current(), work: TaskTracker::new() });
        let runtime = Builder::new_current_thread().enable_all().build().context("the listener cannot be opened")?;
        let listener = {
            let _of_the_listener = runtime.enter();
            Listener::from_std(listener).context("the listener cannot be used")?
        };
        let until = closing.clone();
        let thread = std::thread::Builder::new()
            .name("listener".into())
            .spawn(move || runtime.block_on(listen(&listener, &desk, &until)))
            .context("the listener cannot be opened")?;
        Ok(Self { thread, closing })
    }

    /// Takes no more connections, and ends when those that are open have had their answers.
    pub async fn close(self) {
        self.closing.cancel();
        // The thread may take a second to end, which no async thread may wait for.
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        if !matches!(joined, Ok(Ok(()))) {
            tracing::error!("the listener has failed");
        }
    }
}

/// The state that all connections share.
struct Desk {
    host: Host,
    ordinary: TowerToHyperService<Router>,
    /// The runtime on which ordinary requests run.
    station: Handle,
    work: TaskTracker,
}

async fn listen(listener: &Listener, desk: &Arc<Desk>, closing: &CancellationToken) {
    let (seats, connections) = (Seats::new(), TaskTracker::new());
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Without a seat the connection is closed before anything is read.
                if let Some(seat) = seats.take(peer.ip()) {
                    connections.spawn(attend(stream, Arc::clone(desk), Arc::new(seat), closing.clone()));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "no connection");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
    connections.close();
    // Connections still open after that are cut off.
    let _ = tokio::time::timeout(CLOSE_WAIT, connections.wait()).await;
}

async fn attend(stream: TcpStream, desk: Arc<Desk>, seat: Arc<Seat>, closing: CancellationToken) {
    // Small answers leave at once; a system that cannot do so sends them a little later.
    let _ = stream.set_nodelay(true);
    let Some(acceptor) = desk.host.gatekeeper.acceptor.clone() else { return hear(stream, desk, seat, closing).await };
    let evicted = seat.evicted();
    let shaken = tokio::select! {
        () = closing.cancelled() => return,
        () = evicted.cancelled() => return,
        shaken = tokio::time::timeout(HANDSHAKE_WAIT, acceptor.accept(stream)) => shaken,
    };
    // A client that does not finish the handshake, or speaks another TLS, is disconnected without an answer.
    if let Ok(Ok(stream)) = shaken {
        hear(stream, desk, seat, closing).await;
    }
}

/// Answers what is asked on a connection.
async fn hear<T>(stream: T, desk: Arc<Desk>, seat: Arc<Seat>, closing: CancellationToken)
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let watch = Arc::new(Watch::new());
    let (evicted, watched) = (seat.evicted(), Arc::clone(&watch));
    let service = hyper::service::service_fn(move |request| {
        let (desk, seat, watch) = (Arc::clone(&desk), Arc::clone(&seat), Arc::clone(&watched));
        async move {
            watch.begin_answer();
            let response = secured(answer(&desk, &seat, request).await);
            watch.end_answer();
            Ok::<_, Infallible>(response)
        }
    });
    connection::serve(stream, service, &watch, &closing, &evicted).await;
}

/// Everything that is asked of a request before it reaches the station, in the order of what it costs.
async fn answer(desk: &Arc<Desk>, seat: &Arc<Seat>, mut request: Request<Incoming>) -> Response {
    let gatekeeper = &desk.host.gatekeeper;
    if let Err(error) = gatekeeper.check_host(request.uri(), request.headers()) {
        desk.host.api.note_refused(None, request.uri().path(), &error);
        return refuse(error);
    }
    // Only now: a request under another name is no sign of life that would keep the seat.
    seat.asked();
    let Some(name) = operation(&request) else {
        return match may_ask(desk, seat, None, request.uri().path()) {
            Ok(()) => ordinary(desk, seat, request).await,
            Err(refused) => refused.answer().await,
        };
    };
    let session = match desk.host.session(request.headers()) {
        Ok(session) => session,
        Err(error) => return turned_away(&desk.host, seat, &name, error).await,
    };
    seat.signed();
    if api::is_urgent(&name) {
        let _kept = seat.keep();
        return stop(&desk.host, &session, &name, request.into_body()).await;
    }
    // Asked before the words are read and told after them: a stop in them counts towards no limit.
    let may = may_ask(desk, seat, Some(&session), &name);
    let length = request.body().size_hint().exact();
    if api::is_spoken(&name) && length.is_none_or(|bytes| bytes <= WORDS_BYTES_MAX) {
        let _kept = seat.keep();
        return spoken(desk, session, name, may, request).await;
    }
    if let Err(refused) = may {
        return refused.answer().await;
    }
    request.extensions_mut().insert(session);
    ordinary(desk, seat, request).await
}

/// The operation that a request names.
fn operation(request: &Request<Incoming>) -> Option<String> {
    let name = request.uri().path().strip_prefix("/op/").filter(|_| request.method() == Method::POST)?;
    Some(name.to_owned())
}

/// Answers a request that brings no valid token.
async fn turned_away(host: &Host, seat: &Seat, name: &str, error: ErrorBody) -> Response {
    match host.refused_token(seat, name, error) {
        Guess::First(error) => refuse(error),
        Guess::OneTooMany(error) => held_back(error).await,
    }
}

/// A wrong token, and the answer to its sender.
pub(crate) enum Guess {
    /// One of the first of its place.
    First(ErrorBody),
    /// One of so many that the answer comes late, after [`THROTTLE`].
    OneTooMany(ErrorBody),
}

impl Host {
    /// Puts on record that a request brought no valid token.
    pub(crate) fn refused_token(&self, seat: &Seat, name: &str, error: ErrorBody) -> Guess {
        self.api.note_refused(None, name, &error);
        let tell = || self.api.note_flood(format!("Wrong tokens come from {} again and again.", seat.place()));
        if !self.gatekeeper.rates.failed(seat.place()).is_too_many(tell) {
            return Guess::First(error);
        }
        let message = "Too many wrong tokens. Wait a minute, then sign in with the token of the station.";
        Guess::OneTooMany(ErrorBody::new(HostCode::TooManyFailures, message))
    }
}

/// Carries out what ends motion, here and now. It counts towards no limit.
async fn stop(host: &Host, session: &Session, name: &str, body: Incoming) -> Response {
    let refused = |error: ErrorBody| {
        host.api.note_refused(Some(session), name, &error);
        refuse(error)
    };
    let Ok(collected) = tokio::time::timeout(BODY_WAIT, Limited::new(body, STOP_BYTES_MAX).collect()).await else {
        return refused(http::body_too_slow());
    };
    let body = match collected {
        Ok(body) => body.to_bytes(),
        Err(error) => return refused(ErrorBody::new(HostCode::BadRequest, format!("The body is not read: {error}."))),
    };
    let input = match api::parse_body(&body) {
        Ok(input) => input,
        Err(error) => return refused(error),
    };
    http::answered(host.api.call(session, name, input).await)
}

/// Takes what a person says: a stop in it is carried out at once, and counts towards no limit. The words
/// themselves then wait their turn.
async fn spoken(
    desk: &Arc<Desk>,
    session: Session,
    name: String,
    may: Result<(), Refused>,
    request: Request<Incoming>,
) -> Response {
    let api = &desk.host.api;
    let bounded = Limited::new(request.into_body(), WORDS_BYTES_MAX as usize);
    let input = match http::input(&name, Request::new(Body::new(bounded))).await {
        Ok(input) => input,
        Err(mut error) => {
            if error.status() == 413 {
                error.message = format!("Words whose length is not told first have at most {WORDS_BYTES_MAX} bytes.");
            }
            api.note_refused(Some(&session), &name, &error);
            return refuse(error);
        }
    };
    let heeding = api.heed(&session, &name, input);
    if let Err(mut refused) = may {
        match heeding.await {
            Ok(heeded) => refused.error.message = heeded.told(refused.error.message),
            Err(error) => refused.error = error,
        }
        return refused.answer().await;
    }
    let host = desk.host.clone();
    carried_out(desk, async move {
        match heeding.await {
            Ok(heeded) => http::answered(host.api.call_heeded(&session, &name, heeded).await),
            Err(error) => refuse(error),
        }
    })
    .await
}

/// Hands a request to the station's threads. What is said in a longer text is heard there.
async fn ordinary(desk: &Arc<Desk>, seat: &Arc<Seat>, mut request: Request<Incoming>) -> Response {
    request.extensions_mut().insert(Arc::clone(seat));
    let work = desk.ordinary.call(request.map(Body::new));
    carried_out(desk, async move {
        match work.await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    })
    .await
}

/// A refusal of the listener itself.
struct Refused {
    error: ErrorBody,
    /// The connection has no seat of its own and is closed, or else the answer comes late on purpose.
    closes: bool,
}

impl Refused {
    async fn answer(self) -> Response {
        if self.closes { last(refuse(self.error)) } else { held_back(self.error).await }
    }
}

/// Refuses whoever has too many connections open or asks too often, and puts that on record. `by` is who has signed in.
fn may_ask(desk: &Desk, seat: &Seat, by: Option<&Session>, name: &str) -> Result<(), Refused> {
    let host = &desk.host;
    let refused = |code: HostCode, message: &str, closes: bool| {
        let error = ErrorBody::new(code, message);
        host.api.note_refused(by, name, &error);
        Err(Refused { error, closes })
    };
    if seat.is_reserved() {
        let message = "Too many connections from this computer. Close some; stopping works on any of them.";
        return refused(HostCode::TooManyConnections, message, true);
    }
    let rates = &host.gatekeeper.rates;
    let verdict = match by {
        Some(session) => rates.asked(session.id().as_str()),
        None => rates.asked_unsigned(&seat.unsigned),
    };
    let tell = || host.api.note_flood(format!("More requests come from {} than a program should send.", seat.place()));
    if !verdict.is_too_many(tell) {
        return Ok(());
    }
    refused(HostCode::TooManyRequests, "Too many requests. Ask less often; stopping always works.", false)
}

/// Runs `work` on the station's threads, in a task of its own: what was begun is carried out and goes on record even if
/// nobody waits for the answer.
async fn carried_out(desk: &Desk, work: impl Future<Output = Response> + Send + 'static) -> Response {
    match desk.work.spawn_on(work, &desk.station).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "a request failed");
            refuse(ErrorBody::new(HostCode::Internal, "The request failed; the station's log says why."))
        }
    }
}

/// A refusal that comes late on purpose.
async fn held_back(error: ErrorBody) -> Response {
    tokio::time::sleep(THROTTLE).await;
    with(refuse(error), header::RETRY_AFTER, "1")
}

/// The last answer of a connection.
fn last(response: Response) -> Response {
    with(response, header::CONNECTION, "close")
}

/// Adds the security headers that every answer carries.
fn secured(response: Response) -> Response {
    let response = with(response, header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    let response = with(response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    with(response, header::REFERRER_POLICY, "no-referrer")
}

fn with(mut response: Response, name: HeaderName, value: &'static str) -> Response {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
