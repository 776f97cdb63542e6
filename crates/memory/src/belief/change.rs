//! Effects of a statement or an observation on a belief.

use robot::Trust;
use world::{Key, key_form};

use super::{
    Belief, BeliefEvent, BeliefId, CHALLENGED_BELOW, ChangeKind, ConfirmedBy, Dispute, Evidence, HALF_LIFE_MS_DEFAULT,
    Kind, Seen,
};
use crate::word;

/// The longest subject and predicate, in characters.
const NAME_CHARS_MAX: usize = 128;
/// The longest value, in characters.
const VALUE_CHARS_MAX: usize = 1_024;
/// The longest label of a source, in characters.
const SOURCE_CHARS_MAX: usize = 128;
/// The longest notes, in characters.
const NOTES_CHARS_MAX: usize = 2_000;
/// Confidence that a confirmation without a confidence of its own adds.
const CONFIRMATION: f64 = 0.05;
/// Confidence that a contradiction takes; another value may be this far below the held confidence to replace it.
const CONTRADICTION: f64 = 0.15;
/// Confidences this near are equal: they are decimals, and their differences round.
const CONFIDENCE_ROUNDING: f64 = 1e-9;
/// The highest confidence that untrusted text can give.
const EXTERNAL_MAX: f64 = 0.5;
/// Contradictions in a row by one value that challenge a belief.
const CHALLENGED_FROM: u32 = 3;
/// Untrusted sources a belief remembers; a further one is not heard.
const HEARD_MAX: usize = 8;

/// A refusal of a statement: nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct BeliefError {
    /// The field of the input.
    pub field: &'static str,
    /// The form it should have had.
    pub message: String,
}

/// The name of a belief: one subject has one value for a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeliefName<'a> {
    /// A thing, a place or a person.
    pub subject: &'a str,
    /// The property of it that the value is about.
    pub predicate: &'a str,
}

/// A statement about (subject, predicate).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statement {
    /// The value.
    pub value: String,
    /// 0 to 1. Left out, a value that is held already is confirmed by a fixed step.
    pub confidence: Option<f64>,
    /// A label.
    pub source: Option<String>,
    /// Words for people.
    pub notes: Option<String>,
    /// The kind, by which values are compared; inferred for a new belief, kept for a known one.
    pub kind: Option<Kind>,
    /// The time in which confidence halves; 14 days for a new belief, kept for a known one.
    pub half_life_ms: Option<i64>,
    /// The world key that confirms or contradicts it.
    pub observes: Option<Key>,
}

/// The author of a statement, and the evidence for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Author {
    /// The kind of source.
    pub by: ConfirmedBy,
    /// The name in the history.
    pub name: String,
    /// The evidence in the history.
    pub evidence: Option<Evidence>,
}

/// The outcome of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// A new belief.
    Created,
    /// The held value was confirmed.
    Confirmed,
    /// Another value took the place of the held one.
    Replaced,
    /// The held value stays, less sure.
    Contradicted,
}

/// A belief after something happened to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The belief as it is now.
    pub belief: Belief,
    /// The row of its history; none if an untrusted source only repeated itself.
    pub event: Option<BeliefEvent>,
    /// The outcome.
    pub applied: Applied,
    /// It was not challenged before, and is.
    pub newly_challenged: bool,
}

