//! The robots of the site as every turn is told of them: what can be commanded, and where it is now.

use llm::Block;
use robot::{Trust, UnitQuaternion};

use crate::runner::AgentRunner;
use runtime::wire::{ActuatorRow, PoseRow, RobotRow, word};

/// Robots that are told of; the rest is counted.
const ROBOTS_MAX: usize = 40;
/// The line in front of them.
const HEADER: &str = "[Robots]";

/// One line for each robot; nothing if there is none. Every word of it is a manifest's or the station's own.
pub(in crate::turn_runner) fn block(runner: &AgentRunner) -> Option<Block> {
    let robots = runner.robots.rows();
    let rows = robots.iter().take(ROBOTS_MAX).map(line);
    let more = robots.len().saturating_sub(ROBOTS_MAX);
    let more = (more > 0).then(|| format!("+{more} more; see list_robots"));
    let lines: Vec<String> = rows.chain(more).collect();
    let text = format!("{HEADER}\n{}", lines.join("\n"));
    (!robots.is_empty()).then_some(Block::Text { text, trust: Trust::Typed })
}

/// `arm-1: armed, link live; arm (tool: pose_goal, path); frames base_link (default), map; at (0.3, 0.0, 0.8) m in
/// base_link, 60 ms old; at most 1 m/s`.
fn line(row: &RobotRow) -> String {
    let RobotRow { id, state, link, default_frame, frames, actuators, pose, limits, .. } = row;
    let actuators: Vec<String> = actuators.iter().map(actuator).collect();
    let others = frames.iter().map(robot::FrameId::as_str).filter(|frame| frame != default_frame);
    let frames: Vec<String> =
        std::iter::once(format!("{default_frame} (default)")).chain(others.map(str::to_owned)).collect();
    let pose = pose.as_ref().map_or_else(|| "pose unknown".to_owned(), place);
    let limit = limits.as_ref().map_or_else(String::new, |limits| format!("; at most {} m/s", limits.speed_mps_max));
    let (state, link) = (word(state), word(link));
    let (actuators, frames) = (actuators.join(", "), frames.join(", "));
    format!("{id}: {state}, link {link}; {actuators}; frames {frames}; {pose}{limit}")
}

fn actuator(row: &ActuatorRow) -> String {
    format!("{} ({}: {})", row.id, word(&row.kind), row.motions.join(", "))
}

fn place(pose: &PoseRow) -> String {
    // Adding zero makes 0.0 of -0.0.
    let [x, y, z] = pose.position_m.map(|part| (part * 1e3).round() / 1e3 + 0.0);
    let heading = pose.orientation.and_then(UnitQuaternion::new);
    let heading = heading.map(|heading| format!(" facing {} deg", heading.yaw_rad().to_degrees().round() + 0.0));
    let heading = heading.unwrap_or_default();
    let age = robot::span_in_words(pose.age_ms);
    format!("at ({x:?}, {y:?}, {z:?}) m{heading} in {}, {age} old", pose.frame)
}
