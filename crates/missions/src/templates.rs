//! Drafts from the missions that are shipped: one of them with the wishes of whoever asks for it. Pure.

mod visit;

use robot::MissionId;
use serde_json::{Value, json};
use world::cron::{Cron, Zone};

use crate::format::edit::{Edit, EditError, edit};
use crate::format::front::Trigger;
use crate::format::parsed::parse;

pub use visit::{DraftNote, Visit, visit};

/// The missions that a draft may begin with: name and text.
pub const TEMPLATES: [(&str, &str); 5] = [
    ("security-patrol", include_str!("../../../missions/security-patrol.md")),
    ("dog-monitor", include_str!("../../../missions/dog-monitor.md")),
    ("run-welding-task", include_str!("../../../missions/run-welding-task.md")),
    ("maintenance-check", include_str!("../../../missions/maintenance-check.md")),
    ("childproof-home", include_str!("../../../missions/childproof-home.md")),
];

/// The place that the template of a patrol watches.
const PLACE: &str = "loading dock";
const DAY_MS: i64 = 86_400_000;
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// The longest id.
const ID_CHARS_MAX: usize = 64;

/// The wishes for a draft. What is left out stays as the template has it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wishes {
    /// Its title.
    pub title: Option<String>,
    /// The place that it watches.
    pub place: Option<String>,
    /// The points of that place, as [`visit`](fn@visit) finds them for the same template.
    pub visit: Option<Visit>,
    /// Its times, five cron fields.
    pub cron: Option<String>,
    /// The end of its life, as a file writes it.
    pub expires: Option<String>,
}

