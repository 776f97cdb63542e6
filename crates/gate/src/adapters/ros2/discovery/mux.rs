//! The order of a `twist_mux`, as its parameters give it: which input wins, for how long, and which lock masks it.
//!
//! It publishes only when an input does, so that a lock alone stops nothing, and a lock masks every input whose priority is
//! below its own. The zeros of a stop therefore need the highest input, and no lock above it.

use std::collections::BTreeSet;

use crate::adapters::ros2::discovery::parameters::{Parameters, number, text};

/// The longest time for which an input that has fallen silent keeps the others out, seconds.
const INPUT_TIMEOUT_S_MAX: f64 = 1.0;
/// The longest topic, bytes.
const TOPIC_BYTES_MAX: usize = 256;
/// Beginning of the parameters of inputs.
const INPUTS: &str = "topics";
/// Beginning of the parameters of locks.
const LOCKS: &str = "locks";

/// An input or a lock.
#[derive(Debug, Clone, PartialEq)]
pub struct MuxPart {
    /// Beginning of its parameters, for example `topics.joystick`.
    pub key: String,
    /// Its topic, with the slash at its beginning; empty if it has none that ROS 2 allows.
    pub topic: String,
    /// Time after which it counts as silent, seconds; 0 for never.
    pub timeout_s: Option<f64>,
    /// The highest one wins.
    pub priority: Option<f64>,
}

/// Inputs and locks of one mux.
#[derive(Debug, Clone, PartialEq)]
pub struct Mux {
    /// Path of its node.
    pub node: String,
    /// Its inputs, the highest first.
    pub inputs: Vec<MuxPart>,
    /// Its locks, the highest first.
    pub locks: Vec<MuxPart>,
}

/// True for a parameter that is part of the order of a mux.
#[must_use]
pub fn is_of_mux(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    matches!(parts.as_slice(), [INPUTS | LOCKS, _, "topic" | "timeout" | "priority"])
}

impl Mux {
    /// The mux whose parameters these are; none for another node.
    #[must_use]
    pub fn of(node: &str, parameters: &Parameters) -> Option<Self> {
        let inputs = parts(node, parameters, INPUTS);
        let locks = parts(node, parameters, LOCKS);
        (!inputs.is_empty()).then(|| Self { node: node.to_owned(), inputs, locks })
    }

    /// Everything in which the order is not the one that a gate's stop needs, each with the parameter and its remedy.
    #[must_use]
    pub fn problems(&self, topic: &str, lock: Option<&str>) -> Vec<String> {
        let mut problems: Vec<String> = self.inputs.iter().filter_map(input_problem).collect();
        let own = self.inputs.iter().find(|input| input.topic == topic);
        match own {
            None => problems.push(format!(
                "no input has the topic {topic}: give the gate one of its own, for example topics.quarterdeck.topic"
            )),
            Some(own) => problems.extend(self.order_problems(own)),
        }
        if let Some(topic) = lock {
            problems.extend(self.lock_problem(topic));
        }
        problems
    }

    /// Inputs that win over the gate's, or as often as it does, and locks that mask it.
    fn order_problems(&self, own: &MuxPart) -> Vec<String> {
        let Some(own_priority) = own.priority else {
            return vec![format!("{}.priority is not there: make it the highest of all", own.key)];
        };
        let mut problems = Vec::new();
        for other in self.inputs.iter().filter(|other| other.key != own.key) {
            match other.priority {
                None => problems.push(format!("{}.priority is not there: nobody knows which input wins", other.key)),
                Some(priority) if priority >= own_priority => problems.push(format!(
                    "{}.priority is {priority}, and {}.priority of the gate only {own_priority}: raise it above {priority}, or lower the other",
                    other.key, own.key
                )),
                Some(_) => {}
            }
        }
        for lock in &self.locks {
            match lock.priority {
                None => problems.push(format!("{}.priority is not there: nobody knows which inputs it masks", lock.key)),
                Some(priority) if priority > own_priority => problems.push(format!(
                    "{}.priority is {priority}, above {own_priority} of {}.priority: it would mask the zeros of a stop; raise the gate's to {priority}",
                    lock.key, own.key
                )),
                Some(_) => {}
            }
        }
        problems
    }

    /// The gate's lock is not there, or would stay open after the gate has died.
    fn lock_problem(&self, topic: &str) -> Option<String> {
        let Some(lock) = self.locks.iter().find(|lock| lock.topic == topic) else {
            return Some(format!(
                "no lock has the topic {topic}: give the gate one of its own, for example locks.quarterdeck.topic"
            ));
        };
        match lock.timeout_s {
            Some(timeout_s) if timeout_s > 0.0 => None,
            Some(_) | None => Some(format!(
                "{}.timeout is {}, so that the lock never expires: set it above 0, for example 0.5",
                lock.key,
                shown(lock.timeout_s)
            )),
        }
    }
}

fn input_problem(input: &MuxPart) -> Option<String> {
    match input.timeout_s {
        Some(timeout_s) if timeout_s > 0.0 && timeout_s <= INPUT_TIMEOUT_S_MAX => None,
        Some(_) | None => Some(format!(
            "{}.timeout is {}: set it above 0, at most {INPUT_TIMEOUT_S_MAX} s; 0 never expires",
            input.key,
            shown(input.timeout_s)
        )),
    }
}

fn shown(number: Option<f64>) -> String {
    number.map_or_else(|| "not there".to_owned(), |number| number.to_string())
}

