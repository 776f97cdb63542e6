//! Warnings about a provider or alert rule: legal, but odd.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Key, Provider};

/// A warning's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// The value's path is also the key's only placeholder: the entry would repeat its own name.
    ValueRepeatsKey,
    /// Nothing says how sure the source is.
    ConfidenceUnknown,
    /// Another provider can write the same keys.
    KeyShared,
    /// The maximum age is below the usual time between two samples.
    MaxAgeBelowPeriod,
    /// There has been no sample so far.
    NoSampleYet,
    /// The entries hold free text and would taint turns.
    TextValues,
    /// No provider can write the key.
    DanglingKey,
}

/// Something a person should know about a rule that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Warning {
    /// The frozen code.
    pub code: WarningCode,
    /// The key it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<Key>,
    /// One sentence.
    pub message: String,
}

impl Warning {
    /// A warning about no key in particular.
    pub(crate) fn new(code: WarningCode, text: &str) -> Self {
        Self { code, key: None, message: text.to_owned() }
    }
}

impl Provider {
    /// A warning for a person about this provider, given the number of samples and the time between two.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a period is far below 2^53 ms")]
    pub fn warnings_of_samples(&self, samples: usize, period_ms: Option<u64>) -> Option<Warning> {
        if samples == 0 {
            let text = format!("no sample has come on {} so far", self.config().topic_pattern);
            return Some(Warning::new(WarningCode::NoSampleYet, &text));
        }
        let period_s =
            period_ms.map(|ms| ms as f64 / 1_000.0).filter(|period_s| *period_s > self.config().max_age_secs)?;
        let text = format!("samples come every {period_s} s: every entry is stale before the next one");
        Some(Warning::new(WarningCode::MaxAgeBelowPeriod, &text))
    }
}
