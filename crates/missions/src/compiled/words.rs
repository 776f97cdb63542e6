//! The parts of a meaning in plain English: phrases that a sentence puts together.

use std::collections::BTreeSet;

use robot::{RawCommand, RawMotion};
use serde_json::{Map, Value};
use world::{AlertRule, ProviderConfig};

use super::CompiledLimit;
use crate::format::front::{EnvelopeRequest, Expiry, Goal, OnFailure, PlannedJob, Precondition, Trigger};
use crate::phrase::{GoalPhrase, JointPlace, MotionPhrase, Phrase, Start, cut};

/// The robot that a limit binds, with the actuator if it binds only one.
pub(crate) fn bound(bound: &CompiledLimit) -> String {
    let actuator = bound.actuator.as_ref().map_or_else(String::new, |actuator| format!("/{actuator}"));
    format!("{}{actuator}", bound.robot)
}

/// The demand of a limit, with the frame of its places.
pub(crate) fn demand(bound: &CompiledLimit) -> Phrase {
    let frame = crate::compile::is_about_places(&bound.kind).then(|| bound.frame.clone());
    Phrase::Limit { limit: bound.kind.clone(), frame }
}

/// A goal; `motions` are the operations that move a robot.
pub(crate) fn goal(goal: &Goal, motions: &BTreeSet<String>) -> GoalPhrase {
    match goal {
        Goal::Text { goal, done_when } => {
            GoalPhrase::Wish { text: cut(goal), rule: done_when.as_ref().map(ToString::to_string) }
        }
        Goal::Step { operation, input, name, .. } => {
            let does = step(operation, input, motions.contains(operation));
            match name {
                Some(name) => GoalPhrase::Named { name: name.clone(), does: Box::new(does) },
                None => does,
            }
        }
        Goal::WaitFor { rule, timeout_secs } => GoalPhrase::WaitUntil { rule: rule.to_string(), secs: *timeout_secs },
        Goal::WaitSecs(secs) => GoalPhrase::Wait { secs: *secs },
    }
}

fn step(operation: &str, input: &Map<String, Value>, moves: bool) -> GoalPhrase {
    let command = || serde_json::from_value::<RawCommand>(Value::Object(input.clone())).ok();
    match moves.then(command).flatten() {
        Some(command) => GoalPhrase::Moves {
            target: format!("{}/{}", command.robot, command.actuator),
            motion: motion(&command.motion),
            force_n: command.force_n,
            frame: command.frame.as_ref().map(ToString::to_string),
        },
        None => GoalPhrase::Call {
            operation: operation.to_owned(),
            input: (!input.is_empty()).then(|| cut(&Value::Object(input.clone()).to_string())),
        },
    }
}

fn motion(motion: &RawMotion) -> MotionPhrase {
    match motion {
        RawMotion::PoseGoal(goal) => MotionPhrase::Goes {
            to_m: goal.position_m.clone(),
            orientation: goal.orientation.clone(),
            speed: goal.speed_mps,
        },
        RawMotion::Path(path) => MotionPhrase::Follows {
            points: path.points_m.len(),
            to_m: path.points_m.last().cloned().unwrap_or_default(),
            speed: path.speed_mps,
        },
        RawMotion::Velocity(velocity) => MotionPhrase::Drives {
            velocity_mps: velocity.linear_mps.clone(),
            turning_radps: velocity.angular_radps.clone(),
        },
        RawMotion::Joints(joints) => {
            let places = joints.names.iter().zip(&joints.positions_rad);
            let places = places.map(|(name, at)| JointPlace { joint: name.clone(), at: *at });
            MotionPhrase::Joints { joints: places.collect(), speed: joints.speed_radps }
        }
        RawMotion::Gripper(gripper) => MotionPhrase::Opens { opening_m: gripper.opening_m, speed: gripper.speed_mps },
        RawMotion::Switch(switch) if switch.on => MotionPhrase::SwitchesOn,
        RawMotion::Switch(_) => MotionPhrase::SwitchesOff,
        RawMotion::Escape(escape) => MotionPhrase::Leaves { to_m: escape.position_m.clone() },
    }
}

pub(crate) fn trigger(trigger: &Trigger) -> Start {
    match trigger {
        Trigger::Immediate => Start::AtOnce,
        Trigger::Spawn => Start::Spawned,
        Trigger::Cron(cron) => Start::Cron { cron: cron.text().to_owned(), words: cron.words() },
        Trigger::At(time) => Start::At { time: time.text().to_owned() },
        Trigger::When { rule, once: true } => Start::FirstTime { rule: rule.to_string() },
        Trigger::When { rule, once: false } => Start::Whenever { rule: rule.to_string() },
    }
}

pub(crate) fn precondition(precondition: &Precondition) -> Phrase {
    match precondition {
        Precondition::Rule(rule) => Phrase::plain(rule.to_string()),
        Precondition::Text(text) => Phrase::quoted(text),
    }
}

pub(crate) fn expiry(expiry: &Expiry) -> Phrase {
    match expiry {
        Expiry::After(secs) => Phrase::AfterActivation { secs: *secs },
        Expiry::At(time) => Phrase::AtTime { time: time.text().to_owned() },
    }
}

pub(crate) fn on_failure(on_failure: &OnFailure) -> Phrase {
    match on_failure {
        OnFailure::Stop => Phrase::Fails,
        OnFailure::Alert => Phrase::Pauses,
        OnFailure::Retry { times, delay_secs } => Phrase::Retries { times: *times, secs: *delay_secs },
        OnFailure::Spawn(other) => Phrase::FailsAndStarts { mission: other.clone() },
    }
}

pub(crate) fn provider(config: &ProviderConfig) -> Phrase {
    Phrase::Provided {
        key: config.world_state_key_template.clone(),
        field: config.value_field.clone(),
        topic: config.topic_pattern.clone(),
    }
}

pub(crate) fn alert(rule: &AlertRule) -> Phrase {
    Phrase::When { rule: rule.predicate.clone() }
}

/// A job; `motions` are the operations that move a robot.
pub(crate) fn job(job: &PlannedJob, motions: &BTreeSet<String>) -> Phrase {
    let does = match (&job.prompt, &job.operation) {
        (Some(prompt), _) => GoalPhrase::Wish { text: cut(prompt), rule: None },
        (None, Some(operation)) => step(operation, &job.input, motions.contains(operation)),
        (None, None) => GoalPhrase::Nothing,
    };
    let due = match (&job.cron_schedule, &job.at, job.every_secs) {
        (Some(cron), _, _) => Start::Cron { cron: cron.text().to_owned(), words: cron.words() },
        (None, Some(at), _) => Start::At { time: at.clone() },
        (None, None, Some(secs)) => Start::Every { secs },
        (None, None, None) => Start::Never,
    };
    Phrase::Job { name: job.name.clone(), does, due }
}

/// A standing approval that a mission asks for, in a phrase.
#[must_use]
pub fn envelope(request: &EnvelopeRequest) -> Phrase {
    let EnvelopeRequest { robot, actuator, speed_mps_max, count, hours, force_n_max, region, frame, .. } = request;
    Phrase::Motions {
        count: *count,
        target: format!("{robot}/{actuator}"),
        hours: *hours,
        speed_mps: *speed_mps_max,
        force_n: *force_n_max,
        region_m: region.map(|region| [region.x, region.y, region.z]),
        frame: frame.clone(),
    }
}
