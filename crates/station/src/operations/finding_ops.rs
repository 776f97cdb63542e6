//! Finding robots, and setting them up from what was found.

use std::path::PathBuf;
use std::sync::Arc;

use bridge::Profile;
use robot::{Effect, FindProtocol, Role, ScanReport, Trust};
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, message, row};
use runtime::session::Session;
use runtime::wire::{DraftField, RobotDraft, RobotPrepared};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::Station;
use crate::code::StationCode;
use crate::export;
use crate::finding::{Places, draft};

/// Legal lengths of a scan, seconds.
const SECONDS: std::ops::RangeInclusive<u16> = 2..=60;
/// Domains, or routers, of one scan.
const PLACES_MAX: usize = 8;
/// Fields of one draft; each kind counts once.
const FIELDS_MAX: usize = 64;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "scan_robots",
            Terms(Admin, Write, UI, Trust::Text),
            "Looks for robots on the network for some seconds. Nothing is sent that could move one.",
            scan_robots,
        )
        .example(json!({ "domains": [0], "routers": [], "seconds": 20 })),
        row("cancel_scan", Terms(Admin, Write, UI, Trust::Text), "Ends the scan for robots that runs.", cancel_scan),
        row(
            "draft_robot",
            Terms(Viewer, Read, UI, Trust::Text),
            "Makes a manifest and a wiring of fields, says what is open, and keeps nothing.",
            draft_robot,
        )
        .example(example()),
        row(
            "prepare_robot",
            Terms(Admin, Write, UI, Trust::Text),
            "Writes the manifest and the wiring of a new robot into a folder, for its gate to be paired.",
            prepare_robot,
        )
        .example(json!({ "folder": "/home/me/gates/rover-9", "protocol": "ros2_dds", "fields": [] })),
    ]
}

fn example() -> serde_json::Value {
    let field = json!({ "field": "robot", "value": "rover-9", "source": "namespace", "at": "/rover_9" });
    json!({ "protocol": "ros2_dds", "fields": [field] })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScanRobots {
    /// Domains of ROS 2 over DDS, 0 to 101.
    #[schemars(length(max = 8))]
    domains: Vec<u16>,
    /// Endpoints of Zenoh routers of ROS 2, for example `tcp/192.168.1.5:7447`.
    #[schemars(length(max = 8))]
    routers: Vec<String>,
    /// Length of the scan, 2 to 60 seconds.
    seconds: u16,
}

async fn scan_robots(station: Arc<Station>, _: Session, input: ScanRobots) -> Result<ScanReport, OpError> {
    let ScanRobots { domains, routers, seconds } = input;
    if !SECONDS.contains(&seconds) {
        return Err(OpError::out_of_range("seconds", *SECONDS.start(), *SECONDS.end()));
    }
    let bad = |path: &str, why: &'static str| Err(OpError::bad_input(StationCode::BadScan, path, why));
    if domains.is_empty() && routers.is_empty() {
        return bad("domains", "Name a domain or a router to look at.");
    }
    if domains.len() > PLACES_MAX || routers.len() > PLACES_MAX {
        return bad("domains", "At most eight domains and eight routers are looked at.");
    }
    if domains.iter().any(|domain| *domain > 101) {
        return bad("domains", "A domain is a number from 0 to 101.");
    }
    let own = station.runtime.link.endpoints();
    if routers.iter().any(|router| own.contains(router)) {
        return bad("routers", "This station listens there itself; a robot's router is another one.");
    }
    station.scanner.scan(&Places { domains, routers, seconds }, &station.runtime.ended).await
}

async fn cancel_scan(station: Arc<Station>, _: Session, _: Nothing) -> Result<Message, OpError> {
    Ok(message(if station.scanner.cancel() { "The scan was cancelled." } else { "No scan runs." }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DraftRobot {
    /// The protocol over which it was found.
    protocol: FindProtocol,
    /// Its fields as they are now.
    fields: Vec<DraftField>,
}

async fn draft_robot(station: Arc<Station>, _: Session, input: DraftRobot) -> Result<RobotDraft, OpError> {
    drafted(&station, &input.fields, input.protocol)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PrepareRobot {
    /// A folder on the station's computer, from `/` on, that does not exist yet or is empty.
    folder: PathBuf,
    /// The protocol over which it was found.
    protocol: FindProtocol,
    /// Its fields, each filled in and confirmed.
    fields: Vec<DraftField>,
}

async fn prepare_robot(station: Arc<Station>, _: Session, input: PrepareRobot) -> Result<RobotPrepared, OpError> {
    let PrepareRobot { folder, protocol, fields } = input;
    let drafted = drafted(&station, &fields, protocol)?;
    let open = || OpError::new(StationCode::DraftOpen, "A field is missing, wrong, or a guess that nobody confirmed.");
    let robot =
        drafted.meaning.map(|meaning| meaning.robot).filter(|_| drafted.problems.is_empty()).ok_or_else(open)?;
    let files = vec![
        ("gate.toml".to_owned(), drafted.wiring.into_bytes()),
        (format!("{robot}.toml"), drafted.manifest.into_bytes()),
    ];
    export::write_folder(&folder, files).await?;
    let config = folder.join("gate.toml");
    Ok(RobotPrepared {
        robot,
        folder: folder.to_string_lossy().into_owned(),
        pair: format!("quarterdeck-gate pair --config {}", quoted(&config.to_string_lossy())),
    })
}

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if path.bytes().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

fn drafted(station: &Station, fields: &[DraftField], protocol: FindProtocol) -> Result<RobotDraft, OpError> {
    if fields.len() > FIELDS_MAX {
        return Err(OpError::limit_reached(FIELDS_MAX, "A draft has no more fields."));
    }
    let endpoint = match station.runtime.link.profile() {
        Profile::Local => station.runtime.link.endpoints().into_iter().next(),
        Profile::Production => None,
    };
    Ok(draft(protocol, fields, endpoint.as_deref(), |robot| station.fleet.unit(robot).is_ok()))
}
