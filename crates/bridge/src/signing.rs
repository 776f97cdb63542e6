//! Signatures between station and robot: who really wrote a message, and for which key it was meant.
//!
//! A signed message is an ordinary put whose payload stays plain JSON. Its Zenoh *attachment* is the 64 bytes of an
//! Ed25519 signature (RFC 8032) over
//!
//! ```text
//! "quarterdeck-1" 00 <key expression, UTF-8> 00 <payload>
//! ```
//!
//! The key expression is that of the put. Sequence number, epoch, beat number and time-to-live are fields of the
//! payload, so they are signed with it. The signature is tested before a byte of the payload is decoded. With another
//! language's library (here Python, `eclipse-zenoh` and `cryptography`) that is
//!
//! ```text
//! signed = b"quarterdeck-1\0" + str(sample.key_expr).encode() + b"\0" + bytes(sample.payload)
//! Ed25519PublicKey.from_public_bytes(station_key).verify(bytes(sample.attachment), signed)
//! session.put(key, payload, attachment=robot_key.sign(b"quarterdeck-1\0" + key.encode() + b"\0" + payload))
//! ```
//!
//! The station signs commands, claims, releases, beats, stops, holds and its messages in rooms; the robot signs
//! acknowledgements, answers to beats and its state. An unsigned stop or hold is obeyed all the same: stopping is
//! never protected by a secret.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use robot::Sample;
use serde::Serialize;
use zenoh::Wait;
use zenoh::pubsub::Publisher;
pub use zenoh::session::ZenohId as WriterId;

use crate::BridgeError;
use crate::envelope::encode;
use crate::link::put_with;

/// Prefix of every signed text, so that a signature made here means nothing elsewhere.
const DOMAIN: &[u8] = b"quarterdeck-1";
/// Prefix of a written public key.
const PREFIX: &str = "ed25519:";

/// A private key. It is wiped from memory when dropped, and neither printed nor serialised.
pub struct SigningKey(ed25519_dalek::SigningKey);

/// A public key; written `ed25519:BASE64` in manifests and on command lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// Failure to read or make a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The text is no public key.
    #[error("{text:?} is no public key: expected ed25519: and 32 bytes in Base64")]
    NotAKey {
        /// The text as given.
        text: String,
    },
    /// The operating system gave no random numbers.
    #[error("no random numbers for a key")]
    NoRandomness {
        /// The reason.
        #[source]
        source: getrandom::Error,
    },
    /// No key for what is sealed in a pairing.
    #[error("no key for the credentials of a pairing")]
    NoSealKey,
}

/// A message as it came from another session, with the signature that came with it.
#[derive(Debug, Clone)]
pub struct SignedSample {
    /// The message. Nothing of it is to be believed before [`SignedSample::is_by`] has said yes.
    pub sample: Sample,
    signature: Option<[u8; Signature::BYTE_SIZE]>,
    writer: Option<WriterId>,
}

impl SigningKey {
    /// A new key.
    pub fn generate() -> Result<Self, KeyError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|source| KeyError::NoRandomness { source })?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a stored seed.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// Seed from which [`SigningKey::from_seed`] makes the same key. Its holder can sign.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The key that others test signatures with.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The signature of `payload`, put on `key_expr`.
    #[must_use]
    pub fn sign(&self, key_expr: &str, payload: &[u8]) -> [u8; 64] {
        self.0.sign(&signed_bytes(key_expr, payload)).to_bytes()
    }
}

impl SignedSample {
    /// A message with what was attached to it. Anything but 64 bytes is no signature.
    #[must_use]
    pub fn new(sample: Sample, attachment: Option<&[u8]>) -> Self {
        Self { sample, signature: attachment.and_then(|bytes| bytes.try_into().ok()), writer: None }
    }

    /// The same with the session that its writer names.
    #[must_use]
    pub(crate) fn written_by(self, writer: Option<WriterId>) -> Self {
        Self { writer, ..self }
    }

    /// True if it was put on a key expression that stands for more than one key.
    #[must_use]
    pub(crate) fn is_on_wildcard(&self) -> bool {
        self.sample.key_expr.contains('*')
    }

    /// The Zenoh session that its writer names, if it names one. Its own word: it tells two writers apart and proves
    /// nothing.
    #[must_use]
    pub fn writer(&self) -> Option<WriterId> {
        self.writer
    }

    /// True if the holder of `key` has put exactly these bytes on exactly this key expression.
    #[must_use]
    pub fn is_by(&self, key: &PublicKey) -> bool {
        self.signature.is_some_and(|bytes| key.has_signed(&self.sample.key_expr, &self.sample.payload, &bytes))
    }
}

impl PublicKey {
    /// True if its holder has made this signature of exactly these bytes for exactly this key expression.
    #[must_use]
    pub fn has_signed(&self, key_expr: &str, payload: &[u8], signature: &[u8; 64]) -> bool {
        // Strict: the plain test also accepts keys and signatures of small order, which prove no author.
        self.0.verify_strict(&signed_bytes(key_expr, payload), &Signature::from_bytes(signature)).is_ok()
    }
}

/// A publisher whose messages are signed.
pub(crate) struct SignedPublisher {
    publisher: Publisher<'static>,
    key: Arc<SigningKey>,
}

impl SignedPublisher {
    pub(crate) fn new(publisher: Publisher<'static>, key: &Arc<SigningKey>) -> Self {
        Self { publisher, key: Arc::clone(key) }
    }

    /// True if another session subscribes to its key now; one that cannot be asked is none.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.publisher.matching_status().wait().is_ok_and(|status| status.matching())
    }

    /// Encodes, signs and puts a message.
    pub(crate) fn put(&self, message: &impl Serialize) -> Result<(), BridgeError> {
        let payload = encode(message)?;
        let signature = self.key.sign(self.publisher.key_expr().as_str(), &payload);
        put_with(&self.publisher, payload, Some(signature.to_vec()))
    }
}

fn signed_bytes(key_expr: &str, payload: &[u8]) -> Vec<u8> {
    // The zeros keep a longer key with a shorter payload from giving the same bytes.
    [DOMAIN, b"\0", key_expr.as_bytes(), b"\0", payload].concat()
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bytes = text.strip_prefix(PREFIX).and_then(|encoded| BASE64.decode(encoded).ok());
        let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(bytes.as_slice().try_into().ok()?).ok());
        // Under a weak key a signature fits many messages, so it would prove no author.
        match key.filter(|key| !key.is_weak()) {
            Some(key) => Ok(Self(key)),
            None => Err(KeyError::NotAKey { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", BASE64.encode(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
