//! The parts of a meaning in plain English: phrases that a sentence puts together.

use std::collections::BTreeSet;

use robot::{JointMotion, RawCommand, RawMotion, span_in_words};
use safety::{ConstraintKind, JointLimits};
use serde_json::{Map, Value};
use world::{AlertRule, ProviderConfig};

use super::CompiledLimit;
use crate::front::{EnvelopeRequest, Expiry, Goal, Hold, OnFailure, PlannedJob, Precondition, Trigger};

/// The longest text that is quoted in a phrase, in characters.
const QUOTED_CHARS_MAX: usize = 80;

/// The robot that a limit binds, with the actuator if it binds only one.
pub(crate) fn bound(bound: &CompiledLimit) -> String {
    let actuator = bound.actuator.as_ref().map_or_else(String::new, |actuator| format!("/{actuator}"));
    format!("{}{actuator}", bound.robot)
}

/// The demand of a limit, with the frame of its places.
pub(crate) fn demand(bound: &CompiledLimit) -> String {
    let frame =
        if crate::compile::is_about_places(&bound.kind) { format!(", in {}", bound.frame) } else { String::new() };
    format!("{}{frame}", limit(&bound.kind))
}

/// The demand of a limit.
pub(crate) fn limit(kind: &ConstraintKind) -> String {
    match kind {
        ConstraintKind::Workspace { x, y, z } => {
            let [x, y, z] = [x, y, z].map(|[low, high]| format!("{low} to {high} m"));
            format!("workspace x {x}, y {y}, z {z}")
        }
        ConstraintKind::MaxVelocity(most) => format!("speed at most {most} m/s"),
        ConstraintKind::ForbiddenZone { center, radius } => {
            format!("forbidden zone of {radius} m around {}", point(*center))
        }
        ConstraintKind::MaxForce(most) => format!("force at most {most} N"),
        ConstraintKind::KeepOutBox { min, max } => format!("keep-out box from {} to {}", point(*min), point(*max)),
        ConstraintKind::JointLimits(limits) => joint(limits),
        ConstraintKind::MaxAcceleration(most) => format!("acceleration at most {most} m/s²"),
        ConstraintKind::CommandRate { actuator, hz, burst } => {
            format!("at most {hz} commands a second for {actuator}, {burst} at once")
        }
        ConstraintKind::GoalJump(most) => format!("goals at most {most} m away"),
        ConstraintKind::StoppingDistance(most) => format!("at most {most} m to stop"),
        ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } => {
            format!("near limits no faster than {decel_mps2} m/s² of braking allows, {floor_mps} m/s anywhere")
        }
    }
}

fn joint(limits: &JointLimits) -> String {
    let (position, force) = match limits.motion {
        JointMotion::Turning => ("rad", "Nm"),
        JointMotion::Sliding => ("m", "N"),
    };
    let [low, high] = limits.position;
    let mut words =
        format!("joint {} {low} to {high} {position}, at most {} {position}/s", limits.joint, limits.velocity);
    if let Some(acceleration) = limits.acceleration {
        words.push_str(&format!(", {acceleration} {position}/s²"));
    }
    if let Some(effort) = limits.effort {
        words.push_str(&format!(", {effort} {force}"));
    }
    words
}

fn point([x, y, z]: [f64; 3]) -> String {
    format!("({x}, {y}, {z}) m")
}

/// A goal; `motions` are the operations that move a robot.
pub(crate) fn goal(goal: &Goal, motions: &BTreeSet<String>) -> String {
    match goal {
        Goal::Text { goal, done_when: None } => format!("“{}”", cut(goal)),
        Goal::Text { goal, done_when: Some(rule) } => format!("“{}”, done when {rule}", cut(goal)),
        Goal::Step { operation, input, name, .. } => {
            let name = name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
            format!("{name}{}", step(operation, input, motions.contains(operation)))
        }
        Goal::WaitFor { rule, timeout_secs } => format!("wait until {rule}, at most {}", seconds(*timeout_secs)),
        Goal::WaitSecs(secs) => format!("wait {}", seconds(*secs)),
    }
}

fn step(operation: &str, input: &Map<String, Value>, moves: bool) -> String {
    let command = || serde_json::from_value::<RawCommand>(Value::Object(input.clone())).ok();
    match moves.then(command).flatten() {
        Some(command) => motion(&command),
        None if input.is_empty() => operation.to_owned(),
        None => format!("{operation} {}", cut(&Value::Object(input.clone()).to_string())),
    }
}

