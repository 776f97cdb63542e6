//! The agent's mission files as they stand in the folder.

mod files;

use std::collections::BTreeMap;

use robot::MissionId;

use crate::code::StationCode;
use crate::missions::AgentMissions;
use crate::station::Station;
use fleet::MissionRobots;
use runtime::disk;
use runtime::error::OpError;

pub(crate) use files::{Draft, FILES_MAX, Listed, MissionFiles, listed};

impl AgentMissions {
    /// Every mission file by its id; one that cannot be read, with why.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Draft> {
        self.files.look(&self.unit.folders.missions)
    }

    /// The text of a mission file, as it stands now.
    pub(crate) fn mission_source(&self, id: &MissionId) -> Result<String, OpError> {
        let path = self.unit.folders.missions.join(format!("{id}.md"));
        files::read_text(&path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                return OpError::not_found(StationCode::MissionNotFound, "mission", id);
            }
            OpError::new(StationCode::MissionUnreadable, format!("{id} cannot be read: {error}."))
        })
    }

    /// That somebody knows this mission: it has a file, or was activated or ended.
    pub(crate) fn check_known_mission(&self, id: &MissionId) -> Result<(), OpError> {
        if self.lives.status(id).is_some() { Ok(()) } else { self.check_mission(id) }
    }

    /// That there is a file of this mission.
    pub(crate) fn check_mission(&self, mission: &MissionId) -> Result<(), OpError> {
        if self.missions().contains_key(mission) {
            return Ok(());
        }
        Err(OpError::not_found(StationCode::MissionNotFound, "mission", mission))
    }

    /// Puts the missions of the simulated site into the folder, as drafts. A file that is there stays as it is.
    pub(crate) async fn add_example_missions(&self) -> std::io::Result<()> {
        for (id, text) in missions::EXAMPLES {
            let path = self.unit.folders.missions.join(format!("{id}.md"));
            match disk::blocking(move || ::files::make(&path, text.as_bytes())).await {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        Ok(())
    }
}

impl Station {
    /// The mission files of every agent by their id. Two agents may use the same.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Vec<Draft>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, file) in self.missions.all().iter().flat_map(|agent| agent.missions()) {
            all.entry(id).or_default().push(file);
        }
        all
    }

    /// Checks that an agent has a mission `id` that can be read.
    pub(crate) fn check_mission(&self, id: &MissionId) -> Result<(), OpError> {
        match self.missions().remove(id).and_then(|mut files| files.pop()) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(OpError::new(StationCode::MissionUnreadable, error)),
            None => Err(OpError::not_found(StationCode::MissionNotFound, "mission", id)),
        }
    }

    /// The robots that each mission names; none where a file of it cannot be read.
    pub(crate) fn mission_robots(&self) -> MissionRobots {
        let robots = |files: Vec<Draft>| {
            let named: Result<Vec<_>, _> = files.into_iter().map(|file| file.map(|file| file.robots.clone())).collect();
            named.ok().map(|robots| robots.into_iter().flatten().collect())
        };
        self.missions().into_iter().map(|(id, files)| (id, robots(files))).collect()
    }
}
