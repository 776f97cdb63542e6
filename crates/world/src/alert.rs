//! Alert rules: a predicate, and what happens when it becomes true. Edges fire, levels do not.

mod history;
mod index;
mod queue;
mod rule;

use std::sync::Arc;

use robot::refusal::Code;
use robot::{MissionId, Now, Scalar, SharedCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::alarm::{AlarmConfig, AlarmTerms, TermsError};
use crate::{Key, PredicateError, ProviderId, Warning, WorldCode};

pub use history::{RuleHistory, RuleRecord};
pub(crate) use index::{Alerts, Surroundings};
pub use queue::{RuleNews, RuleQueue};

/// An alert rule's id, `al-<uuid>`, made by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct AlertId(pub String);

/// An alert rule: the condition to watch for, and its effects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AlertRule {
    /// The mission whose life it shares; left out, it is always on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mission_id: Option<MissionId>,
    /// Predicate over world keys, for example `person.location = 'loading_dock'`.
    pub predicate: String,
    /// Least time between two fires, seconds, 1 to 86,400.
    #[serde(default = "debounce_secs_default")]
    #[ts(as = "Option<f64>", optional)]
    pub debounce_secs: f64,
    /// Arousal that a fire adds to the agent, 0 to 100.
    #[serde(default = "arousal_boost_default")]
    #[ts(as = "Option<f64>", optional)]
    pub arousal_boost: f64,
    /// Meaning of the rule, at most 1,024 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub description: Option<String>,
    /// Makes it an alarm; without it, it makes events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub alarm: Option<AlarmConfig>,
}

const fn debounce_secs_default() -> f64 {
    60.0
}

const fn arousal_boost_default() -> f64 {
    // Above the threshold of waking, so that one alert without settings of its own is enough.
    2.0
}

/// The reason that a rule was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlertError {
    /// The text is no predicate.
    #[error("predicate: {0}")]
    BadPredicate(PredicateError),
    /// A number or text is outside its range.
    #[error("{field} is {min} to {max}")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The least number, or number of characters.
        min: u32,
        /// The most.
        max: u32,
    },
    /// The mission already has this rule.
    #[error("the rule exists already as {}", id.0)]
    Duplicate {
        /// The existing one.
        id: AlertId,
    },
    /// There is no such rule.
    #[error("there is no alert rule {}", id.0)]
    NotFound {
        /// The id.
        id: AlertId,
    },
    /// The terms of its alarm are incomplete, or out of range.
    #[error("{0}")]
    BadAlarm(TermsError),
    /// There are as many rules as there may be.
    #[error("at most {limit} rules")]
    LimitReached {
        /// The limit.
        limit: usize,
    },
}

impl AlertError {
    /// The stable code of the wire.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::BadPredicate(_) | Self::BadAlarm(TermsError::BadPredicate(_)) => WorldCode::BadPredicate.into(),
            Self::OutOfRange { .. } | Self::BadAlarm(TermsError::OutOfRange { .. }) => SharedCode::OutOfRange.into(),
            Self::Duplicate { .. } => WorldCode::DuplicateAlert.into(),
            Self::NotFound { .. } => WorldCode::AlertNotFound.into(),
            Self::BadAlarm(TermsError::Incomplete { .. }) => WorldCode::IncompleteAlarm.into(),
            Self::LimitReached { .. } => SharedCode::LimitReached.into(),
        }
    }
}

/// The answer to a rule that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The predicate as it was understood.
    pub predicate: String,
    /// Keys that nothing can write, for now.
    pub warnings: Vec<Warning>,
}

/// Condition of a rule's predicate, as far as the data shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleCondition {
    /// True.
    True,
    /// False, on fresh data.
    False,
    /// The data does not say.
    Unknown,
    /// The data does not say, and a key it needs is lost.
    Lost,
}

/// The predicate of a rule, or what suppresses its alarm, says something else than before.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleMove {
    /// The rule.
    pub alert: AlertId,
    /// Its mission.
    pub mission: Option<MissionId>,
    /// Its predicate in printed form.
    pub predicate: Arc<str>,
    /// Meaning of the rule.
    pub description: Option<String>,
    /// The present condition.
    pub condition: RuleCondition,
    /// Number of times it became true: 1 for an edge, more if moves were merged.
    pub edges: u64,
    /// True if the alarm's `suppress_when` is true.
    pub suppressed: bool,
    /// Terms of its alarm; `None` if it makes none.
    pub alarm: Option<Arc<AlarmTerms>>,
    /// On an edge: the values of its keys.
    pub values: Vec<AlertValue>,
    /// When.
    pub at: Now,
}