fn motion(command: &RawCommand) -> String {
    let places = |parts: &[f64]| parts.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let speed =
        |speed: Option<f64>, unit: &str| speed.map_or_else(String::new, |speed| format!(", at most {speed} {unit}"));
    let target = match &command.motion {
        RawMotion::PoseGoal(goal) => {
            format!("goes to ({}) m{}", places(&goal.position_m), speed(goal.speed_mps, "m/s"))
        }
        RawMotion::Path(path) => {
            let last = path.points_m.last().map(|point| places(point)).unwrap_or_default();
            format!("follows {} points to ({last}) m{}", path.points_m.len(), speed(path.speed_mps, "m/s"))
        }
        RawMotion::Velocity(velocity) => format!("moves at ({}) m/s", places(&velocity.linear_mps)),
        RawMotion::Joints(joints) => {
            let pairs = joints.names.iter().zip(&joints.positions_rad).map(|(name, at)| format!("{name} {at}"));
            let speed = speed(joints.speed_radps, "rad/s or m/s");
            format!("brings its joints to {}{speed}", pairs.collect::<Vec<_>>().join(", "))
        }
        RawMotion::Gripper(gripper) => {
            format!("opens {} m{}", gripper.opening_m, speed(gripper.speed_mps, "m/s"))
        }
        RawMotion::Switch(switch) => if switch.on { "switches on" } else { "switches off" }.to_owned(),
        RawMotion::Escape(escape) => format!("leaves for ({}) m", places(&escape.position_m)),
    };
    let frame = command.frame.as_ref().map_or_else(String::new, |frame| format!(" in {frame}"));
    let force = command.force_n.map_or_else(String::new, |force| format!(", at most {force} N"));
    format!("{}/{} {target}{force}{frame}", command.robot, command.actuator)
}

pub(crate) fn trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Immediate => "at once".into(),
        Trigger::Spawn => "when a mission fails that names this one".into(),
        Trigger::Cron(cron) => cron.words(),
        Trigger::At(time) => format!("at {}", time.text()),
        Trigger::When { rule, once: true } => format!("the first time that {rule}"),
        Trigger::When { rule, once: false } => format!("whenever {rule}"),
    }
}

pub(crate) fn precondition(precondition: &Precondition) -> String {
    match precondition {
        Precondition::Rule(rule) => rule.to_string(),
        Precondition::Text(text) => format!("“{}”", cut(text)),
    }
}

pub(crate) fn expiry(expiry: &Expiry) -> String {
    match expiry {
        Expiry::After(secs) => format!("{} after activation", seconds(*secs)),
        Expiry::At(time) => format!("at {}", time.text()),
    }
}

pub(crate) fn on_failure(on_failure: &OnFailure) -> String {
    match on_failure {
        OnFailure::Stop => "the mission fails".into(),
        OnFailure::Alert => "the mission pauses and tells the agent".into(),
        OnFailure::Retry { times, delay_secs } => {
            format!("the goal is tried again up to {times} times, first after {}", seconds(*delay_secs))
        }
        OnFailure::Spawn(other) => format!("the mission fails and starts {other}"),
    }
}

pub(crate) fn provider(config: &ProviderConfig) -> String {
    format!("{} from {} of {}", config.world_state_key_template, config.value_field, config.topic_pattern)
}

pub(crate) fn alert(rule: &AlertRule) -> String {
    format!("when {}", rule.predicate)
}

/// A job; `motions` are the operations that move a robot.
pub(crate) fn job(job: &PlannedJob, motions: &BTreeSet<String>) -> String {
    let name = job.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
    let action = match (&job.prompt, &job.operation) {
        (Some(prompt), _) => format!("“{}”", cut(prompt)),
        (None, Some(operation)) => step(operation, &job.input, motions.contains(operation)),
        (None, None) => "nothing".into(),
    };
    let due = match (&job.cron_schedule, &job.at, job.every_secs) {
        (Some(cron), _, _) => cron.words(),
        (None, Some(at), _) => format!("at {at}"),
        (None, None, Some(every)) => format!("every {}", seconds(every)),
        (None, None, None) => "never".into(),
    };
    format!("{name}{action} {due}")
}

/// A standing approval that a mission asks for, in a phrase.
#[must_use]
pub fn envelope(request: &EnvelopeRequest) -> String {
    let EnvelopeRequest { robot, actuator, speed_mps_max, count, hours, .. } = request;
    let force = request.force_n_max.map_or_else(String::new, |force| format!(" and {force} N"));
    let region = request.region.map_or_else(String::new, |region| {
        let [x, y, z] = [region.x, region.y, region.z].map(|[low, high]| format!("{low} to {high} m"));
        format!(" within x {x}, y {y}, z {z}")
    });
    let region = if region.is_empty() { " anywhere within its limits".to_owned() } else { region };
    let frame = request.frame.as_ref().map_or_else(String::new, |frame| format!(" in the frame {frame}"));
    format!("{count} motions of {robot}/{actuator} in {hours} h, at most {speed_mps_max} m/s{force}{region}{frame}")
}

pub(crate) const fn hold(hold: Hold) -> &'static str {
    match hold {
        Hold::Run => "for the whole run",
        Hold::Command => "for each command",
    }
}

/// A value by the words that it has on the wire, in one line.
pub(crate) fn wire(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    match json {
        Value::String(word) => word.replace('_', " "),
        Value::Array(items) => items.iter().map(wire).collect::<Vec<_>>().join(", then "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => json.to_string(),
    }
}

fn seconds(secs: u32) -> String {
    span_in_words(u64::from(secs) * 1_000)
}

/// The beginning of a text, in one line.
pub(crate) fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= QUOTED_CHARS_MAX {
        return line;
    }
    line.chars().take(QUOTED_CHARS_MAX).chain(['…']).collect()
}
