//! Channels by which a hint of the loop's own reaches a model.

use llm::{Caps, Speaker};

use super::is_prefix_bound;
use crate::{NudgeChannel, Policy};

/// Channel of a hint to the model at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NudgeWay {
    /// A system message that the provider takes away when the turn ends.
    ClearedSystem,
    /// A user message that is gone after the call.
    RemovedUser,
    /// An entry, shown as a system message.
    KeptSystem,
    /// An entry, shown as a user message.
    KeptUser,
    /// A part of the system text of this call.
    InSystem,
}

impl NudgeWay {
    /// The channel that policy and model allow. Nothing shown to a model may vanish if its thinking is bound to it.
    pub fn of(policy: &Policy, caps: &Caps) -> Self {
        let is_bound = is_prefix_bound(caps);
        match policy.nudge {
            NudgeChannel::KeptUser => Self::KeptUser,
            NudgeChannel::RemovedUser | NudgeChannel::PromptItem | NudgeChannel::SystemSuffix if is_bound => {
                Self::KeptUser
            }
            NudgeChannel::RemovedUser => Self::RemovedUser,
            NudgeChannel::PromptItem | NudgeChannel::SystemSuffix => Self::InSystem,
            NudgeChannel::Auto if caps.system_clear => Self::ClearedSystem,
            NudgeChannel::Auto if !is_bound => Self::RemovedUser,
            NudgeChannel::Auto if caps.system_mid => Self::KeptSystem,
            NudgeChannel::Auto => Self::KeptUser,
        }
    }

    /// True if the hint is an entry and stays. Such a hint is given once a turn, the others with every call.
    pub const fn is_kept(self) -> bool {
        match self {
            Self::KeptSystem | Self::KeptUser => true,
            Self::ClearedSystem | Self::RemovedUser | Self::InSystem => false,
        }
    }

    /// Speaker of the hint.
    pub const fn speaker(self) -> Speaker {
        match self {
            Self::ClearedSystem | Self::KeptSystem | Self::InSystem => Speaker::System,
            Self::RemovedUser | Self::KeptUser => Speaker::User,
        }
    }
}
