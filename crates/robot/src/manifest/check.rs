//! The checks of a manifest that its form alone does not make.

use super::camera::{CAMERAS_MAX, DetectionSource, MAX_AGE_MS, RATE_HZ};
use super::error::value_error;
use super::{GOAL_TOLERANCE_M_MIN, GateKind, Manifest, ManifestError, SCHEMA, StateKind};
use crate::ActuatorKind;
use crate::joint::JOINTS_MAX;

/// Last parts of the keys on which a gate hears its own messages.
const GATE_KEYS: [&str; 6] = ["stop", "hold", "claim", "release", "beat", "commission"];

/// True for the written form: 32 bytes are 43 digits and one sign of padding. Its users find out if it is a point of
/// the curve.
fn is_public_key(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let encoded = text.strip_prefix("ed25519:").and_then(|encoded| encoded.strip_suffix('='));
    encoded.is_some_and(|digits| digits.len() == 43 && digits.bytes().all(digit))
}

/// True for a key expression that names one key.
fn is_single_key(key: &str) -> bool {
    !key.is_empty() && !key.contains(['*', '$', '#', '?'])
}

impl Manifest {
    pub(super) fn check(&self, stem: &str) -> Result<(), ManifestError> {
        if self.schema != SCHEMA {
            return Err(value_error("schema", format!("{SCHEMA}, the only form this version reads")));
        }
        if self.id.as_str() != stem {
            return Err(value_error("id", format!("{stem:?}, the name of the file")));
        }
        if self.hardware_estop.trim().is_empty() {
            return Err(value_error("hardware_estop", "where a person finds the hardware stop"));
        }
        if self.gate == GateKind::Reference && !self.public_key.as_deref().is_some_and(is_public_key) {
            return Err(value_error("public_key", "\"ed25519:\" and 32 bytes in Base64: the reference gate signs"));
        }
        if self.actuators.is_empty() {
            return Err(value_error("actuators", "at least one"));
        }
        // Without a pose no motion through space can be judged.
        if !self.switches_only() && self.state_source(StateKind::Pose).is_none() {
            return Err(value_error("state", "a source of kind \"pose\""));
        }
        self.check_keys()?;
        self.check_joints()?;
        self.check_cameras()?;
        self.check_map()?;
        self.check_numbers()
    }

