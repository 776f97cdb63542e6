//! Bytes that must not change within an epoch, and the first difference of two requests.

use std::fmt;
use std::sync::Arc;

use llm::{Caps, Request};
use robot::ConversationId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::EpochReason;

/// Fingerprints of the parts that an epoch fixes besides summary and mask line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    system: String,
    tools: String,
    model: String,
}

impl Fixed {
    /// Fingerprints of `request` to the model of `caps`.
    #[must_use]
    pub fn of(request: &Request, caps: &Caps) -> Self {
        Self {
            system: fingerprint(&json(&request.system)),
            tools: fingerprint(&json(&request.tools.iter().collect::<Vec<_>>())),
            model: fingerprint(&json(&(&caps.provider, caps.api, &caps.name, &caps.base))),
        }
    }

    /// Reason for a request with `next` to begin an epoch after one with this; none if it does not.
    #[must_use]
    pub fn change(&self, next: &Self) -> Option<EpochReason> {
        // If several parts changed, the reason is the model: another one may bring other tools and another text.
        if self.model != next.model {
            Some(EpochReason::ModelSwitched)
        } else if self.tools != next.tools {
            Some(EpochReason::ToolsChanged)
        } else if self.system != next.system {
            Some(EpochReason::SystemChanged)
        } else {
            None
        }
    }
}

/// Tools, system and messages in wire order, without marks and without the transient tail.
#[must_use]
pub fn stable_bytes(request: &Request) -> Vec<u8> {
    let kept = request.transient_from.unwrap_or(request.messages.len());
    let mut bytes = json(&request.tools.iter().collect::<Vec<_>>());
    bytes.extend(json(&request.system));
    for message in &request.messages[..kept] {
        bytes.extend(json(message));
    }
    bytes
}

/// Bytes that a request showed and that every later one of its epoch has to begin with.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct StableBytes {
    session: ConversationId,
    epoch: u32,
    bytes: Arc<[u8]>,
}

impl StableBytes {
    /// That of `request`.
    pub fn of(request: &Request) -> Self {
        Self { session: request.session.clone(), epoch: request.epoch, bytes: stable_bytes(request).into() }
    }

    /// Byte offset at which `next` differs first, if it does not begin with this; none across sessions and epochs.
    pub fn broken_at(&self, next: &Self) -> Option<usize> {
        // Between epochs the past is edited on purpose, so a difference there is no fault.
        if self.session != next.session || self.epoch != next.epoch {
            return None;
        }
        let same = self.bytes.iter().zip(&*next.bytes).take_while(|(old, new)| old == new).count();
        (same < self.bytes.len()).then_some(same)
    }
}

/// Prints the number of the bytes alone: those of a whole conversation would fill a log.
impl fmt::Debug for StableBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StableBytes")
            .field("epoch", &self.epoch)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// Byte offset at which the stable bytes of `next` differ first from those of `before`, if they do not begin with them;
/// none across sessions and epochs.
#[must_use]
pub fn first_difference(before: &Request, next: &Request) -> Option<usize> {
    StableBytes::of(before).broken_at(&StableBytes::of(next))
}

/// Requests are plain data: what cannot be written as JSON cannot be in one.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn fingerprint(bytes: &[u8]) -> String {
    // 16 bytes are enough to tell versions of one text apart; nothing is authenticated by them.
    hex::encode(&Sha256::digest(bytes)[..16])
}
