//! The only HTTP client of the program: encrypted, no redirects, nothing inside the operator's network unless it was
//! marked as local, and never more bytes or time than somebody said.

mod address;

use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Response, header};
use url::{Host, Url};

/// A name is looked up and a connection made within this time.
pub(crate) const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Range of addresses that may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Servers of the internet, encrypted.
    Public,
    /// Servers that the operator marked as local, encrypted.
    Marked,
    /// The same without encryption: they must be local indeed.
    Local,
}

/// An address that is not used or gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// It is no address of a server.
    #[error("`{address}` is no address like https://host/path")]
    NoAddress {
        /// The address as given.
        address: String,
    },
    /// It would be sent in the clear.
    #[error("{host} is not encrypted: use https, or mark it as local")]
    NotEncrypted {
        /// The server.
        host: String,
    },
    /// It leads to where this client must not go.
    #[error("{host} is refused: {why}")]
    Refused {
        /// The server.
        host: String,
        /// The reason for the refusal.
        why: &'static str,
    },
    /// No client can be made.
    #[error("the HTTP client cannot be made")]
    NoClient(#[source] reqwest::Error),
    /// It was not reached or broke off.
    #[error("{host} did not answer: {why}")]
    NoAnswer {
        /// The server.
        host: String,
        /// The innermost reason.
        why: String,
    },
    /// It answered with something else than success.
    #[error("{host} answered {status}")]
    Status {
        /// The server.
        host: String,
        /// The status.
        status: u16,
    },
    /// It sent more than was wanted.
    #[error("{host} sent more than {max} bytes")]
    TooLong {
        /// The server.
        host: String,
        /// The limit.
        max: usize,
    },
    /// It took too long.
    #[error("{host} took longer than {ms} ms")]
    TooSlow {
        /// The server.
        host: String,
        /// The limit.
        ms: u128,
    },
}

/// A fetched document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The media type that the server says it is.
    pub content_type: Option<String>,
    /// The content.
    pub body: Vec<u8>,
}

/// Bounds of one fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Most bytes of the content.
    pub bytes_max: usize,
    /// From the first look at the name to the last byte.
    pub time: Duration,
}

/// Fetches `address` from a server of the internet: https, no redirects, no private addresses.
///
/// # Errors
/// The address is refused, the server does not answer with success, or a limit is passed.
pub async fn fetch(address: &str, limits: FetchLimits) -> Result<Fetched, HttpError> {
    let url = parse(address)?;
    check(&url, Reach::Public)?;
    get(&client(Reach::Public)?, url, limits).await
}

/// Fetches `url`, which has been checked, with a client of the same reach.
pub(crate) async fn get(client: &reqwest::Client, url: Url, limits: FetchLimits) -> Result<Fetched, HttpError> {
    get_with(client, url, header::HeaderMap::new(), limits).await
}

/// The same with headers.
pub(crate) async fn get_with(
    client: &reqwest::Client,
    url: Url,
    headers: header::HeaderMap,
    limits: FetchLimits,
) -> Result<Fetched, HttpError> {
    let host = host(&url);
    let fetched = tokio::time::timeout(limits.time, async {
        let response = client.get(url).headers(headers).send().await.map_err(|error| no_answer(&host, &error))?;
        if !response.status().is_success() {
            return Err(HttpError::Status { host: host.clone(), status: response.status().as_u16() });
        }
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.map(str::to_owned);
        Ok(Fetched { content_type, body: body(&host, response, limits.bytes_max).await? })
    });
    fetched.await.unwrap_or_else(|_| Err(HttpError::TooSlow { host: host.clone(), ms: limits.time.as_millis() }))
}

/// All of a body that may not be longer than `bytes_max`.
pub(crate) async fn body(host: &str, mut response: Response, bytes_max: usize) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(host, &error))? {
        if body.len() + chunk.len() > bytes_max {
            return Err(HttpError::TooLong { host: host.to_owned(), max: bytes_max });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// An address of a server.
pub(crate) fn parse(address: &str) -> Result<Url, HttpError> {
    // Credentials inside an address would end up in messages and logs, so such an address is refused.
    let url = Url::parse(address).ok().filter(|url| url.host().is_some() && url.username().is_empty());
    url.filter(|url| url.password().is_none()).ok_or_else(|| HttpError::NoAddress { address: address.to_owned() })
}

/// Range of addresses for a client of `url`.
pub(crate) fn reach(url: &Url, is_local: bool) -> Reach {
    match (is_local, url.scheme()) {
        (true, "http") => Reach::Local,
        (true, _) => Reach::Marked,
        (false, _) => Reach::Public,
    }
}

/// Checks that `url` may be reached, as far as that can be told before its name is looked up.
pub(crate) fn check(url: &Url, reach: Reach) -> Result<(), HttpError> {
    let is_encrypted = match url.scheme() {
        "https" => true,
        "http" => false,
        _ => return Err(HttpError::NoAddress { address: url.to_string() }),
    };
    // Keys and conversations do not cross the internet in the clear (decision 0048).
    if !is_encrypted && reach != Reach::Local {
        return Err(HttpError::NotEncrypted { host: host(url) });
    }
    // An address in numbers is never looked up, so the guard of the look-up would not see it.
    let literal = match url.host() {
        Some(Host::Ipv4(address)) => Some(address.into()),
        Some(Host::Ipv6(address)) => Some(address.into()),
        Some(Host::Domain(_)) | None => None,
    };
    match literal.and_then(|address| address::refusal(address, reach)) {
        Some(why) => Err(HttpError::Refused { host: host(url), why }),
        None => Ok(()),
    }
}

/// A client that reaches so far.
pub(crate) fn client(reach: Reach) -> Result<reqwest::Client, HttpError> {
    reqwest::Client::builder()
        // A redirection could lead to a private address, or carry a key to another server.
        .redirect(Policy::none())
        // A repeated call may be paid for twice, so the turn loop alone decides to repeat one.
        .retry(reqwest::retry::never())
        // A proxy would look names up by itself, past the guard below.
        .no_proxy()
        .referer(false)
        .https_only(reach != Reach::Local)
        .connect_timeout(CONNECT_TIME)
        .dns_resolver(Arc::new(Guarded(reach)))
        .user_agent(concat!("quarterdeck/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(HttpError::NoClient)
}

/// The server of an address, as people name it.
pub(crate) fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// The innermost reason of a failure; what is around it repeats the address.
pub(crate) fn no_answer(host: &str, error: &reqwest::Error) -> HttpError {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    HttpError::NoAnswer { host: host.to_owned(), why: innermost.to_string() }
}

/// Looks names up, and gives only addresses that may be reached: a name of the internet can lead anywhere.
struct Guarded(Reach);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            // Checked at every connection: a name that was public a moment ago may lead to a private address
            // now.
            let found: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let mut why = "its name leads nowhere";
            let allowed = found.into_iter().filter(|found| match address::refusal(found.ip(), reach) {
                Some(refusal) => {
                    why = refusal;
                    false
                }
                None => true,
            });
            let allowed: Vec<_> = allowed.collect();
            if allowed.is_empty() {
                return Err(HttpError::Refused { host: name.as_str().to_owned(), why }.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
