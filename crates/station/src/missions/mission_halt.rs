//! Standstill of a mission: its running parts, and how they are made to stand.

use std::sync::Arc;

use robot::{MissionId, RobotId};

use crate::missions::AgentMissions;
use crate::station::Station;
use fleet::arming;
use runtime::session::Session;
use runtime::wire::MissionLive;

/// Holds the robots that carry out a command of the mission, voids what waits for a click, and takes its contexts,
/// rules and jobs out of force. Returns its parts that are live afterwards, and the robots that were not seen to stand.
pub(super) async fn still(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    (id, has_ended): (&MissionId, bool),
) -> (MissionLive, Vec<RobotId>) {
    let obeys = |unit: &fleet::robot_handle::RobotHandle| {
        unit.control().orders().any(|command| command.mission.as_ref() == Some(id))
    };
    // Commands approved while the mission ran are handed over first, so that they are ended with the rest.
    station.fleet.units().iter().for_each(|unit| drop(unit.in_turn()));
    let robots: Vec<RobotId> =
        station.fleet.units().into_iter().filter(|unit| obeys(unit)).map(|unit| unit.id().clone()).collect();
    for robot in &robots {
        if let Err(error) = arming::hold(&station.fleet, robot) {
            tracing::error!(%robot, %error, "a robot of a mission that stands still could not be held");
        }
    }
    let reason = format!("mission {id} stands still");
    station.proposals.void_of_mission(station, by, (&agent.unit.id, id), &reason);
    agent.unit.world.ingest.pause_mission(&station.sensing, &agent.unit.world, id);
    agent.unit.jobs.stand_still(&station.runner, &agent.unit, id, has_ended).await;
    let now = station.runtime.clock.now().station;
    let still_moving =
        robots.into_iter().filter(|robot| station.fleet.unit(robot).is_ok_and(|unit| !unit.is_still(now)));
    let still_moving = still_moving.collect();
    (live(station, agent, id).await, still_moving)
}

/// Puts the contexts and rules of a mission that goes on back in force. Its jobs go on by themselves once it is live.
pub(super) fn let_go(station: &Station, agent: &AgentMissions, id: &MissionId) {
    agent.unit.world.ingest.resume_mission(&station.sensing, &agent.unit.world, id);
}

/// Counts of the living parts of a mission, taken at their owners.
pub(super) async fn live(station: &Station, agent: &AgentMissions, id: &MissionId) -> MissionLive {
    let (providers, alerts) = agent.unit.world.ingest.live_of_mission(&station.sensing, id);
    let of_mission = |unit: &Arc<fleet::robot_handle::RobotHandle>| {
        unit.control().orders().filter(|command| command.mission.as_ref() == Some(id)).count()
    };
    let open_commands = station.fleet.units().iter().map(of_mission).sum();
    let jobs = if agent.lives.is_live(id) { agent.unit.jobs.list(None, Some(id.as_str())).await.len() } else { 0 };
    MissionLive { providers, alerts, jobs, open_commands }
}
