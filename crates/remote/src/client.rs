//! Calls of operations at a station elsewhere.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use api::{Answer, ErrorBody, HostCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, Response, StatusCode, Uri, header};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::client::legacy::{Client as Pool, Error as PoolError};
use hyper_util::rt::{TokioExecutor, TokioIo};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use crate::dial::{DialError, dial};
use crate::{Address, Fingerprint};

/// The largest answer: an export, or a picture.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Below the time for which the server keeps a silent connection: one that it is about to close is not used again.
const KEPT_FOR: Duration = Duration::from_secs(30);

/// A station elsewhere, and the token for it.
pub struct Client {
    address: Address,
    pin: Fingerprint,
    token: SecretString,
    pool: Pool<Dialler, Full<Bytes>>,
}

/// A call that was not carried out, or of which nobody knows.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The station's own refusal.
    #[error("{0}")]
    Refused(ErrorBody),
    /// No connection: nothing was sent.
    #[error("{0}")]
    NoConnection(DialError),
    /// The connection ended before the answer.
    #[error("{0}")]
    Broken(String),
}

impl CallError {
    /// True for a token that signs nobody in any more.
    #[must_use]
    pub fn is_signed_out(&self) -> bool {
        matches!(self, Self::Refused(error) if error.status() == StatusCode::UNAUTHORIZED.as_u16())
    }
}

impl Client {
    /// A client of the station at `address` with the certificate `pin`. Connects at the first call.
    #[must_use]
    pub fn new(address: Address, pin: Fingerprint, token: SecretString) -> Self {
        let dialler = Dialler { address: address.clone(), pin };
        let pool = Pool::builder(TokioExecutor::new()).pool_idle_timeout(KEPT_FOR).build(dialler);
        Self { address, pin, token, pool }
    }

    /// The station's address.
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// The pinned certificate.
    #[must_use]
    pub const fn pin(&self) -> Fingerprint {
        self.pin
    }

    pub(crate) fn token(&self) -> &SecretString {
        &self.token
    }

    /// Calls an operation, over a connection that others may have used before.
    ///
    /// # Errors
    /// The station refuses, or cannot be asked.
    pub async fn call(&self, name: &str, input: &Value) -> Result<Answer, CallError> {
        let uri = format!("https://{}/op/{name}", self.address);
        let request = self.request(&uri, input).map_err(broken)?;
        let response = self.pool.request(request).await.map_err(no_answer)?;
        answer_of(response).await
    }

    /// Calls an operation over a connection of its own, which no other call can hold up and none has left half dead.
    ///
    /// # Errors
    /// The station refuses, or cannot be asked.
    pub async fn call_alone(&self, name: &str, input: &Value) -> Result<Answer, CallError> {
        let request = self.request(&format!("/op/{name}"), input).map_err(broken)?;
        let stream = dial(&self.address, self.pin).await.map_err(CallError::NoConnection)?;
        let (mut sender, driver) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let exchange = async move {
            let response = sender.send_request(request).await.map_err(broken)?;
            answer_of(response).await
        };
        // The connection ends with the sender, which is dropped once the answer is there.
        let (answered, _) = tokio::join!(exchange, driver);
        answered
    }

    fn request(&self, uri: &str, input: &Value) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
        Request::builder()
            .method(Method::POST)
            .uri(uri)
            .header(header::HOST, self.address.to_string())
            // Pooled or not, a connection has compared the pin before the first byte of a request.
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token.expose_secret()))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(input.to_string())))
    }
}

fn broken(error: impl std::fmt::Display) -> CallError {
    CallError::Broken(error.to_string())
}

/// The reason that a pooled request failed: the dialler's own, if it is one.
fn no_answer(error: PoolError) -> CallError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(&error);
    while let Some(inner) = cause {
        // Only an error of the dialler proves that nothing was sent.
        if let Some(dialled) = inner.downcast_ref::<DialError>() {
            return CallError::NoConnection(dialled.clone());
        }
        cause = inner.source();
    }
    broken(error)
}

/// A refusal as a station writes it.
#[derive(Deserialize)]
struct Written {
    code: String,
    message: String,
    #[serde(default)]
    details: Value,
}

/// A refusal, if the text is one.
pub(crate) fn refusal(status: u16, text: &[u8]) -> Option<ErrorBody> {
    let Written { code, message, details } = serde_json::from_slice(text).ok()?;
    Some(ErrorBody::of_station(code, message, details, status))
}

async fn answer_of(response: Response<Incoming>) -> Result<Answer, CallError> {
    let status = response.status();
    let is_picture = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "image/jpeg");
    // The bound holds for refusals too: whoever answers may send anything.
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await.map_err(broken)?.to_bytes();
    if !status.is_success() {
        let unreadable = || ErrorBody::new(HostCode::BadAnswer, format!("The station answered with status {status}."));
        return Err(CallError::Refused(refusal(status.as_u16(), &body).unwrap_or_else(unreadable)));
    }
    if is_picture {
        return Ok(Answer::Jpeg(body.to_vec()));
    }
    serde_json::from_slice(&body).map(Answer::Json).map_err(broken)
}

/// Opens connections for the pool: all to one station.
#[derive(Clone)]
struct Dialler {
    address: Address,
    pin: Fingerprint,
}

impl tower_service::Service<Uri> for Dialler {
    type Response = TokioIo<Pooled>;
    type Error = DialError;
    type Future = Pin<Box<dyn Future<Output = Result<TokioIo<Pooled>, DialError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), DialError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let Self { address, pin } = self.clone();
        Box::pin(async move { Ok(TokioIo::new(Pooled(dial(&address, pin).await?))) })
    }
}

/// A connection of the pool.
struct Pooled(TlsStream<TcpStream>);

impl Connection for Pooled {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Pooled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Pooled {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
