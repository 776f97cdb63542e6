//! A cron schedule as a sentence says it, so that a person sees what was meant before it is saved.

use super::Cron;
use super::set::Set;

/// Times of day that are listed one by one; more are told by their fields.
const TIMES_LISTED_MAX: u32 = 4;
const MINUTES: i8 = 60;
const HOURS: i8 = 24;
const DAYS: u32 = 31;
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn words(cron: &Cron) -> String {
    let is_listed = cron.hours.len() * cron.minutes.len() * cron.seconds.len() <= TIMES_LISTED_MAX;
    let times = if is_listed { format!("at {}", times_of_day(cron)) } else { fields_of_day(cron) };
    let days = match days(cron) {
        Some(days) => days,
        None if is_listed => "every day".to_owned(),
        None => String::new(),
    };
    [times, days, months(cron.months)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn times_of_day(cron: &Cron) -> String {
    let mut times = Vec::new();
    for hour in cron.hours.iter() {
        for minute in cron.minutes.iter() {
            for second in cron.seconds.iter() {
                let second = if second == 0 { String::new() } else { format!(":{second:02}") };
                times.push(format!("{hour:02}:{minute:02}{second}"));
            }
        }
    }
    listing(times)
}

fn fields_of_day(cron: &Cron) -> String {
    let step = step(cron.minutes, MINUTES);
    let minutes = match (step, cron.minutes.only()) {
        (Some(1), _) => "every minute".to_owned(),
        (Some(step), _) => format!("every {step} minutes"),
        (None, Some(minute)) => format!("at minute {minute}"),
        (None, None) => format!("at minutes {}", numbers(cron.minutes)),
    };
    let hours = match (self::step(cron.hours, HOURS), cron.hours.only()) {
        (Some(1), _) if step.is_some() => String::new(),
        (Some(1), _) => " of every hour".to_owned(),
        (_, Some(hour)) => format!(" of hour {hour}"),
        (Some(_) | None, None) => format!(" of hours {}", numbers(cron.hours)),
    };
    let seconds = match cron.seconds.only() {
        Some(0) => String::new(),
        Some(second) => format!(", at second {second}"),
        None => format!(", at seconds {}", numbers(cron.seconds)),
    };
    format!("{minutes}{hours}{seconds}")
}

/// The step, if the numbers are those from 0 on at equal steps that divide `end`.
fn step(numbers: Set, end: i8) -> Option<i8> {
    let step = numbers.iter().nth(1)?;
    let expected = (0..end).step_by(usize::try_from(step).ok()?);
    // A step that does not divide the field begins anew at its end, so that `every` would not be true.
    (end % step == 0 && numbers.iter().eq(expected)).then_some(step)
}

/// On which days; nothing if on all.
fn days(cron: &Cron) -> Option<String> {
    let is_either = !cron.days_are_free && !cron.weekdays_are_free;
    let (all_days, all_weekdays) = (cron.days.len() == DAYS, cron.weekdays.len() == 7);
    let day = format!("on day {} of the month", numbers(cron.days));
    let names: Vec<String> = cron.weekdays.iter().map(|day| name(&WEEKDAYS, day)).collect();
    match (all_days, all_weekdays) {
        (true, true) => None,
        (true, false) | (false, true) if is_either => None,
        (false, true) => Some(day),
        (true, false) => Some(format!("on {}", listing(names))),
        (false, false) if is_either => Some(format!("{day} or on {}", listing(names))),
        (false, false) => Some(format!("{day} if that is a {}", names.join(" or "))),
    }
}

fn months(months: Set) -> String {
    if months.len() == 12 {
        return String::new();
    }
    format!("in {}", listing(months.iter().map(|month| name(&MONTHS, month - 1)).collect()))
}

fn name(names: &[&str], at: i8) -> String {
    usize::try_from(at).ok().and_then(|at| names.get(at)).map_or_else(String::new, |name| (*name).to_owned())
}

fn numbers(numbers: Set) -> String {
    listing(numbers.iter().map(|number| number.to_string()).collect())
}

/// `a, b and c`.
fn listing(mut items: Vec<String>) -> String {
    let Some(last) = items.pop() else { return String::new() };
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}
