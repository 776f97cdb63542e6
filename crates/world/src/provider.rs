//! Provider rules: which samples become which entries. Everything is checked when a rule is compiled.

mod key_expr;

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::refusal::Code;
use robot::{Codec, EnvelopeMode, Field, FieldPath, Instant, MissionId, Row, Scalar, ScalarRef, ScanPlan, SharedCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::predicate::{Facts, Filter, Memory, StateTest, Truth};
use crate::reading::stamp_ms;
use crate::state::key::RESERVED;
use crate::{PredicateError, Template, ValueOrigin, WorldCode};

/// The least and the greatest `max_age_secs`.
pub(crate) const MAX_AGE_SECS: (f64, f64) = (0.1, 86_400.0);

pub use key_expr::check as check_key_expr;
pub(crate) use key_expr::is_command_key;

/// The longest unit, in characters.
const UNIT_CHARS_MAX: usize = 16;
/// The most paths with a closed set.
const CLOSED_SETS_MAX: usize = 64;
/// The most texts in one closed set.
const CLOSED_SET_TEXTS_MAX: usize = 256;

/// A provider's id, `cp-<uuid>`, made by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "string")]
#[schemars(with = "String")]
pub struct ProviderId(pub Arc<str>);

/// A rule that turns samples into entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// The mission whose life it shares; left out, it is always on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mission_id: Option<MissionId>,
    /// Zenoh key expression with at least one literal chunk, for example `lab/cam-1/out/**`.
    pub topic_pattern: String,
    /// The entry's key with `{path}` placeholders, for example `{label}.location`.
    pub world_state_key_template: String,
    /// Path of the value in the row, for example `zone`.
    pub value_field: String,
    /// Predicate over the row; only rows for which it is true count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub filter: Option<String>,
    /// Least time between two shown changes of one key, seconds, 0 to 3,600.
    #[serde(default)]
    #[ts(as = "Option<f64>", optional)]
    pub min_interval_secs: f64,
    /// Age at which a value is stale, seconds, 0.1 to 86,400.
    #[serde(default = "max_age_secs_default")]
    #[ts(as = "Option<f64>", optional)]
    pub max_age_secs: f64,
    /// Path of the confidence, a number from 0 to 1 that must be in every row; left out, a field `confidence` counts
    /// where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub confidence_field: Option<String>,
    /// Confidence of rows that say none, 0 to 1; not together with `confidence_field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub confidence_default: Option<f64>,
    /// Path of the time the value was true: a number in s, ms, µs or ns, or text in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub timestamp_field: Option<String>,
    /// Path of the array whose elements are the rows; without it a top-level array fans out by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rows: Option<String>,
    /// Codec of the bytes.
    #[serde(default)]
    #[ts(as = "Option<Codec>", optional)]
    pub codec: Codec,
    /// Treatment of a `{header, body}` map: unwrapped or not.
    #[serde(default)]
    #[ts(as = "Option<EnvelopeMode>", optional)]
    pub envelope: EnvelopeMode,
    /// Per path the only texts that are not treated as free text; at most 64 paths of 256 texts.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, Vec<String>>>", optional)]
    pub closed_sets: BTreeMap<String, Vec<String>>,
    /// Unit of the value, at most 16 characters, for example `degC`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unit: Option<String>,
    /// Origin of the values: measured or estimated.
    #[serde(default)]
    #[ts(as = "Option<ValueOrigin>", optional)]
    pub origin: ValueOrigin,
    /// Most distinct keys it may write, 1 to 10,000.
    #[serde(default = "max_keys_default")]
    #[ts(as = "Option<u32>", optional)]
    pub max_keys: u32,
}

const fn max_age_secs_default() -> f64 {
    30.0
}

const fn max_keys_default() -> u32 {
    256
}

/// The reason that a configuration is no provider.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{parameter}: {message}")]
pub struct ProviderError {
    /// The stable code of the wire.
    pub code: Code,
    /// The parameter it is about.
    pub parameter: &'static str,
    /// Character position from 1 in that parameter.
    pub column: Option<usize>,
    /// Description of what was expected.
    pub message: String,
    /// The provider that is in the way.
    pub existing: Option<ProviderId>,
    /// Permitted range, least and most.
    pub range: Option<(f64, f64)>,
    /// The most there may be.
    pub limit: Option<usize>,
    /// Error of the filter.
    pub predicate: Option<PredicateError>,
}

impl ProviderError {
    /// Of a parameter: what was expected of it.
    pub(crate) fn of(code: impl Into<Code>, parameter: &'static str, message: impl Into<String>) -> Self {
        let (code, message) = (code.into(), message.into());
        Self { code, parameter, column: None, message, existing: None, range: None, limit: None, predicate: None }
    }
}

