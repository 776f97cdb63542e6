//! Parameters of nodes, read over their services `list_parameters` and `get_parameters`. Neither changes or moves
//! anything; there is no way here to set one.

use std::collections::BTreeMap;
use std::time::Duration;

use robot::Instant;
use ros2_client::rcl_interfaces::{
    GetParametersRequest, GetParametersResponse, ListParametersRequest, ListParametersResponse,
};
use ros2_client::{Client, Message, Node, ParameterValue, RmwRequestId, ServiceTypeName};

use crate::adapters::ros2::calling::client;
use crate::adapters::ros2::domain::DomainError;

/// Last part of the name of the service that tells values.
const GET: &str = "get_parameters";
/// A node that has not answered is asked again after this time: a request is lost where the service was not found yet.
const ASK_EVERY: Duration = Duration::from_millis(500);
/// Answers of one service that are read at one look.
const ANSWERS_PER_LOOK: usize = 64;
/// Nodes that are asked.
const NODES_MAX: usize = 32;
/// Parameters of one node.
const PARAMETERS_MAX: usize = 256;
/// The longest name of a parameter, bytes.
const NAME_BYTES_MAX: usize = 256;
/// The longest value, bytes: that of a robot's description.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// Numbers, or texts, of one value.
const ELEMENTS_MAX: usize = 1_024;

/// Parameters of one node by their names.
pub type Parameters = BTreeMap<String, ParameterValue>;

/// The number of a parameter, which people write with and without a point.
#[must_use]
pub fn number(parameters: &Parameters, name: &str) -> Option<f64> {
    let value = parameters.get(name)?;
    if let ParameterValue::Integer(number) = value {
        // Limits and priorities are far from where this loses a digit.
        return Some(*number as f64);
    }
    let ParameterValue::Double(number) = value else { return None };
    number.is_finite().then_some(*number)
}

/// The text of a parameter.
#[must_use]
pub fn text<'p>(parameters: &'p Parameters, name: &str) -> Option<&'p str> {
    let ParameterValue::String(text) = parameters.get(name)? else { return None };
    (!text.is_empty()).then_some(text)
}

/// The numbers of a parameter.
#[must_use]
pub fn numbers<'p>(parameters: &'p Parameters, name: &str) -> Option<&'p [f64]> {
    let ParameterValue::DoubleArray(numbers) = parameters.get(name)? else { return None };
    Some(numbers)
}

/// The texts of a parameter.
#[must_use]
pub fn texts<'p>(parameters: &'p Parameters, name: &str) -> Option<&'p [String]> {
    let ParameterValue::StringArray(texts) = parameters.get(name)? else { return None };
    Some(texts)
}

/// The path of the node that tells its parameters over the service of this name.
#[must_use]
pub fn node_of_service(service: &str) -> Option<&str> {
    service.strip_suffix(GET)?.strip_suffix('/').filter(|node| !node.is_empty())
}

/// Reads parameters of several nodes at the same time, and never waits for one.
pub struct ParameterReader {
    node: Node,
    is_wanted: fn(&str) -> bool,
    asked: BTreeMap<String, Asked>,
}

/// The part that is being read.
enum Step {
    Names,
    /// Names whose values are still to be read, in groups that one request asks for.
    Values(Vec<Vec<String>>),
    Done,
}

/// One node.
struct Asked {
    list: Client<ListParametersRequest, ListParametersResponse>,
    get: Client<GetParametersRequest, GetParametersResponse>,
    step: Step,
    /// Requests of this step, and the time of the last.
    requests: Vec<RmwRequestId>,
    sent: Option<Instant>,
    values: Parameters,
}

impl ParameterReader {
    /// Reads as `node` those parameters whose names are wanted.
    #[must_use]
    pub const fn new(node: Node, is_wanted: fn(&str) -> bool) -> Self {
        Self { node, is_wanted, asked: BTreeMap::new() }
    }

    /// Begins to read the parameters of a node, unless it was begun before or there are too many.
    ///
    /// # Errors
    /// Its services cannot be named, or no client of them can be made.
    pub fn ask(&mut self, node: &str) -> Result<(), DomainError> {
        if self.asked.contains_key(node) || self.asked.len() == NODES_MAX {
            return Ok(());
        }
        let service = |name: &str| ServiceTypeName::new("rcl_interfaces", name);
        let asked = Asked {
            list: client(&mut self.node, &format!("{node}/list_parameters"), &service("ListParameters"))?,
            get: client(&mut self.node, &format!("{node}/{GET}"), &service("GetParameters"))?,
            step: Step::Names,
            requests: Vec::new(),
            sent: None,
            values: Parameters::new(),
        };
        self.asked.insert(node.to_owned(), asked);
        Ok(())
    }

