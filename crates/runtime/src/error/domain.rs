//! Refusals of the crates that decide, as operations answer them.

use memory::belief::BeliefError;
use serde_json::json;
use world::alarm::{ActRefused, TermsError};
use world::{AlertError, PredicateError, ProviderError};

use super::{OpError, RuntimeCode};

impl From<ActRefused> for OpError {
    fn from(refused: ActRefused) -> Self {
        let details = match &refused {
            ActRefused::Changed { ids } => json!({ "changed": ids }),
            ActRefused::NotFound { id } | ActRefused::NotShelvable { id } | ActRefused::StillActive { id } => {
                json!({ "id": id })
            }
            ActRefused::OutOfRange { field, min, max } => {
                json!({ "path": field, "field": field, "min": min, "max": max })
            }
        };
        let mut message = refused.to_string();
        // A sentence for people begins with a capital and ends with a full stop.
        if let Some(first) = message.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        Self::new(refused.code(), message + ".").with(details)
    }
}

impl From<AlertError> for OpError {
    fn from(error: AlertError) -> Self {
        let details = match &error {
            AlertError::BadPredicate(at) => predicate_details("predicate", at),
            AlertError::BadAlarm(TermsError::BadPredicate(at)) => predicate_details("alarm.suppress_when", at),
            AlertError::BadAlarm(TermsError::Incomplete { missing }) => json!({ "path": "alarm", "missing": missing }),
            AlertError::OutOfRange { field, min, max }
            | AlertError::BadAlarm(TermsError::OutOfRange { field, min, max }) => {
                json!({ "path": field, "field": field, "min": min, "max": max })
            }
            AlertError::Duplicate { id } | AlertError::NotFound { id } => json!({ "id": id }),
            AlertError::LimitReached { limit } => json!({ "limit": limit }),
        };
        Self::new(error.code(), error.to_string()).with(details)
    }
}

fn predicate_details(path: &str, error: &PredicateError) -> serde_json::Value {
    json!({
        "path": path, "column": error.column, "found": error.found, "expected": error.expected, "hint": error.hint,
    })
}

impl From<ProviderError> for OpError {
    fn from(error: ProviderError) -> Self {
        let existing = error.existing.as_ref().map(|id| id.0.to_string());
        let mut details = json!({ "path": error.parameter, "column": error.column, "existing": existing });
        if let Some((min, max)) = error.range {
            (details["field"], details["min"], details["max"]) = (json!(error.parameter), json!(min), json!(max));
        }
        if let Some(limit) = error.limit {
            details["limit"] = json!(limit);
        }
        if let Some(PredicateError { found, expected, hint, .. }) = &error.predicate {
            (details["found"], details["expected"], details["hint"]) = (json!(found), json!(expected), json!(hint));
        }
        Self::new(error.code, error.to_string()).with(details)
    }
}

impl From<BeliefError> for OpError {
    fn from(error: BeliefError) -> Self {
        let refused = Self::bad_input(RuntimeCode::InvalidBelief, error.field, format!("{error}."));
        refused.with(json!({ "path": error.field, "field": error.field }))
    }
}