    fn check_joints(&self) -> Result<(), ManifestError> {
        let mut names = Vec::new();
        for actuator in &self.actuators {
            let key = format!("actuators.{}.joints", actuator.id);
            let (kind, count) = (actuator.kind, actuator.joints.len());
            if kind == ActuatorKind::Joints && count == 0 {
                return Err(value_error(key, "at least one joint"));
            }
            if count > if kind.may_have_joints() { JOINTS_MAX } else { 0 } {
                return Err(value_error(key, format!("at most {JOINTS_MAX}, and none for a base or a switch")));
            }
            for joint in &actuator.joints {
                if let Some((what, expected)) = joint.problem() {
                    return Err(value_error(format!("{key}.{}.{what}", joint.name), expected));
                }
                // Measurements name joints alone, not the actuators that they belong to.
                if names.contains(&&joint.name) {
                    return Err(value_error(format!("{key}.{}", joint.name), "a name no other joint of the robot has"));
                }
                names.push(&joint.name);
            }
            if kind != ActuatorKind::Gripper && count > 0 && self.state_source(StateKind::Joints).is_none() {
                return Err(value_error("state", "a source of kind \"joints\", because an actuator has joints"));
            }
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<(), ManifestError> {
        let command_prefix = format!("{}/{}/cmd/", self.site, self.id);
        for (i, actuator) in self.actuators.iter().enumerate() {
            // A command would be judged by the first and put on the key of the last.
            if self.actuators[..i].iter().any(|earlier| earlier.id == actuator.id) {
                let expected = "a name no other actuator of the robot has";
                return Err(value_error(format!("actuators.{}.id", actuator.id), expected));
            }
            let own = actuator.key.strip_prefix(&command_prefix).filter(|_| is_single_key(&actuator.key));
            // On one of these keys a command would be another message, or a stop.
            if own.is_none_or(|own| GATE_KEYS.contains(&own)) {
                return Err(value_error(
                    format!("actuators.{}.key", actuator.id),
                    format!("a key under {command_prefix}, for example {command_prefix}act/{}", actuator.id),
                ));
            }
            if !(50..=1000).contains(&actuator.set_point_ttl_ms) {
                return Err(value_error(format!("actuators.{}.set_point_ttl_ms", actuator.id), "50 to 1000"));
            }
        }
        for (i, source) in self.state.iter().enumerate() {
            if !is_single_key(&source.key) || source.key.starts_with(&command_prefix) {
                let expected = "a key expression without wildcards, not one of commands";
                return Err(value_error(format!("state[{i}].key"), expected));
            }
            // A bound that is no number, or without end, is passed over where the sources are compared.
            if source.disagreement_m_max.is_some_and(|most_m| !(0.0 < most_m && most_m <= 1e4)) {
                return Err(value_error(format!("state[{i}].disagreement_m_max"), "above 0, at most 10000"));
            }
            if !(50..=2000).contains(&source.max_age_ms) {
                return Err(value_error(format!("state[{i}].max_age_ms"), "50 to 2000"));
            }
        }
        Ok(())
    }

    fn check_cameras(&self) -> Result<(), ManifestError> {
        if self.cameras.len() > CAMERAS_MAX {
            return Err(value_error("cameras", format!("at most {CAMERAS_MAX}")));
        }
        let commands = format!("{}/{}/cmd/", self.site, self.id);
        for (i, camera) in self.cameras.iter().enumerate() {
            let place = |field: &str| format!("cameras.{}.{field}", camera.id);
            if self.cameras[..i].iter().any(|earlier| earlier.id == camera.id) {
                return Err(value_error(place("id"), "a name no other camera of the robot has"));
            }
            // A picture on a key of commands would reach the gate as a command.
            if !is_single_key(&camera.key) || camera.key.starts_with(&commands) {
                return Err(value_error(place("key"), "a key expression without wildcards, not one of commands"));
            }
            if let Some(DetectionSource { key, .. }) = &camera.detections
                && (!is_single_key(key) || key.starts_with(&commands) || key == &camera.key)
            {
                let expected = "a key expression without wildcards, not one of commands and not that of the pictures";
                return Err(value_error(place("detections.key"), expected));
            }
            if !RATE_HZ.contains(&camera.rate_hz) {
                return Err(value_error(place("rate_hz"), format!("{} to {}", RATE_HZ.start(), RATE_HZ.end())));
            }
            if !MAX_AGE_MS.contains(&camera.max_age_ms) {
                return Err(value_error(
                    place("max_age_ms"),
                    format!("{} to {}", MAX_AGE_MS.start(), MAX_AGE_MS.end()),
                ));
            }
        }
        Ok(())
    }

    fn check_map(&self) -> Result<(), ManifestError> {
        let commands = format!("{}/{}/cmd/", self.site, self.id);
        match &self.map {
            Some(map) if !is_single_key(&map.key) || map.key.starts_with(&commands) => {
                Err(value_error("map.key", "a key expression without wildcards, not one of commands"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn check_numbers(&self) -> Result<(), ManifestError> {
        let (body, limits, stop) = (&self.body, &self.limits, &self.stop);
        let ranged = [
            ("body.bounding_radius_m", body.bounding_radius_m, 0.0, 10.0),
            ("body.localisation_error_m", body.localisation_error_m, 0.0, 1.0),
            ("body.margin_m", body.margin_m, 0.0, 1.0),
            ("goal_tolerance_m", self.goal_tolerance_m.unwrap_or(GOAL_TOLERANCE_M_MIN), GOAL_TOLERANCE_M_MIN, 1.0),
            ("limits.speed_mps_max", limits.speed_mps_max, 0.0, 100.0),
            ("limits.angular_radps_max", limits.angular_radps_max, 0.0, 100.0),
            ("limits.acceleration_mps2_max", limits.acceleration_mps2_max, 1e-3, 100.0),
            ("limits.goal_jump_m_max", limits.goal_jump_m_max, 1e-3, 1e4),
            ("limits.force_n_max", limits.force_n_max.unwrap_or(0.0), 0.0, 1e5),
            ("stop.ack_ms", f64::from(stop.ack_ms), 100.0, 1000.0),
            ("stop.reaction_s", stop.reaction_s, 1e-3, 10.0),
            ("stop.decel_mps2", stop.decel_mps2, 1e-3, 100.0),
            ("stop.standstill_mps", stop.standstill_mps, 1e-4, 1.0),
            ("stop.standstill_radps", stop.standstill_radps, 1e-4, 1.0),
        ];
        for (key, value, low, high) in ranged {
            // Written so that not-a-number is refused.
            if !(low <= value && value <= high) {
                return Err(value_error(key, format!("{low} to {high}")));
            }
        }
        let mut spans = vec![
            ("envelope.x_m", self.envelope.x_m),
            ("envelope.y_m", self.envelope.y_m),
            ("envelope.z_m", self.envelope.z_m),
        ];
        if let Some(workspace) = &limits.workspace {
            spans.extend([
                ("limits.workspace.x", workspace.x),
                ("limits.workspace.y", workspace.y),
                ("limits.workspace.z", workspace.z),
            ]);
        }
        for (i, frame) in self.frames.iter().enumerate() {
            if !frame.translation_m.iter().all(|part| (-1e4..=1e4).contains(part)) {
                return Err(value_error(format!("frames[{i}].translation_m"), "[x, y, z], each within 10 km"));
            }
        }
        for (key, [low, high]) in spans {
            if !(-1e4 <= low && low < high && high <= 1e4) {
                return Err(value_error(key, "[min, max] with min < max, both within 10 km"));
            }
        }
        Ok(())
    }
}
