//! Readers of text from outside, one test each.

use std::fmt::Debug;
use std::sync::Arc;

use bridge::Scanner;
use bridge::envelope::{self, Ack, Beat, BeatAnswer, Claim, CommandEnvelope, HoldMessage, Release, StopMessage};
use missions::{Catalog, CatalogMissions, CatalogRobot, Edit};
use robot::{
    Codec, CommandId, EnvelopeMode, FieldPath, Instant, LeaseToken, Manifest, MissionId, Now, ParseContext, RawCommand,
    Sample, ScanPlan, Source, StationId, parse_command,
};
use safety::{Limits, Overall, RobotState, judge, parse_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use world::Template;
use world::cron::Zone;
use world::predicate::{Filter, Rule};

use crate::harness::check;

const MANIFEST: &str = include_str!("../../crates/sim/manifests/arm-1.toml");

#[test]
fn command_json() {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    check("command_json", |input| {
        let Ok(raw) = serde_json::from_slice::<RawCommand>(input) else { return };
        let context = ParseContext {
            fresh_id: CommandId(uuid::Uuid::from_u128(5)),
            source: Source::Person("dana".into()),
            lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
            issued_at: Instant::default(),
            approval: None,
        };
        let Ok(command) = parse_command(&raw, &manifest, context) else { return };
        // Nothing is known about the robot and it is not armed: no text gets past that.
        let verdict = judge(&limits, &RobotState::default(), command, Instant::default());
        assert_eq!(verdict.overall, Overall::Deny);
    });
}

#[test]
fn envelope() {
    check("envelope", |input| {
        repeats::<CommandEnvelope>(input);
        repeats::<Claim>(input);
        repeats::<Release>(input);
        repeats::<StopMessage>(input);
        repeats::<HoldMessage>(input);
        repeats::<Beat>(input);
        repeats::<BeatAnswer>(input);
        repeats::<Ack>(input);
    });
}

/// A message that is read is written, and read again as the same.
fn repeats<T: DeserializeOwned + Serialize + PartialEq + Debug>(input: &[u8]) {
    if let Ok(message) = envelope::parse::<T>(input) {
        let written = serde_json::to_vec(&message).unwrap();
        assert_eq!(envelope::parse::<T>(&written).unwrap(), message);
    }
}

#[test]
fn params_json() {
    check("params_json", |input| {
        let text = String::from_utf8_lossy(input);
        let (type_name, params) = text.split_once('\n').unwrap_or((&text, ""));
        if let Ok(kind) = parse_params(type_name, params) {
            assert_eq!(kind.type_name(), type_name);
        }
    });
}

#[test]
fn predicate() {
    check("predicate", |input| {
        let Ok(rule) = Rule::parse(&String::from_utf8_lossy(input)) else { return };
        assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Ok(&rule), "{rule}");
    });
}

#[test]
fn filter() {
    check("filter", |input| {
        let Ok(filter) = Filter::parse(&String::from_utf8_lossy(input)) else { return };
        assert_eq!(Filter::parse(&filter.to_string()).as_ref(), Ok(&filter), "{filter}");
    });
}

#[test]
fn key_template() {
    check("key_template", |input| {
        let text = String::from_utf8_lossy(input);
        let Ok(template) = Template::parse(&text) else { return };
        assert_eq!(Template::parse(&text).as_ref(), Ok(&template));
        assert!(template.paths().len() <= text.len());
    });
}

#[test]
fn mission() {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    let robot = CatalogRobot { manifest, constraints: Vec::new() };
    let catalog = Catalog {
        robots: [(robot.manifest.id.clone(), robot)].into(),
        operations: Arc::default(),
        missions: CatalogMissions::default(),
        providers: Vec::new(),
        time_zone: Zone::utc(),
    };
    let edits = mission_edits();
    check("mission", |input| {
        let id = MissionId::new("inspect").unwrap();
        drop(missions::MissionFile::read(id.clone(), &String::from_utf8_lossy(input)));
        let parsed = missions::parse(input);
        let compilation = missions::compile(&parsed, &id, &catalog, Now::default());
        assert!(compilation.problems.has_error || !parsed.problems.has_error, "compiling mends nothing");
        // One for each input, so that the time of all of them is not the time of one.
        let Some(edit) = edits.iter().cycle().nth(input.len() % edits.len()) else { return };
        if let Ok(after) = missions::edit(input, std::slice::from_ref(edit)) {
            assert!(std::str::from_utf8(&after).is_ok(), "{edit:?} leaves no text");
        }
    });
}

/// One edit of each kind that a window makes.
fn mission_edits() -> [Edit; 8] {
    let key = || "goals".to_owned();
    let value = || serde_json::json!({ "wait_secs": 5, "name": "It's: \"new\" # 巡回\n" });
    [
        Edit::Set { key: "title".into(), value: "It's: \"new\" # 巡回\n".into() },
        Edit::Set { key: key(), value: serde_json::json!([value()]) },
        Edit::Remove { key: "title".into() },
        Edit::AddDependency(MissionId::new("dock").unwrap()),
        Edit::RemoveDependency(MissionId::new("dock").unwrap()),
        Edit::InsertEntry { key: key(), index: 1, value: value() },
        Edit::ReplaceEntry { key: key(), index: 0, value: value() },
        Edit::SetBody("# Dock\n".into()),
    ]
}

/// Whatever a sensor sends: read as every codec says, with the memory of the sample before, and shown to people.
#[test]
fn sample() {
    let path = |text: &str| FieldPath::parse(text).unwrap();
    let plan = |codec, rows: Option<&str>| ScanPlan {
        codec,
        envelope: EnvelopeMode::Auto,
        rows: rows.map(path),
        paths: ["label", "a.b[1]", "$", "$.frame_id", "$$.header.ts_ns", "'3'"].map(path).into(),
    };
    let codecs = [Codec::Auto, Codec::Json, Codec::Cbor, Codec::Text];
    let plans: Vec<ScanPlan> =
        codecs.iter().flat_map(|codec| [plan(*codec, None), plan(*codec, Some("detections"))]).collect();
    check("sample", |input| {
        let sample = Sample {
            key_expr: "lab/cam-1/out/detections".into(),
            encoding: "".into(),
            payload: input.into(),
            stamp_ms: None,
            received: Instant::default(),
            received_ms: 0,
            n: 0,
        };
        for plan in &plans {
            let mut scanner = Scanner::new(plan);
            let first = scanner.scan(&sample).cloned();
            assert_eq!(scanner.scan(&sample).cloned(), first);
            assert!(first.map_or(0, |scanned| scanned.rows.len()) <= 256);
        }
        assert!(bridge::show(&sample).fields.len() <= 64);
    });
}
