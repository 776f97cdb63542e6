//! Times, durations, zones and what starts a run.

use serde::Serialize;
use world::cron::{Cron, Zone, parse_rfc3339};

use super::reader::Reader;
use super::{Expiry, Trigger};
use crate::format::yaml::{Node, Plain};
use crate::problem::ProblemCode;

/// The shortest and the longest life of a mission, seconds.
const EXPIRES_SECS: std::ops::RangeInclusive<u64> = 60..=366 * 86_400;
const TRIGGERS: [&str; 3] = ["cron", "at", "when"];
const TIME_HELP: &str =
    "Write a time such as `2026-03-09T07:00:00+01:00`, or one without offset in the mission's zone.";

/// A time as a mission file writes it: RFC 3339, with an offset or as the clock of the mission's zone shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WrittenTime {
    text: String,
}

impl WrittenTime {
    /// Reads a time; none if the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let time = Self { text: text.to_owned() };
        time.ms_in(&Zone::utc()).is_some().then_some(time)
    }

    /// The time as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The time as UTC milliseconds, if a clock of `zone` ever shows it.
    #[must_use]
    pub fn ms_in(&self, zone: &Zone) -> Option<i64> {
        // None in the hour that a zone skips in spring: no clock ever shows it.
        parse_rfc3339(&self.text).or_else(|| zone.parse_local(&self.text))
    }
}

impl Reader<'_> {
    pub fn time(&mut self, node: &Node) -> Option<WrittenTime> {
        let time = WrittenTime::read(self.plain_text(node)?);
        if time.is_none() {
            self.fault(ProblemCode::BadTime, node.span, "This is no time.", TIME_HELP);
        }
        time
    }

    pub fn zone(&mut self, node: &Node) -> Option<Zone> {
        let name = self.plain_text(node)?;
        let zone = Zone::named(name);
        if zone.is_none() {
            let help = "Write an IANA name such as `Europe/Berlin`.";
            self.fault(ProblemCode::BadTime, node.span, "There is no such time zone.", help);
        }
        zone
    }

    pub fn cron(&mut self, node: &Node) -> Option<Cron> {
        match Cron::parse(self.plain_text(node)?, Cron::TURN_GAP_S) {
            Ok(cron) => Some(cron),
            Err(error) => {
                let message = format!("This is no schedule: {error}.");
                self.fault(ProblemCode::InvalidCron, node.span, message, "Write five fields such as `0 22 * * *`.");
                None
            }
        }
    }

    pub fn expiry(&mut self, node: &Node) -> Option<Expiry> {
        let text = self.plain_text(node)?;
        if let Some(time) = WrittenTime::read(text) {
            return Some(Expiry::At(time));
        }
        let Some(seconds) = duration_secs(text) else {
            let help = "Write a duration such as `90s`, `30min`, `12h` or `30d`, or a time in RFC 3339.";
            self.fault(ProblemCode::BadTime, node.span, "This is neither a duration nor a time.", help);
            return None;
        };
        match u32::try_from(seconds) {
            Ok(short) if EXPIRES_SECS.contains(&seconds) => Some(Expiry::After(short)),
            Ok(_) | Err(_) => self.out_of_range(node.span, "a duration from `1min` to `366d`"),
        }
    }

    pub fn trigger(&mut self, node: &Node) -> Option<Trigger> {
        if let Some(Plain::Text(word)) = node.plain() {
            return match word {
                "immediate" => Some(Trigger::Immediate),
                "spawn" => Some(Trigger::Spawn),
                _ => self.out_of_range(node.span, "`immediate`, `spawn`, or a mapping with `cron`, `at` or `when`"),
            };
        }
        let fields = self.fields(node, &["cron", "at", "when", "once"])?;
        let given: Vec<&str> = TRIGGERS.into_iter().filter(|key| fields.get(key).is_some()).collect();
        let [key] = given.as_slice() else {
            return self.out_of_range(node.span, "exactly one of `cron`, `at` and `when`");
        };
        let value = fields.get(key)?;
        let once = fields.get("once");
        match (*key, once) {
            ("cron", None) => self.within("cron", |reader| reader.cron(value)).map(Trigger::Cron),
            ("at", None) => self.within("at", |reader| reader.time(value)).map(Trigger::At),
            (_, Some(once)) if *key != "when" => self.out_of_range(once.span, "`once` only beside `when`"),
            _ => {
                let once = match once {
                    Some(node) => self.within("once", |reader| reader.flag(node))?,
                    None => false,
                };
                self.within("when", |reader| reader.rule(value)).map(|rule| Trigger::When { rule, once })
            }
        }
    }
}

/// Seconds of `90s`, `30min`, `12h` or `30d`.
fn duration_secs(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 4] = [("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400)];
    let (number, unit) = UNITS.iter().find_map(|(word, unit)| Some((text.strip_suffix(word)?, unit)))?;
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
    // Checked, because the number is as long as its author likes.
    number.parse::<u64>().ok().filter(|_| is_plain)?.checked_mul(*unit)
}
