//! Schedules against what is written of them, and against a slow oracle that looks at every second a clock shows.

use expect_test::{Expect, expect};
use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

const DAY_MS: i64 = 86_400_000;

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

fn ms(at: &str) -> i64 {
    at.parse::<Timestamp>().unwrap().as_millisecond()
}

/// The next `count` times after `from`, and the schedule in words.
fn check(text: &str, in_zone: &str, from: &str, count: usize, expected: Expect) {
    let (cron, zone) = (Cron::parse(text, Cron::TURN_GAP_S).unwrap(), zone(in_zone));
    let mut at_ms = ms(from);
    let mut lines = vec![cron.words()];
    for _ in 0..count {
        at_ms = cron.next_after(&zone, at_ms).unwrap();
        lines.push(zone.rfc3339(at_ms));
    }
    expected.assert_eq(&lines.join("\n"));
}

fn check_refused(text: &str, gap_s: u8, expected: Expect) {
    let error = Cron::parse(text, gap_s).unwrap_err();
    expected.assert_eq(&format!("{:?} {}: {}", error.field, error.column, error.expected));
}

#[test]
fn j_02_cw_12_fields_lists_ranges_steps_and_names_mean_what_cron_means() {
    let from = "2026-03-08T12:07:00Z";
    check(
        "*/15 * * * *",
        "UTC",
        from,
        2,
        expect![[r#"
            every 15 minutes
            2026-03-08T12:15:00+00:00
            2026-03-08T12:30:00+00:00"#]],
    );
    check(
        "0 30 9 * * *",
        "UTC",
        from,
        2,
        expect![[r#"
            at 09:30 every day
            2026-03-09T09:30:00+00:00
            2026-03-10T09:30:00+00:00"#]],
    );
    check(
        "5-10/5,40 8,18 * jan-Mar MON-FRI",
        "UTC",
        from,
        4,
        expect![[r#"
            at minutes 5, 10 and 40 of hours 8 and 18 on Monday, Tuesday, Wednesday, Thursday and Friday in January, February and March
            2026-03-09T08:05:00+00:00
            2026-03-09T08:10:00+00:00
            2026-03-09T08:40:00+00:00
            2026-03-09T18:05:00+00:00"#]],
    );
    check(
        "@weekly",
        "UTC",
        from,
        2,
        expect![[r#"
            at 00:00 on Sunday
            2026-03-15T00:00:00+00:00
            2026-03-22T00:00:00+00:00"#]],
    );
    check(
        "15 30 6 29 2 *",
        "UTC",
        from,
        2,
        expect![[r#"
            at 06:30:15 on day 29 of the month in February
            2028-02-29T06:30:15+00:00
            2032-02-29T06:30:15+00:00"#]],
    );
}

#[test]
fn j_02_sunday_is_0_and_7_and_ends_a_week() {
    let sundays = ["0 9 * * 0", "0 9 * * 7", "0 9 * * SUN", "0 9 * * sun-SUN"];
    let first = Cron::parse(sundays[0], 60).unwrap();
    for text in sundays {
        assert_eq!(
            Cron { text: String::new(), ..Cron::parse(text, 60).unwrap() },
            Cron { text: String::new(), ..first.clone() }
        );
    }
    for (text, expected) in [("0 9 * * 5-7", "Sunday, Friday and Saturday"), ("0 9 * * SAT-SUN", "Sunday and Saturday")]
    {
        assert_eq!(Cron::parse(text, 60).unwrap().words(), format!("at 09:00 on {expected}"));
    }
}

#[test]
fn j_02_day_and_weekday_both_restricted_means_either() {
    check(
        "0 9 13 * FRI",
        "UTC",
        "2026-03-07T00:00:00Z",
        3,
        expect![[r#"
            at 09:00 on day 13 of the month or on Friday
            2026-03-13T09:00:00+00:00
            2026-03-20T09:00:00+00:00
            2026-03-27T09:00:00+00:00"#]],
    );
    check(
        "0 9 */2 * FRI",
        "UTC",
        "2026-03-07T00:00:00Z",
        2,
        expect![[r#"
            at 09:00 on day 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29 and 31 of the month if that is a Friday
            2026-03-13T09:00:00+00:00
            2026-03-27T09:00:00+00:00"#]],
    );
}

#[test]
fn j_02_cw_12_what_cannot_be_is_refused_with_field_and_column() {
    check_refused("60 * * * *", 60, expect!["Minute 1: a minute from 0 to 59, or *"]);
    check_refused("  0 24 * * *", 60, expect!["Hour 5: an hour from 0 to 23, or *"]);
    check_refused("0 9 30-10 * *", 60, expect!["DayOfMonth 8: the end of the range not before its start"]);
    check_refused("0 9 * 13 *", 60, expect!["Month 7: a month from 1 to 12 or JAN to DEC, or *"]);
    check_refused("0 9 * * FOO", 60, expect!["DayOfWeek 9: a weekday from 0 to 7 or SUN to SAT, or *"]);
    check_refused("0 9 * * FRI-MON", 60, expect!["DayOfWeek 13: the end of the range not before its start"]);
    check_refused("*/0 * * * *", 60, expect!["Minute 3: a step from 1 to 59"]);
    check_refused("1,,2 * * * *", 60, expect!["Minute 3: a minute from 0 to 59, or *"]);
    check_refused("1;2 * * * *", 60, expect!["Minute 2: ',', '-', '/' or a blank"]);
    check_refused("0 9 30 2 *", 60, expect!["DayOfMonth 5: a day that one of the months has"]);
    check_refused("0 9 31 4,6 *", 60, expect!["DayOfMonth 5: a day that one of the months has"]);
    check_refused("", 60, expect!["Schedule 1: five fields, or six with the second first"]);
    check_refused("0 9 * *", 60, expect!["Schedule 8: five fields, or six with the second first"]);
    check_refused("0 0 9 * * * 2027", 60, expect!["Schedule 13: five fields, or six with the second first"]);
    check_refused(
        "@yearly",
        60,
        expect!["Schedule 1: @hourly, @daily, @weekly, @monthly, or five fields, or six with the second first"],
    );
    check_refused("* * * * * *", 60, expect!["Second 1: one fixed second"]);
    check_refused("0,30 * * * * *", 60, expect!["Second 1: one fixed second"]);
    check_refused("*/5 * * * * *", 10, expect!["Second 1: seconds at least 10 apart"]);
    check_refused("0,55 * * * * *", 10, expect!["Second 1: seconds at least 10 apart"]);
    assert!(Cron::parse("*/10 * * * * *", Cron::OPERATION_GAP_S).is_ok());
    assert!(Cron::parse("0 9 30 2 MON", 60).is_ok(), "a weekday suffices");
}

#[test]
fn j_04_cw_22_a_skipped_time_runs_once_after_the_gap_and_a_doubled_one_the_first_time() {
    check(
        "30 2 * * *",
        "Europe/Berlin",
        "2026-03-28T12:00:00Z",
        2,
        expect![[r#"
            at 02:30 every day
            2026-03-29T03:00:00+02:00
            2026-03-30T02:30:00+02:00"#]],
    );
    check(
        "30 2 * * *",
        "Europe/Berlin",
        "2026-10-24T12:00:00Z",
        2,
        expect![[r#"
            at 02:30 every day
            2026-10-25T02:30:00+02:00
            2026-10-26T02:30:00+01:00"#]],
    );
    check(
        "0,30 2,3 * * *",
        "Europe/Berlin",
        "2026-03-28T12:00:00Z",
        3,
        expect![[r#"
            at 02:00, 02:30, 03:00 and 03:30 every day
            2026-03-29T03:00:00+02:00
            2026-03-29T03:30:00+02:00
            2026-03-30T02:00:00+02:00"#]],
    );
    check(
        "0 0 * * *",
        "Asia/Beirut",
        "2026-03-28T12:00:00Z",
        2,
        expect![[r#"
            at 00:00 every day
            2026-03-29T01:00:00+03:00
            2026-03-30T00:00:00+03:00"#]],
    );
}

#[test]
fn j_04_stars_and_steps_of_the_hour_follow_elapsed_time() {
    check(
        "30 * * * *",
        "Europe/Berlin",
        "2026-03-29T00:00:00Z",
        2,
        expect![[r#"
            at minute 30 of every hour
            2026-03-29T01:30:00+01:00
            2026-03-29T03:30:00+02:00"#]],
    );
    check(
        "30 */2 * * *",
        "Europe/Berlin",
        "2026-10-24T23:00:00Z",
        3,
        expect![[r#"
            at minute 30 of hours 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 22
            2026-10-25T02:30:00+02:00
            2026-10-25T02:30:00+01:00
            2026-10-25T04:30:00+01:00"#]],
    );
}

#[test]
fn j_04_cw_12_a_zone_keeps_its_local_hour_through_the_seasons() {
    let (cron, berlin) = (Cron::parse("0 9 * * 1", 60).unwrap(), zone("Europe/Berlin"));
    let utc = |from: &str| Zone::utc().rfc3339(cron.next_after(&berlin, ms(from)).unwrap());
    assert_eq!(utc("2026-01-10T00:00:00Z"), "2026-01-12T08:00:00+00:00");
    assert_eq!(utc("2026-07-10T00:00:00Z"), "2026-07-13T07:00:00+00:00");
}

#[test]
fn j_04_zones_have_iana_names() {
    assert_eq!(Zone::named("europe/berlin").unwrap().name(), "Europe/Berlin");
    for name in ["", "Berlin", "CEST", "+01:00", "Etc/Unknown", "Europe/Berlin\0"] {
        assert_eq!(Zone::named(name), None, "{name}");
    }
    assert!(Zone::names().count() > 400);
}

#[test]
fn j_03_a_time_is_rfc_3339_or_the_next_time_the_clock_shows_it() {
    let berlin = zone("Europe/Berlin");
    let at = |text: &str, now: &str| {
        Schedule::at(text, &berlin, ms(now)).ok().map(|schedule| schedule.words(&berlin)).unwrap_or_default()
    };
    let noon = "2026-03-28T11:00:00Z";
    assert_eq!(at("2026-03-09T07:00:00+01:00", noon), "once, at 2026-03-09T07:00:00+01:00");
    assert_eq!(at("12:01", noon), "once, at 2026-03-28T12:01:00+01:00");
    assert_eq!(at("12:00", noon), "once, at 2026-03-29T12:00:00+02:00");
    assert_eq!(at("02:30", noon), "once, at 2026-03-30T02:30:00+02:00", "tomorrow skips it");
    assert_eq!(at("02:30", "2026-10-25T00:45:00Z"), "once, at 2026-10-25T02:30:00+01:00", "the second time today");
    for text in ["24:00", "7:00", "07:60", "07:00:00", "tomorrow", "2026-03-09", "2026-03-09T07:00:00", "-7:00"] {
        assert_eq!(at(text, noon), "", "{text}");
    }
}

#[test]
fn j_03_seconds_are_counted_from_the_creation() {
    let every = |once| Schedule::Every { every_secs: 90, from_ms: 1_000, once };
    let next = |after_ms| every(false).next_after(&Zone::utc(), after_ms);
    for (after_ms, due_ms) in [(-5, 91_000), (1_000, 91_000), (90_999, 91_000), (91_000, 181_000), (500_000, 541_000)] {
        assert_eq!(next(after_ms), Some(due_ms), "after {after_ms}");
    }
    assert_eq!((every(false).recurs(), every(true).recurs()), (true, false));
    assert_eq!(every(false).words(&Zone::utc()), "every 90 seconds");
}

#[test]
fn a_stored_schedule_reads_back_as_it_was() {
    let cron = Cron::parse(" 0 9 * * MON ", 60).unwrap();
    for schedule in [
        Schedule::Cron { cron, once: true },
        Schedule::At { at_ms: -5 },
        Schedule::Every { every_secs: 60, from_ms: 7, once: false },
    ] {
        let text = serde_json::to_string(&schedule).unwrap();
        assert_eq!(serde_json::from_str::<Schedule>(&text).unwrap(), schedule, "{text}");
    }
    assert!(serde_json::from_str::<Cron>("\"61 * * * *\"").is_err());
}

/// The next time by looking at every minute: what the clock shows then, and what it has skipped or shows again.
fn slow_next(cron: &Cron, zone: &Zone, after_ms: i64, days: i64) -> Option<i64> {
    let minute_ms = 60_000;
    let start = after_ms.div_euclid(minute_ms) * minute_ms;
    let second = cron.seconds.only().unwrap();
    let shows = |time: jiff::civil::DateTime| {
        cron.is_on(time.date()) && cron.hours.has(time.hour()) && cron.minutes.has(time.minute())
    };
    (0..days * DAY_MS / minute_ms).map(|minutes| start + minutes * minute_ms).find_map(|at_ms| {
        let now = zone.clock_at(at_ms)?;
        let due_ms = at_ms + i64::from(second) * 1_000;
        let before = zone.clock_at(at_ms - minute_ms)?;
        // The clock goes on by a minute, or jumps.
        let mut skipped = before.checked_add(jiff::Span::new().minutes(1)).ok()?;
        let mut is_skipped_due = false;
        while !cron.hours_elapse && skipped < now {
            is_skipped_due |= shows(skipped);
            skipped = skipped.checked_add(jiff::Span::new().minutes(1)).ok()?;
        }
        if is_skipped_due && at_ms > after_ms {
            return Some(at_ms);
        }
        if due_ms <= after_ms || !shows(now) {
            return None;
        }
        let is_again = || (1..=180).any(|ago| zone.clock_at(at_ms - ago * minute_ms) == Some(now));
        (cron.hours_elapse || !is_again()).then_some(due_ms)
    })
}

fn field(least: u8, greatest: u8) -> impl Strategy<Value = String> {
    let number = least..=greatest;
    prop_oneof![
        2 => Just("*".to_owned()),
        2 => number.clone().prop_map(|number| number.to_string()),
        1 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("{}-{}", a.min(b), a.max(b))),
        1 => (1..=greatest).prop_map(|step| format!("*/{step}")),
        1 => (number.clone(), number).prop_map(|(a, b)| format!("{a},{b}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn j_04_the_next_time_is_the_one_a_look_at_every_minute_finds(
        (second, minute, hour) in (0_u8..60, field(0, 59), field(0, 23)),
        weekday in field(0, 7),
        (name, around) in prop::sample::select(vec![
            ("UTC", "2026-03-29T00:00:00Z"),
            ("Europe/Berlin", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-10-25T01:00:00Z"),
            ("America/St_Johns", "2009-11-01T02:31:00Z"),
            ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
            ("Asia/Beirut", "2026-03-28T22:00:00Z"),
            ("Pacific/Apia", "2011-12-30T10:00:00Z"),
        ]),
        before_s in 0_i64..7_200,
    ) {
        let text = format!("{second} {minute} {hour} * * {weekday}");
        let (cron, zone) = (Cron::parse(&text, 60).unwrap(), zone(name));
        let after_ms = ms(around) - before_s * 1_000;
        let expected = slow_next(&cron, &zone, after_ms, 2);
        let found = cron.next_after(&zone, after_ms).unwrap();
        match expected {
            Some(expected) => prop_assert_eq!(found, expected, "{} {}", text, zone.rfc3339(expected)),
            None => prop_assert!(found > after_ms + DAY_MS, "{} {}", text, zone.rfc3339(found)),
        }
    }

    #[test]
    fn no_text_breaks_the_parser(text in "[0-9*,/@A-Za-z -]{0,24}|\\PC{0,24}") {
        if let Err(error) = Cron::parse(&text, 60) {
            prop_assert!(error.column >= 1 && error.column <= text.chars().count() + 1);
        }
    }
}
