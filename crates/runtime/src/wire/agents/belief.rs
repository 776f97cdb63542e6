//! Beliefs on the wire.

use memory::belief::{Applied, BeliefState, ChangeKind, ConfirmedBy, Evidence, KindName, KindParams};
use robot::Trust;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A belief as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefRow {
    /// `belief-<uuid>`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub id: String,
    /// The subject of the belief.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub subject: String,
    /// The property of the subject.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub predicate: String,
    /// The value that is held to be true.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub value: String,
    /// 0 to 1, as it is now; at most four decimals.
    pub confidence: f64,
    /// A label; who wrote is in `confirmed_by`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub source: Option<String>,
    /// When this value was first held, Unix seconds.
    #[ts(type = "number")]
    pub first_observed: i64,
    /// When it was last confirmed, Unix seconds.
    #[ts(type = "number")]
    pub last_confirmed: i64,
    /// Number of confirmations of this value.
    #[ts(type = "number")]
    pub confirmation_count: u64,
    /// Number of contradictions of the belief, whatever its value.
    #[ts(type = "number")]
    pub contradiction_count: u64,
    /// Words for people.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub notes: Option<String>,
    /// The kind of value, which decides how values are compared.
    pub kind: KindName,
    /// Tolerances or declared words of that kind.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub kind_params: Option<KindParams>,
    /// The time in which confidence halves, seconds.
    #[ts(type = "number")]
    pub half_life_secs: i64,
    /// Until then it neither decays nor is lowered, Unix seconds; null if it is not pinned.
    #[ts(type = "number | null")]
    pub pinned_until: Option<i64>,
    /// The world key that confirms or contradicts it, if it names one.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub observes: Option<String>,
    /// Reliability of the belief: its confidence, or a dispute about it.
    pub state: BeliefState,
    /// Since when it is challenged, Unix seconds.
    #[ts(type = "number | null")]
    pub challenged_at: Option<i64>,
    /// Trust level of its text.
    pub trust: Trust,
    /// The source of the newest confirmation.
    pub confirmed_by: ConfirmedBy,
}

/// The effect of a statement about a belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum BeliefApplied {
    /// A new belief.
    Created,
    /// The held value was confirmed.
    Confirmed,
    /// Another value took the place of the held one.
    Replaced,
    /// The held value stays, less sure.
    Contradicted,
    /// A person decides, because untrusted text may be behind it.
    PendingReview,
}

impl From<Applied> for BeliefApplied {
    fn from(applied: Applied) -> Self {
        match applied {
            Applied::Created => Self::Created,
            Applied::Confirmed => Self::Confirmed,
            Applied::Replaced => Self::Replaced,
            Applied::Contradicted => Self::Contradicted,
        }
    }
}

/// The answer of `update_belief`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefUpdated {
    /// A message, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// The effect of the statement.
    pub applied: BeliefApplied,
    /// The belief after it; null if there is none yet.
    pub belief: Option<BeliefRow>,
    /// The review it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(extend("x-vouched" = true))]
    pub review: Option<String>,
}

/// The answer of `get_belief`: one belief, or those of a subject by predicate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum BeliefFound {
    /// The one about (subject, predicate).
    One(Box<BeliefRow>),
    /// All about the subject.
    Several(Vec<BeliefRow>),
}

/// One row of a belief's history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefHistoryRow {
    /// Unix seconds.
    #[ts(type = "number")]
    pub at: i64,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The value it was about: of a contradiction, the other one.
    pub value: String,
    /// Confidence before; null for a new belief.
    pub confidence_before: Option<f64>,
    /// Confidence after.
    pub confidence_after: Option<f64>,
    /// The author of the change: a name, or a world key.
    pub by: String,
    /// The evidence for the change.
    pub evidence: Option<Evidence>,
}

/// A time in which a belief did not decay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefPin {
    /// Unix seconds.
    #[ts(type = "number")]
    pub from: i64,
    /// Unix seconds; in the future if it still holds.
    #[ts(type = "number")]
    pub until: i64,
}

/// The answer of `belief_history`: the changes, and the numbers that a curve of the confidence needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefHistory {
    /// The belief as it is now.
    pub belief: BeliefRow,
    /// Changes in the time asked for, oldest first.
    pub rows: Vec<BeliefHistoryRow>,
    /// Older rows of that time that were left out.
    #[ts(type = "number")]
    pub left_out: u64,
    /// The time in which confidence halves, seconds.
    #[ts(type = "number")]
    pub half_life_secs: i64,
    /// Times without decay, oldest first.
    pub pins: Vec<BeliefPin>,
    /// Confidence at the beginning of the time asked for; null if there was no belief yet, or no time was named.
    pub confidence_from: Option<f64>,
    /// Confidence now.
    pub confidence_now: f64,
    /// When time alone takes it below 0.5, Unix seconds; null if it was lower to begin with.
    #[ts(type = "number | null")]
    pub below_05_at: Option<i64>,
    /// When time alone takes it below 0.2, Unix seconds; null if it was lower to begin with.
    #[ts(type = "number | null")]
    pub below_02_at: Option<i64>,
}

/// The answer of `forget_belief`. It holds no word of the forgotten belief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BeliefForgotten {
    /// A message, for people.
    pub message: String,
    /// The belief that is gone.
    pub id: String,
    /// `tb-<uuid>`: the tombstone, all that stays of it in the audit.
    pub tombstone: String,
    /// Files of the agent in which its words stand for other reasons, for example because somebody said them.
    pub elsewhere: Vec<String>,
}
