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
/// The longest name of a source that is quoted.
const SOURCE_CHARS_MAX: usize = 100;
/// Keys of a manifest, and the fields that they are written from.
const KEYS: [(&str, FindField); 17] = [
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
    let manifest = fields.manifest();
    let wiring = fields.wiring(endpoint);
    if let Some(message) = of_protocol(protocol) {
        problems.push(DraftProblem { field: None, kind: DraftProblemKind::Bad, message: message.to_owned() });
    }
    problems.extend(fields.contradiction());
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
    let (mut values, mut problems) = (BTreeMap::new(), Vec::new());
    for field in FindField::iter() {
        let written = given.get(&field).filter(|given| !given.value.trim().is_empty());
        let Some(written) = written else {
            if !field.is_optional() {
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

fn of_manifest(error: &ManifestError) -> DraftProblem {
    let field = match error {
        ManifestError::Syntax { .. } => None,
        ManifestError::Value { key, .. } => {
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
        FindField::iter().all(|field| field.is_optional() || self.values.contains_key(&field))
    }

    /// Fields that can be used each, and not together.
    fn contradiction(&self) -> Option<DraftProblem> {
        let pose: Vec<&str> = self.given.get(&FindField::Pose)?.value.split_whitespace().collect();
        let frame = self.given.get(&FindField::Frame)?.value.trim();
        match pose.as_slice() {
            ["tf", parent, _] if !frame.is_empty() && *parent != frame => {
                Some(bad(FindField::Frame, format!("the pose is in {parent:?}, so this must be the same")))
            }
            _ => None,
        }
    }

    /// One line of a file, with its source; a note in its place while it has no value.
    fn line(&self, key: &str, field: FindField) -> String {
        match self.values.get(&field) {
            Some(value) => format!("{key} = {value}  # {}\n", self.source(field)),
            None if field.is_optional() => String::new(),
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
            FieldSource::Usual => "usual value",
        };
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

    fn manifest(&self) -> String {
        use FindField as F;
        let line = |key: &str, field| self.line(key, field);
        let mut text = "# Draft of a scan; each line names its source.\nschema = 1\n".to_owned();
        text += &[line("id", F::Robot), line("site", F::Site)].concat();
        text += "gate = \"reference\"\nsupervision = \"required\"\n";
        text += &[line("default_frame", F::Frame), line("hardware_estop", F::HardwareStop)].concat();
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

    /// Sources of the state and the base, whose keys follow from site and robot.
    fn sources(&self) -> String {
        let plain = |field| self.given.get(&field).map_or("", |given| given.value.trim());
        let (Ok(site), Ok(robot)) = (SiteId::new(plain(FindField::Site)), RobotId::new(plain(FindField::Robot))) else {
            return "\n# state and actuators are missing: their keys follow from site and id\n".to_owned();
        };
        let keys = RobotKeys::of(site.as_str(), &robot);
        let mut kinds = vec!["pose", "velocity"];
        kinds.extend(self.values.contains_key(&FindField::Joints).then_some("joints"));
        let mut text = String::new();
        for kind in kinds {
            let key = text::quoted(&keys.outputs().replace("**", &format!("state/{kind}")));
            // Writing into a text cannot fail.
            let _ = write!(text, "\n[[state]]\nkind = \"{kind}\"\nkey = {key}\ncodec = \"json\"\nmax_age_ms = 500\n");
        }
        let key = text::quoted(&keys.commands().replace("**", "act/base"));
        text + "\n[[actuators]]\nid = \"base\"\nkind = \"base\"\nkey = "
            + &key
            + "\npath = \"segment\"\nforce = \"rated\"\n"
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
            None => "placement = \"onboard\"\nstation = { bundle = \".\" }\n".to_owned(),
        };
        text += "\n[ros2]\ntransport = \"dds\"\n";
        text += &[line("domain", F::Domain), line("namespace", F::Namespace)].concat();
        text += &[line("pose", F::Pose), line("velocity", F::Velocity), line("joints", F::Joints)].concat();
        text += &match self.values.get(&F::CommandTopic) {
            Some(topic) => format!("cmd_vel = {{ topic = {topic} }}  # {}\n", self.source(F::CommandTopic)),
            None => line("cmd_vel", F::CommandTopic),
        };
        text += &[line("stop_service", F::StopServices), line("cancel_action", F::CancelActions)].concat();
        text + &line("forward", F::Forward)
    }
}

#[cfg(test)]
mod tests;
