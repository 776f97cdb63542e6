//! Time zones by their IANA names, from data that is part of the program.

use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    name: String,
    rules: TimeZone,
}

/// The instants at which a clock of a zone shows a given time.
pub(super) enum LocalInstants {
    Once(i64),
    /// The clock jumps over it; the first instant after the jump.
    Skipped(i64),
    Twice(i64, i64),
    /// Outside the calendar.
    Never,
}

impl Zone {
    /// The zone called `name`, for example `Europe/Berlin`; case does not count.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        // `Etc/Unknown` is found as well, but is no real zone.
        let rules = ZONES.get(name).ok().filter(|rules| !rules.is_unknown())?;
        let name = rules.iana_name()?.to_owned();
        Some(Self { name, rules })
    }

    /// Coordinated Universal Time.
    #[must_use]
    pub fn utc() -> Self {
        Self { name: "UTC".into(), rules: TimeZone::UTC }
    }

    /// Every name there is.
    pub fn names() -> impl Iterator<Item = String> {
        ZONES.available().map(|name| name.as_str().to_owned())
    }

    /// Its IANA name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A time as its clock shows it, RFC 3339; a time no calendar has is printed as its number.
    #[must_use]
    pub fn rfc3339(&self, at_ms: i64) -> String {
        Timestamp::from_millisecond(at_ms).map_or_else(
            |_| format!("{at_ms} ms"),
            |at| at.to_zoned(self.rules.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        )
    }

    /// Hours and minutes as its clock shows them; a time no calendar has is printed as its number.
    #[must_use]
    pub fn hh_mm(&self, at_ms: i64) -> String {
        self.clock_at(at_ms).map_or_else(|| format!("{at_ms} ms"), |at| at.strftime("%H:%M").to_string())
    }

    /// The day that its clock shows at a time, as `2026-03-08`, and when that day began, UTC milliseconds. For a time
    /// no calendar has the day is its number, and began then.
    #[must_use]
    pub fn day_of(&self, at_ms: i64) -> (String, i64) {
        let start = |at: Timestamp| at.to_zoned(self.rules.clone()).start_of_day().ok();
        match Timestamp::from_millisecond(at_ms).ok().and_then(start) {
            Some(start) => (start.strftime("%Y-%m-%d").to_string(), start.timestamp().as_millisecond()),
            None => (format!("{at_ms} ms"), at_ms),
        }
    }

    /// A date and time without an offset, for example `2026-03-09T07:00`, as UTC milliseconds: when its clock first
    /// shows it, or the first instant after a change that skips it. None if the text is no such time.
    #[must_use]
    pub fn parse_local(&self, text: &str) -> Option<i64> {
        // Without the time of day, jiff reads midnight.
        let time = text.parse::<DateTime>().ok().filter(|_| text.contains(['T', 't', ' ']))?;
        match self.shown(time) {
            LocalInstants::Once(at_ms) | LocalInstants::Skipped(at_ms) | LocalInstants::Twice(at_ms, _) => Some(at_ms),
            LocalInstants::Never => None,
        }
    }

    pub(super) fn clock_at(&self, at_ms: i64) -> Option<DateTime> {
        Some(self.rules.to_datetime(Timestamp::from_millisecond(at_ms).ok()?))
    }

    /// When its clock shows `time`, UTC milliseconds.
    pub(super) fn shown(&self, time: DateTime) -> LocalInstants {
        let at = |offset: jiff::tz::Offset| offset.to_timestamp(time).ok();
        match self.rules.to_ambiguous_timestamp(time).offset() {
            AmbiguousOffset::Unambiguous { offset } => {
                at(offset).map_or(LocalInstants::Never, |at| LocalInstants::Once(ms(at)))
            }
            AmbiguousOffset::Fold { before, after } => match at(before).zip(at(after)) {
                Some((first, second)) => LocalInstants::Twice(ms(first), ms(second)),
                None => LocalInstants::Never,
            },
            AmbiguousOffset::Gap { before, .. } => at(before)
                .and_then(|at| self.last_change(at))
                .map_or(LocalInstants::Never, |at| LocalInstants::Skipped(ms(at))),
        }
    }

    /// The change of its offset that `at` comes from.
    fn last_change(&self, at: Timestamp) -> Option<Timestamp> {
        // `preceding` is strict, and offsets change at whole seconds.
        let after = Timestamp::from_second(at.as_second().checked_add(1)?).ok()?;
        self.rules.preceding(after).next().map(|change| change.timestamp())
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An RFC 3339 time as UTC milliseconds.
#[must_use]
pub fn parse_rfc3339(text: &str) -> Option<i64> {
    text.parse::<Timestamp>().ok().map(ms)
}

fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_where_the_clock_says_so() {
        let berlin = Zone::named("Europe/Berlin").unwrap();
        for (zone, at, day, began) in [
            (&Zone::utc(), "2026-03-08T23:59:59Z", "2026-03-08", "2026-03-08T00:00:00Z"),
            (&berlin, "2026-03-08T23:30:00Z", "2026-03-09", "2026-03-08T23:00:00Z"),
            // The day on which summer time begins there.
            (&berlin, "2026-03-29T12:00:00Z", "2026-03-29", "2026-03-28T23:00:00Z"),
        ] {
            let expected = (day.to_owned(), parse_rfc3339(began).unwrap());
            assert_eq!(zone.day_of(parse_rfc3339(at).unwrap()), expected, "{at} in {zone}");
        }
        for (shown, at) in [
            ("2026-03-09T07:00", "2026-03-09T06:00:00Z"),
            // Skipped, and shown twice.
            ("2026-03-29T02:30:00", "2026-03-29T01:00:00Z"),
            ("2026-10-25T02:30:00", "2026-10-25T00:30:00Z"),
        ] {
            assert_eq!(berlin.parse_local(shown), parse_rfc3339(at), "{shown}");
        }
        assert!(["2026-03-09", "07:00", "soon"].iter().all(|text| berlin.parse_local(text).is_none()));
        assert_eq!(berlin.day_of(i64::MAX).1, i64::MAX);
        assert_eq!(berlin.hh_mm(parse_rfc3339("2026-03-08T23:05:00Z").unwrap()), "00:05");
    }
}
