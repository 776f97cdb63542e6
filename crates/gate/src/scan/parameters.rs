//! Fields that follow from the parameters of a robot's nodes: its limits of speed, and the radius of its body.

use robot::{FieldProposal, FieldSource, FindField};

use super::group::Group;
use super::proposal::{DESCRIPTION, proposal, up_to_mm};
use super::seen::is_frame;
use crate::adapters::ros2::{Parameters, is_of_mux, number, numbers, text};

/// Parts of names of nodes whose parameters say something about a robot.
const NODES: [&str; 11] = [
    "amcl",
    "base",
    "bt_navigator",
    "controller",
    "costmap",
    "driver",
    "monitor",
    "mux",
    "robot",
    "smoother",
    "state_publisher",
];
/// Parameters of a controller, and of Nav2's controllers behind the names of their plugins, that limit the speed ahead.
const SPEEDS: [&str; 5] = ["linear.x.max_velocity", "max_vel_x", "max_speed_xy", "desired_linear_vel", "vx_max"];
/// Those that limit the rotation.
const ROTATIONS: [&str; 3] = ["angular.z.max_velocity", "max_vel_theta", "wz_max"];
/// Those that limit the acceleration ahead.
const ACCELERATIONS: [&str; 3] = ["linear.x.max_acceleration", "acc_lim_x", "ax_max"];
/// Speeds ahead, aside and of turning, of a velocity smoother.
const SMOOTH_SPEEDS: &str = "max_velocity";
/// Accelerations of a velocity smoother, in the same order.
const SMOOTH_ACCELERATIONS: &str = "max_accel";
/// Outline of a body in Nav2's costmaps, which counts before the radius.
const FOOTPRINT: &str = "footprint";
/// Radius of a body in Nav2's costmaps.
const RADIUS: &str = "robot_radius";
/// Names of joints of a trajectory controller.
pub const JOINTS: &str = "joints";
/// Parameters that name the frame which moves with the robot.
const BASE_FRAMES: [&str; 3] = ["base_frame_id", "robot_base_frame", "base_frame"];
/// Corners of an outline.
const CORNERS_MAX: usize = 256;

/// True for a node whose parameters are read.
pub fn is_of_interest(node: &str) -> bool {
    let name = node.rsplit('/').next().unwrap_or_default();
    NODES.iter().any(|part| name.contains(part))
}

/// True for a parameter whose value is read.
pub fn is_wanted(name: &str) -> bool {
    let limits = SPEEDS.iter().chain(&ROTATIONS).chain(&ACCELERATIONS);
    let whole = [SMOOTH_SPEEDS, SMOOTH_ACCELERATIONS, FOOTPRINT, RADIUS, JOINTS, DESCRIPTION];
    is_of_mux(name)
        || whole.contains(&name)
        || BASE_FRAMES.contains(&name)
        || limits.into_iter().any(|limit| is_named(name, limit))
}

/// True for the parameter itself, and for that of a plugin.
fn is_named(name: &str, wanted: &str) -> bool {
    name.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Limits of speed; of several the smallest counts. Each is a guess: it is a setting, which people change.
pub fn limits(group: &Group<'_>) -> Vec<FieldProposal> {
    let fields = [
        (FindField::Speed, SPEEDS.as_slice(), SMOOTH_SPEEDS, 0),
        (FindField::Rotation, ROTATIONS.as_slice(), SMOOTH_SPEEDS, 2),
        (FindField::Acceleration, ACCELERATIONS.as_slice(), SMOOTH_ACCELERATIONS, 0),
    ];
    let smallest = |(field, names, smooth, axis): (FindField, &[&str], &str, usize)| {
        let limits = group.parameters().flat_map(|(node, parameters)| {
            let plain = parameters.keys().filter(|name| names.iter().any(|wanted| is_named(name, wanted)));
            let plain = plain.filter_map(|name| Some((number(parameters, name)?, name.as_str())));
            let smoothed = numbers(parameters, smooth).and_then(|limits| limits.get(axis).copied());
            let all = plain.chain(smoothed.map(|limit| (limit, smooth)));
            all.map(|(limit, name)| (limit, format!("{node} {name}"))).collect::<Vec<_>>()
        });
        let limits = limits.filter(|(limit, _)| limit.is_finite() && *limit > 0.0);
        // Whichever node limits it most decides how fast the robot really is.
        let (limit, at) = limits.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        Some(proposal(field, limit.to_string(), FieldSource::Parameter, &at, true))
    };
    fields.into_iter().filter_map(smallest).collect()
}

/// The largest body of every costmap; a guess, because a costmap is flat.
pub fn radius(group: &Group<'_>) -> Option<FieldProposal> {
    let bodies = group.parameters().filter_map(|(node, parameters)| {
        let (radius, name) = body(parameters)?;
        Some((radius, format!("{node} {name}")))
    });
    let (radius, at) = bodies.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(proposal(FindField::Radius, up_to_mm(radius), FieldSource::Parameter, &at, true))
}

/// Radius of the body of a costmap, and the parameter that says it.
fn body(parameters: &Parameters) -> Option<(f64, &'static str)> {
    if let Some(radius) = text(parameters, FOOTPRINT).and_then(farthest_corner) {
        return Some((radius, FOOTPRINT));
    }
    let radius = number(parameters, RADIUS).filter(|radius| *radius > 0.0)?;
    Some((radius, RADIUS))
}

/// Distance of the farthest corner of an outline such as `[[0.2, 0.1], [-0.2, 0.1], [0.0, -0.1]]`.
fn farthest_corner(outline: &str) -> Option<f64> {
    let corners: Vec<[f64; 2]> = serde_json::from_str(outline).ok()?;
    let is_outline = (3..=CORNERS_MAX).contains(&corners.len());
    let farthest = corners.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max);
    (is_outline && farthest.is_finite() && farthest > 0.0).then_some(farthest)
}

/// The frame that moves with the robot, and the parameter that names it.
pub fn base_frame(group: &Group<'_>) -> Option<(String, String)> {
    group.parameters().find_map(|(node, parameters)| {
        let name = BASE_FRAMES.into_iter().find(|name| text(parameters, name).is_some_and(is_frame))?;
        Some((text(parameters, name)?.to_owned(), format!("{node} {name}")))
    })
}
