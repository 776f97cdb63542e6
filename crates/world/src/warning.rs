//! Warnings about a provider or alert rule: legal, but odd.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::claims::is_typed;
use crate::{Key, Provider, World};

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

impl Provider {
    /// Warnings for a person about this provider, given what `world` holds already.
    #[must_use]
    pub fn warnings(&self, world: &World) -> Vec<Warning> {
        let writes_text = world.entries().any(|entry| entry.provider == *self.id() && !is_typed(entry));
        let found = [
            (self.value_repeats_key(), WarningCode::ValueRepeatsKey, "each entry only repeats its own name"),
            (self.confidence_is_unknown(), WarningCode::ConfidenceUnknown, "no field says how sure the source is"),
            (
                writes_text || !self.keys_are_closed(),
                WarningCode::TextValues,
                "entries hold free text, which taints turns; declare the possible texts in `closed_sets`",
            ),
        ];
        let shared = world.providers().find(|other| other.id() != self.id() && other.shares_keys(self));
        let shared = shared.map(|other| format!("{} can write the same keys", other.id().0));
        let warnings = found.into_iter().filter(|(is_so, _, _)| *is_so).map(|(_, code, text)| warning(code, text));
        warnings.chain(shared.map(|text| warning(WarningCode::KeyShared, &text))).collect()
    }

    /// A warning for a person about this provider, given the number of samples and the time between two.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a period is far below 2^53 ms")]
    pub fn warnings_of_samples(&self, samples: usize, period_ms: Option<u64>) -> Option<Warning> {
        if samples == 0 {
            let text = format!("no sample has come on {} so far", self.config().topic_pattern);
            return Some(warning(WarningCode::NoSampleYet, &text));
        }
        let period_s =
            period_ms.map(|ms| ms as f64 / 1_000.0).filter(|period_s| *period_s > self.config().max_age_secs)?;
        let text = format!("samples come every {period_s} s: every entry is stale before the next one");
        Some(warning(WarningCode::MaxAgeBelowPeriod, &text))
    }
}

fn warning(code: WarningCode, text: &str) -> Warning {
    Warning { code, key: None, message: text.to_owned() }
}