impl RuleMove {
    /// Human-readable event, with the values of that moment.
    #[must_use]
    pub fn message(&self) -> String {
        sentence(self.description.as_deref(), &self.predicate, &self.values)
    }
}

fn sentence(description: Option<&str>, predicate: &str, values: &[AlertValue]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{} = {}", value.key, value.value)).collect();
    format!("{} ({})", description.unwrap_or(predicate), values.join(", "))
}

/// A rule became true, and its debounce let it through.
#[derive(Debug, Clone, PartialEq)]
pub struct Fire {
    /// The rule.
    pub alert: AlertId,
    /// Its mission.
    pub mission: Option<MissionId>,
    /// Its predicate in printed form.
    pub predicate: String,
    /// Meaning of the rule.
    pub description: Option<String>,
    /// Arousal that it adds to the agent; rules that fire on one write add up. 0 if the rule woke the agent too often.
    pub arousal_boost: f64,
    /// The rule has used up the turns it may start.
    pub woke_too_often: bool,
    /// The rule makes an alarm, so that its fire is no event of its own.
    pub is_alarm: bool,
    /// Fires it stands for: 1, or more if they were merged.
    pub merged: u64,
    /// Values of its keys at that moment, at most 16.
    pub values: Vec<AlertValue>,
    /// When.
    pub at: Now,
}

impl Fire {
    /// Human-readable event, with the values of that moment.
    #[must_use]
    pub fn sentence(&self) -> String {
        sentence(self.description.as_deref(), &self.predicate, &self.values)
    }
}

/// Value of one key of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlertValue {
    /// The key.
    pub key: Key,
    /// Its value.
    pub value: Scalar,
    /// Its confidence, null if unknown.
    pub confidence: Option<f64>,
    /// Time since it was observed, milliseconds.
    #[ts(type = "number")]
    pub age_ms: u64,
    /// The key expression of its sample.
    pub source: String,
    /// When that sample arrived, Unix milliseconds.
    #[serde(default)]
    #[ts(type = "number")]
    pub received_ms: i64,
    /// Its number on its subscription: with key expression and arrival it names the sample. Absent if an earlier run
    /// received it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub n: Option<u64>,
    /// The provider that made it.
    #[ts(type = "string")]
    #[schemars(with = "String")]
    pub provider: ProviderId,
}

/// State of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AlertState {
    /// Not true. The next truth is an edge.
    #[default]
    Clear,
    /// True.
    Active,
    /// It was true, and the data does not say any more.
    Held,
}

/// A rule as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlertRow {
    /// The rule's id.
    pub id: AlertId,
    /// Its mission.
    pub mission_id: Option<MissionId>,
    /// Its predicate in printed form.
    pub predicate: String,
    /// Meaning of the rule.
    pub description: Option<String>,
    /// Least time between two fires, seconds.
    pub debounce_secs: f64,
    /// Arousal that a fire adds to the agent.
    pub arousal_boost: f64,
    /// Its state.
    pub state: AlertState,
    /// Since when it stands there, Unix seconds.
    #[ts(type = "number")]
    pub since: i64,
    /// When it last fired, Unix seconds.
    #[ts(type = "number | null")]
    pub last_fired_at: Option<i64>,
    /// Number of fires.
    #[ts(type = "number")]
    pub fires: u64,
    /// Number of edges that the debounce kept back.
    #[ts(type = "number")]
    pub suppressed: u64,
    /// Number of evaluations.
    #[ts(type = "number")]
    pub evaluations: u64,
    /// Turns it may still start in this hour and this day, whichever is fewer.
    pub quota_left: usize,
    /// True while it has none left: its fires wake nobody.
    pub woke_too_often: bool,
    /// True while its mission does not run, so that nothing follows its keys.
    pub paused: bool,
    /// Configuration of its alarm; `None` if it makes none.
    pub alarm: Option<AlarmConfig>,
    /// 1 for a new rule; rises with every update.
    #[ts(type = "number")]
    pub version: u64,
    /// Keys that no provider can write.
    pub dangling_keys: Vec<Key>,
    /// Present values of its keys.
    pub values_now: Vec<AlertValue>,
}

#[cfg(test)]
mod tests;
