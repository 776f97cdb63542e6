//! The wiring, `gate.toml`: where the station and the robot are. Limits never stand here.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use bridge::signing::PublicKey;
use robot::{RobotId, StationId};
use serde::Deserialize;

use crate::code::GateCode;
use crate::error::GateError;

/// The longest wiring, bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Names that say how a robot may move. They belong into its manifest.
const LIMITS: [&str; 8] = ["limits", "envelope", "body", "stop", "workspace", "force_n_max", "max_velocity", "limit"];
/// Endings and beginnings of such names.
const LIMIT_PARTS: [&str; 3] = ["_max", "_min", "max_"];

/// A wiring.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wiring {
    /// The robot; its manifest is the file `<robot>.toml` beside the wiring.
    pub robot: RobotId,
    /// Place of the gate.
    pub placement: Placement,
    /// The part of the gate in the robot's motion.
    #[serde(default)]
    pub mode: Mode,
    /// The station; left out by a gate on the robot's computer that gets its way to it by a pairing.
    #[serde(default)]
    pub station: StationWiring,
    /// A program that speaks for the robot.
    #[cfg(feature = "exec")]
    pub exec: Option<crate::adapters::exec::ExecWiring>,
    /// Tables of adapters that this build does not have; their content is not looked at.
    #[cfg(not(feature = "exec"))]
    exec: Option<toml::Table>,
    /// A robot of ROS 2.
    #[cfg(feature = "ros2")]
    pub ros2: Option<crate::adapters::ros2::Ros2Wiring>,
    #[cfg(not(feature = "ros2"))]
    ros2: Option<toml::Table>,
    mavlink: Option<toml::Table>,
    /// A vehicle of VDA 5050.
    #[cfg(feature = "vda5050")]
    pub vda5050: Option<crate::adapters::vda5050::Vda5050Wiring>,
    #[cfg(not(feature = "vda5050"))]
    vda5050: Option<toml::Table>,
    /// The text, for the lines of errors.
    #[serde(skip)]
    text: String,
}

/// Place of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// On the station's computer.
    Beside,
    /// On the robot's computer.
    Onboard,
}

/// Part of a gate in the robot's motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It admits commands, and stops.
    #[default]
    Command,
    /// It only watches: it hears no command and can send none.
    Shadow,
}

/// The station that a gate belongs to: on this computer, or behind the site's router.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StationWiring {
    /// Zenoh endpoint at which it listens on this computer.
    pub endpoint: Option<String>,
    /// Folder of the bundle that it has exported for the robot: the way to the router, the robot's certificate, and the
    /// station's id and key.
    pub bundle: Option<PathBuf>,
    /// Its id; without it anybody can stop the robot and nobody can move it.
    pub id: Option<StationId>,
    /// Its key, `ed25519:BASE64`.
    pub public_key: Option<String>,
}

/// The way to a station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// An endpoint on this computer.
    Here(String),
    /// Through the router of the bundle in this folder, which begins at that of the wiring.
    Router(PathBuf),
    /// Through the router of the bundle that the gate got in its pairing, in its own folder.
    Paired,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(endpoint) => f.write_str(endpoint),
            Self::Router(bundle) => write!(f, "the router of the bundle {}", bundle.display()),
            Self::Paired => f.write_str("the router that its pairing names"),
        }
    }
}

/// The adapters that a wiring can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after its protocol")]
pub enum AdapterKind {
    Exec,
    Ros2,
    Mavlink,
    Vda5050,
}

impl AdapterKind {
    /// Name of its table in a wiring.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exec => "exec",
            Self::Ros2 => "ros2",
            Self::Mavlink => "mavlink",
            Self::Vda5050 => "vda5050",
        }
    }

    /// True if this program has it.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Self::Exec => cfg!(feature = "exec"),
            Self::Ros2 => cfg!(feature = "ros2"),
            Self::Vda5050 => cfg!(feature = "vda5050"),
            Self::Mavlink => false,
        }
    }

    /// The refusal to run without it.
    #[must_use]
    pub fn not_built(self) -> GateError {
        GateError::new(GateCode::AdapterNotBuilt, format!("this program has no adapter {}", self.name()))
    }
}

impl Wiring {
    /// Reads the file at `path` and checks it.
    pub fn read(path: &Path) -> Result<Self, GateError> {
        let text = files::read_text(path, BYTES_MAX)
            .map_err(|error| GateError::new(GateCode::WiringUnreadable, format!("{}: {error}", path.display())))?;
        Self::parse(&text)
    }

