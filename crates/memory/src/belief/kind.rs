//! The kind of a belief's value, and the comparison of another value with it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::BeliefError;

/// Numbers this near, relative to the greater of them and 1, are one number.
const NUMBER_ROUNDING: f64 = 1e-9;
/// Tolerance of an observed number, as a share of the held one, unless the belief says otherwise.
const TOLERANCE_REL_DEFAULT: f64 = 0.05;
/// The most words an `enum` may declare.
const WORDS_MAX: usize = 256;
/// The longest of them, in characters.
const WORD_CHARS_MAX: usize = 128;

/// The name of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "BeliefKind")]
pub enum KindName {
    /// `true` or `false`.
    Boolean,
    /// A finite number.
    Number,
    /// A list separated by commas, in any order.
    Set,
    /// One of the declared words.
    Enum,
    /// Anything else.
    Text,
}

/// Parameters of a kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(rename = "BeliefKindParams")]
pub struct KindParams {
    /// Of a `number`: this far away still confirms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tolerance_abs: Option<f64>,
    /// Of a `number`: this share of the held value away still confirms; 0.05 unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tolerance_rel: Option<f64>,
    /// Of an `enum`: the words it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<Vec<String>>,
}

/// The kind of a belief's values, by which they are compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A finite number with its tolerances.
    Number {
        /// Absolute.
        abs: f64,
        /// As a share of the held value.
        rel: f64,
    },
    /// A list separated by commas, in any order.
    Set,
    /// One of these words.
    Enum(Vec<String>),
    /// Anything else.
    Text,
}

/// The result of comparing an observed value with a held one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It is so.
    Confirms,
    /// It is not so.
    Contradicts,
    /// Neither can be said.
    Neutral,
}

impl Kind {
    /// The kind `name` with its parameters. Refused if they are not its own or out of bounds.
    pub fn new(name: KindName, params: Option<&KindParams>) -> Result<Self, BeliefError> {
        let given = params.cloned().unwrap_or_default();
        let is_number = name == KindName::Number;
        if !is_number && (given.tolerance_abs.is_some() || given.tolerance_rel.is_some()) {
            return Err(BeliefError::new("kind_params", "tolerances belong to the kind number"));
        }
        if name != KindName::Enum && given.words.is_some() {
            return Err(BeliefError::new("kind_params", "words belong to the kind enum"));
        }
        match name {
            KindName::Boolean => Ok(Self::Boolean),
            KindName::Number => {
                let (abs, rel) = (given.tolerance_abs.unwrap_or(0.0), given.tolerance_rel);
                let rel = rel.unwrap_or(TOLERANCE_REL_DEFAULT);
                // An infinite tolerance would let every number confirm.
                if !(abs >= 0.0 && rel >= 0.0 && abs.is_finite() && rel.is_finite()) {
                    return Err(BeliefError::new("kind_params", "a tolerance is a finite number of at least 0"));
                }
                Ok(Self::Number { abs, rel })
            }
            KindName::Set => Ok(Self::Set),
            KindName::Enum => declared(given.words),
            KindName::Text => Ok(Self::Text),
        }
    }

