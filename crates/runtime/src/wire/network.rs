//! The network of the robots: certificates, and who is reached.

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::LinkState;

/// Profiles of the station's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum NetworkProfile {
    /// On this computer alone, without TLS: for simulated robots.
    Local,
    /// Through a router, over TLS with certificates.
    Production,
}

/// The answer of `get_connections`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Connections {
    /// Profile of the link.
    pub profile: NetworkProfile,
    /// Routers that the station connects to; empty in the local profile.
    pub routers: Vec<String>,
    /// True while one of them answers.
    pub router_connected: bool,
    /// Endpoints at which the station listens; empty in the production profile.
    pub listening: Vec<String>,
    /// The reason why the link reaches nobody, whatever the network does; null if there is none.
    pub problem: Option<String>,
    /// The same with its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem_kind: Option<LinkProblem>,
    /// Address of the site's router as robots reach it, once certificates were made.
    pub router_address: Option<String>,
    /// The site's authority, the station, the router, then everybody else.
    pub certificates: Vec<CertificateRow>,
    /// Every robot with a manifest, by id.
    pub robots: Vec<RobotConnection>,
}

/// A reason why the station's link reaches nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum LinkProblem {
    /// It has no certificate.
    #[error("The station has no certificate yet: make the site's certificates in Admin, Connections.")]
    NoCertificate,
    /// Its key is no key.
    #[error("The station's TLS key cannot be used: it is no key of the curve P-256.")]
    KeyUnusable,
    /// Its key is not in the keychain.
    #[error("The station's TLS key is gone from the keychain: make the certificates again.")]
    KeyGone,
    /// The keychain does not give its key.
    #[error("The station's TLS key cannot be read: {message}.")]
    KeyUnread {
        /// The keychain's own words.
        message: String,
    },
    /// Its new certificate is taken up at the next start.
    #[error("Certificates were made. Start the station again: it takes up its certificate then.")]
    RestartNeeded,
}

/// The holder of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CertificateHolder {
    /// The site's authority, which signs all others.
    Authority,
    /// This station.
    Station,
    /// The router.
    Router,
    /// A robot or another source.
    Client,
}

/// A certificate, without its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CertificateRow {
    /// Its common name.
    pub name: String,
    /// Its holder.
    pub holder: CertificateHolder,
    /// When it was made, Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: i64,
    /// From then on its link is closed, Unix milliseconds.
    #[ts(type = "number")]
    pub ends_ms: i64,
    /// Whole days until then; below 0 once it has ended.
    #[ts(type = "number")]
    pub days_left: i64,
}

/// A part of the way between station and robot that does not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum LinkHop {
    /// No router answers the station.
    StationRouter,
    /// The robot's gate is not connected to the router, or in the local profile to the station.
    RouterRobot,
    /// The robot's gate is connected and says nothing.
    RobotSilent,
}

/// A robot as the station reaches it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotConnection {
    /// The robot.
    pub robot: RobotId,
    /// True for one of the built-in simulator.
    pub simulated: bool,
    /// The certificate name in its manifest.
    pub certificate_name: Option<String>,
    /// True if that name was revoked.
    pub revoked: bool,
    /// State of its link.
    pub link: LinkState,
    /// Age of its last beat, milliseconds; null before the first.
    #[ts(type = "number | null")]
    pub last_beat_age_ms: Option<u64>,
    /// The part of the way that fails; null while it answers.
    pub failing_hop: Option<LinkHop>,
}

/// The answer of `issue_credentials` and `revoke_robot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CredentialsExport {
    /// The folder on the station's computer.
    pub folder: String,
    /// Files in it.
    pub files: Vec<String>,
    /// Certificates in it.
    pub certificates: Vec<String>,
    /// Robots that got none, each with the reason.
    pub left_out: Vec<RobotLeftOut>,
    /// True if the station takes up its new certificate at its next start.
    pub restart_needed: bool,
}

/// A robot that got no certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotLeftOut {
    /// The robot.
    pub robot: RobotId,
    /// The reason.
    pub reason: String,
    /// The same with its code.
    pub hindrance: CertificateHindrance,
}

/// A reason why a robot gets no certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum CertificateHindrance {
    /// Its manifest names none.
    NoName,
    /// The name in its manifest has another form.
    BadName {
        /// Most characters.
        most: usize,
    },
    /// The name in its manifest is that of the station or of its router.
    ReservedName,
    /// Whoever has the old key could use it again.
    Revoked {
        /// The name.
        name: String,
    },
}

impl CertificateHindrance {
    /// The reason as a sentence on a robot.
    #[must_use]
    pub fn sentence(&self, robot: &RobotId) -> String {
        match self {
            Self::NoName => format!("The manifest of {robot} has no certificate_name."),
            Self::BadName { most } => {
                format!("The certificate_name of {robot} is 1 to {most} of a to z, 0 to 9, \".\", \"-\" and \"_\".")
            }
            Self::ReservedName => format!("The certificate_name of {robot} is that of the station or its router."),
            Self::Revoked { name } => format!(
                "{name} was revoked, and whoever has the old key could use it again. Give {robot} another certificate_name."
            ),
        }
    }
}
