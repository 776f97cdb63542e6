//! The agent's mission files as they stand in the folder.

mod files;

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{MissionId, RobotId};
use safety::Constraint;

use crate::agents::AgentUnit;
use crate::code::StationCode;
use crate::limit_sets::Owner;
use crate::robot_handle::RobotHandle;
use crate::station::Station;
use runtime::disk;
use runtime::error::OpError;

pub(crate) use files::{Draft, FILES_MAX, Listed, MissionFiles, listed};

impl AgentUnit {
    /// Every mission file by its id; one that cannot be read, with why.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Draft> {
        self.mission_files.look(&self.folders.missions)
    }

    /// The text of a mission file, as it stands now.
    pub(crate) fn mission_source(&self, id: &MissionId) -> Result<String, OpError> {
        let path = self.folders.missions.join(format!("{id}.md"));
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
            let path = self.folders.missions.join(format!("{id}.md"));
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
        for (id, file) in self.agents.all().iter().flat_map(|agent| agent.missions()) {
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

    /// The robots that `constraint` binds.
    pub(crate) fn bound_by(&self, constraint: &Constraint) -> Vec<Arc<RobotHandle>> {
        let binds = self.binds();
        self.units().into_iter().filter(|unit| binds(constraint, unit.id())).collect()
    }

    /// The constraints of `all` that bind `robot`: its own, and those of every mission that names it.
    pub(crate) fn binding(&self, all: &[Constraint], robot: &RobotId) -> Vec<Constraint> {
        let binds = self.binds();
        all.iter().filter(|constraint| binds(constraint, robot)).cloned().collect()
    }

    /// True if constraints of `owner` bind `robot`.
    pub(crate) fn owns(&self, owner: &Owner, robot: &RobotId) -> bool {
        match owner {
            Owner::Robot(bound) => bound == robot,
            Owner::Mission(mission) => names(self.missions().get(mission), robot),
        }
    }

    /// Tells whether a constraint binds a robot. The mission files are read once, and only if a mission matters.
    fn binds(&self) -> impl Fn(&Constraint, &RobotId) -> bool {
        let missions = LazyCell::new(|| self.missions());
        move |constraint, robot| match (&constraint.robot, &constraint.mission) {
            (Some(bound), _) => bound == robot,
            (None, Some(mission)) => names(missions.get(mission), robot),
            (None, None) => false,
        }
    }
}

/// True if a mission of this id names `robot`. One that cannot be read might: its limits bind.
fn names(missions: Option<&Vec<Draft>>, robot: &RobotId) -> bool {
    missions.is_none_or(|missions| {
        missions.iter().any(|mission| mission.as_ref().map_or(true, |file| file.robots.contains(robot)))
    })
}
