//! Terms that make a rule an alarm: its cause, its consequence and the response to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::predicate::{PredicateError, Rule};

/// Characters of a sentence that says something.
const SENTENCE_CHARS: std::ops::RangeInclusive<usize> = 10..=500;
/// Time to respond, seconds: at most a week, beyond which it is no alarm.
const TIME_TO_RESPOND_SECS: std::ops::RangeInclusive<f64> = 1.0..=604_800.0;
/// The longest off-delay, seconds.
const OFF_DELAY_SECS_MAX: f64 = 3_600.0;
/// A response that has to come faster than this raises the priority by one step, seconds.
const URGENT_SECS: f64 = 60.0;

/// The consequence if nobody responds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// Somebody may be hurt.
    Harm,
    /// Something may break.
    Damage,
    /// A mission is not done.
    Mission,
    /// Nothing worse.
    None,
}

/// 1 is the most urgent, 4 the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "1 | 2 | 3 | 4")]
pub struct Priority(u8);

impl Priority {
    /// The most urgent.
    pub const FIRST: Self = Self(1);
    /// The one after it.
    pub const SECOND: Self = Self(2);
    /// All, the most urgent first.
    pub const ALL: [Self; 4] = [Self(1), Self(2), Self(3), Self(4)];

    /// By consequence, one step higher if the response has to come within a minute.
    #[must_use]
    pub fn of(consequence: Consequence, time_to_respond_secs: f64) -> Self {
        let by_consequence = match consequence {
            Consequence::Harm => 1,
            Consequence::Damage => 2,
            Consequence::Mission => 3,
            Consequence::None => 4,
        };
        let urgent = u8::from(time_to_respond_secs < URGENT_SECS);
        Self((by_consequence - urgent).max(1))
    }

    /// 1 to 4.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The `alarm` of a rule as it is given. What is left out makes it incomplete, and the refusal names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AlarmConfig {
    /// The cause: a sentence of 10 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cause: Option<String>,
    /// The consequence if nobody responds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub consequence: Option<Consequence>,
    /// The operator's response: a sentence of 10 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub response: Option<String>,
    /// Time to respond, seconds, 1 to 604,800.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time_to_respond_secs: Option<f64>,
    /// True if a person has to reset it after its condition is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub latching: bool,
    /// Time for which the condition is false before the alarm returns, seconds, 0 to 3,600.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(as = "Option<f64>", optional)]
    pub off_delay_secs: f64,
    /// A predicate; while it is true the alarm leaves the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub suppress_when: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(secs: &f64) -> bool {
    *secs == 0.0
}

/// Complete and checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlarmTerms {
    /// The cause: a sentence.
    pub cause: String,
    /// The consequence if nobody responds.
    pub consequence: Consequence,
    /// The operator's response: a sentence.
    pub response: String,
    /// Time to respond, seconds.
    pub time_to_respond_secs: f64,
    /// True if a person has to reset it.
    pub latching: bool,
    /// Time for which the condition is false before the alarm returns, seconds.
    pub off_delay_secs: f64,
}

/// The reason that an `alarm` is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// Fields are missing.
    #[error("an alarm needs {}", missing.join(", "))]
    Incomplete {
        /// Names of the missing fields.
        missing: Vec<&'static str>,
    },
    /// A field is outside its range.
    #[error("{field} is {min} to {max}")]
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// The least number, or number of characters.
        min: u32,
        /// The most.
        max: u32,
    },
    /// `suppress_when` is no predicate.
    #[error("suppress_when: {0}")]
    BadPredicate(PredicateError),
}

impl AlarmTerms {
    /// Checks what was given; also the predicate that suppresses it, if there is one.
    pub(crate) fn check(config: &AlarmConfig) -> Result<(Self, Option<Rule>), TermsError> {
        let AlarmConfig { cause, consequence, response, time_to_respond_secs, latching, off_delay_secs, suppress_when } =
            config;
        let (Some(cause), Some(consequence), Some(response), Some(time_to_respond_secs)) =
            (cause, consequence, response, time_to_respond_secs)
        else {
            return Err(TermsError::Incomplete { missing: config.missing() });
        };
        let out_of_range = |field, min, max| Err(TermsError::OutOfRange { field, min, max });
        let is_sentence = |text: &str| SENTENCE_CHARS.contains(&text.trim().chars().count());
        if !is_sentence(cause) {
            return out_of_range("alarm.cause", 10, 500);
        }
        if !is_sentence(response) {
            return out_of_range("alarm.response", 10, 500);
        }
        if !TIME_TO_RESPOND_SECS.contains(time_to_respond_secs) {
            return out_of_range("alarm.time_to_respond_secs", 1, 604_800);
        }
        if !(0.0..=OFF_DELAY_SECS_MAX).contains(off_delay_secs) {
            return out_of_range("alarm.off_delay_secs", 0, 3_600);
        }
        let suppress = suppress_when.as_deref().map(Rule::parse).transpose().map_err(TermsError::BadPredicate)?;
        let terms = Self {
            cause: cause.clone(),
            consequence: *consequence,
            response: response.clone(),
            time_to_respond_secs: *time_to_respond_secs,
            latching: *latching,
            off_delay_secs: *off_delay_secs,
        };
        Ok((terms, suppress))
    }

    /// Priority that follows from consequence and time to respond.
    #[must_use]
    pub fn priority(&self) -> Priority {
        Priority::of(self.consequence, self.time_to_respond_secs)
    }
}

impl AlarmConfig {
    fn missing(&self) -> Vec<&'static str> {
        let fields = [
            (self.cause.is_none(), "cause"),
            (self.consequence.is_none(), "consequence"),
            (self.response.is_none(), "response"),
            (self.time_to_respond_secs.is_none(), "time_to_respond_secs"),
        ];
        fields.into_iter().filter(|(missing, _)| *missing).map(|(_, field)| field).collect()
    }
}
