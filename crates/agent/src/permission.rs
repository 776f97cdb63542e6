//! What the agent may do by itself. Never the last word: the safety engine judges after it.

use robot::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Stops;

/// How much an agent may do without being asked. Set by a person only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "AgentMode")]
pub enum Mode {
    /// Observe only.
    Watch,
    /// Ask for everything.
    #[default]
    Ask,
    /// Ask for motion.
    Assist,
}

impl Mode {
    /// The mode in an operator's words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Watch => "Observe only",
            Self::Ask => "Ask for everything",
            Self::Assist => "Ask for motion",
        }
    }
}

/// What happens to a call before anything else looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It runs.
    Allow,
    /// A person decides.
    Ask,
    /// It does not run.
    Deny,
}

/// What `mode` says of a call with this effect. A stop needs nobody's leave in any mode.
#[must_use]
pub const fn permission(mode: Mode, effect: Effect, stops: Stops) -> Permission {
    match stops {
        Stops::All | Stops::Named | Stops::Missions => return Permission::Allow,
        Stops::No => {}
    }
    match (mode, effect) {
        (Mode::Watch | Mode::Ask | Mode::Assist, Effect::Read) | (Mode::Assist, Effect::Write) => Permission::Allow,
        (Mode::Watch, Effect::Write | Effect::Actuate | Effect::Irreversible) => Permission::Deny,
        (Mode::Ask, Effect::Write | Effect::Actuate | Effect::Irreversible)
        | (Mode::Assist, Effect::Actuate | Effect::Irreversible) => Permission::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission::{Allow, Ask, Deny};

    #[test]
    fn p_14_a_mode_decides_by_effect() {
        let effects = [Effect::Read, Effect::Write, Effect::Actuate, Effect::Irreversible];
        for (mode, expected) in [
            (Mode::Watch, [Allow, Deny, Deny, Deny]),
            (Mode::Ask, [Allow, Ask, Ask, Ask]),
            (Mode::Assist, [Allow, Allow, Ask, Ask]),
        ] {
            assert_eq!(effects.map(|effect| permission(mode, effect, Stops::No)), expected, "{mode:?}");
        }
    }

    #[test]
    fn p_12_a_stop_is_allowed_in_every_mode() {
        for mode in [Mode::Watch, Mode::Ask, Mode::Assist] {
            for stops in [Stops::All, Stops::Named, Stops::Missions] {
                assert_eq!(permission(mode, Effect::Actuate, stops), Allow, "{mode:?} {stops:?}");
            }
        }
    }
}