/// The text of `template` with `wishes`; none if there is no such template.
///
/// # Errors
/// A wish does not fit into the text.
pub fn fill(template: &str, wishes: &Wishes) -> Option<Result<String, EditError>> {
    let (_, text) = TEMPLATES.into_iter().find(|(name, _)| *name == template)?;
    let edits = edits(text, wishes);
    Some(edit(text.as_bytes(), &edits).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// The same for a text that is no template: only what the wishes name is changed.
///
/// # Errors
/// A wish does not fit into the text.
pub fn with_wishes(text: &str, wishes: &Wishes) -> Result<String, EditError> {
    let bytes = edit(text.as_bytes(), &edits(text, &Wishes { place: None, visit: None, ..wishes.clone() }))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn edits(text: &str, wishes: &Wishes) -> Vec<Edit> {
    let parsed = parse(text.as_bytes());
    let set = |key: &str, value: Value| Edit::Set { key: key.to_owned(), value };
    let mut edits = Vec::new();
    edits.extend(wishes.title.as_ref().map(|title| set("title", json!(title))));
    edits.extend(wishes.expires.as_ref().map(|expires| set("expires", json!(expires))));
    if let Some(cron) = &wishes.cron {
        // A mission without goals has no runs: what it does at a time is a job.
        edits.push(if parsed.front.goals.is_empty() {
            let prompt = parsed.source.body().lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
            set("schedule", json!([{ "cron_schedule": cron, "prompt": prompt }]))
        } else {
            let others = parsed.front.triggers.iter().filter_map(|trigger| match &trigger.value {
                Trigger::When { rule, .. } => Some(json!({ "when": rule.to_string() })),
                Trigger::Immediate | Trigger::Spawn | Trigger::Cron(_) | Trigger::At(_) => None,
            });
            set("triggers", std::iter::once(json!({ "cron": cron })).chain(others).collect())
        });
    }
    if let Some(Visit::Points { frame, points }) = &wishes.visit {
        edits.extend(visit::edits(&parsed, wishes.place.as_deref().unwrap_or(PLACE), frame, points));
    }
    let place = wishes.place.as_ref().filter(|place| place.as_str() != PLACE && parsed.source.body().contains(PLACE));
    if let Some(place) = place {
        let zone = place.to_lowercase().replace(' ', "_");
        let value = json!({ "predicate": format!("person.location = '{zone}'"), "description": format!("Someone is at the {place}") });
        edits.push(Edit::ReplaceEntry { key: "alerts".to_owned(), index: 0, value });
        edits.push(Edit::SetBody(parsed.source.body().replace(PLACE, place)));
    }
    edits
}

/// The end of a life in words, as a file writes it: a weekday or a date, which is over with its day, `tomorrow`, a span, or
/// a time. None if the words say no such thing.
#[must_use]
pub fn until(words: &str, zone: &Zone, now_ms: i64) -> Option<String> {
    let words = words.trim().to_lowercase();
    let (today, _) = zone.day_of(now_ms);
    // Counted from noon: a day on which clocks change is an hour longer or shorter.
    let noon_ms = zone.parse_local(&format!("{today}T12:00:00"))?;
    let end_of = |days: i64| {
        let (date, _) = zone.day_of(noon_ms + (days + 1) * DAY_MS);
        format!("{date}T00:00:00")
    };
    if words == "tomorrow" {
        return Some(end_of(1));
    }
    if let Some(wanted) = WEEKDAYS.iter().position(|day| *day == words || day.get(..3) == Some(&*words)) {
        let wanted = i64::try_from(wanted).ok()?;
        return Some(end_of((wanted - weekday(&today)?).rem_euclid(7)));
    }
    let (number, unit) = words.split_at(words.find(|c: char| !c.is_ascii_digit()).unwrap_or(words.len()));
    let number: i64 = number.parse().ok()?;
    match unit.trim() {
        "min" | "minute" | "minutes" => Some(format!("{number}min")),
        "h" | "hour" | "hours" => Some(format!("{number}h")),
        "d" | "day" | "days" => Some(format!("{number}d")),
        "week" | "weeks" => Some(format!("{}d", number.checked_mul(7)?)),
        rest if rest.starts_with('-') && !rest.contains('t') => {
            zone.parse_local(&format!("{words}T00:00:00")).map(|at_ms| {
                let (date, _) = zone.day_of(at_ms + DAY_MS + DAY_MS / 2);
                format!("{date}T00:00:00")
            })
        }
        _ => None,
    }
}

/// The day of the week of a date, from Monday, which is 0.
fn weekday(date: &str) -> Option<i64> {
    let at_ms = world::cron::parse_rfc3339(&format!("{date}T00:00:00Z"))?;
    // The first day of 1970 was a Thursday.
    Some((at_ms.div_euclid(DAY_MS) + 3).rem_euclid(7))
}

/// True if the text is five cron fields that a mission may have.
#[must_use]
pub fn is_cron(text: &str) -> bool {
    Cron::parse(text, Cron::TURN_GAP_S).is_ok()
}

/// The id that a title stands for, with a number behind it where `taken` says so; none if no letter of it can stand in one.
#[must_use]
pub fn id_for(title: &str, taken: impl Fn(&MissionId) -> bool) -> Option<MissionId> {
    let plain: String = title.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let mut stem = parts.join("-");
    // Room for a number.
    stem.truncate(ID_CHARS_MAX - 4);
    let stem = stem.trim_end_matches('-');
    (1..=999).find_map(|number| {
        let text = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
        crate::id_of(&text).ok().filter(|id| !taken(id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wednesday, 11 March 2026, 09:00 UTC.
    const NOW_MS: i64 = 1_773_219_600_000;

    #[test]
    fn me_16_a_template_with_wishes_is_a_file_without_errors_and_keeps_the_rest() {
        let wishes = Wishes {
            title: Some("Patrol of the north gate".into()),
            place: Some("north gate".into()),
            visit: None,
            cron: Some("0 22 * * *".into()),
            expires: Some("2026-03-14T00:00:00".into()),
        };
        for (name, text) in TEMPLATES {
            let filled = fill(name, &wishes).unwrap().unwrap();
            let parsed = parse(filled.as_bytes());
            assert_eq!(parsed.errors().count(), 0, "{name}: {:?}\n{filled}", parsed.problems);
            assert!(filled.contains("Patrol of the north gate") && filled.contains("expires"), "{filled}");
            assert!(filled.contains("0 22 * * *"), "{filled}");
            assert_eq!(fill(name, &Wishes::default()).unwrap().unwrap(), text, "no wish changes nothing");
        }
        let patrol = fill("security-patrol", &wishes).unwrap().unwrap();
        assert!(patrol.contains("person.location = 'north_gate'") && !patrol.contains("loading dock"), "{patrol}");
        assert!(patrol.contains("gate.status = 'open' for 10 s"), "a rule that starts it stays: {patrol}");
        assert!(fill("no-such", &wishes).is_none());
    }

    #[test]
    fn me_16_words_for_an_end_are_a_time_of_the_station() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        let check = |words: &str, expected: Option<&str>| {
            assert_eq!(until(words, &zone, NOW_MS).as_deref(), expected, "{words}");
        };
        check("Friday", Some("2026-03-14T00:00:00"));
        check("wed", Some("2026-03-12T00:00:00"));
        check("tuesday", Some("2026-03-18T00:00:00"));
        check("tomorrow", Some("2026-03-13T00:00:00"));
        check("2026-04-01", Some("2026-04-02T00:00:00"));
        check("3 days", Some("3d"));
        check("2 weeks", Some("14d"));
        check("90min", Some("90min"));
        check("the cows come home", None);
        check("", None);
        // Saturday, 28 March 2026, 23:30, and the night in which clocks go forward; then the last evening of summer time.
        let evenings = [(1_774_737_000_000, "2026-03-30T00:00:00"), (1_792_877_400_000, "2026-10-26T00:00:00")];
        for (now_ms, end) in evenings {
            assert_eq!(until("tomorrow", &zone, now_ms).as_deref(), Some(end));
        }
    }

    #[test]
    fn me_16_a_title_gives_an_id_that_nobody_has() {
        let none = |_: &MissionId| false;
        assert_eq!(id_for("Patrol of the Dock!", none).unwrap().as_str(), "patrol-of-the-dock");
        let taken = |id: &MissionId| ["dock", "dock-2"].contains(&id.as_str());
        assert_eq!(id_for("Dock", taken).unwrap().as_str(), "dock-3");
        assert!(id_for("…", none).is_none());
        assert!(id_for(&"a".repeat(500), none).is_some());
    }
}
