//! The difference between two meanings, as a person reads it before the second takes the place of the first. What is not
//! clear counts as a loosening.

mod bounds;

use std::borrow::Cow;

use robot::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::compiled::{Compiled, words};

/// A difference between what a mission says and what it said before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(rename = "MissionChange")]
#[ts(rename = "MissionChange")]
pub struct Change {
    /// The key of the file that it is about; `text` for what stands below the front matter.
    pub key: Cow<'static, str>,
    /// Its direction.
    pub kind: ChangeKind,
    /// A sentence that says what is different.
    pub sentence: String,
    /// The least role of a person who lets it take effect.
    pub role_needed: Role,
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
    let mut sentences = Vec::new();
    for Part { key, items, .. } in PARTS {
        sentences.extend(items(meaning).iter().map(Item::statement));
        let mut bounds = Vec::new();
        bounds_behind(key, None, meaning, &mut bounds);
        // Nothing is asked about motion where nothing moves.
        let is_said = |change: &Change| change.key != "approval" || !meaning.motions.is_empty();
        sentences.extend(bounds.into_iter().filter(is_said).map(|change| as_it_is(change.sentence)));
    }
    sentences
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
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    name: String,
    /// The kind of thing it is, as a sentence begins.
    what: String,
    /// Its content, as a person reads it.
    words: String,
    /// Everything that it says.
    whole: String,
}

impl Item {
    /// The item by itself: `Robot: rover-1.` where a change says `Adds the robot rover-1.`
    fn statement(&self) -> String {
        let label = self.what.strip_prefix("the ").unwrap_or(&self.what).trim_end_matches(':');
        let label = label.strip_suffix(" on").or_else(|| label.strip_suffix(" of")).unwrap_or(label);
        format!("{}: {}.", capitalised(label), self.words)
    }

    /// The only item of its kind, whose words say everything.
    fn only(what: &str, words: String) -> Self {
        Self { name: what.to_owned(), what: what.to_owned(), whole: words.clone(), words }
    }

    /// One of several, whose words are its name: it is added and removed.
    fn named(what: &str, words: String) -> Self {
        Self { name: words.clone(), ..Self::only(what, words) }
    }

    /// The same, with more than its words say.
    fn with(self, whole: &impl Serialize) -> Self {
        let whole = serde_json::to_string(whole).unwrap_or_default();
        Self { whole, ..self }
    }
}

/// The parts in the order of the keys.
const PARTS: &[Part] = &[
    operator("title", |of| vec![Item::only("the title", format!("“{}”", words::cut(&of.title))).with(&of.title)]),
    operator("parent", |of| of.parent.iter().map(|id| Item::only("the parent", id.to_string())).collect()),
    operator("depends_on", |of| {
        of.depends_on.iter().map(|id| Item::named("the dependency on", id.to_string())).collect()
    }),
    operator("robots", |of| of.robots.iter().map(|id| Item::named("the robot", id.to_string())).collect()),
    operator("resources", |of| {
        let lock = |(path, hold)| Item::only(&format!("the lock on {path}"), words::hold(hold).to_owned());
        of.resources.iter().map(|(path, hold)| lock((path, *hold))).collect()
    }),
    operator("fallbacks", |of| {
        let response = |(class, steps): (&_, &_)| {
            Item::only(&format!("the response to the class “{}”:", words::wire(class)), words::wire(steps))
        };
        of.fallbacks.iter().map(response).collect()
    }),
    admin("providers", |of| {
        let item = |config| Item::named("the provider of", words::provider(config)).with(config);
        of.providers.iter().map(item).collect()
    }),
    admin("alerts", |of| {
        of.alerts.iter().map(|rule| Item::named("the alert", words::alert(rule)).with(rule)).collect()
    }),
    operator("triggers", |of| {
        of.triggers.iter().map(|trigger| Item::named("the start", words::trigger(trigger)).with(trigger)).collect()
    }),
    operator("time_zone", |of| vec![Item::only("the time zone", of.time_zone.clone())]),
    operator("preconditions", |of| {
        let item = |condition| Item::named("the precondition", words::precondition(condition)).with(condition);
        of.preconditions.iter().map(item).collect()
    }),
    operator("goals", |of| {
        let item =
            |(goal, at): (_, usize)| Item::only(&format!("goal {at}:"), words::goal(goal, &of.motions)).with(goal);
        of.goals.iter().zip(1..).map(item).collect()
    }),
    operator("schedule", |of| {
        of.schedule.iter().map(|job| Item::named("the job", words::job(job, &of.motions)).with(job)).collect()
    }),
    operator("completes_when", |of| {
        of.completes_when.iter().map(|rule| Item::only("the completion rule", rule.clone())).collect()
    }),
    operator("on_failure", |of| vec![Item::only("the response to a failure:", words::on_failure(&of.on_failure))]),
    operator("envelope", |of| {
        let item =
            |request| Item::named("the request for a standing approval:", words::envelope(request)).with(request);
        of.envelope.iter().map(item).collect()
    }),
    operator("text", |of| {
        let is_empty = of.text.trim().is_empty();
        let item = || Item::only("the text for the agent:", format!("“{}”", words::cut(&of.text))).with(&of.text);
        if is_empty { Vec::new() } else { vec![item()] }
    }),
];

const fn operator(key: &'static str, items: fn(&Compiled) -> Vec<Item>) -> Part {
    Part { key, role: Role::Operator, items }
}

const fn admin(key: &'static str, items: fn(&Compiled) -> Vec<Item>) -> Part {
    Part { key, role: Role::Admin, items }
}

/// Tells what is added, removed and changed from one list of items to another. Equal items stand for one another wherever
/// they stand, and then items of one name.
fn differ(key: &'static str, role: Role, before: &[Item], after: &[Item], found: &mut Vec<Change>) {
    let mut tell = |kind, sentence| found.push(Change { key: key.into(), kind, sentence, role_needed: role });
    let (mut gone, mut come): (Vec<&Item>, Vec<&Item>) = (before.iter().collect(), Vec::new());
    for item in after {
        match gone.iter().position(|old| *old == item) {
            Some(at) => _ = gone.remove(at),
            None => come.push(item),
        }
    }
    for item in come {
        let Item { what, words, .. } = item;
        match gone.iter().position(|old| old.name == item.name).map(|at| gone.remove(at)) {
            // What differs is more than a sentence says.
            Some(old) if old.words == *words => tell(ChangeKind::Changed, format!("Changes {what} {words}.")),
            Some(old) => tell(ChangeKind::Changed, format!("Changes {what} {} → {words}.", old.words)),
            None => tell(ChangeKind::Added, format!("Adds {what} {words}.")),
        }
    }
    for Item { what, words, .. } in gone {
        tell(ChangeKind::Removed, format!("Removes {what} {words}."));
    }
}
