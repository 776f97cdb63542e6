//! Velocities of commands, which are in the manifest's frame, as twists, which are in the robot's own.

use robot::{Motion, Reason, UnitQuaternion};

use super::message::Twist;

/// Share of a velocity that may lead aside from where a robot looks that cannot drive sideways.
const ASIDE_SHARE_MAX: f64 = 0.2;

/// The twist of a velocity for a robot with this rotation.
///
/// # Errors
/// The reason that the robot cannot do it: it would go elsewhere than was judged.
pub fn twist(motion: &Motion, rotation: UnitQuaternion, sideways: bool) -> Result<Twist, Reason> {
    let (linear_mps, angular_radps) = match motion {
        Motion::Velocity { linear_mps, angular_radps } => (*linear_mps, *angular_radps),
        Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Joints { .. } | Motion::Escape { .. } => {
            return Err(Reason::UnknownActuator);
        }
        Motion::Gripper { .. } | Motion::Switch { .. } => return Err(Reason::UnknownActuator),
    };
    let [ahead, left, up] = rotation.inverse().rotate(linear_mps);
    let turn_radps = rotation.inverse().rotate(angular_radps);
    let speed_mps = ahead.hypot(left).hypot(up);
    // No base drives upwards, whichever way its wheels can turn.
    let aside_mps = if sideways { up.abs() } else { left.hypot(up) };
    let tilt_radps = turn_radps[0].hypot(turn_radps[1]);
    // Written so that not-a-number is refused.
    if !(aside_mps <= ASIDE_SHARE_MAX * speed_mps && tilt_radps <= ASIDE_SHARE_MAX * turn_radps[2].abs()) {
        return Err(Reason::NotProvable);
    }
    let linear = [ahead, if sideways { left } else { 0.0 }, 0.0].into();
    Ok(Twist { linear, angular: [0.0, 0.0, turn_radps[2]].into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn velocity(x_mps: f64, y_mps: f64, turn_radps: f64) -> Motion {
        Motion::Velocity { linear_mps: [x_mps, y_mps, 0.0], angular_radps: [0.0, 0.0, turn_radps] }
    }

    #[test]
    fn rg_25_a_velocity_in_the_map_becomes_a_twist_of_the_robot() {
        let north = UnitQuaternion::from_yaw_rad(std::f64::consts::FRAC_PI_2);
        let ahead = twist(&velocity(0.0, 0.3, 0.4), north, false).unwrap();
        assert!((ahead.linear.x - 0.3).abs() < 1e-9 && ahead.linear.y == 0.0 && (ahead.angular.z - 0.4).abs() < 1e-9);
        let back = twist(&velocity(0.0, -0.3, 0.0), north, false).unwrap();
        assert!((back.linear.x + 0.3).abs() < 1e-9);
        assert_eq!(twist(&velocity(0.0, 0.0, 0.0), north, false), Ok(Twist::default()));
    }

    #[test]
    fn rg_25_a_velocity_aside_is_refused_unless_the_robot_can_drive_sideways() {
        let straight = UnitQuaternion::IDENTITY;
        assert_eq!(twist(&velocity(0.0, 0.3, 0.0), straight, false), Err(Reason::NotProvable));
        assert_eq!(twist(&velocity(0.3, 0.1, 0.0), straight, false), Err(Reason::NotProvable));
        assert!(twist(&velocity(0.3, 0.05, 0.0), straight, false).is_ok());
        assert!((twist(&velocity(0.0, 0.3, 0.0), straight, true).unwrap().linear.y - 0.3).abs() < 1e-9);
        let up = Motion::Velocity { linear_mps: [0.0, 0.0, 0.2], angular_radps: [0.0; 3] };
        assert_eq!(twist(&up, straight, true), Err(Reason::NotProvable));
        let goal =
            Motion::PoseGoal { position_m: [1.0, 0.0, 0.0], orientation: None, speed_mps: None, duration_s: None };
        assert_eq!(twist(&goal, straight, true), Err(Reason::UnknownActuator));
    }
}
