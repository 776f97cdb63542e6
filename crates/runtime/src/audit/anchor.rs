//! Signed ends of the chain. Somebody who can write the database can write a whole new chain, but not one that fits
//! the anchors that were exported before.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use robot::StationId;
use serde::{Deserialize, Serialize};

/// Domain of the signature, so that it never passes for one of something else.
const PURPOSE: &str = "quarterdeck audit anchor 1";
/// Prefix of a written public key, in manifests too.
const KEY_PREFIX: &str = "ed25519:";

/// A line of an export, or a row of `audit_anchor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorLine {
    /// The anchor.
    pub anchor: Anchor,
}

/// A signature over station, number and hash of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// The station.
    pub station: StationId,
    /// The record's number.
    pub seq: u64,
    /// The record's hash, hex.
    pub hash: String,
    /// The public key, `ed25519:` and base64.
    pub public_key: String,
    /// The signature, base64.
    pub signature: String,
}

impl Anchor {
    /// Signs the record `seq` with `hash`.
    pub fn sign(key: &SigningKey, station: StationId, seq: u64, hash: String) -> Self {
        let signature = signature(key, &message(&station, seq, &hash));
        Self { station, seq, hash, public_key: public_key(key), signature }
    }

    /// True if the signature is that of its public key over the rest.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.verified().is_some()
    }

    fn verified(&self) -> Option<()> {
        let key = STANDARD.decode(self.public_key.strip_prefix(KEY_PREFIX)?).ok()?;
        let key = VerifyingKey::from_bytes(key.as_slice().try_into().ok()?).ok()?;
        let signature = Signature::from_slice(&STANDARD.decode(&self.signature).ok()?).ok()?;
        key.verify_strict(&message(&self.station, self.seq, &self.hash), &signature).ok()
    }
}

/// The signature of `key` over `message`, base64.
pub(super) fn signature(key: &SigningKey, message: &[u8]) -> String {
    STANDARD.encode(key.sign(message).to_bytes())
}

/// True if `signature` is that of `key` over `message`.
pub(super) fn is_signature(key: &SigningKey, message: &[u8], signature: &str) -> bool {
    let signature = STANDARD.decode(signature).ok().and_then(|bytes| Signature::from_slice(&bytes).ok());
    signature.is_some_and(|signature| key.verifying_key().verify_strict(message, &signature).is_ok())
}

/// The public half of `key` as it is written.
pub fn public_key(key: &SigningKey) -> String {
    format!("{KEY_PREFIX}{}", STANDARD.encode(key.verifying_key().to_bytes()))
}

fn message(station: &StationId, seq: u64, hash: &str) -> Vec<u8> {
    format!("{PURPOSE}\n{station}\n{seq}\n{hash}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expects an anchor to be signed, or not, after `change`.
    fn check(change: impl FnOnce(&mut Anchor), expected: bool) {
        let key = SigningKey::from_bytes(&[7; 32]);
        let mut anchor = Anchor::sign(&key, StationId::new("desk-1").unwrap(), 256, "aa".repeat(32));
        change(&mut anchor);
        assert_eq!(anchor.is_signed(), expected, "{anchor:?}");
    }

    #[test]
    fn a_signature_holds_for_its_station_record_and_key_alone() {
        check(|_| {}, true);
        check(|anchor| anchor.seq += 1, false);
        check(|anchor| anchor.hash = "bb".repeat(32), false);
        check(|anchor| anchor.station = StationId::new("desk-2").unwrap(), false);
        check(|anchor| anchor.public_key = public_key(&SigningKey::from_bytes(&[8; 32])), false);
        check(|anchor| anchor.public_key = "ed25519:".into(), false);
        check(|anchor| anchor.signature = STANDARD.encode([0; 64]), false);
    }
}
