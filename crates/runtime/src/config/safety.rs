//! The `[safety]` part of `config.toml`: numbers that a site may choose within hard ranges. A number outside is refused
//! at start, never bent into the range, so that no setting switches a check off.

use std::ops::RangeInclusive;
use std::time::Duration;

use safety::leases::LeaseTimes;
use safety::{CommandRate, JudgeNumbers, machine};
use serde::Deserialize;

use super::in_range;
use crate::wire::SafetySetting;

/// Number of settings.
const SETTINGS: usize = 20;

/// Numbers of the safety engine; each one's meaning stands in its row, and durations are in the unit of their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SafetySettings {
    /// Beats to each robot, a second.
    pub beat_hz: u32,
    /// A robot is held without an answered beat for this long.
    pub beat_late_ms: u32,
    /// A robot is stopped without an answered beat for this long.
    pub beat_lost_ms: u32,
    /// A link is healthy for this long before arming, clearing or release.
    pub healthy_ms: u32,
    /// A hold that lasts longer becomes a safe stop.
    pub hold_max_ms: u32,
    /// Time-to-live of a goal that names none.
    pub goal_ttl_ms: u32,
    /// An approved command may wait this long to be sent.
    pub approved_ms: u32,
    /// A stamp may be ahead of its arrival by this.
    pub future_stamp_ms: u32,
    /// A lease or claim that is not renewed ends after this.
    pub lease_ttl_ms: u32,
    /// Leases of what moves are renewed this often.
    pub lease_renewal_ms: u32,
    /// Longest wait for a part in use.
    pub resource_wait_ms: u32,
    /// A screen that is silent for longer is frozen.
    pub screen_frozen_ms: u32,
    /// A screen that is silent for longer loses control.
    pub presence_ms: u32,
    /// Robots are held when no screen was alive for longer.
    pub absence_ms: u32,
    /// A judgement that takes longer denies, microseconds.
    pub judge_deadline_us: u32,
    /// Commands to an actuator, a second.
    pub command_rate_hz: u32,
    /// Commands to an actuator at once.
    pub command_burst: u32,
    /// A robot is held when its pose stays the same in motion for longer.
    pub sensor_frozen_ms: u32,
    /// No jogging above this round trip.
    pub jog_round_trip_ms: u32,
    /// Unattended when no person acted for longer, minutes.
    pub operator_idle_min: u32,
}

impl Default for SafetySettings {
    fn default() -> Self {
        Self {
            beat_hz: 10,
            beat_late_ms: 500,
            beat_lost_ms: 1_500,
            healthy_ms: 1_000,
            hold_max_ms: 5_000,
            goal_ttl_ms: 2_000,
            approved_ms: 500,
            future_stamp_ms: 100,
            lease_ttl_ms: 2_000,
            lease_renewal_ms: 500,
            resource_wait_ms: 5_000,
            screen_frozen_ms: 3_000,
            presence_ms: 5_000,
            absence_ms: 30_000,
            judge_deadline_us: 1_000,
            command_rate_hz: 50,
            command_burst: 10,
            sensor_frozen_ms: 1_000,
            jog_round_trip_ms: 300,
            operator_idle_min: 10,
        }
    }
}

/// A setting's key, value, range and meaning.
struct Row(&'static str, u32, RangeInclusive<u32>, &'static str);

impl SafetySettings {
    /// Refuses what lies outside its range; says the key and the range.
    pub fn check(&self) -> Result<(), String> {
        for Row(key, value, range, _) in self.rows() {
            in_range(&format!("safety.{key}"), value, &range)?;
        }
        // Two renewals may come too late before a lease of something that moves runs out.
        if self.lease_renewal_ms > self.lease_ttl_ms / 3 {
            let most = self.lease_ttl_ms / 3;
            return Err(format!("safety.lease_renewal_ms: expected at most {most}, a third of lease_ttl_ms"));
        }
        // An answer comes a round trip after its beat: within one period every link would be late before each answer.
        let two_beats_ms = 2_000_u32.div_ceil(self.beat_hz);
        if self.beat_late_ms < two_beats_ms {
            let least = format!("{two_beats_ms}, the time of two beats at this beat_hz");
            return Err(format!("safety.beat_late_ms: expected at least {least}"));
        }
        if self.presence_ms < self.screen_frozen_ms {
            let least = self.screen_frozen_ms;
            return Err(format!("safety.presence_ms: expected at least screen_frozen_ms, {least}"));
        }
        if self.beat_late_ms >= self.beat_lost_ms {
            return Err(format!("safety.beat_late_ms: expected less than beat_lost_ms, {}", self.beat_lost_ms));
        }
        Ok(())
    }

