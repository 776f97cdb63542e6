//! The keys of the front matter: which there are, and what reads each of them.

use robot::MissionId;

use super::reader::Reader;
use super::{Approval, Front, OnFailure, Trigger};
use crate::format::yaml::{Entry, Node, Value};
use crate::problem::{Faults, Located, ProblemCode};

/// The longest title, in characters.
pub(crate) const TITLE_CHARS_MAX: usize = 120;
const DEPENDS_ON_MAX: usize = 64;
const ROBOTS_MAX: usize = 16;
const RESOURCES_MAX: usize = 32;
const CONSTRAINTS_MAX: usize = 1_024;
const RULES_MAX: usize = 64;
const TRIGGERS_MAX: usize = 8;
const PRECONDITIONS_MAX: usize = 16;
const GOALS_MAX: usize = 128;
const SCHEDULE_MAX: usize = 32;
const ENVELOPES_MAX: usize = 16;
const BUDGET_USD_MAX: f64 = 1_000.0;

/// Every key, in the order in which a file is best read.
pub(crate) const KEYS: [&str; 20] = [
    "title",
    "parent",
    "depends_on",
    "robots",
    "resources",
    "constraints",
    "fallbacks",
    "providers",
    "alerts",
    "triggers",
    "time_zone",
    "preconditions",
    "goals",
    "schedule",
    "completes_when",
    "expires",
    "on_failure",
    "approval",
    "envelope",
    "budget_usd",
];

/// Reads every key by itself, so that a wrong one hides no other.
pub(crate) fn read(entries: &[Entry], faults: &mut Faults) -> Front {
    let mut reader = Reader::new(faults);
    reader.known(entries, &KEYS);
    let mut front = Front::default();
    // Locks name robots, which may stand below them.
    let later = |key: &str| key == "resources";
    for entry in
        entries.iter().filter(|entry| !later(&entry.key)).chain(entries.iter().filter(|entry| later(&entry.key)))
    {
        let Entry { key, value, .. } = entry;
        let is_empty = value.is_null() || matches!(&value.value, Value::List { items, .. } if items.is_empty());
        reader.within(key, |reader| match (key.as_str(), is_empty) {
            // Refused, because an empty list looks like lifting limits or starts, and lifts none.
            ("constraints" | "triggers", true) => {
                let help = format!("Remove `{key}`, or add an entry.");
                reader.fault(ProblemCode::OutOfRange, value.span, "An empty list takes nothing away.", help);
            }
            (_, true) => {}
            (key, false) => read_value(reader, key, value, &mut front),
        });
    }
    if front.triggers.is_empty() {
        front.triggers.push(Located { value: Trigger::Immediate, span: crate::problem::Span::default() });
    }
    front
}

fn located<T>(node: &Node, value: Option<T>) -> Option<Located<T>> {
    value.map(|value| Located { value, span: node.span })
}

/// Reads the value of one key.
fn read_value(reader: &mut Reader<'_>, key: &str, node: &Node, front: &mut Front) {
    match key {
        "title" => front.title = located(node, reader.line(node, 1..=TITLE_CHARS_MAX)),
        "parent" => front.parent = located(node, reader.id::<MissionId>(node)),
        "depends_on" => front.depends_on = reader.distinct(node, 0..=DEPENDS_ON_MAX, Reader::id),
        "robots" => front.robots = reader.distinct(node, 0..=ROBOTS_MAX, Reader::id),
        "resources" => {
            let robots = front.robots.clone();
            let parts = reader.list(node, 0..=RESOURCES_MAX, |reader, node| reader.locked_part(node, &robots));
            front.resources = Some(parts);
        }
        "constraints" => front.constraints = reader.list(node, 1..=CONSTRAINTS_MAX, Reader::limit),
        "fallbacks" => front.fallbacks = reader.fallbacks(node),
        "providers" => front.providers = reader.list(node, 0..=RULES_MAX, Reader::provider),
        "alerts" => front.alerts = reader.list(node, 0..=RULES_MAX, Reader::alert),
        "triggers" => front.triggers = reader.list(node, 1..=TRIGGERS_MAX, Reader::trigger),
        "time_zone" => front.time_zone = located(node, reader.zone(node)),
        "preconditions" => front.preconditions = reader.list(node, 0..=PRECONDITIONS_MAX, Reader::precondition),
        "goals" => front.goals = reader.list(node, 0..=GOALS_MAX, Reader::goal),
        "schedule" => front.schedule = reader.list(node, 0..=SCHEDULE_MAX, Reader::job),
        "completes_when" => front.completes_when = located(node, reader.rule(node)),
        "expires" => front.expires = located(node, reader.expiry(node)),
        "on_failure" => front.on_failure = reader.on_failure(node).unwrap_or(OnFailure::Stop),
        "approval" => {
            let words = [("activation", Approval::Activation), ("ask", Approval::Ask)];
            // Of a wrong word the careful meaning: every step is asked about.
            front.approval = reader.word(node, &words).unwrap_or(Approval::Ask);
        }
        "envelope" => front.envelope = reader.list(node, 0..=ENVELOPES_MAX, Reader::envelope),
        "budget_usd" => {
            front.budget_usd = located(node, reader.number(node, f64::MIN_POSITIVE..=BUDGET_USD_MAX));
        }
        // Told already.
        _ => {}
    }
}
