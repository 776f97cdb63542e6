//! The means of a mission: locked parts, limits, responses to failures, providers, alerts and envelopes.

use std::collections::BTreeMap;

use robot::RobotId;
use safety::fallback::{FallbackClass, FallbackStep};
use safety::{EnvelopeBox, parse_params};
use world::{AlertRule, Provider, ProviderConfig, ProviderId};

use super::reader::{Fields, Reader};
use super::{EnvelopeRequest, Hold, Limit, LockedPart};
use crate::format::yaml::{Entry, Node, Plain, Value};
use crate::problem::{Located, ProblemCode};

/// The longest reason, in characters.
const REASON_CHARS_MAX: usize = 300;
/// The longest name of an operation, in characters.
const OPERATION_CHARS_MAX: usize = 64;
/// The highest speed that can be asked for, metres per second.
const SPEED_MPS_MAX: f64 = 100.0;
/// The highest force that can be asked for, newtons.
const FORCE_N_MAX: f64 = 1e5;
const COUNT_MAX: u32 = 100;
const HOURS_MAX: f64 = 8.0;
/// The deepest path of a part.
const PART_DEPTH_MAX: usize = 8;
/// Ranges of an alert, seconds and points.
const DEBOUNCE_SECS: (f64, f64) = (1.0, 86_400.0);
const BOOST: (f64, f64) = (0.0, 100.0);
const DESCRIPTION_CHARS_MAX: usize = 1_024;
/// Only the station says to which mission a rule belongs.
const FILLED_IN: &[&str] = &["mission_id"];
const LIMIT: [&str; 6] = ["type", "params", "robot", "actuator", "frame", "reason"];
const ENVELOPE: [&str; 9] =
    ["robot", "actuator", "operation", "region", "frame", "speed_mps_max", "force_n_max", "count", "hours"];

