//! The network of the robots: who is reached, and the certificates of the site.

use std::path::PathBuf;
use std::sync::Arc;

use bridge::Profile;
use memory::StoredCertificate;
use robot::{Effect, RobotId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use world::alarm::{BuiltIn, Of};

use super::Operation;
use crate::Station;
use crate::network::{Exported, Request, StationKey, Wanted, days_left};
use fleet::RobotHandle;
use runtime::error::OpError;
use runtime::operation::{Nothing, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{
    CertificateHolder, CertificateRow, Connections, CredentialsExport, LinkHop, LinkProblem, LinkState, NetworkProfile,
    RobotConnection, RobotLeftOut, Tag,
};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "get_connections",
            Terms(Viewer, Read, UI, Trust::Text),
            "The network: profile, routers, certificates, and which part of the way to a robot fails.",
            get_connections,
        ),
        row(
            "issue_credentials",
            Terms(Admin, Write, UI, Trust::Text),
            "Makes certificates and the router's rules, and exports them once.",
            issue_credentials,
        )
        .example(json!({"folder": "/home/admin/bundles", "router": "router.lab:7447"})),
        row(
            "revoke_robot",
            Terms(Admin, Write, UI, Trust::Text),
            "Takes a robot's certificate out of the router's rules, and exports the rules.",
            revoke_robot,
        )
        .example(json!({"robot": "arm-1", "folder": "/home/admin/rules"})),
    ]
}

async fn get_connections(station: Arc<Station>, _: Session, _: Nothing) -> Result<Connections, OpError> {
    let (stored, now) = (station.network.stored().await, station.runtime.clock.now());
    let link = &station.runtime.link;
    let router_connected = link.has_router();
    let profile = match link.profile() {
        // Without the keys for its router a station opens no link to it, and is of the production profile.
        Profile::Local if station.network.routers().is_empty() => NetworkProfile::Local,
        Profile::Local | Profile::Production => NetworkProfile::Production,
    };
    let robots = station.fleet.units().into_iter().map(|unit| {
        let last_beat = unit.last_beat();
        let state = unit.link_state(now.station);
        let certificate_name = unit.manifest.certificate_name.clone();
        RobotConnection {
            robot: unit.id().clone(),
            simulated: unit.simulated,
            revoked: certificate_name.as_ref().is_some_and(|name| stored.revoked.contains(name)),
            certificate_name,
            link: state,
            last_beat_age_ms: last_beat.map(|at| now.station.since(at).as_millis().try_into().unwrap_or(u64::MAX)),
            // A local station has no router on the way that could fail first.
            failing_hop: failing_hop(&unit, state, profile == NetworkProfile::Local || router_connected),
        }
    });
    let own = [
        (CertificateHolder::Authority, &stored.authority),
        (CertificateHolder::Station, &stored.station),
        (CertificateHolder::Router, &stored.router),
    ];
    let own = own.into_iter().filter_map(|(holder, certificate)| Some((holder, certificate.as_ref()?)));
    let clients = stored.clients.iter().map(|certificate| (CertificateHolder::Client, certificate));
    let row = |(holder, certificate): (CertificateHolder, &StoredCertificate)| CertificateRow {
        name: certificate.name.clone(),
        holder,
        made_ms: certificate.made_ms,
        ends_ms: certificate.not_after_ms,
        days_left: days_left(certificate, now.wall_ms),
    };
    let problem = station.network.problem();
    let problem = problem.map(|problem| problem_now(problem, stored.station.as_ref(), &station));
    Ok(Connections {
        profile,
        routers: station.network.routers().to_vec(),
        router_connected,
        listening: link.endpoints(),
        problem: problem.as_ref().map(LinkProblem::to_string),
        problem_kind: problem,
        router_address: stored.router_address.clone(),
        certificates: own.chain(clients).map(row).collect(),
        robots: robots.collect(),
    })
}