    /// Reads a wiring's text and checks it.
    pub fn parse(text: &str) -> Result<Self, GateError> {
        // A limit is refused as such, not as an unknown key, so that the answer says where it belongs.
        refuse_limits(text)?;
        let wiring: Self = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
            GateError::new(GateCode::WiringSyntax, error.message()).at(line)
        })?;
        Ok(Self { text: text.to_owned(), ..wiring })
    }

    /// The text as it stands in the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The adapter that is named.
    pub fn adapter(&self) -> Result<AdapterKind, GateError> {
        let named = [
            (self.exec.is_some(), AdapterKind::Exec),
            (self.ros2.is_some(), AdapterKind::Ros2),
            (self.mavlink.is_some(), AdapterKind::Mavlink),
            (self.vda5050.is_some(), AdapterKind::Vda5050),
        ];
        let mut named = named.into_iter().filter(|(is_named, _)| *is_named).map(|(_, kind)| kind);
        match (named.next(), named.next()) {
            (Some(kind), None) => Ok(kind),
            (None, _) => Err(GateError::new(GateCode::NoAdapter, "no adapter is named")),
            (Some(_), Some(_)) => Err(GateError::new(GateCode::NoAdapter, "more than one adapter is named")),
        }
    }

    /// The way to the station, if it is one that nobody else can speak on.
    pub fn reach(&self) -> Result<Reach, GateError> {
        let refused = |code, message: String| GateError::new(code, message).at(line_of(&self.text, "station"));
        match (&self.station.endpoint, &self.station.bundle) {
            (None, None) if self.placement == Placement::Onboard => Ok(Reach::Paired),
            (None, Some(bundle)) => Ok(Reach::Router(bundle.clone())),
            // Plain TCP has neither encryption nor certificates, so that it must not leave this computer.
            (Some(endpoint), None) if !is_loopback(endpoint) => {
                let message = format!("{endpoint:?} is no tcp endpoint on this computer");
                Err(refused(GateCode::EndpointNotLoopback, message))
            }
            (Some(endpoint), None) => match self.placement {
                Placement::Beside => Ok(Reach::Here(endpoint.clone())),
                Placement::Onboard => {
                    let message = "placement \"onboard\" needs a pairing or a `bundle`, and no `endpoint`".to_owned();
                    Err(refused(GateCode::PlacementRefused, message))
                }
            },
            (Some(_), Some(_)) | (None, None) => {
                Err(refused(GateCode::BadStation, "exactly one of `endpoint` and `bundle` is needed".to_owned()))
            }
        }
    }

    /// Names of extra values that go to stations.
    #[must_use]
    pub fn forward(&self) -> &[String] {
        #[cfg(feature = "exec")]
        if let Some(exec) = &self.exec {
            return &exec.forward;
        }
        #[cfg(feature = "ros2")]
        if let Some(ros2) = &self.ros2 {
            return &ros2.forward;
        }
        &[]
    }

    /// The station that may command, with its key, as it stands here.
    pub(crate) fn station(&self) -> Result<Option<(StationId, PublicKey)>, GateError> {
        let line = line_of(&self.text, "station");
        let bad = |message: String| GateError::new(GateCode::BadStation, message).at(line);
        match (&self.station.id, &self.station.public_key) {
            (None, None) => Ok(None),
            (Some(id), Some(key)) => Ok(Some((id.clone(), key.parse().map_err(|error| bad(format!("{error}")))?))),
            (Some(_), None) | (None, Some(_)) => Err(bad("`id` and `public_key` belong together".to_owned())),
        }
    }
}

/// The place of the manifest that belongs to the wiring at `path`.
pub fn manifest_path(path: &Path, robot: &RobotId) -> PathBuf {
    path.with_file_name(format!("{robot}.toml"))
}

/// The address of an endpoint such as `tcp/127.0.0.1:7447`.
pub fn tcp_address(endpoint: &str) -> Option<SocketAddr> {
    endpoint.strip_prefix("tcp/")?.parse().ok()
}

/// True for an address of this computer. A host name is none: it may resolve to anything.
fn is_loopback(endpoint: &str) -> bool {
    tcp_address(endpoint).is_some_and(|address| address.ip().is_loopback())
}

/// Refuses names of limits in every table, before the form is looked at: a limit here would bind nothing, although
/// its author relies on it.
fn refuse_limits(text: &str) -> Result<(), GateError> {
    // Text that is no TOML is refused with its line by the reader that comes next.
    let Ok(table) = text.parse::<toml::Table>() else { return Ok(()) };
    let Some(name) = limit_in(&table) else { return Ok(()) };
    let message = format!("{name:?} is a limit, and limits stand in the manifest only");
    Err(GateError::new(GateCode::LimitsInWiring, message).at(line_of(text, &name)))
}

