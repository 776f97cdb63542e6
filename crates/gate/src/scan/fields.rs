//! Fields of a manifest and a wiring that follow from a graph and its messages, each with its source.
//!
//! A field that only a person knows is never proposed, and a stop service is offered, never chosen.

use robot::{FieldProposal, FieldSource, FindField, FindProtocol, FoundJoint, RobotId};

use super::description;
use super::robots::{Group, JOINT_STATE, ODOMETRY, service_type};
use super::seen::{End, EndKind, GraphPlace, OdometrySeen, is_frame};

/// The least error of a pose that is believed, metres.
const LOCALISATION_ERROR_M_MIN: f64 = 0.05;
/// Standard deviations within which nearly every pose lies.
const SIGMAS: f64 = 3.0;
/// Choices of one field.
const CHOICES_MAX: usize = 32;
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
    proposals.extend(moved(group));
    proposals.extend(stops(group));
    proposals.extend(forwarded(group));
    proposals.extend(radius(group));
    let usual = |field, value: &str| proposal(field, value.to_owned(), FieldSource::Usual, "", true);
    proposals.push(usual(FindField::Standstill, "0.02"));
    proposals.push(usual(FindField::StandstillRotation, "0.05"));
    proposals
}

/// Joints of the description; they stand in no draft, because this program commands none.
pub fn joints(group: &Group<'_>) -> Vec<FoundJoint> {
    description_of(group).map(|(_, text)| description::joints(text)).unwrap_or_default()
}

fn proposal(field: FindField, value: String, source: FieldSource, at: &str, is_guess: bool) -> FieldProposal {
    FieldProposal { field, value: Some(value), choices: Vec::new(), source, at: at.to_owned(), is_guess }
}

/// The first of `values`, with all of them to choose from; a guess if there are several.
fn chosen(field: FindField, values: &[&str], source: FieldSource) -> Option<FieldProposal> {
    let first = values.first()?;
    let choices = values.iter().take(CHOICES_MAX).map(|&value| value.to_owned()).collect();
    Some(FieldProposal { choices, ..proposal(field, (*first).to_owned(), source, first, values.len() > 1) })
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
    proposals.extend(match heard {
        Some((topic, odometry)) => of_odometry(group, topic, odometry),
        None => topics.first().map(|topic| vec![pose_of_topic(topic)]).unwrap_or_default(),
    });
    proposals.extend(chosen(FindField::Velocity, &topics, FieldSource::Topic));
    proposals.extend(chosen(FindField::Joints, &group.named(EndKind::Publisher, &[JOINT_STATE]), FieldSource::Topic));
    proposals
}

/// Nobody has said anything on the topic yet, so its frames are unknown.
fn pose_of_topic(topic: &str) -> FieldProposal {
    proposal(FindField::Pose, format!("odom {topic}"), FieldSource::Topic, topic, true)
}

/// A map is better than odometry, which drifts.
fn of_odometry(group: &Group<'_>, topic: &str, odometry: &OdometrySeen) -> Vec<FieldProposal> {
    let mut proposals = Vec::new();
    let map = map_above(group, &odometry.frame, &odometry.child);
    match map.filter(|_| is_frame(&odometry.child)) {
        Some(map) => {
            let chain = format!("{map} > {} > {}", odometry.frame, odometry.child);
            let pose = format!("tf {map} {}", odometry.child);
            proposals.push(proposal(FindField::Pose, pose, FieldSource::Transforms, &chain, false));
            proposals.push(proposal(FindField::Frame, map, FieldSource::Transforms, &chain, false));
        }
        None => {
            proposals.push(proposal(FindField::Pose, format!("odom {topic}"), FieldSource::Message, topic, false));
            if is_frame(&odometry.frame) {
                let frame = odometry.frame.clone();
                proposals.push(proposal(FindField::Frame, frame, FieldSource::Message, topic, false));
            }
        }
    }
    if let Some(sigma) = odometry.sigma_m {
        let error = (SIGMAS * sigma).max(LOCALISATION_ERROR_M_MIN);
        let value = up_to_mm(error);
        proposals.push(proposal(FindField::LocalisationError, value, FieldSource::Covariance, topic, true));
    }
    proposals
}

/// The next whole millimetre, in metres; what is above one by the error of a calculation alone counts as it.
fn up_to_mm(length_m: f64) -> String {
    format!("{:.3}", (length_m * 1000.0 - 1e-6).ceil() / 1000.0)
}

/// A frame `map` from which transforms lead over `frame` to `child`.
fn map_above(group: &Group<'_>, frame: &str, child: &str) -> Option<String> {
    let transforms = &group.seen.messages.transforms;
    let leads = |parent: &str, child: &str| transforms.iter().any(|(from, to)| from == parent && to == child);
    (leads("map", frame) && leads(frame, child)).then(|| "map".to_owned())
}

fn moved(group: &Group<'_>) -> Vec<FieldProposal> {
    chosen(FindField::CommandTopic, &group.command_topics(), FieldSource::Topic).into_iter().collect()
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
        proposals.push(FieldProposal {
            field: FindField::StopServices,
            value: None,
            choices: services,
            source: FieldSource::Service,
            at: first,
            is_guess: true,
        });
    }
    let actions: Vec<&str> = group.actions().into_iter().map(|(name, _)| name).take(CHOICES_MAX).collect();
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

/// Half the longest way through the shapes that the description gives for collisions.
fn radius(group: &Group<'_>) -> Option<FieldProposal> {
    let (topic, text) = description_of(group)?;
    let radius = description::radius_m(text)?;
    Some(proposal(FindField::Radius, up_to_mm(radius), FieldSource::Description, topic, true))
}

/// The description that one of its nodes publishes.
fn description_of<'s>(group: &Group<'s>) -> Option<(&'s str, &'s str)> {
    let mine = |topic: &str| group.ends.iter().any(|end| end.kind == EndKind::Publisher && end.name == topic);
    let mut texts = group.seen.messages.descriptions.iter();
    texts.find(|(topic, _)| mine(topic)).map(|(topic, text)| (topic.as_str(), text.as_str()))
}