impl BeliefError {
    pub(super) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

impl Belief {
    /// A first statement about (subject, predicate).
    pub fn create(
        id: BeliefId,
        name: BeliefName<'_>,
        said: &Statement,
        author: &Author,
        now_ms: i64,
    ) -> Result<Change, BeliefError> {
        let BeliefName { subject, predicate } = name;
        check_line("subject", subject, NAME_CHARS_MAX)?;
        check_line("predicate", predicate, NAME_CHARS_MAX)?;
        said.check()?;
        let given = said.confidence.ok_or_else(|| BeliefError::new("confidence", "a new belief needs one"))?;
        let kind = said.kind.clone().unwrap_or_else(|| Kind::infer(&said.value));
        let belief = Self {
            id,
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            value: said.value.clone(),
            trust: trust(author.by, &kind, [subject, predicate], said),
            kind,
            confidence: capped(given, author.by),
            anchor_ms: now_ms,
            half_life_ms: said.half_life_ms.unwrap_or(HALF_LIFE_MS_DEFAULT),
            pinned_until_ms: None,
            source: said.source.clone(),
            confirmed_by: author.by,
            observes: said.observes.clone(),
            first_observed_ms: now_ms,
            last_confirmed_ms: now_ms,
            confirmation_count: 1,
            contradiction_count: 0,
            dispute: heard_first(said, author),
            notes: said.notes.clone(),
        };
        Ok(belief.changed(ChangeKind::Created, None, author, now_ms))
    }

    /// A further statement about it: confirms, replaces or contradicts.
    pub fn tell(&self, said: &Statement, author: &Author, now_ms: i64) -> Result<Change, BeliefError> {
        said.check()?;
        if self.kind.same(&self.value, &said.value) {
            return Ok(self.told_again(said, author, now_ms));
        }
        let given = said.confidence.ok_or_else(|| BeliefError::new("confidence", "another value needs one"))?;
        let held = self.vouched_by(author.by);
        let kind = held.kind_for(said)?;
        // A source that repeats itself must not wear the belief down call by call.
        if self.has_heard(said, author) {
            return Ok(self.unmoved(Applied::Contradicted));
        }
        let given = capped(given, author.by);
        let is_sure = given + CONFIDENCE_ROUNDING >= self.confidence_at(now_ms) - CONTRADICTION;
        let replaces = match (author.by, self.confirmed_by) {
            // A person overrules every source, however unsure the statement.
            (ConfirmedBy::Person, _) => true,
            // Untrusted text may weaken what a person or a sensor has said, and never replace it.
            (ConfirmedBy::External, ConfirmedBy::Person | ConfirmedBy::Sensor) => false,
            (ConfirmedBy::Sensor | ConfirmedBy::Agent | ConfirmedBy::Machine | ConfirmedBy::External, _) => is_sure,
        };
        if !replaces {
            let mut lowered = self.lowered(&said.value, author, now_ms);
            lowered.belief.hear(said, author);
            return Ok(lowered);
        }
        Ok(held.replaced(kind, given, said, author, now_ms))
    }

    /// A person or a value of the world state says that it is so.
    #[must_use]
    pub fn confirm(&self, author: &Author, now_ms: i64) -> Change {
        let before = self.confidence_at(now_ms);
        let raised = (before + CONFIRMATION).min(1.0);
        self.raised(self.limited(before, raised, author), author, now_ms)
    }

    /// A value of the world state says that it is not so. The held value stays.
    #[must_use]
    pub fn contradict(&self, other: &str, author: &Author, now_ms: i64) -> Change {
        self.lowered(other, author, now_ms)
    }

    /// A person keeps it as sure as it is until `until_ms`, or lets it decay again.
    #[must_use]
    pub fn pin(&self, until_ms: Option<i64>, author: &Author, now_ms: i64) -> Change {
        let before = self.confidence_at(now_ms);
        let belief = Self { confidence: before, anchor_ms: now_ms, pinned_until_ms: until_ms, ..self.clone() };
        let kind = if until_ms.is_some() { ChangeKind::Pinned } else { ChangeKind::Unpinned };
        belief.changed(kind, Some(before), author, now_ms)
    }

