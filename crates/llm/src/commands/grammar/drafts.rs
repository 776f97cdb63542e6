//! Missions that people ask for in their own words: one of the shipped ones, with a place, a time and an end.

use super::{Command, Complaint};
use crate::commands::words::Words;

/// A draft of a mission that somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The shipped mission that it begins with.
    pub template: &'static str,
    pub title: Option<String>,
    pub place: Option<String>,
    /// Five cron fields.
    pub cron: Option<String>,
    /// The end of it in the words that were said; the station has the calendar.
    pub until: Option<String>,
}

/// First verbs of the rows that write a mission down.
pub(super) const VERBS: [&str; 5] = ["patrol", "watch dog", "weld", "check filters", "childproof"];
/// Words that end the name of a place or a thing.
const ENDS: [&str; 10] = ["every", "each", "daily", "at", "in", "until", "till", "for", "after", "once"];
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Part of a day, which says what an hour up to twelve means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartOfDay {
    Morning,
    Afternoon,
    Evening,
    Night,
}

pub(super) fn patrol(words: &mut Words) -> Result<Command, Complaint> {
    let place = thing(words);
    let title = place.as_ref().map(|place| format!("Patrol of the {place}"));
    let cron = times(words)?.ok_or_else(|| Complaint::Expected("when to patrol".to_owned()))?;
    draft(words, "security-patrol", title, place, Some(cron))
}

pub(super) fn watch_dog(words: &mut Words) -> Result<Command, Complaint> {
    let cron = times(words)?;
    draft(words, "dog-monitor", None, None, cron)
}

pub(super) fn weld(words: &mut Words) -> Result<Command, Complaint> {
    let object = thing(words).ok_or_else(|| Complaint::Expected("what to weld".to_owned()))?;
    // The template waits for the calibration in any case.
    if words.take_phrase("after") {
        let _ = words.take_phrase("calibrating") || words.take_phrase("calibration");
        thing(words);
    }
    let cron = times(words)?;
    draft(words, "run-welding-task", Some(format!("Weld the {object}")), None, cron)
}

pub(super) fn check_filters(words: &mut Words) -> Result<Command, Complaint> {
    let of = if words.take_phrase("of") || words.take_phrase("on") { thing(words) } else { None };
    let title = of.map_or_else(|| "Check the filters".to_owned(), |of| format!("Check the filters of {of}"));
    let cron = times(words)?;
    draft(words, "maintenance-check", Some(title), None, cron)
}

pub(super) fn childproof(words: &mut Words) -> Result<Command, Complaint> {
    thing(words);
    let cron = times(words)?;
    draft(words, "childproof-home", None, None, cron)
}

fn draft(
    words: &mut Words,
    template: &'static str,
    title: Option<String>,
    place: Option<String>,
    cron: Option<String>,
) -> Result<Command, Complaint> {
    let is_until = words.take_phrase("until") || words.take_phrase("till") || words.take_phrase("for");
    let until = if is_until {
        Some(words.rest().ok_or_else(|| Complaint::Expected("an end, for example until friday".to_owned()))?.to_owned())
    } else {
        None
    };
    Ok(Command::Draft(Draft { template, title, place, cron, until }))
}

/// The words up to one that says when, or none.
fn thing(words: &mut Words) -> Option<String> {
    let mut named: Vec<&str> = Vec::new();
    while let Some(word) = words.peek().filter(|word| !ENDS.iter().any(|end| end.eq_ignore_ascii_case(word))) {
        named.push(word);
        words.take();
    }
    (!named.is_empty()).then(|| named.join(" "))
}

/// The times that are said as cron fields; none if none are said.
fn times(words: &mut Words) -> Result<Option<String>, Complaint> {
    if words.take_phrase("daily") {
        return at(words, "*", None).map(Some);
    }
    if !(words.take_phrase("every") || words.take_phrase("each")) {
        return Ok(None);
    }
    let said = words.take().map(str::to_ascii_lowercase).unwrap_or_default();
    let day_of_week = DAYS.iter().position(|day| said.strip_suffix('s').unwrap_or(&said) == *day);
    match (said.as_str(), day_of_week) {
        ("hour", _) => Ok(Some("0 * * * *".to_owned())),
        (_, Some(day)) => at(words, &day.to_string(), None).map(Some),
        ("weekday", _) => at(words, "1-5", None).map(Some),
        ("day", _) => at(words, "*", None).map(Some),
        ("noon" | "midnight", _) => Ok(Some(format!("0 {} * * *", if said == "noon" { 12 } else { 0 }))),
        ("morning", _) => at(words, "*", Some(PartOfDay::Morning)).map(Some),
        ("afternoon", _) => at(words, "*", Some(PartOfDay::Afternoon)).map(Some),
        ("evening", _) => at(words, "*", Some(PartOfDay::Evening)).map(Some),
        ("night", _) => at(words, "*", Some(PartOfDay::Night)).map(Some),
        _ => Err(Complaint::Expected("a day, a part of the day or hour behind every".to_owned())),
    }
}

