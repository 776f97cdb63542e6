//! A mission file as the station works with it, and what it does not act on. A file that asks for more is not
//! activated: a limit or a goal that nothing enforces must not look as if it were in force.

use std::collections::BTreeSet;

use robot::{MissionId, RobotId};

use crate::compiled::words;
use crate::format::front::{Front, Goal, Trigger};
use crate::format::hidden::{HiddenText, hidden_text};
use crate::format::parsed::{Parsed, parse};
use crate::phrase::{GoalPhrase, Phrase, Start, cut};
use crate::problem::{Fault, Faults, ProblemCode, Problems};

/// A mission file that was read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct MissionFile {
    /// The file's stem.
    pub id: MissionId,
    /// From the front matter, else the first heading, else the id.
    pub title: String,
    /// The only robots this mission may command, at most 16; none means it moves nothing.
    pub robots: Vec<RobotId>,
    /// Missions that have to be completed before this one starts, at most 64.
    pub depends_on: Vec<MissionId>,
    /// Places at which the file hides text from a reader at a screen; a person is told of them before activating it.
    pub hidden: Vec<HiddenText>,
    /// All of it.
    pub parsed: Parsed,
}

/// A refusal of a text as a mission file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MissionError {
    /// Its kind.
    pub code: ProblemCode,
    /// Line of the file, from 1.
    pub line: usize,
    /// Sentences that say what is wrong and what to write.
    pub message: String,
}

impl MissionFile {
    /// Reads the text of `missions/<id>.md`. A file without front matter is valid: its text is the mission.
    ///
    /// # Errors
    /// The first problem of the file, hidden text apart, which is told in `hidden`.
    pub fn read(id: MissionId, text: &str) -> Result<Self, MissionError> {
        Self::of(id, text, parse(text.as_bytes()))
    }

    /// The same of a text that was parsed already.
    ///
    /// # Errors
    /// The first problem of the file, hidden text apart, which is told in `hidden`.
    pub fn of(id: MissionId, text: &str, parsed: Parsed) -> Result<Self, MissionError> {
        // A file that hides text is still read, so that people are shown what it hides.
        if let Some(problem) = parsed.errors().find(|problem| problem.code != ProblemCode::HiddenText) {
            let (code, line, message) = (problem.code, problem.start.line, problem.sentence());
            return Err(MissionError { code, line, message });
        }
        if let Some(itself) = parsed.front.depends_on.iter().find(|mission| mission.value == id) {
            let message = "A mission cannot depend on itself. Remove its id from `depends_on`.".to_owned();
            let line = parsed.source.position(itself.span.from).line;
            return Err(MissionError { code: ProblemCode::OutOfRange, line, message });
        }
        let title = parsed.title(&id);
        let robots = parsed.front.robots.iter().map(|robot| robot.value.clone()).collect();
        let depends_on = parsed.front.depends_on.iter().map(|mission| mission.value.clone()).collect();
        Ok(Self { id, title, robots, depends_on, hidden: hidden_text(text), parsed })
    }

    /// True if each run of it is one turn of the agent, with its text: it recurs and has no goals.
    #[must_use]
    pub fn is_taken_up(&self) -> bool {
        self.parsed.front.goals.is_empty() && self.parsed.front.recurs()
    }

    /// Number of the goals of a run; the turn of one that has none in the file is its only goal.
    #[must_use]
    pub fn goal_count(&self) -> usize {
        if self.is_taken_up() { 1 } else { self.parsed.front.goals.len() }
    }

    /// The goal with this number, from 0, in a phrase: its name, if it has one.
    #[must_use]
    pub fn goal_words(&self, number: usize) -> String {
        self.goal_phrase(number).map(|phrase| phrase.to_string()).unwrap_or_default()
    }

    /// The same as data; none if there is no such goal.
    #[must_use]
    pub fn goal_phrase(&self, number: usize) -> Option<GoalPhrase> {
        match self.parsed.front.goals.get(number).map(|goal| &goal.value) {
            Some(Goal::Step { name: Some(name), .. }) => Some(GoalPhrase::Name { name: cut(name) }),
            Some(goal @ Goal::Step { operation, .. }) => Some(words::goal(goal, &BTreeSet::from([operation.clone()]))),
            Some(goal) => Some(words::goal(goal, &BTreeSet::new())),
            None if self.is_taken_up() => Some(GoalPhrase::Turn),
            None => None,
        }
    }

    /// The trigger with this number, from 0.
    #[must_use]
    pub fn start(&self, number: usize) -> Option<Start> {
        self.parsed.front.triggers.get(number).map(|trigger| words::trigger(&trigger.value))
    }

    /// The standing approvals that it asks for, each in a phrase.
    #[must_use]
    pub fn envelope_phrases(&self) -> Vec<Phrase> {
        self.parsed.front.envelope.iter().map(|request| words::envelope(&request.value)).collect()
    }

    /// The text below the front matter, as written.
    #[must_use]
    pub fn body(&self) -> &str {
        self.parsed.source.body()
    }
}

/// The keys of a file that the station does not act on, each as an error.
pub(crate) fn not_acted_on(parsed: &Parsed) -> Problems {
    let mut faults = Faults::default();
    for key in &parsed.keys {
        if let Some((message, help)) = objection(&key.value, &parsed.front) {
            faults.add(Fault::new(ProblemCode::UnknownKey, key.span, message, help).about(&key.value));
        }
    }
    faults.told(&parsed.source)
}

/// The reason that a key stands in the way of activation, with what to write; none if the station acts on it.
fn objection(key: &str, front: &Front) -> Option<(String, &'static str)> {
    let needs_goals = |trigger: &Trigger| !matches!(trigger, Trigger::Immediate | Trigger::Spawn);
    let has_work = || {
        !front.goals.is_empty() || front.recurs() || !front.triggers.iter().any(|trigger| needs_goals(&trigger.value))
    };
    match key {
        "triggers" if has_work() => None,
        "triggers" => Some((
            "This mission has no goals, so that a trigger that fires once starts nothing.".to_owned(),
            "Add `goals`, or plan a job in `schedule`.",
        )),
        // The station acts on every other key, and one that no mission file has is told already.
        _ => None,
    }
}
