//! Who may ask: the bearer of the token, from this machine, in a page of this server.

use std::net::SocketAddr;
use std::time::Duration;

use api::{ErrorBody, Session};
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;

/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;
/// Windows that listen at the same time.
const SOCKETS_MAX: usize = 32;
/// How long a WebSocket may take to sign in.
pub(crate) const SIGN_IN_WAIT: Duration = Duration::from_secs(2);

/// Knows the token and the names this server answers to.
pub struct Gatekeeper {
    token: String,
    hosts: Vec<String>,
    /// One permit a window.
    pub(crate) sockets: Semaphore,
}

impl Gatekeeper {
    /// Makes a token that dies with the process. `address` is where the server listens.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let bytes: [u8; TOKEN_BYTES] = rand::random();
        let port = address.port();
        Self {
            token: format!("qd_boot_{}", URL_SAFE_NO_PAD.encode(bytes)),
            hosts: vec![address.to_string(), format!("localhost:{port}"), format!("127.0.0.1:{port}")],
            sockets: Semaphore::new(SOCKETS_MAX),
        }
    }

    /// The token, for the line that is printed at start.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Refuses names that are not this server's: a page of another site, or a name that was made to point here.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), ErrorBody> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let ours = |name: &str| self.hosts.iter().any(|host| host == name);
        if !text(header::HOST).is_some_and(ours) {
            return Err(ErrorBody::new(403, "bad_host", "This server does not answer to that name."));
        }
        match text(header::ORIGIN) {
            Some(origin) if !origin.strip_prefix("http://").is_some_and(ours) => {
                Err(ErrorBody::new(403, "bad_origin", "Pages of other sites may not ask."))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The session of a request's bearer token.
    pub(crate) fn session(&self, headers: &HeaderMap) -> Result<Session, ErrorBody> {
        let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        self.session_of(value.and_then(|value| value.strip_prefix("Bearer ")))
    }

    /// The session of a token.
    pub(crate) fn session_of(&self, token: Option<&str>) -> Result<Session, ErrorBody> {
        let token = token.unwrap_or_default();
        if bool::from(token.as_bytes().ct_eq(self.token.as_bytes())) {
            return Ok(Session::bootstrap());
        }
        Err(ErrorBody::new(401, "unauthorized", "Sign in with the token that the server printed at start."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, origin: Option<&str>, expected: Option<&str>) {
        let gatekeeper = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 4242)));
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let refused = gatekeeper.check_host(&headers).err().map(|error| error.code);
        assert_eq!(refused.as_deref(), expected, "{host} {origin:?}");
    }

    #[test]
    fn s34_refuses_rebound_names_and_pages_of_other_sites() {
        check("127.0.0.1:4242", None, None);
        check("localhost:4242", Some("http://127.0.0.1:4242"), None);
        check("evil.test", None, Some("bad_host"));
        check("127.0.0.1:4243", None, Some("bad_host"));
        check("127.0.0.1:4242", Some("null"), Some("bad_origin"));
        check("127.0.0.1:4242", Some("http://evil.test"), Some("bad_origin"));
        check("127.0.0.1:4242", Some("https://127.0.0.1:4242"), Some("bad_origin"));
    }

    #[test]
    fn s11_refuses_every_other_token() {
        let gatekeeper = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 1)));
        let other = Gatekeeper::new(SocketAddr::from(([127, 0, 0, 1], 1)));
        assert!(gatekeeper.session_of(Some(gatekeeper.token())).is_ok());
        for token in [None, Some(""), Some("qd_boot_"), Some(other.token())] {
            assert_eq!(gatekeeper.session_of(token).unwrap_err().status(), 401);
        }
    }
}