/// The parts of one kind, the highest first.
fn parts(node: &str, parameters: &Parameters, kind: &str) -> Vec<MuxPart> {
    let named = parameters.keys().filter(|name| is_of_mux(name)).filter_map(|name| {
        let rest = name.strip_prefix(kind)?.strip_prefix('.')?;
        rest.split_once('.').map(|(part, _)| part)
    });
    let named: BTreeSet<&str> = named.collect();
    let mut parts: Vec<MuxPart> = named
        .into_iter()
        .map(|part| {
            let key = format!("{kind}.{part}");
            MuxPart {
                topic: topic(node, parameters, &format!("{key}.topic")).unwrap_or_default(),
                timeout_s: number(parameters, &format!("{key}.timeout")),
                priority: number(parameters, &format!("{key}.priority")),
                key,
            }
        })
        .collect();
    parts.sort_by(|one, other| other.priority.partial_cmp(&one.priority).unwrap_or(std::cmp::Ordering::Equal));
    parts
}

/// The topic that a parameter of a node names, with the node's namespace before it unless it begins with a slash.
#[must_use]
pub fn topic(node: &str, parameters: &Parameters, name: &str) -> Option<String> {
    let topic = text(parameters, name)?;
    let namespace = node.rsplit_once('/').map_or("", |(namespace, _)| namespace);
    let topic = if topic.starts_with('/') { topic.to_owned() } else { format!("{namespace}/{topic}") };
    is_written_plainly(&topic).then_some(topic)
}

/// True for a name of ROS 2 without anything that a terminal or a page would show in another way: whoever wrote it is a
/// stranger.
#[must_use]
pub fn is_written_plainly(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'/';
    name.len() <= TOPIC_BYTES_MAX && name.bytes().all(is_letter)
}

#[cfg(test)]
mod tests {
    use ros2_client::ParameterValue;

    use super::*;

    /// A mux whose order is the one that a gate needs, with one part changed.
    fn mux(change: &str, to: Option<f64>) -> Mux {
        let parts = [
            ("topics.gate", "cmd_vel_gate", 0.5, 200.0),
            ("topics.joystick", "/joy_vel", 0.5, 100.0),
            ("topics.nav", "nav_vel", 1.0, 10.0),
            ("locks.gate", "gate_lock", 0.5, 200.0),
            ("locks.pause", "pause", 0.0, 150.0),
        ];
        let mut parameters = Parameters::new();
        for (key, topic, timeout, priority) in parts {
            parameters.insert(format!("{key}.topic"), ParameterValue::String(topic.to_owned()));
            parameters.insert(format!("{key}.timeout"), ParameterValue::Double(timeout));
            parameters.insert(format!("{key}.priority"), ParameterValue::Integer(priority as i64));
        }
        match to {
            Some(to) => parameters.insert(change.to_owned(), ParameterValue::Double(to)),
            None => parameters.remove(change),
        };
        Mux::of("/tb4/twist_mux", &parameters).unwrap()
    }

    fn problems(change: &str, to: Option<f64>) -> Vec<String> {
        mux(change, to).problems("/tb4/cmd_vel_gate", Some("/tb4/gate_lock"))
    }

    #[test]
    fn rg_26_the_order_that_a_gate_needs_passes() {
        assert!(problems("other", Some(1.0)).is_empty());
        let inputs: Vec<String> = mux("other", None).inputs.into_iter().map(|input| input.topic).collect();
        assert_eq!(inputs, ["/tb4/cmd_vel_gate", "/joy_vel", "/tb4/nav_vel"]);
    }

    #[test]
    fn rg_26_each_other_order_names_its_parameter_and_the_remedy() {
        for (change, to, said) in [
            ("topics.joystick.priority", Some(200.0), "topics.joystick.priority is 200"),
            ("topics.joystick.priority", Some(255.0), "raise it above 255"),
            ("topics.joystick.priority", None, "topics.joystick.priority is not there"),
            ("topics.gate.priority", None, "topics.gate.priority is not there"),
            ("locks.gate.priority", Some(201.0), "locks.gate.priority is 201"),
            ("locks.pause.priority", Some(255.0), "it would mask the zeros of a stop"),
            ("topics.nav.timeout", Some(1.5), "topics.nav.timeout is 1.5: set it above 0, at most 1 s"),
            ("topics.nav.timeout", Some(0.0), "0 never expires"),
            ("topics.nav.timeout", None, "topics.nav.timeout is not there"),
            ("locks.gate.timeout", Some(0.0), "locks.gate.timeout is 0, so that the lock never expires"),
            ("locks.gate.timeout", None, "locks.gate.timeout is not there"),
            ("topics.gate.topic", None, "no input has the topic /tb4/cmd_vel_gate"),
            ("locks.gate.topic", None, "no lock has the topic /tb4/gate_lock"),
        ] {
            let problems = problems(change, to);
            assert!(problems.len() == 1 && problems[0].contains(said), "{change} {to:?}: {problems:?}");
        }
    }

    #[test]
    fn rg_05_a_topic_that_ros_2_does_not_allow_is_none() {
        for bad in ["cmd\u{1b}[2J", "a b", ""] {
            let parameters = Parameters::from([("t".to_owned(), ParameterValue::String(bad.to_owned()))]);
            assert_eq!(topic("/a", &parameters, "t"), None, "{bad:?}");
        }
    }

    #[test]
    fn rg_26_parameters_of_another_node_are_no_mux() {
        let parameters = Parameters::from([("topics".to_owned(), ParameterValue::Integer(1))]);
        assert_eq!(Mux::of("/a", &parameters), None);
    }
}
