//! Faults that can be switched on and off while the simulator runs, one JSON line each on its standard input.

use std::collections::BTreeSet;

use robot::StateKind;
use serde::{Deserialize, Serialize};

/// A fault that can be injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Publishes nothing and hears nothing.
    DropLink,
    /// Hears nothing, and goes on publishing.
    HalfOpen,
    /// A fifth of what it says and hears is lost; the rest of what it says comes up to 200 ms late, in any order.
    Lossy,
    /// Everything it publishes is 400 ms late.
    Delay,
    /// Its samples stop; beats and acknowledgements go on.
    StaleSensor,
    /// Its pose is not a number.
    NanSample,
    /// Its pose comes with new stamps, but no longer changes.
    FrozenSensor,
    /// A stop is executed, but not acknowledged.
    NoAck,
    /// The samples of its pose stop, and of nothing else.
    SilentPose,
    /// The samples of its velocity stop, and of nothing else.
    SilentVelocity,
    /// The samples of its joints stop, and of nothing else.
    SilentJoints,
    /// The samples of its force stop, and of nothing else.
    SilentForce,
    /// The samples of its moving transforms stop, and of nothing else.
    SilentFrame,
    /// The pictures of its cameras stop, and nothing else.
    SilentCamera,
    /// The samples of its state go on and change, always with the same stamp.
    RepeatedStamp,
    /// No fault of its own: somebody takes the pendant, and no station's command passes.
    Pendant,
    /// It reports every goal as done and never moves.
    NeverMoves,
    /// It goes another way than it was told, and reports the end.
    Astray,
    /// It never moves, reports every goal as done, and its pose sensor shows the goal.
    EchoSetPoint,
}

/// `{"fault": {"target": "rover-1", "fault": "drop_link", "on": true}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultLine {
    /// The order.
    pub fault: FaultOrder,
}

/// Order to begin or end a fault of one robot or sensor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultOrder {
    /// A robot or sensor of the site.
    pub target: String,
    /// The fault.
    pub fault: Fault,
    /// True if it begins, false if it ends.
    pub on: bool,
}

/// Robots and sensors of the site, as far as faults go.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    /// Robots: they acknowledge.
    pub robots: BTreeSet<String>,
    /// Robots with a pose.
    pub posed: BTreeSet<String>,
    /// Robots with a camera.
    pub filmed: BTreeSet<String>,
    /// Sensors.
    pub sensors: BTreeSet<String>,
}

/// The faults that are on.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    targets: Targets,
    on: BTreeSet<(String, Fault)>,
}

impl Faults {
    /// None is on.
    #[must_use]
    pub const fn new(targets: Targets) -> Self {
        Self { targets, on: BTreeSet::new() }
    }

    /// True if `fault` of `target` is on.
    #[must_use]
    pub fn has(&self, target: &str, fault: Fault) -> bool {
        self.on.iter().any(|(whose, what)| whose == target && *what == fault)
    }

    /// True if samples of `kind` of `target`, or all of its samples, do not come; `None` is a kind that is no state.
    #[must_use]
    pub fn silences(&self, target: &str, kind: Option<StateKind>) -> bool {
        let of_kind = kind.map(|kind| match kind {
            StateKind::Pose => Fault::SilentPose,
            StateKind::Velocity => Fault::SilentVelocity,
            StateKind::Joints => Fault::SilentJoints,
            StateKind::Force => Fault::SilentForce,
            StateKind::Frame => Fault::SilentFrame,
        });
        self.has(target, Fault::StaleSensor) || of_kind.is_some_and(|fault| self.has(target, fault))
    }

    /// Carries out one input line and returns the line that answers it.
    pub fn apply(&mut self, line: &str) -> String {
        let outcome = serde_json::from_str::<FaultLine>(line)
            .map_err(|error| format!("not a fault: {error}"))
            .and_then(|line| self.switch(&line.fault).map(|()| line));
        match outcome {
            Ok(line) => serde_json::json!({ "fault": line.fault, "applied": true }).to_string(),
            Err(error) => serde_json::json!({ "error": error }).to_string(),
        }
    }

    fn switch(&mut self, order: &FaultOrder) -> Result<(), String> {
        let Targets { robots, posed, filmed, sensors } = &self.targets;
        let fitting: BTreeSet<&String> = match order.fault {
            Fault::DropLink | Fault::Lossy | Fault::Delay | Fault::StaleSensor => robots.union(sensors).collect(),
            Fault::NanSample | Fault::FrozenSensor => posed.iter().collect(),
            Fault::SilentPose | Fault::SilentVelocity | Fault::SilentJoints => posed.iter().collect(),
            Fault::SilentForce | Fault::SilentFrame | Fault::RepeatedStamp => posed.iter().collect(),
            Fault::NeverMoves | Fault::Astray | Fault::EchoSetPoint => posed.iter().collect(),
            Fault::SilentCamera => filmed.iter().collect(),
            Fault::NoAck | Fault::Pendant | Fault::HalfOpen => robots.iter().collect(),
        };
        if !fitting.contains(&order.target) {
            let names: Vec<_> = fitting.into_iter().map(String::as_str).collect();
            return Err(format!("target {:?}: expected one of {}", order.target, names.join(", ")));
        }
        let entry = (order.target.clone(), order.fault);
        if order.on {
            self.on.insert(entry);
        } else {
            self.on.remove(&entry);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(line: &str, expected: Expect) {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let targets = Targets {
            robots: names(&["gate-1", "rover-1"]),
            posed: names(&["rover-1"]),
            filmed: names(&["rover-1"]),
            sensors: names(&["cam-1"]),
        };
        expected.assert_eq(&Faults::new(targets).apply(line));
    }

    #[test]
    fn answers_every_line() {
        check(
            r#"{"fault":{"target":"rover-1","fault":"no_ack","on":true}}"#,
            expect![[r#"{"applied":true,"fault":{"fault":"no_ack","on":true,"target":"rover-1"}}"#]],
        );
        check(
            r#"{"fault":{"target":"gate-1","fault":"nan_sample","on":true}}"#,
            expect![[r#"{"error":"target \"gate-1\": expected one of rover-1"}"#]],
        );
        check("stop", expect![[r#"{"error":"not a fault: expected value at line 1 column 1"}"#]]);
    }
}
