//! The SHA-256 fingerprint of a certificate, which a person compares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// SHA-256 of a certificate in DER. Written as pairs of hexadecimal digits with colons between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; BYTES]);

/// A text that is no fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fingerprint is 32 bytes as pairs of hexadecimal digits, with or without colons between")]
pub struct NoFingerprint;

impl Fingerprint {
    /// That of a certificate.
    #[must_use]
    pub fn of(certificate_der: &[u8]) -> Self {
        Self(Sha256::digest(certificate_der).into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            let colon = if at == 0 { "" } else { ":" };
            write!(f, "{colon}{byte:02X}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Self, NoFingerprint> {
        let is_between = |char: &char| *char != ':' && !char.is_whitespace();
        let digits: Option<Vec<u8>> = text
            .chars()
            .filter(is_between)
            .map(|char| char.to_digit(16).and_then(|digit| digit.try_into().ok()))
            .collect();
        let digits = digits.filter(|digits| digits.len() == 2 * BYTES).ok_or(NoFingerprint)?;
        let mut bytes = [0; BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair.iter().fold(0, |byte, digit| byte << 4 | digit);
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rd_02_a_fingerprint_is_read_as_it_is_written_and_in_other_forms_of_it() {
        let fingerprint = Fingerprint::of(b"a certificate");
        let written = fingerprint.to_string();
        assert_eq!(written.len(), 95);
        for form in [written.clone(), written.to_lowercase(), written.replace(':', ""), written.replace(':', " ")] {
            assert_eq!(form.parse(), Ok(fingerprint));
        }
        for wrong in ["", "AB", &written[3..], &written.replace(|char: char| char != ':', "G")] {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(NoFingerprint), "{wrong}");
        }
    }
}
