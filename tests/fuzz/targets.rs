//! What reads text from outside, one test each.

use std::fmt::Debug;

use bridge::envelope::{self, Ack, Beat, BeatAnswer, Claim, CommandEnvelope, HoldMessage, Release, StopMessage};
use robot::{
    CommandId, Instant, LeaseToken, Manifest, MissionId, ParseContext, RawCommand, Source, StationId, parse_command,
};
use safety::{Limits, Overall, RobotState, judge, parse_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use world::Template;
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

/// What is read is written, and read again as the same.
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
    check("mission", |input| {
        let id = MissionId::new("inspect").unwrap();
        if let Ok(read) = missions::parse(id.clone(), &String::from_utf8_lossy(input)) {
            drop(read);
        }
    });
}
