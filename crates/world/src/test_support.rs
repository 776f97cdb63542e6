//! A world on a bench: samples as JSON, times in milliseconds.

use std::sync::Arc;

use robot::{Field, HeaderMeta, Instant, Now, PathStep, RejectReason, Row, Sample, Scalar, ScanPlan, Scanned};
use serde_json::{Value, json};

use crate::{
    AlertId, Changed, Changes, Entry, Fire, Freshness, HistoryPoint, Key, Notice, Provider, ProviderId, RuleMove, World,
};

/// Wall clock at the start of the station clock.
const START_MS: i64 = 1_772_000_000_000;

pub(crate) const CAMERA: &str = "lab/cam-1/vision/detections";

pub(crate) fn now(ms: u64) -> Now {
    Now { station: Instant::from_millis(ms), wall_ms: START_MS + i64::try_from(ms).unwrap() }
}

pub(crate) fn compile(id: &str, config: Value) -> Result<Provider, crate::ProviderError> {
    Provider::compile(ProviderId(id.into()), serde_json::from_value(config).unwrap())
}

/// The provider of the documented example.
pub(crate) fn detections() -> Value {
    json!({
        "mission_id": "security-patrol",
        "topic_pattern": "lab/**/vision/detections",
        "world_state_key_template": "{label}.location",
        "value_field": "zone",
        "filter": "confidence>0.8",
        "max_age_secs": 30,
    })
}

/// A provider that writes the field `v` of every sample under one key.
pub(crate) fn plain(key: &str) -> Value {
    json!({
        "topic_pattern": format!("lab/x/{key}"),
        "world_state_key_template": key,
        "value_field": "v",
        "max_age_secs": 10,
    })
}

/// A sample without bytes: what a rig is given is decoded already.
pub(crate) fn sample(source: &str, ms: u64) -> Sample {
    let now = now(ms);
    Sample {
        key_expr: source.into(),
        encoding: "application/json".into(),
        payload: Arc::from([]),
        stamp_ms: None,
        received: now.station,
        received_ms: now.wall_ms,
        n: ms,
    }
}

/// The effects of a step.
pub(crate) struct Seen {
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) removed: Vec<Key>,
    pub(crate) points: Vec<HistoryPoint>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) moves: Vec<RuleMove>,
    pub(crate) next_due: Option<Instant>,
}

#[derive(Default)]
pub(crate) struct Rig {
    pub(crate) world: World,
    pub(crate) fires: Vec<Fire>,
}

impl Rig {
    pub(crate) fn with(providers: &[(&str, Value)]) -> Self {
        let mut rig = Self::default();
        for (id, config) in providers {
            rig.world.add_provider(compile(id, config.clone()).unwrap()).unwrap();
        }
        rig
    }

    /// One sample from `source` at `ms`, decoded for provider `id`.
    pub(crate) fn send(&mut self, id: &str, source: &str, ms: u64, document: &Value) -> Seen {
        self.send_stamped(id, source, ms, None, document)
    }

    pub(crate) fn send_stamped(
        &mut self,
        id: &str,
        source: &str,
        ms: u64,
        stamp: Option<i64>,
        document: &Value,
    ) -> Seen {
        let id = ProviderId(id.into());
        let plan = self.world.providers().find(|provider| *provider.id() == id).map(|provider| provider.plan().clone());
        let mut scanned = scanned(&plan.unwrap(), document);
        scanned.header = HeaderMeta { ts_ns: stamp, ..HeaderMeta::default() };
        self.apply(&id, source, ms, &Ok(scanned))
    }

    pub(crate) fn apply(
        &mut self,
        id: &ProviderId,
        source: &str,
        ms: u64,
        scanned: &Result<Scanned, RejectReason>,
    ) -> Seen {
        let changes = self.world.apply(id, &sample(source, ms), scanned.as_ref().map_err(|reason| *reason), now(ms));
        self.seen(changes)
    }

    pub(crate) fn tick(&mut self, ms: u64) -> Seen {
        let changes = self.world.tick(now(ms));
        self.seen(changes)
    }

    /// The effects of `changes` that everybody sees.
    pub(crate) fn seen(&mut self, changes: Changes) -> Seen {
        self.fires.extend(changes.fires);
        let Changed { entries, removed, points, .. } = self.world.take_changed();
        Seen { entries, removed, points, notices: changes.notices, moves: changes.moves, next_due: changes.next_due }
    }

    pub(crate) fn alert(&mut self, id: &str, rule: Value, ms: u64) -> Vec<crate::Warning> {
        let rule = serde_json::from_value(rule).unwrap();
        let (registered, changes) = self.world.register_alert(AlertId(id.into()), rule, now(ms)).unwrap();
        self.seen(changes);
        registered.warnings
    }

    /// When the rules fired so far, milliseconds.
    pub(crate) fn fired_ms(&self) -> Vec<u64> {
        self.fires.iter().map(|fire| fire.at.station.mono_ms()).collect()
    }

    pub(crate) fn entry(&self, key: &str) -> &Entry {
        self.world.entry(key).unwrap()
    }

    pub(crate) fn freshness(&self, key: &str, ms: u64) -> Freshness {
        self.entry(key).freshness(now(ms).station)
    }

    /// `key = value` of every shown entry.
    pub(crate) fn shown(&self) -> String {
        let shown = self.world.entries().map(|entry| format!("{} = {}", entry.key, entry.value));
        shown.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn rejects(&self, id: &str) -> Vec<(RejectReason, u64)> {
        let stats = self.world.provider_stats(&ProviderId(id.into())).unwrap();
        stats.rejects.iter().map(|(reason, count)| (*reason, *count)).collect()
    }
}

/// The slow way to what a scan gives.
pub(crate) fn scanned(plan: &ScanPlan, document: &Value) -> Scanned {
    let rows = plan.rows.as_ref().map_or(Some(document), |rows| walk(document, rows.steps())).unwrap_or(&Value::Null);
    let rows = rows.as_array().map_or_else(|| vec![rows], |rows| rows.iter().collect());
    let row = |row: &Value| {
        let root = |document_path: bool| if document_path { document } else { row };
        let at = |path: &robot::FieldPath| walk(root(path.starts_in_document()), path.steps());
        let field = |path: &robot::FieldPath| at(path).map_or(Field::Missing, field);
        Row { fields: plan.paths.iter().map(field).collect() }
    };
    Scanned { rows: rows.into_iter().map(row).collect(), ..Scanned::default() }
}

fn walk<'a>(value: &'a Value, steps: &[PathStep]) -> Option<&'a Value> {
    steps.iter().try_fold(value, |value, step| match step {
        PathStep::Name(name) => value.get(name),
        PathStep::Index(index) => value.get(index),
    })
}

fn field(value: &Value) -> Field {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => Field::NotScalar,
        Value::Bool(truth) => Field::Scalar(Scalar::Bool(*truth)),
        Value::String(text) => Field::Scalar(Scalar::Text(text.clone())),
        Value::Number(number) => {
            let float = || Scalar::Float(number.as_f64().unwrap());
            Field::Scalar(number.as_i64().map_or_else(float, Scalar::Int))
        }
    }
}