fn limit_in(table: &toml::Table) -> Option<String> {
    let is_limit = |name: &str| LIMITS.contains(&name) || LIMIT_PARTS.iter().any(|part| name.contains(part));
    table.iter().find_map(
        |(name, value)| {
            if is_limit(name) { Some(name.clone()) } else { value.as_table().and_then(limit_in) }
        },
    )
}

/// The first line that begins with, or sets, this name.
fn line_of(text: &str, name: &str) -> usize {
    let is_there = |line: &str| line.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    1 + text.lines().position(is_there).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "robot = \"rover-9\"\nplacement = \"beside\"\nstation = { endpoint = \"tcp/127.0.0.1:7447\" }\n\
                        [exec]\ncommand = [\"./robot.py\"]\n";

    fn refusal(text: &str) -> (String, Option<usize>) {
        let read = Wiring::parse(text);
        let used =
            read.and_then(|wiring| wiring.adapter().and(wiring.reach().map(drop)).and(wiring.station().map(drop)));
        let error = used.unwrap_err();
        (error.code.to_string(), error.line)
    }

    #[test]
    fn rg_01_a_wiring_is_read_and_what_is_not_in_its_form_is_refused_with_its_line() {
        let wiring = Wiring::parse(GOOD).unwrap();
        assert_eq!((wiring.mode, wiring.placement), (Mode::Command, Placement::Beside));
        assert_eq!(wiring.station(), Ok(None));
        let with = |from: &str, to: &str| {
            assert!(GOOD.contains(from), "{from}");
            refusal(&GOOD.replace(from, to))
        };
        let at = |code: &str, line| (code.to_owned(), Some(line));
        assert_eq!(with("command = [", "comand = ["), at("wiring_syntax", 5));
        assert_eq!(with("placement = \"beside\"", "placement = \"above\""), at("wiring_syntax", 2));
        assert_eq!(with("[exec]", "override = true\n[exec]"), at("wiring_syntax", 4));
        assert_eq!(with("[exec]", "[mavlink]\nsystem = 1\n[exec]"), ("no_adapter".to_owned(), None));
        assert_eq!(with("[exec]\ncommand = [\"./robot.py\"]\n", ""), ("no_adapter".to_owned(), None));
        assert_eq!(with("\" }", "\", id = \"desk\" }"), at("bad_station", 3));
        assert_eq!(with("\" }", "\", id = \"desk\", public_key = \"ed25519:AAAA\" }"), at("bad_station", 3));
    }

    #[test]
    fn rg_01_limits_are_refused_wherever_they_stand_in_a_wiring() {
        for (added, line) in [
            ("limits = { speed_mps_max = 1.0 }\n", 4),
            ("stop = \"hold\"\n", 4),
            ("force_n_max = 5\n", 4),
            ("[mavlink.tuning]\nx = 1\nmax_velocity = 5\n", 6),
        ] {
            let text = GOOD.replace("[exec]", &format!("{added}[exec]"));
            assert_eq!(refusal(&text), ("limits_in_wiring".to_owned(), Some(line)), "{added}");
        }
        let inside = format!("{GOOD}speed_mps_max = 2.0\n");
        assert_eq!(refusal(&inside), ("limits_in_wiring".to_owned(), Some(6)));
    }

    #[test]
    fn rg_02_beyond_this_computer_leads_only_the_bundle_of_a_site() {
        let onboard = GOOD.replace("beside", "onboard");
        assert_eq!(refusal(&onboard), ("placement_refused".to_owned(), Some(3)));
        let through_router = onboard.replace("endpoint = \"tcp/127.0.0.1:7447\"", "bundle = \".\"");
        assert_eq!(Wiring::parse(&through_router).unwrap().reach(), Ok(Reach::Router(PathBuf::from("."))));
        let without = |text: &str| text.replace("station = { endpoint = \"tcp/127.0.0.1:7447\" }\n", "");
        assert_eq!(Wiring::parse(&without(&onboard)).unwrap().reach(), Ok(Reach::Paired));
        assert_eq!(refusal(&without(GOOD)).0, "bad_station");
        let both = GOOD.replace("endpoint =", "bundle = \".\", endpoint =");
        assert_eq!(refusal(&both), ("bad_station".to_owned(), Some(3)));
        for endpoint in
            ["tls/station.lab:7447", "tcp/192.168.1.5:7447", "tcp/station.lab:7447", "udp/127.0.0.1:7447", ""]
        {
            let text = GOOD.replace("tcp/127.0.0.1:7447", endpoint);
            assert_eq!(refusal(&text), ("endpoint_not_loopback".to_owned(), Some(3)), "{endpoint}");
        }
        assert!(Wiring::parse(&GOOD.replace("127.0.0.1", "[::1]")).is_ok());
    }
}
