//! End of a conversation by itself, and removal of an archived one.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::policy;

/// Reason for the end of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// The daily time has come.
    Daily,
    /// Nobody said anything for too long.
    Idle,
}

/// Reason for a conversation whose newest message came at `last` to begin anew with one at `now`, if there is one. The
/// daily time is one of the wall clock in `zone`.
#[must_use]
pub fn stale(session: &policy::Session, last: Timestamp, now: Timestamp, zone: &TimeZone) -> Option<Stale> {
    let is_past_reset =
        session.reset_at.is_some_and(|at| newest_reset(at.minutes(), now, zone).is_some_and(|reset| last < reset));
    // The daily time comes first: it holds however busy the conversation is.
    if is_past_reset {
        return Some(Stale::Daily);
    }
    let silent = now.duration_since(last);
    let is_idle = session.idle_min.is_some_and(|minutes| silent >= SignedDuration::from_mins(minutes.into()));
    is_idle.then_some(Stale::Idle)
}

/// True if a conversation archived at `archived` is to be deleted at `now`; one that was not archived never is.
#[must_use]
pub fn is_prunable(session: &policy::Session, archived: Option<Timestamp>, now: Timestamp) -> bool {
    let kept = SignedDuration::from_hours(24 * i64::from(session.keep_days));
    archived.is_some_and(|archived| now.duration_since(archived) > kept)
}

/// The newest time at or before `now` at which a clock in `zone` showed `minutes` since midnight.
fn newest_reset(minutes: u16, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let today = now.to_zoned(zone.clone()).date();
    let (hour, minute) = (i8::try_from(minutes / 60).ok()?, i8::try_from(minutes % 60).ok()?);
    let at = |date: jiff::civil::Date| date.at(hour, minute, 0, 0).to_zoned(zone.clone()).ok().map(|at| at.timestamp());
    let reset = at(today)?;
    if reset <= now { Some(reset) } else { at(today.yesterday().ok()?) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, Preset};

    fn check(preset: Preset, last: &str, now: &str, expected: Option<Stale>) {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(stale(&Policy::preset(preset).session, at(last), at(now), &zone), expected, "{last} {now}");
    }

    #[test]
    fn t_07_t_08_s_44_a_chat_begins_anew_at_four_and_after_a_day_of_silence() {
        check(Preset::Chat, "2026-02-20T02:50:00Z", "2026-02-20T02:59:59Z", None);
        check(Preset::Chat, "2026-02-20T02:59:59Z", "2026-02-20T03:00:00Z", Some(Stale::Daily));
        check(Preset::Chat, "2026-02-20T03:00:00Z", "2026-02-21T02:59:00Z", None);
        check(Preset::Chat, "2026-02-20T03:00:00Z", "2026-02-21T03:00:00Z", Some(Stale::Daily));
        // In summer four o'clock is an hour earlier, seen from Greenwich.
        check(Preset::Chat, "2026-07-20T01:59:59Z", "2026-07-20T02:00:00Z", Some(Stale::Daily));
        for preset in [Preset::Companion, Preset::Vault, Preset::Investigator, Preset::Operator] {
            check(preset, "2026-02-20T03:00:00Z", "2027-02-20T03:00:00Z", None);
        }
    }

    #[test]
    fn t_08_silence_alone_is_enough() {
        let mut session = Policy::preset(Preset::Chat).session;
        session.reset_at = None;
        let check = |minutes, expected| {
            let last = Timestamp::UNIX_EPOCH;
            let now = last + SignedDuration::from_mins(minutes);
            assert_eq!(stale(&session, last, now, &TimeZone::UTC), expected, "{minutes}");
        };
        check(1_439, None);
        check(1_440, Some(Stale::Idle));
    }

    #[test]
    fn t_10_s_45_only_archived_conversations_are_thrown_away() {
        let check = |preset, days: i64, expected| {
            let session = Policy::preset(preset).session;
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days) + SignedDuration::from_secs(1);
            assert_eq!(is_prunable(&session, Some(Timestamp::UNIX_EPOCH), now), expected, "{preset:?} {days}");
            assert!(!is_prunable(&session, None, now));
        };
        check(Preset::Chat, 29, false);
        check(Preset::Chat, 30, true);
        check(Preset::Operator, 364, false);
        check(Preset::Operator, 365, true);
    }
}
