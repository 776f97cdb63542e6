//! From a motion as it was said to the command that is sent: robot, actuator, frame and speed filled in.

use robot::{ActuatorId, FrameId, RawCommand, RawGripper, RawMotion, RawPoseGoal, RobotId, UnitQuaternion};

use super::answer::{number, point};
use super::grammar::{Direction, Order};
use super::robots::{Actuator, Pose, Robot};

/// Speed of a motion that names none: slow enough to be watched, metres per second.
const SPEED_MPS_DEFAULT: f64 = 0.1;
/// Opening of a gripper if none is given: a hand-sized part fits, metres.
const OPENING_M_DEFAULT: f64 = 0.08;
/// A relative motion starts from the measured pose; an older one may be somewhere else by now, milliseconds.
const POSE_AGE_MS_MAX: u64 = 500;

/// A command ready to send.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ready {
    pub robot: String,
    pub args_raw: String,
    /// Description of the motion, with everything that was filled in.
    pub said: String,
}

/// Fills in what `order` leaves open. The error is a sentence for the operator.
pub(super) fn prepare(robot: &Robot, order: &Order) -> Result<Ready, String> {
    match order {
        Order::To { x_m, y_m, z_m, frame, speed_mps } => {
            let actuator = mover(robot)?;
            // A base has no height to choose: it stays on the floor of its frame.
            let z_m = z_m.or((actuator.kind == "base").then_some(0.0));
            let z_m = z_m.ok_or_else(|| format!("{} needs three coordinates: x y z.", robot.id))?;
            let frame = frame.as_ref().unwrap_or(&robot.default_frame);
            if !robot.frames.contains(frame) {
                return Err(format!("{} has no frame {frame}. It has: {}.", robot.id, robot.frames.join(", ")));
            }
            let place = Place { frame, position_m: [*x_m, *y_m, z_m], orientation: None };
            goal(robot, actuator, place, *speed_mps)
        }
        Order::By { direction, distance_m, speed_mps } => {
            let actuator = mover(robot)?;
            let pose = fresh_pose(robot)?;
            let offset_m = offset(robot, actuator, pose, *direction)?.map(|part| part * distance_m);
            let position_m = std::array::from_fn(|axis| round(pose.position_m[axis] + offset_m[axis]));
            let place = Place { frame: &pose.frame, position_m, orientation: None };
            goal(robot, actuator, place, *speed_mps)
        }
        Order::Turn { left_rad } => {
            let base = only(robot, "base that could turn", |actuator| actuator.kind == "base")?;
            let pose = fresh_pose(robot)?;
            // By way of a rotation, which brings the sum of two angles back into one turn.
            let yaw_rad = UnitQuaternion::from_yaw_rad(heading(robot, pose)?.yaw_rad() + left_rad).yaw_rad();
            let orientation = Some(UnitQuaternion::from_yaw_rad(yaw_rad).xyzw().map(|part| (part * 1e6).round() / 1e6));
            goal(robot, base, Place { frame: &pose.frame, position_m: pose.position_m, orientation }, None)
        }
        Order::Grip { force_n } => {
            let force = force_n.map(|force_n| format!(" at {} N", number(force_n))).unwrap_or_default();
            gripper(robot, 0.0, *force_n, &format!("closes{force}"))
        }
        Order::Open { opening_m } => {
            let opening_m = opening_m.unwrap_or(OPENING_M_DEFAULT);
            gripper(robot, opening_m, None, &format!("opens to {} m", number(opening_m)))
        }
    }
}

/// End of a motion: metres in `frame`, with an orientation `[x, y, z, w]` if one is wanted.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    frame: &'a str,
    position_m: [f64; 3],
    orientation: Option<[f64; 4]>,
}

fn goal(robot: &Robot, actuator: &Actuator, place: Place, speed_mps: Option<f64>) -> Result<Ready, String> {
    let Place { frame, position_m, orientation } = place;
    let limit_mps = robot.limits.as_ref().and_then(|limits| limits.speed_mps_max).unwrap_or(SPEED_MPS_DEFAULT);
    // Never above the robot's limit: a motion whose speed nobody chose should not be denied for it.
    let speed_mps = speed_mps.unwrap_or(SPEED_MPS_DEFAULT.min(limit_mps));
    let motion = RawMotion::PoseGoal(RawPoseGoal {
        position_m: position_m.to_vec(),
        orientation: orientation.map(|xyzw| xyzw.to_vec()),
        speed_mps: Some(speed_mps),
        duration_s: None,
    });
    let frame_id = FrameId::new(frame).map_err(|error| error.to_string())?;
    let heading = orientation.and_then(UnitQuaternion::new).map(|heading| heading.yaw_rad().to_degrees().round());
    let heading = heading.map(|degrees| format!(" facing {} deg", number(degrees))).unwrap_or_default();
    let said = format!("{} to {} m{heading} in {frame} at {} m/s", actuator.id, point(position_m), number(speed_mps));
    ready(robot, actuator, Asked { frame: Some(frame_id), force_n: None, motion }, said)
}