/// A provider rule whose paths, template and filter are compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    id: ProviderId,
    config: ProviderConfig,
    unit: Option<Arc<str>>,
    /// Scan plan of the rows it is given: its own paths, and maybe those of others.
    plan: ScanPlan,
    own_paths: Vec<FieldPath>,
    filter: Option<Filter>,
    template: Template,
    /// Index into the plan's paths for each name of the filter.
    filter_fields: Vec<usize>,
    /// Index into the plan's paths for each path of the template.
    key_fields: Vec<usize>,
    value_field: usize,
    confidence_field: usize,
    timestamp_field: Option<usize>,
    /// The closed set of each path of the plan.
    closed: Vec<Option<Vec<String>>>,
}

impl Provider {
    /// Checks everything about `config` that needs no running world.
    pub fn compile(id: ProviderId, config: ProviderConfig) -> Result<Self, ProviderError> {
        key_expr::check(&config.topic_pattern)?;
        check_ranges(&config)?;
        let template = Template::parse(&config.world_state_key_template)
            .map_err(|error| at(WorldCode::BadTemplate, "world_state_key_template", error.column, &error))?;
        let filter = config.filter.as_deref().map(Filter::parse).transpose();
        let filter = filter.map_err(|error| {
            let refused = at(WorldCode::BadPredicate, "filter", error.column, &error);
            ProviderError { predicate: Some(error), ..refused }
        })?;
        let rows = config.rows.as_deref().map(|rows| parse_path("rows", rows)).transpose()?;
        let mut paths = Paths::default();
        let value_field = paths.index(&parse_path("value_field", &config.value_field)?);
        let confidence_path = config.confidence_field.as_deref().unwrap_or(RESERVED);
        let confidence_field = paths.index(&parse_path("confidence_field", confidence_path)?);
        let timestamp_path =
            config.timestamp_field.as_deref().map(|path| parse_path("timestamp_field", path)).transpose()?;
        let timestamp_field = timestamp_path.map(|path| paths.index(&path));
        let filter_fields = filter.iter().flat_map(Filter::names).map(|path| paths.index(path)).collect();
        let key_fields = template.paths().iter().map(|path| paths.index(path)).collect();
        let closed = closed_sets(&config, &paths.0)?;
        let own_paths = paths.0.clone();
        let plan = ScanPlan { codec: config.codec, envelope: config.envelope, rows, paths: paths.0 };
        let unit = config.unit.as_deref().map(Arc::from);
        Ok(Self {
            id,
            config,
            unit,
            plan,
            own_paths,
            filter,
            template,
            filter_fields,
            key_fields,
            value_field,
            confidence_field,
            timestamp_field,
            closed,
        })
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &ProviderId {
        &self.id
    }

    /// The configuration it was compiled from.
    #[must_use]
    pub const fn config(&self) -> &ProviderConfig {
        &self.config
    }

    /// Scan plan of its own, whatever else the rows hold.
    #[must_use]
    pub fn own_plan(&self) -> ScanPlan {
        ScanPlan { paths: self.own_paths.clone(), ..self.plan.clone() }
    }

    /// Age at which a value is stale.
    #[must_use]
    pub const fn max_age(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.max_age_ms())
    }

    /// Scan plan of the rows it is given.
    #[must_use]
    pub const fn plan(&self) -> &ScanPlan {
        &self.plan
    }

    /// The template of its keys.
    #[must_use]
    pub const fn template(&self) -> &Template {
        &self.template
    }