    fn told_again(&self, said: &Statement, author: &Author, now_ms: i64) -> Change {
        if self.has_heard(said, author) {
            return self.unmoved(Applied::Confirmed);
        }
        let before = self.confidence_at(now_ms);
        let after = said.confidence.unwrap_or_else(|| (before + CONFIRMATION).min(1.0));
        let mut told = if author.by == ConfirmedBy::Person { self.vouched_by(author.by) } else { self.clone() };
        if self.may_be_reworded_by(author.by) {
            told.notes = said.notes.clone().or(told.notes);
            told.source = said.source.clone().or(told.source);
            told.half_life_ms = said.half_life_ms.unwrap_or(told.half_life_ms);
            told.observes = said.observes.clone().or(told.observes);
            told.kind = said.kind.clone().unwrap_or(told.kind);
            // The less trusted of both: the value is what it was, the words beside it may be new.
            told.trust = told.trust.max(trust(author.by, &told.kind, [&self.subject, &self.predicate], said));
        }
        told.hear(said, author);
        let mut change = told.raised(self.limited(before, after, author), author, now_ms);
        // `told` may have another half-life by now; the history needs the confidence under the old one.
        if let Some(event) = &mut change.event {
            event.confidence_before = Some(before);
        }
        change
    }

    /// True if `by` may change what stands beside the value: nobody changes what somebody more trusted has said.
    fn may_be_reworded_by(&self, by: ConfirmedBy) -> bool {
        match by {
            ConfirmedBy::Person | ConfirmedBy::Agent => true,
            ConfirmedBy::Machine | ConfirmedBy::Sensor => self.trust != Trust::Trusted,
            ConfirmedBy::External => self.trust == Trust::Text && self.confirmed_by == ConfirmedBy::External,
        }
    }

    /// The belief without the words that `by` would vouch for and has not said: nobody may have read them.
    fn vouched_by(&self, by: ConfirmedBy) -> Self {
        let is_vouched = match by {
            ConfirmedBy::Person | ConfirmedBy::Agent => self.trust == Trust::Trusted,
            ConfirmedBy::Machine | ConfirmedBy::Sensor | ConfirmedBy::External => true,
        };
        if is_vouched {
            return self.clone();
        }
        let kind = match &self.kind {
            Kind::Enum(_) => Kind::infer(&self.value),
            kind @ (Kind::Boolean | Kind::Number { .. } | Kind::Set | Kind::Text) => kind.clone(),
        };
        Self { kind, notes: None, source: None, ..self.clone() }
    }

    /// Untrusted text lowers nothing by confirming, and raises nothing beyond its cap.
    fn limited(&self, before: f64, after: f64, author: &Author) -> f64 {
        match author.by {
            ConfirmedBy::External => before.max(after.min(EXTERNAL_MAX)),
            ConfirmedBy::Person | ConfirmedBy::Sensor | ConfirmedBy::Agent | ConfirmedBy::Machine => after,
        }
    }

    fn raised(&self, confidence: f64, author: &Author, now_ms: i64) -> Change {
        let before = self.confidence_at(now_ms);
        // A person who repeats the value vouches for it; untrusted text does not replace the author before it.
        let trust = if author.by == ConfirmedBy::Person { Trust::Trusted } else { self.trust };
        let keeps_author = author.by == ConfirmedBy::External
            && matches!(self.confirmed_by, ConfirmedBy::Person | ConfirmedBy::Sensor);
        let confirmed_by = if keeps_author { self.confirmed_by } else { author.by };
        let belief = Self {
            confidence,
            anchor_ms: now_ms,
            last_confirmed_ms: now_ms,
            confirmation_count: self.confirmation_count.saturating_add(1),
            trust,
            confirmed_by,
            // A confirmation settles the dispute; the untrusted sources stay heard, because the value is the same.
            dispute: Dispute { heard: self.dispute.heard.clone(), ..Dispute::default() },
            ..self.clone()
        };
        belief.changed(ChangeKind::Confirmed, Some(before), author, now_ms)
    }

