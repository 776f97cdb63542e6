//! Removal of a robot while the station runs: its manifest is put aside, and what waits for it ends.

use std::sync::Arc;

use fleet::FleetCode;
use fleet::RobotHandle;
use robot::RobotId;
use runtime::disk;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{JobRow, ProposalReason, RobotRemoved, Tag};
use serde_json::Value;

use crate::Station;
use crate::code::StationCode;
use crate::manifests::{kept, not_written};

/// Takes a robot out and puts its manifest aside, so that no start takes it up again; gives the text.
///
/// # Errors
/// The robot is still there.
pub(super) async fn remove(station: &Arc<Station>, by: &Session, robot: &RobotId) -> Result<RobotRemoved, OpError> {
    let fleet = &station.fleet;
    // Held until the robot is out: it must not be added again while its manifest is put aside.
    let manifests = fleet.manifests.lock().await;
    let unit = fleet.unit(robot)?;
    check_certificate(station, &unit).await?;
    if let Some(mission) = station.missions.active_with(robot) {
        let message = format!("The active mission {mission} has {robot}. Pause or cancel the mission, then remove it.");
        return Err(OpError::new(FleetCode::RobotInUse, message));
    }
    let path = manifests.join(format!("{robot}.toml"));
    let manifest = kept(&path).await?;
    let put_aside = {
        // No start reads a file with this ending.
        let (from, aside) = (path.clone(), path.with_extension("toml.removed"));
        let is_there = manifest.is_some();
        async move {
            let moved = disk::blocking(move || if is_there { files::rename(&from, &aside) } else { Ok(()) }).await;
            moved.map_err(|error| not_written(&path, &error))
        }
    };
    fleet.take_out(robot, put_aside).await?;
    let reason = ProposalReason::RobotRemoved;
    // A card that stayed open could be approved for the next robot under this id.
    station.proposals.void_of(station, Some(by), robot, &reason);
    station.proposals.standing.void_of_robot(station, by, robot, &reason.to_string());
    for tag in [Tag::Robots, Tag::Connections, Tag::Proposals] {
        fleet.runtime.bus.changed(tag);
    }
    drop(manifests);
    let missions = fleet.missions_with(robot);
    Ok(RobotRemoved { robot: robot.clone(), manifest, missions, jobs: jobs_with(station, robot).await })
}

/// The jobs of all agents that call an operation on a robot and are not over, by name, else by id.
async fn jobs_with(station: &Station, robot: &RobotId) -> Vec<String> {
    let mut found = Vec::new();
    for agent in station.runner.agents.all() {
        let jobs = agent.jobs.list(None, None).await;
        let acts = |job: &JobRow| !job.state.has_ended() && job.input.as_ref().is_some_and(|input| names(input, robot));
        found.extend(jobs.into_iter().filter(acts).map(|job| job.name.unwrap_or_else(|| job.id.into())));
    }
    found
}

/// True if a robot stands in the fields of an input that name robots.
fn names(input: &Value, robot: &RobotId) -> bool {
    let is_robot = |value: &Value| value.as_str() == Some(robot.as_str());
    match input {
        Value::Object(fields) => fields.iter().any(|(name, value)| match name.as_str() {
            "robot" => is_robot(value),
            "robots" => value.as_array().is_some_and(|robots| robots.iter().any(is_robot)),
            _ => names(value, robot),
        }),
        Value::Array(items) => items.iter().any(|item| names(item, robot)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Refuses to forget a robot that the router still lets in.
async fn check_certificate(station: &Station, unit: &RobotHandle) -> Result<(), OpError> {
    let Some(name) = &unit.manifest.certificate_name else { return Ok(()) };
    let stored = station.network.stored().await;
    if stored.revoked.contains(name) || !stored.clients.iter().any(|client| client.name == *name) {
        return Ok(());
    }
    let message =
        format!("The certificate of {} is in force: the router still lets it in. Revoke it first.", unit.id());
    Err(OpError::new(StationCode::CertificateInForce, message))
}