    /// True if both would make the same entries for the same mission.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        let (a, b) = (&self.config, &other.config);
        a.mission_id == b.mission_id
            && a.topic_pattern == b.topic_pattern
            && a.world_state_key_template == b.world_state_key_template
            && a.rows == b.rows
            && a.filter == b.filter
            && a.value_field == b.value_field
    }

    /// The same rule, reading rows in which the fields of `paths` stand, in that order. All of its own must be among them.
    #[must_use]
    pub fn reading(&self, paths: &[FieldPath]) -> Self {
        let place = |index: usize| {
            let path = self.plan.paths.get(index);
            paths.iter().position(|known| Some(known) == path).unwrap_or(paths.len())
        };
        let places = |fields: &[usize]| fields.iter().map(|index| place(*index)).collect();
        let mut closed = vec![None; paths.len()];
        for (index, set) in self.closed.iter().enumerate() {
            if let Some(slot) = closed.get_mut(place(index)) {
                slot.clone_from(set);
            }
        }
        Self {
            plan: ScanPlan { paths: paths.to_vec(), ..self.plan.clone() },
            filter_fields: places(&self.filter_fields),
            key_fields: places(&self.key_fields),
            value_field: place(self.value_field),
            confidence_field: place(self.confidence_field),
            timestamp_field: self.timestamp_field.map(place),
            closed,
            ..self.clone()
        }
    }

    /// True if some key could be written by both.
    #[must_use]
    pub fn shares_keys(&self, other: &Self) -> bool {
        self.template.overlaps(&other.template)
    }

    /// True if the value's path is also the only placeholder of the key.
    pub(crate) fn value_repeats_key(&self) -> bool {
        self.key_fields == [self.value_field]
    }

    /// True if nothing in the rule suggests that its rows hold a confidence.
    pub(crate) fn confidence_is_unknown(&self) -> bool {
        let is_given = self.config.confidence_field.is_some() || self.config.confidence_default.is_some();
        !is_given && !self.filter_fields.contains(&self.confidence_field)
    }

    /// True if every text that goes into a key comes from a closed set.
    pub(crate) fn keys_are_closed(&self) -> bool {
        self.key_fields.iter().all(|field| self.closed.get(*field).is_some_and(Option::is_some))
    }

    /// The same rule showing every value at once.
    pub(crate) fn without_interval(&self) -> Self {
        let config = ProviderConfig { min_interval_secs: 0.0, ..self.config.clone() };
        Self { config, ..self.clone() }
    }

    pub(crate) fn unit(&self) -> Option<Arc<str>> {
        self.unit.clone()
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be 0.1 to 86,400 s")]
    pub(crate) const fn max_age_ms(&self) -> u64 {
        (self.config.max_age_secs * 1_000.0).round() as u64
    }

    pub(crate) fn min_interval(&self) -> std::time::Duration {
        std::time::Duration::from_secs_f64(self.config.min_interval_secs)
    }

    pub(crate) fn passes(&self, row: &Row) -> bool {
        let facts = RowFacts { row, fields: &self.filter_fields };
        let passes = |filter: &Filter| filter.evaluate(&facts, &mut Memory::default(), Instant::default());
        self.filter.as_ref().is_none_or(|filter| passes(filter) == Truth::True)
    }

    /// The first clause of the filter that is not true for `row`, in printed form.
    pub(crate) fn failing_clause(&self, row: &Row) -> Option<String> {
        let facts = RowFacts { row, fields: &self.filter_fields };
        self.filter.as_ref().and_then(|filter| filter.failing_clause(&facts))
    }

    /// Writes the row's key into `text`; false if it has none.
    pub(crate) fn expand_key(&self, row: &Row, text: &mut String) -> bool {
        let facts = RowFacts { row, fields: &self.key_fields };
        self.template.expand(text, |path| facts.value(path)).is_ok()
    }

    /// The row's own time stamp, if the rule names a field for it.
    pub(crate) fn stamp_ms(&self, row: &Row) -> Option<Option<i64>> {
        let found = field(row, self.timestamp_field?);
        Some(match found {
            Field::Scalar(stamp) => stamp_ms(ScalarRef::from(stamp)),
            Field::Missing | Field::NotScalar => None,
        })
    }

    pub(crate) const fn confidence_default(&self) -> Option<f64> {
        self.config.confidence_default
    }

    pub(crate) fn value<'a>(&self, row: &'a Row) -> &'a Field {
        field(row, self.value_field)
    }

    /// The confidence's field, and whether it has to be there.
    pub(crate) fn confidence<'a>(&self, row: &'a Row) -> (&'a Field, bool) {
        (field(row, self.confidence_field), self.config.confidence_field.is_some())
    }

    /// True if the value and every key part from the payload is a number, a boolean or a word of a closed set.
    pub(crate) fn is_closed(&self, row: &Row) -> bool {
        let is_number = |index: usize| match field(row, index) {
            Field::Scalar(Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_)) => true,
            Field::Scalar(Scalar::Text(_)) | Field::Missing | Field::NotScalar => false,
        };
        let value_is_closed = is_number(self.value_field) || self.is_in_closed_set(row, self.value_field);
        value_is_closed && self.key_fields.iter().all(|index| self.is_in_closed_set(row, *index))
    }

    fn is_in_closed_set(&self, row: &Row, index: usize) -> bool {
        match (self.closed.get(index), field(row, index)) {
            (Some(Some(texts)), Field::Scalar(Scalar::Text(sent))) => texts.iter().any(|text| text == sent),
            (Some(Some(texts)), Field::Scalar(sent)) => texts.contains(&sent.to_string()),
            (Some(None) | None, _) | (_, Field::Missing | Field::NotScalar) => false,
        }
    }
}

fn field(row: &Row, index: usize) -> &Field {
    row.fields.get(index).unwrap_or(&Field::Missing)
}

/// A row seen through some of the plan's paths.
struct RowFacts<'a> {
    row: &'a Row,
    fields: &'a [usize],
}