    fn lowered(&self, other: &str, author: &Author, now_ms: i64) -> Change {
        let before = self.confidence_at(now_ms);
        // A pin holds the confidence. The contradiction still counts, so that a wrong pinned belief is challenged.
        let after = if self.is_pinned(now_ms) { before } else { (before - CONTRADICTION).max(0.0) };
        let repeats =
            self.dispute.value.as_deref().is_some_and(|known| self.kind.compare(known, other) == Seen::Confirms);
        let count = if repeats { self.dispute.count.saturating_add(1) } else { 1 };
        let challenges = count >= CHALLENGED_FROM || after < CHALLENGED_BELOW;
        let belief = Self {
            confidence: after,
            anchor_ms: now_ms,
            contradiction_count: self.contradiction_count.saturating_add(1),
            dispute: Dispute {
                value: Some(other.to_owned()),
                count,
                // Later contradictions do not make an open challenge younger.
                since_ms: self.dispute.since_ms.or(challenges.then_some(now_ms)),
                heard: self.dispute.heard.clone(),
            },
            ..self.clone()
        };
        let newly_challenged = self.dispute.since_ms.is_none() && challenges;
        let mut change = belief.changed(ChangeKind::Contradicted, Some(before), author, now_ms);
        if let Some(event) = &mut change.event {
            other.clone_into(&mut event.value);
        }
        Change { newly_challenged, ..change }
    }

    fn replaced(&self, kind: Kind, confidence: f64, said: &Statement, author: &Author, now_ms: i64) -> Change {
        let before = self.confidence_at(now_ms);
        let trust = trust(author.by, &kind, [&self.subject, &self.predicate], said);
        // Words of somebody less trusted do not go on beside the new value.
        let kept_notes = self.notes.clone().filter(|_| self.trust <= trust);
        let belief = Self {
            value: said.value.clone(),
            trust,
            kind,
            confidence,
            anchor_ms: now_ms,
            half_life_ms: said.half_life_ms.unwrap_or(self.half_life_ms),
            // A pin was given to the value that is gone.
            pinned_until_ms: None,
            source: said.source.clone(),
            confirmed_by: author.by,
            observes: said.observes.clone().or_else(|| self.observes.clone()),
            first_observed_ms: now_ms,
            last_confirmed_ms: now_ms,
            confirmation_count: 1,
            contradiction_count: self.contradiction_count.saturating_add(1),
            dispute: heard_first(said, author),
            notes: said.notes.clone().or(kept_notes),
            ..self.clone()
        };
        let kind = if author.by == ConfirmedBy::Person { ChangeKind::Corrected } else { ChangeKind::Replaced };
        belief.changed(kind, Some(before), author, now_ms)
    }

    /// The kind another value would have: the named one, the held one if it can hold it, else what it looks like.
    fn kind_for(&self, said: &Statement) -> Result<Kind, BeliefError> {
        match (&said.kind, &self.kind) {
            (Some(kind), _) => Ok(kind.clone()),
            (None, kind) if kind.holds(&said.value) => Ok(kind.clone()),
            // The words were declared to keep others out; inferring a kind would let them in.
            (None, Kind::Enum(_)) => Err(BeliefError::new("value", "it is none of the words this belief declares")),
            (None, Kind::Boolean | Kind::Number { .. } | Kind::Set | Kind::Text) => Ok(Kind::infer(&said.value)),
        }
    }

    fn has_heard(&self, said: &Statement, author: &Author) -> bool {
        let heard = &self.dispute.heard;
        author.by == ConfirmedBy::External && (heard.len() >= HEARD_MAX || heard.contains(&said.source))
    }

    fn hear(&mut self, said: &Statement, author: &Author) {
        if author.by == ConfirmedBy::External {
            self.dispute.heard.push(said.source.clone());
        }
    }

    fn unmoved(&self, applied: Applied) -> Change {
        Change { belief: self.clone(), event: None, applied, newly_challenged: false }
    }

