//! The side of the station that sensing sees: samples come from robots and the simulator, and rules wake agents.

use std::sync::Arc;

use bridge::signing::SignedSample;
use robot::{AgentId, Camera, CameraId, MapSource, RobotId};
use world::{AlertId, Entry, Fire, RuleMove};

use super::host::StationHost;
use runtime::stamps::Stamps;
use sensing::{FireRecord, Sources, Waker};

impl Sources for StationHost {
    fn believes(&self, message: &SignedSample, stamps: &Stamps) -> bool {
        self.station().is_some_and(|station| station.fleet.believes(message, stamps))
    }

    fn robot_of(&self, key_expr: &str) -> Option<RobotId> {
        self.station()?.fleet.robot_of(key_expr)
    }

    fn camera(&self, robot: &RobotId, camera: &CameraId) -> Option<Camera> {
        let unit = self.station()?.fleet.unit(robot).ok()?;
        unit.manifest.cameras.iter().find(|declared| &declared.id == camera).cloned()
    }

    fn maps(&self) -> Vec<(RobotId, MapSource)> {
        let units = self.station().map(|station| station.fleet.units()).unwrap_or_default();
        units.iter().filter_map(|unit| Some((unit.manifest.id.clone(), unit.manifest.map.clone()?))).collect()
    }

    fn is_simulated(&self, key_expr: &str) -> bool {
        self.station().is_some_and(|station| station.simulator.owns(key_expr))
    }
}

impl Waker for StationHost {
    fn episode_id(&self) -> String {
        self.station().map_or_else(String::new, |station| station.runner.episode_id())
    }

    fn fired(&self, agent: &AgentId, fire: &Fire, record: FireRecord) {
        if let Some(station) = self.station() {
            station.runner.fired(agent, fire, record);
        }
    }

    fn remember(&self, agent: &AgentId, fire: &Fire, episode: String) {
        if let Some(station) = self.station() {
            station.runner.remember(agent, fire, episode);
        }
    }

    fn moved(&self, agent: &AgentId, moved: &RuleMove) {
        if let Some(station) = self.station() {
            station.runner.moved(agent, moved);
        }
    }

    fn removed(&self, agent: &AgentId, rule: &AlertId) {
        if let Some(station) = self.station() {
            station.runner.removed(agent, rule);
        }
    }

    fn changed(&self, agent: &AgentId, entry: &Arc<Entry>) {
        if let Some(station) = self.station() {
            station.runner.changed(agent, entry);
        }
    }
}