    /// As screens show them.
    #[must_use]
    pub fn shown(&self) -> Vec<SafetySetting> {
        let defaults = Self::default().rows();
        let shown = |(Row(key, value, range, meaning), Row(_, default, ..)): (Row, Row)| SafetySetting {
            key: key.to_owned(),
            value,
            default,
            min: *range.start(),
            max: *range.end(),
            meaning: meaning.to_owned(),
        };
        self.rows().into_iter().zip(defaults).map(shown).collect()
    }

    /// The values in the order of their rows, as the audit keeps them.
    pub fn numbers(&self) -> String {
        self.rows().map(|Row(_, value, ..)| value.to_string()).join(",")
    }

    /// Reads [`numbers`](Self::numbers); none if they are not one valid set.
    pub fn from_numbers(numbers: &str) -> Option<Self> {
        let values: Vec<u32> = numbers.split(',').map(|value| value.parse().ok()).collect::<Option<_>>()?;
        let keys = Self::default().rows().map(|Row(key, ..)| key);
        if values.len() != keys.len() {
            return None;
        }
        let lines: String = keys.iter().zip(values).map(|(key, value)| format!("{key} = {value}\n")).collect();
        // Through the reader of the file, so that the same ranges hold for what is on record.
        toml::from_str::<Self>(&lines).ok().filter(|settings| settings.check().is_ok())
    }

    /// As a part of `config.toml`.
    pub fn written(&self) -> String {
        let lines = self.rows().map(|Row(key, value, ..)| format!("{key} = {value}\n"));
        format!("[safety]\n{}", lines.concat())
    }

    fn rows(&self) -> [Row; SETTINGS] {
        [
            Row("beat_hz", self.beat_hz, 5..=50, "beats to each robot, a second"),
            Row("beat_late_ms", self.beat_late_ms, 200..=1_000, "no answered beat for this long: hold"),
            Row("beat_lost_ms", self.beat_lost_ms, 500..=3_000, "no answered beat for this long: safe stop"),
            Row(
                "healthy_ms",
                self.healthy_ms,
                1_000..=10_000,
                "healthy for this long before arming, clearing, release",
            ),
            Row("hold_max_ms", self.hold_max_ms, 1_000..=30_000, "a hold that lasts longer becomes a safe stop"),
            Row("goal_ttl_ms", self.goal_ttl_ms, 200..=5_000, "a goal that names no time-to-live has this one"),
            Row("approved_ms", self.approved_ms, 50..=1_000, "an approved command may wait this long to be sent"),
            Row("future_stamp_ms", self.future_stamp_ms, 0..=500, "a stamp may be ahead of its arrival by this"),
            Row("lease_ttl_ms", self.lease_ttl_ms, 1_000..=5_000, "a lease or claim not renewed ends after this"),
            Row("lease_renewal_ms", self.lease_renewal_ms, 100..=1_666, "leases of what moves are renewed this often"),
            Row("resource_wait_ms", self.resource_wait_ms, 100..=30_000, "the longest wait for a part in use"),
            Row("screen_frozen_ms", self.screen_frozen_ms, 2_000..=5_000, "a screen silent for longer is frozen"),
            Row("presence_ms", self.presence_ms, 2_000..=10_000, "a screen silent for longer loses control"),
            Row("absence_ms", self.absence_ms, 10_000..=120_000, "no living screen for longer: hold"),
            Row("judge_deadline_us", self.judge_deadline_us, 200..=5_000, "judging a command may take this long"),
            Row("command_rate_hz", self.command_rate_hz, 1..=200, "commands to an actuator, a second"),
            Row("command_burst", self.command_burst, 1..=50, "commands to an actuator at once"),
            Row("sensor_frozen_ms", self.sensor_frozen_ms, 200..=5_000, "a pose that stays the same in motion: hold"),
            Row("jog_round_trip_ms", self.jog_round_trip_ms, 50..=300, "no jogging above this round trip"),
            Row("operator_idle_min", self.operator_idle_min, 1..=30, "no act of a person for longer: unattended"),
        ]
    }

