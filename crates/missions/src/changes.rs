//! The difference between two meanings, as a person reads it before the second takes the place of the first. What is
//! not clear counts as a loosening.

mod bounds;

use std::borrow::Cow;

use robot::Role;
use safety::fallback::{FallbackClass, FallbackStep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::compiled::{Compiled, words};
use crate::format::front::{Goal, Hold};
use crate::phrase::{MissionPart, Phrase, Statement};

/// A difference between what a mission says and what it said before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(rename = "MissionChange")]
#[ts(rename = "MissionChange")]
pub struct Change {
    /// The key of the file that it is about; `text` for what stands below the front matter.
    pub key: Cow<'static, str>,
    /// Its direction.
    pub kind: ChangeKind,
    /// A sentence that says what is different.
    pub sentence: String,
    /// The same as data, for a window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub said: Option<ChangeParts>,
    /// The least role of a person who lets it take effect.
    pub role_needed: Role,
}

/// A difference as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(rename = "MissionChangeParts")]
#[ts(rename = "MissionChangeParts")]
pub struct ChangeParts {
    /// The part of the mission that is different.
    pub part: MissionPart,
    /// Its content before; none if it is added, or differs in more than its words say.
    pub before: Option<Phrase>,
    /// Its content now; none if it is removed.
    pub after: Option<Phrase>,
}

/// Direction of a change of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "MissionChangeKind")]
#[ts(rename = "MissionChangeKind")]
pub enum ChangeKind {
    /// Something is there that was not.
    Added,
    /// Something is not there any more.
    Removed,
    /// Something is otherwise, neither looser nor tighter.
    Changed,
    /// A bound allows less than before.
    Tightened,
    /// A bound may allow more than before.
    Loosened,
}

/// Everything by which `new` differs from `old`, in the order in which a file is best read; against nothing, everything
/// is added. Equal meanings differ in nothing.
#[must_use]
pub fn changes(old: Option<&Compiled>, new: &Compiled) -> Vec<Change> {
    let mut found = Vec::new();
    for Part { key, role, items } in PARTS {
        let before = old.map(items).unwrap_or_default();
        differ(key, *role, &before, &items(new), &mut found);
        bounds_behind(key, old, new, &mut found);
    }
    found
}

/// The bounds whose changes have a direction, behind the part that stands before them in a file.
fn bounds_behind(key: &str, old: Option<&Compiled>, new: &Compiled, found: &mut Vec<Change>) {
    match key {
        "resources" => bounds::limits(old.map(|old| &*old.limits).unwrap_or_default(), &new.limits, found),
        "completes_when" => bounds::expiry(old.map(|old| old.expires.as_ref()), new.expires.as_ref(), found),
        "on_failure" => bounds::approval(old.map(|old| old.approval), new.approval, found),
        "envelope" => bounds::budget(old.map(|old| old.budget_usd), new.budget_usd, found),
        _ => {}
    }
}

/// A meaning in sentences, in the order in which a file is best read.
#[must_use]
pub fn sentences(meaning: &Compiled) -> Vec<String> {
    told(meaning).into_iter().map(|(sentence, _)| sentence).collect()
}

/// The same as data, one statement for each sentence.
#[must_use]
pub fn statements(meaning: &Compiled) -> Vec<Statement> {
    told(meaning).into_iter().map(|(_, statement)| statement).collect()
}

fn told(meaning: &Compiled) -> Vec<(String, Statement)> {
    let mut told = Vec::new();
    for Part { key, items, .. } in PARTS {
        told.extend(items(meaning).into_iter().map(|item| (item.sentence(), item.statement())));
        let mut bounds = Vec::new();
        bounds_behind(key, None, meaning, &mut bounds);
        // Nothing is asked about motion where nothing moves.
        let is_said = |change: &Change| change.key != "approval" || !meaning.motions.is_empty();
        let as_it_is = |change: Change| {
            let ChangeParts { part, after, .. } = change.said?;
            Some((as_it_is(change.sentence), Statement { part, phrase: after? }))
        };
        told.extend(bounds.into_iter().filter(is_said).filter_map(as_it_is));
    }
    told
}

/// The sentence that tells of an item, without that it is added.
fn as_it_is(added: String) -> String {
    added.strip_prefix("Adds ").map(capitalised).unwrap_or(added)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The least role of a person who lets all `changes` take effect.
#[must_use]
pub fn role_needed(changes: &[Change]) -> Role {
    changes.iter().map(|change| change.role_needed).max().unwrap_or(Role::Operator)
}

/// A part of a meaning that is compared item by item.
struct Part {
    key: &'static str,
    /// The role that any change of it needs.
    role: Role,
    items: fn(&Compiled) -> Vec<Item>,
}

/// An item of a part. Items of one name are the same item, changed.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    name: String,
    /// The kind of thing it is.
    part: MissionPart,
    /// Its content, as a person reads it.
    phrase: Phrase,
    /// Everything that it says.
    whole: String,
}

impl Item {
    /// The item by itself: `Robot: rover-1.` where a change says `Adds the robot rover-1.`
    fn sentence(&self) -> String {
        let what = self.part.to_string();
        let label = what.strip_prefix("the ").unwrap_or(&what).trim_end_matches(':');
        let label = label.strip_suffix(" on").or_else(|| label.strip_suffix(" of")).unwrap_or(label);
        format!("{}: {}.", capitalised(label), self.phrase)
    }

    fn statement(self) -> Statement {
        Statement { part: self.part, phrase: self.phrase }
    }

    /// The only item of its kind, whose words say everything.
    fn only(part: MissionPart, phrase: Phrase) -> Self {
        Self { name: part.to_string(), whole: phrase.to_string(), part, phrase }
    }

    /// One of several, whose words are its name: it is added and removed.
    fn named(part: MissionPart, phrase: Phrase) -> Self {
        Self { name: phrase.to_string(), ..Self::only(part, phrase) }
    }

    /// The same, with more than its words say.
    fn with(self, whole: &impl Serialize) -> Self {
        let whole = serde_json::to_string(whole).unwrap_or_default();
        Self { whole, ..self }
    }
}

/// The parts in the order of the keys.
const PARTS: &[Part] = &[
    operator("title", |of| vec![Item::only(MissionPart::Title, Phrase::quoted(&of.title)).with(&of.title)]),
    operator("parent", |of| {
        of.parent.iter().map(|id| Item::only(MissionPart::Parent, Phrase::plain(id.as_str()))).collect()
    }),
    operator("depends_on", |of| {
        of.depends_on.iter().map(|id| Item::named(MissionPart::Dependency, Phrase::plain(id.as_str()))).collect()
    }),
    operator("robots", |of| {
        of.robots.iter().map(|id| Item::named(MissionPart::Robot, Phrase::plain(id.as_str()))).collect()
    }),
    operator("resources", |of| {
        let lock =
            |(path, hold): (&String, &Hold)| Item::only(MissionPart::Lock { path: path.clone() }, (*hold).into());
        of.resources.iter().map(lock).collect()
    }),
    operator("fallbacks", |of| {
        let response = |(class, steps): (&FallbackClass, &Vec<FallbackStep>)| {
            Item::only(MissionPart::Response { class: *class }, Phrase::Steps { steps: steps.clone() })
        };
        of.fallbacks.iter().map(response).collect()
    }),
    admin("providers", |of| {
        let item = |config| Item::named(MissionPart::Provider, words::provider(config)).with(config);
        of.providers.iter().map(item).collect()
    }),
    admin("alerts", |of| {
        of.alerts.iter().map(|rule| Item::named(MissionPart::Alert, words::alert(rule)).with(rule)).collect()
    }),
    operator("triggers", |of| {
        let item =
            |trigger| Item::named(MissionPart::Start, Phrase::Starts { start: words::trigger(trigger) }).with(trigger);
        of.triggers.iter().map(item).collect()
    }),
    operator("time_zone", |of| vec![Item::only(MissionPart::TimeZone, Phrase::plain(of.time_zone.as_str()))]),
    operator("preconditions", |of| {
        let item = |condition| Item::named(MissionPart::Precondition, words::precondition(condition)).with(condition);
        of.preconditions.iter().map(item).collect()
    }),
    operator("goals", |of| {
        let item = |(goal, number): (&Goal, usize)| {
            Item::only(MissionPart::Goal { number }, Phrase::Does { goal: words::goal(goal, &of.motions) }).with(goal)
        };
        of.goals.iter().zip(1..).map(item).collect()
    }),
    operator("schedule", |of| {
        of.schedule.iter().map(|job| Item::named(MissionPart::Job, words::job(job, &of.motions)).with(job)).collect()
    }),
    operator("completes_when", |of| {
        of.completes_when.iter().map(|rule| Item::only(MissionPart::Completion, Phrase::plain(rule.as_str()))).collect()
    }),
    operator("on_failure", |of| vec![Item::only(MissionPart::Failure, words::on_failure(&of.on_failure))]),
    operator("envelope", |of| {
        let item = |request| Item::named(MissionPart::Envelope, words::envelope(request)).with(request);
        of.envelope.iter().map(item).collect()
    }),
    operator("text", |of| {
        let is_empty = of.text.trim().is_empty();
        let item = || Item::only(MissionPart::Text, Phrase::quoted(&of.text)).with(&of.text);
        if is_empty { Vec::new() } else { vec![item()] }
    }),
];

const fn operator(key: &'static str, items: fn(&Compiled) -> Vec<Item>) -> Part {
    Part { key, role: Role::Operator, items }
}

const fn admin(key: &'static str, items: fn(&Compiled) -> Vec<Item>) -> Part {
    Part { key, role: Role::Admin, items }
}

/// Tells what is added, removed and changed from one list of items to another. Equal items stand for one another
/// wherever they stand, and then items of one name.
fn differ(key: &'static str, role: Role, before: &[Item], after: &[Item], found: &mut Vec<Change>) {
    let mut tell = |kind, old: Option<&Item>, new: Option<&Item>, sentence| {
        let Some(Item { part, .. }) = new.or(old) else { return };
        let phrase = |item: Option<&Item>| item.map(|item| item.phrase.clone());
        let said = Some(ChangeParts { part: part.clone(), before: phrase(old), after: phrase(new) });
        found.push(Change { key: key.into(), kind, sentence, said, role_needed: role });
    };
    let (mut gone, mut come): (Vec<&Item>, Vec<&Item>) = (before.iter().collect(), Vec::new());
    for item in after {
        // Equal ones first, or an entry that was moved would count as removed and added.
        match gone.iter().position(|old| *old == item) {
            Some(at) => _ = gone.remove(at),
            None => come.push(item),
        }
    }
    for item in come {
        let Item { part, phrase, .. } = item;
        match gone.iter().position(|old| old.name == item.name).map(|at| gone.remove(at)) {
            // What differs is more than a sentence says.
            Some(old) if old.phrase == *phrase => {
                tell(ChangeKind::Changed, None, Some(item), format!("Changes {part} {phrase}."));
            }
            Some(old) => {
                let sentence = format!("Changes {part} {} → {phrase}.", old.phrase);
                tell(ChangeKind::Changed, Some(old), Some(item), sentence);
            }
            None => tell(ChangeKind::Added, None, Some(item), format!("Adds {part} {phrase}.")),
        }
    }
    for item in gone {
        let sentence = format!("Removes {} {}.", item.part, item.phrase);
        tell(ChangeKind::Removed, Some(item), None, sentence);
    }
}
