//! A policy from a file: the name of a preset and what differs from it, in our keys or in those of the designs the
//! presets are taken from.

mod alias;

use serde::Deserialize;
use toml::{Table, Value};

use super::range::first_outside;
use super::{Policy, Preset};
use alias::translate;

/// A refusal of a policy table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// Nothing is called that.
    #[error("the policy has no setting {key:?}{}", .nearest.as_ref().map(|near| format!(", nearest is {near:?}")).unwrap_or_default())]
    UnknownKey {
        /// With the groups before it.
        key: String,
        /// The most similar setting.
        nearest: Option<String>,
    },
    /// The value has the wrong form.
    #[error("{key}: {message}")]
    Form {
        /// The setting.
        key: String,
        /// Description of the problem.
        message: String,
    },
    /// The value is too small or too large.
    #[error("{key} is {value}, it must be {min} to {max}")]
    OutOfRange {
        /// The setting.
        key: String,
        /// As it was given.
        value: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
}

impl Policy {
    /// Reads `[agents.<id>.policy]`: `preset` names the values to start from, every other key changes one.
    ///
    /// # Errors
    /// A key that no setting has, a value of another form, or one outside its range.
    pub fn read(table: &Table) -> Result<Self, PolicyError> {
        let preset = match table.get("preset") {
            None => Preset::default(),
            Some(name) => Preset::deserialize(name.clone()).map_err(|error| form("preset", &error))?,
        };
        Self::import(preset, table)
    }

    /// Like [`Policy::read`] for a table without the name of its preset, such as the configuration of another program.
    ///
    /// # Errors
    /// The same.
    pub fn import(preset: Preset, table: &Table) -> Result<Self, PolicyError> {
        let mut leaves = Vec::new();
        flatten("", table, &mut leaves);
        let mut settings = table_of(&Self::preset(preset))?;
        for (key, value) in leaves.into_iter().filter(|(key, _)| key != "preset") {
            for (key, value) in translate(preset, &key, value)? {
                settings = changed(settings, &key, value)?;
            }
        }
        let policy = Self::deserialize(Value::Table(settings)).map_err(|error| form("policy", &error))?;
        policy.checked()
    }

    /// The policy, if every number of it is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn checked(self) -> Result<Self, PolicyError> {
        match first_outside(&self) {
            None => Ok(self),
            Some(outside) => Err(PolicyError::OutOfRange {
                key: outside.key.to_owned(),
                value: outside.value,
                min: *outside.range.start(),
                max: *outside.range.end(),
            }),
        }
    }
}

/// Every value of `table` with its key, groups joined by dots.
fn flatten(group: &str, table: &Table, leaves: &mut Vec<(String, Value)>) {
    for (name, value) in table {
        let key = if group.is_empty() { name.clone() } else { format!("{group}.{name}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, leaves),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => leaves.push((key, value.clone())),
        }
    }
}

/// `settings` with one value changed, still of the form of a policy.
fn changed(mut settings: Table, key: &str, value: Value) -> Result<Table, PolicyError> {
    let Some(place) = place_of(&mut settings, key) else {
        return Err(PolicyError::UnknownKey { key: key.to_owned(), nearest: nearest_key(&settings, key) });
    };
    // A number without a fraction is a share or an amount all the same.
    let fraction = value.as_integer().filter(|_| place.is_float()).and_then(|whole| i32::try_from(whole).ok());
    *place = fraction.map_or(value, |whole| Value::Float(f64::from(whole)));
    // Read after every single change, so that an error names the setting that caused it.
    Policy::deserialize(Value::Table(settings.clone())).map_err(|error| form(key, &error))?;
    Ok(settings)
}

fn place_of<'a>(settings: &'a mut Table, key: &str) -> Option<&'a mut Value> {
    match key.split_once('.') {
        None => settings.get_mut(key).filter(|value| !value.is_table()),
        Some((group, rest)) => place_of(settings.get_mut(group)?.as_table_mut()?, rest),
    }
}

fn nearest_key(settings: &Table, key: &str) -> Option<String> {
    let mut leaves = Vec::new();
    flatten("", settings, &mut leaves);
    leaves.into_iter().map(|(known, _)| known).min_by_key(|known| strsim::osa_distance(known, key))
}

fn table_of(policy: &Policy) -> Result<Table, PolicyError> {
    Table::try_from(policy).map_err(|error| PolicyError::Form { key: "policy".to_owned(), message: error.to_string() })
}

fn form(key: &str, error: &toml::de::Error) -> PolicyError {
    PolicyError::Form { key: key.to_owned(), message: error.message().to_owned() }
}
