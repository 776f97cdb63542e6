//! A TLS connection to a station whose certificate is pinned. Nothing but the pin vouches for it: neither its name nor
//! an authority, and no end of its validity.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::lock;
use futures::future::select_ok;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::version::TLS13;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::{Address, Fingerprint};

/// Longest time until a connection stands, its certificate looked at.
const DIAL_WAIT: Duration = Duration::from_secs(3);
/// Addresses of one name that are tried.
const ADDRESSES_MAX: usize = 8;

/// A reason why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DialError {
    /// Nobody answers at the address, or not in time.
    #[error("{0}")]
    Unreachable(String),
    /// No TLS of ours is spoken there.
    #[error("who answers there does not speak TLS: {0}")]
    NoTls(String),
    /// Another certificate than the pinned one. Nothing was sent.
    #[error("the certificate has changed: pinned is {pinned}, shown was {shown}")]
    Changed {
        /// The pinned one.
        pinned: Fingerprint,
        /// The one that was shown.
        shown: Fingerprint,
    },
}

/// Looks at the certificate that is shown at `address`, and sends nothing.
///
/// # Errors
/// Nobody answers there with TLS.
pub async fn look(address: &Address) -> Result<Fingerprint, DialError> {
    dial_with(address, None).await.map(|(_, shown)| shown)
}

/// Connects to the station at `address`, which must show the certificate `pin`.
///
/// # Errors
/// No connection; with another certificate nothing was sent.
pub async fn dial(address: &Address, pin: Fingerprint) -> Result<TlsStream<TcpStream>, DialError> {
    dial_with(address, Some(pin)).await.map(|(stream, _)| stream)
}

async fn dial_with(
    address: &Address,
    pin: Option<Fingerprint>,
) -> Result<(TlsStream<TcpStream>, Fingerprint), DialError> {
    let dialled = tokio::time::timeout(DIAL_WAIT, connect(address, pin)).await;
    dialled.unwrap_or_else(|_| {
        Err(DialError::Unreachable(format!("no answer from {address} within {} s", DIAL_WAIT.as_secs())))
    })
}

async fn connect(
    address: &Address,
    pin: Option<Fingerprint>,
) -> Result<(TlsStream<TcpStream>, Fingerprint), DialError> {
    let unreachable = |error: io::Error| DialError::Unreachable(format!("{address} cannot be reached: {error}"));
    let named = lookup_host((address.host(), address.port())).await.map_err(unreachable)?;
    let stream = first_of(named.take(ADDRESSES_MAX)).await.map_err(unreachable)?;
    // A stop is one small packet, which must not wait for more to send.
    stream.set_nodelay(true).map_err(unreachable)?;
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(Pinned { pin, shown: Mutex::new(None), provider: Arc::clone(&provider) });
    let no_tls = |error: &dyn std::fmt::Display| DialError::NoTls(error.to_string());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .map_err(|error| no_tls(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&verifier) as Arc<dyn ServerCertVerifier>)
        .with_no_client_auth();
    // The server offers nothing else, and a WebSocket begins as a request of HTTP/1.1.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let name = ServerName::try_from(address.host().to_owned()).map_err(|error| no_tls(&error))?;
    let shaken = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
    match (shaken, verifier.shown(), pin) {
        // The verifier has refused it: the two fingerprints say more than the error of TLS.
        (Err(_), Some(shown), Some(pinned)) if shown != pinned => Err(DialError::Changed { pinned, shown }),
        (Err(error), _, _) => Err(no_tls(&error)),
        (Ok(stream), Some(shown), _) => Ok((stream, shown)),
        (Ok(_), None, _) => Err(no_tls(&"no certificate was shown")),
    }
}

/// Connects to the first address that answers. All are tried at once: one that leads nowhere, as that of IPv6 often does,
/// would take all the time that a stop has.
async fn first_of(addresses: impl Iterator<Item = SocketAddr>) -> io::Result<TcpStream> {
    let tries: Vec<_> = addresses.map(|address| Box::pin(TcpStream::connect(address))).collect();
    if tries.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "its name has no address"));
    }
    select_ok(tries).await.map(|(stream, _others)| stream)
}

/// Accepts one certificate; without a pin any, for a person to look at.
#[derive(Debug)]
struct Pinned {
    pin: Option<Fingerprint>,
    shown: Mutex<Option<Fingerprint>>,
    provider: Arc<CryptoProvider>,
}

impl Pinned {
    fn shown(&self) -> Option<Fingerprint> {
        *lock(&self.shown)
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let shown = Fingerprint::of(end_entity);
        // Noted before it is refused, so that a person can be shown both.
        *lock(&self.shown) = Some(shown);
        if self.pin.is_some_and(|pinned| pinned != shown) {
            return Err(CertificateError::ApplicationVerificationFailure.into());
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        // Anybody can show a certificate; only its owner can sign the handshake with its key.
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    /// Far beyond what any of it takes, also on a busy computer, and far below the minutes for which TCP tries.
    const DEADLINE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn an_address_that_leads_nowhere_holds_up_no_other() {
        // A queue that nobody empties: once it is full, the system drops what comes without a word.
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let silent = socket.listen(1).unwrap();
        let nowhere = silent.local_addr().unwrap();
        let mut queued = Vec::new();
        while let Ok(connected) = tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(nowhere)).await {
            queued.push(connected.unwrap());
        }
        let answers = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let good = answers.local_addr().unwrap();
        tokio::time::timeout(DEADLINE, first_of([nowhere, good].into_iter())).await.unwrap().unwrap();
        assert!(first_of([].into_iter()).await.is_err());
    }
}