    /// The kind of a value that was stated without one.
    #[must_use]
    pub fn infer(value: &str) -> Self {
        if boolean(value).is_some() {
            Self::Boolean
        } else if number(value).is_some() {
            Self::Number { abs: 0.0, rel: TOLERANCE_REL_DEFAULT }
        } else if value.contains(',') {
            Self::Set
        } else {
            Self::Text
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> KindName {
        match self {
            Self::Boolean => KindName::Boolean,
            Self::Number { .. } => KindName::Number,
            Self::Set => KindName::Set,
            Self::Enum(_) => KindName::Enum,
            Self::Text => KindName::Text,
        }
    }

    /// Its parameters, if it has any.
    #[must_use]
    pub fn params(&self) -> Option<KindParams> {
        match self {
            Self::Number { abs, rel } => {
                Some(KindParams { tolerance_abs: Some(*abs), tolerance_rel: Some(*rel), words: None })
            }
            Self::Enum(words) => Some(KindParams { words: Some(words.clone()), ..KindParams::default() }),
            Self::Boolean | Self::Set | Self::Text => None,
        }
    }

    /// True if `value` can be of this kind.
    #[must_use]
    pub fn holds(&self, value: &str) -> bool {
        match self {
            Self::Boolean => boolean(value).is_some(),
            Self::Number { .. } => number(value).is_some(),
            Self::Set => !elements(value).is_empty(),
            Self::Enum(words) => words.iter().any(|word| folded(word) == folded(value)),
            Self::Text => true,
        }
    }

    /// Compares `observed` with `held`. An empty observation is neutral.
    #[must_use]
    pub fn compare(&self, held: &str, observed: &str) -> Seen {
        if observed.trim().is_empty() {
            return Seen::Neutral;
        }
        match self {
            Self::Boolean => match (boolean(held), boolean(observed)) {
                (Some(held), Some(observed)) => confirms_if(held == observed),
                (_, None) | (None, _) => Seen::Neutral,
            },
            Self::Number { abs, rel } => match (number(held), number(observed)) {
                (Some(held), Some(observed)) => {
                    let rounding = NUMBER_ROUNDING * held.abs().max(1.0);
                    confirms_if((held - observed).abs() <= f64::max(*abs, rel * held.abs()) + rounding)
                }
                (_, None) | (None, _) => Seen::Neutral,
            },
            Self::Set => compare_sets(&elements(held), &elements(observed)),
            Self::Enum(words) => {
                let observed = folded(observed);
                let is_declared = words.iter().any(|word| folded(word) == observed);
                if is_declared { confirms_if(folded(held) == observed) } else { Seen::Neutral }
            }
            Self::Text => compare_texts(&folded(held), &folded(observed)),
        }
    }

    /// True if both are the same value; tolerances do not count here.
    #[must_use]
    pub fn same(&self, a: &str, b: &str) -> bool {
        match self {
            Self::Boolean => boolean(a).is_some() && boolean(a) == boolean(b),
            // Tolerances are for the noise of sensors; two stated numbers differ if they are not equal.
            Self::Number { .. } => match (number(a), number(b)) {
                (Some(a), Some(b)) => (a - b).abs() <= NUMBER_ROUNDING * a.abs().max(b.abs()).max(1.0),
                (_, None) | (None, _) => false,
            },
            Self::Set => elements(a) == elements(b),
            Self::Enum(_) | Self::Text => folded(a) == folded(b),
        }
    }
}

fn declared(words: Option<Vec<String>>) -> Result<Kind, BeliefError> {
    let words = words.unwrap_or_default();
    let is_word = |word: &String| !folded(word).is_empty() && word.chars().count() <= WORD_CHARS_MAX;
    if words.is_empty() || words.len() > WORDS_MAX || !words.iter().all(is_word) {
        let expected = format!("the kind enum declares 1 to {WORDS_MAX} words of 1 to {WORD_CHARS_MAX} characters");
        return Err(BeliefError::new("kind_params", expected));
    }
    Ok(Kind::Enum(words))
}

fn confirms_if(equal: bool) -> Seen {
    if equal { Seen::Confirms } else { Seen::Contradicts }
}

fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        word if word.eq_ignore_ascii_case("true") => Some(true),
        word if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Lower case, with blanks, `_` and `-` as one blank.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c == '_' || c == '-').filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn elements(list: &str) -> BTreeSet<String> {
    list.split(',').map(folded).filter(|element| !element.is_empty()).collect()
}

fn compare_sets(held: &BTreeSet<String>, observed: &BTreeSet<String>) -> Seen {
    let common = observed.iter().filter(|element| held.contains(*element)).count();
    if observed.is_empty() {
        Seen::Neutral
    } else if common == observed.len() {
        // A source may see only part of a list, so a subset confirms it.
        Seen::Confirms
    } else if common == 0 {
        Seen::Contradicts
    } else {
        Seen::Neutral
    }
}

fn compare_texts(held: &str, observed: &str) -> Seen {
    let words = |text: &'_ str| -> BTreeSet<String> {
        let bare = text.split(' ').map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        bare.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    // Texts that share a word may say the same in other words; only texts without one contradict.
    if held == observed {
        Seen::Confirms
    } else if words(held).is_disjoint(&words(observed)) {
        Seen::Contradicts
    } else {
        Seen::Neutral
    }
}

#[cfg(test)]
mod tests;
