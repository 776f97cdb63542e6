//! Fields of a manifest and a wiring that follow from a graph and its messages, each with its source.
//!
//! A field that only a person knows is never proposed, and a stop service is offered, never chosen.

use robot::{FieldProposal, FieldSource, FindField, FindProtocol, FoundJoint, RobotId};

use super::group::{Group, JOINT_STATE, NAVIGATE, ODOMETRY, service_type};
use super::proposal::{CHOICES_MAX, chosen, description_of, proposal, up_to_mm};
use super::seen::{End, EndKind, GraphPlace, OdometrySeen, is_frame};
use super::{description, motion, parameters, pictures};

/// The least error of a pose that is believed, metres.
const LOCALISATION_ERROR_M_MIN: f64 = 0.05;
/// Standard deviations within which nearly every pose lies.
const SIGMAS: f64 = 3.0;
/// Beginnings of last names of services that stop a robot.
const STOP_NAMES: [&str; 2] = ["estop", "e_stop"];
/// Last names of services that stop a robot.
const STOP_WORDS: [&str; 2] = ["stop", "halt"];
/// Types of topics that are of use at the station.
const FORWARDED: [&str; 2] = ["sensor_msgs/msg/BatteryState", "diagnostic_msgs/msg/DiagnosticArray"];

/// The proposals for a robot.
pub fn proposals(group: &Group<'_>, at: &GraphPlace) -> Vec<FieldProposal> {
    let mut proposals: Vec<FieldProposal> = identity(group, at);
    proposals.extend(measured(group));
    proposals.extend(motion::proposals(group));
    proposals.extend(parameters::limits(group));
    proposals.extend(stops(group));
    proposals.extend(forwarded(group));
    proposals.extend(pictures::proposals(group));
    proposals.extend(radius(group));
    let usual = |field, value: &str| proposal(field, value.to_owned(), FieldSource::Usual, "", true);
    proposals.push(usual(FindField::Standstill, "0.02"));
    proposals.push(usual(FindField::StandstillRotation, "0.05"));
    proposals
}

/// Joints of the description.
pub fn joints(group: &Group<'_>) -> Vec<FoundJoint> {
    description_of(group).map(|(_, text)| description::joints(text)).unwrap_or_default()
}

fn identity(group: &Group<'_>, at: &GraphPlace) -> Vec<FieldProposal> {
    let mut proposals = Vec::new();
    let (name, source, is_guess) = match group.namespace.as_str() {
        "/" => (group.driver(), FieldSource::Node, true),
        namespace => (Some(namespace.to_owned()), FieldSource::Namespace, false),
    };
    if let Some(name) = name
        && let Some(id) = robot_id(&name)
    {
        proposals.push(proposal(FindField::Robot, id, source, &name, is_guess));
    }
    let address = match at.protocol {
        FindProtocol::Ros2Dds => "",
        FindProtocol::Ros2Zenoh => at.address.as_str(),
    };
    proposals.push(proposal(FindField::Domain, at.domain.to_string(), FieldSource::Address, address, false));
    let namespace = group.namespace.clone();
    proposals.push(proposal(FindField::Namespace, namespace.clone(), FieldSource::Namespace, &namespace, false));
    proposals
}

/// `tb4-1` of `/fleet/tb4_1`: the last part, in the letters of an id.
pub fn robot_id(name: &str) -> Option<String> {
    let last = name.rsplit('/').find(|part| !part.is_empty())?;
    let id = last.to_ascii_lowercase().replace('_', "-");
    RobotId::new(id.trim_matches('-')).ok().map(|id| id.to_string())
}

/// Pose, frame, velocity and joints.
fn measured(group: &Group<'_>) -> Vec<FieldProposal> {
    let mut proposals = Vec::new();
    let topics = group.named(EndKind::Publisher, &[ODOMETRY]);
    let heard = topics.iter().find_map(|&topic| group.seen.messages.odometry.get(topic).map(|seen| (topic, seen)));
    proposals.extend(match (heard, group.arm().filter(|_| topics.is_empty())) {
        (Some((topic, odometry)), _) => of_odometry(group, topic, odometry),
        (None, Some(arm)) => motion::tool_pose(group, arm).unwrap_or_default(),
        (None, None) => {
            of_transforms(group).or_else(|| topics.first().map(|topic| vec![pose_of_topic(topic)])).unwrap_or_default()
        }
    });
    proposals.extend(chosen(FindField::Velocity, &topics, FieldSource::Topic));
    proposals.extend(chosen(FindField::Joints, &group.named(EndKind::Publisher, &[JOINT_STATE]), FieldSource::Topic));
    proposals
}

/// A place on the map by transforms alone, to the frame that a parameter names.
fn of_transforms(group: &Group<'_>) -> Option<Vec<FieldProposal>> {
    let (base, at) = parameters::base_frame(group)?;
    let odometry = &group.seen.messages.transforms.iter().find(|(_, child)| *child == base)?.0;
    let map = map_above(group, odometry, &base)?;
    let pose = proposal(FindField::Pose, group.transform(&map, &base), FieldSource::Parameter, &at, true);
    let frame = proposal(FindField::Frame, map, FieldSource::Transforms, &at, false);
    Some([pose, frame].into_iter().chain(localised(group)).collect())
}