fn at(words: &mut Words, days: &str, part: Option<PartOfDay>) -> Result<String, Complaint> {
    let part = part.or_else(|| part_of_day(words));
    let expected = || Complaint::Expected("a time".to_owned());
    if !words.take_phrase("at") {
        return Err(expected());
    }
    let said = words.take().ok_or_else(expected)?.to_ascii_lowercase();
    let half = half(words);
    let part = part.or_else(|| words.take_phrase("in").then(|| part_of_day(words)).flatten());
    let (hour, minute) = hour(&said, part, half).ok_or_else(expected)?;
    match hour {
        Hour::Sure(hour) => Ok(format!("{minute} {hour} * * {days}")),
        // A wrong guess would be off by twelve hours.
        Hour::TwoReadings(hour) => {
            let later = (hour + 12) % 24;
            let readings = format!("it could be {hour:02}:{minute:02} or {later:02}:{minute:02}. Say which");
            Err(Complaint::TwoReadings(readings))
        }
    }
}

fn part_of_day(words: &mut Words) -> Option<PartOfDay> {
    let parts = [
        ("morning", PartOfDay::Morning),
        ("afternoon", PartOfDay::Afternoon),
        ("evening", PartOfDay::Evening),
        ("night", PartOfDay::Night),
    ];
    parts.into_iter().find_map(|(word, part)| words.take_phrase(word).then_some(part))
}

/// True after noon and false before it, if that is said.
fn half(words: &mut Words) -> Option<bool> {
    let said = ["am", "pm", "o'clock"].into_iter().find(|word| words.take_phrase(word));
    said.filter(|word| *word != "o'clock").map(|word| word == "pm")
}

/// An hour of the day, or one of twelve of which nobody said the half.
enum Hour {
    Sure(u8),
    TwoReadings(u8),
}

/// An hour with its minute: `ten`, `22:00`, `7pm`, `7:30`.
fn hour(said: &str, part: Option<PartOfDay>, half: Option<bool>) -> Option<(Hour, u8)> {
    if let Some(sure) = [("noon", 12), ("midnight", 0)].into_iter().find(|(word, _)| *word == said) {
        return Some((Hour::Sure(sure.1), 0));
    }
    let (said, half) = match (said.strip_suffix("am"), said.strip_suffix("pm")) {
        (Some(rest), _) => (rest, Some(false)),
        (None, Some(rest)) => (rest, Some(true)),
        (None, None) => (said, half),
    };
    let (hour_said, minute_said) = said.split_once(':').unwrap_or((said, "0"));
    let word = NUMBERS.iter().position(|word| *word == hour_said);
    let hour: u8 = match word {
        Some(place) => u8::try_from(place + 1).ok()?,
        None => hour_said.parse().ok()?,
    };
    let minute: u8 = minute_said.parse().ok()?;
    if hour > 23 || minute > 59 {
        return None;
    }
    // `07:30` is written as a clock shows it and means the morning; `7:30` may be either half of the day.
    let has_two_digits = word.is_none() && said.contains(':') && hour_said.len() == 2;
    let is_sure = hour == 0 || hour > 12 || (has_two_digits && part.is_none() && half.is_none());
    if is_sure {
        return Some((Hour::Sure(hour), minute));
    }
    // Twelve begins its half of the day: 12 am is midnight and 12 pm is noon.
    let of_twelve = hour % 12;
    let sure = |after_noon: bool| Some((Hour::Sure(of_twelve + if after_noon { 12 } else { 0 }), minute));
    match (half, part) {
        (Some(after_noon), _) => sure(after_noon),
        (None, Some(PartOfDay::Morning)) => sure(false),
        (None, Some(PartOfDay::Afternoon | PartOfDay::Evening)) => sure(true),
        // Eight at night comes before midnight, three at night after it.
        (None, Some(PartOfDay::Night)) => sure((6..12).contains(&of_twelve)),
        (None, None) => Some((Hour::TwoReadings(hour), minute)),
    }
}