impl Reader<'_> {
    pub fn locked_part(&mut self, node: &Node, robots: &[Located<RobotId>]) -> Option<LockedPart> {
        if let Some(Plain::Text(path)) = node.plain() {
            return self.part(node, path, Hold::Run, robots);
        }
        let fields = self.fields(node, &["path", "hold"])?;
        let Some(path) = fields.get("path") else { return self.missing(fields.span, "path") };
        let hold = match fields.get("hold") {
            Some(node) => {
                let words = [("run", Hold::Run), ("command", Hold::Command)];
                self.within("hold", |reader| reader.word(node, &words))?
            }
            None => Hold::Run,
        };
        self.within("path", |reader| {
            let text = reader.plain_text(path)?;
            reader.part(path, text, hold, robots)
        })
    }

    fn part(&mut self, node: &Node, path: &str, hold: Hold, robots: &[Located<RobotId>]) -> Option<LockedPart> {
        let mut names = path.split('/').map(|name| RobotId::new(name).ok());
        let robot = names.next().flatten();
        let part: Option<Vec<String>> = names.map(|name| name.map(String::from)).collect();
        match robot.zip(part.filter(|part| (1..=PART_DEPTH_MAX).contains(&part.len()))) {
            None => self.out_of_range(node.span, "a path such as `arm-1/gripper`"),
            // Locking a robot that the mission does not command would only keep it from others.
            Some((robot, part)) if robots.iter().any(|named| named.value == robot) => {
                Some(LockedPart { robot, part, hold })
            }
            Some((robot, _)) => {
                let message = format!("`{robot}` is no robot of this mission.");
                self.fault(ProblemCode::OutOfRange, node.span, message, format!("Add `{robot}` to `robots`."));
                None
            }
        }
    }

    pub fn limit(&mut self, node: &Node) -> Option<Limit> {
        let fields = self.fields(node, &LIMIT)?;
        let (Some(kind), Some(params)) = (fields.get("type"), fields.get("params")) else {
            let missing = if fields.get("type").is_none() { "type" } else { "params" };
            return self.missing(fields.span, missing);
        };
        let robot = self.id_in(&fields, "robot");
        let actuator = self.id_in(&fields, "actuator");
        let frame = self.id_in(&fields, "frame");
        let reason = match fields.get("reason") {
            Some(node) => Some(self.within("reason", |reader| reader.line(node, 1..=REASON_CHARS_MAX))?),
            None => None,
        };
        let name = self.within("type", |reader| reader.plain_text(kind))?;
        let json: serde_json::Value = self.within("params", |reader| reader.foreign(params, &[]))?;
        // Through the same reader as a limit that is registered by hand, so that both take the same numbers.
        match parse_params(name, &json.to_string()) {
            Ok(kind) => Some(Limit { kind, robot: robot?, actuator: actuator?, frame: frame?, reason }),
            Err(error) => {
                let inner = error.path.strip_prefix("params_json").map(|path| path.trim_start_matches('.'));
                let (span, key) = match inner {
                    Some(path) => (params.descend(path).unwrap_or(params).span, "params"),
                    None => (kind.span, "type"),
                };
                let message = format!("The limit is not one that can be kept: {}.", error.message);
                self.within(key, |reader| {
                    reader.fault(ProblemCode::ConstraintInvalid, span, message, "Correct its type or its parameters.");
                });
                None
            }
        }
    }

    /// An id that may be left out; the outer `None` is one that is wrong.
    #[expect(clippy::option_option, reason = "left out, and wrong, are different things")]
    fn id_in<T>(&mut self, fields: &Fields<'_>, key: &str) -> Option<Option<T>>
    where
        T: TryFrom<String, Error = robot::IdError>,
    {
        match fields.get(key) {
            Some(node) => self.within(key, |reader| reader.id(node)).map(Some),
            None => Some(None),
        }
    }

    pub fn fallbacks(&mut self, node: &Node) -> BTreeMap<FallbackClass, Vec<FallbackStep>> {
        let Value::Map { entries, .. } = &node.value else {
            self.wrong_type::<()>(node, "a mapping");
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        for Entry { key, key_span, value } in entries {
            let class = Node {
                span: *key_span,
                value: Value::Scalar { text: key.clone(), style: crate::format::yaml::Style::Double },
            };
            self.within(key, |reader| {
                let Some(class) = reader.foreign::<FallbackClass>(&class, &[]) else { return };
                let steps = reader.list(value, 1..=FallbackStep::ALL.len(), |reader, node| reader.foreign(node, &[]));
                found.insert(class, steps.into_iter().map(|step| step.value).collect());
            });
        }
        found
    }

    pub fn provider(&mut self, node: &Node) -> Option<ProviderConfig> {
        let config: ProviderConfig = self.foreign(node, FILLED_IN)?;
        match Provider::compile(ProviderId("cp-draft".into()), config.clone()) {
            Ok(_) => Some(config),
            Err(error) => {
                let span = node.descend(error.parameter).unwrap_or(node).span;
                let code = if error.range.is_some() || error.limit.is_some() {
                    ProblemCode::OutOfRange
                } else if error.predicate.is_some() {
                    ProblemCode::BadPredicate
                } else {
                    ProblemCode::WrongType
                };
                let message = format!("The provider cannot be used: {}.", error.message.trim_end_matches('.'));
                self.within(error.parameter, |reader| reader.fault(code, span, message, "Correct this field."));
                None
            }
        }
    }

    pub fn alert(&mut self, node: &Node) -> Option<AlertRule> {
        let rule: AlertRule = self.foreign(node, FILLED_IN)?;
        let at = |key: &str| node.descend(key).unwrap_or(node);
        if let Err(error) = world::predicate::Rule::parse(&rule.predicate) {
            return self.within("predicate", |reader| reader.bad_predicate(at("predicate"), &error));
        }
        for (key, value, (least, most)) in
            [("debounce_secs", rule.debounce_secs, DEBOUNCE_SECS), ("arousal_boost", rule.arousal_boost, BOOST)]
        {
            if !(least..=most).contains(&value) {
                let expected = format!("a number from {least} to {most}");
                return self.within(key, |reader| reader.out_of_range(at(key).span, expected));
            }
        }
        if rule.description.as_ref().is_some_and(|text| text.chars().count() > DESCRIPTION_CHARS_MAX) {
            let expected = format!("at most {DESCRIPTION_CHARS_MAX} characters");
            return self.within("description", |reader| reader.out_of_range(at("description").span, expected));
        }
        Some(rule)
    }

    pub fn envelope(&mut self, node: &Node) -> Option<EnvelopeRequest> {
        let fields = self.fields(node, &ENVELOPE)?;
        for key in ["robot", "actuator", "operation", "speed_mps_max", "count", "hours"] {
            if fields.get(key).is_none() {
                return self.missing(fields.span, key);
            }
        }
        let (robot, actuator) = (self.id_in(&fields, "robot"), self.id_in(&fields, "actuator"));
        let frame = self.id_in(&fields, "frame");
        let operation = fields.get("operation")?;
        let operation = self.within("operation", |reader| reader.line(operation, 1..=OPERATION_CHARS_MAX));
        let (speed, count, hours) = (fields.get("speed_mps_max")?, fields.get("count")?, fields.get("hours")?);
        let speed = self.within("speed_mps_max", |reader| reader.number(speed, f64::MIN_POSITIVE..=SPEED_MPS_MAX));
        let count = self.within("count", |reader| reader.whole(count, 1..=COUNT_MAX));
        let hours = self.within("hours", |reader| reader.number(hours, f64::MIN_POSITIVE..=HOURS_MAX));
        let force_n_max = match fields.get("force_n_max") {
            Some(node) => {
                Some(self.within("force_n_max", |reader| reader.number(node, f64::MIN_POSITIVE..=FORCE_N_MAX))?)
            }
            None => None,
        };
        let region: Option<EnvelopeBox> = match fields.get("region") {
            Some(node) => Some(self.within("region", |reader| reader.foreign(node, &[]))?),
            None => None,
        };
        Some(EnvelopeRequest {
            robot: robot??,
            actuator: actuator??,
            operation: operation?,
            region,
            frame: frame?,
            speed_mps_max: speed?,
            force_n_max,
            count: count?,
            hours: hours?,
        })
    }
}