impl<'a> RowFacts<'a> {
    fn field(&self, name: usize) -> &'a Field {
        self.fields.get(name).map_or(&Field::Missing, |index| field(self.row, *index))
    }

    fn value(&self, name: usize) -> Option<&'a Scalar> {
        match self.field(name) {
            Field::Scalar(scalar) => Some(scalar),
            Field::Missing | Field::NotScalar => None,
        }
    }
}

impl Facts for RowFacts<'_> {
    fn value(&self, name: usize) -> Option<&Scalar> {
        self.value(name)
    }

    /// A row has no confidence of its own; the grammar of filters has no way to ask.
    fn confidence(&self, _: usize) -> Option<f64> {
        None
    }

    fn is(&self, name: usize, test: StateTest) -> bool {
        match test {
            StateTest::Exists => *self.field(name) != Field::Missing,
            StateTest::Fresh | StateTest::Stale | StateTest::Lost => false,
        }
    }
}

/// The plan's paths, each once.
#[derive(Default)]
struct Paths(Vec<FieldPath>);

impl Paths {
    fn index(&mut self, path: &FieldPath) -> usize {
        self.0.iter().position(|known| known == path).unwrap_or_else(|| {
            self.0.push(path.clone());
            self.0.len() - 1
        })
    }
}

fn parse_path(parameter: &'static str, text: &str) -> Result<FieldPath, ProviderError> {
    FieldPath::parse(text).map_err(|error| at(WorldCode::BadPath, parameter, error.column, &error))
}

fn at(code: WorldCode, parameter: &'static str, column: usize, error: &dyn std::error::Error) -> ProviderError {
    ProviderError { column: Some(column), ..ProviderError::of(code, parameter, error.to_string()) }
}

fn out_of_range(parameter: &'static str, range: (f64, f64), unit: &str) -> ProviderError {
    let message = format!("expected {} to {}{unit}", range.0, range.1);
    ProviderError { range: Some(range), ..ProviderError::of(SharedCode::OutOfRange, parameter, message) }
}

fn check_ranges(config: &ProviderConfig) -> Result<(), ProviderError> {
    if !(0.0..=3_600.0).contains(&config.min_interval_secs) {
        return Err(out_of_range("min_interval_secs", (0.0, 3_600.0), " s"));
    }
    if !(MAX_AGE_SECS.0..=MAX_AGE_SECS.1).contains(&config.max_age_secs) {
        return Err(out_of_range("max_age_secs", MAX_AGE_SECS, " s"));
    }
    if config.confidence_default.is_some_and(|confidence| !(0.0..=1.0).contains(&confidence)) {
        return Err(out_of_range("confidence_default", (0.0, 1.0), ""));
    }
    if config.confidence_default.is_some() && config.confidence_field.is_some() {
        let message = "expected to be left out where `confidence_field` is given: that field has to be in every row";
        return Err(ProviderError::of(SharedCode::InvalidInput, "confidence_default", message));
    }
    if config.origin == ValueOrigin::Replay {
        return Err(ProviderError::of(SharedCode::InvalidInput, "origin", "expected measured or estimated"));
    }
    if !(1..=10_000).contains(&config.max_keys) {
        return Err(out_of_range("max_keys", (1.0, 10_000.0), ""));
    }
    if config.unit.as_ref().is_some_and(|unit| unit.is_empty() || unit.chars().count() > UNIT_CHARS_MAX) {
        return Err(out_of_range("unit", (1.0, UNIT_CHARS_MAX as f64), " characters"));
    }
    if config.closed_sets.len() > CLOSED_SETS_MAX {
        return Err(out_of_range("closed_sets", (0.0, CLOSED_SETS_MAX as f64), " paths"));
    }
    if config.closed_sets.values().any(|texts| texts.len() > CLOSED_SET_TEXTS_MAX) {
        return Err(out_of_range("closed_sets", (0.0, CLOSED_SET_TEXTS_MAX as f64), " texts of a path"));
    }
    Ok(())
}

/// For each of `paths` its closed set; a set for a path the rule does not use is a mistake.
fn closed_sets(config: &ProviderConfig, paths: &[FieldPath]) -> Result<Vec<Option<Vec<String>>>, ProviderError> {
    let mut closed = vec![None; paths.len()];
    for (text, words) in &config.closed_sets {
        let path = parse_path("closed_sets", text)?;
        let slot = paths.iter().position(|known| *known == path).and_then(|index| closed.get_mut(index));
        let Some(slot) = slot else {
            let message = format!("{text:?} is neither the value's path nor used in the key or the filter");
            return Err(ProviderError::of(WorldCode::BadPath, "closed_sets", message));
        };
        *slot = Some(words.clone());
    }
    Ok(closed)
}

#[cfg(test)]
mod tests;
