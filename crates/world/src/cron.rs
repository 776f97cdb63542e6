//! When a job is due: cron text, time zones and schedules, parsed and printed. Zone data is compiled in, so equal
//! inputs give equal times on every machine.

mod due;
mod parse;
mod schedule;
mod set;
mod words;
mod zone;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use set::Set;

pub use schedule::{AtError, Schedule};
pub use zone::{Zone, parse_rfc3339};

/// Times in cron text: five fields, or six with the second first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cron {
    text: String,
    seconds: Set,
    minutes: Set,
    hours: Set,
    days: Set,
    months: Set,
    weekdays: Set,
    /// The day of the month begins with `*`, so it does not widen what the weekday allows.
    days_are_free: bool,
    /// The same for the weekday.
    weekdays_are_free: bool,
    /// The hours are `*` or steps: what is meant is a time that passes, not a time on the clock.
    hours_elapse: bool,
}

/// A part of cron text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of cron's own manual")]
pub enum CronField {
    Second,
    Minute,
    Hour,
    DayOfMonth,
    Month,
    DayOfWeek,
    /// The text as a whole.
    Schedule,
}

/// The reason that a text is no schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CronError {
    /// The field that is wrong.
    pub field: CronField,
    /// Character position from 1 of the first character that cannot be.
    pub column: usize,
    /// Description of the text expected there.
    pub expected: String,
}

impl std::error::Error for CronError {}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}", self.column, self.expected)
    }
}

impl Cron {
    /// Least seconds between two times of a schedule that starts turns.
    pub const TURN_GAP_S: u8 = 60;
    /// Least seconds between two times of a schedule that runs operations.
    pub const OPERATION_GAP_S: u8 = 10;

    /// Reads the text form. Times closer together than `gap_s` are refused.
    pub fn parse(text: &str, gap_s: u8) -> Result<Self, CronError> {
        parse::parse(text, gap_s)
    }

    /// The text it was made from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The schedule in words, without its zone.
    #[must_use]
    pub fn words(&self) -> String {
        words::words(self)
    }

    /// The first time after `after_ms` (UTC milliseconds, as the answer); `None` once the calendar ends.
    #[must_use]
    pub fn next_after(&self, zone: &Zone, after_ms: i64) -> Option<i64> {
        due::next_after(self, zone, after_ms)
    }
}

/// A stored schedule was checked when it was made: the wider bound holds for both kinds.
impl TryFrom<String> for Cron {
    type Error = CronError;

    fn try_from(text: String) -> Result<Self, CronError> {
        Self::parse(&text, Self::OPERATION_GAP_S)
    }
}

impl From<Cron> for String {
    fn from(cron: Cron) -> Self {
        cron.text
    }
}

#[cfg(test)]
mod tests;
