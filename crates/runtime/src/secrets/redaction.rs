//! Takes secrets out of what is written down. A secret that the station knows is found in whatever form it stands; one
//! that it does not know only by the shape that its maker gave it.

use std::sync::{Arc, RwLock};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::lock::{read, write};
use crate::secrets::VARIABLE_BEGINNING;

/// The text in place of a secret.
const REDACTED: &str = "[redacted]";
/// A shorter text is in too many words that are no secret.
const SECRET_BYTES_MIN: usize = 8;
/// Characters after a known beginning that make a word a key and not a name.
const KEY_CHARS_MIN: usize = 16;
/// First characters of the keys of common services.
const KEY_BEGINNINGS: [&str; 10] =
    ["sk-", "sk_", "rk_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "AKIA", "AIza"];
/// Words after which a secret stands.
const SECRET_FOLLOWS: [&str; 3] = ["bearer", "password:", "password="];

/// So much of a text is looked at for its first words.
const HEAD_BYTES_MAX: usize = 2_048;

/// Forms of secrets that are known at once: more keys than a station has providers.
const FORMS_MAX: usize = 1_024;

/// Knows the secrets of the station; clones know the same.
#[derive(Clone, Default)]
pub struct Redaction {
    known: Arc<RwLock<Vec<SecretString>>>,
}

impl Redaction {
    /// Finds each of these, plain, in hex and in base64.
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let redaction = Self::default();
        secrets.into_iter().for_each(|secret| redaction.learn(secret));
        redaction
    }

    /// Finds this one too from now on; the oldest makes room.
    pub fn learn(&self, secret: &[u8]) {
        if secret.len() < SECRET_BYTES_MIN {
            return;
        }
        let mut known = write(&self.known);
        for form in forms(secret) {
            if known.iter().any(|known| known.expose_secret() == form) {
                continue;
            }
            if known.len() >= FORMS_MAX {
                known.remove(0);
            }
            known.push(SecretString::from(form));
        }
    }

    /// Finds the secrets that the environment holds for this program.
    pub fn from_environment() -> Self {
        let values = std::env::vars().filter(|(name, _)| name.starts_with(VARIABLE_BEGINNING));
        let mut secrets: Vec<Zeroizing<Vec<u8>>> = Vec::new();
        for (_, value) in values {
            secrets.extend(STANDARD.decode(value.trim()).ok().map(Zeroizing::new));
            secrets.push(Zeroizing::new(value.into_bytes()));
        }
        Self::of(secrets.iter().map(|secret| secret.as_slice()))
    }

    /// Takes secrets out of every text in `value`, however deep it lies.
    pub fn redact(&self, value: &mut Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => *text = self.without_secrets(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.redact(field)),
        }
    }

    /// The first `chars_max` characters of `text` without secrets. Looks at no more than is needed, and leaves out a
    /// word that may be cut.
    pub fn head_without_secrets(&self, text: &str, chars_max: usize) -> String {
        // A cut inside a character would panic.
        let head = &text[..text.floor_char_boundary(HEAD_BYTES_MAX)];
        let whole = if head.len() < text.len() {
            // The word at the cut may be half a secret, which matches no form.
            head.rsplit_once(char::is_whitespace).map(|(whole, _)| whole)
        } else {
            Some(head)
        };
        self.without_secrets(whole.unwrap_or_default()).chars().take(chars_max).collect()
    }

    /// `text` without secrets.
    pub fn without_secrets(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in read(&self.known).iter() {
            if text.contains(secret.expose_secret()) {
                text = text.replace(secret.expose_secret(), REDACTED);
            }
        }
        let mut follows = false;
        let words = text.split_inclusive(char::is_whitespace).map(|word| {
            let bare = word.trim_end();
            let is_secret = is_key(bare) || (follows && !bare.is_empty());
            follows = SECRET_FOLLOWS.contains(&bare.to_lowercase().as_str());
            if is_secret { word.replacen(bare, REDACTED, 1) } else { word.to_owned() }
        });
        words.collect()
    }
}

fn forms(secret: &[u8]) -> Vec<String> {
    let hex = hex::encode(secret);
    let base64 = [STANDARD.encode(secret), STANDARD_NO_PAD.encode(secret), URL_SAFE_NO_PAD.encode(secret)];
    let plain = std::str::from_utf8(secret).ok().map(str::to_owned);
    plain.into_iter().chain([hex.to_uppercase(), hex]).chain(base64).collect()
}

fn is_key(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    KEY_BEGINNINGS.iter().filter_map(|beginning| word.strip_prefix(beginning)).any(|rest| {
        rest.chars().take_while(|c| is_of_key(*c)).count() >= KEY_CHARS_MIN && rest.chars().any(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn att_19_no_part_of_a_secret_stands_in_the_first_words_of_a_long_text() {
        let key = "sk-ant-0123456789abcdefXYZ";
        let redaction = Redaction::of([[b'k'; 3_000].as_slice()]);
        assert_eq!(redaction.head_without_secrets(&format!("stop {key} now"), 80), "stop [redacted] now");
        assert_eq!(redaction.head_without_secrets(&format!("stop {}", "k".repeat(3_000)), 80), "stop");
        let cut = format!("{} {key}", "x".repeat(HEAD_BYTES_MAX - 12));
        assert!(!redaction.head_without_secrets(&cut, 9_999).contains("sk-"));
    }

    #[test]
    fn e2_02_no_secret_reaches_a_record() {
        let redaction = Redaction::of([b"correct horse battery".as_slice(), &[7; 32]]);
        let base64 = STANDARD.encode([7; 32]);
        for (text, expected) in [
            ("say correct horse battery now", "say [redacted] now".to_owned()),
            (&format!("key={}!", "07".repeat(32)), "key=[redacted]!".into()),
            (&format!("QUARTERDECK_SECRET={base64}"), "QUARTERDECK_SECRET=[redacted]".into()),
            ("my key is sk-ant-0123456789abcdefXYZ, use it", "my key is [redacted] use it".into()),
            ("Authorization: Bearer abc.def\nnext line", "Authorization: Bearer [redacted]\nnext line".into()),
            ("the password: hunter2 works", "the password: [redacted] works".into()),
            ("move arm-1 to sk-3 at 0.2 m/s", "move arm-1 to sk-3 at 0.2 m/s".into()),
            ("sk-eleton-shaped-word-of-letters", "sk-eleton-shaped-word-of-letters".into()),
        ] {
            assert_eq!(redaction.without_secrets(text), expected);
        }
    }
}
