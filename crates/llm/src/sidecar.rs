//! A reply in its provider's own form, kept so that it can be sent back to that provider byte for byte.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Api, CallId, Caps, Stop};

/// A reply as its provider gave it. It is sent back only to the same provider, format, model and address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Sidecar {
    /// The operator's name of the provider.
    pub provider: String,
    /// The wire format.
    pub api: Api,
    /// The model.
    pub model: String,
    /// Base URL of the request.
    pub base: String,
    /// The provider's name of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub response_id: Option<String>,
    /// Reason it ended.
    pub stop: Stop,
    /// Usage in the provider's form.
    #[ts(type = "unknown")]
    pub usage_raw: serde_json::Value,
    /// Its parts, in order.
    pub blocks: Vec<SidecarBlock>,
    /// Calls beyond the most that is kept of one reply.
    #[serde(default, skip_serializing_if = "is_none")]
    #[ts(type = "number")]
    pub calls_left_out: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Sidecar {
    /// A reply of the model that `caps` describe, with nothing in it yet.
    pub(crate) fn of(caps: &Caps) -> Self {
        Self {
            provider: caps.provider.clone(),
            api: caps.api,
            model: caps.name.clone(),
            base: caps.base.clone(),
            response_id: None,
            stop: Stop::End,
            usage_raw: serde_json::Value::Null,
            blocks: Vec::new(),
            calls_left_out: 0,
        }
    }

    /// True if it came from the very model that `caps` describe; to any other it means nothing.
    #[must_use]
    pub fn is_of(&self, caps: &Caps) -> bool {
        let Self { provider, api, model, base, .. } = self;
        *provider == caps.provider && *api == caps.api && *model == caps.name && *base == caps.base
    }
}

/// A part of a reply in its provider's form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum SidecarBlock {
    /// Words.
    Text {
        /// The words.
        s: String,
        /// The signature that belongs to this very part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sig: Option<String>,
    },
    /// Thinking; empty text with a signature is complete.
    Thinking {
        /// The words.
        s: String,
        /// Signature that proves that the provider wrote it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sig: Option<String>,
    },
    /// Thinking that only the provider can read.
    Redacted {
        /// As it came.
        data: String,
    },
    /// A tool call.
    Call {
        /// As the provider named it.
        id: CallId,
        /// The tool.
        name: String,
        /// The arguments as they arrived.
        args_raw: String,
        /// The signature that belongs to this very part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sig: Option<String>,
    },
    /// Something of a format that has more kinds of parts.
    Item {
        /// As it came.
        #[ts(type = "unknown")]
        raw: serde_json::Value,
    },
}
