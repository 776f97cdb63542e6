//! Credentials that a station hands to one gate, sealed: X25519 (RFC 7748) between two keys that are made for one
//! pairing, HKDF-SHA-256 (RFC 5869) over everything that both have revealed, and ChaCha20-Poly1305 (RFC 8439).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::SystemRandom;
use robot::RobotId;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::PairFault;
use crate::router::client_config;
use crate::signing::KeyError;
use crate::{BridgeError, RouterLink, envelope};

/// Prefix of a written key.
const PREFIX: &str = "x25519:";
/// Purpose of the derived key, so that it means nothing elsewhere.
const PURPOSE: &[u8] = b"quarterdeck-pair-1 bundle";
/// The longest bundle, bytes: two certificates, a key, and an address.
const BUNDLE_BYTES_MAX: usize = 32 * 1024;

/// The own half of the agreement; it is used once and never leaves the process.
pub(super) struct SealKey {
    private: Option<EphemeralPrivateKey>,
    public: String,
}

impl SealKey {
    pub(super) fn generate() -> Result<Self, KeyError> {
        let private = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).map_err(|_| KeyError::NoSealKey)?;
        let public = private.compute_public_key().map_err(|_| KeyError::NoSealKey)?;
        Ok(Self { private: Some(private), public: format!("{PREFIX}{}", BASE64.encode(public)) })
    }

    /// `x25519:BASE64`.
    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// The seal that the holder of `theirs` has too; none if that is no key, or the second time.
    pub(super) fn agree(&mut self, theirs: &str, transcript: &[u8]) -> Option<Seal> {
        let theirs = BASE64.decode(theirs.strip_prefix(PREFIX)?).ok()?;
        let private = self.private.take()?;
        let derive = |shared: &[u8]| {
            let key = Salt::new(HKDF_SHA256, transcript).extract(shared);
            key.expand(&[PURPOSE], &CHACHA20_POLY1305).map(|key| LessSafeKey::new(UnboundKey::from(key)))
        };
        let key = agree_ephemeral(private, &UnparsedPublicKey::new(&X25519, theirs), derive).ok()?.ok()?;
        Some(Seal { key, transcript: transcript.to_vec() })
    }
}

/// The key that both sides of one pairing have. It seals one bundle.
pub(super) struct Seal {
    key: LessSafeKey,
    transcript: Vec<u8>,
}

impl Seal {
    /// The sealed bundle, Base64.
    pub(super) fn close(&self, bundle: &RobotBundle) -> Result<String, BridgeError> {
        let mut sealed = envelope::encode(bundle)?;
        // Only the station seals, and only once with this key.
        let nonce = Nonce::assume_unique_for_key([0; NONCE_LEN]);
        self.key
            .seal_in_place_append_tag(nonce, Aad::from(self.transcript.as_slice()), &mut sealed)
            .map_err(|_| BridgeError::NotSealed { robot: bundle.robot.clone() })?;
        Ok(BASE64.encode(sealed))
    }

    pub(super) fn open(&self, sealed: &str) -> Result<RobotBundle, PairFault> {
        let bad = PairFault::BadBundle;
        // Base64 is longer by a third; the bound holds before anything is decoded.
        if sealed.len() > 2 * BUNDLE_BYTES_MAX {
            return Err(bad);
        }
        let mut bytes = Zeroizing::new(BASE64.decode(sealed).map_err(|_| bad)?);
        let nonce = Nonce::assume_unique_for_key([0; NONCE_LEN]);
        let aad = Aad::from(self.transcript.as_slice());
        let plain = self.key.open_in_place(nonce, aad, &mut bytes).map_err(|_| bad)?;
        let bundle: RobotBundle = serde_json::from_slice(plain).map_err(|_| bad)?;
        // The address becomes part of a configuration file, where parts behind the port could switch checks off.
        RouterLink::check_router(&bundle.router).map_err(|_| bad)?;
        Ok(bundle)
    }
}

/// Everything that one robot's gate needs to connect to the site's router.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RobotBundle {
    /// The robot.
    pub robot: RobotId,
    /// The router, `tls/HOST:PORT`.
    pub router: String,
    /// Certificate of the site's authority, PEM.
    pub authority: String,
    /// Certificate of the robot, PEM.
    pub certificate: String,
    /// Its key, PKCS#8 in PEM.
    #[serde(serialize_with = "expose", deserialize_with = "conceal")]
    pub key: SecretString,
}

fn expose<S: Serializer>(key: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(key.expose_secret())
}

fn conceal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}

impl RobotBundle {
    /// The files of an exported bundle by their names, as [`crate::LinkConfig::file`] takes `zenoh.json5` among them.
    /// The configuration is made here: none comes over the network.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let config = format!("// Made by a pairing; the next one replaces it.\n{:#}\n", client_config(&self.router));
        let files: [(&str, &[u8]); 4] = [
            ("ca.pem", self.authority.as_bytes()),
            ("certificate.pem", self.certificate.as_bytes()),
            ("key.pem", self.key.expose_secret().as_bytes()),
            ("zenoh.json5", config.as_bytes()),
        ];
        files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect()
    }
}
