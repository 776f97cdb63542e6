//! The motion of a card in words. Everything that moves is in them: a person approves what they say.

use robot::{AgentId, Command, JointMotion, JointName, Manifest, Motion, RawCommand, UnitQuaternion};

/// The sentence of a card: the wish of `agent`, read as `command` if it could be.
pub(super) fn sentence(agent: &AgentId, manifest: &Manifest, command: Option<&Command>, raw: &RawCommand) -> String {
    let RawCommand { robot, actuator, force_n, mission_id, .. } = raw;
    let wish = match command.map(|command| (&command.motion, &command.frame)) {
        Some((Motion::Switch { on }, _)) => format!("switch {actuator} {}", if *on { "on" } else { "off" }),
        Some((motion, frame)) => format!("move {actuator} {} in {frame}", words(motion, manifest)),
        None => format!("do something with {actuator}"),
    };
    let force = force_n.map_or_else(String::new, |force_n| format!(", at most {force_n} N"));
    let mission = mission_id.as_ref().map_or_else(String::new, |mission| format!(", for mission {mission}"));
    format!("Agent {agent} wants {robot} to {wish}{force}{mission}.")
}

fn words(motion: &Motion, manifest: &Manifest) -> String {
    match motion {
        Motion::PoseGoal { position_m, orientation, speed_mps, duration_s } => {
            let within = duration_s.map_or_else(String::new, |secs| format!(" within {secs} s"));
            format!("to {} m{}{}{within}", point(position_m), oriented(*orientation), at(*speed_mps, "m/s"))
        }
        Motion::Path { points_m, speed_mps } => {
            format!("along {} points{}", points_m.len(), at(*speed_mps, "m/s"))
        }
        Motion::Velocity { linear_mps, angular_radps } if angular_radps.iter().any(|part| *part != 0.0) => {
            format!("at {} m/s, turning at {} rad/s,", point(linear_mps), point(angular_radps))
        }
        Motion::Velocity { linear_mps, .. } => format!("at {} m/s", point(linear_mps)),
        Motion::Joints { names, positions_rad, speed_radps } => {
            let each = names.iter().zip(positions_rad).map(|(name, to)| format!("{name} {to}{}", unit(manifest, name)));
            format!("to {}{}", each.collect::<Vec<_>>().join(", "), at(*speed_radps, "rad/s or m/s"))
        }
        Motion::Escape { position_m, speed_mps } => {
            format!("out to {} m{}", point(position_m), at(*speed_mps, "m/s"))
        }
        Motion::Gripper { opening_m, speed_mps } => format!("to {opening_m} m open{}", at(*speed_mps, "m/s")),
        Motion::Switch { on } => (if *on { "on" } else { "off" }).to_owned(),
    }
}

fn point([x, y, z]: &[f64; 3]) -> String {
    format!("({x}, {y}, {z})")
}

fn at(speed: Option<f64>, unit: &str) -> String {
    speed.map_or_else(String::new, |speed| format!(" at {speed} {unit}"))
}

fn oriented(orientation: Option<UnitQuaternion>) -> String {
    let Some([x, y, z, w]) = orientation.map(UnitQuaternion::xyzw) else { return String::new() };
    format!(" oriented ({x:.3}, {y:.3}, {z:.3}, {w:.3})")
}

/// The unit of a joint's position; nothing for one that the manifest does not have.
fn unit(manifest: &Manifest, joint: &JointName) -> &'static str {
    match manifest.joint(joint).map(|(_, spec)| spec.motion) {
        Some(JointMotion::Turning) => " rad",
        Some(JointMotion::Sliding) => " m",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(motion: &Motion) -> String {
        let manifest = Manifest::parse(include_str!("../../../sim/manifests/arm-1.toml"), "arm-1").unwrap();
        words(motion, &manifest)
    }

    #[test]
    fn a_card_tells_every_part_of_its_motion() {
        let turned = UnitQuaternion::new([0.0, 0.0, 1.0, 0.0]);
        let goal = |orientation, duration_s| Motion::PoseGoal {
            position_m: [0.5, 0.0, 1.0],
            orientation,
            speed_mps: Some(0.2),
            duration_s,
        };
        assert_eq!(said(&goal(None, None)), "to (0.5, 0, 1) m at 0.2 m/s");
        let whole = "to (0.5, 0, 1) m oriented (0.000, 0.000, 1.000, 0.000) at 0.2 m/s within 4 s";
        assert_eq!(said(&goal(turned, Some(4.0))), whole);
        let velocity = |angular_radps| Motion::Velocity { linear_mps: [0.0; 3], angular_radps };
        assert_eq!(said(&velocity([0.0, 0.0, 0.5])), "at (0, 0, 0) m/s, turning at (0, 0, 0.5) rad/s,");
        assert_eq!(said(&velocity([0.0; 3])), "at (0, 0, 0) m/s");
        let joints = Motion::Joints {
            names: ["turn", "lift"].map(|name| name.parse().unwrap()).into(),
            positions_rad: [1.0, 0.3].into(),
            speed_radps: Some(0.5),
        };
        assert_eq!(said(&joints), "to turn 1 rad, lift 0.3 m at 0.5 rad/s or m/s");
    }
}
