//! The simulated site as a catalog: its own manifests, its own providers, the station's own table of operations.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use robot::{Manifest, MissionId, Now, RobotId};
use serde_json::{Value, json};
use world::cron::Zone;
use world::{Provider, ProviderConfig, ProviderId};

use crate::graph::Standing;
use crate::{
    Catalog, CatalogMission, CatalogMissions, CatalogOperation, CatalogRobot, Compilation, MissionEnd, compile, parse,
};

const MANIFESTS: [(&str, &str); 4] = [
    ("arm-1", include_str!("../../../sim/manifests/arm-1.toml")),
    ("gate-1", include_str!("../../../sim/manifests/gate-1.toml")),
    ("rover-1", include_str!("../../../sim/manifests/rover-1.toml")),
    ("rover-2", include_str!("../../../sim/manifests/rover-2.toml")),
];
/// Every operation of the station, written by the station itself.
const OPERATIONS: &str = include_str!("../../../../docs/operations.schema.json");
/// Operations whose inputs are looked at.
const LOOKED_AT: [&str; 2] = ["remember_note", "world_history"];
/// Beginnings and ends of the names of operations that are not for missions.
const NOT_FOR_MISSIONS: [&str; 6] = ["mission", "job", "task", "proposal", "control", "note"];

/// The moment of every compilation: 2026-03-09T06:00:00Z.
pub(super) const NOW: Now = Now { station: robot::Instant::from_millis(0), wall_ms: 1_773_036_000_000 };

pub(super) fn id(text: &str) -> MissionId {
    MissionId::new(text).unwrap()
}

pub(super) fn robot(text: &str) -> RobotId {
    RobotId::new(text).unwrap()
}

/// The site, which is read once.
pub(super) fn shared() -> &'static Catalog {
    static SITE: LazyLock<Catalog> = LazyLock::new(read);
    &SITE
}

/// A copy of the site, to be changed.
pub(super) fn site() -> Catalog {
    shared().clone()
}

fn read() -> Catalog {
    let robot = |(stem, text): (&str, &str)| {
        let manifest = Manifest::parse(text, stem).unwrap();
        (manifest.id.clone(), CatalogRobot { manifest, constraints: Vec::new() })
    };
    Catalog {
        robots: MANIFESTS.map(robot).into(),
        operations: operations().into(),
        missions: CatalogMissions::default(),
        providers: providers(),
        time_zone: Zone::utc(),
    }
}

fn operations() -> BTreeMap<String, CatalogOperation> {
    let table: Value = serde_json::from_str(OPERATIONS).unwrap();
    let rows = table["operations"].as_object().unwrap();
    let operation = |(name, row): (&String, &Value)| {
        let input_schema = if LOOKED_AT.contains(&name.as_str()) {
            // No definition of theirs refers to another one.
            table["$defs"][row["input"]["$ref"].as_str().unwrap().trim_start_matches("#/$defs/")].clone()
        } else {
            json!(true)
        };
        let read = |key: &str| row[key].clone();
        let operation = CatalogOperation {
            role: serde_json::from_value(read("role")).unwrap(),
            effect: serde_json::from_value(read("effect")).unwrap(),
            audience: serde_json::from_value(read("audience")).unwrap(),
            moves_robot: name == "send_command",
            in_missions: !NOT_FOR_MISSIONS.iter().any(|word| name.contains(word)) || name == "remember_note",
            input_schema,
        };
        (name.clone(), operation)
    };
    rows.iter().map(operation).collect()
}

fn providers() -> Vec<Provider> {
    let zones = ["hallway", "loading_dock", "kitchen", "stairs", "front_door", "street"];
    let configs = [
        json!({"topic_pattern": "lab/**/vision/detections", "world_state_key_template": "{label}.location",
            "value_field": "zone", "filter": "confidence>0.8", "min_interval_secs": 1.0,
            "closed_sets": {"label": ["person", "dog", "toddler"], "zone": zones}}),
        json!({"topic_pattern": "lab/gate-1/out/status", "world_state_key_template": "gate.status",
            "value_field": "status", "closed_sets": {"status": ["open", "closed"]}}),
        json!({"topic_pattern": "lab/oven-1/out/state", "world_state_key_template": "oven.temperature",
            "value_field": "temperature", "unit": "degC"}),
        json!({"topic_pattern": "lab/oven-1/out/state", "world_state_key_template": "oven.smoke", "value_field": "smoke"}),
    ];
    let compiled = configs.into_iter().zip(1..).map(|(config, number)| {
        let config: ProviderConfig = serde_json::from_value(config).unwrap();
        Provider::compile(ProviderId(format!("cp-{number}").into()), config).unwrap()
    });
    compiled.collect()
}

impl Catalog {
    /// The same site with a further mission.
    pub(super) fn with(self, name: &str, text: &str, standing: Standing) -> Self {
        let mission = self.mission(&parse(text.as_bytes()), MissionEnd::of(standing));
        self.changed_all(|missions| drop(missions.insert(id(name), mission)))
    }

    /// The same site with a mission that is changed.
    pub(super) fn changed(self, name: &str, change: impl FnOnce(&mut CatalogMission)) -> Self {
        self.changed_all(|missions| change(missions.get_mut(&id(name)).unwrap()))
    }

    fn changed_all(mut self, change: impl FnOnce(&mut BTreeMap<MissionId, CatalogMission>)) -> Self {
        let mut missions = BTreeMap::clone(&self.missions);
        change(&mut missions);
        self.missions = missions.into();
        self
    }
}

/// The text as mission `patrol` at the site.
pub(super) fn at(catalog: &Catalog, text: &str) -> Compilation {
    compile(&parse(text.as_bytes()), &id("patrol"), catalog, NOW)
}

/// The front matter as mission `patrol` of the simulated site.
pub(super) fn front(yaml: &str) -> Compilation {
    at(shared(), &format!("---\n{yaml}\n---\nGo.\n"))
}

/// Every problem in full, with what it says of other files.
pub(super) fn sentences(compilation: &Compilation) -> String {
    let mut text = String::new();
    for problem in &compilation.problems.listed {
        let severity = if problem.severity == crate::Severity::Warning { "warning " } else { "" };
        text.push_str(&format!("{severity}{problem}\n"));
        for related in &problem.related {
            text.push_str(&format!("  {} {}:{} {}\n", related.mission, related.line, related.column, related.message));
        }
    }
    text
}
