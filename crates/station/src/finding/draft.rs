//! The draft of a manifest and a wiring, and everything that keeps the robot from being added.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bridge::RobotKeys;
use robot::{FieldSource, FindField, FindProtocol, Manifest, ManifestError, RobotId, SiteId};
use runtime::wire::{DraftField, DraftProblem, DraftProblemKind, ManifestMeaning, RobotDraft};
use strum::IntoEnumIterator as _;

use super::text;

/// Stands for the key that a gate makes when it is paired: the manifest is checked with it and kept without.
const KEY_OF_A_CHECK: &str = "public_key = \"ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"\n";
/// The line after which the key stands.
const BEFORE_THE_KEY: &str = "\n[body]\n";
/// The most pictures that a camera is asked for, per second.
const CAMERA_RATE_HZ: &str = "10.0";
/// The longest name of a source that is quoted.
const SOURCE_CHARS_MAX: usize = 100;
/// Keys of a manifest, and the fields that they are written from.
const KEYS: [(&str, FindField); 19] = [
    ("id", FindField::Robot),
    ("site", FindField::Site),
    ("default_frame", FindField::Frame),
    ("hardware_estop", FindField::HardwareStop),
    ("body.bounding_radius_m", FindField::Radius),
    ("body.localisation_error_m", FindField::LocalisationError),
    ("body.margin_m", FindField::Margin),
    ("envelope", FindField::Envelope),
    ("limits.speed_mps_max", FindField::Speed),
    ("limits.angular_radps_max", FindField::Rotation),
    ("limits.acceleration_mps2_max", FindField::Acceleration),
    ("limits.goal_jump_m_max", FindField::GoalJump),
    ("limits.workspace", FindField::Workspace),
    ("stop.reaction_s", FindField::Reaction),
    ("stop.decel_mps2", FindField::Braking),
    ("stop.standstill_mps", FindField::Standstill),
    ("stop.standstill_radps", FindField::StandstillRotation),
    ("actuators", FindField::JointLimits),
    ("cameras", FindField::Cameras),
];

/// The fields of a draft by what they are, each in the form of TOML where it can be.
struct Fields<'f> {
    given: BTreeMap<FindField, &'f DraftField>,
    values: BTreeMap<FindField, String>,
}

/// The draft of a robot from the fields as a person sees them. `endpoint` is where its gate reaches this station; none
/// for a station that reaches its robots through a router. `is_known` tells of an id that a robot has already.
pub(crate) fn draft(
    protocol: FindProtocol,
    fields: &[DraftField],
    endpoint: Option<&str>,
    is_known: impl Fn(&RobotId) -> bool,
) -> RobotDraft {
    let (fields, mut problems) = read(fields);
    let manifest = fields.manifest(endpoint.is_none());
    let wiring = fields.wiring(endpoint);
    if let Some(message) = of_protocol(protocol) {
        problems.push(DraftProblem { field: None, kind: DraftProblemKind::Bad, message: message.to_owned() });
    }
    problems.extend(fields.contradictions());
    let mut meaning = None;
    if fields.is_whole() {
        match Manifest::parse_new(&manifest.replacen(BEFORE_THE_KEY, &format!("{KEY_OF_A_CHECK}{BEFORE_THE_KEY}"), 1)) {
            Ok(read) => {
                let is_known = is_known(&read.id);
                if is_known {
                    problems.push(bad(FindField::Robot, format!("A robot {} is there already.", read.id)));
                }
                meaning = Some(ManifestMeaning::of(&read, is_known));
            }
            Err(error) => problems.push(of_manifest(&error)),
        }
    }
    RobotDraft { protocol, manifest, wiring, problems, meaning }
}

fn bad(field: FindField, message: String) -> DraftProblem {
    DraftProblem { field: Some(field), kind: DraftProblemKind::Bad, message }
}