    /// Takes in answers, and sends what is due.
    pub fn look(&mut self, now: Instant) {
        for asked in self.asked.values_mut() {
            asked.hear(self.is_wanted);
            asked.send(now);
        }
    }

    /// True once every node that was asked has told everything.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.asked.values().all(|asked| matches!(asked.step, Step::Done))
    }

    /// Everything that was read, by node. A node that did not tell everything is left out.
    #[must_use]
    pub fn into_parameters(self) -> BTreeMap<String, Parameters> {
        let whole = self.asked.into_iter().filter(|(_, asked)| matches!(asked.step, Step::Done));
        whole.map(|(node, asked)| (node, asked.values)).collect()
    }
}

impl Asked {
    fn send(&mut self, now: Instant) {
        if self.sent.is_some_and(|sent| now.since(sent) < ASK_EVERY) {
            return;
        }
        let request = match &self.step {
            // No prefix and depth 0 ask for every name, by `rcl_interfaces`.
            Step::Names => self.list.send_request(ListParametersRequest { prefixes: Vec::new(), depth: 0 }).ok(),
            Step::Values(groups) => groups
                .last()
                .and_then(|names| self.get.send_request(GetParametersRequest { names: names.clone() }).ok()),
            Step::Done => None,
        };
        self.requests.extend(request);
        self.sent = Some(now);
    }

    fn hear(&mut self, is_wanted: fn(&str) -> bool) {
        match &self.step {
            Step::Names => {
                let Some(listed) = answer(&self.list, &self.requests) else { return };
                let names = listed.result.names.into_iter();
                let is_name =
                    |name: &str| name.len() <= NAME_BYTES_MAX && name.bytes().all(|byte| byte.is_ascii_graphic());
                let names = names.filter(|name| is_name(name) && is_wanted(name));
                self.read(vec![names.take(PARAMETERS_MAX).collect()]);
            }
            Step::Values(_) => {
                let Some(told) = answer(&self.get, &self.requests) else { return };
                self.note(told.values.into_iter().map(ParameterValue::from).collect());
            }
            Step::Done => {}
        }
    }

    /// Takes in the values of the last group. A node answers nothing at all if one of the parameters has no value, so
    /// that the others are asked for again, by halves.
    fn note(&mut self, values: Vec<ParameterValue>) {
        let Step::Values(groups) = &mut self.step else { return };
        let mut groups = std::mem::take(groups);
        let mut names = groups.pop().unwrap_or_default();
        if values.len() == names.len() {
            self.values.extend(names.into_iter().zip(values).filter(|(_, value)| is_bounded(value)));
        } else if names.len() > 1 {
            let half = names.split_off(names.len() / 2);
            groups.extend([names, half]);
        }
        self.read(groups);
    }

    /// Goes on with these groups of names.
    fn read(&mut self, mut groups: Vec<Vec<String>>) {
        groups.retain(|names| !names.is_empty());
        self.step = if groups.is_empty() { Step::Done } else { Step::Values(groups) };
        self.requests.clear();
        self.sent = None;
    }
}

/// The newest answer to one of these requests.
fn answer<Request: Message + 'static, Response: Message + 'static>(
    client: &Client<Request, Response>,
    requests: &[RmwRequestId],
) -> Option<Response> {
    for _ in 0..ANSWERS_PER_LOOK {
        let (id, response) = client.receive_response().ok().flatten()?;
        // Answers to others, and to earlier requests, are passed over.
        if requests.contains(&id) {
            return Some(response);
        }
    }
    None
}

const fn is_bounded(value: &ParameterValue) -> bool {
    match value {
        ParameterValue::NotSet => false,
        ParameterValue::Boolean(_) | ParameterValue::Integer(_) | ParameterValue::Double(_) => true,
        ParameterValue::String(text) => text.len() <= TEXT_BYTES_MAX,
        ParameterValue::ByteArray(list) => list.len() <= ELEMENTS_MAX,
        ParameterValue::BooleanArray(list) => list.len() <= ELEMENTS_MAX,
        ParameterValue::IntegerArray(list) => list.len() <= ELEMENTS_MAX,
        ParameterValue::DoubleArray(list) => list.len() <= ELEMENTS_MAX,
        ParameterValue::StringArray(list) => list.len() <= ELEMENTS_MAX,
    }
}
