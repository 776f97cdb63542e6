//! Names of calls as a server takes them. A name from elsewhere is mapped by its own text, so the same name is the same
//! one in every request of a conversation, whatever else is in it.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::{CallId, Caps, IdShape, Request, SidecarBlock};

/// The longest name of the shape `Word`, characters.
const WORD_CHARS_MAX: usize = 64;
/// Characters of a name of the shape `NineAlphanumerics`.
const NINE: usize = 9;
/// Letters and digits.
const ALPHANUMERICS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Names of the calls of one request.
#[derive(Debug)]
pub(crate) struct Ids<'a> {
    shape: IdShape,
    /// The server's own names go back to it as they came.
    own: BTreeSet<&'a CallId>,
}

impl<'a> Ids<'a> {
    /// For a request to the server of `caps`.
    pub fn of(request: &'a Request, caps: &Caps) -> Self {
        let sidecars = request.messages.iter().filter_map(|message| message.sidecar.as_deref());
        let own = sidecars.filter(|sidecar| sidecar.is_of(caps)).flat_map(|sidecar| &sidecar.blocks);
        let own = own.filter_map(|block| match block {
            SidecarBlock::Call { id, .. } => Some(id),
            SidecarBlock::Text { .. }
            | SidecarBlock::Thinking { .. }
            | SidecarBlock::Redacted { .. }
            | SidecarBlock::Item { .. } => None,
        });
        Self { shape: caps.id_shape, own: own.collect() }
    }

    /// The name as it is sent; absent if this server takes none.
    pub fn sent(&self, id: &CallId) -> Option<String> {
        let fits = match self.shape {
            IdShape::None => return None,
            IdShape::Any => !id.0.is_empty(),
            IdShape::Word => is_word(&id.0),
            IdShape::NineAlphanumerics => id.0.len() == NINE && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        };
        if fits || self.own.contains(id) {
            return Some(id.0.clone());
        }
        let digest = Sha256::digest(id.0.as_bytes());
        Some(match self.shape {
            IdShape::NineAlphanumerics => alphanumerics(&digest[..NINE]),
            IdShape::Any | IdShape::Word | IdShape::None => format!("call_{}", alphanumerics(&digest)),
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

fn is_word(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    plain && (1..=WORD_CHARS_MAX).contains(&text.len())
}

fn alphanumerics(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHANUMERICS[usize::from(*byte) % ALPHANUMERICS.len()])).collect()
}