/// Reads every field; the last one of a kind counts.
fn read(fields: &[DraftField]) -> (Fields<'_>, Vec<DraftProblem>) {
    let given: BTreeMap<FindField, &DraftField> = fields.iter().map(|field| (field.field, field)).collect();
    let has = |field| is_given(&given, field);
    let (mut values, mut problems) = (BTreeMap::new(), Vec::new());
    for field in FindField::iter() {
        let Some(written) = given.get(&field).filter(|_| has(field)) else {
            if field.is_needed(has) {
                let (kind, message) = (DraftProblemKind::Missing, "it has no value".to_owned());
                problems.push(DraftProblem { field: Some(field), kind, message });
            }
            continue;
        };
        match text::toml(field, &written.value) {
            Ok(value) => {
                values.insert(field, value);
                if written.is_guess {
                    let (kind, message) = (DraftProblemKind::Unconfirmed, "nobody has confirmed it".to_owned());
                    problems.push(DraftProblem { field: Some(field), kind, message });
                }
            }
            Err(message) => problems.push(bad(field, message)),
        }
    }
    (Fields { given, values }, problems)
}

/// True if a field has any text.
fn is_given(given: &BTreeMap<FindField, &DraftField>, field: FindField) -> bool {
    given.get(&field).is_some_and(|given| !given.value.trim().is_empty())
}

fn of_manifest(error: &ManifestError) -> DraftProblem {
    let field = match error {
        ManifestError::Syntax { .. } => None,
        ManifestError::Value { key, .. } => {
            // The key of a problem may go on to a part of the field, such as one axis of a box.
            KEYS.iter().find(|(written, _)| key.starts_with(written)).map(|(_, field)| *field)
        }
    };
    DraftProblem { field, kind: DraftProblemKind::Bad, message: error.to_string() }
}

/// The reason why a gate of this program cannot speak to the robot.
const fn of_protocol(protocol: FindProtocol) -> Option<&'static str> {
    match protocol {
        FindProtocol::Ros2Dds => None,
        FindProtocol::Ros2Zenoh => Some("quarterdeck-gate does not speak ROS 2 over Zenoh yet."),
    }
}

