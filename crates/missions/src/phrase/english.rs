//! The English of phrases whose parts need more than a form.

use robot::JointMotion;
use safety::{ConstraintKind, JointLimits};
use serde_json::Value;

use super::Phrase;

/// The longest text that is quoted in a phrase, in characters.
const QUOTED_CHARS_MAX: usize = 80;

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

/// The words of [`Phrase::Motions`]; empty for any other.
pub(super) fn covered(phrase: &Phrase) -> String {
    let Phrase::Motions { count, target, hours, speed_mps, force_n, region_m, frame } = phrase else {
        return String::new();
    };
    let force = force_n.map_or_else(String::new, |force| format!(" and {force} N"));
    let region = region_m.map_or_else(
        || " anywhere within its limits".to_owned(),
        |region| {
            let [x, y, z] = region.map(|[low, high]| format!("{low} to {high} m"));
            format!(" within x {x}, y {y}, z {z}")
        },
    );
    let frame = frame.as_ref().map_or_else(String::new, |frame| format!(" in the frame {frame}"));
    format!("{count} motions of {target} in {hours} h, at most {speed_mps} m/s{force}{region}{frame}")
}

/// A value by the words that it has on the wire, in one line.
pub(super) fn wire(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    match json {
        Value::String(word) => word.replace('_', " "),
        Value::Array(items) => items.iter().map(wire).collect::<Vec<_>>().join(", then "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => json.to_string(),
    }
}

/// The beginning of a text, in one line.
pub(crate) fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= QUOTED_CHARS_MAX {
        return line;
    }
    line.chars().take(QUOTED_CHARS_MAX).chain(['…']).collect()
}