    /// Between two beats.
    #[must_use]
    pub fn beat_every(&self) -> Duration {
        Duration::from_secs(1) / self.beat_hz
    }

    /// Times of the state machine.
    #[must_use]
    pub fn machine_times(&self) -> machine::Times {
        machine::Times { clear_for: ms(self.healthy_ms), hold_max: ms(self.hold_max_ms) }
    }

    /// Numbers for judging and watching, besides the limits.
    #[must_use]
    pub fn judge_numbers(&self) -> JudgeNumbers {
        JudgeNumbers {
            approved_for: ms(self.approved_ms),
            frozen_after: ms(self.sensor_frozen_ms),
            rate: CommandRate { hz: f64::from(self.command_rate_hz), burst: self.command_burst },
        }
    }

    /// Times to live of leases, and longest waits for them.
    #[must_use]
    pub fn lease_times(&self) -> LeaseTimes {
        LeaseTimes { ttl: ms(self.lease_ttl_ms), wait_max: ms(self.resource_wait_ms) }
    }
}

/// Milliseconds as a duration.
pub fn ms(ms: u32) -> Duration {
    Duration::from_millis(ms.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let settings = toml::from_str::<SafetySettings>(text).map_err(|error| error.message().to_owned());
        let checked = settings.and_then(|settings| settings.check());
        expected.assert_eq(&format!("{checked:?}"));
    }

    #[test]
    fn a_number_outside_its_range_is_refused_with_its_key_and_range() {
        check("", expect!["Ok(())"]);
        check("beat_hz = 50", expect!["Ok(())"]);
        check("beat_hz = 51", expect![[r#"Err("safety.beat_hz = 51: expected 5 to 50")"#]]);
        check("judge_deadline_us = 0", expect![[r#"Err("safety.judge_deadline_us = 0: expected 200 to 5000")"#]]);
        check(
            "absence_ms = 4000000000",
            expect![[r#"Err("safety.absence_ms = 4000000000: expected 10000 to 120000")"#]],
        );
        check(
            "lease_ttl_ms = 1000",
            expect![[r#"Err("safety.lease_renewal_ms: expected at most 333, a third of lease_ttl_ms")"#]],
        );
        check(
            "beat_late_ms = 600\nbeat_lost_ms = 600",
            expect![[r#"Err("safety.beat_late_ms: expected less than beat_lost_ms, 600")"#]],
        );
    }

    #[test]
    fn numbers_under_which_every_link_is_late_or_every_screen_is_gone_before_it_is_frozen_are_refused() {
        check(
            "beat_hz = 5\nbeat_late_ms = 399",
            expect![[r#"Err("safety.beat_late_ms: expected at least 400, the time of two beats at this beat_hz")"#]],
        );
        check("beat_hz = 5\nbeat_late_ms = 400", expect!["Ok(())"]);
        check(
            "presence_ms = 2999",
            expect![[r#"Err("safety.presence_ms: expected at least screen_frozen_ms, 3000")"#]],
        );
        check("presence_ms = 3000", expect!["Ok(())"]);
    }

    #[test]
    fn what_is_no_number_of_the_list_is_no_setting() {
        for text in ["beat_late_ms = nan", "beat_late_ms = -1", "stop_repeat_hz = 1", "json_depth = 1"] {
            assert!(toml::from_str::<SafetySettings>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_setting_is_documented_with_its_default_and_its_range() {
        let page = include_str!("../../../../docs/settings.md");
        for setting in SafetySettings::default().shown() {
            let SafetySetting { key, default, min, max, meaning, .. } = setting;
            let row = format!("| `{key}` | {default} | {min} to {max} | {meaning} |");
            assert!(page.contains(&row), "docs/settings.md lacks {row}");
        }
    }
}
