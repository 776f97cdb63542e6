//! Tier 3: what an agent holds to be true for longer, and how sure it is. Confidence halves with time and is computed
//! whenever it is read; nothing rewrites a belief because time has passed.
//!
//! Everything here is arithmetic: time, writer and evidence come in as arguments.

mod book;
mod change;
mod event;
mod kind;
mod recall;

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use robot::Trust;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use world::Key;

pub use book::{BELIEFS_MAX, Book};
pub use change::{Applied, Author, BeliefError, BeliefName, Change, Statement};
pub use event::{BeliefEvent, ChangeKind, Evidence};
pub use kind::{Kind, KindName, KindParams, Seen};
pub use recall::{Recalled, recall};

/// From this confidence on a belief is held.
pub const HELD_FROM: f64 = 0.5;
/// A confidence this little above an edge reads the same as the edge: screens show two decimals.
const EDGE_WIDTH: f64 = 0.005;
/// From this confidence on a belief is weak; below, it has faded.
pub const WEAK_FROM: f64 = 0.05;
/// A contradiction that leaves less than this challenges a belief.
pub const CHALLENGED_BELOW: f64 = 0.2;
/// Confidence halves in two weeks unless the belief says otherwise.
pub const HALF_LIFE_MS_DEFAULT: i64 = 14 * 86_400_000;

/// `belief-<uuid>`. Copying it allocates nothing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BeliefId(Arc<str>);

/// The kind of source of the newest confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedBy {
    /// A person at a desk.
    Person,
    /// A value of the world state.
    Sensor,
    /// The agent itself.
    Agent,
    /// A program.
    Machine,
    /// Untrusted text.
    External,
}

/// Reliability of a belief at a moment, from its confidence and its contradictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum BeliefState {
    /// Confidence of at least 0.5.
    Held,
    /// Confidence of at least 0.05.
    Weak,
    /// Less; left out of prompts and of lists that do not ask for it.
    Faded,
    /// Contradicted three times in a row by one value, or down below 0.2, and not settled since.
    Challenged,
}

/// Contradictions of a belief, and the untrusted sources that have spoken about its value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Dispute {
    /// The value that contradicted it last.
    pub value: Option<String>,
    /// Contradictions in a row by that value.
    pub count: u32,
    /// Since when it counts as challenged, Unix milliseconds.
    pub since_ms: Option<i64>,
    /// Untrusted sources that were heard: one that repeats itself says nothing new.
    pub heard: Vec<Option<String>>,
}

/// (subject, predicate) → value, with everything that says how far to rely on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// Its name for ever.
    pub id: BeliefId,
    /// The thing it is about.
    pub subject: String,
    /// The property of that thing.
    pub predicate: String,
    /// The value held to be true.
    pub value: String,
    /// The kind of the value, by which it is compared with others.
    pub kind: Kind,
    /// 0 to 1, at `anchor_ms`.
    pub confidence: f64,
    /// The moment `confidence` is from, Unix milliseconds.
    pub anchor_ms: i64,
    /// The time in which confidence halves.
    pub half_life_ms: i64,
    /// Until then confidence neither decays nor is lowered, Unix milliseconds.
    pub pinned_until_ms: Option<i64>,
    /// A label; who wrote is in `confirmed_by`.
    pub source: Option<String>,
    /// Trust level of its text.
    pub trust: Trust,
    /// The kind of source of the newest confirmation.
    pub confirmed_by: ConfirmedBy,
    /// The world key that confirms or contradicts it; without one, that of its own names.
    pub observes: Option<Key>,
    /// When this value was first held, Unix milliseconds.
    pub first_observed_ms: i64,
    /// When it was last confirmed, Unix milliseconds.
    pub last_confirmed_ms: i64,
    /// Confirmations of this value.
    pub confirmation_count: u64,
    /// Contradictions of the belief, whatever its value.
    pub contradiction_count: u64,
    /// Contradictions in force, and untrusted sources heard.
    pub dispute: Dispute,
    /// A person's or the agent's own words.
    pub notes: Option<String>,
}

impl Belief {
    /// The effective confidence at `at_ms`: `c × 2^(−t / half-life)`, t counted from the newest confirmation,
    /// contradiction or pin, or from the end of the pin.
    #[must_use]
    pub fn confidence_at(&self, at_ms: i64) -> f64 {
        // Clamped at 0: with a clock that was set back, the power would raise the confidence above
        // what was stated.
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of centuries are exact in f64")]
        let halves = at_ms.saturating_sub(self.decays_from_ms()).max(0) as f64 / self.half_life_ms as f64;
        self.confidence * (-halves).exp2()
    }

    /// True while a person's pin holds.
    #[must_use]
    pub fn is_pinned(&self, at_ms: i64) -> bool {
        self.pinned_until_ms.is_some_and(|until_ms| at_ms < until_ms)
    }

    /// Its reliability at `at_ms`.
    #[must_use]
    pub fn state_at(&self, at_ms: i64) -> BeliefState {
        let confidence = self.confidence_at(at_ms);
        if self.dispute.since_ms.is_some() {
            BeliefState::Challenged
        } else if confidence >= HELD_FROM {
            BeliefState::Held
        } else if confidence >= WEAK_FROM {
            BeliefState::Weak
        } else {
            BeliefState::Faded
        }
    }

    /// The first millisecond at which its confidence is below `threshold`, if time alone takes it there.
    #[must_use]
    pub fn falls_below_ms(&self, threshold: f64) -> Option<i64> {
        // Negated as a whole, so that a NaN has no crossing either.
        if !(self.confidence >= threshold && threshold > 0.0) {
            return None;
        }
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "at most ten half-lives")]
        let after_ms = ((self.confidence / threshold).log2() * self.half_life_ms as f64).floor() as i64;
        // The logarithm may be a rounding error away from where the power crosses.
        let about_ms = self.decays_from_ms().saturating_add(after_ms);
        (about_ms.saturating_sub(1)..=about_ms.saturating_add(2)).find(|at_ms| self.confidence_at(*at_ms) < threshold)
    }

    /// The next moment after `at_ms` at which time alone changes its state.
    #[must_use]
    pub fn next_crossing_ms(&self, at_ms: i64) -> Option<i64> {
        // Time neither challenges a belief nor settles a challenge (decision 0029).
        if self.dispute.since_ms.is_some() {
            return None;
        }
        // The higher edge is crossed first, so the first one that lies ahead is the next.
        [HELD_FROM, WEAK_FROM].into_iter().filter_map(|edge| self.falls_below_ms(edge)).find(|due_ms| *due_ms > at_ms)
    }

    /// True if falling below the edge of `state` is news: a belief that somebody set onto the edge was never above it.
    #[must_use]
    pub fn has_fallen_to(&self, state: BeliefState) -> bool {
        let edge = match state {
            BeliefState::Weak => HELD_FROM,
            BeliefState::Faded => WEAK_FROM,
            BeliefState::Held | BeliefState::Challenged => return false,
        };
        self.confidence - edge >= EDGE_WIDTH
    }

    fn decays_from_ms(&self) -> i64 {
        self.pinned_until_ms.map_or(self.anchor_ms, |until_ms| until_ms.max(self.anchor_ms))
    }
}

impl BeliefId {
    /// Takes an id as it is; whether such a belief exists is another question.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for BeliefId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BeliefId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BeliefId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A confidence as it is shown: at most four decimals.
#[must_use]
pub fn shown_confidence(confidence: f64) -> f64 {
    (confidence * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests;
