//! Names of calls as a server takes them. A name from elsewhere is mapped by its own text, so the same name is the same
//! one in every request of a conversation, whatever else is in it.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::{CallId, Caps, IdShape, Request};

/// The longest name of the shape `Word`, characters.
const WORD_CHARS_MAX: usize = 64;
/// The longest name of the shape `ShortWord`, characters.
const SHORT_WORD_CHARS_MAX: usize = 40;
/// Letters that are kept of a tool's name that no server takes.
const NAME_LETTERS_MAX: usize = 48;
/// Characters of a name of the shape `NineAlphanumerics`.
const NINE: usize = 9;
/// Letters and digits.
const ALPHANUMERICS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Ids and tool names of the calls of one request. A name that a server would refuse is replaced, also in its own
/// reply: otherwise one bad name of the model would end the conversation for good.
#[derive(Debug)]
pub(crate) struct Ids {
    shape: IdShape,
}

impl Ids {
    /// For a request to the server of `caps`.
    pub const fn of(caps: &Caps) -> Self {
        Self { shape: caps.id_shape }
    }

    /// The id as it is sent; absent if this server takes none.
    pub fn sent(&self, id: &CallId) -> Option<String> {
        let fits = match self.shape {
            IdShape::None => return None,
            // No server takes longer ones, and none takes white space.
            IdShape::Any => {
                (1..=WORD_CHARS_MAX).contains(&id.0.len()) && id.0.bytes().all(|byte| byte.is_ascii_graphic())
            }
            IdShape::Word => is_word(&id.0),
            IdShape::ShortWord => is_word(&id.0) && id.0.len() <= SHORT_WORD_CHARS_MAX,
            IdShape::NineAlphanumerics => id.0.len() == NINE && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        };
        if fits {
            return Some(id.0.clone());
        }
        // A digest of the id alone: the same call gets the same name in every later request.
        let digest = Sha256::digest(id.0.as_bytes());
        Some(match self.shape {
            IdShape::NineAlphanumerics => alphanumerics(&digest[..NINE]),
            IdShape::Any | IdShape::Word | IdShape::ShortWord | IdShape::None => {
                format!("call_{}", alphanumerics(&digest))
            }
        })
    }
}

/// Names for calls that came without one: unique in the conversation, because the reply's entry is.
#[derive(Debug)]
pub(crate) struct LocalIds {
    entry: u64,
    given: usize,
}

impl LocalIds {
    /// For the reply to `request`.
    pub fn after(request: &Request) -> Self {
        let newest = request.messages.iter().filter_map(|message| message.entry).max();
        Self { entry: newest.map_or(0, |entry| entry + 1), given: 0 }
    }

    /// The next name.
    pub fn next(&mut self) -> CallId {
        let id = CallId(format!("call_{}_{}", self.entry, self.given));
        self.given += 1;
        id
    }
}

/// A tool's name as every server takes it: `^[a-zA-Z0-9_-]{1,64}$`. The name of another one is replaced by its letters
/// and a digest, the same in every request.
pub(crate) fn tool_name(name: &str) -> Cow<'_, str> {
    if is_word(name) {
        return Cow::Borrowed(name);
    }
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '_' };
    let letters: String = name.chars().take(NAME_LETTERS_MAX).map(plain).collect();
    let digest = alphanumerics(&Sha256::digest(name.as_bytes())[..NINE]);
    Cow::Owned(format!("{letters}_{digest}"))
}

fn is_word(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    plain && (1..=WORD_CHARS_MAX).contains(&text.len())
}

fn alphanumerics(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHANUMERICS[usize::from(*byte) % ALPHANUMERICS.len()])).collect()
}