/// The reason why the link reaches nobody; once certificates were made in this run, a start is all that is missing.
fn problem_now(problem: &LinkProblem, own: Option<&StoredCertificate>, station: &Station) -> LinkProblem {
    let began_ms = station.network.began_ms();
    // A link reads its certificate only when it is opened.
    if own.is_some_and(|certificate| certificate.made_ms >= began_ms) {
        return LinkProblem::RestartNeeded;
    }
    problem.clone()
}

/// The first part of the way that fails, from the station on.
fn failing_hop(unit: &RobotHandle, link: LinkState, router_connected: bool) -> Option<LinkHop> {
    match link {
        LinkState::Live | LinkState::Late => None,
        LinkState::Lost | LinkState::Never if !router_connected => Some(LinkHop::StationRouter),
        LinkState::Lost | LinkState::Never if !unit.gate_is_connected() => Some(LinkHop::RouterRobot),
        LinkState::Lost | LinkState::Never => Some(LinkHop::RobotSilent),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IssueCredentials {
    /// A folder on the station's computer, from `/` on, that does not exist yet or is empty.
    folder: PathBuf,
    /// The address at which robots reach the router, `HOST` or `HOST:PORT`. The router gets a new certificate with it; left out,
    /// it keeps its own and gets new rules only.
    router: Option<String>,
    /// Robots that get a certificate; every robot and every other source if left out.
    robots: Option<Vec<RobotId>>,
}

async fn issue_credentials(
    station: Arc<Station>,
    _: Session,
    input: IssueCredentials,
) -> Result<CredentialsExport, OpError> {
    let IssueCredentials { folder, router, robots } = input;
    // An unknown robot would be left out of the export without a word.
    for robot in robots.iter().flatten() {
        station.fleet.unit(robot)?;
    }
    let now_ms = station.runtime.clock.now().wall_ms;
    let wanted = wanted(&station);
    let request = Request { robots: robots.as_deref(), router: router.as_deref(), folder: &folder };
    let exported = station.network.issue(&station.runtime.db, &wanted, request, now_ms).await?;
    for name in &exported.certificates {
        clear_end(&station, name);
    }
    station.runtime.bus.changed(Tag::Connections);
    Ok(row_of(folder, exported, true))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevokeRobot {
    /// The robot.
    robot: RobotId,
    /// A folder on the station's computer, from `/` on, that does not exist yet or is empty.
    folder: PathBuf,
}

async fn revoke_robot(station: Arc<Station>, _: Session, input: RevokeRobot) -> Result<CredentialsExport, OpError> {
    let RevokeRobot { robot, folder } = input;
    let unit = station.fleet.unit(&robot)?;
    let exported = station.network.revoke(&station.runtime.db, &wanted(&station), &unit.manifest, &folder).await?;
    if let Some(name) = &unit.manifest.certificate_name {
        clear_end(&station, name);
    }
    station.runtime.bus.changed(Tag::Connections);
    Ok(row_of(folder, exported, false))
}

/// A certificate that was replaced or revoked warns of its end no more.
fn clear_end(station: &Station, name: &str) {
    station.sensing.alarms.set(BuiltIn::CertificateEnds, &Of::station().item(name), false, String::new);
}

/// The robots of the simulator have no router between them and the station.
fn wanted(station: &Station) -> Wanted {
    let robots = station.fleet.units().into_iter().filter(|unit| !unit.simulated);
    let path = |robot: &RobotId| station.runtime.layout.robots.join(format!("{robot}.toml"));
    Wanted {
        site: station.network.site().to_owned(),
        station: StationKey { id: station.runtime.id.clone(), public: station.runtime.key.public().to_string() },
        robots: robots.map(|unit| (unit.manifest.as_ref().clone(), path(unit.id()))).collect(),
    }
}

fn row_of(folder: PathBuf, exported: Exported, restart_needed: bool) -> CredentialsExport {
    let left_out = exported.left_out.into_iter().map(|(robot, hindrance)| {
        let reason = hindrance.sentence(&robot);
        RobotLeftOut { robot, reason, hindrance }
    });
    CredentialsExport {
        folder: folder.to_string_lossy().into_owned(),
        files: exported.files,
        certificates: exported.certificates,
        left_out: left_out.collect(),
        restart_needed,
    }
}
