//! What must not change within an epoch, as bytes, and where two requests differ first.

use std::fmt::Write as _;

use llm::{Caps, Request};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::EpochReason;

/// What an epoch fixes besides summary and mask line, as fingerprints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    system: String,
    tools: String,
    model: String,
}

impl Fixed {
    /// What `request` to the model of `caps` fixes.
    #[must_use]
    pub fn of(request: &Request, caps: &Caps) -> Self {
        Self {
            system: fingerprint(&json(&request.system)),
            tools: fingerprint(&json(&request.tools.iter().collect::<Vec<_>>())),
            model: fingerprint(&json(&(&caps.provider, caps.api, &caps.name, &caps.base))),
        }
    }

    /// Why a request with `next` begins an epoch after one with this; nothing if it does not.
    #[must_use]
    pub fn change(&self, next: &Self) -> Option<EpochReason> {
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

/// Where the stable bytes of `next` differ first from those of `before`, if `before` is not their beginning. Requests of
/// two epochs have nothing to keep.
#[must_use]
pub fn first_difference(before: &Request, next: &Request) -> Option<usize> {
    if before.session != next.session || before.epoch != next.epoch {
        return None;
    }
    let (before, next) = (stable_bytes(before), stable_bytes(next));
    let same = before.iter().zip(&next).take_while(|(old, new)| old == new).count();
    (same < before.len()).then_some(same)
}

/// Requests are plain data: what cannot be written as JSON cannot be in one.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