impl Fields<'_> {
    /// True if every field that a robot needs can be used.
    fn is_whole(&self) -> bool {
        FindField::iter().all(|field| !self.needs(field) || self.values.contains_key(&field))
    }

    fn needs(&self, field: FindField) -> bool {
        field.is_needed(|other| self.has(other))
    }

    fn has(&self, field: FindField) -> bool {
        is_given(&self.given, field)
    }

    /// Fields that can be used each, and not together.
    fn contradictions(&self) -> Vec<DraftProblem> {
        let plain = |field| self.given.get(&field).map_or("", |given| given.value.trim());
        let (pose, frame) = (plain(FindField::Pose), plain(FindField::Frame));
        let mut problems = Vec::new();
        let words: Vec<&str> = pose.split_whitespace().collect();
        // A transform gives the pose in its parent frame, and positions are judged in the manifest's frame.
        if let ["tf", parent, _, ..] = words.as_slice()
            && !frame.is_empty()
            && *parent != frame
        {
            problems.push(bad(FindField::Frame, format!("the pose is in {parent:?}, so this must be the same")));
        }
        let is_base = self.has(FindField::CommandTopic) || self.has(FindField::Navigate);
        if self.has(FindField::Trajectory) && is_base {
            let message =
                "one gate moves a base or an arm: leave this empty, or the topic of velocities and the action of goals";
            problems.push(bad(FindField::Trajectory, message.to_owned()));
        }
        for field in [FindField::Mux, FindField::Lock] {
            if self.has(field) && !self.has(FindField::CommandTopic) {
                problems.push(bad(field, "it belongs to a topic of velocities".to_owned()));
            }
        }
        problems
    }

    /// One line of a file, with its source; a note in its place while it has no value.
    fn line(&self, key: &str, field: FindField) -> String {
        match self.values.get(&field) {
            Some(value) => format!("{key} = {value}  # {}\n", self.source(field)),
            None if !self.needs(field) => String::new(),
            None => format!("# {key} is missing\n"),
        }
    }

    /// The source of a value in words.
    fn source(&self, field: FindField) -> String {
        let Some(DraftField { source: Some(source), at, is_guess, .. }) = self.given.get(&field) else {
            return "a person".to_owned();
        };
        let kind = match source {
            FieldSource::Address => "address of the scan",
            FieldSource::Namespace => "namespace",
            FieldSource::Node => "node",
            FieldSource::Topic => "topic",
            FieldSource::Message => "message of",
            FieldSource::Transforms => "transforms",
            FieldSource::Covariance => "spread of poses of",
            FieldSource::Service => "service",
            FieldSource::Action => "action",
            FieldSource::Description => "description on",
            FieldSource::Parameter => "parameter",
            FieldSource::Usual => "usual value",
        };
        // It comes from the robot's network into a comment of TOML: a line break would begin a key of its own.
        let at: String = at.chars().filter(|letter| !letter.is_control()).take(SOURCE_CHARS_MAX).collect();
        let guess = if *is_guess { ", a guess" } else { "" };
        format!("{kind} {at}{guess}").replace(" ,", ",").trim_end().to_owned()
    }

    fn axes(&self, field: FindField) -> Option<[&str; 3]> {
        self.values.get(&field)?.split('\n').collect::<Vec<_>>().try_into().ok()
    }

    fn space(&self, table: &str, field: FindField, names: [&str; 3]) -> String {
        let Some(axes) = self.axes(field) else { return format!("# {table} is missing\n") };
        let mut text = format!("[{table}]  # {}\n", self.source(field));
        for (name, axis) in names.iter().zip(axes) {
            // Writing into a text cannot fail.
            let _ = writeln!(text, "{name} = {axis}");
        }
        text
    }

    fn manifest(&self, is_behind_router: bool) -> String {
        use FindField as F;
        let line = |key: &str, field| self.line(key, field);
        let mut text = "# Draft of a scan; each line names its source.\nschema = 1\n".to_owned();
        text += &[line("id", F::Robot), line("site", F::Site)].concat();
        if is_behind_router {
            text += &self.certificate_name();
        }
        text += "gate = \"reference\"\nsupervision = \"required\"\n";
        text += &[line("default_frame", F::Frame), line("hardware_estop", F::HardwareStop)].concat();
        text += &self.map();
        text += BEFORE_THE_KEY;
        text += &line("bounding_radius_m", F::Radius);
        text += &[line("localisation_error_m", F::LocalisationError), line("margin_m", F::Margin)].concat();
        text += "\n[limits]\n";
        text += &[line("speed_mps_max", F::Speed), line("angular_radps_max", F::Rotation)].concat();
        text += &[line("acceleration_mps2_max", F::Acceleration), line("goal_jump_m_max", F::GoalJump)].concat();
        text += "\n";
        text += &self.space("limits.workspace", F::Workspace, ["x", "y", "z"]);
        text += "\n";
        text += &self.space("envelope", F::Envelope, ["x_m", "y_m", "z_m"]);
        text += "\n[stop]\nack_ms = 500\n";
        text += &[line("behaviour", F::StopBehaviour), line("carries_load", F::CarriesLoad)].concat();
        text += &[line("reaction_s", F::Reaction), line("decel_mps2", F::Braking)].concat();
        text += &[line("standstill_mps", F::Standstill), line("standstill_radps", F::StandstillRotation)].concat();
        text += &self.sources();
        text
    }

    /// Keys of the robot, which follow from its site and its id.
    fn keys(&self) -> Option<RobotKeys> {
        let plain = |field| self.given.get(&field).map_or("", |given| given.value.trim());
        let (site, robot) = (SiteId::new(plain(FindField::Site)).ok()?, RobotId::new(plain(FindField::Robot)).ok()?);
        Some(RobotKeys::of(site.as_str(), &robot))
    }

    /// The key of the map, if there is one.
    fn map(&self) -> String {
        match self.keys().filter(|_| self.values.contains_key(&FindField::Map)) {
            Some(keys) => format!("map = {{ key = {} }}\n", text::quoted(&keys.outputs().replace("**", "map"))),
            None => String::new(),
        }
    }

    /// Sources of the state, cameras, and the thing that moves.
    fn sources(&self) -> String {
        let Some(keys) = self.keys() else {
            return "\n# state and actuators are missing: their keys follow from site and id\n".to_owned();
        };
        let kinds = [("pose", None), ("velocity", Some(FindField::Velocity)), ("joints", Some(FindField::Joints))];
        let kinds = kinds.iter().filter(|(_, field)| field.is_none_or(|field| self.values.contains_key(&field)));
        let mut text = String::new();
        for (kind, _) in kinds {
            let key = text::quoted(&keys.outputs().replace("**", &format!("state/{kind}")));
            // Writing into a text cannot fail.
            let _ = write!(text, "\n[[state]]\nkind = \"{kind}\"\nkey = {key}\ncodec = \"json\"\nmax_age_ms = 500\n");
        }
        text + &self.cameras(&keys) + &self.actuator(&keys)
    }

    fn cameras(&self, keys: &RobotKeys) -> String {
        let given = self.given.get(&FindField::Cameras).filter(|_| self.values.contains_key(&FindField::Cameras));
        let cameras = given.and_then(|given| text::cameras(given.value.trim()).ok()).unwrap_or_default();
        let mut text = String::new();
        for text::CameraField { id, encoding, .. } in cameras {
            let key = text::quoted(&keys.outputs().replace("**", &format!("camera/{id}")));
            // Writing into a text cannot fail.
            let _ = write!(
                text,
                "\n[[cameras]]\nid = \"{id}\"\nkey = {key}\nencoding = {encoding}\nrate_hz = {CAMERA_RATE_HZ}  # at most\n"
            );
        }
        text
    }

    /// The base or the arm. A robot that takes goals plans its own path.
    fn actuator(&self, keys: &RobotKeys) -> String {
        let is_arm = self.has(FindField::Trajectory);
        let (id, kind) = if is_arm { ("arm", "tool") } else { ("base", "base") };
        let key = text::quoted(&keys.commands().replace("**", &format!("act/{id}")));
        let path = if is_arm || self.has(FindField::Navigate) { "own" } else { "segment" };
        let joints = if is_arm { self.line("joints", FindField::JointLimits) } else { String::new() };
        format!(
            "\n[[actuators]]\nid = \"{id}\"\nkind = \"{kind}\"\nkey = {key}\npath = \"{path}\"\nforce = \"rated\"\n{joints}"
        )
    }

    /// The name of the robot's own certificate, once its parts are known.
    fn certificate_name(&self) -> String {
        let bare = |field| self.values.get(&field).map(|value| value.trim_matches('"'));
        match (bare(FindField::Robot), bare(FindField::Site)) {
            (Some(robot), Some(site)) => format!("certificate_name = \"{robot}.{site}\"\n"),
            (Some(_) | None, Some(_) | None) => String::new(),
        }
    }

    fn wiring(&self, endpoint: Option<&str>) -> String {
        use FindField as F;
        let line = |key: &str, field| self.line(key, field);
        let mut text = "# Draft of a scan; each line names its source.\n".to_owned();
        text += &line("robot", F::Robot);
        text += &match endpoint {
            Some(endpoint) => {
                format!("placement = \"beside\"\nstation = {{ endpoint = {} }}\n", text::quoted(endpoint))
            }
            None => "placement = \"onboard\"  # its pairing brings the way to the station\n".to_owned(),
        };
        text += "\n[ros2]\ntransport = \"dds\"\n";
        text += &[line("domain", F::Domain), line("namespace", F::Namespace)].concat();
        text += &[line("pose", F::Pose), line("velocity", F::Velocity), line("joints", F::Joints)].concat();
        text += &self.velocities();
        text += &[line("navigate", F::Navigate), line("trajectory", F::Trajectory)].concat();
        text += &[line("stop_service", F::StopServices), line("cancel_action", F::CancelActions)].concat();
        text + &[line("forward", F::Forward), line("cameras", F::Cameras), line("map", F::Map)].concat()
    }

    /// The way of velocities, with the mux before the robot.
    fn velocities(&self) -> String {
        let Some(topic) = self.values.get(&FindField::CommandTopic) else {
            return self.line("cmd_vel", FindField::CommandTopic);
        };
        let more = [("mux", FindField::Mux), ("lock", FindField::Lock)].into_iter();
        let more = more.filter_map(|(key, field)| Some((format!(", {key} = {}", self.values.get(&field)?), field)));
        let (keys, fields): (Vec<String>, Vec<FindField>) = more.unzip();
        let sources: Vec<String> =
            [FindField::CommandTopic].into_iter().chain(fields).map(|field| self.source(field)).collect();
        format!("cmd_vel = {{ topic = {topic}{} }}  # {}\n", keys.concat(), sources.join("; "))
    }
}

#[cfg(test)]
mod tests;