fn gripper(robot: &Robot, opening_m: f64, force_n: Option<f64>, does: &str) -> Result<Ready, String> {
    let actuator = only(robot, "gripper", |actuator| actuator.kind == "gripper")?;
    let motion = RawMotion::Gripper(RawGripper { opening_m, speed_mps: None });
    ready(robot, actuator, Asked { frame: None, force_n, motion }, format!("{} {does}", actuator.id))
}

/// A motion that is asked for, with its frame and the force that it may use, newtons.
struct Asked {
    frame: Option<FrameId>,
    force_n: Option<f64>,
    motion: RawMotion,
}

fn ready(robot: &Robot, actuator: &Actuator, asked: Asked, said: String) -> Result<Ready, String> {
    let Asked { frame, force_n, motion } = asked;
    let command = RawCommand {
        id: None,
        robot: RobotId::new(&*robot.id).map_err(|error| error.to_string())?,
        actuator: ActuatorId::new(&*actuator.id).map_err(|error| error.to_string())?,
        frame,
        force_n,
        ttl_ms: None,
        mission_id: None,
        motion,
    };
    let args_raw = serde_json::to_string(&command).map_err(|error| error.to_string())?;
    Ok(Ready { robot: robot.id.clone(), args_raw, said })
}

fn mover(robot: &Robot) -> Result<&Actuator, String> {
    only(robot, "actuator that can go to a place", |actuator| actuator.motions.iter().any(|name| name == "pose_goal"))
}

/// The one fitting actuator; with two a person has to say which.
fn only<'a>(robot: &'a Robot, what: &str, fits: impl Fn(&Actuator) -> bool) -> Result<&'a Actuator, String> {
    let fitting: Vec<&Actuator> = robot.actuators.iter().filter(|actuator| fits(actuator)).collect();
    match fitting.as_slice() {
        [actuator] => Ok(actuator),
        [] => Err(format!("{} has no {what}.", robot.id)),
        several => {
            let ids: Vec<&str> = several.iter().map(|actuator| actuator.id.as_str()).collect();
            Err(format!("{} has more than one {what}: {}.", robot.id, ids.join(", ")))
        }
    }
}

fn fresh_pose(robot: &Robot) -> Result<&Pose, String> {
    let pose = robot.pose.as_ref().ok_or_else(|| format!("The pose of {} is not known.", robot.id))?;
    if pose.age_ms > POSE_AGE_MS_MAX {
        return Err(format!(
            "The pose of {} is {} old; a relative motion needs one of at most {POSE_AGE_MS_MAX} ms.",
            robot.id,
            robot::span_in_words(pose.age_ms)
        ));
    }
    Ok(pose)
}

/// The unit step in the pose's frame: along the frame's axes for a tool, along the heading for a base.
fn offset(robot: &Robot, actuator: &Actuator, pose: &Pose, direction: Direction) -> Result<[f64; 3], String> {
    let along = match direction {
        Direction::Forward => [1.0, 0.0, 0.0],
        Direction::Back => [-1.0, 0.0, 0.0],
        Direction::Left => [0.0, 1.0, 0.0],
        Direction::Right => [0.0, -1.0, 0.0],
        Direction::Up => [0.0, 0.0, 1.0],
        Direction::Down => [0.0, 0.0, -1.0],
    };
    if actuator.kind != "base" {
        return Ok(along);
    }
    if along[2] != 0.0 {
        return Err(format!("{} moves on the floor: forward, back, left or right.", robot.id));
    }
    // Forward is where the base faces; along the axes of its frame it might have to drive sideways.
    Ok(UnitQuaternion::from_yaw_rad(heading(robot, pose)?.yaw_rad()).rotate(along))
}

fn heading(robot: &Robot, pose: &Pose) -> Result<UnitQuaternion, String> {
    let heading = pose.orientation.and_then(UnitQuaternion::new);
    heading.ok_or_else(|| format!("The heading of {} is not known; give a place instead.", robot.id))
}

/// To a tenth of a millimetre, so that sums read like what was said.
fn round(metres: f64) -> f64 {
    (metres * 1e4).round() / 1e4
}
