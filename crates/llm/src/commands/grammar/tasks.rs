//! Commands to the station: missions, memory, limits, schedules.

use serde_json::json;

use super::{Command, Complaint, MissionAct, NewLimit, When, word};
use crate::commands::words::{FORCE, LENGTH, MINUTE, SPEED, TIME, Words, metres};

pub(super) fn mission(words: &mut Words, act: MissionAct) -> Result<Command, Complaint> {
    let name = word(words).ok_or_else(|| Complaint::Expected("a mission".to_owned()))?;
    Ok(Command::Mission { act, name })
}

/// Everything that follows, as it was written.
pub(super) fn text(words: &mut Words) -> Result<String, Complaint> {
    words.rest().map(str::to_owned).ok_or_else(|| Complaint::Expected("a text".to_owned()))
}

pub(super) fn remember(words: &mut Words) -> Result<Command, Complaint> {
    if words.take_phrase("that") {
        return Ok(Command::Note(text(words)?));
    }
    let expected = || Complaint::Expected("a subject, a property, = and a value".to_owned());
    let (named, value) = words.assignment().ok_or_else(expected)?;
    let [subject, predicate] = named.as_slice() else { return Err(expected()) };
    Ok(Command::Remember {
        subject: (*subject).to_owned(),
        predicate: (*predicate).to_owned(),
        value: value.to_owned(),
    })
}

pub(super) fn add_constraint(words: &mut Words) -> Result<Command, Complaint> {
    let owner = word(words).ok_or_else(|| Complaint::Expected("a mission".to_owned()))?;
    let limit = if words.take_phrase("workspace") {
        let [x, y, z] = [span(words, "x")?, span(words, "y")?, span(words, "z")?];
        NewLimit { constraint_type: "workspace", params: json!({ "x": x, "y": y, "z": z }) }
    } else if words.take_phrase("max_velocity") {
        let speed_mps = words.quantity("a speed", SPEED)?.si(None);
        NewLimit { constraint_type: "max_velocity", params: json!(speed_mps) }
    } else if words.take_phrase("forbidden_zone") {
        let center = lengths(words, ["x", "y", "z"])?;
        if !words.take_phrase("radius") {
            return Err(Complaint::Expected("radius and a distance".to_owned()));
        }
        let [radius] = lengths(words, ["a radius"])?;
        NewLimit { constraint_type: "forbidden_zone", params: json!({ "center": center, "radius": radius }) }
    } else if words.take_phrase("max_force") {
        let force_n = words.quantity("a force", FORCE)?.si(None);
        NewLimit { constraint_type: "max_force", params: json!(force_n) }
    } else {
        return Err(Complaint::Expected("workspace, max_velocity, forbidden_zone or max_force".to_owned()));
    };
    Ok(Command::AddConstraint { owner, limit })
}

/// `x a b`: the axis by its name, then from where to where.
fn span(words: &mut Words, axis: &'static str) -> Result<[f64; 2], Complaint> {
    if !words.take_phrase(axis) {
        return Err(Complaint::Expected(format!("{axis} and two distances")));
    }
    lengths(words, [axis, axis])
}

/// Distances in metres.
fn lengths<const COUNT: usize>(words: &mut Words, names: [&'static str; COUNT]) -> Result<[f64; COUNT], Complaint> {
    let mut said = Vec::with_capacity(COUNT);
    for name in names {
        said.push(words.quantity(name, LENGTH)?);
    }
    match <[_; COUNT]>::try_from(said) {
        Ok(said) => metres(said),
        Err(_) => Err(Complaint::Expected(names.join(" "))),
    }
}

pub(super) fn schedule(words: &mut Words) -> Result<Command, Complaint> {
    let quoted = || Complaint::Expected("a command in quotes".to_owned());
    let prompt = words.take_quoted().filter(|prompt| !prompt.trim().is_empty()).ok_or_else(quoted)?.to_owned();
    let when = if words.take_phrase("at") {
        let (hour, minute) = time_of_day(words)?;
        When::At(format!("{hour:02}:{minute:02}"))
    } else if words.take_phrase("every") {
        When::EverySecs(seconds(words.quantity("a time", TIME)?.si(Some(MINUTE)))?)
    } else if words.take_phrase("daily") {
        let (hour, minute) = time_of_day(words)?;
        When::Cron(format!("{minute} {hour} * * *"))
    } else if words.take_phrase("cron") {
        When::Cron(
            words.take_quoted().ok_or_else(|| Complaint::Expected("cron fields in quotes".to_owned()))?.to_owned(),
        )
    } else {
        return Err(Complaint::Expected("at, every, daily or cron".to_owned()));
    };
    Ok(Command::Schedule { prompt, when })
}

fn time_of_day(words: &mut Words) -> Result<(u8, u8), Complaint> {
    let parse = |text: &str| {
        let (hour, minute) = text.split_once(':')?;
        let (hour, minute) = (hour.parse::<u8>().ok()?, minute.parse::<u8>().ok()?);
        (hour < 24 && minute < 60).then_some((hour, minute))
    };
    words.take().and_then(parse).ok_or_else(|| Complaint::Expected("a time as hh:mm".to_owned()))
}

/// Whole seconds. What is too short or too long for a schedule is said by the station, which knows its bounds.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
fn seconds(seconds: f64) -> Result<i64, Complaint> {
    // A value that is no number lies in no range, so it is refused as well.
    if !(0.0..=1e9).contains(&seconds) {
        return Err(Complaint::Expected("a time that is not negative".to_owned()));
    }
    Ok(seconds.round() as i64)
}
