//! The `[approvals]` part of `config.toml`: the time after which a card counts as unseen, and the alarm about it.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Deserialize;

use super::{in_range, ms};

/// Range of `unseen_after_ms`: with less, every reload of a window would count; a high card lives for a minute.
const UNSEEN_AFTER_MS: RangeInclusive<u32> = 1_000..=60_000;

/// The settings of a site about cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ApprovalSettings {
    /// A card that no desk has shown for longer than this is seen by nobody, milliseconds.
    pub unseen_after_ms: u32,
    /// The alarm that goes out then.
    pub unseen_alarm: UnseenAlarm,
}

/// Priority of the alarm about a card that nobody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnseenAlarm {
    /// No alarm; the agent still hears of it.
    Off,
    /// An alarm of medium priority.
    Medium,
    /// An alarm of high priority.
    High,
}

impl Default for ApprovalSettings {
    fn default() -> Self {
        Self { unseen_after_ms: 3_000, unseen_alarm: UnseenAlarm::Medium }
    }
}

impl ApprovalSettings {
    /// Refuses what lies outside its range; says the key and the range.
    pub fn check(self) -> Result<(), String> {
        in_range("approvals.unseen_after_ms", self.unseen_after_ms, &UNSEEN_AFTER_MS)
    }

    /// Longest time a card may be on no desk.
    pub fn unseen_after(self) -> Duration {
        ms(self.unseen_after_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn check(text: &str, expected: Result<ApprovalSettings, &str>) {
        match (Settings::parse(&format!("[approvals]\n{text}")), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found.approvals, expected, "{text}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}: {found}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }

    #[test]
    fn what_follows_an_unseen_card_is_the_choice_of_the_site_within_a_range() {
        let default = ApprovalSettings::default();
        check("", Ok(default));
        check("unseen_alarm = \"off\"", Ok(ApprovalSettings { unseen_alarm: UnseenAlarm::Off, ..default }));
        check("unseen_after_ms = 1000", Ok(ApprovalSettings { unseen_after_ms: 1_000, ..default }));
        check("unseen_after_ms = 999", Err("approvals.unseen_after_ms = 999: expected 1000 to 60000"));
        check("unseen_alarm = \"loud\"", Err("unknown variant `loud`"));
    }
}