/// The error on a map, by the covariance of whoever finds the robot on it.
fn localised(group: &Group<'_>) -> Option<FieldProposal> {
    let mine = |topic: &str| group.ends.iter().any(|end| end.kind == EndKind::Publisher && end.name == topic);
    let of_map = group.seen.messages.localised.iter().filter(|(topic, _)| mine(topic));
    let (topic, sigma_m) = of_map.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    Some(error(*sigma_m, topic))
}

/// Three standard deviations.
fn error(sigma_m: f64, topic: &str) -> FieldProposal {
    let error_m = (SIGMAS * sigma_m).max(LOCALISATION_ERROR_M_MIN);
    proposal(FindField::LocalisationError, up_to_mm(error_m), FieldSource::Covariance, topic, true)
}

/// Nobody has said anything on the topic yet, so its frames are unknown.
fn pose_of_topic(topic: &str) -> FieldProposal {
    proposal(FindField::Pose, format!("odom {topic}"), FieldSource::Topic, topic, true)
}

/// A map is better than odometry, which drifts. The covariance of odometry says nothing about a place on a map.
fn of_odometry(group: &Group<'_>, topic: &str, odometry: &OdometrySeen) -> Vec<FieldProposal> {
    let mut proposals = Vec::new();
    let map = map_above(group, &odometry.frame, &odometry.child);
    match map.filter(|_| is_frame(&odometry.child)) {
        Some(map) => {
            let chain = format!("{map} > {} > {}", odometry.frame, odometry.child);
            let pose = group.transform(&map, &odometry.child);
            proposals.push(proposal(FindField::Pose, pose, FieldSource::Transforms, &chain, false));
            proposals.push(proposal(FindField::Frame, map, FieldSource::Transforms, &chain, false));
            proposals.extend(localised(group));
        }
        None => {
            proposals.push(proposal(FindField::Pose, format!("odom {topic}"), FieldSource::Message, topic, false));
            if is_frame(&odometry.frame) {
                let frame = odometry.frame.clone();
                proposals.push(proposal(FindField::Frame, frame, FieldSource::Message, topic, false));
            }
            proposals.extend(odometry.sigma_m.map(|sigma_m| error(sigma_m, topic)));
        }
    }
    proposals
}

/// A frame `map` from which transforms lead over `frame` to `child`.
fn map_above(group: &Group<'_>, frame: &str, child: &str) -> Option<String> {
    let transforms = &group.seen.messages.transforms;
    let leads = |parent: &str, child: &str| transforms.iter().any(|(from, to)| from == parent && to == child);
    (leads("map", frame) && leads(frame, child)).then(|| "map".to_owned())
}

/// Services that may stop it are offered; actions whose goals a stop cancels are proposed.
fn stops(group: &Group<'_>) -> Vec<FieldProposal> {
    let is_stop = |end: &&&End| {
        let last = end.name.rsplit('/').next().unwrap_or_default();
        end.kind == EndKind::Server
            && service_type(&end.dds_type) == "std_srvs/srv/Trigger"
            && (STOP_WORDS.contains(&last) || STOP_NAMES.iter().any(|beginning| last.starts_with(beginning)))
    };
    let services: Vec<String> =
        group.ends.iter().filter(is_stop).map(|end| end.name.clone()).take(CHOICES_MAX).collect();
    let mut proposals = Vec::new();
    if let Some(first) = services.first().cloned() {
        // Offered without a choice: a service that is called so may also do something else.
        proposals.push(FieldProposal {
            field: FindField::StopServices,
            value: None,
            choices: services,
            source: FieldSource::Service,
            at: first,
            is_guess: true,
        });
    }
    // A stop cancels the goals of the action that moves the robot anyway.
    let own = group.actions_of(NAVIGATE).first().copied().or_else(|| group.arm());
    let actions = group.actions().into_iter().map(|(name, _)| name).filter(|name| Some(*name) != own);
    let actions: Vec<&str> = actions.take(CHOICES_MAX).collect();
    if !actions.is_empty() {
        let all = actions.join(" ");
        proposals.push(proposal(FindField::CancelActions, all, FieldSource::Action, actions[0], true));
    }
    proposals
}

fn forwarded(group: &Group<'_>) -> Option<FieldProposal> {
    let topics: Vec<&str> = group.named(EndKind::Publisher, &FORWARDED).into_iter().take(CHOICES_MAX).collect();
    let first = topics.first()?;
    Some(proposal(FindField::Forward, topics.join(" "), FieldSource::Topic, first, false))
}

/// Radius by the costmaps, else by the shapes that the description gives for collisions. The sphere of an arm is that
/// of its tool, which nothing tells.
fn radius(group: &Group<'_>) -> Option<FieldProposal> {
    if group.arm().is_some() {
        return None;
    }
    parameters::radius(group).or_else(|| {
        let (at, text) = description_of(group)?;
        let radius = description::radius_m(text)?;
        Some(proposal(FindField::Radius, up_to_mm(radius), FieldSource::Description, &at, true))
    })
}
