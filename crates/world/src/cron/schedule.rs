//! The three ways to say when: cron text, a time, or every so many seconds.

use std::fmt;

use jiff::civil::Time;
use serde::{Deserialize, Serialize};

use super::zone::LocalInstants;
use super::{Cron, Zone, parse_rfc3339};

/// When something is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// At the times of cron text.
    Cron {
        /// The text.
        cron: Cron,
        /// Only the first time.
        once: bool,
    },
    /// Once, at a time.
    At {
        /// UTC milliseconds.
        at_ms: i64,
    },
    /// Every so many seconds.
    Every {
        /// Between two times.
        every_secs: u32,
        /// Start of the count, UTC milliseconds.
        from_ms: i64,
        /// Only the first time.
        once: bool,
    },
}

/// The error for a text that is no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtError;

impl std::error::Error for AtError {}

impl fmt::Display for AtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time as 2026-03-09T07:00:00+01:00, or hh:mm as the clock shows it")
    }
}

impl Schedule {
    /// Reads RFC 3339, or `hh:mm`: the next time after `now_ms` that a clock of `zone` shows it.
    pub fn at(text: &str, zone: &Zone, now_ms: i64) -> Result<Self, AtError> {
        let at_ms = match time_of_day(text) {
            Some(time) => next_shown(time, zone, now_ms),
            None => parse_rfc3339(text),
        };
        at_ms.map(|at_ms| Self::At { at_ms }).ok_or(AtError)
    }

    /// True if it is due again after it was due.
    #[must_use]
    pub const fn recurs(&self) -> bool {
        match self {
            Self::Cron { once, .. } | Self::Every { once, .. } => !*once,
            Self::At { .. } => false,
        }
    }

    /// The first time after `after_ms`, as if it recurred. UTC milliseconds.
    #[must_use]
    pub fn next_after(&self, zone: &Zone, after_ms: i64) -> Option<i64> {
        match self {
            Self::Cron { cron, .. } => cron.next_after(zone, after_ms),
            Self::At { at_ms } => (*at_ms > after_ms).then_some(*at_ms),
            Self::Every { every_secs, from_ms, .. } => {
                // A stored 0 would divide by zero.
                let every_ms = i64::from((*every_secs).max(1)) * 1_000;
                // Counted from the start and not from the last run, so that late runs do not shift the rest.
                let passed = after_ms.saturating_sub(*from_ms).max(0) / every_ms;
                from_ms.checked_add(every_ms.checked_mul(passed + 1)?)
            }
        }
    }

    /// The schedule as a sentence says it, with its zone.
    #[must_use]
    pub fn words(&self, zone: &Zone) -> String {
        match self {
            Self::Cron { cron, once: false } => format!("{}, {zone}", cron.words()),
            Self::Cron { cron, once: true } => format!("once, {}, {zone}", cron.words()),
            Self::At { at_ms } => format!("once, at {}", zone.rfc3339(*at_ms)),
            Self::Every { every_secs, once: false, .. } => format!("every {}", span(*every_secs)),
            Self::Every { every_secs, once: true, .. } => format!("once, after {}", span(*every_secs)),
        }
    }
}

/// `hh:mm`, both with two digits.
fn time_of_day(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    let number = |digits: &str| {
        let is_two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_two.then(|| digits.parse::<i8>().ok()).flatten()
    };
    Time::new(number(hour)?, number(minute)?, 0, 0).ok()
}

/// A time that the clock jumps over today is not shown today.
fn next_shown(time: Time, zone: &Zone, now_ms: i64) -> Option<i64> {
    let mut date = zone.clock_at(now_ms)?.date();
    // Today, tomorrow, and the day after for a time that tomorrow skips.
    for _ in 0..3 {
        let instants = match zone.shown(date.to_datetime(time)) {
            LocalInstants::Once(at_ms) => [Some(at_ms), None],
            LocalInstants::Twice(first_ms, second_ms) => [Some(first_ms), Some(second_ms)],
            LocalInstants::Skipped(_) | LocalInstants::Never => [None, None],
        };
        if let Some(at_ms) = instants.into_iter().flatten().find(|at_ms| *at_ms > now_ms) {
            return Some(at_ms);
        }
        date = date.tomorrow().ok()?;
    }
    None
}

/// `90 minutes`, in the largest unit that divides it.
fn span(seconds: u32) -> String {
    const UNITS: [(u32, &str); 4] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let divides = |(unit, _): &&(u32, &str)| seconds >= *unit && seconds.is_multiple_of(*unit);
    let (unit, name) = UNITS.iter().find(divides).copied().unwrap_or((1, "second"));
    match seconds / unit {
        1 => name.to_owned(),
        count => format!("{count} {name}s"),
    }
}
