//! The providers of the simulated site, so that a first question has an answer.

use std::collections::BTreeMap;

use robot::{Codec, EnvelopeMode};
use world::{ProviderConfig, ValueOrigin};

const LABELS: [&str; 3] = ["person", "dog", "toddler"];
const ZONES: [&str; 6] = ["hallway", "loading_dock", "kitchen", "stairs", "front_door", "street"];

/// People and the dog, the gate, the oven.
pub(crate) fn providers() -> Vec<ProviderConfig> {
    let detections = ProviderConfig {
        filter: Some("confidence>0.8".into()),
        min_interval_secs: 1.0,
        closed_sets: BTreeMap::from([("label".into(), texts(&LABELS)), ("zone".into(), texts(&ZONES))]),
        ..provider("lab/**/vision/detections", "{label}.location", "zone")
    };
    let gate = ProviderConfig {
        closed_sets: BTreeMap::from([("status".into(), texts(&["open", "closed"]))]),
        ..provider("lab/gate-1/out/status", "gate.status", "status")
    };
    let temperature = ProviderConfig {
        unit: Some("degC".into()),
        ..provider("lab/oven-1/out/state", "oven.temperature", "temperature")
    };
    vec![detections, gate, temperature, provider("lab/oven-1/out/state", "oven.smoke", "smoke")]
}

fn provider(topic_pattern: &str, template: &str, value_field: &str) -> ProviderConfig {
    ProviderConfig {
        mission_id: None,
        topic_pattern: topic_pattern.into(),
        world_state_key_template: template.into(),
        value_field: value_field.into(),
        filter: None,
        min_interval_secs: 0.0,
        max_age_secs: 30.0,
        confidence_field: None,
        confidence_default: None,
        timestamp_field: None,
        rows: None,
        codec: Codec::Auto,
        envelope: EnvelopeMode::Auto,
        closed_sets: BTreeMap::new(),
        unit: None,
        origin: ValueOrigin::Measured,
        max_keys: 256,
    }
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
