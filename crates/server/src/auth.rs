//! Authentication: requests come from the bearer of a token, on this machine, in a page of this server.

use std::net::SocketAddr;
use std::time::Duration;

use api::{ErrorBody, HostCode, Session};
use axum::http::{HeaderMap, HeaderName, Uri, header};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::Host;
use crate::certificate::Certificate;
use crate::listener::Rates;

/// The id of the token that is printed at start.
const BOOT: &str = "boot";
/// The port that addresses with https leave out.
const HTTPS: u16 = 443;
/// Windows that listen at the same time.
const WINDOWS_MAX: usize = 32;
/// Time in which a WebSocket has to sign in.
pub(crate) const SIGN_IN_WAIT: Duration = Duration::from_secs(2);

/// Knows the tokens, their sessions, and the names this server answers to.
pub struct Gatekeeper {
    token: String,
    /// The session of the token that is printed at start, the same from its first request to its last.
    bootstrap: Session,
    hosts: Vec<String>,
    /// The beginning of addresses of this server.
    scheme: &'static str,
    /// Shows the certificate; none for a listener without TLS.
    pub(crate) acceptor: Option<TlsAcceptor>,
    pub(crate) rates: Rates,
    /// One permit a window that has signed in.
    pub(crate) windows: Semaphore,
}

impl Gatekeeper {
    /// Makes a token that dies with the process. `address` is where the server listens.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        Self {
            token: api::fresh_token(BOOT),
            bootstrap: Session::bootstrap(),
            hosts: vec![address.to_string(), format!("localhost:{port}"), format!("127.0.0.1:{port}")],
            scheme: "http://",
            acceptor: None,
            rates: Rates::default(),
            windows: Semaphore::new(WINDOWS_MAX),
        }
    }

    /// The same for a listener with TLS, which also answers to the names in its certificate.
    #[must_use]
    pub fn with_certificate(address: SocketAddr, certificate: &Certificate) -> Self {
        let port = address.port();
        let mut gatekeeper = Self::new(address);
        gatekeeper.hosts.extend(certificate.names().iter().map(|name| format!("{name}:{port}")));
        if port == HTTPS {
            let bare = gatekeeper.hosts.iter().filter_map(|host| host.strip_suffix(":443").map(str::to_owned));
            let bare: Vec<String> = bare.collect();
            gatekeeper.hosts.extend(bare);
        }
        Self { scheme: "https://", acceptor: Some(certificate.acceptor()), ..gatekeeper }
    }

    /// The token, for the line that is printed at start.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Refuses names that are not this server's: a page of another site, or a name that was made to point here. A
    /// name that stands twice is refused whatever it says: a proxy may have looked at the other one.
    pub(crate) fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ErrorBody> {
        // The case of a host's name means nothing (RFC 9110, 4.2.3).
        let ours = |name: &str| self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        let host = only(headers, &header::HOST)?;
        let authority = uri.authority().map(|authority| authority.as_str());
        // The address in a request line goes before Host, so both must be ours.
        if !host.is_some_and(ours) || !authority.is_none_or(ours) {
            return Err(ErrorBody::new(HostCode::BadHost, "This server does not answer to that name."));
        }
        match only(headers, &header::ORIGIN)? {
            // A page of another site can make a browser ask, but not without naming that site here.
            Some(origin) if !origin.strip_prefix(self.scheme).is_some_and(ours) => {
                Err(ErrorBody::new(HostCode::BadOrigin, "Pages of other sites may not ask."))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The session of the token that is printed at start.
    fn bootstrap(&self, token: &str) -> Option<Session> {
        // In constant time: the time of a comparison must not tell how much of a guess was right.
        let is_right: bool = token.as_bytes().ct_eq(self.token.as_bytes()).into();
        is_right.then(|| self.bootstrap.clone())
    }
}

impl Host {
    /// The session of a request's bearer token.
    pub(crate) fn session(&self, headers: &HeaderMap) -> Result<Session, ErrorBody> {
        let value = only(headers, &header::AUTHORIZATION)?;
        self.session_of(value.and_then(|value| value.strip_prefix("Bearer ")))
    }

    /// The session of a token: the same one every time.
    pub(crate) fn session_of(&self, token: Option<&str>) -> Result<Session, ErrorBody> {
        let token = token.unwrap_or_default();
        self.gatekeeper.bootstrap(token).or_else(|| self.api.sign_in(token)).ok_or_else(|| {
            let message = "Sign in with the token that the server printed at start, or with one that an Admin made.";
            ErrorBody::new(HostCode::Unauthorized, message)
        })
    }
}

/// The value of a header that stands once at most.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ErrorBody> {
    let mut values = headers.get_all(name).iter();
    // Bytes that are no text equal no name and no token.
    let value = values.next().map(|value| value.to_str().unwrap_or(""));
    match values.next() {
        None => Ok(value),
        Some(_) => Err(ErrorBody::new(HostCode::RepeatedHeader, format!("The header {name} stands twice."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, origin: Option<&str>, expected: Option<&str>) {
        let sent: Vec<_> = [("host", host)].into_iter().chain(origin.map(|origin| ("origin", origin))).collect();
        check_all("/op/list_robots", &sent, expected);
    }

    fn check_all(uri: &str, sent: &[(&'static str, &str)], expected: Option<&str>) {
        let gatekeeper = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 4242)));
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        let refused = gatekeeper.check_host(&uri.parse().unwrap(), &headers).err().map(|error| error.code);
        assert_eq!(refused.as_deref(), expected, "{uri} {sent:?}");
    }

    #[test]
    fn att_34_refuses_rebound_names_and_pages_of_other_sites() {
        check("127.0.0.1:4242", None, None);
        check("localhost:4242", Some("http://127.0.0.1:4242"), None);
        check("LocalHost:4242", None, None);
        check("evil.test", None, Some("bad_host"));
        check("127.0.0.1:4243", None, Some("bad_host"));
        check("127.0.0.1:4242", Some("null"), Some("bad_origin"));
        check("127.0.0.1:4242", Some("http://evil.test"), Some("bad_origin"));
        check("127.0.0.1:4242", Some("https://127.0.0.1:4242"), Some("bad_origin"));
    }

    #[test]
    fn att_34_refuses_a_name_that_stands_twice_or_that_the_address_contradicts() {
        let ours = "127.0.0.1:4242";
        let origin = "http://127.0.0.1:4242";
        check_all("/", &[("host", ours), ("host", ours)], Some("repeated_header"));
        check_all("/", &[("host", ours), ("host", "evil.test")], Some("repeated_header"));
        check_all("/", &[("host", ours), ("origin", origin), ("origin", "http://evil.test")], Some("repeated_header"));
        check_all("/", &[], Some("bad_host"));
        check_all("http://evil.test/op/list_robots", &[("host", ours)], Some("bad_host"));
        check_all("http://127.0.0.1:4242/op/list_robots", &[("host", ours)], None);
    }

    #[test]
    fn att_11_refuses_every_other_token() {
        let gatekeeper = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 1)));
        let other = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 1)));
        assert!(gatekeeper.bootstrap(gatekeeper.token()).is_some());
        for token in ["", "qd_boot_", other.token()] {
            assert!(gatekeeper.bootstrap(token).is_none(), "{token}");
        }
    }
}