    fn changed(self, kind: ChangeKind, before: Option<f64>, author: &Author, now_ms: i64) -> Change {
        let applied = match kind {
            ChangeKind::Created => Applied::Created,
            ChangeKind::Replaced | ChangeKind::Corrected => Applied::Replaced,
            ChangeKind::Contradicted => Applied::Contradicted,
            ChangeKind::Confirmed | ChangeKind::Pinned | ChangeKind::Unpinned | ChangeKind::Forgotten => {
                Applied::Confirmed
            }
        };
        let event = BeliefEvent {
            belief: self.id.clone(),
            at_ms: now_ms,
            kind,
            value: self.value.clone(),
            confidence_before: before,
            confidence_after: Some(self.confidence_at(now_ms)),
            by: author.name.clone(),
            evidence: author.evidence.clone(),
        };
        Change { belief: self, event: Some(event), applied, newly_challenged: false }
    }
}

impl Statement {
    fn check(&self) -> Result<(), BeliefError> {
        check_line("value", &self.value, VALUE_CHARS_MAX)?;
        // NaN lies in no range, so it is refused here as well.
        if let Some(confidence) = self.confidence
            && !(0.0..=1.0).contains(&confidence)
        {
            return Err(BeliefError::new("confidence", "a number from 0 to 1"));
        }
        if let Some(source) = &self.source {
            check_line("source", source, SOURCE_CHARS_MAX)?;
        }
        if let Some(notes) = &self.notes {
            check_text("notes", notes, NOTES_CHARS_MAX, |c| c.is_control() && c != '\n')?;
        }
        match &self.kind {
            Some(kind) if !kind.holds(&self.value) => {
                Err(BeliefError::new("value", format!("it is no value of the kind {}", word(&kind.name()))))
            }
            Some(_) | None => Ok(()),
        }
    }
}

fn check_line(field: &'static str, text: &str, chars_max: usize) -> Result<(), BeliefError> {
    if text.trim().is_empty() {
        return Err(BeliefError::new(field, "it is empty"));
    }
    check_text(field, text, chars_max, char::is_control)
}

fn check_text(
    field: &'static str,
    text: &str,
    chars_max: usize,
    is_refused: impl Fn(char) -> bool,
) -> Result<(), BeliefError> {
    let chars = text.chars().count();
    if chars > chars_max {
        return Err(BeliefError::new(field, format!("{chars} characters, at most {chars_max}")));
    }
    if text.chars().any(is_refused) {
        return Err(BeliefError::new(field, "it holds a control character"));
    }
    Ok(())
}

fn capped(confidence: f64, by: ConfirmedBy) -> f64 {
    match by {
        ConfirmedBy::External => confidence.min(EXTERNAL_MAX),
        ConfirmedBy::Person | ConfirmedBy::Sensor | ConfirmedBy::Agent | ConfirmedBy::Machine => confidence,
    }
}

/// Trust level of what is `said` of a value of that kind. Words of a program are untrusted, also beside a number; its
/// numbers are numbers.
fn trust(by: ConfirmedBy, kind: &Kind, names: [&str; 2], said: &Statement) -> Trust {
    match by {
        ConfirmedBy::Person | ConfirmedBy::Agent => Trust::Trusted,
        ConfirmedBy::External => Trust::Text,
        ConfirmedBy::Machine | ConfirmedBy::Sensor => {
            let is_closed = matches!(kind, Kind::Boolean | Kind::Number { .. });
            // Names are printed beside the value: free text in them would be believed along with a number.
            let is_plain = |name: &str| key_form(name).as_deref() == Some(name);
            let is_named_plainly = names.into_iter().chain(said.source.as_deref()).all(is_plain);
            if is_closed && is_named_plainly && said.notes.is_none() { Trust::Typed } else { Trust::Text }
        }
    }
}

fn heard_first(said: &Statement, author: &Author) -> Dispute {
    let heard = if author.by == ConfirmedBy::External { vec![said.source.clone()] } else { Vec::new() };
    Dispute { heard, ..Dispute::default() }
}
