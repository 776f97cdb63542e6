//! Fields of a wiring that say how a robot is moved: its actions, its topic of velocities, and the mux before it.

use robot::{FieldProposal, FieldSource, FindField, JOINTS_MAX, JointName};

use super::group::{FOLLOW, Group, JOINT_STATE, NAVIGATE};
use super::proposal::{CHOICES_MAX, chosen, description_of, offered, proposal};
use super::seen::{EndKind, is_frame};
use super::{description, parameters};
use crate::adapters::ros2::{Mux, MuxPart, texts};

/// Everything that moves a robot. A base is proposed before an arm: one gate moves one of them.
pub fn proposals(group: &Group<'_>) -> Vec<FieldProposal> {
    let navigate = group.actions_of(NAVIGATE);
    let mut proposals: Vec<FieldProposal> =
        chosen(FindField::Navigate, &navigate, FieldSource::Action).into_iter().collect();
    proposals.extend(velocities(group, !navigate.is_empty()));
    let arms = group.actions_of(FOLLOW);
    match group.arm() {
        Some(action) => {
            proposals.extend(chosen(FindField::Trajectory, &arms, FieldSource::Action));
            proposals.extend(joint_limits(group, action));
        }
        None => proposals.extend(offered(FindField::Trajectory, &arms, FieldSource::Action)),
    }
    proposals
}

/// The topic of velocities: an input of the mux that nobody uses, the highest first; else a topic that nobody
/// publishes on. A robot that takes goals can do without one, so that a topic which another program uses is only
/// offered there.
fn velocities(group: &Group<'_>, takes_goals: bool) -> Vec<FieldProposal> {
    let mux = group.parameters().find_map(|(node, parameters)| Mux::of(node, parameters));
    let topics = group.command_topics();
    let is_free = |topic: &str| group.publishers(topic).is_empty();
    let own = mux
        .iter()
        .flat_map(|mux| &mux.inputs)
        .find(|input| topics.contains(&input.topic.as_str()) && is_free(&input.topic));
    if let (Some(mux), Some(own)) = (&mux, own) {
        return of_mux(mux, own, &topics, is_free);
    }
    let free: Vec<&str> = topics.iter().copied().filter(|topic| is_free(topic)).collect();
    let proposed = match (free.is_empty(), takes_goals) {
        (true, true) => offered(FindField::CommandTopic, &topics, FieldSource::Topic),
        (true, false) => chosen(FindField::CommandTopic, &topics, FieldSource::Topic),
        (false, _) => chosen(FindField::CommandTopic, &free, FieldSource::Topic),
    };
    proposed.into_iter().collect()
}

/// The input of a mux, its node, and a lock that nobody holds. Which input is meant for a gate is a guess.
fn of_mux(mux: &Mux, own: &MuxPart, topics: &[&str], is_free: impl Fn(&str) -> bool) -> Vec<FieldProposal> {
    let at = |part: &MuxPart| format!("{} {}.topic", mux.node, part.key);
    let topic = |field, part: &MuxPart| proposal(field, part.topic.clone(), FieldSource::Parameter, &at(part), true);
    let is_input = |input: &&MuxPart| topics.contains(&input.topic.as_str()) && is_free(&input.topic);
    let free = mux.inputs.iter().filter(is_input).map(|input| input.topic.clone());
    let command = FieldProposal { choices: free.take(CHOICES_MAX).collect(), ..topic(FindField::CommandTopic, own) };
    let node = proposal(FindField::Mux, mux.node.clone(), FieldSource::Node, &mux.node, false);
    let lock = mux.locks.iter().find(|lock| !lock.topic.is_empty() && is_free(&lock.topic));
    [command, node].into_iter().chain(lock.map(|lock| topic(FindField::Lock, lock))).collect()
}

/// The joints of the controller of an action with their limits. Their acceleration has no source.
fn joint_limits(group: &Group<'_>, action: &str) -> Option<FieldProposal> {
    let (names, source, at) = joint_names(group, action)?;
    let described = description_of(group).map(|(_, text)| description::arm(text, &names)).unwrap_or_default();
    let line = |name: &String| {
        let joint = described.iter().find(|joint| joint.joint.name == *name);
        let number = |number: Option<f64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
        let limits = joint.map(|joint| &joint.joint);
        let unit = if limits.is_some_and(|joint| joint.slides) { "m" } else { "rad" };
        let [low, high] = limits.and_then(|joint| joint.range).map_or([None, None], |range| range.map(Some));
        let numbers =
            [low, high, limits.and_then(|joint| joint.speed_max), None, joint.and_then(|joint| joint.reach_m)];
        let effort = limits.and_then(|joint| joint.effort_max).map(|effort| effort.to_string());
        let words = [name.clone(), unit.to_owned()].into_iter().chain(numbers.map(number)).chain(effort);
        words.collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = names.iter().map(line).collect();
    Some(proposal(FindField::JointLimits, lines.join("; "), source, &at, true))
}

/// Names of the joints in the order of their controller, else in that of its measurements.
fn joint_names(group: &Group<'_>, action: &str) -> Option<(Vec<String>, FieldSource, String)> {
    let node = action.rsplit_once('/').map_or("", |(node, _)| node);
    let of_controller =
        group.parameters().find(|(path, _)| *path == node).and_then(|(_, told)| texts(told, parameters::JOINTS));
    let found = match of_controller {
        // The controller moves the joints of its own list; a topic may measure others too.
        Some(names) => (names.to_vec(), FieldSource::Parameter, format!("{node} {}", parameters::JOINTS)),
        None => {
            let topics = group.named(EndKind::Publisher, &[JOINT_STATE]);
            let measured = topics.into_iter().find_map(|topic| Some((topic, group.seen.messages.joints.get(topic)?)));
            let (topic, names) = measured?;
            (names.clone(), FieldSource::Message, topic.to_owned())
        }
    };
    let are_names =
        (1..=JOINTS_MAX).contains(&found.0.len()) && found.0.iter().all(|name| JointName::new(name.as_str()).is_ok());
    are_names.then_some(found)
}

/// Source of the pose of an arm's tool: the last link that its joints move, in the frame of the first. A guess,
/// because a tool may be mounted beyond it.
pub fn tool_pose(group: &Group<'_>, action: &str) -> Option<Vec<FieldProposal>> {
    let (names, ..) = joint_names(group, action)?;
    let (at, text) = description_of(group)?;
    let (base, tool) = description::ends(text, &names)?;
    let [base, tool] = [base, tool].map(|link| Some(link).filter(|link| is_frame(link)));
    let (base, tool) = (base?, tool?);
    let pose = proposal(FindField::Pose, group.transform(&base, &tool), FieldSource::Description, &at, true);
    Some(vec![pose, proposal(FindField::Frame, base, FieldSource::Description, &at, true)])
}
