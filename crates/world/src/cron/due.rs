//! The next time of a cron schedule. Hours on the clock run once a day whatever the clock does: a time that a zone
//! skips is due at the first instant after the gap, one that comes twice at the first. `*` and steps in the hour field
//! mean time that passes: every instant counts at which the clock shows a time of the schedule.

use jiff::civil::{Date, DateTime};

use super::zone::LocalInstants;
use super::{Cron, Zone};

/// Days looked at before a schedule counts as over: the longest pause, a 29th of February on one weekday, is 40 years.
const DAYS_MAX: usize = 41 * 366;

pub(super) fn next_after(cron: &Cron, zone: &Zone, after_ms: i64) -> Option<i64> {
    let today = zone.clock_at(after_ms)?.date();
    // A clock that is set back over midnight shows yesterday's times again.
    let mut date = today.yesterday().ok()?;
    for _ in 0..DAYS_MAX {
        let next = date.tomorrow().ok()?;
        if let Some(due_ms) = first_on(cron, zone, date, after_ms) {
            // For the same reason a time of tomorrow can come before one of today.
            let earlier = first_on(cron, zone, next, after_ms).filter(|other| *other < due_ms);
            return Some(earlier.unwrap_or(due_ms));
        }
        date = next;
    }
    None
}

/// The first instant after `after_ms` at which a time of `date` is due.
fn first_on(cron: &Cron, zone: &Zone, date: Date, after_ms: i64) -> Option<i64> {
    if !cron.is_on(date) {
        return None;
    }
    let instants = cron.times(date).flat_map(|time| cron.instants(zone, time)).flatten();
    instants.filter(|due_ms| *due_ms > after_ms).min()
}

impl Cron {
    /// True if the calendar fields allow `date`.
    pub(super) fn is_on(&self, date: Date) -> bool {
        let day = self.days.has(date.day());
        let weekday = self.weekdays.has(date.weekday().to_sunday_zero_offset());
        // crontab(5): of two restricted day fields one is enough (decision 0033).
        let either = !self.days_are_free && !self.weekdays_are_free;
        self.months.has(date.month()) && if either { day || weekday } else { day && weekday }
    }

    fn times(&self, date: Date) -> impl Iterator<Item = DateTime> {
        let (minutes, seconds) = (self.minutes, self.seconds);
        self.hours.iter().flat_map(move |hour| {
            minutes.iter().flat_map(move |minute| seconds.iter().map(move |second| date.at(hour, minute, second, 0)))
        })
    }

    fn instants(&self, zone: &Zone, time: DateTime) -> [Option<i64>; 2] {
        match zone.shown(time) {
            LocalInstants::Once(at_ms) => [Some(at_ms), None],
            LocalInstants::Skipped(at_ms) => [(!self.hours_elapse).then_some(at_ms), None],
            LocalInstants::Twice(first_ms, second_ms) => [Some(first_ms), self.hours_elapse.then_some(second_ms)],
            LocalInstants::Never => [None, None],
        }
    }
}
